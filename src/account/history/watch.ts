import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { orLocal } from '../../base/errors/errors.js';
import type { Processes, ProcessId } from '../../base/files/lock.js';
import type { Appender } from './append.js';
import { endOf, mergeEntry, processOf } from './entries.js';
import { isClosed, type Line, mayTellOf, openLines, readTail, segmentsOf } from './segments.js';
import type { DoneWrite, Entry, Whose } from './types.js';

/** True for a write of that profile or with that key: a profile can be renamed, and two can hold one key. */
export function isOf(entry: Pick<Entry, 'profile' | 'credential'>, whose: Whose): boolean {
  return entry.profile === whose.profile || entry.credential === whose.fingerprint;
}

export interface WatchOptions {
  readonly folder: string;
  readonly whose: Whose;
  /** The run's own journal, which guards those of its rows that are open. */
  readonly ownJournal: string;
  /** Writes done since then (RFC 3339 in UTC) are remembered. */
  readonly since: string;
  /** Bytes that this process has appended so far, by segment. */
  readonly own: ReadonlyMap<string, Pick<Appender, 'writes' | 'written'>>;
  readonly processes: () => Processes;
  readonly now: () => number;
}

/** Other writes equal to one: none, an open one, or a completed one. */
export interface Others {
  readonly open?: Entry;
  readonly done?: DoneWrite;
}

/** The position of an intent among the lines read. */
interface Place {
  readonly segment: string;
  readonly at: number;
}

/** Another bulk run: its earlier writes count too if both ran at the same time. */
interface OtherRun {
  overlaps: boolean;
  readonly before: Map<string, DoneWrite>;
}

/** How far a segment has been read, and how many bytes of other processes that includes. */
interface Seen {
  readonly to: number;
  readonly foreign: number;
}

/** True for a line of that process; two containers can have the same numbers. */
export function isBy(line: Line & Partial<ProcessId>, { pid, started, host }: ProcessId): boolean {
  return line.pid === pid && line.started === started && line.host === host;
}

const STILL_MS = 1_000;

/**
 * The writes of others that are open, or were done since a time. Follows them while they are written, so that each row
 * of a long run can be compared. Skips growth by this process alone: the bytes of others are the size without its own.
 * That is exact because appending and looking are single, synchronous steps of this process.
 */
export class RepeatWatch {
  readonly #seen = new Map<string, Seen>();
  readonly #byId = new Map<string, Line[]>();
  readonly #byTag = new Map<string, Set<string>>();
  readonly #done = new Map<string, DoneWrite>();
  /** The place of an open write's intent, in the order of its file. */
  readonly #places = new Map<string, Place>();
  readonly #runs = new Map<string, OtherRun>();
  #lines = 0;
  #names: readonly string[] = [];
  /** When the folder had last changed at the time `#names` was listed, milliseconds. */
  #listedAt = Number.NaN;
  #ready: Promise<void> | undefined;
  #lookedAfter = -1;

  constructor(private readonly o: WatchOptions) {}

  /**
   * A write of another command with this tag that is open as of now, and one that was done since: also by the own run,
   * whose journal may have been put back to an older state. To be asked once the own intent `except` is in the file: of
   * two that begin together at least one sees the other.
   * @throws CopsError local (11) when the history cannot be read
   */
  async find(tag: string, except: string): Promise<Others> {
    this.#ready ??= this.#readClosed();
    await this.#ready;
    const { own, ownJournal, processes, now } = this.o;
    // Intents appended together share one look, which comes after all of them.
    const writes = [...own.values()].reduce((sum, to) => sum + to.writes, 0);
    if (writes !== this.#lookedAfter) this.#look();
    this.#lookedAfter = writes;
    for (const id of this.#byTag.get(tag) ?? []) {
      if (id === except || this.#isLater(id, except)) continue;
      const open = mergeEntry(this.#byId.get(id) ?? [], processes(), now());
      if (!open || !isOf(open, this.o.whose)) continue;
      if (open.journal !== ownJournal || this.#isOfAnother(id, open)) return { open };
    }
    const done = this.#done.get(tag);
    return done ? { done } : {};
  }

  /** True for a write of this run that another process has in progress: a copy of the journal, locked elsewhere. */
  #isOfAnother(id: string, { outcome }: Entry): boolean {
    const intent = this.#byId.get(id)?.find(({ type }) => type === 'intent');
    return outcome === 'running' && intent !== undefined && !isBy(intent, this.o.processes().self);
  }

  /** True if the other intent comes after our own in the same file: it sees ours and gives way. */
  #isLater(id: string, own: string): boolean {
    const [other, mine] = [this.#places.get(id), this.#places.get(own)];
    return other !== undefined && mine !== undefined && other.segment === mine.segment && other.at > mine.at;
  }

  /**
   * Segments that no longer grow have summaries of open writes; lines added meanwhile are read afterwards. Segments
   * that may mention something done since are read whole, like the newest.
   */
  async #readClosed(): Promise<void> {
    const { folder, since } = this.o;
    const names = this.#list();
    for (const name of names.slice(0, -1)) {
      const { size, mtimeMs } = statSync(join(folder, name), { throwIfNoEntry: false }) ?? { size: 0, mtimeMs: 0 };
      if (mayTellOf(since, name, names, mtimeMs)) continue;
      const foreign = size - this.#ownBytes(name);
      for (const line of await openLines(folder, name, false)) this.#take(line, name);
      this.#seen.set(name, { to: size, foreign });
    }
  }

  #look(): void {
    const { folder } = this.o;
    for (const name of this.#list()) {
      const path = join(folder, name);
      const seen = this.#seen.get(name) ?? { to: 0, foreign: 0 };
      // A segment may have been removed.
      const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      if (size - this.#ownBytes(name) === seen.foreign) continue;
      const { to } = readTail(path, seen.to, (line) => this.#take(line, name));
      // An incomplete line is another process's, and is read again.
      this.#seen.set(name, { to, foreign: to - this.#ownBytes(name) });
    }
  }

  #ownBytes(name: string): number {
    return this.o.own.get(name)?.written ?? 0;
  }

  #list(): readonly string[] {
    const { folder, now } = this.o;
    return orLocal(() => {
      const { mtimeMs } = statSync(folder);
      if (mtimeMs !== this.#listedAt) {
        this.#names = segmentsOf(readdirSync(folder));
        // A file created in the same tick of the file system's clock would not change the time: only a folder unchanged
        // for a while is trusted.
        this.#listedAt = now() - mtimeMs > STILL_MS ? mtimeMs : Number.NaN;
      }
      return this.#names;
    }, `cannot read ${folder}`);
  }

  #take(line: Line, segment: string): void {
    this.#lines++;
    const known = this.#byId.get(line.id);
    if (known) known.push(line);
    else if (line.type === 'intent') {
      this.#byId.set(line.id, [line]);
      this.#places.set(line.id, { segment, at: this.#lines });
    }
    const lines = this.#byId.get(line.id);
    if (!lines) return;
    const ids = this.#byTag.get(line.like) ?? new Set();
    if (isClosed(lines)) {
      this.#noteDone(lines);
      this.#byId.delete(line.id);
      this.#places.delete(line.id);
      ids.delete(line.id);
    } else {
      ids.add(line.id);
      this.#noteRun(lines[0] as Line & Partial<Entry>, line.time);
    }
    if (ids.size > 0) this.#byTag.set(line.like, ids);
    else this.#byTag.delete(line.like);
  }

  #noteDone(lines: readonly Line[]): void {
    const intent = lines[0] as Line & Entry;
    const { outcome, time = '' } = endOf(lines);
    if (outcome !== 'done' || !isOf(intent, this.o.whose)) return;
    const done = { id: intent.id, time };
    const run = this.#noteRun(intent, time);
    if (time >= this.o.since || run?.overlaps) this.#done.set(intent.like, done);
    else run?.before.set(intent.like, done);
  }

  /** Notes a sign of life of another run; one since this run began, or of a living process, means an overlap. */
  #noteRun(intent: Line & Partial<Entry>, time: string): OtherRun | undefined {
    const { journal, pid, started } = intent as typeof intent & Partial<ProcessId>;
    if (journal === undefined || journal === this.o.ownJournal) return undefined;
    const name = `${journal} ${pid} ${started}`;
    let run = this.#runs.get(name);
    if (!run) {
      run = { overlaps: this.o.processes().state(processOf(intent)) === 'running', before: new Map() };
      this.#runs.set(name, run);
    }
    if (!run.overlaps && time >= this.o.since) run.overlaps = true;
    if (run.overlaps) {
      for (const [tag, done] of run.before) if (!this.#done.has(tag)) this.#done.set(tag, done);
      run.before.clear();
    }
    return run;
  }
}
