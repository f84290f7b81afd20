/** The value types of a field, as far as seen; a type only ever widens. */
export const VALUE_TYPES = [
  // Only null was seen.
  'empty',
  'boolean',
  'integer',
  'decimal',
  'timestamp',
  'id',
  'text',
  'object',
  'list',
  // Values of several shapes, kept as JSON.
  'json',
] as const;
export type ValueType = (typeof VALUE_TYPES)[number];

/** One member of an item, with everything below it. */
export interface SchemaField {
  readonly name: string;
  readonly type: ValueType;
  /** For a decimal: digits before and after the point, enough for every value seen. */
  readonly whole?: number;
  readonly scale?: number;
  /** For a timestamp: seconds since the epoch, or ISO 8601 text with its zone. */
  readonly form?: 'unix' | 'iso';
  /** For an object, in the order first seen. */
  readonly fields?: readonly SchemaField[];
  /** For a list: the common type of its elements. */
  readonly element?: SchemaField;
}

/** The members of a family's items, in order. It holds names and shapes, never values. */
export type Schema = readonly SchemaField[];

/** A column of a flat table. */
export interface LeafColumn {
  /** Dotted path into the item. */
  readonly path: string;
  readonly field: SchemaField;
}

/** The fields of a schema with objects flattened; lists, and objects without known members, stay whole. */
export const leavesOf = (schema: Schema, prefix = ''): LeafColumn[] =>
  schema.flatMap((field) => {
    const path = `${prefix}${field.name}`;
    return field.type === 'object' && field.fields && field.fields.length > 0
      ? leavesOf(field.fields, `${path}.`)
      : [{ path, field }];
  });

/**
 * Decimal digits of a currency's minor unit (ISO 4217, list one). Codes not listed here have two; codes that are not
 * money (gold, test codes, bond units) have no minor unit.
 */
const WHOLE = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '));
const THOUSANDTHS = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '));
const TEN_THOUSANDTHS = new Set(['CLF', 'UYW']);
const NO_MINOR_UNIT = new Set('XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' '));

/** Decimal digits of a currency's minor unit; undefined for codes without one. */
export function minorDigits(currency: string): number | undefined {
  if (!/^[A-Z]{3}$/.test(currency) || NO_MINOR_UNIT.has(currency)) return undefined;
  if (WHOLE.has(currency)) return 0;
  if (THOUSANDTHS.has(currency)) return 3;
  return TEN_THOUSANDTHS.has(currency) ? 4 : 2;
}

/** Currency codes with other than two digits, by digits. */
export const UNUSUAL_DIGITS: readonly (readonly [digits: number, codes: readonly string[]])[] = [
  [0, [...WHOLE]],
  [3, [...THOUSANDTHS]],
  [4, [...TEN_THOUSANDTHS]],
];

/**
 * An amount as a whole number of minor units; undefined where the amount is finer than the unit, is not a plain number,
 * or does not fit 64 bits.
 */
export function toMinor(amount: string, digits: number): bigint | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount);
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = ''] = match;
  if (/[^0]/.test(fraction.slice(digits))) return undefined;
  const unscaled = BigInt(`${sign}${whole}${fraction.slice(0, digits).padEnd(digits, '0')}`);
  return BigInt.asIntN(64, unscaled) === unscaled ? unscaled : undefined;
}
