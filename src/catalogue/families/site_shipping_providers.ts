import type { FamilySpec } from '../conventions.js';
import { id, text } from '../fields.js';

export default {
  name: 'site_shipping_providers',
  summary: 'Carriers that the service knows, with their methods.',
  columns: 'id name description',
  one: 'shipping provider',
  exampleId: 'tSNiPTrn5cRVGyAhpDSv',
  nature: 'set-up',
  item: { id, name: text, description: text },
  evidence: 'convention',
  operations: {
    list: {},
    get: {
      rules: [
        'Rates and shipments take the ids of the provider and method shown here, never the codes of a fulfillment center.',
      ],
    },
  },
} as const satisfies FamilySpec;
