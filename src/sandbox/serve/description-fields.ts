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

/** What a body takes. */
export function fieldSchema(field: Field): Value {
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
  if (field.items) schema.items = fieldSchema(field.items);
  if (field.fields) {
    schema.properties = Object.fromEntries(
      Object.entries(field.fields).map(([name, inner]) => [name, fieldSchema(inner)]),
    );
    const required = Object.entries(field.fields).filter(([, inner]) => inner.required);
    if (required.length > 0) schema.required = required.map(([name]) => name);
    if (!field.open) schema.additionalProperties = false;
  }
  return schema;
}

/** A reference that is written as an id and read as `{id, name}`; where there is none it is an empty text or null. */
const NAMED: Value = {
  type: ['object', 'string', 'null'],
  properties: { id: { type: 'string' }, name: { type: 'string' } },
  additionalProperties: true,
};

/**
 * What an item shows, at every depth: it may always have further fields, and any value but a list may be absent, which
 * reads show as `null` or an empty text.
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
