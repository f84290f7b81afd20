import type { Schema, SchemaField } from './types.js';

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
