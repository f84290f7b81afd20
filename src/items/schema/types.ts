/** What the values of a field are, as far as they were seen; it only ever widens. */
export const VALUE_TYPES = [
  // No value was seen, only null.
  'empty',
  'boolean',
  'integer',
  'decimal',
  'timestamp',
  'id',
  'text',
  'object',
  'list',
  // Values of several shapes: kept as JSON.
  'json',
] as const;
export type ValueType = (typeof VALUE_TYPES)[number];

/** One member of an item, with all that is below it. */
export interface SchemaField {
  readonly name: string;
  readonly type: ValueType;
  /** Of a decimal: digits before and after the point that hold every value seen. */
  readonly whole?: number;
  readonly scale?: number;
  /** Of a timestamp: seconds since the epoch, or ISO 8601 text with its zone. */
  readonly form?: 'unix' | 'iso';
  /** Of an object, in the order first seen. */
  readonly fields?: readonly SchemaField[];
  /** Of a list: what all its elements are. */
  readonly element?: SchemaField;
}

/** The members of a family's items, in order. It names fields and shapes, and never holds a value. */
export type Schema = readonly SchemaField[];

/** A column of a flat table. */
export interface LeafColumn {
  /** Dotted path into the item. */
  readonly path: string;
  readonly field: SchemaField;
}

/** The fields of a schema with objects taken apart; those without known members, and lists, stay whole. */
export function leavesOf(schema: Schema, prefix = ''): LeafColumn[] {
  return schema.flatMap((field) => {
    const path = `${prefix}${field.name}`;
    return field.type === 'object' && field.fields && field.fields.length > 0
      ? leavesOf(field.fields, `${path}.`)
      : [{ path, field }];
  });
}
