import { usage } from '../errors/errors.js';
import { MONTHS, type Span } from './spans.js';
import { monthsBefore, shiftDay, unixOf, wallTime, type Zone } from './zones.js';

const LATEST = 253_402_300_799;

/**
 * The unix second that lies days, weeks, months, quarters or years after another, by the calendar of the zone: the clock on the
 * wall shows the same hour, and a day that a month lacks becomes its last.
 * @throws CopsError `usage` beyond the year 9999
 */
export function after(unix: number, { count, unit }: Span, zone: Zone): number {
  const wall = wallTime(unix * 1000, zone);
  const months = unit in MONTHS ? count * MONTHS[unit as keyof typeof MONTHS] : 0;
  const days = unit === 'w' ? count * 7 : unit === 'd' ? count : 0;
  const moved = months > 0 ? monthsBefore(wall, -months) : shiftDay(wall, days);
  const seconds = unixOf(moved, zone);
  if (!(seconds <= LATEST)) throw usage('That is later than the year 9999.');
  return seconds;
}
