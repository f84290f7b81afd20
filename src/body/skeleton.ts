import { bodyFields } from '../catalogue/body-fields.js';
import type { Field, FieldFormat, Operation } from '../catalogue/types.js';
import { NumberText, type Tree } from '../json/tree.js';
import { isSecretName } from '../secrets/secret-fields.js';

/**
 * A body with every known field of an operation, filled with values that show the form of each: the first allowed
 * value, the smallest number, `<id>` for an id. Made to be edited; as it stands the service would refuse it.
 * Serialise it with `indent(serialise(skeleton(operation)))`.
 */
export function skeleton(operation: Operation): Record<string, Tree> {
  return members(bodyFields(operation));
}

function members(fields: Readonly<Record<string, Field>>): Record<string, Tree> {
  const entries = Object.entries(fields).filter(([name]) => name !== 'idempotency_key');
  return Object.fromEntries(entries.map(([name, field]) => [name, sample(name, field)]));
}

function sample(name: string, field: Field): Tree {
  if (field.secret || isSecretName(name)) return field.type === 'object' ? members(field.fields ?? {}) : '<secret>';
  if (field.default !== undefined) return field.default;
  switch (field.type) {
    case 'string':
      return text(name, field);
    case 'integer':
      return field.format === 'unix' ? new NumberText('1767225600') : new NumberText(String(field.min ?? 1));
    case 'number':
      return new NumberText(field.min === undefined ? '1.00' : String(field.min));
    case 'boolean':
      return false;
    case 'array':
      return field.items ? [sample(name, field.items)] : [];
    case 'object':
      return members(field.fields ?? {});
    case 'any':
      return null;
  }
}

const FORMATS: Readonly<Record<FieldFormat, string>> = {
  id: '<id of 20 characters>',
  email: 'name@example.com',
  'date-time': '2026-01-31T10:00:00Z',
  unix: '1767225600',
  country: 'USA',
  currency: 'USD',
  url: 'https://example.com/',
  ipv4: '203.0.113.7',
  timezone: 'UTC',
  cron: '0 6 * * 1',
  digits: '<digits>',
};

function text(name: string, field: Field): string {
  const first = field.enum?.find((value) => value !== '') ?? field.enum?.[0];
  if (first !== undefined) return first;
  return field.format ? FORMATS[field.format] : `<${name.replaceAll('_', ' ')}>`;
}
