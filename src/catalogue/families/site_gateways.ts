import type { FamilySpec } from '../conventions.js';
import { id, text } from '../fields.js';

export default {
  name: 'site_gateways',
  summary: 'Payment gateways that the service knows.',
  columns: 'id name description',
  exampleId: 'FKpVWnTwW5ZhfAkKE8FV',
  nature: 'set-up',
  item: { id, name: text, description: text },
  evidence: 'convention',
  operations: {
    list: {},
    get: { rules: ['Shows which credential fields a user gateway of this kind needs.'] },
  },
} as const satisfies FamilySpec;
