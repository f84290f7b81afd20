import { wrongOption } from '../errors/errors.js';
import type { YearDirection } from './month-names.js';
import { type CalendarPeriod, namedPeriod } from './periods.js';
import { ahead, before, refuseBareM, spanAhead, spanBehind, stretchOf } from './spans.js';
import { refuseUnclearDay, spokenDate } from './spoken-days.js';
import { shiftDay, unixOf, type WallTime, type Zone } from './zones.js';

const LATEST = 253_402_300_799; // the last second of the year 9999

export interface WhenContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly zone: Zone;
  /** A date alone means the first second of its day for `start`, the last for `end`. */
  readonly edge: 'start' | 'end';
  /** The option being read, for errors. */
  readonly option: string;
  /** Which way to look for the year of a day or month given without one; `back` by default. */
  readonly look?: YearDirection;
}

/** Parses a `<when>` (command-line.md#lists) to unix seconds; throws a usage error that lists the accepted forms. */
export function parseWhen(text: string, context: WhenContext): number {
  refuseUnclearDay(text, context.now, context.zone, context.look ?? 'back', context.option);
  const value = spokenDate(text, context.now, context.zone, context.look)?.iso ?? text.trim();
  const word = value.toLowerCase();
  if (word === 'now') return seconds(context.now);
  const period = namedPeriod(value, context.now, context.zone);
  if (period) return periodEdge(period, context);
  refuseBareM(value, context.option);
  const ago = spanBehind(value);
  if (ago) return before(seconds(context.now), ago, context.zone);
  const coming = spanAhead(value);
  if (coming) return notLater(ahead(seconds(context.now), coming, context.zone), text, context);
  const stretch = stretchOf(value);
  if (stretch) return stretchEdge(stretch, text, context);
  // As unix seconds, a date without dashes would fall in 1970, which nobody means.
  if (/^(?:19|20)\d{6}$/.test(value))
    throw wrongOption(context.option, `"${text}" could be a date or unix seconds.`, 'Write a date as 2026-01-31.');
  // A number with few digits is more likely a span without its unit.
  if (/^(?:0|\d{7,12})$/.test(value) && Number(value) <= LATEST) return Number(value);
  const date = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  if (date) {
    const first = checkedWall(date, value, context);
    return periodEdge({ first, next: shiftDay(first, 1) }, context);
  }
  const local = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2}))?$/.exec(value);
  if (local) return unixOf(checkedWall(local, value, context), context.zone);
  const rfc = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|z|[+-]\d{2}:\d{2})$/.exec(value);
  if (rfc) {
    checkedWall(rfc, value, context);
    const ms = Date.parse(value.replace(' ', 'T').toUpperCase());
    if (!Number.isNaN(ms)) return seconds(ms);
  }
  throw wrongOption(
    context.option,
    `"${text}" is not a date or time that cops understands.`,
    'Write 2026-01-31, 2026-01-31T10:00, 2026-01, 2026-Q1, 2026, an RFC 3339 time, unix seconds, now, today, yesterday, last month, next month, september, 15 december, friday, the 15th, the 15th of next month, end of month, this week, a span ago such as 90d, or one ahead such as +7d.',
  );
}

/** `next 7 days` begins now, `last 7 days` ends now. */
function stretchEdge(
  { span, isAhead }: NonNullable<ReturnType<typeof stretchOf>>,
  text: string,
  context: WhenContext,
): number {
  const now = seconds(context.now);
  if ((context.edge === 'end') !== isAhead) return now;
  return isAhead ? notLater(ahead(now, span, context.zone), text, context) : before(now, span, context.zone);
}

function notLater(unix: number, text: string, { option }: WhenContext): number {
  if (unix <= LATEST) return unix;
  throw wrongOption(option, `"${text}" is later than the year 9999.`);
}

function checkedWall(match: RegExpExecArray, text: string, context: WhenContext): WallTime {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match
    .slice(1, 7)
    .map((part) => Number(part ?? 0));
  const real = new Date(Date.UTC(year, month - 1, day));
  const exists =
    real.getUTCFullYear() === year &&
    real.getUTCMonth() === month - 1 &&
    real.getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60;
  if (!exists || year < 1970) throw wrongOption(context.option, `"${text}" is not a day or time that exists.`);
  return { year, month, day, hour, minute, second };
}

/** The first or last second of a calendar period. */
const periodEdge = ({ first, next }: CalendarPeriod, { edge, zone }: WhenContext): number =>
  edge === 'start' ? unixOf(first, zone) : unixOf(next, zone) - 1;

const seconds = (ms: number): number => Math.floor(ms / 1000);
