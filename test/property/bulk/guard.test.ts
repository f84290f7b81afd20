/** The guard against repeated writes, over commands of several processes that come, go and die in any order. */
import { appendFileSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openHistory } from '../../../src/account/history/history.js';
import type { HistoryOutcome, Pending } from '../../../src/account/history/types.js';
import type { Processes } from '../../../src/base/files/lock.js';
import { dice } from './world.js';

const STORIES = process.env.COPS_LONG === '1' ? 2000 : 40;
const COMMANDS = 12;
const ORIGIN = { profile: 'acme', baseUrl: 'b', mode: 'test', operation: 'o', fingerprint: 'fp' } as const;
const ENDS: readonly HistoryOutcome[] = ['done', 'done', 'refused', 'refused', 'not_sent', 'not_sent', 'unknown'];

interface Told {
  sent: number;
  refused: number;
}

class Story {
  readonly roll: () => number;
  readonly told: Told = { sent: 0, refused: 0 };
  readonly #dir = mkdtempSync(join(tmpdir(), 'cops-guard-'));
  readonly #alive = new Set<number>();
  /** Writes that left and have no known end, by their tags. */
  readonly #open = new Map<string, number>();
  readonly #done: { readonly tag: string; readonly at: number }[] = [];
  #now = Date.parse('2026-11-30T23:59:50Z');

  constructor(seed: number) {
    this.roll = dice(seed);
  }

  async tell(): Promise<Told> {
    try {
      await Promise.all(Array.from({ length: COMMANDS }, (_, n) => this.#command(n + 1)));
    } finally {
      rmSync(this.#dir, { recursive: true, force: true });
    }
    return this.told;
  }

  async #turns(most = 12): Promise<void> {
    for (let left = Math.floor(this.roll() * most); left > 0; left--) {
      this.#now += Math.floor(this.roll() * 300);
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** A command from its start to its end or death: a single write, or the only row of a bulk run. */
  async #command(pid: number): Promise<void> {
    await this.#turns(120);
    const since = this.#now;
    this.#alive.add(pid);
    const tag = 'abc'[Math.floor(this.roll() * 3)] ?? 'a';
    const history = openHistory(this.#dir, { now: () => this.#now, processes: this.#processes(pid) });
    await this.#turns();
    // What was done before it looks must be seen; what ends while it looks may be.
    const known = this.#done.filter((one) => one.tag === tag && one.at >= since);
    const pending = await this.#begin(history, pid, { tag, since }).catch((error: { exitCode?: number }) => {
      if (error.exitCode !== 12) throw error;
      return undefined;
    });
    if (pending) {
      if (this.#open.has(tag)) throw new Error(`${pid} sent "${tag}" while ${this.#open.get(tag)} had it open`);
      if (known.length > 0) throw new Error(`${pid} sent "${tag}", which was done since it began`);
      this.told.sent++;
      this.#open.set(tag, pid);
      await this.#turns();
      if (this.roll() < 0.05) this.#tear();
      else await this.#end(pending, tag, pid);
    } else this.told.refused++;
    this.#alive.delete(pid);
    await history.close();
  }

  async #begin(
    history: ReturnType<typeof openHistory>,
    pid: number,
    { tag, since }: { tag: string; since: number },
  ): Promise<Pending | undefined> {
    const from = new Date(since).toISOString();
    if (this.roll() < 0.5) return history.begin({ ...ORIGIN, ids: [tag], tag }, { since: from });
    const begun = await history
      .trail(ORIGIN, { journal: `j${pid}`, since: from })
      .plan({ ids: [tag], tag })
      .begin();
    return begun.doneElsewhere ? undefined : begun.pending;
  }

  async #end(pending: Pending, tag: string, pid: number): Promise<void> {
    const outcome = ENDS[Math.floor(this.roll() * ENDS.length)] ?? 'unknown';
    if (outcome !== 'unknown' && this.#open.get(tag) === pid) this.#open.delete(tag);
    const at = this.#now;
    await pending.finish({ outcome });
    if (outcome === 'done') this.#done.push({ tag, at });
  }

  /** It dies in the middle of a line. */
  #tear(): void {
    const folder = join(this.#dir, 'history');
    const name = readdirSync(folder).find((one) => one.endsWith('.jsonl'));
    if (name) appendFileSync(join(folder, name), '{"type":"outcome","id":"');
  }

  #processes(self: number): Processes {
    const idOf = (pid: number) => ({ pid, started: `s${pid}`, host: 'h' });
    return { self: idOf(self), state: ({ pid }) => (this.#alive.has(pid) ? 'running' : 'gone') };
  }
}

it(`lets no like write leave while one is open or was done since (${STORIES} stories)`, {
  timeout: 600_000,
}, async () => {
  const base = Number(process.env.COPS_SEED ?? 9000);
  const all: Told = { sent: 0, refused: 0 };
  for (let seed = base; seed < base + STORIES; seed++) {
    const told = await new Story(seed).tell().catch((error: Error) => {
      throw new Error(`seed ${seed}: ${error.message}`, { cause: error });
    });
    all.sent += told.sent;
    all.refused += told.refused;
  }
  expect(all.sent).toBeGreaterThan(STORIES);
  expect(all.refused).toBeGreaterThan(STORIES);
});
