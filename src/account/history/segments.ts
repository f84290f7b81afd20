import { closeSync, fstatSync, readSync } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { local } from '../../base/errors/errors.js';
import { openThere, readOwnFile, unlessAbsent } from '../../base/files/read-file.js';
import { makeFolder, replaceFile } from '../../base/files/replace-file.js';

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
  try {
    const fd = openThere(path);
    try {
      const wanted = Buffer.alloc(Math.max(0, fstatSync(fd).size - from));
      const bytes = wanted.subarray(0, readSync(fd, wanted, 0, wanted.length, from));
      const whole = bytes.lastIndexOf(10) + 1;
      return { damaged: eachLine(bytes.subarray(0, whole), take), to: from + whole };
    } finally {
      closeSync(fd);
    }
  } catch (cause) {
    throw local(`cannot read ${path}: ${(cause as Error).message}`, undefined, cause);
  }
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
  try {
    const line = JSON.parse(text) as Partial<Line> | null;
    const whole = typeof line?.id === 'string' && typeof line.like === 'string' && typeof line.type === 'string';
    return whole ? (line as Line) : undefined;
  } catch {
    return undefined;
  }
}

/** The contents of a path; undefined if it does not exist. */
async function reading<T>(path: string, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work.catch(unlessAbsent);
  } catch (cause) {
    throw local(`cannot read ${path}: ${(cause as Error).message}`, undefined, cause);
  }
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
