import { hash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { type FileHandle, open, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { CopsError, closing, local } from '../../base/errors/errors.js';
import { type Lock, lock, type Processes } from '../../base/files/lock.js';
import { NoFile, openThere } from '../../base/files/read-file.js';
import { cops, say } from '../../base/text/command-line.js';
import { IsoClock } from '../../base/time/units.js';
import { Appender, type AppendFile, openAppendFile } from '../history/append.js';
import type { IntentLine, JournalHeader, JournalLine, RunLimits } from './journal-lines.js';
import { opened, sealed, seedOf } from './seal.js';
import { JournalState } from './state.js';
import type { Journal, JournalPlace, JournalScan } from './types.js';

/** The file of a journal; passed in so that a test can lose what was not synced. */
export interface JournalFile {
  readonly path: string;
  /** 0 when there is none. */
  size(): Promise<number>;
  /** Its bytes from the beginning, in chunks. */
  read(): AsyncIterable<Buffer>;
  /** Lines by their offsets, in any order. */
  lines(offsets: Iterable<number>): AsyncIterable<string>;
  truncate(size: number): Promise<void>;
  append(): Promise<AppendFile>;
}

/** A journal kept as a local file. */
export function journalFile(path: string): JournalFile {
  return {
    path,
    size: () =>
      stat(path).then(
        (facts) => facts.size,
        () => 0,
      ),
    async *read() {
      try {
        const fd = openThere(path);
        yield* createReadStream('', { fd, highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>;
      } catch (cause) {
        const { code, message, syscall } = cause as NodeJS.ErrnoException;
        if (code === 'ENOENT') throw local(`there is no journal ${path}`);
        if (syscall === undefined && !(cause instanceof NoFile)) throw cause;
        throw local(`cannot read ${path}: ${message}`, undefined, cause);
      }
    },
    async *lines(offsets) {
      const handle = await open(path, 'r');
      try {
        for (const offset of offsets) yield await lineFrom(handle, offset);
      } finally {
        await handle.close();
      }
    },
    async truncate(size) {
      await closing(await open(path, 'r+'), async (handle) => {
        await handle.truncate(size);
        await handle.sync();
      });
    },
    append: () => openAppendFile(path),
  };
}

async function lineFrom(handle: FileHandle, offset: number): Promise<string> {
  const piece = Buffer.alloc(1024);
  const parts: Buffer[] = [];
  for (let at = offset; ; ) {
    const { bytesRead } = await handle.read(piece, 0, piece.length, at);
    const part = Buffer.from(piece.subarray(0, bytesRead));
    const feed = part.indexOf(10);
    parts.push(feed === -1 ? part : part.subarray(0, feed));
    if (feed !== -1 || bytesRead === 0) return Buffer.concat(parts).toString('utf8');
    at += bytesRead;
  }
}

/** More than any input has; each row takes nine bytes. */
const MOST_ROWS = 100_000_000;

interface FileScan extends JournalScan {
  /** Bytes of complete lines; a crash tore anything after them, or it is damaged. */
  readonly whole: number;
  /** Number of lines up to that point. */
  readonly lines: number;
}

/** The journal of a file. */
export function journalInFile(file: JournalFile, options: JournalOptions): JournalPlace {
  return {
    name: file.path,
    create: (header) => createJournal(file, header, options),
    open: (id, credential, limits = {}) => openJournal(file, { id, credential, limits }, options),
    scan: (see) => scanJournal(file, see),
    async *lines(offsets) {
      for await (const text of file.lines(offsets)) yield opened(text, 0)?.line;
    },
  };
}

/**
 * Reads a journal. Every line carries its number and checksum, so that one that is changed, missing, doubled or another
 * run's is found (a journal of version 1 has them from where this version went on with it). A bad end is left out of what
 * is told: whoever goes on compares the rows with the history, which knows what the end would have told.
 * @param see called for every line
 * @throws CopsError local (11) when it is no journal, or damaged before its end: a lost intent would be sent anew.
 */
async function scanJournal(file: JournalFile, see?: (line: JournalLine) => void): Promise<FileScan> {
  const reading = new Reading(file.path);
  let whole = 0;
  let bad: number | undefined;
  for await (const { text, offset, end, ended } of lines(file)) {
    const line = ended ? reading.take(text, offset) : undefined;
    if (line === undefined) {
      if (text.trim() === '' && ended) continue;
      bad ??= offset;
      continue;
    }
    if (bad !== undefined)
      throw damaged(file.path, `the bytes from ${bad} on cannot be read, but readable lines follow`);
    see?.(line);
    whole = end;
  }
  const { state } = reading;
  if (!state) throw damaged(file.path, 'it has no header');
  return { state, whole, lines: reading.lines, torn: bad !== undefined };
}

/** Reads the lines of one journal. */
class Reading {
  state: JournalState | undefined;
  lines = 0;
  #seed = 0;
  #sealed = false;

  constructor(private readonly path: string) {}

  /** Processes a line; undefined if it is unreadable. @throws CopsError local (11) if it is readable but wrong */
  take(text: string, offset: number): JournalLine | undefined {
    const found = opened(text, this.#seed);
    if (!found?.holds) return undefined;
    const { line, number } = found;
    if (number === undefined ? this.#sealed : number !== this.lines + 1)
      throw damaged(this.path, `line ${this.lines} is followed by line ${number ?? 'without a number'}`);
    this.#sealed ||= number !== undefined;
    if (this.state) this.state.apply(line, offset);
    else this.#begin(line, number !== undefined);
    this.lines++;
    return line;
  }

  #begin(line: JournalLine, hasSeal: boolean): void {
    if (line.type !== 'header') throw damaged(this.path, 'it does not start with a header');
    if (line.version !== 1 && line.version !== 2)
      throw damaged(this.path, `its version ${String(line.version)} is unknown here`);
    if (!isWhole(line) || (line.version === 2 && !hasSeal)) throw damaged(this.path, 'its header is incomplete');
    this.state = new JournalState(line);
    this.#seed = seedOf(line);
  }
}

const TEXTS = ['id', 'created', 'profile', 'base_url', 'mode', 'family', 'action', 'risk', 'credential'] as const;

function isWhole(header: JournalHeader): boolean {
  const { rows, input, templates } = header as Partial<JournalHeader>;
  return (
    TEXTS.every((name) => typeof header[name] === 'string') &&
    Number.isSafeInteger(rows) &&
    Number(rows) > 0 &&
    Number(rows) <= MOST_ROWS &&
    typeof input?.sha256 === 'string' &&
    Array.isArray(templates)
  );
}

function damaged(path: string, why: string): CopsError {
  return local(
    `${path} is not a usable journal: ${why}`,
    say`It was not changed, and nothing was sent. Restore a complete copy of it; to see the writes that were sent: ${cops`history list`}.`,
  );
}

/** More than any line has, bytes: a header holds the ids of a command line. */
const LONGEST_LINE = 16 << 20;

async function* lines(file: JournalFile): AsyncIterable<{ text: string; offset: number; end: number; ended: boolean }> {
  let rest: Buffer = Buffer.alloc(0);
  let start = 0;
  for await (const piece of file.read()) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    let from = 0;
    for (let feed = bytes.indexOf(10); feed !== -1; feed = bytes.indexOf(10, from)) {
      yield { text: bytes.toString('utf8', from, feed), offset: start + from, end: start + feed + 1, ended: true };
      from = feed + 1;
    }
    rest = bytes.subarray(from);
    start += from;
    if (rest.length > LONGEST_LINE) throw damaged(file.path, `the line at byte ${start} does not end`);
  }
  if (rest.length > 0) yield { text: rest.toString('utf8'), offset: start, end: start + rest.length, ended: false };
}

/** Begins a journal. @throws CopsError usage (2) if the file already exists. */
async function createJournal(file: JournalFile, header: JournalHeader, options: JournalOptions): Promise<Journal> {
  const locks = await hold(file, header.id, options);
  try {
    if ((await file.size()) > 0) throw taken(file.path);
    const appender = await appenderOf(file);
    await appender.append(sealed(header, 1, 0), true);
    return new FileJournal(new JournalState(header), false, 1, appender, locks, options.now);
  } catch (error) {
    await release(locks);
    throw unwritable(error, file);
  }
}

/** Opens the journal of the run `id` to continue it; a damaged end is cut off. */
async function openJournal(
  file: JournalFile,
  { id, credential, limits }: { readonly id: string; readonly credential: string; readonly limits: RunLimits },
  options: JournalOptions,
): Promise<Journal> {
  const locks = await hold(file, id, options);
  try {
    const { state, whole, lines, torn } = await scanJournal(file);
    if (state.header.id !== id) throw damaged(file.path, 'it became the journal of another run');
    if (torn) await file.truncate(whole);
    const journal = new FileJournal(state, torn, lines, await appenderOf(file), locks, options.now);
    const line = { type: 'run', time: journal.stamp(), credential, ...limits } as const;
    await journal.append(line, true);
    // Times are compared with the clock as it was before this line raised the latest one.
    state.apply({ ...line, time: new Date(state.latest).toISOString() }, -1);
    return journal;
  } catch (error) {
    await release(locks);
    throw unwritable(error, file);
  }
}

/** A journal that this process works on, locked against all others. */
class FileJournal implements Journal {
  readonly #iso = new IsoClock();
  readonly #seed: number;

  constructor(
    readonly state: JournalState,
    readonly healed: boolean,
    private lines: number,
    private readonly appender: Appender,
    private readonly locks: readonly Lock[],
    private readonly clock: () => number,
  ) {
    this.#seed = seedOf(state.header);
  }

  stamp(): string {
    return this.#iso.of(Math.max(this.clock(), this.state.latest));
  }

  async append(line: Exclude<JournalLine, JournalHeader>, durable: boolean): Promise<void> {
    await this.appender.append(sealed(line, ++this.lines, this.#seed), durable);
  }

  intend(line: IntentLine): { readonly written: Promise<void>; readonly synced: Promise<void> } {
    return this.appender.appendInSteps(sealed(line, ++this.lines, this.#seed));
  }

  async close(): Promise<void> {
    try {
      await this.appender.close();
    } finally {
      await release(this.locks);
    }
  }
}

export interface JournalOptions {
  now(): number;
  /** The folder where all of this user's processes look for run locks. */
  readonly runsDir: string;
  readonly processes?: Processes;
}

/** Locks the run, including links and copies of its journal, and the file, for processes with other data folders. */
async function hold(file: JournalFile, id: string, options: JournalOptions): Promise<readonly Lock[]> {
  const how = { waitMs: 1000, processes: options.processes };
  const mark = hash('sha256', id, 'hex').slice(0, 24);
  const run = await lock(join(options.runsDir, mark), { what: `The run of ${file.path}`, ...how });
  try {
    // The target of the path; the path itself if nothing is there yet.
    const real = await realpath(file.path).catch(() => file.path);
    return [run, await lock(real, { what: `The journal ${file.path}`, ...how })];
  } catch (error) {
    await run.release();
    throw error;
  }
}

async function release(locks: readonly Lock[]): Promise<void> {
  for (const held of locks.toReversed()) await held.release();
}

async function appenderOf(file: JournalFile): Promise<Appender> {
  return new Appender(await file.append(), file.path, false);
}

function unwritable(error: unknown, file: JournalFile): CopsError {
  if (error instanceof CopsError) return error;
  return local(`cannot write the journal ${file.path}: ${(error as Error).message}`, 'Nothing was sent.', error);
}

function taken(path: string): CopsError {
  return new CopsError('usage', `${path} already exists`, {
    hint: say`For a separate run, name another --journal.\nTo continue it: ${cops`bulk resume ${path}`}`,
  });
}
