import { CopsError, type Fault } from '../../base/errors/errors.js';
import { looksAhead } from '../../base/time/month-names.js';
import { midnight } from '../../base/time/periods.js';
import { after, type Span, spanAhead, spanBehind, spanIn, stretchOf } from '../../base/time/spans.js';
import { spokenDate } from '../../base/time/spoken-days.js';
import { isoTime } from '../../base/time/units.js';
import { parseWhen } from '../../base/time/when.js';
import { unixOf, wallTime, type Zone } from '../../base/time/zones.js';
import { bodyFieldAt, typedFields, typeName } from '../../catalogue/body-fields.js';
import type { Field, Operation } from '../../catalogue/types.js';
import { countryCode, formatFault } from '../../catalogue/value-formats.js';
import {
  isForbiddenName,
  isNumberText,
  isObject,
  NumberText,
  ownMember,
  pathText,
  type Tree,
  type TreeObject,
  valueAt,
  walk,
} from '../../items/json/tree.js';
import { minorDigits } from '../../items/schema/types.js';
import { amountFault, exponentFault, spokenSum } from '../../items/select/amounts.js';

/** One step of a path: a name, an index, or `append` for `[]`. */
export type PathStep = string | number | { readonly append: true };

/** Largest list index: no list of the service is nearly that long. */
const MAX_INDEX = 9_999;
const MAX_STEPS = 50;

/** A path or place that cannot be set. Its message is for the operator and never contains a value. */
export class PathFault extends Error {
  override readonly name = 'PathFault';
}

/** How to read the text after the sign: `=` by the field's type, `:=` as JSON. */
export type Assignment = ReturnType<typeof parseAssignment>;

/** Parses `path=value` or `path:=json`. Throws {@link PathFault}. */
export function parseAssignment(text: string) {
  const equals = text.indexOf('=');
  if (equals < 0) {
    const hint = text.startsWith('@') ? '; a whole body comes with --body @file' : '';
    throw new PathFault(`path=value is expected, but there is no "="${hint}`);
  }
  const json = text[equals - 1] === ':';
  const path = text.slice(0, json ? equals - 1 : equals);
  return { path, steps: parsePath(path), json, value: text.slice(equals + 1) };
}

/** Parses `rates[0].rate`, `customer.email` or `tags[]`. Throws {@link PathFault}. */
export function parsePath(path: string): PathStep[] {
  const steps: PathStep[] = [];
  const token = /([^.[\]\s"'=:]+)|\[(\d*)\]|(\.)/y;
  let nameNext = true;
  while (token.lastIndex < path.length) {
    const at = token.lastIndex;
    const found = token.exec(path);
    if (!found) throw new PathFault(`"${shown(path)}" is not a path: unexpected character ${at + 1}`);
    const [, name, index, dot] = found;
    if (name !== undefined) {
      if (!nameNext) throw new PathFault(`"${shown(path)}" is not a path: a dot is missing before character ${at + 1}`);
      if (isForbiddenName(name)) throw new PathFault(`the name ${name} is not allowed`);
      steps.push(name);
      nameNext = false;
    } else if (dot !== undefined) {
      if (nameNext) throw new PathFault(`"${shown(path)}" is not a path: a name is missing at character ${at + 1}`);
      nameNext = true;
    } else {
      if (nameNext) throw new PathFault(`"${shown(path)}" is not a path: a name is missing before "["`);
      steps.push(indexStep(index ?? ''));
    }
  }
  if (nameNext) throw new PathFault(path === '' ? 'the path before "=" is empty' : `"${shown(path)}" ends with a dot`);
  if (steps.length > MAX_STEPS) throw new PathFault('the path is too deep');
  return steps;
}

function indexStep(digits: string): PathStep {
  if (digits === '') return { append: true };
  const index = Number(digits);
  if (index > MAX_INDEX) throw new PathFault(`the index ${digits.slice(0, 12)} is too large (at most ${MAX_INDEX})`);
  return index;
}

function shown(path: string): string {
  return path.length > 60 ? `${path.slice(0, 60)}…` : path;
}

/**
 * Sets a value at a path, in place, creating whatever is missing on the way. A list may be filled in any order;
 * {@link holesOf} finds the holes that remain. Returns the concrete path. Throws {@link PathFault} where the path
 * crosses a value that is neither an object nor a list.
 */
export function setAt(root: TreeObject, steps: readonly PathStep[], value: Tree): (string | number)[] {
  const parts: (string | number)[] = [];
  let place: Tree = root;
  for (const [position, step] of steps.entries()) {
    const last = position === steps.length - 1;
    const key: string | number = typeof step === 'object' ? (Array.isArray(place) ? place.length : 0) : step;
    const fits = typeof key === 'number' ? Array.isArray(place) : isObject(place);
    if (!fits) {
      const wanted = typeof key === 'number' ? 'a list' : 'an object';
      throw new PathFault(`${pathText(parts)} was already given, but not as ${wanted}`);
    }
    const holder = place as Record<string | number, Tree>;
    parts.push(key);
    if (last) {
      holder[key] = value;
      return parts;
    }
    const current: Tree | undefined = Object.hasOwn(holder, key) ? holder[key] : undefined;
    if (current === undefined || current === null) {
      const next = typeof steps[position + 1] === 'string' ? {} : [];
      holder[key] = next;
      place = next;
    } else {
      place = current;
    }
  }
  return parts;
}

/** Up to this many missing places in a row are listed one by one. */
const LONG_HOLE = 10;

/** Paths of list places never set: `rates[0]`, or `rates[0] to rates[98]` for a long run. */
export function holesOf(root: Tree): string[] {
  const holes: string[] = [];
  const step = (value: Tree, parts: readonly (string | number)[]): void => {
    if (Array.isArray(value)) {
      let from = 0;
      const hole = (end: number): void => {
        const at = (index: number) => pathText([...parts, index]);
        if (end - from > LONG_HOLE) holes.push(`${at(from)} to ${at(end - 1)}`);
        else for (let index = from; index < end; index += 1) holes.push(at(index));
        from = end + 1;
      };
      // `forEach` visits only the places that were set.
      value.forEach((element, index) => {
        if (element === undefined) return;
        hole(index);
        step(element, [...parts, index]);
      });
      hole(value.length);
    } else if (isObject(value)) {
      for (const [name, member] of Object.entries(value)) step(member, [...parts, name]);
    }
  };
  step(root, []);
  return holes;
}

/** A text that cannot become a value of its field; the message never repeats the text, which may be secret. */
export class ValueFault extends Error {
  override readonly name = 'ValueFault';
}

/**
 * The value that a command-line text means for a field: strings stay strings (`007`), numbers keep their digits, `null`
 * is null only where the field may be null. Without a known field it is a string. Throws {@link ValueFault}.
 * @param digits of the amount's currency, where known
 */
export function typedValue(field: Field | undefined, text: string, path: string, digits?: number): Tree {
  if (!field || field.type === 'any') return text;
  if (text === 'null' && field.nullable) return null;
  switch (field.type) {
    case 'string':
      return field.format === 'country' ? (countryCode(text) ?? text) : text;
    case 'boolean':
      if (text === 'true' || text === 'false') return text === 'true';
      throw new ValueFault('true or false is expected');
    case 'integer':
    case 'number': {
      const sum = field.means === 'money' ? spokenSum(text, digits) : undefined;
      const number = sum?.text ?? text;
      const fault =
        field.means === 'money' || field.type === 'integer'
          ? amountOrCount(field, number, digits)
          : exponentFault(text);
      if (fault !== undefined) throw new ValueFault(fault);
      if (!isNumberText(number)) {
        if (field.means === 'money' && /^(?:[\d.]+\s*%|half)$/i.test(text))
          throw new ValueFault(
            'an amount is expected (such as 10.00): a percentage works only in the refund of a single item',
          );
        const form =
          field.type === 'integer' ? 'digits only, such as 42' : 'digits with a decimal point, such as 10.00';
        throw new ValueFault(`${typeName(field.type)} is expected (${form})`);
      }
      return new NumberText(number, sum?.currencies);
    }
    case 'array':
      if (field.oneOk && field.items) return typedValue(field.items, text, path);
      // A single value becomes a list of one; text in brackets was meant as a JSON list.
      if (field.items && takesText(field.items) && !/^\s*[[{]/.test(text)) return [typedValue(field.items, text, path)];
      throw new ValueFault(`is a list: add one element with ${path}[]=..., or give it whole with ${path}:='[...]'`);
    case 'object': {
      // A reference that is an object with an id can be given by the id alone, or by a name.
      if (field.fields?.id?.format === 'id' && !/^\s*[[{]/.test(text)) return { id: text };
      const member = Object.keys(field.fields ?? {})[0] ?? 'name';
      throw new ValueFault(`is an object: set ${path}.${member}=..., or give it whole with ${path}:='{...}'`);
    }
  }
}

/** True for elements that are written as a single text. */
function takesText({ type, fields }: Field): boolean {
  return fields?.id?.format === 'id' || !['any', 'array', 'object'].includes(type);
}

/** A whole number has no fraction, so `1.000` does not mean 1 there either. */
function amountOrCount({ type }: Field, text: string, digits: number | undefined): string | undefined {
  if (type === 'integer') return /[.,]\d{3}$/.test(text) ? amountFault(text, 0) : exponentFault(text);
  return amountFault(text, digits);
}

/** True when a text for an unknown field looks like something other than a string, which deserves a note. */
export function looksLikeJson(text: string): boolean {
  return text === 'true' || text === 'false' || text === 'null' || isNumberText(text) || /^[[{]/.test(text);
}

/** The clock for reading dates in a body. */
export interface BodyClock {
  /** In milliseconds. */
  readonly now: number;
  readonly zone: Zone;
}

/** True for a field whose value is a moment: it accepts dates as people write them. */
export function takesMoment(field: Field | undefined): boolean {
  return field?.format === 'date-time' || field?.format === 'unix';
}

/** True for a body with a field that takes a moment. */
export function hasMoments(operation: Operation): boolean {
  const any = (fields: Readonly<Record<string, Field>>): boolean =>
    Object.values(fields).some((field) => takesMoment(field) || any(field.fields ?? field.items?.fields ?? {}));
  return any(typedFields(operation));
}

/** Names of fields that hold the end of a period: a day given there is included. */
const ENDS = /(?:^|[._])(?:ends?|expir\w*|until|last_day)(?:$|_)/;

/**
 * The moment that a text means where the service wants one: the first second of `2026-12-21`, `2026-12`, `tomorrow` or
 * `next month` in the zone in use, or of the day that `+7d` or `in 7 days` leads to, and the last second of it for a
 * field that is an end; RFC 3339 in UTC or unix seconds, as the field's format requires. Undefined for text that is a
 * moment already, or not a date: a span such as `30d` looks back, which makes no sense in a body.
 */
export function instantOf(
  field: Field,
  text: string,
  { now, zone }: BodyClock,
  path: string,
): { tree: Tree; note: string } | undefined {
  const spoken = text.trim();
  if (/^\d+$/.test(spoken) && field.format === 'unix') return undefined;
  if (field.format === 'date-time' && formatFault('date-time', text) === undefined) return undefined;
  const stored = storedMoment(spoken);
  const isTime =
    stored !== undefined ||
    /[-/ ]|^\+|^(?:now|today|tomorrow)$|^\d{4}$/i.test(spoken) ||
    spokenDate(spoken, now, zone) !== undefined;
  if (!isTime) return undefined;
  const coming = spanAhead(spoken);
  if (spanBehind(spoken) || stretchOf(spoken) || (coming && /^[smh]$/.test(coming.unit))) return undefined;
  const isEnd = ENDS.test(path);
  let unix: number;
  try {
    const look = looksAhead(path) ? 'ahead' : 'back';
    const edge = isEnd && !stored?.by ? 'end' : 'start';
    unix = parseWhen(stored?.from ?? spoken, { now, zone, edge, option: '', look });
    if (stored?.by) unix = after(unix, stored.by, zone);
  } catch (error) {
    if (error instanceof CopsError) return undefined;
    throw error;
  }
  // Whole days, not seconds, so that the same words mean the same write all day.
  if (coming) unix = unixOf(midnight(wallTime(unix * 1000, zone)), zone);
  // A day and a half after a midnight always falls on the next day.
  if (coming && isEnd) unix = unixOf(midnight(wallTime((unix + 129_600) * 1000, zone)), zone) - 1;
  const iso = isoTime(unix);
  const tree = field.format === 'unix' ? new NumberText(String(unix)) : iso;
  return { tree, note: `${spoken} ${isEnd ? 'ends' : 'begins'} in ${zone.name} at ${iso}: that is sent.` };
}

/** Unix seconds or a day, with a span added or taken away: `1797808131`, `2026-12-21+7d`, `1797808131 - 1mo`. */
function storedMoment(text: string): { readonly from: string; readonly by: Span | undefined } | undefined {
  const [, from, sign, by = ''] = /^(\d{9,11}|\d{4}-\d\d-\d\d\S*?)(?:\s*([-+])\s*(\d+ ?[a-z]+))?$/i.exec(text) ?? [];
  if (from === undefined || (sign === undefined && from.includes('-'))) return undefined;
  const span = spanIn(by);
  // A bare `m` could be minutes or months.
  if (sign !== undefined && (!span || span.unit === 'm')) return undefined;
  return { from, by: span && { ...span, count: sign === '-' ? -span.count : span.count } };
}

type Place = readonly (string | number)[];

/**
 * Reads the amounts in a JSON or YAML body like those in cells and options: strings become numbers, and an amount that
 * is ambiguous, finer than its currency's minor unit, or has an exponent is a fault.
 * @param before the earlier body, whose values nobody typed
 */
export function settleSums(operation: Operation, body: TreeObject, before: TreeObject = {}): Fault[] {
  const faults: Fault[] = [];
  const settled: [Place, Tree][] = [];
  walk(body, (place, value) => {
    const { field } = bodyFieldAt(operation, place);
    const text = value instanceof NumberText ? value.text : value;
    if ((field?.type !== 'number' && field?.type !== 'integer') || typeof text !== 'string') return;
    const path = pathText(place);
    const was = valueAt(before, path);
    if ((was instanceof NumberText ? was.text : was) === text) return;
    const exponent = exponentFault(text);
    if (exponent !== undefined) faults.push({ path, message: exponent });
    if (exponent !== undefined || field.means !== 'money') return;
    const currency = currencyAt(body, place);
    const digits = currency === undefined ? undefined : minorDigits(currency);
    const isText = typeof value === 'string';
    const sum = value instanceof NumberText ? value : spokenSum(text, digits);
    const isSum = sum !== undefined && isNumberText(sum.text) && amountFault(sum.text, digits) === undefined;
    if (isSum && (sum.currencies || sum.text !== text)) {
      const isOther = currency !== undefined && sum.currencies?.includes(currency) === false;
      if (isOther) faults.push({ path, message: `an amount in a currency other than the body's ${currency}` });
      // A currency in the body itself needs no further check.
      else settled.push([[...place], new NumberText(sum.text, currency === undefined ? sum.currencies : undefined)]);
      return;
    }
    // A value that is not an amount at all is reported with the other type faults.
    if (isText && amountFault(text, digits) === undefined) {
      if (isNumberText(text)) settled.push([[...place], new NumberText(text)]);
      return;
    }
    // The amount of a refund is checked against the currency of its item.
    const message =
      !isText && digits === undefined && operation.preview?.refund ? undefined : amountFault(text, digits);
    if (message !== undefined) faults.push({ path, message });
  });
  for (const [place, tree] of settled) setAt(body, place, tree);
  return faults;
}

/** The currency that the body names for a place: the nearest one above it. */
function currencyAt(body: TreeObject, place: Place): string | undefined {
  for (let depth = place.length - 1; depth >= 0; depth--) {
    const above = depth === 0 ? body : valueAt(body, pathText(place.slice(0, depth)));
    if (!isObject(above)) continue;
    const code = ownMember(above, 'iso_currency') ?? ownMember(above, 'currency');
    if (typeof code === 'string') return code.trim().toUpperCase();
  }
  return undefined;
}

/** The first amount in a body that was typed with a currency, which its item must match. */
export function namedSum(
  body: Readonly<Record<string, unknown>>,
): { readonly path: string; readonly sum: NumberText } | undefined {
  let found: { readonly path: string; readonly sum: NumberText } | undefined;
  walk(body as TreeObject, (place, value) => {
    if (value instanceof NumberText && value.currencies) found ??= { path: pathText(place), sum: value };
  });
  return found;
}
