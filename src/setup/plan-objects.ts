import type { Risk } from '../catalogue/types.js';
import { parseJson } from '../items/json/parse-json.js';
import { ownMember, serialise, type TreeObject } from '../items/json/tree.js';
import { compareObject, editValue } from './compare-object.js';
import {
  createSteps,
  type Draft,
  draftOf,
  missingSecrets,
  type PlanFault,
  type Planning,
  type PlanningInput,
} from './creation.js';
import { creationOrder } from './creation-order.js';
import { addressOf, type Families, fieldsOf, firesByItself, type Managed, partsOfAddress } from './families.js';
import { hashOf } from './hash.js';
import { differingForGood, leftBehind, type Pair } from './left-behind.js';
import type { SetupState } from './recorded-state.js';
import { refsIn, withRefs } from './shape-references.js';
import type { Environment, FileObject, PlannedChange, PlanStep, Remote, SetupPlan, Snapshot } from './types.js';
import { secretsIn } from './variables.js';

/** Compares files and service and plans what to do, in order. Sends nothing. */
export function makePlan(input: PlanningInput): { readonly plan: SetupPlan; readonly faults: readonly PlanFault[] } {
  const planning: Planning = { input, drafts: [], drift: [], shared: [], cannot: [], notes: [], faults: [] };
  const fresh: FileObject[] = [];
  const pairs: Pair[] = [];
  for (const file of input.files.values()) {
    const remote = targetOf(planning, file);
    if (remote === 'none') fresh.push(file);
    else if (remote !== 'faulty') {
      planEdit(planning, file, remote);
      if (file.item !== undefined)
        pairs.push({ file, there: withAddresses(input.snapshot, remote.item), thereShape: remote.shape });
    }
  }
  for (const placed of creationOrder(fresh)) planning.drafts.push(...createSteps(planning, placed));
  planning.cannot.push(...leftBehind(fresh, input.files), ...differingForGood(pairs, input.files));
  if (!input.partial) planDeletes(planning);
  const externals = checkReferences(planning);
  return { plan: finished(planning, externals), faults: planning.faults };
}

/** An item with addresses in place of the ids that its environment knows. */
export function withAddresses({ addresses }: Snapshot, item: TreeObject): TreeObject {
  return withRefs(item, (id) => addresses.get(id)) as TreeObject;
}

/** The object in the service that a file describes. */
function targetOf(planning: Planning, file: FileObject): Remote | 'none' | 'faulty' {
  const { snapshot, state } = planning.input;
  const faulty = (parts: PlanFault['parts'], message: string): 'faulty' => {
    planning.faults.push({ object: file, parts, message });
    return 'faulty';
  };
  if (file.pinned !== undefined) {
    const remote = snapshot.byId.get(file.pinned);
    if (remote?.managed !== file.managed) return faulty(['_id'], `there is no ${file.managed.name} ${file.pinned}`);
    return renamedTo(file, remote, state);
  }
  const ids = snapshot.ids.get(file.address) ?? [];
  if (ids.length > 1) return faulty([], `${ids.length} objects have this name (${ids.join(', ')}): pin one with _id`);
  const same = snapshot.objects.get(file.address);
  if (same) return same;
  const old = file.was === undefined ? undefined : addressOf(file.managed.name, file.was);
  const renamed = old === undefined ? undefined : snapshot.objects.get(old);
  return renamed === undefined ? 'none' : renamedTo(file, renamed, state);
}

/** The recorded state of an object follows it to its new name. */
function renamedTo({ address }: FileObject, remote: Remote, { base }: SetupState): Remote {
  const known = base[remote.address];
  if (known && !base[address]) base[address] = known;
  return remote;
}

function planEdit(planning: Planning, file: FileObject, remote: Remote): void {
  const { input, cannot, notes } = planning;
  const compared = compareObject(file, remote, input.state.base[file.address]);
  for (const name of compared.kept) cannot.push(`${file.address}: ${name} stays, because an edit cannot remove it`);
  // Where both sides have been read, the items themselves are compared.
  if (file.item === undefined) cannot.push(...compared.late.map((name) => lateWords(file, name)));
  const secrets = changedSecrets(planning, file);
  if (compared.drift.length > 0) noteDrift(planning, file, remote, compared.drift);
  const changes = input.overwriteDrift ? [...compared.changes, ...compared.drift] : compared.changes;
  const names = new Set([...changes.map(({ field }) => field), ...secrets.changed]);
  const editable = fieldsOf(file.managed.edit);
  const sent = [...names].filter((name) => editable.has(name));
  for (const name of names)
    if (!editable.has(name)) cannot.push(`${file.address}: ${name} can only be set when it is created`);
  if (secrets.unknown.length > 0) {
    const list = secrets.unknown.join(', ');
    notes.push(`${file.address}: it is unknown whether ${list} changed; it is sent with the object's next change`);
  }
  if (sent.length === 0) return;
  if (input.sharedIds.has(remote.id)) {
    planning.shared.push(file.address);
    if (!input.writeShared) return;
  }
  planning.drafts.push(editDraft(planning, file, remote, changes, [...sent, ...secrets.unknown]));
}

function lateWords({ address, managed }: FileObject, name: string): string {
  const list = managed.fields[name]?.movesFrom?.split('.')[0];
  const why = managed.family.left?.[`${list}[1:]`];
  return `${address}: ${name} differs and can only be set when it is created${why === undefined ? '' : `: ${why}`}`;
}

function editDraft(
  planning: Planning,
  file: FileObject,
  remote: Remote,
  changes: readonly PlannedChange[],
  names: readonly string[],
): Draft {
  const editable = fieldsOf(file.managed.edit);
  const body: TreeObject = {};
  for (const name of new Set(withFrequency(file.shape, names))) {
    const wanted = ownMember(file.shape, name);
    if (wanted !== undefined && editable.has(name))
      body[name] = editValue(file.managed.fields[name], wanted, ownMember(remote.shape, name));
  }
  const asks = missingSecrets(planning, file, 'edit', body);
  const shown = changes.filter(({ field }) => editable.has(field));
  const secret = names.filter((name) => !shown.some(({ field }) => field === name));
  return draftOf(file, 'edit', body, {
    id: remote.id,
    changes: [...shown, ...secret.map((field) => ({ field, to: '(a secret)' }))],
    hash: remote.hash,
    asks: asks.length > 0 ? asks : undefined,
    says: wordsOfMoney(file.managed, Object.keys(body), file.shape),
  });
}

/**
 * A frequency and its settings object go together: the service ignores one without the other
 * (service.md#subscription-profiles).
 */
function withFrequency(shape: TreeObject, names: readonly string[]): readonly string[] {
  const frequency = ownMember(shape, 'frequency');
  if (typeof frequency !== 'string' || !names.some((name) => name.startsWith('frequency'))) return names;
  return [...names, 'frequency', `frequency_${frequency}`];
}

/** Secrets of an existing object: those that have changed, and those whose last value is unknown. */
function changedSecrets(planning: Planning, file: FileObject): { changed: string[]; unknown: string[] } {
  const changed: string[] = [];
  const unknown: string[] = [];
  for (const [name, value] of Object.entries(file.shape)) {
    for (const variable of secretsIn(value)) {
      const last = planning.input.state.secrets[`${file.address}#${variable}`];
      const mark = planning.input.secretMark(file, variable);
      if (last === undefined) unknown.push(name);
      else if (mark !== undefined && mark !== last) changed.push(name);
    }
  }
  return { changed: [...new Set(changed)], unknown: [...new Set(unknown)] };
}

function noteDrift(planning: Planning, file: FileObject, remote: Remote, changes: readonly PlannedChange[]): void {
  const kind = planning.input.state.base[file.address] === undefined ? 'unknown' : 'changed there';
  const { overwriteDrift, writeShared, sharedIds } = planning.input;
  const editable = fieldsOf(file.managed.edit);
  const isTaken = overwriteDrift && (writeShared || !sharedIds.has(remote.id));
  const overwritten = (isTaken && changes.every(({ field }) => editable.has(field))) || undefined;
  planning.drift.push({ address: file.address, id: remote.id, kind, changes, overwritten });
}

/** Warns if a change affects money, or starts something that acts on its own. */
export function wordsOfMoney(managed: Managed, fields: readonly string[], shape: TreeObject): readonly string[] {
  const says: string[] = [];
  const prices = fields.filter((name) => managed.fields[name]?.means === 'money');
  if (prices.length > 0) says.push(`money: ${prices.join(', ')} changes what is charged or counted`);
  else if (managed.edit?.risk === 'money' && fields.some((name) => name !== 'description'))
    says.push(`money: ${managed.name.replaceAll('-', ' ')} decide what is charged, how or when`);
  if (firesByItself(managed) && shape.enabled === true) says.push('it acts on its own once enabled');
  if (managed.fields.template_trigger && shape.template_trigger !== 'api_direct')
    says.push('it sends mail on its own as soon as it exists');
  return says;
}

/**
 * Plans to delete objects that this folder made or took over and that no longer have a file; an object goes before
 * those it refers to.
 */
function planDeletes(planning: Planning): void {
  const { input } = planning;
  const gone: Remote[] = [];
  for (const address of Object.keys(input.state.own)) {
    const { name } = partsOfAddress(address);
    const remote = input.snapshot.objects.get(address);
    if (!remote || !input.wanted.has(name) || input.files.has(address)) continue;
    const isIts = ({ managed, pinned, was }: FileObject) =>
      pinned === remote.id || (was !== undefined && addressOf(managed.name, was) === remote.address);
    if ([...input.files.values()].some(isIts)) continue;
    if (!remote.managed.remove) planning.cannot.push(`${address}: cannot be deleted through this interface`);
    else if (input.deletable.has(name)) gone.push(remote);
    else planning.notes.push(`${address}: its file is gone, but it is kept (--allow-delete deletes it)`);
  }
  let after: readonly Draft[] = [...planning.drafts];
  for (const { node } of creationOrder(gone).toReversed()) {
    const says = ['a deletion cannot be undone'];
    const draft = draftOf(node, 'delete', {}, { after, says, id: node.id, hash: node.hash });
    planning.drafts.push(draft);
    // One after the other: an object must be gone before those it refers to.
    after = [draft];
  }
}

/**
 * Checks that every reference to be written leads to an object that exists or will exist. Returns the external ones.
 */
function checkReferences(planning: Planning): readonly string[] {
  const { snapshot, files, families } = planning.input;
  const made = new Set(planning.drafts.filter(({ action }) => action === 'create').map(({ address }) => address));
  const externals = new Set<string>();
  for (const draft of planning.drafts) {
    for (const address of draft.refs) {
      if (families.external.has(partsOfAddress(address).name)) externals.add(address);
      const ids = snapshot.ids.get(address) ?? (snapshot.objects.has(address) ? [address] : []);
      const object = files.get(draft.address);
      const pinned = files.get(address)?.pinned;
      const parts = refsIn(draft.body).find((ref) => ref.address === address)?.parts ?? [];
      if (ids.length === 0 && !made.has(address))
        planning.faults.push({ object, parts, message: `${address} does not exist, and nothing here creates it` });
      else if (ids.length > 1 && pinned === undefined)
        planning.faults.push({
          object,
          parts,
          message: `${ids.length} objects are called ${address} (${ids.join(', ')})`,
        });
    }
  }
  return [...externals].sort();
}

function finished(planning: Planning, externals: readonly string[]): SetupPlan {
  const { input, drafts } = planning;
  const steps = numbered(drafts);
  const ids: Record<string, string> = {};
  for (const address of new Set(drafts.flatMap(({ refs }) => refs))) {
    const id = input.files.get(address)?.pinned ?? input.snapshot.ids.get(address)?.[0];
    if (id !== undefined) ids[address] = id;
  }
  const unique = (texts: readonly string[]) => [...new Set(texts)];
  return {
    version: 1,
    id: planId(input.environment, steps, ids),
    environment: input.environment,
    from: input.from,
    time: input.time,
    folder: input.folder,
    families: [...input.wanted].sort(),
    summary: summaryOf(steps),
    steps,
    drift: planning.drift,
    shared: unique(planning.shared),
    ids,
    externals,
    reach: {},
    cannot: unique(planning.cannot),
    notes: unique(planning.notes),
  };
}

/** Numbers the drafts and gives them levels, dependencies first. */
function numbered(drafts: readonly Draft[]): readonly PlanStep[] {
  const creating = new Map(drafts.filter(({ action }) => action === 'create').map((draft) => [draft.address, draft]));
  const levels = new Map<Draft, number>();
  const needsOf = (draft: Draft): readonly Draft[] => {
    const made = draft.refs.flatMap((address) => creating.get(address) ?? []).filter((other) => other !== draft);
    return [...new Set([...draft.after, ...made])];
  };
  const levelOf = (draft: Draft): number => {
    const known = levels.get(draft);
    if (known !== undefined) return known;
    levels.set(draft, 0);
    const level = 1 + Math.max(0, ...needsOf(draft).map(levelOf));
    levels.set(draft, level);
    return level;
  };
  const last = (draft: Draft) => (draft.action === 'enable' ? 1 : draft.action === 'delete' ? 2 : 0);
  const ordered = [...drafts].sort((a, b) => last(a) - last(b) || levelOf(a) - levelOf(b));
  const numbers = new Map(ordered.map((draft, index) => [draft, index + 1]));
  const deepest = Math.max(0, ...ordered.filter(({ action }) => action !== 'enable').map(levelOf));
  return ordered.map((draft) => {
    const { address: _address, after: _after, refs: _refs, ...step } = draft;
    const needs = needsOf(draft).map((one) => numbers.get(one) ?? 0);
    // An object that acts on its own starts when everything else exists.
    const level = draft.action === 'enable' ? deepest + 1 : levelOf(draft) + (draft.action === 'delete' ? 1 : 0);
    return { n: numbers.get(draft) ?? 0, ...step, needs: needs.sort((a, b) => a - b), level };
  });
}

/** The id that `--expect-plan` compares: equal for equal requests, in memory or read from a file. */
export function planId(environment: Environment, steps: readonly PlanStep[], ids: SetupPlan['ids']): string {
  const sent = steps.map(({ risk: _risk, ...step }) => step);
  const { value } = parseJson(serialise({ environment, steps: sent, ids }));
  return BigInt(`0x${hashOf(value)}`)
    .toString(36)
    .padStart(6, '0')
    .slice(-6);
}

/** `7 to create, 2 to edit, 0 to delete`. */
export function summaryOf(steps: readonly Pick<PlanStep, 'action' | 'family' | 'key'>[]): string {
  const of = (wanted: PlanStep['action']) =>
    new Set(steps.filter(({ action }) => action === wanted).map(({ family, key }) => addressOf(family, key)));
  const created = of('create');
  const edited = [...of('edit')].filter((address) => !created.has(address));
  const deleted = steps.filter(({ action }) => action === 'delete').length;
  return `${created.size} to create, ${edited.length} to edit, ${deleted} to delete`;
}

/** The risk of a step by today's catalogue: anybody may have written the plan file. */
export function stepRisk({ action, family }: Pick<PlanStep, 'action' | 'family'>, families: Families): Risk {
  const managed = families.managed.get(family);
  if (action === 'delete' || !managed) return 'irreversible';
  return (action === 'create' ? managed.create : managed.edit)?.risk ?? 'irreversible';
}

/** The greatest risk of a plan's steps. */
export function riskOf(steps: readonly Pick<PlanStep, 'risk'>[]): Risk {
  const order: readonly Risk[] = ['read', 'write', 'money', 'irreversible'];
  return steps.reduce<Risk>((worst, { risk }) => (order.indexOf(risk) > order.indexOf(worst) ? risk : worst), 'read');
}
