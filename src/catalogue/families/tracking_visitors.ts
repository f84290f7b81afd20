import type { FamilySpec } from '../conventions.js';
import { id, ids, namedObject, unix } from '../fields.js';

export default {
  name: 'tracking_visitors',
  summary: 'Visitors seen by a tracking domain.',
  columns: 'id created_date_unix',
  exampleId: '9FoBT8dfQ4guKYzeYLRT',
  nature: 'event',
  item: { id, created_date_unix: unix },
  assumed: { tracking_domain: namedObject, sales: ids },
  operations: {
    get: {
      rules: [
        'There is no list: you need the id.',
        'Shows metadata, address and browser, related sales and page visits.',
      ],
    },
  },
} as const satisfies FamilySpec;
