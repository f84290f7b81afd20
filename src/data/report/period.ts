import { usage, wrongOption } from '../../base/errors/errors.js';
import { namedMonth } from '../../base/time/month-names.js';
import { type CalendarUnit, midnight, moved, periodName, startOf } from '../../base/time/periods.js';
import { type RangeOptions, RELATIVE, resolveRange } from '../../base/time/range.js';
import { momentOf, monthsBefore, type WallTime, wallTime, type Zone } from '../../base/time/zones.js';
import type { Bucket } from './types.js';

/** Unix seconds; `ends` is exclusive. */
export interface ReportPeriod {
  readonly begins: number;
  readonly ends: number;
}

/** More rows of time than anyone requests on purpose. */
const MOST_BUCKETS = 3700;

/**
 * The period that the options name: one of `--month`, `--quarter`, `--year`, or a range; by default the current month,
 * or everything since 1970.
 * @throws CopsError `usage`
 */
export function reportPeriod(options: RangeOptions, now: number, zone: Zone, otherwise: 'month' | 'all'): ReportPeriod {
  const { month, quarter, year, from, to, last } = options;
  const named = [month, quarter, year, from ?? to ?? last].filter((text) => text !== undefined);
  if (named.length > 1) throw usage('Give one of --month, --quarter, --year, or a range of --from and --to.');
  const typed = month ?? quarter ?? year;
  // Every range option takes the words `last` and `this`.
  if (typed !== undefined && RELATIVE.test(typed.trim())) {
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
  if (quarter !== undefined)
    return calendarPeriod(
      namedMonth(quarter, now, zone)?.iso ?? quarter,
      /^(\d{4})-?[Qq]([1-4])$/,
      '--quarter',
      '2026-Q3',
      3,
      zone,
    );
  if (year !== undefined) return calendarPeriod(year, /^(\d{4})$/, '--year', '2026', 12, zone);
  if (last !== undefined || from !== undefined) {
    const range = resolveRange({ from, to, last }, now, zone);
    return { begins: range.from, ends: range.to + 1 };
  }
  const ends =
    to === undefined ? Math.floor(now / 1000) + 1 : resolveRange({ from: '1970-01-02', to }, now, zone).to + 1;
  if (otherwise === 'all') return { begins: 0, ends };
  return { begins: unixOf(beginOf('month', ends - 1, zone), zone), ends };
}

function calendarPeriod(
  text: string,
  form: RegExp,
  option: string,
  example: string,
  months: number,
  zone: Zone,
): ReportPeriod {
  const match = form.exec(text.trim());
  const year = Number(match?.[1]);
  if (!match || year < 1971 || year > 9998)
    throw wrongOption(option, `"${text}" is not understood.`, `For example: ${option} ${example}, last or this.`);
  const month = months === 12 ? 1 : (Number(match[2]) - 1) * months + 1;
  const first = { year, month, day: 1, hour: 0, minute: 0, second: 0 };
  return { begins: unixOf(first, zone), ends: unixOf(monthsBefore(first, -months), zone) };
}

const unixOf = (wall: WallTime, zone: Zone): number => Math.floor(momentOf(wall, zone) / 1000);

/** The start of the day, week, month, quarter or year that contains a moment. */
function beginOf(time: CalendarUnit, unix: number, zone: Zone): WallTime {
  return startOf(midnight(wallTime(unix * 1000, zone)), time);
}

/**
 * Cuts a period into days, weeks, months, quarters or years in the zone; the first and the last may be short.
 * @throws CopsError `usage` for more pieces than a report can show.
 */
export function cutPeriod({ begins, ends }: ReportPeriod, time: CalendarUnit, zone: Zone): Bucket[] {
  const buckets: Bucket[] = [];
  let wall = beginOf(time, begins, zone);
  let at = begins;
  while (at < ends) {
    const next = moved(wall, time, 1);
    const until = Math.min(ends, unixOf(next, zone));
    buckets.push({ label: periodName(time, wall), begins: at, ends: until });
    if (buckets.length > MOST_BUCKETS)
      throw usage(`That would be more than ${MOST_BUCKETS} rows of time.`, 'Narrow the period.');
    [wall, at] = [next, until];
  }
  return buckets;
}
