import type { JournalState } from '../account/journal/state.js';
import type { Journal } from '../account/journal/types.js';
import { local } from '../base/errors/errors.js';
import type { Operation } from '../catalogue/types.js';
import { parseJson } from '../items/json/parse-json.js';
import { copy, isObject, ownMember, type Tree, type TreeObject } from '../items/json/tree.js';
import type { SetupEnvironment } from './environment.js';
import { addressOf, type Families, type Managed } from './families.js';
import { withIds } from './shape-references.js';
import { isId } from './snapshot.js';
import type { PlanStep, SetupPlan } from './types.js';
import { withSecrets } from './variables.js';

export interface Applying {
  readonly account: SetupEnvironment;
  readonly journal: Journal;
  readonly progress: PlanProgress;
  /** The folder that relative paths of secret files start from. */
  readonly folder: string;
}

/** The progress of a plan's steps, and what is known about the objects they created. */
export class PlanProgress {
  /** Ids by address, of existing and created objects. */
  readonly ids = new Map<string, string>();
  /** Skipped steps, with the reason. */
  readonly skipped = new Map<number, string>();
  /** When each object was created, in milliseconds. */
  readonly createdAt = new Map<string, number>();
  /** Values of secrets that were read or typed, which must not appear in any message. */
  readonly secrets = new Set<string>();
  /** Secrets that were typed for a step, by path. */
  readonly typed = new Map<number, Readonly<Record<string, string>>>();

  constructor(
    readonly plan: SetupPlan,
    readonly families: Families,
    private readonly state: JournalState,
    /** Addresses by id, as last read. */
    private readonly seen: ReadonlyMap<string, string>,
  ) {
    for (const [address, id] of Object.entries(plan.ids)) this.ids.set(address, id);
    for (const step of plan.steps) if (step.id !== undefined) this.ids.set(stepAddress(step), step.id);
  }

  /** The address of an id, as read or created. */
  addressOf(id: string): string | undefined {
    // An object that the plan renames has the plan's name.
    if (isId(id)) for (const [address, own] of this.ids) if (own === id) return address;
    return this.seen.get(id);
  }

  isDone(n: number): boolean {
    const stand = this.state.stand(n);
    return stand === 'done' || stand === 'resolved_done';
  }

  /** Why a step cannot run now; undefined when it can. */
  blocked(step: PlanStep): string | undefined {
    const missing = step.needs.filter((n) => !this.isDone(n));
    if (missing.length > 0) {
      const names = missing.map((n) => stepName(this.plan.steps[n - 1] as PlanStep));
      return `it needs ${names.join(', ')}`;
    }
    const open = (step.asks ?? []).filter((place) => this.typed.get(step.n)?.[place] === undefined);
    return open.length > 0 ? `the service needs ${open.join(', ')}, but no file has it` : undefined;
  }

  managed(step: Pick<PlanStep, 'family'>): Managed {
    const managed = this.families.managed.get(step.family);
    if (!managed) throw local(`this version does not know the family ${step.family}`);
    return managed;
  }

  operation(step: PlanStep): Operation {
    const managed = this.managed(step);
    const operation =
      step.action === 'create' ? managed.create : step.action === 'delete' ? managed.remove : managed.edit;
    if (!operation) throw local(`this version cannot ${step.action} ${step.family}`);
    return operation;
  }

  /** Ids of the path. */
  pathIds(step: PlanStep): readonly string[] {
    if (step.action === 'create' || !this.managed(step).list) return [];
    const id = this.ids.get(stepAddress(step));
    if (id === undefined) throw local(`the id of ${stepName(step)} is unknown`);
    return [id];
  }

  /** The body to send: references replaced by ids, secrets filled in. */
  async body(step: PlanStep, readSecret: (text: string) => Promise<string>): Promise<TreeObject> {
    const withReferences = withIds(step.body, (address) => {
      const id = this.ids.get(address);
      if (id === undefined) throw local(`the id of ${address} is unknown`);
      return id;
    });
    const read = async (text: string) => {
      const value = await readSecret(text);
      this.secrets.add(value);
      return value;
    };
    const body = (await withSecrets(copy(withReferences), read)) as TreeObject;
    for (const [place, value] of Object.entries(this.typed.get(step.n) ?? {})) {
      this.secrets.add(value);
      setAt(body, place.split('.'), value);
    }
    return body;
  }
}

function setAt(body: TreeObject, names: readonly string[], value: Tree): void {
  let place = body;
  for (const name of names.slice(0, -1)) {
    const inner = ownMember(place, name);
    const next: TreeObject = isObject(inner) ? inner : {};
    place[name] = next;
    place = next;
  }
  place[names.at(-1) ?? ''] = value;
}

export function stepAddress(step: Pick<PlanStep, 'family' | 'key'>): string {
  return addressOf(step.family, step.key);
}

/** `create payment-profiles/Default`. */
export function stepName(step: Pick<PlanStep, 'action' | 'family' | 'key'>): string {
  return `${step.action} ${stepAddress(step)}`;
}

/** The id of the created object, from the answer; undefined if the answer has none. */
export function createdId(operation: Operation, answer: string): string | undefined {
  const { value } = parseJson(answer);
  if (!isObject(value)) return undefined;
  const told = operation.answerId === undefined ? undefined : ownMember(value, operation.answerId);
  if (typeof told === 'string') return told;
  const found = Object.entries(value).find(([name]) => name === 'key' || (/_id$/.test(name) && name !== 'api_call_id'));
  return typeof found?.[1] === 'string' ? found[1] : undefined;
}

/** Steps by level, and within a level by action: each group is one run of the bulk engine. */
export function groupsOf(steps: readonly PlanStep[]): readonly (readonly PlanStep[])[] {
  const groups = new Map<string, PlanStep[]>();
  const ordered = [...steps].sort((a, b) => a.level - b.level || a.n - b.n);
  for (const step of ordered) {
    const name = `${step.level} ${step.action} ${step.family}`;
    groups.set(name, [...(groups.get(name) ?? []), step]);
  }
  return [...groups.values()];
}
