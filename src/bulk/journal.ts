import { type FileHandle, open, stat } from 'node:fs/promises';
import { CopsError, local } from '../errors/errors.js';
import { type Lock, lock } from '../files/lock.js';
import type { Processes } from '../files/processes.js';
import { Appender, type AppendFile, openAppendFile } from '../safety/append.js';
import { IsoClock } from '../safety/iso-clock.js';
import { JournalState } from './state.js';
import type { JournalHeader, JournalLine } from './types.js';

/** The file of a journal; passed in so that a test can lose what was not synced. */
export interface JournalFile {
  readonly path: string;
  /** 0 when there is none. */
  size(): Promise<number>;
  /** Its bytes from the beginning, in pieces. */
  read(): AsyncIterable<Buffer>;
  /** Lines by where they begin, in any order. */
  lines(offsets: Iterable<number>): AsyncIterable<string>;
  truncate(size: number): Promise<void>;
  append(): Promise<AppendFile>;
}

/** The journal file at a path of this machine. */
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
        const handle = await open(path, 'r');
        yield* handle.createReadStream({ highWaterMark: 1 << 20 }) as AsyncIterable<Buffer>;
      } catch (cause) {
        const { code, message, syscall } = cause as NodeJS.ErrnoException;
        if (code === 'ENOENT') throw local(`there is no journal ${path}`);
        if (syscall === undefined) throw cause;
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
      const handle = await open(path, 'r+');
      try {
        await handle.truncate(size);
        await handle.sync();
      } finally {
        await handle.close();
      }
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

export interface Scan {
  readonly state: JournalState;
  /** Bytes of whole lines; what follows was torn by a crash. */
  readonly whole: number;
  readonly torn: boolean;
}

/**
 * Reads a journal. A torn end is left out of what is told: an intent is durable before its request leaves, so a
 * torn one never left, and a row whose result was torn counts as open.
 * @param see told of every line with its place
 * @throws CopsError local (11) when it is no journal, or damaged before its end: a lost intent would be sent anew.
 */
export async function scanJournal(file: JournalFile, see?: (line: JournalLine) => void): Promise<Scan> {
  let state: JournalState | undefined;
  let whole = 0;
  let bad: number | undefined;
  for await (const { text, offset, end, ended } of lines(file.read())) {
    const line = ended ? parse(text) : undefined;
    if (line === undefined) {
      if (text.trim() === '' && ended) continue;
      bad ??= offset;
      continue;
    }
    if (bad !== undefined) throw damaged(file.path, `the bytes from ${bad} on cannot be read, but lines follow them`);
    if (line.type === 'header' && !state) {
      if (line.version !== 1) throw damaged(file.path, `its version ${String(line.version)} is not known here`);
      if (!isWhole(line)) throw damaged(file.path, 'its header is not whole');
      state = new JournalState(line);
    } else if (state) {
      state.apply(line, offset);
    } else {
      throw damaged(file.path, 'it does not begin with a header');
    }
    see?.(line);
    whole = end;
  }
  if (!state) throw damaged(file.path, 'it has no header');
  return { state, whole, torn: bad !== undefined };
}

const HEADER_TEXTS = [
  'id',
  'created',
  'profile',
  'base_url',
  'mode',
  'family',
  'action',
  'risk',
  'credential',
] as const;

function isWhole(header: JournalHeader): boolean {
  const { rows, input, templates } = header as Partial<JournalHeader>;
  return (
    HEADER_TEXTS.every((name) => typeof header[name] === 'string') &&
    Number.isSafeInteger(rows) &&
    Number(rows) > 0 &&
    Number(rows) <= MOST_ROWS &&
    typeof input?.sha256 === 'string' &&
    Array.isArray(templates)
  );
}

function damaged(path: string, why: string): CopsError {
  return local(`${path} is not a journal that can be used: ${why}`, 'It was left as it is, and nothing was sent.');
}

function parse(text: string): JournalLine | undefined {
  try {
    const line = JSON.parse(text) as Partial<JournalLine> | null;
    return typeof line?.type === 'string' ? (line as JournalLine) : undefined;
  } catch {
    return undefined;
  }
}

async function* lines(
  pieces: AsyncIterable<Buffer>,
): AsyncIterable<{ text: string; offset: number; end: number; ended: boolean }> {
  let rest: Buffer = Buffer.alloc(0);
  let start = 0;
  for await (const piece of pieces) {
    const bytes = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    let from = 0;
    for (let feed = bytes.indexOf(10); feed !== -1; feed = bytes.indexOf(10, from)) {
      yield { text: bytes.toString('utf8', from, feed), offset: start + from, end: start + feed + 1, ended: true };
      from = feed + 1;
    }
    rest = bytes.subarray(from);
    start += from;
  }
  if (rest.length > 0) yield { text: rest.toString('utf8'), offset: start, end: start + rest.length, ended: false };
}

/** A journal that this process works on, locked against every other. */
export class Journal {
  readonly state: JournalState;
  readonly #appender: Appender;
  readonly #lock: Lock;
  readonly #now: () => number;
  readonly #iso = new IsoClock();

  private constructor(state: JournalState, appender: Appender, held: Lock, now: () => number) {
    this.state = state;
    this.#appender = appender;
    this.#lock = held;
    this.#now = now;
  }

  /** Begins a journal. @throws CopsError usage (2) when the file is there already. */
  static async create(file: JournalFile, header: JournalHeader, options: JournalOptions): Promise<Journal> {
    const held = await hold(file, options);
    if ((await file.size()) > 0) {
      await held.release();
      throw taken(file.path);
    }
    return Journal.#start(file, held, options, async (appender) => {
      await appender.append(JSON.stringify(header), true);
      return new JournalState(header);
    });
  }

  /** Opens a journal to go on with it; a torn end is cut off. */
  static async open(file: JournalFile, credential: string, options: JournalOptions): Promise<Journal> {
    const held = await hold(file, options);
    let scan: Scan;
    try {
      scan = await scanJournal(file);
      if (scan.torn) await file.truncate(scan.whole);
    } catch (error) {
      await held.release();
      throw error;
    }
    return Journal.#start(file, held, options, async (appender) => {
      const time = new Date(Math.max(options.now(), scan.state.latest)).toISOString();
      const line = { type: 'run', time, credential } as const;
      await appender.append(JSON.stringify(line), true);
      // Times are compared with the clock as it was before this line raised the latest one.
      scan.state.apply({ ...line, time: new Date(scan.state.latest).toISOString() }, -1);
      return scan.state;
    });
  }

  static async #start(
    file: JournalFile,
    held: Lock,
    options: JournalOptions,
    begin: (appender: Appender) => Promise<JournalState>,
  ): Promise<Journal> {
    try {
      const appender = new Appender(await file.append(), file.path, false);
      return new Journal(await begin(appender), appender, held, options.now);
    } catch (error) {
      await held.release();
      if (error instanceof CopsError) throw error;
      throw local(`cannot write the journal ${file.path}: ${(error as Error).message}`, 'Nothing was sent.', error);
    }
  }

  /** The time for a line: never earlier than what was written before. */
  stamp(): string {
    return this.#iso.of(Math.max(this.#now(), this.state.latest));
  }

  /** Appends; resolves when the line is with the system, or on the disk with `durable`. */
  async append(line: Exclude<JournalLine, JournalHeader>, durable: boolean): Promise<void> {
    await this.#appender.append(JSON.stringify(line), durable);
  }

  async close(): Promise<void> {
    try {
      await this.#appender.close();
    } finally {
      await this.#lock.release();
    }
  }
}

export interface JournalOptions {
  now(): number;
  readonly processes?: Processes;
}

function hold(file: JournalFile, options: JournalOptions): Promise<Lock> {
  const processes = options.processes ? { processes: options.processes } : {};
  return lock(file.path, { what: `The journal ${file.path}`, waitMs: 300, ...processes });
}

function taken(path: string): CopsError {
  return new CopsError('usage', `${path} is there already`, {
    hint: `To go on with it: cops bulk resume ${path}. For a run of its own give another --journal.`,
  });
}
