import type { Field } from '../../catalogue/types.js';
import { isSum, LARGEST_SUM } from '../rules/sums.js';
import type { Value } from '../store/item-values.js';

const TYPES: Readonly<Record<string, Value>> = {
  string: { type: 'string' },
  integer: { type: 'integer' },
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  object: { type: 'object' },
  array: { type: 'array' },
  any: {},
};

/** The JSON Schema of a catalogue form. */
export const FORM_SCHEMAS: Readonly<Record<string, Value>> = {
  id: { minLength: 20, maxLength: 20 },
  email: { format: 'email' },
  'date-time': { format: 'date-time' },
  url: { format: 'uri' },
  ipv4: { format: 'ipv4' },
  country: { pattern: '^[A-Z]{3}$', format: 'country' },
  currency: { pattern: '^[A-Z]{3}$', format: 'currency' },
  digits: { pattern: '^[0-9]+$' },
  code: { pattern: '^[A-Za-z0-9]*$' },
  timezone: { format: 'timezone' },
  cron: { format: 'cron' },
  unix: { minimum: 0, maximum: 99_999_999_999 },
};

/** The JSON Schema of a body. */
export function fieldSchema(field: Field, name: string): Value {
  const base = TYPES[field.type] ?? {};
  const schema: Value = { ...base };
  if (field.nullable && typeof base.type === 'string') schema.type = [base.type, 'null'];
  if (field.format && field.type !== 'any') Object.assign(schema, FORM_SCHEMAS[field.format] ?? {});
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
  if (isSum(name) && (field.type === 'number' || field.type === 'integer'))
    Object.assign(schema, {
      minimum: Math.max(0, field.min ?? 0),
      maximum: Math.min(LARGEST_SUM, field.max ?? LARGEST_SUM),
    });
  // An empty string, where accepted, removes the value.
  if (field.emptyOk || field.nullable) delete schema.minLength;
  if (field.items) schema.items = fieldSchema(field.items, name);
  if (field.fields) {
    schema.properties = Object.fromEntries(
      Object.entries(field.fields).map(([member, inner]) => [member, fieldSchema(inner, member)]),
    );
    const required = Object.entries(field.fields).filter(([, inner]) => inner.required);
    if (required.length > 0) schema.required = required.map(([member]) => member);
    if (!field.open) schema.additionalProperties = false;
  }
  return field.oneOk && schema.items ? { anyOf: [schema, schema.items] } : schema;
}

/**
 * A reference is written as an id and read as `{id, name}`; without a reference, reads show an empty string or null.
 */
const NAMED: Value = {
  type: ['object', 'string', 'null'],
  properties: { id: { type: 'string' }, name: { type: 'string' } },
  additionalProperties: true,
};

/**
 * The properties of an item, at every depth. It may always have further fields, and any value except a list may be
 * absent, which reads show as `null` or an empty string.
 */
export function shownSchema(name: string, field: Field): Value {
  if (field.readFrom?.endsWith(`${name}.id`)) return NAMED;
  const schema: Value = { ...TYPES[field.type] };
  if (typeof schema.type === 'string' && field.type !== 'array') schema.type = [schema.type, 'null'];
  if (field.note !== undefined) schema.description = field.note;
  if (field.items) schema.items = shownElement(field.items);
  if (field.fields) schema.properties = shownFields(field.fields);
  return schema;
}

function shownElement(field: Field): Value {
  const { type: _type, ...schema } = shownSchema('', field);
  return { ...TYPES[field.type], ...schema };
}

function shownFields(fields: Readonly<Record<string, Field>>): Value {
  return Object.fromEntries(Object.entries(fields).map(([name, inner]) => [name, shownSchema(name, inner)]));
}
