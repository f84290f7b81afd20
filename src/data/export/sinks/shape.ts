import type { SchemaElement } from 'hyparquet';
import type { Schema, SchemaField } from '../../../items/schema/types.js';

/** The number of digits that every double keeps. */
export const SAFE_DIGITS = 15;
/** The number of digits of a decimal that fits one machine word. */
const WORD_DIGITS = 18;
const MOST_18 = 10n ** 18n - 1n;
const MOST_38 = 10n ** 38n - 1n;
const MOST_INT64 = 2n ** 63n - 1n;
/** The last moment that programs can display. */
const MOST_MILLISECONDS = 8_640_000_000_000_000n;
export const POWERS = Array.from({ length: SAFE_DIGITS + 1 }, (_, power) => 10 ** power);

type ScalarKind = 'text' | 'integer' | 'boolean' | 'json' | 'none';

/** The content of a column, or of a part of one. */
export type Shape =
  | { readonly kind: ScalarKind }
  | { readonly kind: 'decimal'; readonly scale: number; readonly precision: 18 | 38 }
  | { readonly kind: 'timestamp'; readonly form: 'unix' | 'iso' }
  | { readonly kind: 'struct'; readonly members: readonly ShapedColumn[] }
  | { readonly kind: 'list'; readonly element: Shape };

export interface ShapedColumn {
  readonly name: string;
  readonly shape: Shape;
}

export type ScalarShape = Exclude<Shape, { kind: 'struct' | 'list' }>;

/** Objects become structs, lists of known elements lists; anything unknown inside becomes JSON text. */
export function shapedColumns(schema: Schema): ShapedColumn[] {
  return schema.map((field) => ({ name: field.name, shape: shapeOf(field) }));
}

function shapeOf(field: SchemaField): Shape {
  switch (field.type) {
    case 'integer':
    case 'boolean':
    case 'json':
      return { kind: field.type };
    case 'empty':
      return { kind: 'none' };
    case 'decimal': {
      const { whole = 0, scale = 0 } = field;
      return { kind: 'decimal', scale, precision: whole + scale > WORD_DIGITS ? 38 : WORD_DIGITS };
    }
    case 'timestamp':
      return { kind: 'timestamp', form: field.form ?? 'unix' };
    case 'object': {
      const { fields = [] } = field;
      if (fields.length === 0) return { kind: 'json' };
      return { kind: 'struct', members: shapedColumns(fields) };
    }
    case 'list': {
      const element = field.element ? shapeOf(field.element) : undefined;
      if (element === undefined || element.kind === 'json' || element.kind === 'none') return { kind: 'json' };
      return { kind: 'list', element };
    }
    default:
      return { kind: 'text' };
  }
}

const TEXT = { type: 'BYTE_ARRAY', converted_type: 'UTF8' } as const;
const MOMENT = {
  type: 'INT64',
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
} as const;

function physical(shape: Shape): Partial<SchemaElement> {
  switch (shape.kind) {
    case 'integer':
      return { type: 'INT64' };
    case 'boolean':
      return { type: 'BOOLEAN' };
    case 'timestamp':
      return MOMENT;
    case 'decimal': {
      const { scale, precision } = shape;
      const digits = { converted_type: 'DECIMAL', scale, precision } as const;
      return precision === 38
        ? { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16, ...digits }
        : { type: 'INT64', ...digits };
    }
    default:
      return TEXT;
  }
}

/** The elements of a Parquet schema for a column, outermost first. */
export function schemaElements({ name, shape }: ShapedColumn): SchemaElement[] {
  const optional = { name, repetition_type: 'OPTIONAL' } as const;
  if (shape.kind === 'struct')
    return [{ ...optional, num_children: shape.members.length }, ...shape.members.flatMap(schemaElements)];
  if (shape.kind === 'list') {
    return [
      { ...optional, num_children: 1, converted_type: 'LIST' },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      ...schemaElements({ name: 'element', shape: shape.element }),
    ];
  }
  return [{ ...optional, ...physical(shape) }];
}

/** A JSON number as the integer that its column holds; undefined if it is not a number or would lose digits. */
export function scaledBy(bytes: Buffer, start: number, end: number, shape: ScalarShape): number | bigint | undefined {
  if (shape.kind === 'integer') return scaled(bytes, start, end, 0, MOST_INT64);
  if (shape.kind === 'timestamp') return scaled(bytes, start, end, 3, MOST_MILLISECONDS);
  if (shape.kind !== 'decimal') return undefined;
  return scaled(bytes, start, end, shape.scale, shape.precision === 38 ? MOST_38 : MOST_18);
}

/** ISO 8601 with a zone, to the millisecond. */
export function moment(text: string): number | undefined {
  if (!/^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/.test(text)) return undefined;
  const unix = Date.parse(text.replace(' ', 'T'));
  return Number.isNaN(unix) ? undefined : unix;
}

/** A number's digits, shifted by the scale; undefined if it is finer, larger, or not a number. */
function scaled(bytes: Buffer, start: number, end: number, scale: number, most: bigint): number | bigint | undefined {
  const negative = bytes[start] === 0x2d;
  let at = negative ? start + 1 : start;
  let value = 0;
  let digits = 0;
  let left = -1;
  for (; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte >= 0x30 && byte <= 0x39) {
      if (left === 0) {
        if (byte !== 0x30) return undefined;
        continue;
      }
      if (left > 0) left--;
      value = value * 10 + byte - 0x30;
      digits++;
    } else if (byte === 0x2e && left < 0) left = scale;
    else
      return byte === 0x65 || byte === 0x45 ? scaledText(bytes.toString('latin1', start, end), scale, most) : undefined;
  }
  if (left < 0) left = scale;
  if (digits === 0) return undefined;
  if (digits + left > SAFE_DIGITS) return scaledText(bytes.toString('latin1', start, end), scale, most);
  value *= POWERS[left] as number;
  return negative ? -value : value;
}

/** The same for long numbers and those with an exponent. */
function scaledText(text: string, scale: number, most: bigint): bigint | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/.exec(text);
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  const digits = whole + fraction;
  const shift = scale - fraction.length + Number(exponent);
  const kept = shift >= 0 ? digits + '0'.repeat(shift) : digits.slice(0, shift) || '0';
  if (shift < 0 && /[^0]/.test(digits.slice(shift))) return undefined;
  const value = BigInt(sign + kept);
  return value > most || value < -most ? undefined : value;
}
