import type { CopsError } from '../../base/errors/errors.js';
import { operationNamed } from '../../catalogue/index.js';
import type { Family, Operation } from '../../catalogue/types.js';
import type { Values } from '../../items/json/lossless.js';
import { EVENTS_RESEND } from '../history/entries.js';
import type { Gate, GatedRow, IntentFacts } from '../history/write-gate.js';
import { type Brought, broughtBy } from '../safety/as-sent.js';
import { PolicyFile } from './file.js';
import { countedFrom, countsAmounts, countsWrites, judgeAlone, judgeSums, rulesFor } from './judge.js';
import { movesBy, movesOf, together } from './moves.js';
import type { Asked, Counted, CountedWrites, Moves, Policy, Rule } from './types.js';

export interface GateInput {
  readonly configDir: string;
  readonly now: () => number;
  /** Called if a rule counts writes. */
  readonly counted: () => Promise<CountedWrites>;
  /** The team's rules, which apply in addition to this machine's. */
  readonly team?: (() => Promise<Policy | undefined>) | undefined;
  readonly asked: Asked;
  readonly family: Family;
  readonly operation: Operation;
  /** Reads the item of an operation; undefined if it cannot be read. */
  readonly item: (family: Family, operation: Operation, ids: readonly string[]) => Promise<Values | undefined>;
}

/** The gate for one operation's writes: the policies of this machine and its team, over all writes counted together. */
export class PolicyGate implements Gate {
  readonly #file: PolicyFile;
  #counted: Promise<CountedWrites> | undefined;
  readonly #moving = new Map<string, boolean>();

  constructor(private readonly input: GateInput) {
    this.#file = new PolicyFile(input.configDir);
  }

  async admit<T>(row: GatedRow, record: (facts: IntentFacts) => Promise<T>): Promise<T> {
    const asked = this.#asked(row);
    const policies = await this.#policies();
    const { also, reason } = asked;
    const facts: IntentFacts = { who: asked.who === 'agent' ? 'agent' : undefined, also, reason };
    if (policies.length === 0) return record(facts);
    const rules = policies.flatMap((policy) => rulesFor(policy, asked));
    const moves = await this.#moves(rules, row, asked);
    passed(await this.#judgeAlone(policies, asked, moves));
    const counted =
      moves.kind === 'amount' ? { ...facts, amount: moves.amount.toFixed(), currency: moves.currency } : facts;
    if (!countsWrites(rules)) return record(counted);
    return (await this.#book()).exclusively(async () => {
      passed(await this.#judgeSums(policies, asked, moves, []));
      return record(counted);
    });
  }

  async readmit(row: GatedRow): Promise<void> {
    const asked = this.#asked(row);
    const policies = await this.#policies();
    const rules = policies.flatMap((policy) => rulesFor(policy, asked));
    passed(await this.#judgeAlone(policies, asked, await this.#moves(rules, row, asked)));
  }

  /** Hours follow the clock of whatever counts the writes: for a team its database, because machines' clocks differ. */
  async #judgeAlone(policies: readonly Policy[], asked: Asked, moves: Moves): Promise<CopsError[]> {
    const hasHours = policies.some((policy) => policy.rules.some(({ neverOn, hours }) => neverOn ?? hours));
    const now = hasHours ? await (await this.#book()).now() : this.input.now();
    return policies.flatMap((policy) => [...judgeAlone(policy, asked, moves, now)]);
  }

  async #policies(): Promise<readonly Policy[]> {
    const all = [await this.#file.current(), await this.input.team?.()];
    return all.filter((policy) => policy !== undefined);
  }

  /**
   * Judges rows as if they came one after another; nothing is recorded.
   * @param whole what moves is looked up although no rule counts it
   * @param stops collects the errors of all rules; nothing is thrown for them then
   * @throws CopsError stopped (12) as `admit` would
   */
  async rehearse(rows: readonly GatedRow[], whole = false, stops?: CopsError[]): Promise<readonly Moves[]> {
    const { now } = this.input;
    const policies = await this.#policies();
    if (policies.length === 0 && !whole) return rows.map((): Moves => ({ kind: 'nothing' }));
    const all: Moves[] = [];
    const before: Counted[] = [];
    for (const [index, row] of rows.entries()) {
      const asked = this.#asked(row);
      const rules = policies.flatMap((policy) => rulesFor(policy, asked));
      const moves = await this.#moves(rules, row, asked, whole);
      all.push(moves);
      const found = await this.#judgeAlone(policies, asked, moves);
      if (countsWrites(rules)) found.push(...(await this.#judgeSums(policies, asked, moves, before)));
      if (stops) stops.push(...found);
      else passed(found);
      const sum = moves.kind === 'amount' ? { amount: moves.amount.toFixed(), currency: moves.currency } : {};
      before.push({ ...asked, ...sum, id: `row ${index + 1}`, time: now() });
    }
    return all;
  }

  #book(): Promise<CountedWrites> {
    this.#counted ??= this.input.counted();
    return this.#counted;
  }

  /** The write as its body defines it. */
  #asked({ body = {} }: GatedRow): Asked {
    const also = broughtBy(this.input.operation, body).map(({ operation, field }) => ({ operation, field }));
    return also.length === 0 ? this.input.asked : { ...this.input.asked, also };
  }

  async #judgeSums(
    policies: readonly Policy[],
    asked: Asked,
    moves: Moves,
    more: readonly Counted[],
  ): Promise<CopsError[]> {
    const book = await this.#book();
    const at = await book.now();
    const found: CopsError[] = [];
    for (const policy of policies) {
      const { day, hour } = countedFrom(policy, at);
      const all = [...(await book.since(Math.min(day, hour))), ...more];
      const written = all.filter(({ operation }) => operation !== EVENTS_RESEND);
      const names = written.flatMap((one) => [one, ...(one.also ?? [])]).map(({ operation }) => operation);
      for (const name of new Set(names)) if (!this.#moving.has(name)) this.#moving.set(name, await mayMove(name));
      found.push(...judgeSums(policy, asked, moves, at, written, (name) => this.#moving.get(name) ?? true));
    }
    return found;
  }

  async #moves(rules: readonly Rule[], { ids, body = {} }: GatedRow, asked: Asked, whole = false): Promise<Moves> {
    const { family, operation, item } = this.input;
    if (!whole && !countsAmounts(rules)) return { kind: 'nothing' };
    const read = movesBy(operation, asked.risk) === 'item' ? await item(family, operation, ids) : undefined;
    const all = [movesOf(operation, asked.risk, body, read)];
    for (const one of broughtBy(operation, body)) all.push(await this.#brought(one));
    return together(all);
  }

  async #brought({ operation: name, field, ids }: Brought): Promise<Moves> {
    const known = await operationNamed(name);
    if (!known) return { kind: 'unknown', why: `the effect of ${field} is unknown` };
    const { family, operation } = known;
    const isByItem = movesBy(operation, operation.risk) === 'item';
    const read = isByItem && ids ? await this.input.item(family, operation, ids) : undefined;
    const moves = movesOf(operation, operation.risk, {}, read);
    return moves.kind === 'unknown' ? { ...moves, why: `${field} does ${name}, and ${moves.why}` } : moves;
  }
}

/** @throws CopsError stopped (12): the first of the errors, if there are any */
function passed([first]: readonly CopsError[]): void {
  if (first) throw first;
}

/** Whether an operation in the history can have moved an amount. */
async function mayMove(name: string): Promise<boolean> {
  const operation = (await operationNamed(name))?.operation;
  return operation === undefined || movesBy(operation, operation.risk) !== 'nothing';
}
