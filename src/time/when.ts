import { usage } from '../errors/errors.js';
import { type Period, periodOf } from './periods.js';
import { momentOf, monthsBefore, shiftDay, type WallTime, wallTime, type Zone } from './zones.js';

/** A length of time as it is typed: `12h`, `30d`, `6w`, `3mo`, `1q`, `1y`, `30 days`. */
export interface Span {
  readonly count: number;
  readonly unit: 's' | 'm' | 'h' | 'd' | 'w' | 'mo' | 'q' | 'y';
}

/** Seconds of the units that have a length of their own. */
export const SECONDS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const;
/** Months of the units that go by the calendar. */
export const MONTHS = { mo: 1, q: 3, y: 12 } as const;
const LATEST = 253_402_300_799; // the last second of the year 9999

const UNITS: Readonly<Record<string, Span['unit']>> = Object.fromEntries(
  (
    [
      ['s', 'sec second seconds'],
      ['m', 'min minute minutes'],
      ['h', 'hour hours'],
      ['d', 'day days'],
      ['w', 'week weeks'],
      ['mo', 'month months'],
      ['q', 'quarter quarters'],
      ['y', 'year years'],
    ] as const
  ).flatMap(([unit, words]) => [unit, ...words.split(' ')].map((word) => [word, unit])),
);

/** The span that a text is, or undefined. */
function spanIn(text: string): Span | undefined {
  const match = /^(\d{1,6}) ?([a-z]{1,8})$/.exec(text.trim().toLowerCase());
  const unit = match && Object.hasOwn(UNITS, match[2] ?? '') ? UNITS[match[2] ?? ''] : undefined;
  return unit === undefined || Number(match?.[1]) === 0 ? undefined : { count: Number(match?.[1]), unit };
}

/** Reads a span; throws a usage error that names the option. */
export function parseSpan(text: string, option: string): Span {
  const span = spanIn(text);
  if (span) return span;
  throw usage(
    `${option}: "${text}" is not a span of time.`,
    'Write a number above zero and a unit: 12h, 30d, 6w, 3mo, 1q or 1y.',
  );
}

/** The unix second that lies a span before another, months and years by the calendar of the zone. */
export function before(unix: number, span: Span, zone: Zone): number {
  if (span.unit === 'mo' || span.unit === 'q' || span.unit === 'y') {
    const wall = wallTime(unix * 1000, zone);
    return seconds(momentOf(monthsBefore(wall, span.count * MONTHS[span.unit]), zone));
  }
  return unix - span.count * SECONDS[span.unit];
}

export interface WhenContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly zone: Zone;
  /** A date alone is the start of its day for `start`, its last second for `end`. */
  readonly edge: 'start' | 'end';
  /** The option that is read, for errors. */
  readonly option: string;
}

/** Reads a `<when>` (command line, section 4) as unix seconds; throws a usage error with all accepted forms. */
export function parseWhen(text: string, context: WhenContext): number {
  const value = text.trim();
  const word = value.toLowerCase();
  if (word === 'now') return seconds(context.now);
  const period = periodOf(value, context.now, context.zone);
  if (period) return periodEdge(period, context);
  const ago = spanIn(value.replace(/ ago$/i, ''));
  if (ago) return before(seconds(context.now), ago, context.zone);
  // A date without its dashes would be a second of the year 1970: nobody means that one.
  if (/^(?:19|20)\d{6}$/.test(value)) {
    throw usage(`${context.option}: "${text}" could be a date or unix seconds.`, 'Write a date as 2026-01-31.');
  }
  // Few digits are rather a span without its unit.
  if (/^(?:0|\d{7,12})$/.test(value) && Number(value) <= LATEST) return Number(value);
  const date = /^(\d{4})-(\d{2})-(\d{2})$/.exec(value);
  if (date) return dayEdge(checkedWall(date, value, context), context);
  const local = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2})(?::(\d{2}))?$/.exec(value);
  if (local) return seconds(momentOf(checkedWall(local, value, context), context.zone));
  const rfc = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d+)?)?(Z|z|[+-]\d{2}:\d{2})$/.exec(value);
  if (rfc) {
    checkedWall(rfc, value, context);
    const ms = Date.parse(value.replace(' ', 'T').toUpperCase());
    if (!Number.isNaN(ms)) return seconds(ms);
  }
  throw usage(
    `${context.option}: "${text}" is not a moment that cops knows.`,
    'Write 2026-01-31, 2026-01-31T10:00, 2026-01, 2026-Q1, 2026, an RFC 3339 time, unix seconds, now, today, yesterday, last month, this week, or a span ago such as 90d.',
  );
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
  if (!exists || year < 1970) throw usage(`${context.option}: "${text}" is not a day or time that exists.`);
  return { year, month, day, hour, minute, second };
}

/** The first or last second of a calendar period. */
function periodEdge({ first, next }: Period, { edge, zone }: WhenContext): number {
  return edge === 'start' ? seconds(momentOf(first, zone)) : seconds(momentOf(next, zone)) - 1;
}

function dayEdge(day: WallTime, context: WhenContext): number {
  const midnight = { ...day, hour: 0, minute: 0, second: 0 };
  if (context.edge === 'start') return seconds(momentOf(midnight, context.zone));
  return seconds(momentOf(shiftDay(midnight, 1), context.zone)) - 1;
}

function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}
