import type { TimeRange } from '../../base/time/range.js';
import { DAY } from '../../base/time/units.js';

/**
 * Cuts a range into windows of at most `spanDays` days (service.md#limits), newest first unless `oldestFirst`.
 * Neighbours share time on purpose: the newer one begins one second before the older one ends, so that
 * whichever of its ends the service counts in, no second falls between two windows.
 */
export function cutWindows(range: TimeRange, spanDays: number, oldestFirst = false): TimeRange[] {
  const longest = spanDays * DAY;
  const windows: TimeRange[] = [];
  let to = range.to;
  for (;;) {
    const from = Math.max(range.from, to - longest);
    windows.push({ from, to });
    if (from === range.from) break;
    to = from + 1;
  }
  return oldestFirst ? windows.reverse() : windows;
}
