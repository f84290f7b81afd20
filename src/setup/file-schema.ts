import type { Field } from '../catalogue/types.js';
import type { Families, Managed } from './families.js';
import { settingsSchema } from './setup-settings.js';

type Schema = Readonly<Record<string, unknown>>;

const VARIABLE = { type: 'string', pattern: '\\$\\{(env|var|secret)\\.' };
const FILE = {
  type: 'object',
  properties: { file: { type: 'string', description: 'A file next to this one with the value.' } },
  required: ['file'],
  additionalProperties: false,
};

/** The JSON Schema of a family's files, with which editors complete and check them. */
export function schemaOfFamily(managed: Managed): Schema {
  const fields = Object.entries(managed.fields).map(([name, field]) => [name, schemaOfField(field)] as const);
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: managed.name,
    description: managed.family.summary,
    type: 'object',
    properties: {
      _id: { description: 'Pins the object: its id, or ids by environment (acme:live).' },
      _was: { type: 'string', description: 'Its name before it was renamed.' },
      _unmanaged: { description: 'Fields that the service shows but nobody can write; never sent.' },
      ...Object.fromEntries(fields),
    },
    additionalProperties: false,
  };
}

/** All schemas, by file name. */
export function schemaFiles(families: Families): ReadonlyMap<string, string> {
  const ofFamilies = [...families.managed.values()].map((managed) => [managed.name, schemaOfFamily(managed)] as const);
  const all = [...ofFamilies, ['cops.setup', settingsSchema([...families.managed.keys()])] as const];
  return new Map(all.map(([name, schema]) => [`${name}.json`, `${JSON.stringify(schema, undefined, 1)}\n`]));
}

function schemaOfField(field: Field): Schema {
  const own = ownSchema(field);
  const choices: Schema[] = [own];
  if (field.refers) choices.push(refSchema(field.refers));
  if (field.type === 'string' || field.type === 'array') choices.push(FILE);
  if (field.type === 'number' || field.type === 'integer' || field.type === 'boolean') choices.push(VARIABLE);
  const about = field.note === undefined ? {} : { description: field.note };
  return choices.length === 1 ? { ...own, ...about } : { anyOf: choices, ...about };
}

function refSchema(families: readonly string[]): Schema {
  const names = families.map((name) => name.replaceAll('_', '-'));
  const pattern = names.length === 0 ? '^[^/]+/' : `^(?:${names.join('|')})/`;
  return {
    type: 'object',
    properties: { ref: { type: 'string', pattern, description: `${names.join(' or ')}/<name>` } },
    required: ['ref'],
    additionalProperties: false,
  };
}

function ownSchema({ type, fields = {}, items, enum: choices }: Field): Schema {
  if (type === 'any') return {};
  if (type === 'array') return { type, items: items ? { anyOf: [schemaOfField(items), refSchema([])] } : undefined };
  if (type !== 'object') return { type, enum: choices };
  const members = Object.entries(fields).map(([name, member]) => [name, schemaOfField(member)] as const);
  return { type, properties: members.length > 0 ? Object.fromEntries(members) : undefined };
}
