import { usage } from '../../base/errors/errors.js';
import { looksAhead } from '../../base/time/month-names.js';
import { type CalendarUnit, midnight, moved, startOf } from '../../base/time/periods.js';
import { ahead, before, MONTHS, type Span, spanIn } from '../../base/time/spans.js';
import { parseWhen } from '../../base/time/when.js';
import { shiftDay, unixOf, wallTime, type Zone } from '../../base/time/zones.js';
import { LEAF_TYPES, type LeafType, SPAN_SECONDS } from '../../catalogue/leaf-types.js';
import type { SpanUnit } from '../../catalogue/types.js';
import { countryCode, severalCountries } from '../../catalogue/value-formats.js';
import { plain } from '../json/lossless.js';
import { asMeant } from '../text/typed-value.js';
import { amountFault } from './amounts.js';
import { compareNumbers, isNumber } from './decimals.js';
import { fold } from './fold.js';
import type { Scalar } from './values.js';

/** The clock for reading time expressions. */
export interface ReadingClock {
  /** In milliseconds. */
  readonly now: number;
  readonly zone: Zone;
}

/** How a value compares to the operand; undefined for a value that does not have its field's type. */
export type Against = (value: Exclude<Scalar, null>) => number | undefined;

/** The operand of a comparison, and where it was typed. */
export interface Operand {
  readonly path: string;
  readonly operand: string;
  readonly moment: ReadingClock;
  readonly unit: SpanUnit | undefined;
  /** What an error begins with: `--where "amount>x"`. */
  readonly says: string;
}

/**
 * Compares a field's values with the operand from the command line, by the field's type.
 *
 * @throws CopsError `usage` for an operand that the type does not accept
 */
export function against(type: LeafType, asked: Operand): Against {
  const { operand, moment } = asked;
  switch (type) {
    case 'instant':
    case 'day':
    case 'month':
      return againstSpan(stretchOf(type, asked), moment.zone, type);
    case 'money':
    case 'count':
    case 'share':
    case 'span': {
      const number = numberAsked(type, asked);
      return (value) => ifNumber(textOf(value), (text) => compareNumbers(text, number));
    }
    case 'country': {
      const wanted = countryCode(operand);
      if (wanted === undefined) throw wrongOperand(type, asked);
      return againstCountry(wanted);
    }
    case 'flag': {
      const wanted = truth(operand);
      if (wanted === undefined) throw wrongOperand(type, asked);
      return (value) => {
        const told = truth(textOf(value));
        return told === undefined ? undefined : Number(told) - Number(wanted);
      };
    }
    default: {
      const folded = fold(operand);
      // Quotes and spaces around a pasted value are ignored, unless the items contain them too.
      const meant = asMeant(operand);
      const foldedMeant = fold(meant);
      return (value) => {
        const order = compareWords(textOf(value), operand, folded);
        if (order === 0 || meant === operand) return order;
        return compareWords(textOf(value), meant, foldedMeant) === 0 ? 0 : order;
      };
    }
  }
}

/** The error for an operand that values of a type cannot be compared with. */
export function wrongOperand(type: LeafType, { says, path, operand }: Operand): Error {
  const { takes, sums } = LEAF_TYPES[type];
  const several = type === 'country' ? severalCountries(operand, path) : undefined;
  const isNot = sums || type === 'share' ? 'is not a number' : `does not fit ${path}`;
  const written = type === 'money' ? ` Write ${path}>1000.50, or for one currency ${path}>1000.50 USD.` : '';
  const share = /^([\d.]+)\s*%/.exec(operand)?.[1];
  const ofField = sums && share !== undefined ? ` For a share of another field: '${path}>${share}% of {amount}'.` : '';
  return usage(`${says}: "${operand}" ${isNot}.`, several ?? `${path} takes ${takes}.${written}${ofField}`);
}

/** The values between two moments in unix seconds, inclusive. */
export function againstSpan({ start, end }: Stretch, zone: Zone, type: LeafType = 'instant'): Against {
  return (value) => {
    const held = stretchIn(type, textOf(value), zone);
    if (held === undefined) return undefined;
    return held.end < start ? -1 : held.start > end ? 1 : 0;
  };
}

/** First and last unix second. */
interface Stretch {
  readonly start: number;
  readonly end: number;
}

function stretchOf(type: LeafType, asked: Operand): Stretch {
  const { path, operand, moment, says } = asked;
  const month = type === 'month' ? monthIn(operand) : undefined;
  if (month) return monthStretch(month, moment.zone);
  const look = looksAhead(path) ? 'ahead' : 'back';
  const at = (edge: 'start' | 'end'): number => parseWhen(operand, { ...moment, edge, option: says, look });
  return { start: at('start'), end: at('end') };
}

/** How a day compares with months; undefined if the day's month is included, as people expect. */
export function saidOfMonth(asked: Operand, operator: string): string | undefined {
  const { path, operand, moment } = asked;
  const { start, end } = stretchOf('month', asked);
  const { year, month } = wallTime(start * 1000, moment.zone);
  const whole = monthStretch({ year, month }, moment.zone);
  const isLast = end === whole.end;
  if (end > whole.end || (isLast && start === whole.start)) return undefined;
  if (operator === '>=' || operator === '!=' || (operator === '>' ? !isLast : isLast && operator !== '<'))
    return undefined;
  const name = `${year}-${String(month).padStart(2, '0')}`;
  const sign = operator === '=' ? '=' : `${operator[0]}=`;
  return `${path}${operator}${operand}: a month lasts until its last day, so ${name} is not included. With it: ${path}${sign}${name}`;
}

function stretchIn(type: LeafType, text: string, zone: Zone): Stretch | undefined {
  if (type === 'month') {
    const month = monthIn(text);
    const end = month && monthStretch(month, zone).end;
    // A value valid until a month ends with that month.
    return end === undefined ? undefined : { start: end, end };
  }
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(text) ?? [];
  if (year !== undefined) {
    const first = { year: Number(year), month: Number(month), day: Number(day), hour: 0, minute: 0, second: 0 };
    return { start: unixOf(first, zone), end: unixOf({ ...first, hour: 23, minute: 59, second: 59 }, zone) };
  }
  const unix = type === 'day' ? undefined : secondsOf(text);
  return unix === undefined ? undefined : { start: unix, end: unix };
}

type Month = NonNullable<ReturnType<typeof monthIn>>;

/** `12/28`, `12/2028` or `2028-12`. */
export function monthIn(text: string) {
  const said = /^(\d{1,2})\s*[/-]\s*((?:20)?\d\d)$/.exec(text.trim());
  const iso = said ? undefined : /^(\d{4})-(\d\d)$/.exec(text.trim());
  const [month, year] = said ? [Number(said[1]), Number(said[2])] : [Number(iso?.[2]), Number(iso?.[1])];
  if (!(month >= 1 && month <= 12)) return undefined;
  return { year: year < 100 ? 2000 + year : year, month };
}

function monthStretch({ year, month }: Month, zone: Zone): Stretch {
  const first = { year, month, day: 1, hour: 0, minute: 0, second: 0 };
  const next = month === 12 ? { ...first, year: year + 1, month: 1 } : { ...first, month: month + 1 };
  return { start: unixOf(first, zone), end: unixOf(next, zone) - 1 };
}

/** Unix seconds of a moment; undefined for text that is not one. The service writes 0 for "none". */
export function secondsOf(text: string): number | undefined {
  if (/^-?\d+(\.\d+)?$/.test(text)) return Number(text) === 0 ? undefined : Number(text);
  const ms = /^\d{4}-\d{2}-\d{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000);
}

/** The number in the operand; a span with its own unit is converted to the field's unit. */
function numberAsked(type: LeafType, asked: Operand): string {
  const { path, operand, unit, says } = asked;
  const unclear = type === 'money' ? amountFault(operand) : undefined;
  if (unclear !== undefined) throw usage(`${says}: ${unclear}.`, `For one currency: ${path}>1000.50 USD.`);
  if (isNumber(operand)) return operand;
  const span = type === 'span' ? spanIn(operand) : undefined;
  if (span === undefined || Object.hasOwn(MONTHS, span.unit)) throw wrongOperand(type, asked);
  const seconds = span.count * LENGTHS[span.unit as keyof typeof LENGTHS];
  return String(seconds / SPAN_SECONDS[unit ?? 's']);
}

const LENGTHS = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 } as const;

const ifNumber = (text: string, then: (text: string) => number): number | undefined =>
  isNumber(text) ? then(text) : undefined;

function againstCountry(wanted: string): Against {
  const known = new Map<string, string | undefined>();
  return (value) => {
    const text = textOf(value);
    if (!known.has(text)) known.set(text, countryCode(text));
    const code = known.get(text);
    return code === undefined ? undefined : compareTexts(code, wanted);
  };
}

/** Ids are case-sensitive; words that people type are not. */
const ID = /^\w{20}$/;

/** A form that equal texts share. */
export const foldedWord = (text: string): string => (ID.test(text) ? text : fold(text));

function compareWords(value: string, operand: string, folded: string): number {
  if (value === operand) return 0;
  if (ID.test(value)) return compareTexts(value, operand);
  if (isPlainNumber(value) && isPlainNumber(operand) && compareNumbers(value, operand) !== 0)
    return compareNumbers(value, operand);
  const own = fold(value);
  return own === folded ? 0 : own < folded ? -1 : 1;
}

/** True for text that can only be a number: no exponent, no id of many digits. */
export const isPlainNumber = (text: string): boolean => /^-?\d{1,18}(?:\.\d{1,10})?$/.test(text);

/** Parses a word for true or false; undefined for any other. */
export function truth(word: string): boolean | undefined {
  if (/^(?:true|yes|1)$/i.test(word)) return true;
  return /^(?:false|no|0)$/i.test(word) ? false : undefined;
}

/** Alphabetical order, ignoring case and accents first; texts that differ only in those are ordered too. */
export function compareTexts(a: string, b: string): number {
  const [foldedA, foldedB] = [fold(a), fold(b)];
  if (foldedA !== foldedB) return foldedA < foldedB ? -1 : 1;
  return a === b ? 0 : a < b ? -1 : 1;
}

const textOf = (value: Exclude<Scalar, null>): string => plain(value) ?? '';

/**
 * The order of two values of one type. Values that do not have the type come last, alphabetically, so that the order is
 * total.
 */
export function compareAs(type: LeafType | undefined, a: Exclude<Scalar, null>, b: Exclude<Scalar, null>): number {
  const [left, right] = [rankOf(type, textOf(a)), rankOf(type, textOf(b))];
  if (left === undefined || right === undefined)
    return left === right ? compareTexts(textOf(a), textOf(b)) : left === undefined ? 1 : -1;
  const order = isNumber(left) && isNumber(right) ? compareNumbers(left, right) : compareTexts(left, right);
  return type === 'text' || type === undefined ? order || compareTexts(textOf(a), textOf(b)) : order;
}

/**
 * How a value compares to one of another field; undefined where either does not have its field's type.
 *
 * @throws RangeError for types that cannot be compared with each other (`areLike`)
 */
export function compareFields(a: TypedValue, b: TypedValue, { zone, shift, grain }: TimeChange): number | undefined {
  const [left, right] = [textOf(a.value), textOf(b.value)];
  if (MOMENTS.has(a.type)) {
    const held = stretchIn(a.type, left, zone);
    const unshifted = stretchIn(b.type, right, zone);
    const shifted = unshifted && shift ? shiftedStretch(unshifted, shift, zone) : unshifted;
    const other = shifted && grain ? wholePeriod(shifted, grain, zone) : shifted;
    if (held === undefined || other === undefined) return undefined;
    return held.end < other.start ? -1 : held.start > other.end ? 1 : 0;
  }
  if (a.type === 'text' || a.type === 'id') return compareWords(left, right, fold(right));
  const [rank, otherRank] = [rankOf(a.type, left), rankOf(b.type, right)];
  if (rank === undefined || otherRank === undefined) return undefined;
  return isNumber(rank) && isNumber(otherRank) ? compareNumbers(rank, otherRank) : compareTexts(rank, otherRank);
}

/** How the other field's times change before they are compared. */
interface TimeChange {
  readonly zone: Zone;
  readonly shift?: Shift | undefined;
  readonly grain?: CalendarUnit | undefined;
}

/** The calendar periods that a range touches. */
function wholePeriod({ start, end }: Stretch, grain: CalendarUnit, zone: Zone): Stretch {
  const first = (unix: number) => startOf(midnight(wallTime(unix * 1000, zone)), grain);
  return { start: unixOf(first(start), zone), end: unixOf(moved(first(end), grain, 1), zone) - 1 };
}

/** A span to add to a time, or subtract from it. */
export interface Shift {
  readonly span: Span;
  readonly isBack: boolean;
}

/** A range moves by calendar days of the zone, so that a day stays a day where clocks change. */
function shiftedStretch({ start, end }: Stretch, { span, isBack }: Shift, zone: Zone): Stretch {
  const isDays = start !== end && (span.unit === 'd' || span.unit === 'w');
  const days = span.count * (span.unit === 'w' ? 7 : 1) * (isBack ? -1 : 1);
  const move = (unix: number): number =>
    isDays ? unixOf(shiftDay(wallTime(unix * 1000, zone), days), zone) : (isBack ? before : ahead)(unix, span, zone);
  return { start: move(start), end: move(end) };
}

/** A value with the type of its field. */
export interface TypedValue {
  readonly value: Exclude<Scalar, null>;
  readonly type: LeafType;
}

const MOMENTS: ReadonlySet<LeafType> = new Set(['instant', 'day', 'month']);

/** True for types whose values are times. */
export const isMoment = (type: LeafType): boolean => MOMENTS.has(type);

/** True for types whose values are compared with each other. */
export const areLike = (a: LeafType, b: LeafType): boolean => a === b || (MOMENTS.has(a) && MOMENTS.has(b));

/**
 * A canonical form of a value, the same for all equal values of a type; undefined for one that does not have the type.
 */
export function rankOf(type: LeafType | undefined, text: string): string | undefined {
  switch (type) {
    case 'instant':
    case 'day':
      return secondsOf(text)?.toString();
    case 'month': {
      const month = monthIn(text);
      return month && String(month.year * 12 + month.month);
    }
    case 'money':
    case 'count':
    case 'share':
    case 'span':
      return isNumber(text) ? text : undefined;
    case 'country':
      return countryCode(text);
    case 'flag':
      return truth(text) === undefined ? undefined : String(Number(truth(text)));
    case 'id':
      return text;
    default:
      return isPlainNumber(text) ? text : undefined;
  }
}
