import { usage } from '../errors/errors.js';
import { namedMonth } from '../time/month-names.js';
import { type RangeOptions, resolveRange } from '../time/range.js';
import { momentOf, shiftDay, type WallTime, wallTime, type Zone } from '../time/zones.js';
import type { Bucket } from './types.js';

/** What a period can be cut into. */
export const TIMES = ['day', 'month', 'quarter', 'year'] as const;
export type Time = (typeof TIMES)[number];

export interface PeriodOptions extends RangeOptions {
  readonly month?: string | undefined;
  readonly quarter?: string | undefined;
  readonly year?: string | undefined;
}

/** Unix seconds; `ends` is not inside. */
export interface Period {
  readonly begins: number;
  readonly ends: number;
}

/** More rows of time than anybody wants read by chance. */
const MOST_BUCKETS = 3700;

/**
 * The period that the options name: one of `--month`, `--quarter`, `--year`, or a range; the current month, or
 * everything since 1970, where none is given.
 * @throws CopsError `usage`
 */
export function periodOf(options: PeriodOptions, now: number, zone: Zone, otherwise: 'month' | 'all'): Period {
  const { month, quarter, year, from, to, last } = options;
  const named = [month, quarter, year, from ?? to ?? last].filter((text) => text !== undefined);
  if (named.length > 1) throw usage('Give one of --month, --quarter, --year, or a range of --from and --to.');
  const typed = month ?? quarter ?? year;
  // `last` and `this` are words of every range.
  if (typed !== undefined && /^(?:last|this|previous|current)$/i.test(typed.trim())) {
    const range = resolveRange({ month, quarter, year }, now, zone);
    return { begins: range.from, ends: range.to + 1 };
  }
  if (month !== undefined)
    return calendarPeriod(
      namedMonth(month, now, zone)?.iso ?? month,
      /^(\d{4})-(0[1-9]|1[0-2])$/,
      '--month',
      '2026-10, september',
      1,
      zone,
    );
  if (quarter !== undefined) return calendarPeriod(quarter, /^(\d{4})-?[Qq]([1-4])$/, '--quarter', '2026-Q3', 3, zone);
  if (year !== undefined) return calendarPeriod(year, /^(\d{4})$/, '--year', '2026', 12, zone);
  if (last !== undefined || from !== undefined) {
    const range = resolveRange({ from, to, last }, now, zone);
    return { begins: range.from, ends: range.to + 1 };
  }
  const ends =
    to === undefined ? Math.floor(now / 1000) + 1 : resolveRange({ from: '1970-01-02', to }, now, zone).to + 1;
  if (otherwise === 'all') return { begins: 0, ends };
  return { begins: startOf('month', wallTime((ends - 1) * 1000, zone), zone).unix, ends };
}

function calendarPeriod(
  text: string,
  form: RegExp,
  option: string,
  example: string,
  months: number,
  zone: Zone,
): Period {
  const match = form.exec(text.trim());
  const year = Number(match?.[1]);
  if (!match || year < 1971 || year > 9998)
    throw usage(`${option}: "${text}" is not understood.`, `For example: ${option} ${example}, last or this.`);
  const month = months === 12 ? 1 : (Number(match[2]) - 1) * months + 1;
  const midnight = { day: 1, hour: 0, minute: 0, second: 0 };
  const until = month + months;
  return {
    begins: unixOf({ year, month, ...midnight }, zone),
    ends: unixOf({ year: until > 12 ? year + 1 : year, month: until > 12 ? until - 12 : until, ...midnight }, zone),
  };
}

const unixOf = (wall: WallTime, zone: Zone): number => Math.floor(momentOf(wall, zone) / 1000);

/** The begin of the day, month, quarter or year that a moment lies in. */
function startOf(time: Time, wall: WallTime, zone: Zone): { wall: WallTime; unix: number } {
  const month = time === 'year' ? 1 : time === 'quarter' ? Math.floor((wall.month - 1) / 3) * 3 + 1 : wall.month;
  const start = { year: wall.year, month, day: time === 'day' ? wall.day : 1, hour: 0, minute: 0, second: 0 };
  return { wall: start, unix: unixOf(start, zone) };
}

function after(time: Time, wall: WallTime): WallTime {
  if (time === 'day') return { ...shiftDay(wall, 1), hour: 0, minute: 0, second: 0 };
  const index = wall.year * 12 + wall.month - 1 + { month: 1, quarter: 3, year: 12 }[time];
  return { ...wall, year: Math.floor(index / 12), month: (index % 12) + 1 };
}

function labelOf(time: Time, { year, month, day }: WallTime): string {
  const two = (value: number): string => String(value).padStart(2, '0');
  if (time === 'year') return String(year);
  if (time === 'quarter') return `${year}-Q${Math.floor((month - 1) / 3) + 1}`;
  return time === 'month' ? `${year}-${two(month)}` : `${year}-${two(month)}-${two(day)}`;
}

/**
 * Cuts a period into days, months, quarters or years of the zone; the first and the last may be short.
 * @throws CopsError `usage` for more pieces than a report can show.
 */
export function cutPeriod({ begins, ends }: Period, time: Time, zone: Zone): Bucket[] {
  const buckets: Bucket[] = [];
  let { wall } = startOf(time, wallTime(begins * 1000, zone), zone);
  let at = begins;
  while (at < ends) {
    const next = after(time, wall);
    const until = Math.min(ends, unixOf(next, zone));
    buckets.push({ label: labelOf(time, wall), begins: at, ends: until });
    if (buckets.length > MOST_BUCKETS)
      throw usage(`That is more than ${MOST_BUCKETS} rows of time.`, 'Narrow the period.');
    [wall, at] = [next, until];
  }
  return buckets;
}
