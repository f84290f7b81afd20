import { isMoneyName } from '../../../items/schema/learn.js';
import { leavesOf, minorDigits, type Schema, type SchemaField, toMinor } from '../../../items/schema/types.js';
import { OTHER } from '../late-fields.js';
import { POWERS, SAFE_DIGITS } from './shape.js';

/** The item's JSON, unchanged. */
export const JSON_COLUMN = '_json';
const MINOR = '_minor';

export interface SqliteColumn {
  readonly path: string;
  readonly name: string;
  readonly sql: 'TEXT' | 'INTEGER' | 'REAL';
  /** Whether the cells are JSON. */
  readonly json: boolean;
  /** For an amount: its twin in minor units, and the index of its currency among the columns (-1: none). */
  readonly minor?: { readonly name: string; readonly currency: number };
}

export type SqlValue = string | number | bigint | null;

/** Takes the cells of a row, one after the other. */
export interface CellTaker {
  none(): void;
  /** Text byte for byte. */
  raw(bytes: Buffer, start: number, end: number): void;
  /** The content of a JSON string; `start` and `end` include its quotes. */
  string(bytes: Buffer, start: number, end: number): void;
  text(value: string): void;
  whole(value: number): void;
  long(value: bigint): void;
  real(value: number): void;
}

const SQL: Readonly<Partial<Record<SchemaField['type'], SqliteColumn['sql']>>> = {
  boolean: 'INTEGER',
  integer: 'INTEGER',
  decimal: 'REAL',
};

/**
 * The columns of a table: the id as text, then one for each leaf that has shown values; `customer.email` becomes
 * `customer_email`. `declared` holds the types of existing columns, which stay.
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

/** The nearest `iso_currency`: next to the amount, or next to an object that contains it. */
function currencyOf(path: string, places: ReadonlyMap<string, number>): number {
  const words = path.split('.').slice(0, -1);
  for (; ; words.pop()) {
    const found = places.get([...words, 'iso_currency'].join('.'));
    if (found !== undefined) return found;
    if (words.length === 0) return -1;
  }
}

/** Makes cells from JSON values, directly from the bytes: most numbers never become text. */
export class Cells {
  /** The last number read: its digits as an integer, and how many of them follow the point. */
  #whole = 0;
  #scale = 0;
  #currency = 0;
  #digits: number | undefined;

  /** A number or truth value for its column; undefined if the column would change it. */
  of(bytes: Buffer, start: number, end: number, sql: SqliteColumn['sql']): number | bigint | undefined {
    const first = bytes[start] as number;
    if (sql === 'INTEGER' && (first === 0x74 || first === 0x66)) return first === 0x74 ? 1 : 0;
    if (first !== 0x2d && (first < 0x30 || first > 0x39)) return undefined;
    if (this.#isShort(bytes, start, end)) {
      if (sql === 'REAL') return this.#whole / (POWERS[this.#scale] as number);
      return this.#scale === 0 ? this.#whole : undefined;
    }
    return sql === 'INTEGER'
      ? longInteger(bytes.toString('latin1', start, end))
      : longReal(bytes.toString('latin1', start, end));
  }

  /** Adds the value of a column without a type: no list, no object. */
  untyped(into: CellTaker, bytes: Buffer, start: number, end: number): void {
    const first = bytes[start] as number;
    if (first === 0x22) into.string(bytes, start, end);
    else if (first === 0x74 || first === 0x66) into.whole(first === 0x74 ? 1 : 0);
    else if (first === 0x6e) into.none();
    else if (this.#isShort(bytes, start, end)) {
      if (this.#scale === 0) into.whole(this.#whole);
      else into.real(this.#whole / (POWERS[this.#scale] as number));
    } else {
      const text = bytes.toString('latin1', start, end);
      putValue(into, longInteger(text) ?? longReal(text) ?? text);
    }
  }

  /** An amount in minor units of the currency that begins at `code`; NULL without a currency, or if it is finer. */
  minor(bytes: Buffer, start: number, end: number, code: number, codeEnd: number): Exclude<SqlValue, string> {
    const digits = this.#digitsOf(bytes, code, codeEnd);
    if (digits === undefined) return null;
    if (this.#isShort(bytes, start, end) && this.#scale <= digits) {
      // Adding 0 turns -0 into 0.
      const minor = this.#whole * (POWERS[digits - this.#scale] as number) + 0;
      if (Number.isSafeInteger(minor)) return minor;
    }
    const minor = toMinor(bytes.toString('latin1', start, end), digits);
    if (minor === undefined) return null;
    const small = Number(minor);
    return Number.isSafeInteger(small) ? small : minor;
  }

  /**
   * Reads a number without exponent whose digits fit a double: the integer and the power of ten are then both exact.
   */
  #isShort(bytes: Buffer, start: number, end: number): boolean {
    const negative = bytes[start] === 0x2d;
    let at = negative ? start + 1 : start;
    if (end - at > SAFE_DIGITS + 1 || at === end) return false;
    let whole = 0;
    let point = -1;
    let digits = 0;
    for (; at < end; at++) {
      const digit = (bytes[at] as number) - 0x30;
      if (digit >= 0 && digit <= 9) {
        whole = whole * 10 + digit;
        digits++;
      } else if (digit === -2 && point < 0) point = at;
      else return false;
    }
    if (digits > SAFE_DIGITS) return false;
    this.#whole = negative ? -whole : whole;
    this.#scale = point < 0 ? 0 : end - point - 1;
    return true;
  }

  /** Caches the last currency, which is nearly always the same. */
  #digitsOf(bytes: Buffer, start: number, end: number): number | undefined {
    if (end - start !== 5 || bytes[start] !== 0x22) return undefined;
    const currency = bytes.readUIntBE(start + 1, 3);
    if (currency !== this.#currency) {
      this.#currency = currency;
      this.#digits = minorDigits(bytes.toString('latin1', start + 1, end - 1));
    }
    return this.#digits;
  }
}

/** Adds a value to a row: integers come as bigint. */
export function putValue(into: CellTaker, value: SqlValue): void {
  if (value === null) into.none();
  else if (typeof value === 'string') into.text(value);
  else if (typeof value === 'bigint') into.long(value);
  else into.real(value);
}

function longInteger(text: string): bigint | undefined {
  if (!/^-?\d{1,19}$/.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

function longReal(text: string): number | undefined {
  const digits = text.length <= SAFE_DIGITS ? 0 : text.replace(/[eE].*$|[-.]/g, '').replace(/^0+/, '').length;
  const value = Number(text);
  return digits > SAFE_DIGITS || !Number.isFinite(value) ? undefined : value;
}
