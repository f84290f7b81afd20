import type { Database } from '../../base/database/types.js';
import type { TimeRange } from '../../base/time/range.js';
import { DAY } from '../../base/time/units.js';
import { SETTLED_S } from '../../service/lists/growing-lists.js';
import { windowsWithin } from './reach.js';

/*
 * Which windows of a list a sync reads. A window is identified by its start. Its ends are fixed, so that its content
 * can be compared with that of the last reading.
 */

/** The approximate number of items a window should hold. */
const WINDOW_ITEMS = 1000;
/** The start of the only window of a list without dates. */
export const WHOLE = -1;

/**
 * Every sync reads the windows that end within this many days before now, because most refunds and disputes occur in
 * that time.
 */
export const YOUNG_DAYS = 35;
/** Every window is read again within this many syncs. */
export const ROUND = 12;

/** What the mirror knows of a window. */
export interface ReadWindow {
  readonly start: number;
  /** The end requested at the last reading. */
  readonly until: number | null;
  readonly readAt: number;
  readonly items: number;
  readonly isProven: boolean;
}

/** Days per window, so that it holds about a thousand items, given the number of items in its longest one. */
export function spanFor(longestDays: number, itemsOfLongest: number): number {
  if (itemsOfLongest <= WINDOW_ITEMS) return longestDays;
  return Math.max(1, Math.floor((longestDays * WINDOW_ITEMS) / itemsOfLongest));
}

export interface DueFacts {
  readonly now: number;
  readonly known: ReadonlyMap<number, ReadWindow>;
  /** Windows with items in a state that can change. */
  readonly open: ReadonlySet<number>;
  /** True for a list that is small and may change anywhere: every window with items is read. */
  readonly always: boolean;
  readonly full: boolean;
}

/**
 * The windows to read in this sync: those never read completely, the recent ones, those with items that can still
 * change, and a share of the others, longest unread first.
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

/** Asks for the windows of these periods to be read again if they were last read before `oldest` (unix seconds). */
export interface Stale {
  readonly periods: readonly TimeRange[];
  readonly oldest: number;
}

/** The windows of these periods that are too old, unproven, or not read up to their end. */
export function staleWithin(
  windows: readonly TimeRange[],
  known: ReadonlyMap<number, ReadWindow>,
  { periods, oldest }: Stale,
): TimeRange[] {
  return windowsWithin(windows, periods).filter(({ from, to }) => {
    const read = known.get(from);
    return read === undefined || !read.isProven || read.readAt < oldest || read.until !== to;
  });
}

/**
 * The end of the newest window, in unix seconds. It lies slightly in the past, where no more items appear, not even the
 * API calls of this sync. It is never earlier than what was already read: those items would seem to be gone.
 */
export function newestEnd(now: number, known: ReadonlyMap<number, ReadWindow>): number {
  return Math.max(now - SETTLED_S, ...[...known.values()].map(({ until }) => until ?? 0));
}

/** What the mirror knows about the windows of a list, by start. */
export function readWindows(database: Database, family: string): Map<number, ReadWindow> {
  const rows = database
    .prepare('SELECT start, until, read_at, items, unproven IS NULL FROM _windows WHERE family = ?')
    .all(family);
  return new Map(
    rows.map(([start, until, readAt, items, isProven]) => [
      Number(start),
      {
        start: Number(start),
        until: until === null ? null : Number(until),
        readAt: Number(readAt),
        items: Number(items),
        isProven: isProven === 1,
      },
    ]),
  );
}
