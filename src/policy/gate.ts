import { join } from 'node:path';
import { findOperation, loadFamily } from '../catalogue/index.js';
import type { Family, Operation } from '../catalogue/types.js';
import { lock } from '../files/lock.js';
import type { Gate, GatedRow, IntentFacts } from '../log/gate.js';
import { type Counted, Ledger } from '../log/ledger.js';
import type { Values } from '../safety/shown-values.js';
import { PolicyFile } from './file.js';
import { countedFrom, countsAmounts, countsWrites, judgeAlone, judgeSums, rulesFor } from './judge.js';
import { movesBy, movesOf } from './moves.js';
import type { Asked, Moves, Policy } from './types.js';

export interface GateInput {
  readonly configDir: string;
  readonly dataDir: string;
  readonly now: () => number;
  readonly asked: Asked;
  readonly operation: Operation;
  /** Reads the item that a write is for; undefined where it cannot be read. */
  readonly item: (ids: readonly string[]) => Promise<Values | undefined>;
}

const LOCK_WAIT_MS = 30_000;

/** The gate of the writes of one operation: the policy of this machine, over all its processes. */
export class PolicyGate implements Gate {
  readonly #file: PolicyFile;
  readonly #ledger: Ledger;
  readonly #moving = new Map<string, boolean>();

  constructor(private readonly input: GateInput) {
    this.#file = new PolicyFile(input.configDir);
    this.#ledger = new Ledger(input.configDir, input.dataDir);
  }

  async admit<T>(row: GatedRow, record: (facts: IntentFacts) => Promise<T>): Promise<T> {
    const { asked, now, configDir } = this.input;
    const policy = await this.#file.current();
    const facts: IntentFacts = { who: asked.who === 'agent' ? 'agent' : undefined, reason: asked.reason };
    if (!policy) return record(facts);
    const moves = await this.#moves(policy, row);
    judgeAlone(policy, asked, moves, now());
    const counted =
      moves.kind === 'amount' ? { ...facts, amount: moves.amount.toFixed(), currency: moves.currency } : facts;
    if (!countsWrites(rulesFor(policy, asked))) return record(counted);
    const held = await lock(join(configDir, 'policy'), { waitMs: LOCK_WAIT_MS, what: 'The record of limited writes' });
    try {
      await this.#judge(policy, moves, []);
      const done = await record(counted);
      await this.#ledger.mark();
      return done;
    } finally {
      await held.release();
    }
  }

  async readmit(row: GatedRow): Promise<void> {
    const policy = await this.#file.current();
    if (policy) judgeAlone(policy, this.input.asked, await this.#moves(policy, row), this.input.now());
  }

  /**
   * What would become of rows that came one after another; nothing is recorded.
   * @throws CopsError stopped (12) as `admit` would
   */
  async rehearse(rows: readonly GatedRow[]): Promise<readonly Moves[]> {
    const { asked, now } = this.input;
    const policy = await this.#file.current();
    const all: Moves[] = [];
    const before: Counted[] = [];
    for (const [index, row] of rows.entries()) {
      const moves = policy ? await this.#moves(policy, row) : ({ kind: 'nothing' } as const);
      all.push(moves);
      if (!policy) continue;
      judgeAlone(policy, asked, moves, now());
      if (countsWrites(rulesFor(policy, asked))) await this.#judge(policy, moves, before);
      const sum = moves.kind === 'amount' ? { amount: moves.amount.toFixed(), currency: moves.currency } : {};
      before.push({ ...asked, ...sum, id: `row ${index + 1}`, time: now() });
    }
    return all;
  }

  async #judge(policy: Policy, moves: Moves, more: readonly Counted[]): Promise<void> {
    const { asked, now } = this.input;
    const at = now();
    const { day, hour } = countedFrom(policy, at);
    const written = [...(await this.#ledger.since(Math.min(day, hour))), ...more];
    for (const name of new Set(written.map(({ operation }) => operation))) {
      if (!this.#moving.has(name)) this.#moving.set(name, await mayMove(name));
    }
    judgeSums(policy, asked, moves, at, written, (name) => this.#moving.get(name) ?? true);
  }

  async #moves(policy: Policy, { ids, body = {} }: GatedRow): Promise<Moves> {
    const { operation, asked, item } = this.input;
    if (!countsAmounts(rulesFor(policy, asked))) return { kind: 'nothing' };
    const read = movesBy(operation, asked.risk) === 'item' ? await item(ids) : undefined;
    return movesOf(operation, asked.risk, body, read);
  }
}

/** Whether an operation of the history can have moved an amount. */
async function mayMove(name: string): Promise<boolean> {
  const [head = '', ...action] = name.split(' ');
  let family: Family;
  try {
    family = await loadFamily(head.replaceAll('-', '_'));
  } catch {
    return true;
  }
  const operation = findOperation(family, action.join(' '));
  return operation === undefined || movesBy(operation, operation.risk) !== 'nothing';
}
