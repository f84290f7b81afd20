import type { Database } from '../../base/database/types.js';
import type { TimeRange } from '../../base/time/range.js';
import { SETTLED_S } from '../../service/lists/growing-lists.js';
import { fixedWindows, overlap } from '../../service/lists/windows.js';
import { absentOf, gridOf, rawName, sqlName } from './layout.js';
import { viewColumns } from './views.js';

/*
 * The part of its lists that a question needs, if not all of them: the windows of some periods, and rows of other times
 * that these name.
 */

export interface Reach {
  /** Unix seconds, both ends included. */
  readonly periods: readonly TimeRange[];
  /** Families whose rows in the periods are needed. */
  readonly facts: readonly string[];
  /** Families whose windows are also read, because most named rows are theirs; completeness does not depend on them. */
  readonly beside: readonly string[];
  /** Families that must be complete. */
  readonly whole: readonly string[];
  readonly named: readonly NamedIds[];
}

/** Rows of a family that others name. */
export interface NamedIds {
  readonly family: string;
  /** A query that returns their ids as `id`; `:in(column)` is the condition that a column lies in the periods. */
  readonly ids: string;
}

/** How much of the reach a mirror holds. */
export interface ReachState {
  /** The time of the oldest reading, unix seconds; undefined if something was never read. */
  readonly readAt: number | undefined;
  /** What is missing or not proven, in sentences. */
  readonly lacks: readonly string[];
}

/** The windows of a list; undefined for a list never read. */
export function gridIn(
  database: Database,
  family: string,
): { readonly start: number; readonly span: number } | undefined {
  const whole = database
    .prepare('SELECT start, span FROM _families WHERE family = ? AND start IS NOT NULL')
    .get(family);
  if (whole) return { start: Number(whole[0]), span: Number(whole[1]) };
  const part = database.prepare('SELECT value FROM _mirror WHERE name = ?').get(gridOf(family));
  if (part === undefined) return undefined;
  const [start, span] = String(part[0]).split(' ').map(Number);
  return { start: start ?? 0, span: span ?? 1 };
}

/** The windows of a list that overlap any of these periods. */
export const windowsWithin = (windows: readonly TimeRange[], periods: readonly TimeRange[]): TimeRange[] =>
  windows.filter((window) => periods.some((period) => overlap(window, period) !== undefined));

/** Ids of missing rows that others name, by family, except those that the service does not have. */
export function missingIn(database: Database, { named, periods }: Reach): Map<string, string[]> {
  const missing = new Map<string, Set<string>>();
  for (const { family, ids } of named) {
    const found = database
      .prepare(
        `SELECT DISTINCT n.id FROM (${withPeriods(ids, periods)}) AS n
         WHERE n.id <> '' AND NOT EXISTS (SELECT 1 FROM ${sqlName(rawName(family))} AS r WHERE r.id = n.id)
         AND NOT EXISTS (SELECT 1 FROM _mirror WHERE name = ? || n.id)`,
      )
      .all(absentOf(family, ''));
    const known = missing.get(family) ?? new Set();
    for (const [id] of found) known.add(String(id));
    missing.set(family, known);
  }
  return new Map([...missing].flatMap(([family, ids]) => (ids.size === 0 ? [] : [[family, [...ids]] as const])));
}

const withPeriods = (sql: string, periods: readonly TimeRange[]): string =>
  sql.replace(/:in\(((?:[^()]|\([^()]*\))+)\)/g, (_, column: string) =>
    periods.length === 0
      ? '0'
      : `(${periods.map(({ from, to }) => `${column} BETWEEN ${from} AND ${to}`).join(' OR ')})`,
  );

/**
 * How much of a reach a mirror holds.
 * @param now the service's time, unix seconds: nothing later can exist
 */
export function reachState(database: Database, reach: Reach, now: number): ReachState {
  const lacks: string[] = [];
  const ages: (number | undefined)[] = [];
  for (const family of reach.whole) {
    const row = database.prepare('SELECT state, why, read_at FROM _families WHERE family = ?').get(family);
    ages.push(row && Number(row[2]));
    if (row === undefined) lacks.push(`${family} was never read completely`);
    if (row && row[0] !== 'synced') lacks.push(`${family} is ${String(row[0])}: ${String(row[1])}`);
  }
  for (const family of reach.facts) {
    const { oldest, unproven } = windowsRead(database, family, reach.periods, now);
    ages.push(oldest);
    if (oldest === undefined) lacks.push(`${family} was not read for the whole period`);
    if (unproven !== undefined) lacks.push(`${family} is not proven: ${unproven}`);
  }
  const known = ages.filter((age) => age !== undefined);
  const readAt = known.length < ages.length || known.length === 0 ? undefined : Math.min(...known);
  const isLaid = reach.named.every(({ family }) => viewColumns(database, rawName(family)).length > 0);
  // If the whole list of that time does not contain a row, it does not exist.
  const doubtful = reach.named.filter(({ family }) => {
    const whole = database.prepare('SELECT read_at FROM _families WHERE family = ?').get(family);
    return whole === undefined || Number(whole[0]) < (readAt ?? 0);
  });
  for (const [family, ids] of isLaid ? missingIn(database, { ...reach, named: doubtful }) : [])
    lacks.push(`${ids.length} of ${family} are missing that rows of the period name`);
  return { readAt, lacks };
}

/** The oldest reading of the periods' windows; undefined if one was never read. */
function windowsRead(database: Database, family: string, periods: readonly TimeRange[], now: number) {
  const whole = database.prepare('SELECT read_at FROM _families WHERE family = ?').get(family);
  const grid = gridIn(database, family);
  if (grid === undefined) return { oldest: undefined, unproven: undefined };
  const rows = database.prepare('SELECT start, until, read_at, unproven FROM _windows WHERE family = ?').all(family);
  const known = new Map(
    rows.map(([start, until, at, unproven]) => [
      Number(start),
      { until: Number(until), readAt: Number(at), unproven: unproven === null ? undefined : String(unproven) },
    ]),
  );
  // A sync of the whole list also confirms the windows that it did not read again.
  const since = whole === undefined ? 0 : Number(whole[0]);
  let oldest: number | undefined = Number.POSITIVE_INFINITY;
  let unproven: string | undefined;
  const last = Math.max(...periods.map(({ to }) => to));
  for (const { from, to } of windowsWithin(fixedWindows(grid.start, grid.span, now - SETTLED_S), periods)) {
    const read = known.get(from);
    if (read === undefined) oldest = undefined;
    else if (oldest !== undefined) {
      oldest = Math.min(oldest, Math.max(read.readAt, since));
      // The newest window grows: its age is that of its end.
      if (read.until < Math.min(to, last)) oldest = Math.min(oldest, read.until + SETTLED_S);
    }
    unproven ??= read?.unproven;
  }
  return { oldest: oldest === Number.POSITIVE_INFINITY ? now : oldest, unproven };
}
