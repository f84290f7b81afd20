import type { Field } from '../../catalogue/types.js';
import type { Value } from '../store/text.js';

const TYPES: Readonly<Record<string, Value>> = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  object: { type: 'object' },
  array: { type: 'array' },
  any: {},
};

/** What a form of the catalogue is in JSON Schema. */
export const FORMATS: Readonly<Record<string, Value>> = {
  id: { minLength: 20, maxLength: 20 },
  email: { format: 'email' },
  'date-time': { format: 'date-time' },
  url: { format: 'uri' },
  ipv4: { format: 'ipv4' },
  country: { pattern: '^[A-Z]{3}$' },
  currency: { minLength: 3, maxLength: 3 },
  digits: { pattern: '^[0-9]+$' },
};

/** What is taken and what is shown differ: an item may always have further fields, a closed body may not. */
export function fieldSchema(field: Field, isShown = false): Value {
  const base = TYPES[field.type] ?? {};
  const schema: Value = { ...base };
  if (field.nullable && typeof base.type === 'string') schema.type = [base.type, 'null'];
  if (field.format && field.type === 'string') Object.assign(schema, FORMATS[field.format] ?? {});
  if (field.enum) schema.enum = field.nullable ? [...field.enum, null] : field.enum;
  const copies = {
    minLength: 'minLength',
    maxLength: 'maxLength',
    min: 'minimum',
    max: 'maximum',
    minItems: 'minItems',
    maxItems: 'maxItems',
    default: 'default',
    note: 'description',
  } as const;
  for (const [from, to] of Object.entries(copies)) {
    const value = field[from as keyof typeof copies];
    if (value !== undefined) schema[to] = value;
  }
  // An empty text, where it is taken, takes the value away.
  if (field.emptyOk || field.nullable) delete schema.minLength;
  if (field.items) schema.items = fieldSchema(field.items, isShown);
  if (field.fields) {
    schema.properties = Object.fromEntries(
      Object.entries(field.fields).map(([name, inner]) => [name, fieldSchema(inner, isShown)]),
    );
    const required = Object.entries(field.fields).filter(([, inner]) => inner.required);
    if (required.length > 0 && !isShown) schema.required = required.map(([name]) => name);
    if (!field.open && !isShown) schema.additionalProperties = false;
  }
  return field.oneOk && schema.items ? { anyOf: [schema, schema.items] } : schema;
}
