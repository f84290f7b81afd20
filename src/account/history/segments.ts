import { createHash } from 'node:crypto';
import { type BigIntStats, closeSync, fstatSync, readSync, statSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { type CopsError, orElse, orLocal, stopped } from '../../base/errors/errors.js';
import { openThere, readOwnFile, unlessAbsent } from '../../base/files/read-file.js';
import { makeFolder, replaceFile } from '../../base/files/replace-file.js';
import { realPlace } from '../../base/files/typed-path.js';
import { cops, say } from '../../base/text/command-line.js';

/** A segment larger than this is closed; the next one gets a number. Bytes. */
export const SEGMENT_BYTES = 16 * 1024 * 1024;

/** Fields of every line in the history. */
export interface Line {
  readonly type: 'intent' | 'outcome' | 'settled';
  readonly id: string;
  /** Equal for two identical writes (repeat guard). */
  readonly like: string;
  readonly time: string;
}

/** `2026-11.jsonl`, `2026-11.2.jsonl`, in the order in which they were written. */
export async function listSegments(folder: string): Promise<readonly string[]> {
  return segmentsOf((await reading(folder, readdir(folder))) ?? []);
}

/** The segments among the files in the folder, oldest first. */
export function segmentsOf(names: readonly string[]): readonly string[] {
  const months = (a: string, b: string) => Number(a > b) - Number(a < b);
  return names
    .filter((name) => SEGMENT.test(name))
    .sort((a, b) => months(a.slice(0, 7), b.slice(0, 7)) || partOf(a) - partOf(b));
}

/** The segment to append to in the month of `now`. */
export async function currentSegment(folder: string, now: number): Promise<string> {
  makeFolder(folder);
  const month = new Date(now).toISOString().slice(0, 7);
  const ofMonth = (await listSegments(folder)).filter((name) => name.startsWith(month));
  const last = ofMonth.at(-1);
  if (!last) return `${month}.jsonl`;
  const { size } = await stat(join(folder, last));
  if (size < SEGMENT_BYTES) return last;
  return `${month}.${partOf(last) + 1}.jsonl`;
}

/** How long before a command began segments are read: clocks differ, and other runs began earlier. Milliseconds. */
const LOOK_BACK_MS = 12 * 3_600_000;

/**
 * Whether a segment may mention something done since then (RFC 3339 in UTC): by its last change, and by its name, in
 * case a clock jumped. If neither says so, the summary of its open writes is enough.
 */
export function mayTellOf(since: string, name: string, names: readonly string[], mtimeMs: number): boolean {
  const newest = Date.parse(since) - LOOK_BACK_MS;
  if (mtimeMs >= newest) return true;
  const month = name.slice(0, 7);
  const isLastOfMonth = name === names.findLast((one) => one.startsWith(month));
  return isLastOfMonth && month >= new Date(newest).toISOString().slice(0, 7);
}

/** Lines of a segment; with `needle` only those that contain it. Torn and foreign lines are only counted. */
export async function readSegment(path: string, needle?: string): Promise<{ lines: Line[]; damaged: number }> {
  const bytes = await bytesOf(path);
  const lines: Line[] = [];
  const take = (line: Line) => lines.push(line);
  if (needle === undefined) return { damaged: eachLine(bytes, take), lines };
  let damaged = 0;
  for (let at = bytes.indexOf(needle); at !== -1; ) {
    const feed = bytes.indexOf(10, at);
    const to = feed === -1 ? bytes.length : feed;
    damaged += eachLine(bytes.subarray(bytes.lastIndexOf(10, at) + 1, to), take);
    at = bytes.indexOf(needle, to);
  }
  return { lines, damaged };
}

/** Hands the complete lines of a segment from an offset on to `take`; returns the offset after them. Bytes. */
export function readTail(path: string, from: number, take: (line: Line) => void): { damaged: number; to: number } {
  return orLocal(() => {
    const fd = openThere(path);
    try {
      const wanted = Buffer.alloc(Math.max(0, fstatSync(fd).size - from));
      const bytes = wanted.subarray(0, readSync(fd, wanted, 0, wanted.length, from));
      const whole = bytes.lastIndexOf(10) + 1;
      return { damaged: eachLine(bytes.subarray(0, whole), take), to: from + whole };
    } finally {
      closeSync(fd);
    }
  }, `cannot read ${path}`);
}

async function bytesOf(path: string): Promise<Buffer> {
  return (await reading(path, (async () => readOwnFile(path))())) ?? Buffer.alloc(0);
}

/** Hands one line after another to `take`, and returns how many are not lines of a history. */
function eachLine(bytes: Buffer, take: (line: Line) => void): number {
  let damaged = 0;
  for (let from = 0; from < bytes.length; ) {
    const feed = bytes.indexOf(10, from);
    const to = feed === -1 ? bytes.length : feed;
    const line = to > from ? parseLine(bytes.toString('utf8', from, to)) : undefined;
    if (line) take(line);
    else if (to > from) damaged++;
    from = to + 1;
  }
  return damaged;
}

function parseLine(text: string): Line | undefined {
  return orElse(() => {
    const line = JSON.parse(text) as Partial<Line> | null;
    const whole = typeof line?.id === 'string' && typeof line.like === 'string' && typeof line.type === 'string';
    return whole ? (line as Line) : undefined;
  }, undefined);
}

/** The contents of a path; undefined if it does not exist. */
async function reading<T>(path: string, work: Promise<T>): Promise<T | undefined> {
  return await orLocal(() => work.catch(unlessAbsent), `cannot read ${path}`);
}

/** What the lines of one id have recorded so far, as bits. */
const [BEGUN, SETTLED, ENDED] = [1, 2, 4];

function told(bits: number, { type, outcome }: Line & { readonly outcome?: string }): number {
  if (type === 'outcome') return outcome === 'unknown' ? bits & ~ENDED : bits | ENDED;
  return type === 'intent' ? bits | BEGUN : type === 'settled' ? bits | SETTLED : bits;
}

function leavesNothing(bits: number): boolean {
  return (bits & BEGUN) !== 0 && bits !== BEGUN;
}

/** Whether these lines for one id leave nothing open. */
export function isClosed(lines: readonly Line[]): boolean {
  return leavesNothing(lines.reduce(told, 0));
}

/** The lines of a segment about writes that it leaves open. Reads it twice, to hold no others in memory. */
async function openIn(path: string): Promise<Line[]> {
  const bytes = await bytesOf(path);
  const ends = new Map<string, number>();
  eachLine(bytes, (line) => ends.set(line.id, told(ends.get(line.id) ?? 0, line)));
  const open = new Set([...ends].flatMap(([id, bits]) => (leavesNothing(bits) ? [] : id)));
  const lines: Line[] = [];
  if (open.size > 0) eachLine(bytes, (line) => open.has(line.id) && lines.push(line));
  return lines;
}

/**
 * The lines that may matter for open writes. A segment that no longer grows has a small summary beside it (recreated if
 * the segment changed), so the repeat guard reads one segment of at most about 16 MB and some small files, however long
 * the history is.
 */
export async function openLines(folder: string, name: string, isCurrent: boolean, needle?: string): Promise<Line[]> {
  const path = join(folder, name);
  if (isCurrent) return needle === undefined ? openIn(path) : (await readSegment(path, needle)).lines;
  const { size } = await stat(path);
  const summary = `${path}.open`;
  try {
    const kept = JSON.parse(readOwnFile(summary)?.toString('utf8') ?? '{}') as { size?: number; lines?: Line[] };
    if (kept.size === size && Array.isArray(kept.lines)) return kept.lines;
  } catch {
    // Missing or torn: it is only a summary.
  }
  const lines = await openIn(path);
  // A folder that cannot be written to only costs speed.
  await replaceFile(summary, JSON.stringify({ size, lines })).catch(() => undefined);
  return lines;
}

/** The lines of each entry, in order, after those already in `byId`. */
export function linesById(lines: readonly Line[], byId = new Map<string, Line[]>()): Map<string, Line[]> {
  for (const line of lines) {
    const known = byId.get(line.id);
    if (known) known.push(line);
    else byId.set(line.id, [line]);
  }
  return byId;
}

const SEGMENT = /^\d{4}-\d{2}(?:\.(\d+))?\.jsonl$/;

function partOf(name: string): number {
  return Number(SEGMENT.exec(name)?.[1] ?? 1);
}

/** The size and checksum of the first part of a segment. */
interface Extent {
  readonly size: number;
  readonly crc: number;
  /** Which file it was and when it last changed; absent if it was changing at that time. */
  readonly state?: string | undefined;
}

const PIECE = 1024 * 1024;
/** The start of every line in a segment; a line torn by a crash keeps only part of it, or zeros. */
const LINE_START = '{"type":"';

/**
 * How far each segment of a history had come, kept outside its folder: a history that was removed, renamed, cut,
 * converted or restored no longer matches, and would not tell of a write whose outcome is unknown. Segments only grow, so
 * a mark of an earlier moment is weaker, never wrong: processes need no lock to keep one. A segment that has not been
 * touched since is not read again: whatever replaces its bytes also changes the file or its times.
 */
export class HistoryMark {
  readonly #path: string;
  /** What this process has read of each segment. */
  readonly #read = new Map<string, Extent>();

  constructor(
    private readonly folder: string,
    dataDir: string,
  ) {
    const name = createHash('sha256').update(realPlace(folder)).digest('hex').slice(0, 24);
    this.#path = join(dataDir, 'marks', `${name}.json`);
  }

  /**
   * Compares the segments, from a month on if given, with the mark.
   * @throws CopsError stopped (12) if they do not match, or if a segment without a mark is not a history
   */
  async check(from = ''): Promise<void> {
    const marks = this.#marks();
    for (const [name, mark] of Object.entries(marks)) if (name.slice(0, 7) >= from) this.#compare(name, mark);
    for (const name of await listSegments(this.folder)) {
      if (name.slice(0, 7) < from || marks[name] || this.#read.has(name)) continue;
      this.#refuseForeign(name);
    }
  }

  /** Records the current extent of the history, which must already be on disk. */
  async take(): Promise<void> {
    const segments: Record<string, Extent> = {};
    for (const name of await listSegments(this.folder)) {
      const { size, state } = stateOf(statSync(join(this.folder, name), { bigint: true }));
      segments[name] = { ...this.#upTo(name, size), state };
    }
    await replaceFile(this.#path, JSON.stringify({ version: 1, segments }));
  }

  #marks(): Readonly<Record<string, Extent>> {
    const bytes: Buffer | undefined = orLocal(() => readOwnFile(this.#path), `cannot read ${this.#path}`);
    if (bytes === undefined) return {};
    try {
      const { segments } = JSON.parse(bytes.toString('utf8')) as { segments: Record<string, Extent> };
      for (const { size, crc } of Object.values(segments))
        if (!Number.isSafeInteger(size) || !Number.isSafeInteger(crc)) throw new TypeError('no mark');
      return segments;
    } catch {
      throw this.#fault(`${this.#path}, the mark of the history, is damaged`);
    }
  }

  /** @param inTheWay the file to move away once the operator knows which writes were done */
  #fault(what: string, inTheWay = this.#path): CopsError {
    return stopped(
      `${what}: it may lack a write of unknown outcome, so nothing is sent`,
      say`Nothing was sent. Put the file back as it was. If you cannot: ${cops`history list`} shows what can be read, the list of api-calls what the service did; once you know which writes were done, move ${inTheWay} away, and writes go on.`,
    );
  }

  #compare(name: string, mark: Extent): void {
    const path = join(this.folder, name);
    const facts = statSync(path, { bigint: true, throwIfNoEntry: false });
    if (facts === undefined) throw this.#fault(`the history ${path} is missing`);
    const { size, state } = stateOf(facts);
    if (size < mark.size) throw this.#fault(`the history ${path} is shorter than it was`);
    const known = this.#read.get(name);
    if (known && known.size >= mark.size) return;
    if (state !== undefined && state === mark.state && size === mark.size) {
      this.#read.set(name, { size, crc: mark.crc });
      return;
    }
    if (this.#upTo(name, mark.size).crc !== mark.crc) throw this.#fault(`the history ${path} was changed`);
  }

  /** Refuses a segment without a mark if its lines are not ours, except lines torn by a crash. */
  #refuseForeign(name: string): void {
    const path = join(this.folder, name);
    const text = readOwnFile(path)?.toString('latin1') ?? '';
    for (const line of text.split('\n')) {
      const own = line.replace(/\0+$/, '').slice(0, LINE_START.length);
      if (!LINE_START.startsWith(own)) throw this.#fault(`the history ${path} is damaged`, path);
    }
  }

  /** The checksum of the first bytes; continues where the last reading stopped. */
  #upTo(name: string, size: number): Extent {
    const known = this.#read.get(name);
    let { size: at, crc } = known && known.size <= size ? known : { size: 0, crc: 0 };
    const bytes = Buffer.alloc(Math.min(PIECE, size - at));
    const fd = openThere(join(this.folder, name));
    try {
      while (at < size) {
        const got = readSync(fd, bytes, 0, Math.min(bytes.length, size - at), at);
        if (got === 0) break;
        crc = crc32(bytes.subarray(0, got), crc);
        at += got;
      }
    } finally {
      closeSync(fd);
    }
    const extent = { size: at, crc };
    this.#read.set(name, extent);
    return extent;
  }
}

/** Some file systems store times in steps of two seconds, within which a change would not show. */
const REST_MS = 2000;

/** A segment's size, and its state unless it has just changed. Only the newest segment still grows. */
function stateOf(facts: BigIntStats): { readonly size: number; readonly state: string | undefined } {
  const { size, ino, ctimeMs, ctimeNs, mtimeNs } = facts;
  const rests = Number(ctimeMs) < Date.now() - REST_MS;
  return { size: Number(size), state: rests ? `${ino} ${ctimeNs} ${mtimeNs}` : undefined };
}
