import { isoTime } from './units.js';
import { shiftDay, unixOf, type WallTime, wallTime, type Zone } from './zones.js';

/** A stretch of calendar days: its first day, and the first day after it, both at midnight. */
export interface CalendarPeriod {
  readonly first: WallTime;
  readonly next: WallTime;
}

/** The name of a day, week, month, quarter or year: `2026-07-31`, `2026-W31`, `2026-07`, `2026-Q3`, `2026`. */
export function periodName(unit: CalendarUnit, wall: WallTime): string {
  const { year, month, day } = wall;
  const two = (part: number): string => String(part).padStart(2, '0');
  if (unit === 'week') return weekName(wall);
  if (unit === 'year') return String(year);
  if (unit === 'quarter') return `${year}-Q${Math.ceil(month / 3)}`;
  return unit === 'month' ? `${year}-${two(month)}` : `${year}-${two(month)}-${two(day)}`;
}

/** A week belongs to the year of its Thursday (ISO 8601). */
function weekName(day: WallTime): string {
  const { year, month, day: date } = shiftDay(startOf(day, 'week'), 3);
  const days = (Date.UTC(year, month - 1, date) - Date.UTC(year, 0, 1)) / 86_400_000;
  return `${year}-W${String(Math.floor(days / 7) + 1).padStart(2, '0')}`;
}

/** The day of a moment in a zone: `2026-01-31`. @param unix in seconds */
export const dayIn = (unix: number, zone: Zone): string => periodName('day', wallTime(unix * 1000, zone));

/** The calendar units that time is split into. */
export const UNITS = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type CalendarUnit = (typeof UNITS)[number];
export const isCalendarUnit = (word: string): word is CalendarUnit => (UNITS as readonly string[]).includes(word);

/**
 * The calendar period that a text names: `2026-W31`, `2026-07`, `2026-Q3`, `2026`, `last month`, `this week`, `today`; undefined
 * for any other text. Weeks begin on Monday (ISO 8601).
 *
 * @param now in milliseconds
 */
export function namedPeriod(text: string, now: number, zone: Zone): CalendarPeriod | undefined {
  const word = text
    .trim()
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .replace(/^the (?=day )/, '');
  const named = numberedPeriod(word);
  if (named) return named;
  const day: Readonly<Record<string, number>> = {
    'day before yesterday': -2,
    yesterday: -1,
    today: 0,
    tomorrow: 1,
    'day after tomorrow': 2,
  };
  const today = midnight(wallTime(now, zone));
  const away = Object.hasOwn(day, word) ? day[word] : undefined;
  if (away !== undefined) return { first: shiftDay(today, away), next: shiftDay(today, away + 1) };
  const match = /^(last|previous|this|current|next)[ -](day|week|month|quarter|year)$/.exec(word);
  if (!match) return undefined;
  const offset = /^(?:last|previous)$/.test(match[1] ?? '') ? -1 : match[1] === 'next' ? 1 : 0;
  const unit = match[2] as CalendarUnit;
  const first = startOf(today, unit);
  return { first: moved(first, unit, offset), next: moved(first, unit, offset + 1) };
}

function numberedPeriod(word: string): CalendarPeriod | undefined {
  const year = /^(\d{4})$/.exec(word);
  if (year && inRange(year[1])) return whole(Number(year[1]), 1, 'year');
  const month = /^(\d{4})-(\d{2})$/.exec(word);
  if (month && inRange(month[1]) && Number(month[2]) >= 1 && Number(month[2]) <= 12)
    return whole(Number(month[1]), Number(month[2]), 'month');
  const quarter = /^(\d{4})[- ]?q([1-4])$/.exec(word) ?? flipped(/^q([1-4])[ -/](\d{4})$/.exec(word));
  if (quarter && inRange(quarter[1])) return whole(Number(quarter[1]), Number(quarter[2]) * 3 - 2, 'quarter');
  const [, weekYear, number] = /^(\d{4})-?w(\d{2})$/.exec(word) ?? [];
  if (!weekYear || !inRange(weekYear)) return undefined;
  // The first week is the one with January 4th in it.
  const first = moved(
    startOf({ ...whole(Number(weekYear), 1, 'year').first, day: 4 }, 'week'),
    'week',
    Number(number) - 1,
  );
  return periodName('week', first) === `${weekYear}-W${number}` ? { first, next: moved(first, 'week', 1) } : undefined;
}

const flipped = (match: RegExpExecArray | null): readonly (string | undefined)[] | undefined =>
  match ? [match[0], match[2], match[1]] : undefined;

/** Any other four-digit number is not a plausible year. */
const inRange = (year: string | undefined): boolean => Number(year) >= 1970 && Number(year) <= 2099;

function whole(year: number, month: number, unit: CalendarUnit): CalendarPeriod {
  const first: WallTime = { year, month, day: 1, hour: 0, minute: 0, second: 0 };
  return { first, next: moved(first, unit, 1) };
}

export const midnight = (wall: WallTime): WallTime => ({ ...wall, hour: 0, minute: 0, second: 0 });

/** The first day of the period that contains a day. */
export function startOf(day: WallTime, unit: CalendarUnit): WallTime {
  if (unit === 'week')
    return shiftDay(day, -((new Date(Date.UTC(day.year, day.month - 1, day.day)).getUTCDay() + 6) % 7));
  if (unit === 'month') return { ...day, day: 1 };
  if (unit === 'quarter') return { ...day, month: Math.floor((day.month - 1) / 3) * 3 + 1, day: 1 };
  return unit === 'year' ? { ...day, month: 1, day: 1 } : day;
}

/** The first day of the period `by` units after (or, if negative, before) the one that begins on a day. */
export function moved(first: WallTime, unit: CalendarUnit, by: number): WallTime {
  if (unit === 'day' || unit === 'week') return shiftDay(first, by * (unit === 'week' ? 7 : 1));
  const months = by * (unit === 'year' ? 12 : unit === 'quarter' ? 3 : 1);
  const index = first.year * 12 + first.month - 1 + months;
  return { ...first, year: Math.floor(index / 12), month: (index % 12) + 1 };
}

/** A calendar period that a range covers only in part. */
export interface Partial {
  readonly bucket: string;
  /** Where the part begins and ends; null where it reaches that edge of the period. */
  readonly from: string | null;
  readonly to: string | null;
  /** The period itself is not over yet. */
  readonly so_far: boolean;
}

/** A range in unix seconds; `ends` is exclusive. */
export interface UnixSpan {
  readonly begins: number;
  readonly ends: number;
}

/**
 * The first and last period of a range, if the range cuts them or they are not over yet.
 * @param known unix seconds up to which the data is known
 */
export function partialPeriods({ begins, ends }: UnixSpan, unit: CalendarUnit, zone: Zone, known: number): Partial[] {
  const until = Math.min(ends, known + 1);
  if (begins >= until) return [];
  const found = new Map<string, Partial>();
  for (const moment of [begins, until - 1]) {
    const first = startOf(midnight(wallTime(moment * 1000, zone)), unit);
    const [start, next] = [unixOf(first, zone), unixOf(moved(first, unit, 1), zone)];
    // Nothing is older than the epoch: a range that begins there is complete.
    const from = begins > start && begins > 0 ? edgeIn(begins, begins, zone) : null;
    const to = until < next ? edgeIn(until - 1, until, zone) : null;
    const bucket = periodName(unit, first);
    if (from !== null || to !== null)
      found.set(bucket, { bucket, from, to, so_far: to !== null && known < next - 1 && ends > known });
  }
  return [...found.values()];
}

/** How many calendar periods a range touches. */
function periodsWithin({ begins, ends }: UnixSpan, unit: CalendarUnit, zone: Zone): number {
  let count = 0;
  for (let first = startOf(midnight(wallTime(begins * 1000, zone)), unit); unixOf(first, zone) < ends; count++)
    first = moved(first, unit, 1);
  return count;
}

/** Says how many of the periods of a range have no row; undefined if every period has one. */
export function emptySaid(
  span: UnixSpan,
  unit: CalendarUnit,
  zone: Zone,
  filled: number,
  shownAs: 'row' | 'column' = 'row',
): string | undefined {
  const all = periodsWithin(span, unit, zone);
  return all > filled
    ? `${all - filled} of ${all} ${unit}s ${all - filled === 1 ? 'has' : 'have'} no items, and so no ${shownAs}`
    : undefined;
}

/** A moment as its day where a day begins at `border`, else to the second. */
export function edgeIn(moment: number, border: number, zone: Zone): string {
  const { hour, minute, second } = wallTime(border * 1000, zone);
  return hour + minute + second === 0 ? dayIn(moment, zone) : isoTime(moment);
}

/** The sentence about partial periods; undefined where all are whole. */
export const partsSaid = (partial: readonly Partial[] = []): string | undefined =>
  partial.length === 0 ? undefined : `Only a part: ${partial.map(partialSaid).join('; ')}.`;

/** `2026-08 from 2026-08-24 on`, `2026-11 so far (to 2026-11-22)`. */
function partialSaid({ bucket, from, to, so_far }: Partial): string {
  const end = to === null ? undefined : so_far ? `so far (to ${to})` : `to ${to}`;
  if (from === null) return `${bucket} ${so_far ? '' : 'up '}${end}`;
  return `${bucket} from ${from} ${end ?? 'on'}`;
}
