import { usage } from '../../base/errors/errors.js';
import { type CalendarUnit, midnight, moved, periodName, startOf } from '../../base/time/periods.js';
import { type RangeOptions, rangeTexts, resolveRange } from '../../base/time/range.js';
import { unixOf, type WallTime, wallTime, type Zone } from '../../base/time/zones.js';
import type { Bucket } from './types.js';

/** Unix seconds; `ends` is exclusive. */
export interface ReportPeriod {
  readonly begins: number;
  readonly ends: number;
}

/** More rows of time than anyone requests on purpose. */
const MOST_BUCKETS = 3700;

/**
 * The period that the range options name; by default the current month, or everything since 1970.
 * @throws CopsError `usage`
 */
export function reportPeriod(options: RangeOptions, now: number, zone: Zone, otherwise: 'month' | 'all'): ReportPeriod {
  const { to, ...others } = options;
  const isOpen = rangeTexts(others).length === 0;
  const range = resolveRange(isOpen ? { from: '1970-01-02', to } : options, now, zone);
  const ends = range.to + 1;
  if (!isOpen) return { begins: range.from, ends };
  return { begins: otherwise === 'all' ? 0 : unixOf(beginOf('month', range.to, zone), zone), ends };
}

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
