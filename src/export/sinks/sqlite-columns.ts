import { isMoneyName } from '../../schema/learn.js';
import { leavesOf } from '../../schema/leaves.js';
import { minorDigits, toMinor } from '../../schema/minor-units.js';
import type { Schema, SchemaField } from '../../schema/types.js';
import { OTHER } from '../columns.js';

/** The item's JSON as it came. */
export const JSON_COLUMN = '_json';
const MINOR = '_minor';

export interface SqliteColumn {
  readonly path: string;
  readonly name: string;
  readonly sql: 'TEXT' | 'INTEGER' | 'REAL';
  /** True for a column whose cells are JSON. */
  readonly json: boolean;
  /** Of an amount: its twin that counts minor units, and the place of its currency among the columns (-1: none). */
  readonly minor?: { readonly name: string; readonly currency: number };
}

export type Value = string | number | bigint | null;

const SQL: Readonly<Partial<Record<SchemaField['type'], SqliteColumn['sql']>>> = {
  boolean: 'INTEGER',
  integer: 'INTEGER',
  decimal: 'REAL',
};

/**
 * The columns of a table: the id as text, then one for each leaf that has shown values, `customer.email` as
 * `customer_email`. `declared` gives the types of the columns that the table has already: they stay.
 */
export function sqliteColumns(schema: Schema, idField: string, declared: ReadonlyMap<string, string>): SqliteColumn[] {
  const taken = new Set<string>([JSON_COLUMN, OTHER]);
  const nameOf = (wanted: string) => {
    let name = wanted;
    while (taken.has(name.toLowerCase())) name += '_';
    taken.add(name.toLowerCase());
    return name;
  };
  const leaves = leavesOf(schema).filter(({ path, field }) => path === idField || field.type !== 'empty');
  leaves.sort((a, b) => Number(b.path === idField) - Number(a.path === idField));
  const places = new Map(leaves.map(({ path }, i) => [path, i]));
  return leaves.map(({ path, field }, i) => {
    const name = nameOf(path.replaceAll('.', '_'));
    const wanted =
      i === 0 ? 'TEXT' : field.type === 'timestamp' && field.form === 'unix' ? 'INTEGER' : (SQL[field.type] ?? 'TEXT');
    const found = declared.get(name);
    const sql = found === 'TEXT' || found === 'INTEGER' || found === 'REAL' ? found : wanted;
    const json = field.type === 'json' || field.type === 'list' || field.type === 'object';
    if (field.type !== 'decimal' || !isMoneyName(field.name)) return { path, name, sql, json };
    return { path, name, sql, json, minor: { name: nameOf(`${name}${MINOR}`), currency: currencyOf(path, places) } };
  });
}

/** The `iso_currency` that stands nearest: beside the amount, or beside an object that holds it. */
function currencyOf(path: string, places: ReadonlyMap<string, number>): number {
  const words = path.split('.').slice(0, -1);
  for (; ; words.pop()) {
    const found = places.get([...words, 'iso_currency'].join('.'));
    if (found !== undefined) return found;
    if (words.length === 0) return -1;
  }
}

/** The value as its column holds it; undefined where the column would change it. */
export function cellOf(bytes: Buffer, start: number, end: number, { sql, json }: SqliteColumn): Value | undefined {
  const first = bytes[start] as number;
  if (first === 0x6e) return null;
  if (json) return bytes.toString('utf8', start, end);
  if (first === 0x7b || first === 0x5b) return undefined;
  if (sql === 'TEXT') return first === 0x22 ? textAt(bytes, start, end) : bytes.toString('latin1', start, end);
  if (sql === 'INTEGER' && (first === 0x74 || first === 0x66)) return first === 0x74 ? 1 : 0;
  if (first === 0x22 || first === 0x74 || first === 0x66) return undefined;
  const text = bytes.toString('latin1', start, end);
  if (sql === 'INTEGER') {
    if (end - start <= SAFE_DIGITS && !/[.eE]/.test(text)) return Number(text);
    if (!/^-?\d{1,19}$/.test(text)) return undefined;
    const value = BigInt(text);
    return BigInt.asIntN(64, value) === value ? value : undefined;
  }
  const digits = end - start <= SAFE_DIGITS ? 0 : text.replace(/[eE].*$|[-.]/g, '').replace(/^0+/, '').length;
  const value = Number(text);
  return digits > SAFE_DIGITS || !Number.isFinite(value) ? undefined : value;
}

/** Digits that every double keeps. */
const SAFE_DIGITS = 15;

function textAt(bytes: Buffer, start: number, end: number): string {
  for (let i = start + 1; i < end - 1; i++) {
    if (bytes[i] === 0x5c) return JSON.parse(bytes.toString('utf8', start, end)) as string;
  }
  return bytes.toString('utf8', start + 1, end - 1);
}

/** Counts amounts in minor units; remembers the currency asked for last, which is nearly always the same. */
export class MinorUnits {
  #currency = '';
  #digits: number | undefined;

  /** NULL without a currency, and for an amount that is finer than its unit. */
  of(amount: string, currency: string | undefined): Value {
    if (currency === undefined) return null;
    if (currency !== this.#currency) {
      this.#currency = currency;
      this.#digits = minorDigits(currency);
    }
    if (this.#digits === undefined) return null;
    const dot = amount.indexOf('.');
    const fraction = dot < 0 ? '' : amount.slice(dot + 1);
    if (amount.length < SAFE_DIGITS - this.#digits && fraction.length <= this.#digits && !/[^\d.-]/.test(amount)) {
      // Short enough for a number; adding 0 makes 0 of -0.
      return Number((dot < 0 ? amount : amount.slice(0, dot)) + fraction.padEnd(this.#digits, '0')) + 0;
    }
    const minor = toMinor(amount, this.#digits);
    if (minor === undefined) return null;
    const small = Number(minor);
    return Number.isSafeInteger(small) ? small : minor;
  }
}
