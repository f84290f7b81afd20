import { Digits, type Lossless, parseLossless } from '../json/lossless.js';
import { Scanner } from '../json/scan.js';
import { members } from '../json/slice.js';
import type { Schema, SchemaField } from './types.js';
import { decimalField, MOST_DIGITS, widen } from './widen.js';

const OPEN_OBJECT = 0x7b;
/** Deeper values are kept as JSON. */
const MOST_DEPTH = 5;
/** An object with more members than this is a map from data to data, not a record. */
const MOST_FIELDS = 250;
/** Member names that are names: anything else (an e-mail address, a date) is data that stands in the place of one. */
const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;
/** An id of the service, which no name looks like. */
const ID = /^(?=.*\d)[A-Za-z0-9]{20}$/;
const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;
const UNIX_NAME = /_unix$/;
/** Integers that stand for a moment; larger ones are something else. */
const MOST_UNIX_DIGITS = 11;
/** Names of amounts of money: counted as decimals even while only whole ones were seen. */
const MONEY_NAME = /^(amount|price|cost)(_|$)|_(amount|price|cost|fees?|total|balance)$/;
const NO_MONEY = /_(rate|percent|type|count|id|name|unix|currency)$/;

export function isMoneyName(name: string): boolean {
  return (MONEY_NAME.test(name) && !NO_MONEY.test(name)) || name === 'tax' || name === 'fees' || name === 'fee';
}

/** What one item shows, given its JSON; nothing for what is no object. Throws JsonFault for broken JSON. */
export function learnItem(json: string): Schema {
  const value = parseLossless(json);
  return value instanceof Map ? fieldsOf(value, 0) : [];
}

/** What items show that come one after another: a member that stood so in one before shows nothing new. */
export class ItemLearner {
  readonly #seen = new Set<string>();

  /** What is new in an item, given its JSON; as `learnItem` for the first. */
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
    // One with a name twice, or more members than a record has, means something only as a whole.
    if (names.size < count || count > MOST_FIELDS) return learnItem(json.toString('utf8'));
    for (const member of fresh) this.#seen.add(member);
    return learnItem(`{${fresh.join(',')}}`);
  }
}

/** What one value shows, given its JSON. */
export function learnValue(name: string, json: string): SchemaField {
  return fieldOf(name, parseLossless(json), 0);
}

/** What one value shows that was parsed already. */
export function learnParsed(name: string, value: Lossless): SchemaField {
  return fieldOf(name, value, MOST_DEPTH);
}

/** True for a member name that names a field, and is not data itself. */
export function isFieldName(name: string): boolean {
  return NAME.test(name) && !ID.test(name);
}

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
