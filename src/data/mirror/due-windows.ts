import type { TimeRange } from '../../base/time/range.js';
import { DAY } from '../../base/time/units.js';

/*
 * Which windows of a list a sync reads. A window is named by its start; its ends are fixed, so that what it held at the
 * last reading can be compared with what it holds now.
 */

/** Items that a window is to hold, about. */
const WINDOW_ITEMS = 1000;
/** The start of the one window of a list without dates. */
export const WHOLE = -1;

/** Windows that end within this many days before now are read by every sync: refunds and disputes come within it. */
export const YOUNG_DAYS = 35;
/** Every window is read again within this many syncs. */
export const ROUND = 12;

/** What the mirror knows of a window. */
export interface ReadWindow {
  readonly start: number;
  /** The end that was asked for at the last reading. */
  readonly until: number | null;
  readonly readAt: number;
  readonly items: number;
  readonly isProven: boolean;
}

/** Days a window spans so that it holds about a thousand items, given how many its longest one holds. */
export function spanFor(longestDays: number, itemsOfLongest: number): number {
  if (itemsOfLongest <= WINDOW_ITEMS) return longestDays;
  return Math.max(1, Math.floor((longestDays * WINDOW_ITEMS) / itemsOfLongest));
}

export interface DueFacts {
  readonly now: number;
  readonly known: ReadonlyMap<number, ReadWindow>;
  /** Windows that hold items in a state that can change. */
  readonly open: ReadonlySet<number>;
  /** True for a list that is small and may change anywhere: every window with items is read. */
  readonly always: boolean;
  readonly full: boolean;
}

/**
 * The windows that this sync reads: those never read whole, those young enough, those with items that can still change,
 * and the share of the others that was read longest ago.
 */
export function dueWindows(windows: readonly TimeRange[], facts: DueFacts): TimeRange[] {
  const { known, now } = facts;
  const due = new Set<number>();
  const rest: ReadWindow[] = [];
  for (const { from: start, to: end } of windows) {
    const read = known.get(start);
    const changed = facts.open.has(start) || (facts.always && (read?.items ?? 0) > 0);
    if (facts.full || !read || !read.isProven || read.until !== end || end > now - YOUNG_DAYS * DAY || changed) {
      due.add(start);
    } else rest.push(read);
  }
  rest.sort((one, other) => one.readAt - other.readAt || one.start - other.start);
  const share = Math.ceil(windows.length / ROUND);
  for (const { start } of rest.slice(0, share)) due.add(start);
  return windows.filter(({ from }) => due.has(from));
}
