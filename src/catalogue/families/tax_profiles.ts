import type { FamilySpec } from '../conventions.js';
import { array, flag, id, ids, namedObject, openObject, partlySeenBody, text, unix, unseenBody } from '../fields.js';

export default {
  name: 'tax_profiles',
  summary: 'Rules for computing taxes.',
  columns: 'id name enabled third_party_integration.name=integration created_date_unix',
  exampleId: 'JnTH7DcwX9oHkjUw5hfT',
  nature: 'set-up',
  risk: 'money',
  shape: 'spec',
  item: {
    id,
    name: text,
    description: text,
    enabled: flag,
    campaign_filter: array(namedObject),
    third_party_integration: openObject({ id, name: text, third_party: namedObject }),
    created_date_unix: unix,
    updated_date_unix: unix,
  },
  operations: {
    list: { evidence: 'spec' },
    get: { evidence: 'convention' },
    create: {
      body: partlySeenBody({
        name: { ...text, common: true },
        description: text,
        enabled: { ...flag, common: true },
        campaign_filter: {
          ...ids,
          readFrom: 'campaign_filter.id',
          note: 'Campaign ids by analogy; none means everywhere.',
        },
        third_party_integration: {
          ...id,
          nullable: true,
          readFrom: 'third_party_integration.id',
          note: 'A user integration of type tax, its id by analogy.',
        },
      }),
      rules: ['Needs a user integration of type tax.'],
      example: 'tax-profiles create --name "US sales tax" -d third_party_integration=Sm5Cza7rFhZrQy9EzjKy',
    },
    edit: {
      body: { asCreate: true },
      rules: ['Changes what is charged at once.'],
      example: 'tax-profiles edit JnTH7DcwX9oHkjUw5hfT --no-enabled',
    },
    delete: { operationId: '', body: unseenBody, evidence: 'convention' },
  },
} as const satisfies FamilySpec;
