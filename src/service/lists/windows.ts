import { inParallel } from '../../base/in-parallel.js';
import { cops, type Note, say } from '../../base/text/command-line.js';
import type { TimeRange } from '../../base/time/range.js';
import { DAY, isoTime } from '../../base/time/units.js';
import type { List } from '../../catalogue/types.js';
import type { FetchPage } from './growing-lists.js';

/*
 * How to cut a range into windows (service.md#limits). Neighbours overlap on purpose: the newer one begins one second
 * before the older one ends, so that no second falls between two windows, whichever of its ends the service includes.
 * Lists cut from the end, exports at the ends of months, and mirrors in equal lengths from a start that never changes.
 */

/** Shortest window of an export, in seconds, so that only neighbours can share a second. */
export const SHORTEST = 2;
/** The last stretch of an export's range is a window of its own, where `--since-last` begins. */
const EDGE_SECONDS = 900;
/** A window of an export with more items than this is split into parts of about `PART_ITEMS`. */
export const SPLIT_ITEMS = 5_000;
const PART_ITEMS = 2_500;
const MOST_PARTS = 64;

/** Which ends of a date range a service includes (service.md#lists). */
export type RangeEnds = 'in' | 'out' | 'start' | 'end';

/** The range to request so that the answer includes both ends of `range`; windows inside it overlap anyway. */
export function requestedRange({ from, to }: TimeRange, ends: RangeEnds): TimeRange {
  const [hasStart, hasEnd] = [ends === 'in' || ends === 'start', ends === 'in' || ends === 'end'];
  return { from: hasStart ? from : Math.max(0, from - 1), to: hasEnd ? to : to + 1 };
}

/** Windows that end at these times, oldest first. */
function chain(from: number, ends: readonly number[]): TimeRange[] {
  return ends.map((to, i) => ({ from: i === 0 ? from : (ends[i - 1] as number) - 1, to }));
}

/** Cuts a range into windows of at most `spanDays` days, newest first unless `oldestFirst`. */
export function cutWindows(range: TimeRange, spanDays: number, oldestFirst = false): TimeRange[] {
  const longest = spanDays * DAY;
  const ends = [range.to];
  for (let to = range.to; to - longest > range.from; ) {
    to += 1 - longest;
    ends.push(to);
  }
  const windows = chain(range.from, ends.reverse());
  return oldestFirst ? windows : windows.reverse();
}

/** Longest window of a list that does not state one, in days (service.md#limits). */
const SPAN_DAYS = 90;

/** The windows of a list over a range, newest first; undefined for one without dates. */
export const windowsOfList = (list: List | undefined, range: TimeRange): TimeRange[] | undefined =>
  list?.style === 'windowed' ? cutWindows(range, list.spanDays ?? SPAN_DAYS) : undefined;

/** The windows of `spanDays` days from `start` up to `now`, oldest first; their starts do not depend on the time. */
export function fixedWindows(start: number, spanDays: number, now: number): TimeRange[] {
  const length = spanDays * DAY;
  const ends: number[] = [];
  for (let from = start; from <= now; from += length - 1) ends.push(from + length);
  return chain(start, ends).map(({ from, to }) => ({ from, to: Math.min(to, now) }));
}

/** The start of fixed windows, moved back by whole windows until it is no later than `wanted`. */
export function movedBack(start: number, spanDays: number, wanted: number): number {
  const step = spanDays * DAY - 1;
  return wanted >= start ? start : start - Math.ceil((start - wanted) / step) * step;
}

/** The overlap of two windows, in either order. */
export function overlap(a: TimeRange, b: TimeRange): TimeRange | undefined {
  const shared = { from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) };
  return shared.from <= shared.to ? shared : undefined;
}

const CREATED = /"created_date_unix"\s*:\s*"?(\d+)/;

/** The items created in the first or last two seconds of a window, which a neighbouring window may share. */
export class Edges {
  readonly #found = new Map<string, number>();
  readonly #seconds: readonly string[];

  constructor(readonly range: TimeRange) {
    this.#seconds = [range.from, range.from + 1, range.to - 1, range.to].map(String);
  }

  /** A quick test: whether a page can contain such an item. */
  mayBeIn(page: Buffer): boolean {
    return this.#seconds.some((second) => page.includes(second, 0, 'latin1'));
  }

  /** Records an item if it is one of them. */
  note(id: string, json: string): void {
    // A quick test first; the time it finds may belong to a nested object.
    if (!this.#isEdge(Number(CREATED.exec(json)?.[1]))) return;
    const at = Number((JSON.parse(json) as { created_date_unix?: unknown }).created_date_unix);
    if (this.#isEdge(at)) this.#found.set(id, at);
  }

  /** The second shared with the next window, if only one of the two shows an item of it: the service excludes an end. */
  leftOut(next: Edges): TimeRange | undefined {
    const shared = overlap(this.range, next.range);
    const isAlone = (one: Edges, second: number | undefined, other: Edges) =>
      [...one.#found].some(([id, at]) => at === second && !other.#found.has(id));
    return isAlone(this, shared?.from, next) || isAlone(next, shared?.to, this) ? shared : undefined;
  }

  #isEdge(at: number): boolean {
    return Math.min(at - this.range.from, this.range.to - at) <= 1;
  }
}

/** The first second in which two neighbouring windows show that the service excludes an end of a range. */
export function endLeftOut(windows: readonly Edges[]): TimeRange | undefined {
  const inOrder = [...windows].sort((one, other) => one.range.from - other.range.from);
  return inOrder.flatMap((edges, i) => inOrder[i - 1]?.leftOut(edges) ?? [])[0];
}

/** What an excluded end means for a range, and what to do about it. */
export const endsDoubt = ({ from }: Pick<TimeRange, 'from'>): Note =>
  say`The service excludes an end of each date range, as items created at ${isoTime(from)} show. Items in the first or last second of this range may be missing; ${cops`doctor --online`} says what to set.`;

export interface PlanOptions {
  /** Longest window, in days. */
  readonly spanDays: number;
  /** Number of machines: with several, windows are small enough for each to get some. */
  readonly shards: number;
}

/**
 * The windows of an export, oldest first. They depend only on the arguments, so every run and every shard of an export
 * has the same ones. They end with a UTC month, or earlier where the family's span is shorter.
 */
export function planWindows({ from, to }: TimeRange, options: PlanOptions): TimeRange[] {
  const longest = Math.max(SHORTEST, Math.round(options.spanDays * DAY) - 2 * SHORTEST);
  const share = options.shards > 1 ? Math.ceil((to - from) / (options.shards * 4)) : longest;
  const step = Math.max(SHORTEST, Math.min(longest, share));
  const ends: number[] = [];
  const last = to - from > 2 * EDGE_SECONDS ? to - EDGE_SECONDS : to;
  for (let at = from; at < last; ) {
    const next = Math.min(at + step, monthEnd(at + SHORTEST), last);
    ends.push(next);
    at = next;
  }
  if (last < to || ends.length === 0) ends.push(to);
  // A remainder that is too short joins the window before it.
  if (ends.length > 1 && to - (ends[ends.length - 2] as number) < SHORTEST) ends.splice(-2, 1);
  return chain(from, ends);
}

/** The parts of a window that holds `total` items, or undefined where it is too short to split. */
export function splitWindow(range: TimeRange, total: number): TimeRange[] | undefined {
  const seconds = range.to - range.from;
  const parts = Math.min(MOST_PARTS, Math.ceil(total / PART_ITEMS), Math.floor(seconds / SHORTEST));
  if (parts < 2) return undefined;
  const ends: number[] = [];
  for (let i = 1; i <= parts; i++) ends.push(range.from + Math.floor((seconds * i) / parts));
  return chain(range.from, ends);
}

/** The last second of the UTC month that contains `unix`. */
function monthEnd(unix: number): number {
  const date = new Date(unix * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / 1000 - 1;
}

/** Most requests to spend at the end of a cut list on finding its total (command-line.md#lists). */
export const COUNTED_AT_MOST = 20;

const AT_ONCE = 4;

/** Number of requests that `countWindows` will send. */
export function countCost(windows: readonly (TimeRange | undefined)[], before?: TimeRange): number {
  return windows.length + Math.max(0, windows.length - (before ? 0 : 1));
}

/**
 * How many items windows hold, by the service's `total_count`: one small page per window, plus one for each second that
 * two neighbours share, whose items both count. Undefined where the service gives no count.
 *
 * @param before the window before the first one, if it was already counted
 */
export async function countWindows(
  windows: readonly (TimeRange | undefined)[],
  fetch: FetchPage,
  before?: TimeRange,
): Promise<number | undefined> {
  const asks: { readonly range: TimeRange | undefined; readonly sign: 1 | -1 }[] = [];
  let neighbour: TimeRange | undefined = before;
  for (const range of windows) {
    asks.push({ range, sign: 1 });
    const shared = range && neighbour ? overlap(range, neighbour) : undefined;
    if (shared) asks.push({ range: shared, sign: -1 });
    neighbour = range;
  }
  let total: number | undefined = 0;
  await inParallel(asks, AT_ONCE, async ({ range, sign }) => {
    if (total === undefined) return;
    const { totalCount, items } = await fetch({ range, limit: 1, page: 1 });
    const isTold = totalCount !== undefined && totalCount >= items.length;
    total = total === undefined || !isTold ? undefined : total + sign * totalCount;
  });
  return total;
}
