import { RULE_FIELDS, type RuleField } from './rule-fields.js';

type Schema = Readonly<Record<string, unknown>>;

/** The JSON Schema of a policy file, for editors; `parse.ts` checks what it cannot express. */
export function policySchema(): object {
  const fields = RULE_FIELDS.map((field) => [field.name, { ...schemaOf(field), description: field.about }] as const);
  const rule = {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 1, description: 'Its name in messages, once in the file.' },
      ...Object.fromEntries(fields),
    },
    required: ['name'],
    additionalProperties: false,
  };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'The policy of cops',
    description: 'Limits on what may be written. All rules that apply to a write must allow it.',
    type: 'object',
    properties: {
      zone: { type: 'string', minLength: 1, description: 'Time zone for days and hours: Europe/Berlin.' },
      counts_from: { type: 'string', description: 'Earlier writes are not counted: 2026-01-31T10:00:00Z.' },
      rules: { type: 'array', items: rule },
    },
    required: ['zone', 'rules'],
    additionalProperties: false,
  };
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
