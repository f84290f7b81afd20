import { existsSync } from 'node:fs';
import type { Database } from '../../base/database/types.js';
import type { TimeRange } from '../../base/time/range.js';
import { LARGEST_PAGE } from '../../catalogue/terms.js';
import type { FamilyOperation } from '../../catalogue/types.js';
import { cutWindows } from '../../service/lists/windows.js';
import { planRequest } from '../../service/request/request-plan.js';
import type { Context } from '../../session/context/context.js';
import { beginningOf, firstDayOf } from '../../session/read/first-day.js';
import { openReader, pager } from '../../session/read/reading.js';
import { YOUNG_DAYS } from './due-windows.js';
import { rawName, sqlName } from './layout.js';
import { readMirror } from './own-mirror.js';

const DAY = 86_400;
const LONGEST_DAYS = 90;

/** An estimate of a sync. */
export interface EstimatedSync {
  readonly requests: number;
  /** True if counting stopped because the limit was exceeded. */
  readonly isMore: boolean;
}

/**
 * Estimates the requests of a sync of these lists. Subtracts what the mirror has read before; for the rest, one request
 * per window gives its number of items, until the estimate exceeds `most`.
 */
export async function estimateRequests(
  context: Context,
  file: string,
  lists: readonly FamilyOperation[],
  most: number,
): Promise<EstimatedSync> {
  const now = Math.floor((await context.now()) / 1000);
  let requests = 0;
  const unread: FamilyOperation[] = [];
  for (const list of lists) {
    const again = existsSync(file)
      ? await readMirror(context, file, ({ database }) => againOf(database, list, now))
      : undefined;
    if (again === undefined) unread.push(list);
    else requests += again;
  }
  if (requests > most || unread.length === 0) return { requests, isMore: false };
  const { from } = await firstDayOf(context, undefined);
  const reader = await openReader(context);
  for (const { family, operation } of unread) {
    const { style, spanDays = LONGEST_DAYS } = operation.list ?? {};
    const fetch = pager(reader, planRequest(family, operation, { ids: [], query: [] }), family.idField);
    const range = { from: beginningOf(family.nature, from), to: now };
    const windows = style !== 'windowed' ? [undefined] : range.from < now ? cutWindows(range, spanDays) : [];
    // Each takes at least one request.
    if (requests + windows.length > most) return { requests: requests + windows.length, isMore: true };
    for (const window of windows) {
      context.notes.progress(`Counting ${family.name.replaceAll('_', ' ')}`);
      const count = style === 'single' ? 0 : ((await fetch({ range: window, limit: 1, page: 1 })).totalCount ?? 0);
      requests += Math.max(1, Math.ceil(count / LARGEST_PAGE));
      if (requests > most) return { requests, isMore: true };
    }
  }
  return { requests, isMore: false };
}

/**
 * Estimates the requests for the windows of periods, with one request per window to count its items. Leaves out the
 * rows that they name.
 */
export async function estimateWithin(
  context: Context,
  lists: readonly FamilyOperation[],
  periods: readonly TimeRange[],
  most: number,
): Promise<EstimatedSync> {
  const reader = await openReader(context);
  let requests = 0;
  for (const { family, operation } of lists) {
    const fetch = pager(reader, planRequest(family, operation, { ids: [], query: [] }), family.idField);
    const spanDays = operation.list?.spanDays ?? LONGEST_DAYS;
    context.notes.progress(`Counting ${family.name.replaceAll('_', ' ')}`);
    for (const window of periods.flatMap((period) => cutWindows(period, spanDays))) {
      const count = (await fetch({ range: window, limit: 1, page: 1 })).totalCount ?? 0;
      // One more request decides how long the windows will be.
      requests += Math.max(1, Math.ceil(count / LARGEST_PAGE)) + 1;
      if (requests > most) return { requests, isMore: true };
    }
  }
  return { requests, isMore: false };
}

/** The requests for reading a list again, from the contents of its windows; undefined for a list never read. */
function againOf(database: Database, { family }: FamilyOperation, now: number): number | undefined {
  const read = database.prepare('SELECT 1 FROM _families WHERE family = ?').all(family.name);
  if (read.length === 0) return undefined;
  const [sum] = database
    .prepare(
      'SELECT coalesce(sum(max(1, (items + 24) / 25)), 0) FROM _windows AS w WHERE family = ? AND (until IS NULL OR ' +
        `until > ? OR ? = 'set-up' OR start IN (SELECT _window FROM ${sqlName(rawName(family.name))} WHERE _open = 1))`,
    )
    .all(family.name, now - YOUNG_DAYS * DAY, family.nature);
  return Number(sum?.[0]) + 1;
}
