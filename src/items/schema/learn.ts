import { members } from '../json/item-json.js';
import { Digits, type Lossless, parseLossless } from '../json/lossless.js';
import { Scanner } from '../json/scan.js';
import type { Schema, SchemaField } from './types.js';

/** Digits that fit a decimal in the widest file format. */
export const MOST_DIGITS = 38;
/** Every decimal starts with room for eighteen digits, which is one machine word in Parquet. */
export const FIRST_WHOLE = 14;
export const FIRST_SCALE = 4;

/** A decimal that holds the given digits, or text where none can. */
export function decimalField(name: string, whole: number, scale: number): SchemaField {
  const wide = Math.max(whole, FIRST_WHOLE);
  const deep = Math.max(scale, FIRST_SCALE);
  if (wide + deep > MOST_DIGITS) {
    // Gives up the room reserved for later values first.
    if (whole + scale > MOST_DIGITS) return { name, type: 'text' };
    return { name, type: 'decimal', whole: Math.min(wide, MOST_DIGITS - scale), scale };
  }
  return { name, type: 'decimal', whole: wide, scale: deep };
}

/** The narrowest field that holds every value of either field; named and ordered like the first. */
export function widen(first: SchemaField, second: SchemaField): SchemaField {
  const { name } = first;
  if (second.type === 'empty') return first;
  if (first.type === 'empty') return { ...second, name };
  if (first.type === second.type) return widenAlike(first, second);
  const types = new Set([first.type, second.type]);
  if (types.has('json') || types.has('object') || types.has('list')) return { name, type: 'json' };
  if (types.has('integer') && types.has('decimal')) {
    const one = first.type === 'decimal' ? first : second;
    return decimalField(name, Math.max(one.whole ?? 0, 19), one.scale ?? 0);
  }
  const time = first.type === 'timestamp' ? first : second;
  if (types.has('timestamp') && time.form === 'unix') {
    if (types.has('integer')) return { name, type: 'timestamp', form: 'unix' };
    const one = first.type === 'decimal' ? first : second;
    if (types.has('decimal')) return decimalField(name, one.whole ?? 0, one.scale ?? 0);
  }
  return { name, type: 'text' };
}

function widenAlike(first: SchemaField, second: SchemaField): SchemaField {
  const { name } = first;
  switch (first.type) {
    case 'decimal':
      return first.whole === second.whole && first.scale === second.scale
        ? first
        : decimalField(
            name,
            Math.max(first.whole ?? 0, second.whole ?? 0),
            Math.max(first.scale ?? 0, second.scale ?? 0),
          );
    case 'timestamp':
      return first.form === second.form ? first : { name, type: 'text' };
    case 'object': {
      const fields = widenAll(first.fields ?? [], second.fields ?? []);
      return fields === first.fields ? first : { ...first, fields };
    }
    case 'list': {
      const element = first.element && second.element ? widen(first.element, second.element) : first.element;
      return element !== undefined && element === first.element
        ? first
        : { ...first, element: element ?? second.element };
    }
    default:
      return first;
  }
}

/**
 * The fields of both: those of the first, then those only in the second; the first object itself if it has all of them.
 */
export function widenAll(first: Schema, second: Schema): Schema {
  let all: SchemaField[] | undefined;
  let at = 0;
  for (const field of second) {
    const known = all ?? first;
    // Items mostly name their fields in the same order.
    if (known[at]?.name !== field.name) at = known.findIndex(({ name }) => name === field.name);
    if (at < 0) at = known.length;
    const before = known[at];
    const wider = before ? widen(before, field) : field;
    if (wider !== before) {
      all ??= [...first];
      all[at] = wider;
    }
    at++;
  }
  return all ?? first;
}

export const sameSchema = (one: Schema, other: Schema): boolean => JSON.stringify(one) === JSON.stringify(other);

const OPEN_OBJECT = 0x7b;
/** Deeper values stay JSON. */
const MOST_DEPTH = 5;
/** An object with more members than this is a map from data to data, not a record. */
const MOST_FIELDS = 250;
/** Member names that are field names: anything else (an e-mail address, a date) is data used as a name. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;
/** An id of the service; no field name looks like one. */
const ID = /^(?=.*\d)[A-Za-z0-9]{20}$/;
const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;
const UNIX_NAME = /_unix$/;
/** Integers up to this many digits may be moments; larger ones are something else. */
const MOST_UNIX_DIGITS = 11;
/** Names of money amounts: stored as decimals even if only whole ones were seen. */
const MONEY_NAME = /^(amount|price|cost)(_|$)|_(amount|price|cost|fees?|total|balance)$/;
const NO_MONEY = /_(rate|percent|type|count|id|name|unix|currency)$/;

export const isMoneyName = (name: string): boolean =>
  (MONEY_NAME.test(name) && !NO_MONEY.test(name)) || name === 'tax' || name === 'fees' || name === 'fee';

/** The schema of one item, given its JSON; empty for anything but an object. Throws JsonFault for broken JSON. */
export function learnItem(json: string): Schema {
  const value = parseLossless(json);
  return value instanceof Map ? fieldsOf(value, 0) : [];
}

/** Learns from consecutive items: a member whose exact form occurred before adds nothing. */
export class ItemLearner {
  readonly #seen = new Set<string>();

  /** The new parts of an item, given its JSON; for the first item, the same as `learnItem`. */
  learn(json: Buffer): Schema {
    const scanner = new Scanner(json);
    const names = new Set<string>();
    const fresh: string[] = [];
    let count = 0;
    if (scanner.peek() === OPEN_OBJECT) {
      members(scanner, (start, end) => {
        scanner.peek();
        scanner.value();
        count++;
        names.add(json.toString('latin1', start, end));
        const member = json.toString('utf8', start, scanner.pos);
        if (!this.#seen.has(member)) fresh.push(member);
      });
    }
    // With a repeated name, or more members than a record has, only the whole object means something.
    if (names.size < count || count > MOST_FIELDS) return learnItem(json.toString('utf8'));
    for (const member of fresh) this.#seen.add(member);
    return learnItem(`{${fresh.join(',')}}`);
  }
}

/** The schema of one value, given its JSON. */
export const learnValue = (name: string, json: string): SchemaField => fieldOf(name, parseLossless(json), 0);

/** The schema of one parsed value. */
export const learnParsed = (name: string, value: Lossless): SchemaField => fieldOf(name, value, MOST_DEPTH);

/** True for a member name that is a field name, not data. */
export const isFieldName = (name: string): boolean => NAME.test(name) && !ID.test(name);

function fieldsOf(value: ReadonlyMap<string, Lossless>, depth: number): Schema {
  if (value.size > MOST_FIELDS) return [];
  const fields: SchemaField[] = [];
  for (const [name, member] of value) if (isFieldName(name)) fields.push(fieldOf(name, member, depth + 1));
  return fields;
}

function fieldOf(name: string, value: Lossless, depth: number): SchemaField {
  if (value === null) return { name, type: 'empty' };
  if (typeof value === 'boolean') return { name, type: 'boolean' };
  if (value instanceof Digits) return numberField(name, value.text);
  if (typeof value === 'string') {
    if (ISO.test(value)) return { name, type: 'timestamp', form: 'iso' };
    return { name, type: ID.test(value) && /(^|_)id$/.test(name) ? 'id' : 'text' };
  }
  if (depth >= MOST_DEPTH) return { name, type: 'json' };
  if (Array.isArray(value)) {
    const empty: SchemaField = { name: 'element', type: 'empty' };
    return {
      name,
      type: 'list',
      element: value.reduce((all, one) => widen(all, fieldOf('element', one, depth + 1)), empty),
    };
  }
  return { name, type: 'object', fields: fieldsOf(value, depth) };
}

function numberField(name: string, text: string): SchemaField {
  const [, whole = '', fraction = '', exponent] = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  if (exponent !== undefined) {
    const shift = Number(exponent);
    if (Math.abs(shift) > MOST_DIGITS) return { name, type: 'text' };
    return decimalField(name, Math.max(1, whole.length + shift), Math.max(0, fraction.length - shift));
  }
  if (fraction !== '') return decimalField(name, whole.length, fraction.length);
  if (UNIX_NAME.test(name) && whole.length <= MOST_UNIX_DIGITS) return { name, type: 'timestamp', form: 'unix' };
  if (whole.length > 18 || isMoneyName(name)) return decimalField(name, whole.length, 0);
  return { name, type: 'integer' };
}
