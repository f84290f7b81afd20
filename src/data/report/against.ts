import { wrongOption } from '../../base/errors/errors.js';
import {
  type CalendarUnit,
  isCalendarUnit,
  midnight,
  namedPeriod,
  periodName,
  startOf,
} from '../../base/time/periods.js';
import type { RangeOptions } from '../../base/time/range.js';
import { after, before, refuseBareM, type Span, spanIn } from '../../base/time/spans.js';
import { DAY, isoTime } from '../../base/time/units.js';
import { unixOf, wallTime, type Zone } from '../../base/time/zones.js';
import { rowKey } from './dimensions.js';
import type { Figures } from './figures.js';
import { cutPeriod, type ReportPeriod, reportPeriod } from './period.js';
import type { ReportSource } from './report-document.js';
import type { ReportColumn, ReportQuestion } from './report-question.js';
import type { Bucket, GroupedReport, ReportRow, ReportValue } from './types.js';

/**
 * The period to compare with: a named week, month, quarter or year; `previous` for the one before a named period, or for
 * the same length of time before a range; `last-year`; or a span by which to move the period back.
 * @throws CopsError `usage`
 */
export function periodAgainst(
  text: string,
  options: RangeOptions,
  period: ReportPeriod,
  now: number,
  zone: Zone,
): ReportPeriod {
  const word = text.trim();
  const whole = namedPeriod(word, now, zone);
  if (whole && /^\d/.test(word)) return { begins: unixOf(whole.first, zone), ends: unixOf(whole.next, zone) };
  if (/^(?:last-year|year-ago|yoy)$/i.test(word)) return movedBack(period, { count: 1, unit: 'y' }, zone);
  refuseBareM(word, '--against');
  const span = spanIn(word);
  if (span !== undefined) return movedBack(period, span, zone);
  if (!/^(?:previous|last|before)$/i.test(word)) {
    throw wrongOption(
      '--against',
      `"${text}" is not understood.`,
      'For example: --against previous, last-year, 2026-09, 2026-Q3, 2025, or 4w for four weeks earlier',
    );
  }
  const wall = wallTime((period.begins - 1) * 1000, zone);
  for (const unit of ['week', 'month', 'quarter', 'year'] as const)
    if (options[unit] !== undefined) return reportPeriod({ [unit]: periodName(unit, wall) }, now, zone, 'month');
  return { begins: period.begins - (period.ends - period.begins), ends: period.begins };
}

/** The period moved back by a span; its edges keep their time of day. */
function movedBack({ begins, ends }: ReportPeriod, span: Span, zone: Zone): ReportPeriod {
  // Days and weeks follow the calendar, however many hours they have.
  const isDays = span.unit === 'd' || span.unit === 'w';
  const back = (unix: number): number =>
    isDays ? after(unix, { ...span, count: -span.count }, zone) : before(unix, span, zone);
  return { begins: back(begins), ends: back(ends) };
}

/** A part of a period, and its counterpart in the other period. */
interface Pair {
  readonly now: Bucket;
  readonly before: Bucket;
}

/** The parts of two periods in pairs; undefined if they differ in number or the first ones do not begin alike. */
export function pairedBuckets(
  unit: CalendarUnit,
  { period, zone }: Pick<ReportQuestion, 'period' | 'zone'>,
  against: ReportPeriod,
): readonly Pair[] | undefined {
  const [own, earlier] = [cutPeriod(period, unit, zone), cutPeriod(against, unit, zone)];
  const cutOf = ({ begins }: ReportPeriod): number => {
    const wall = wallTime(begins * 1000, zone);
    const [day, first] = [midnight(wall), startOf(midnight(wall), unit)];
    return unixOf(wall, zone) - unixOf(day, zone) + DAY * Math.round((unixOf(day, zone) - unixOf(first, zone)) / DAY);
  };
  if (own.length !== earlier.length || cutOf(period) !== cutOf(against)) return undefined;
  return own.map((now, at) => ({ now, before: earlier[at] as Bucket }));
}

/** Earlier rows, under the names of the months, weeks or days beside which they are shown. */
export const besidePeriod = (rows: readonly ReportRow[], unit: CalendarUnit, pairs: readonly Pair[]): ReportRow[] =>
  rows.map((row) => ({ ...row, [unit]: pairs.find(({ before }) => before.label === row[unit])?.now.label ?? null }));

/** Figures for what is still ahead are unknown, not zero. */
export function withoutAhead(figures: Figures, unit: CalendarUnit, pairs: readonly Pair[], known: number): Figures {
  const { columns, keys } = figures.statement;
  const ahead = new Set<unknown>(pairs.flatMap(({ now }) => (now.begins > known ? [now.label] : [])));
  const unknown = columns.slice(keys).flatMap(({ name }) => (name.endsWith('_before') ? [] : [[name, null] as const]));
  const rows = figures.rows.map((row) => (ahead.has(row[unit]) ? { ...row, ...Object.fromEntries(unknown) } : row));
  return { ...figures, rows };
}

/** Notes for comparing periods that are not whole alike. */
export function unlikeNotes(
  { asOf, begins }: Pick<ReportSource, 'asOf' | 'begins'>,
  period: ReportPeriod,
  against: ReportPeriod,
): string[] {
  const known = asOf === null ? period.ends : Math.min(period.ends, Date.parse(asOf) / 1000);
  const days = (seconds: number): number => Math.max(0, Math.round(seconds / DAY));
  const [now, earlier] = [days(known - period.begins), days(against.ends - against.begins)];
  const missing = begins === undefined ? 0 : Math.min(days(begins - against.begins), earlier);
  return [
    ...(missing > 0 && begins !== undefined
      ? [
          `the account begins ${isoTime(begins).slice(0, 10)}: ${missing} of the ${earlier} days of the other period are before it, so the changes are no growth`,
        ]
      : []),
    ...(known >= period.ends || now >= earlier
      ? []
      : [`${now} days of this period are compared with all ${earlier} of the one before`]),
  ];
}

/**
 * Each figure with its earlier value (`gross_before`) and its change (`gross_change`; for a sum in percent too), row by
 * row: current rows in their order, then rows that only the earlier period has.
 */
export function heldAgainst(report: GroupedReport, now: Figures, before: Figures): Figures {
  const { columns, keys } = now.statement;
  const names = columns.slice(0, keys).map(({ name }) => name);
  const keyOf = (row: ReportRow): string => rowKey(row, names);
  const placeOf = placesIn(names);
  const sums = new Set(
    report.measures.filter(({ sql, unit }) => unit !== 'percent' && !sql.includes('/')).map(({ name }) => name),
  );
  const joined = (rows: readonly ReportRow[], others: readonly ReportRow[]): ReportRow[] => {
    const earlier = new Map(others.map((row) => [keyOf(row), row]));
    const fresh = new Set(rows.map(keyOf));
    const all = [...rows, ...others.filter((row) => !fresh.has(keyOf(row)))];
    return all.map((row) => {
      const key = keyOf(row);
      return rowOf(row, columns, keys, sums, fresh.has(key) ? row : undefined, earlier.get(key));
    });
  };
  return {
    statement: {
      sql: `${now.statement.sql};\n\n${before.statement.sql}`,
      columns: [
        ...columns.slice(0, keys),
        ...columns.slice(keys).flatMap((column) => besides(column, sums.has(column.name))),
      ],
      keys,
    },
    rows: joined(now.rows, before.rows).sort((a, b) => {
      const [one, other] = [placeOf(a), placeOf(b)];
      return one < other ? -1 : one > other ? 1 : 0;
    }),
    totals: now.totals && before.totals ? joined(now.totals, before.totals) : undefined,
    differences: [...now.differences, ...before.differences],
    proofs: now.proofs + before.proofs,
    inexact: now.inexact + before.inexact,
  };
}

/** Sorts by time if that comes first, and keeps rows of one currency together in their order. */
const placesIn = (keys: readonly string[]) => {
  const [first = ''] = keys;
  return (row: ReportRow): string => `${isCalendarUnit(first) ? row[first] : ''} ${row.currency ?? ''}`;
};

const besides = (column: ReportColumn, isSum: boolean): ReportColumn[] => [
  column,
  { ...column, name: `${column.name}_before`, about: `${column.about}, in the earlier period` },
  { ...column, name: `${column.name}_change`, about: `${column.name} less ${column.name}_before` },
  ...(isSum
    ? [
        {
          ...{ name: `${column.name}_change_percent`, title: `${column.name} %`, unit: 'percent' as const },
          about: `${column.name}_change / ${column.name}_before, percent; none where one of them is below zero and the other above`,
        },
      ]
    : []),
];

function rowOf(
  key: ReportRow,
  columns: readonly ReportColumn[],
  keys: number,
  sums: ReadonlySet<string>,
  now: ReportRow | undefined,
  before: ReportRow | undefined,
): ReportRow {
  const cells: [string, ReportValue][] = columns.slice(0, keys).map(({ name }) => [name, key[name] ?? null]);
  for (const { name, unit } of columns.slice(keys)) {
    // Without rows, a sum is zero and a percentage is unknown.
    const none = sums.has(name) ? (unit === 'money' ? 0n : 0) : null;
    const [is, was] = [now ? (now[name] ?? null) : none, before ? (before[name] ?? null) : none];
    cells.push([name, is], [`${name}_before`, was], [`${name}_change`, changeOf(is, was)]);
    if (sums.has(name)) cells.push([`${name}_change_percent`, shareOf(is, was)]);
  }
  return Object.fromEntries(cells);
}

/** The change as a percentage of the earlier value; null if that was zero, or if a gain turned into a loss or vice versa. */
function shareOf(is: ReportValue, was: ReportValue): ReportValue {
  const [now, then] = [Number(is ?? 0), Number(was ?? 0)];
  return then === 0 || now * then < 0 ? null : Math.round((10_000 * (now - then)) / Math.abs(then)) / 100;
}

function changeOf(is: ReportValue, was: ReportValue): ReportValue {
  if (is === null || was === null || typeof is === 'string' || typeof was === 'string') return null;
  if (typeof is === 'number' || typeof was === 'number') return Math.round((Number(is) - Number(was)) * 100) / 100;
  return is - was;
}
