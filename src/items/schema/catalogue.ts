import type { Family, Field } from '../../catalogue/types.js';
import { decimalField, widenAll } from './learn.js';
import type { Schema, SchemaField } from './types.js';

/**
 * The catalogue's knowledge of a family's items, in its order: the id, the known fields, then paths that only tables
 * show.
 */
export function schemaOf(family: Family): Schema {
  const { item = {}, idField } = family;
  const known = item[idField];
  let schema: Schema = [known ? fieldOf(idField, known) : { name: idField, type: 'empty' }];
  const fields = Object.entries(item).map(([name, field]) => fieldOf(name, field));
  schema = widenAll(schema, fields);
  for (const { path } of family.columns) {
    const words = path.split('.');
    if (words.some((word) => !/^\w+$/.test(word))) continue;
    const leaf: SchemaField = { name: words[words.length - 1] as string, type: 'empty' };
    const field = words
      .slice(0, -1)
      .reduceRight<SchemaField>((below, name) => ({ name, type: 'object', fields: [below] }), leaf);
    if (fits(schema, words)) schema = widenAll(schema, [field]);
  }
  return schema;
}

/** True where a path leads only through objects. */
function fits(schema: Schema, words: readonly string[]): boolean {
  const found = schema.find(({ name }) => name === words[0]);
  if (!found || words.length === 1) return true;
  return found.type === 'object' ? fits(found.fields ?? [], words.slice(1)) : found.type === 'empty';
}

function fieldOf(name: string, field: Field): SchemaField {
  switch (field.type) {
    case 'string':
      if (field.format === 'date-time') return { name, type: 'timestamp', form: 'iso' };
      return { name, type: field.format === 'id' ? 'id' : 'text' };
    case 'integer':
      return field.format === 'unix' ? { name, type: 'timestamp', form: 'unix' } : { name, type: 'integer' };
    case 'number':
      return decimalField(name, 0, 0);
    case 'boolean':
      return { name, type: 'boolean' };
    case 'object':
      return {
        name,
        type: 'object',
        fields: Object.entries(field.fields ?? {}).map(([one, below]) => fieldOf(one, below)),
      };
    case 'array':
      return {
        name,
        type: 'list',
        element: field.items ? fieldOf('element', field.items) : { name: 'element', type: 'empty' },
      };
    default:
      return { name, type: 'empty' };
  }
}
