import type { FamilySpec } from '../conventions.js';
import { anyObject, array, closedBody, flag, id, object, text, unix } from '../fields.js';

const parameters = array(
  object({
    url_parameter: text,
    metadata_name: { ...text, note: "Name to store it under; the parameter's own name when empty." },
  }),
);

export default {
  name: 'url_parameter_sets',
  summary: 'URL parameters kept as metadata.',
  columns: 'id name enabled description created_date_unix',
  exampleId: 'CdRDSWSTKYzZwgJnV6Ja',
  nature: 'set-up',
  keys: [{ field: 'name', unique: true, source: 'published page' }],
  item: {
    created_date_unix: unix,
    id,
    name: text,
    description: text,
    enabled: flag,
    url_parameters: array(anyObject),
  },
  operations: {
    list: { evidence: 'convention' },
    get: {},
    create: {
      body: closedBody({
        name: { ...text, common: true, note: 'Unique among the sets.' },
        description: text,
        enabled: { ...flag, common: true },
        url_parameters: parameters,
      }),
      rules: ['Attaches to nothing by itself: attach it with `tracking-domains edit`.'],
      example: 'url-parameter-sets create --name "Ads" -d url_parameters[0].url_parameter=utm_source',
    },
    edit: {
      body: {
        asCreate: true,
        fields: {
          url_parameters: {
            ...parameters,
            onEdit: 'replaces',
            note: 'Replaces the stored list.',
          },
        },
      },
      rules: ['`url_parameters` replaces the stored list.'],
      example: 'url-parameter-sets edit CdRDSWSTKYzZwgJnV6Ja --no-enabled',
    },
    delete: { evidence: 'convention', answerId: undefined },
  },
} as const satisfies FamilySpec;
