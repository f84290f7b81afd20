import type { Field } from '../../catalogue/types.js';
import type { Value } from '../store/text.js';
import { isSum, LARGEST_SUM } from '../sums.js';

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
  country: { pattern: '^[A-Z]{3}$', format: 'country' },
  currency: { pattern: '^[A-Z]{3}$', format: 'currency' },
  digits: { pattern: '^[0-9]+$' },
  timezone: { format: 'timezone' },
  cron: { format: 'cron' },
  unix: { minimum: 0, maximum: 99_999_999_999 },
};

/** What is taken and what is shown differ: an item may always have further fields, a closed body may not. */
export function fieldSchema(field: Field, name: string, isShown = false): Value {
  const base = TYPES[field.type] ?? {};
  const schema: Value = { ...base };
  if (field.nullable && typeof base.type === 'string') schema.type = [base.type, 'null'];
  if (field.format && field.type !== 'any') Object.assign(schema, FORMATS[field.format] ?? {});
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
  if (isSum(name) && (field.type === 'number' || field.type === 'integer') && !isShown)
    Object.assign(schema, {
      minimum: Math.max(0, field.min ?? 0),
      maximum: Math.min(LARGEST_SUM, field.max ?? LARGEST_SUM),
    });
  // An empty text, where it is taken, takes the value away.
  if (field.emptyOk || field.nullable) delete schema.minLength;
  if (field.items) schema.items = fieldSchema(field.items, name, isShown);
  if (field.fields) {
    schema.properties = Object.fromEntries(
      Object.entries(field.fields).map(([member, inner]) => [member, fieldSchema(inner, member, isShown)]),
    );
    const required = Object.entries(field.fields).filter(([, inner]) => inner.required);
    if (required.length > 0 && !isShown) schema.required = required.map(([member]) => member);
    if (!field.open && !isShown) schema.additionalProperties = false;
  }
  return field.oneOk && schema.items ? { anyOf: [schema, schema.items] } : schema;
}
