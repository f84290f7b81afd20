import type { FamilySpec } from '../conventions.js';
import { id, text } from '../fields.js';

export default {
  name: 'site_shipping_providers',
  summary: 'Carriers that the service knows, with their methods.',
  columns: ['id', 'name', 'description'],
  one: 'shipping provider',
  exampleId: 'tSNiPTrn5cRVGyAhpDSv',
  nature: 'set-up',
  keys: [{ field: 'name', unique: false, source: 'nothing says that it is' }],
  item: { id, name: text, description: text },
  operations: [
    { action: 'list', list: { style: 'paged' }, evidence: 'convention' },
    {
      action: 'get',
      rules: [
        'Rates and shipments take the ids of the provider and method shown here, never the codes of a fulfillment center.',
      ],
      evidence: 'convention',
    },
  ],
} as const satisfies FamilySpec;
