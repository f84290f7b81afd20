import type { FamilySpec } from '../conventions.js';
import { namedItem } from '../fields.js';

export default {
  name: 'campaigns',
  summary: 'Campaigns, to which every sale and customer belongs.',
  columns: 'id name enabled created_date_unix',
  exampleId: 'HD5Dc7voDsVRj7XENW7a',
  nature: 'set-up',
  keys: [{ field: 'name', unique: false, source: 'service.md#new-customers takes a name in place of the id' }],
  item: namedItem,
  evidence: 'convention',
  operations: {
    list: {
      rules: ['The ids are what `--campaign` takes on other lists.'],
    },
    get: {},
  },
} as const satisfies FamilySpec;
