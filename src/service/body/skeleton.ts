import { bodyFieldAt, bodyFields } from '../../catalogue/body-fields.js';
import type { Field, FieldFormat, Operation } from '../../catalogue/types.js';
import { pathText, type Tree, type TreeObject, walk } from '../../items/json/tree.js';
import { isSecretName } from '../../items/secrets/secret-fields.js';

/**
 * A body with every known field of an operation. Each field holds a hint about its form (`<price: a number>`, the
 * allowed values) or, where omitting it means the same, its default. It is meant to be edited: a hint left in a body is
 * refused, even that of a switch, which would otherwise be sent as off although nobody asked for it. Serialise the
 * result with `indent(serialise(skeleton(operation)))`.
 */
export function skeleton(operation: Operation): Record<string, Tree> {
  return members(bodyFields(operation));
}

/**
 * Notes on the fields that a template leaves out: those that only reads show, and those given on the command line
 * (`isSaid`).
 */
export function skeletonNotes(operation: Operation, isSaid: boolean): string[] {
  const known = bodyFields(operation);
  const others = Object.keys(operation.assumed ?? {}).filter((name) => !(name in known));
  return [
    ...(others.length > 0
      ? [`Reads also show these, but no documentation says that a write accepts them: ${others.join(', ')}.`]
      : []),
    ...(isSaid ? ['The template is the same for every body: it leaves out what the command line already gives.'] : []),
  ];
}

/** The places of a body that still hold the skeleton's hint. */
export function placeholdersIn(operation: Operation, body: TreeObject): string[] {
  const left: string[] = [];
  walk(body, (parts, value) => {
    if (typeof value !== 'string' || !/^<.+>$/s.test(value)) return;
    const { field } = bodyFieldAt(operation, parts);
    const name = String(parts.filter((part) => typeof part === 'string').at(-1) ?? '');
    if (field && (value === sample(name, field) || value === '<secret>')) left.push(pathText(parts));
  });
  return left;
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
      return `<${name.replaceAll('_', ' ')}: ${field.format === 'unix' ? 'unix seconds' : 'a whole number'}>`;
    case 'number':
      return `<${name.replaceAll('_', ' ')}: a number>`;
    case 'boolean':
      return `<${name.replaceAll('_', ' ')}: true or false>`;
    case 'array':
      return field.items ? [sample(name, field.items)] : [];
    case 'object':
      return members(field.fields ?? {});
    case 'any':
      return `<${name.replaceAll('_', ' ')}: any value>`;
  }
}

const FORMATS: Readonly<Record<FieldFormat, string>> = {
  id: '<id of 20 characters>',
  email: '<name@example.com>',
  'date-time': '<2026-01-31T10:00:00Z>',
  unix: '<unix seconds>',
  country: '<country: three letters>',
  currency: '<currency: three letters>',
  url: '<https://example.com/>',
  ipv4: '<203.0.113.7>',
  timezone: '<time zone: Europe/Berlin>',
  cron: '<cron: 0 6 * * 1>',
  digits: '<digits>',
  code: '<letters and digits>',
};

function text(name: string, field: Field): string {
  const [first, ...others] = field.enum?.filter((value) => value !== '') ?? [];
  if (first !== undefined)
    return others.length === 0 ? first : `<${name.replaceAll('_', ' ')}: ${[first, ...others].join('|')}>`;
  return field.format ? FORMATS[field.format] : `<${name.replaceAll('_', ' ')}>`;
}
