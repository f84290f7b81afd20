import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type CopsError, stopped } from '../../base/errors/errors.js';
import type { Processes } from '../../base/files/lock.js';
import { whileLocked } from '../../base/files/lock.js';
import { cops, say } from '../../base/text/command-line.js';
import type { Counted, CountedWrites } from '../policy/types.js';
import { HistoryMark, type Line, listSegments, readTail } from './segments.js';
import type { AlsoDone } from './write-gate.js';

/** Outcomes that mean nothing was done; any other outcome, or none, counts as done. */
const NOT_DONE: ReadonlySet<string> = new Set([
  'refused',
  'payment_failed',
  'fraud_detected',
  'rate_limited',
  'not_sent',
]);

const LOCK_WAIT_MS = 30_000;
/** Attempts to read an incomplete end, and the pause between them in milliseconds. */
const LOOKS = 8;
const LOOK_MS = 25;

/**
 * What the history says of recent writes, for sums. Read under the lock that limited writers share, from where the last
 * reading stopped. A history that does not match its mark does not count as a day without writes.
 */
export class FileLedger implements CountedWrites {
  readonly #folder: string;
  readonly #mark: HistoryMark;
  readonly #lockPath: string;
  readonly #read = new Map<string, number>();
  readonly #counted = new Map<string, Counted>();

  constructor(
    configDir: string,
    dataDir: string,
    private readonly clock: () => number,
    private readonly processes?: Processes,
  ) {
    this.#folder = join(configDir, 'history');
    this.#lockPath = join(configDir, 'policy');
    this.#mark = new HistoryMark(this.#folder, dataDir);
  }

  async now(): Promise<number> {
    return this.clock();
  }

  async exclusively<T>(deed: () => Promise<T>): Promise<T> {
    const how = { waitMs: LOCK_WAIT_MS, processes: this.processes, what: 'The record of limited writes' };
    return whileLocked(this.#lockPath, how, async () => {
      const done = await deed();
      await this.#mark.take();
      return done;
    });
  }

  async since(moment: number): Promise<readonly Counted[]> {
    const month = new Date(moment).toISOString().slice(0, 7);
    const names = (await listSegments(this.#folder)).filter((name) => name.slice(0, 7) >= month);
    await this.#mark.check(month);
    for (const name of names) await this.#further(name);
    return [...this.#counted.values()].filter(({ time }) => time >= moment);
  }

  async #further(name: string): Promise<void> {
    const path = join(this.#folder, name);
    for (let look = 1; ; look++) {
      const take = (line: Line) => this.#take(line as Line & Record<string, unknown>, path);
      const { damaged: bad, to } = readTail(path, this.#read.get(name) ?? 0, take);
      if (bad > 0) throw damaged(`the history ${path} has ${bad} damaged lines`, path);
      this.#read.set(name, to);
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) <= to) return;
      // Others append without the lock: an incomplete line will be complete in a moment.
      if (look >= LOOKS) throw damaged(`the end of the history ${path} is incomplete`, path);
      await pause(LOOK_MS);
    }
  }

  #take(line: Line & Record<string, unknown>, path: string): void {
    if (line.type === 'intent') {
      if (Number.isNaN(Date.parse(line.time))) throw damaged(`the history ${path} has a write without a time`, path);
      const { id, time, profile, credential, mode, operation, also, who, amount, currency } = line;
      this.#counted.set(id, {
        id,
        time: Date.parse(time),
        profile: String(profile),
        credential: String(credential),
        mode: String(mode),
        operation: String(operation),
        ...(Array.isArray(also) ? { also: also as AlsoDone[] } : {}),
        who: who === 'agent' ? 'agent' : 'person',
        ...(typeof amount === 'string' && typeof currency === 'string' ? { amount, currency } : {}),
      });
      return;
    }
    const undone = line.type === 'settled' ? line.as !== 'done' : NOT_DONE.has(String(line.outcome));
    if (undone) this.#counted.delete(line.id);
  }
}

function damaged(what: string, path: string): CopsError {
  return stopped(
    `${what}: today's writes are unknown, so no limited write is sent`,
    say`Nothing was sent. Check ${path}; ${cops`history list`} shows what can be read. Once you know which writes were done, repair or move away ${basename(path)}: limits then count the remaining writes.`,
  );
}
