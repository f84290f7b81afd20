import { usage, wrongOption } from '../errors/errors.js';
import { monthsBefore, shiftDay, unixOf, wallTime, type Zone, zoneOf } from './zones.js';

/** A length of time as typed: `12h`, `30d`, `6w`, `3mo`, `1q`, `1y`, `30 days`. */
export interface Span {
  readonly count: number;
  readonly unit: 's' | 'm' | 'h' | 'd' | 'w' | 'mo' | 'q' | 'y';
}

/** Seconds in each unit of fixed length. */
export const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const;
/** Months in each calendar unit. */
export const MONTHS = { mo: 1, q: 3, y: 12 } as const;

const UNITS = [
  ['s', 'sec second seconds'],
  ['m', 'min minute minutes'],
  ['h', 'hour hours'],
  ['d', 'day days'],
  ['w', 'week weeks'],
  ['mo', 'month months'],
  ['q', 'quarter quarters'],
  ['y', 'year years'],
] as const;

const COUNTS = ' a two three four five six seven eight nine ten eleven twelve'.split(' ');
const COUNTED = /^(?:an?|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?= )/;

/** Parses a span; undefined for any other text. */
export function spanIn(text: string): Span | undefined {
  const said = text
    .trim()
    .toLowerCase()
    .replace(COUNTED, (word) => String(COUNTS.indexOf(word.replace(/^an$/, 'a'))));
  const match = /^(\d{1,6}) ?([a-z]{1,8})$/.exec(said);
  const [, count, word = ''] = match ?? [];
  const found = UNITS.find(([unit, words]) => unit === word || words.split(' ').includes(word));
  return found === undefined || Number(count) === 0 ? undefined : { count: Number(count), unit: found[0] };
}

/** How far ahead a moment lies: `+7d`, `in 7 days`, `7d from now`; undefined for any other text. */
export function spanAhead(text: string): Span | undefined {
  const match = /^(?:\+ ?|in )(.+)$|^(.+?) (?:from now|ahead)$/i.exec(text.trim());
  return match ? spanIn(match[1] ?? match[2] ?? '') : undefined;
}

/** How long ago a moment was: `7d`, `-7d`, `7 days ago`; undefined for any other text. */
export const spanBehind = (text: string): Span | undefined => spanIn(text.trim().replace(/^- ?(?=\d)| ago$/i, ''));

/** A stretch that begins or ends now: `next 7 days`, `last 12 hours`; undefined for any other text. */
export function stretchOf(text: string): { readonly span: Span; readonly isAhead: boolean } | undefined {
  const match =
    /^(?:the )?(next|coming|last|past) ((?:\d|two |three |four |five |six |seven |eight |nine |ten |eleven |twelve ).*)$/i.exec(
      text.trim(),
    );
  const span = match ? spanIn(match[2] ?? '') : undefined;
  return span && { span, isAhead: /^(?:next|coming)$/i.test(match?.[1] ?? '') };
}

/**
 * Refuses a span in `m` for a range or a moment: some people mean minutes, others months, and a list of the last minute
 * would be empty without saying why.
 */
export function refuseBareM(text: string, option: string): void {
  const [, count] =
    /^(?:[-+]|in |last |past |next |coming |the )*(\d{1,6}) ?m(?: ago| ahead| from now)?$/i.exec(text.trim()) ?? [];
  if (count === undefined) return;
  const says = `"${text.trim()}" could be ${count === '1' ? 'a minute or a month' : 'minutes or months'}.`;
  const hint = `Write ${count}mo for ${count === '1' ? 'a month' : 'months'}, ${count}min for ${count === '1' ? 'a minute' : 'minutes'}.`;
  throw option === '' ? usage(says, hint) : wrongOption(option, says, hint);
}

/** Reads a span; throws a usage error that names the option. */
export function parseSpan(text: string, option: string): Span {
  const span = spanIn(text);
  if (span) return span;
  throw wrongOption(
    option,
    `"${text}" is not a span of time.`,
    'Write a number above zero and a unit: 12h, 30d, 6w, 3mo, 1q or 1y.',
  );
}

/** A length of time in the two largest units that people use: `45 s`, `5 min 30 s`, `2 h 5 min`, `38 days`. */
export function lengthSaid(seconds: number): string {
  const whole = Math.round(Math.abs(seconds));
  const { m, h, d } = SECONDS;
  const said = (unit: number, name: string, below: number, part: string): string => {
    const round = Math.round(whole / below) * below;
    const rest = (round % unit) / below;
    return `${Math.floor(round / unit)} ${name}${rest > 0 ? ` ${rest} ${part}` : ''}`;
  };
  if (whole < m) return `${whole} s`;
  if (whole < h) return said(m, 'min', 1, 's');
  if (whole < 2 * d) return said(h, 'h', m, 'min');
  return whole < 10 * d ? said(d, 'days', h, 'h') : `${Math.round(whole / d)} days`;
}

/** The unix second one span before another; months and years follow the zone's calendar. */
export const before = (unix: number, span: Span, zone: Zone): number => shifted(unix, span, -1, zone);

/** The unix second one span after another; months and years follow the zone's calendar. */
export const ahead = (unix: number, span: Span, zone: Zone): number => shifted(unix, span, 1, zone);

function shifted(unix: number, { count, unit }: Span, way: 1 | -1, zone: Zone): number {
  if (unit === 'mo' || unit === 'q' || unit === 'y')
    return unixOf(monthsBefore(wallTime(unix * 1000, zone), -way * count * MONTHS[unit]), zone);
  return unix + way * count * SECONDS[unit];
}

/** What to add where nothing is found within a span: a longer one, unless it is long already. */
export function noneWithin(what: string, last: string): string {
  const hasMonth = before(0, parseSpan(last, '--last'), zoneOf('UTC')) <= -30 * SECONDS.d;
  return `No ${what} within ${last}${hasMonth ? '' : '; --last 30d looks further back'}.`;
}

const LATEST = 253_402_300_799;

/**
 * The unix second that lies some hours, days, weeks, months, quarters or years after another, or before it if the count
 * is negative, by the zone's calendar: the wall clock shows the same hour, and a day that the month does not have
 * becomes its last.
 * @throws CopsError `usage` beyond the year 9999
 */
export function after(unix: number, { count, unit }: Span, zone: Zone): number {
  const wall = wallTime(unix * 1000, zone);
  const months = unit in MONTHS ? count * MONTHS[unit as keyof typeof MONTHS] : 0;
  const days = unit === 'w' ? count * 7 : unit === 'd' ? count : 0;
  const moved = months !== 0 ? monthsBefore(wall, -months) : shiftDay(wall, days);
  const isShort = unit === 's' || unit === 'm' || unit === 'h';
  const seconds = isShort ? unix + count * SECONDS[unit] : unixOf(moved, zone);
  if (!(seconds <= LATEST)) throw usage('That is later than the year 9999.');
  return seconds;
}
