import { RULE_FIELDS, type RuleField } from './rule-fields.js';

type Schema = Readonly<Record<string, unknown>>;

/** The JSON Schema of a policy's file, for editors; what it cannot say, `parse.ts` tells. */
export function policySchema(): object {
  const fields = RULE_FIELDS.map((field) => [field.name, { ...schemaOf(field), description: aboutOf(field) }] as const);
  const rule = {
    type: 'object',
    properties: { name: { type: 'string', minLength: 1 }, ...Object.fromEntries(fields) },
    required: ['name'],
    additionalProperties: false,
  };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'The policy of cops',
    description: 'Limits on what may be written. All rules that speak of a write must let it pass.',
    type: 'object',
    properties: {
      zone: { type: 'string', minLength: 1, description: 'Whose days and hours count: Europe/Berlin.' },
      counts_from: { type: 'string', description: 'What was written before is not counted: 2026-01-31T10:00:00Z.' },
      rules: { type: 'array', items: rule },
    },
    required: ['zone', 'rules'],
    additionalProperties: false,
  };
}

function aboutOf({ isLimit, option }: RuleField): string {
  return option?.about ?? (isLimit ? 'A limit.' : 'Where the rule holds.');
}

function schemaOf({ reads, values, mayBeNone }: RuleField): Schema {
  const words = { type: 'array', minItems: mayBeNone ? 0 : 1 };
  switch (reads) {
    case 'words':
    case 'operations':
      return { ...words, items: { type: 'string', minLength: 1 } };
    case 'choices':
      return { ...words, items: { enum: values } };
    case 'amounts':
      return {
        type: 'object',
        propertyNames: { pattern: '^[A-Z]{3}$' },
        additionalProperties: {
          anyOf: [
            { type: 'number', minimum: 0 },
            { type: 'string', pattern: '^\\d{1,15}(\\.\\d{1,8})?$' },
          ],
        },
      };
    case 'count':
      return { type: 'integer', minimum: 0, maximum: 999_999_999 };
    case 'hours':
      return { type: 'string', pattern: '^\\d\\d?:\\d\\d\\s*-\\s*\\d\\d?:\\d\\d$' };
    case 'flag':
      return { type: 'boolean' };
  }
}
