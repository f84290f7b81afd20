import { type WallTime, wallTime, type Zone } from './zones.js';

const MONTHS = 'january february march april may june july august september october november december'.split(' ');

/** A month, day or quarter given by name, in ISO 8601 form. */
export interface NamedMonth {
  /** `2026-09`, `2026-09-01` for a day, or `2026-Q3`. */
  readonly iso: string;
  /** False where the words name no year; the year then depends on the direction. */
  readonly hasYear: boolean;
}

/** Which year to assume where none is given: that of the last such month, or of the next. */
export type YearDirection = 'back' | 'ahead';

/** True for the name of a field or option about the future: `next_renewal_date_unix`, `until`. */
export const looksAhead = (name: string): boolean =>
  /(?:^|[._-])(?:next|until|due|upcoming|expir\w*|ends?)(?:$|[._-])/i.test(name);

/**
 * What `september`, `sept 2025`, `1 september`, `September 1st, 2026` or `q3` means. Without a year: the last such
 * month, day or quarter that has begun, or, looking ahead, the first that is not over. Undefined for any other text,
 * and for a day that the month does not have.
 * @param now in milliseconds
 */
export function namedMonth(
  text: string,
  now: number,
  zone: Zone,
  look: YearDirection = 'back',
): NamedMonth | undefined {
  const nearest = look === 'back' ? lastBegun : nextToCome;
  const quarter = /^\s*q([1-4])\s*$/i.exec(text)?.[1];
  if (quarter)
    return { iso: `${nearest(Number(quarter) * 3 - 2, 1, wallTime(now, zone))}-Q${quarter}`, hasYear: false };
  const words = text
    .trim()
    .toLowerCase()
    .replace(/[.,]/g, ' ')
    .replace(/\bof\b/, ' ')
    .split(/\s+/)
    .filter(Boolean);
  const names = words.filter((word) => monthOf(word) !== undefined);
  const month = monthOf(names[0] ?? '');
  if (month === undefined || names.length > 1 || words.length > 3) return undefined;
  const at = words.indexOf(names[0] ?? '');
  const years = words.filter((word) => /^(?:19[7-9]|20\d)\d$/.test(word));
  const days = words.filter((word) => /^\d{1,2}(?:st|nd|rd|th)?$/.test(word));
  const isOrdered = years.length === 0 || words.indexOf(years[0] ?? '') === words.length - 1;
  if (years.length > 1 || days.length > 1 || years.length + days.length + 1 !== words.length || !isOrdered || at > 1)
    return undefined;
  const day = days[0] === undefined ? undefined : Number.parseInt(days[0], 10);
  const year = years[0] === undefined ? nearest(month, day ?? 1, wallTime(now, zone)) : Number(years[0]);
  if (day !== undefined && (day < 1 || day > daysIn(year, month))) return undefined;
  const two = (part: number): string => String(part).padStart(2, '0');
  return {
    iso: `${year}-${two(month)}${day === undefined ? '' : `-${two(day)}`}`,
    hasYear: years.length > 0,
  };
}

/** 1 to 12, from the full name or at least its first three letters. */
function monthOf(word: string): number | undefined {
  const at = word.length < 3 ? -1 : MONTHS.findIndex((name) => name.startsWith(word));
  return at < 0 ? undefined : at + 1;
}

/** 29 February is that of a leap year. */
function lastBegun(month: number, day: number, today: WallTime): number {
  const hasBegun = month < today.month || (month === today.month && day <= today.day);
  const last = hasBegun ? today.year : today.year - 1;
  if (month !== 2 || day !== 29) return last;
  return [0, 1, 2, 3, 4, 5, 6, 7, 8].map((back) => last - back).find((year) => daysIn(year, 2) === 29) ?? last;
}

/** Today counts as the future; a month alone counts from its first day. */
function nextToCome(month: number, day: number, today: WallTime): number {
  const isOver = month < today.month || (month === today.month && day < today.day);
  const next = isOver ? today.year + 1 : today.year;
  if (month !== 2 || day !== 29) return next;
  return [0, 1, 2, 3, 4, 5, 6, 7, 8].map((on) => next + on).find((year) => daysIn(year, 2) === 29) ?? next;
}

const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();
