import { createHash } from 'node:crypto';
import { closeSync, readSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type CopsError, stopped } from '../../base/errors/errors.js';
import type { Processes } from '../../base/files/lock.js';
import { lock } from '../../base/files/lock.js';
import { openThere, readOwnFile } from '../../base/files/read-file.js';
import { replaceFile } from '../../base/files/replace-file.js';
import { cops, say } from '../../base/text/command-line.js';
import type { Counted, CountedWrites } from '../policy/types.js';
import type { AlsoDone } from './gate.js';
import { type Line, listSegments, readTail } from './segments.js';

/** Outcomes that mean nothing was done; any other outcome, or none, counts as done. */
const NOT_DONE: ReadonlySet<string> = new Set([
  'refused',
  'payment_failed',
  'fraud_detected',
  'rate_limited',
  'not_sent',
]);

const LOCK_WAIT_MS = 30_000;
/** Bytes before a mark that are compared. */
const MARK_BYTES = 1024;
/** Attempts to read an incomplete end, and the pause between them in milliseconds. */
const LOOKS = 8;
const LOOK_MS = 25;

interface Mark {
  readonly size: number;
  readonly hash: string;
}

/**
 * What the history says of recent writes, for sums. Read under the lock that limited writers share, from where the last
 * reading stopped. How far each segment had come is stored in another folder, so that a history that was removed, cut
 * or restored does not count as a day without writes.
 */
export class FileLedger implements CountedWrites {
  readonly #folder: string;
  readonly #markPath: string;
  readonly #lockPath: string;
  readonly #read = new Map<string, number>();
  readonly #counted = new Map<string, Counted>();
  #month = '';

  constructor(
    configDir: string,
    dataDir: string,
    private readonly clock: () => number,
    private readonly processes?: Processes,
  ) {
    this.#folder = join(configDir, 'history');
    this.#lockPath = join(configDir, 'policy');
    this.#markPath = join(dataDir, 'policy-mark.json');
  }

  async now(): Promise<number> {
    return this.clock();
  }

  async exclusively<T>(deed: () => Promise<T>): Promise<T> {
    const how = { waitMs: LOCK_WAIT_MS, processes: this.processes, what: 'The record of limited writes' };
    const held = await lock(this.#lockPath, how);
    try {
      const done = await deed();
      await this.#mark();
      return done;
    } finally {
      await held.release();
    }
  }

  async since(moment: number): Promise<readonly Counted[]> {
    const month = new Date(moment).toISOString().slice(0, 7);
    this.#month = month;
    const names = (await listSegments(this.#folder)).filter((name) => name.slice(0, 7) >= month);
    for (const [name, mark] of Object.entries(this.#marks())) {
      if (name.slice(0, 7) >= month) this.#compare(name, mark);
    }
    for (const name of names) await this.#further(name);
    return [...this.#counted.values()].filter(({ time }) => time >= moment);
  }

  /** Records how far the history has been read. */
  async #mark(): Promise<void> {
    const segments: Record<string, Mark> = {};
    for (const name of await listSegments(this.#folder)) {
      if (name.slice(0, 7) < this.#month) continue;
      const { size } = statSync(join(this.#folder, name));
      segments[name] = { size, hash: this.#hashBefore(name, size) };
    }
    await replaceFile(this.#markPath, JSON.stringify({ version: 1, segments }));
  }

  #marks(): Readonly<Record<string, Mark>> {
    let text: string;
    try {
      const bytes = readOwnFile(this.#markPath);
      if (bytes === undefined) return {};
      text = bytes.toString('utf8');
    } catch (cause) {
      throw damaged(`${this.#markPath} cannot be read: ${(cause as Error).message}`, this.#markPath);
    }
    try {
      const { segments } = JSON.parse(text) as { segments: Record<string, Mark> };
      for (const { size, hash } of Object.values(segments)) {
        if (!Number.isSafeInteger(size) || typeof hash !== 'string') throw new TypeError('no mark');
      }
      return segments;
    } catch {
      throw damaged(`${this.#markPath} is damaged`, this.#markPath);
    }
  }

  #compare(name: string, mark: Mark): void {
    const path = join(this.#folder, name);
    const size = statSync(path, { throwIfNoEntry: false })?.size;
    if (size === undefined) throw damaged(`the history ${path} is missing`, this.#markPath);
    if (size < mark.size) throw damaged(`the history ${path} is shorter than it was`, this.#markPath);
    if (this.#hashBefore(name, mark.size) !== mark.hash) {
      throw damaged(`the history ${path} was changed`, this.#markPath);
    }
  }

  #hashBefore(name: string, size: number): string {
    const from = Math.max(0, size - MARK_BYTES);
    const bytes = Buffer.alloc(size - from);
    const fd = openThere(join(this.#folder, name));
    try {
      readSync(fd, bytes, 0, bytes.length, from);
    } finally {
      closeSync(fd);
    }
    return createHash('sha256').update(bytes).digest('hex');
  }

  async #further(name: string): Promise<void> {
    const path = join(this.#folder, name);
    for (let look = 1; ; look++) {
      const { lines, damaged: bad, to } = readTail(path, this.#read.get(name) ?? 0);
      if (bad > 0) throw damaged(`the history ${path} has ${bad} damaged lines`, path);
      for (const line of lines) this.#take(line as Line & Record<string, unknown>, path);
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
