import type { Body, Field } from '../catalogue/types.js';
import { invalid } from './refusal.js';
import type { Value } from './text.js';

const FORMATS: Readonly<Record<string, { test: (text: string) => boolean; says: string }>> = {
  id: { test: (text) => text.length === 20, says: 'an identifier of 20 characters' },
  email: { test: (text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text), says: 'an e-mail address' },
  'date-time': {
    test: (text) => /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text)),
    says: 'a date and time',
  },
  country: { test: (text) => /^[A-Z]{3}$/.test(text), says: 'a country code of three letters' },
  currency: { test: (text) => /^[A-Z]{3}$/.test(text), says: 'a currency code of three letters' },
  digits: { test: (text) => /^\d+$/.test(text), says: 'digits only' },
  ipv4: {
    test: (text) => /^(\d{1,3}\.){3}\d{1,3}$/.test(text) && text.split('.').every((n) => Number(n) < 256),
    says: 'an IPv4 address',
  },
};

/**
 * Checks a body against what the catalogue knows of it: required, ill-typed, too long, not allowed, and in a
 * closed body unknown properties (`idempotency_key` apart, spec 4.14).
 * @throws Refusal 400 that names every fault with its path.
 */
export function checkBody(body: Value, shape: Body): void {
  const faults: string[] = [];
  const { idempotency_key: key, ...rest } = body;
  if (key !== undefined && typeof key !== 'string') faults.push('idempotency_key must be a string');
  checkFields(rest, shape.fields, shape.closed && shape.complete, '', faults);
  if (faults.length > 0) throw invalid(`The request is invalid: ${faults.join('; ')}.`);
}

function checkFields(
  object: Value,
  fields: Readonly<Record<string, Field>>,
  closed: boolean,
  prefix: string,
  faults: string[],
): void {
  for (const [name, field] of Object.entries(fields)) {
    const value = object[name];
    if (value === undefined) {
      if (field.required) faults.push(`${prefix}${name} is required`);
    } else checkValue(value, field, `${prefix}${name}`, faults);
  }
  if (!closed) return;
  for (const name of Object.keys(object)) {
    if (!Object.hasOwn(fields, name)) faults.push(`${prefix}${name} is not accepted`);
  }
}

function checkValue(value: unknown, field: Field, path: string, faults: string[]): void {
  if (value === null && field.nullable) return;
  if (!hasType(value, field.type)) {
    faults.push(`${path} must be ${/^[aeio]/.test(field.type) ? 'an' : 'a'} ${field.type}`);
    return;
  }
  if (typeof value === 'string') checkText(value, field, path, faults);
  if (typeof value === 'number') {
    if (field.min !== undefined && value < field.min) faults.push(`${path} must not be below ${field.min}`);
    if (field.max !== undefined && value > field.max) faults.push(`${path} must not be above ${field.max}`);
  }
  if (Array.isArray(value)) {
    if (field.minItems !== undefined && value.length < field.minItems)
      faults.push(`${path} needs at least ${field.minItems}`);
    if (field.maxItems !== undefined && value.length > field.maxItems)
      faults.push(`${path} takes at most ${field.maxItems}`);
    const { items } = field;
    if (items) for (const [index, element] of value.entries()) checkValue(element, items, `${path}[${index}]`, faults);
  } else if (field.fields && typeof value === 'object' && value !== null) {
    checkFields(value as Value, field.fields, !field.open, `${path}.`, faults);
  }
}

function checkText(text: string, field: Field, path: string, faults: string[]): void {
  if (text === '' && (field.nullable || field.emptyOk)) return;
  if (field.enum) {
    if (!field.enum.includes(text)) faults.push(`${path} must be one of ${field.enum.join(', ')}`);
    return;
  }
  if (field.minLength !== undefined && text.length < field.minLength)
    faults.push(`${path} is shorter than ${field.minLength}`);
  if (field.maxLength !== undefined && text.length > field.maxLength)
    faults.push(`${path} is longer than ${field.maxLength}`);
  const format = field.format && FORMATS[field.format];
  if (format && !format.test(text)) faults.push(`${path} must be ${format.says}`);
}

function hasType(value: unknown, type: Field['type']): boolean {
  if (type === 'any') return true;
  if (type === 'integer') return Number.isInteger(value);
  if (type === 'number') return typeof value === 'number';
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return typeof value === 'object' && value !== null && !Array.isArray(value);
  return typeof value === type;
}
