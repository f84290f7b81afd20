import { usage } from '../errors/errors.js';
import { namedMonth } from './month-names.js';
import { namedPeriod } from './periods.js';
import { before, parseSpan, refuseBareM, type Span } from './spans.js';
import { isoTime } from './units.js';
import { parseWhen } from './when.js';
import { unixOf, type Zone } from './zones.js';

/** A range in unix seconds, inclusive at both ends. */
export interface TimeRange {
  readonly from: number;
  readonly to: number;
}

/** The options that give a range: at most one of the last five, and none of those together with `from` or `to`. */
export type RangeOptions = { readonly [Name in (typeof NAMES)[number]]?: string | undefined };

/** Default span of a date-ranged list (command-line.md#lists). */
export const DEFAULT_SPAN = '30d';

const NAMES = ['from', 'to', 'last', 'week', 'month', 'quarter', 'year'] as const;

/** The range values as typed. */
export const rangeTexts = (options: RangeOptions): string[] => NAMES.flatMap((name) => options[name] ?? []);

/** The given range options as typed: `--last 30d`. */
export const rangeWords = (options: RangeOptions): string[] =>
  NAMES.flatMap((name) => (options[name] === undefined ? [] : [`--${name} ${options[name]}`]));

/** The same as separate arguments. */
export const rangeArguments = (options: RangeOptions): string[] =>
  NAMES.flatMap((name) => (options[name] === undefined ? [] : [`--${name}`, String(options[name])]));

/**
 * The range that `--from`, `--to`, `--last`, `--week`, `--month`, `--quarter` and `--year` mean. Without an end it ends at `now`
 * (milliseconds). `assumed` is true where the default span applies. Throws a usage error for contradictions.
 */
export function resolveRange(
  options: RangeOptions,
  now: number,
  zone: Zone,
): TimeRange & { readonly assumed: boolean } {
  checkTogether(options);
  const period = periodIn(options, now, zone);
  if (period) return { ...period, assumed: false };
  const to =
    options.to === undefined
      ? Math.floor(now / 1000)
      : parseWhen(options.to, { now, zone, edge: 'end', option: '--to' });
  const assumed = options.from === undefined && options.last === undefined;
  const from =
    options.from !== undefined
      ? parseWhen(options.from, { now, zone, edge: 'start', option: '--from' })
      : before(to, lastSpan(options.last ?? DEFAULT_SPAN), zone);
  if (from > to) {
    throw usage(
      `The range is empty: it starts (${isoTime(from)}) after it ends (${isoTime(to)}).`,
      'Check --from and --to; a date alone means its first second in --from and its last in --to.',
    );
  }
  return { from: Math.max(0, from), to, assumed };
}

/**
 * The number of months in a span written with `m`, for places where minutes make no sense; undefined for other spans.
 */
export function monthsIn(last: string | undefined): string | undefined {
  const months = /^\s*(\d{1,3}) ?m\s*$/i.exec(last ?? '')?.[1];
  return months && `${months}mo`;
}

function lastSpan(text: string): Span {
  refuseBareM(text, '--last');
  return parseSpan(text, '--last');
}

function checkTogether(options: RangeOptions): void {
  const whole = (['last', 'week', 'month', 'quarter', 'year'] as const).filter((name) => options[name] !== undefined);
  const [first, second] = whole;
  if (second !== undefined) throw usage(`--${first} and --${second} cannot be combined.`);
  const ends = (['from', 'to'] as const).filter((name) => options[name] !== undefined);
  const clash = first === 'last' ? ends.find((name) => name === 'from') : ends[0];
  if (first !== undefined && clash !== undefined)
    throw usage(`--${first} and --${clash} cannot be combined.`, `Give --${first}, or --from and --to.`);
}

/** A period relative to today: `last`, or in full `last month`. */
const RELATIVE = /^(last|this|previous|current|next)(?:[ -](week|month|quarter|year))?$/i;

const FORMS = { week: '2026-W48', month: '2026-09, september', quarter: '2026-Q3', year: '2026' } as const;
const WHOLE = { week: /w/i, month: /^\d{4}-\d{2}$/, quarter: /q/i, year: /^\d{4}$/ } as const;

/** The calendar period given by its own option, or as `--last month`. */
function periodIn(options: RangeOptions, now: number, zone: Zone): TimeRange | undefined {
  const { last } = options;
  // `--last september` means that month.
  const named = last === undefined || options.to !== undefined ? undefined : namedMonth(last, now, zone);
  if (named) return edges(named.iso, now, zone);
  if (last !== undefined && options.to === undefined && /^(?:week|month|quarter|year)$/i.test(last.trim()))
    return edges(`last ${last.trim()}`, now, zone);
  for (const unit of ['week', 'month', 'quarter', 'year'] as const) {
    const typed = options[unit]?.trim();
    if (typed === undefined) continue;
    const text = namedMonth(typed, now, zone)?.iso ?? typed;
    const [, which, of = unit] = RELATIVE.exec(text) ?? [];
    const isRelative = which !== undefined && of.toLowerCase() === unit;
    const word = isRelative ? `${which} ${unit}` : text;
    const range = isRelative || WHOLE[unit].test(text) ? edges(word, now, zone) : undefined;
    if (range) return range;
    throw usage(`--${unit}: "${text}" is not a ${unit}.`, `Write ${FORMS[unit]}, last, this or next.`);
  }
  return undefined;
}

function edges(text: string, now: number, zone: Zone): TimeRange | undefined {
  const period = namedPeriod(text, now, zone);
  if (!period) return undefined;
  return { from: unixOf(period.first, zone), to: unixOf(period.next, zone) - 1 };
}
