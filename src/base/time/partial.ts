import { type CalendarUnit, dayIn, midnight, moved, periodName, startOf } from './periods.js';
import { isoTime } from './units.js';
import { unixOf, wallTime, type Zone } from './zones.js';

/** A calendar period of which a range holds only a part. */
export interface Partial {
  readonly bucket: string;
  /** Where the part begins and ends, as texts; null where the period is whole on that side. */
  readonly from: string | null;
  readonly to: string | null;
  /** The period itself is not over yet. */
  readonly so_far: boolean;
}

/** A range of unix seconds; `ends` is not inside. */
export interface UnixSpan {
  readonly begins: number;
  readonly ends: number;
}

/**
 * The first and the last period of a range where the range cuts them, or where they are not over.
 * @param known unix seconds: what comes after it is not known yet
 */
export function partialPeriods({ begins, ends }: UnixSpan, unit: CalendarUnit, zone: Zone, known: number): Partial[] {
  const until = Math.min(ends, known + 1);
  if (begins >= until) return [];
  const found = new Map<string, Partial>();
  for (const moment of [begins, until - 1]) {
    const first = startOf(midnight(wallTime(moment * 1000, zone)), unit);
    const [start, next] = [unixOf(first, zone), unixOf(moved(first, unit, 1), zone)];
    // Nothing is before the epoch: a range from there is everything.
    const from = begins > start && begins > 0 ? edgeIn(begins, begins, zone) : null;
    const to = until < next ? edgeIn(until - 1, until, zone) : null;
    const bucket = periodName(unit, first);
    if (from !== null || to !== null)
      found.set(bucket, { bucket, from, to, so_far: to !== null && known < next - 1 && ends > known });
  }
  return [...found.values()];
}

/** A moment by its day where a day begins at `border`, else to the second. */
export function edgeIn(moment: number, border: number, zone: Zone): string {
  const { hour, minute, second } = wallTime(border * 1000, zone);
  return hour + minute + second === 0 ? dayIn(moment, zone) : isoTime(moment);
}

/** What is said of them; undefined where all are whole. */
export function partsSaid(partial: readonly Partial[] = []): string | undefined {
  return partial.length === 0 ? undefined : `Only a part: ${partial.map(partialSaid).join('; ')}.`;
}

/** `2026-08 from 2026-08-24 on`, `2026-11 so far (to 2026-11-22)`. */
function partialSaid({ bucket, from, to, so_far }: Partial): string {
  const end = to === null ? undefined : so_far ? `so far (to ${to})` : `to ${to}`;
  if (from === null) return `${bucket} ${so_far ? '' : 'up '}${end}`;
  return `${bucket} from ${from} ${end ?? 'on'}`;
}
