import type { FamilySpec } from '../conventions.js';
import { id, text } from '../fields.js';

export default {
  name: 'site_gateways',
  summary: 'Payment gateways that the service knows.',
  columns: ['id', 'name', 'description'],
  exampleId: 'FKpVWnTwW5ZhfAkKE8FV',
  nature: 'set-up',
  keys: [{ field: 'name', unique: false, source: 'nothing says that it is' }],
  item: { id, name: text, description: text },
  operations: [
    { action: 'list', list: { style: 'paged' }, evidence: 'convention' },
    {
      action: 'get',
      rules: ['Shows which credential fields a user gateway of this kind needs.'],
      evidence: 'convention',
    },
  ],
} as const satisfies FamilySpec;
