import { DAY } from '../../base/time/units.js';
import type { Range } from './types.js';

/** Windows shorter than this never arise, so that only neighbours can share a second. */
export const SHORTEST = 2;
/** The last stretch of a range is a window of its own, where `--since-last` begins. */
export const EDGE_SECONDS = 900;
/** A window with more items than this is split into parts of about `PART_ITEMS`. */
export const SPLIT_ITEMS = 5_000;
const PART_ITEMS = 2_500;
const MOST_PARTS = 64;

export interface PlanOptions {
  /** Longest range of one window, days. */
  readonly spanDays: number;
  /** Number of machines: with several, windows are made small enough for each to get some. */
  readonly shards: number;
}

/**
 * Cuts a range into windows, oldest first. It depends on nothing but its arguments, so every run and every shard
 * of one export has the same plan. Windows end with a UTC month, or earlier where the family's span is shorter,
 * and each begins one second before its neighbour ends (command-line.md#lists). Seconds since the epoch.
 */
export function planWindows(range: Range, options: PlanOptions): Range[] {
  const { from, to } = range;
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
  // Too short a rest joins the window before it.
  if (ends.length > 1 && to - (ends[ends.length - 2] as number) < SHORTEST) ends.splice(-2, 1);
  return chain(from, ends);
}

/** The parts of a window that holds `total` items, or undefined where it is too short to be split. */
export function splitWindow(range: Range, total: number): Range[] | undefined {
  const seconds = range.to - range.from;
  const parts = Math.min(MOST_PARTS, Math.ceil(total / PART_ITEMS), Math.floor(seconds / SHORTEST));
  if (parts < 2) return undefined;
  const ends: number[] = [];
  for (let i = 1; i <= parts; i++) ends.push(range.from + Math.floor((seconds * i) / parts));
  return chain(range.from, ends);
}

function chain(from: number, ends: readonly number[]): Range[] {
  return ends.map((to, i) => ({ from: i === 0 ? from : (ends[i - 1] as number) - 1, to }));
}

/** The last second of the UTC month in which `unix` lies. */
function monthEnd(unix: number): number {
  const date = new Date(unix * 1000);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1) / 1000 - 1;
}
