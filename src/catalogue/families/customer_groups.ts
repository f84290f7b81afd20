import type { FamilySpec } from '../conventions.js';
import { closedBody, flag, id, text, unix } from '../fields.js';

export default {
  name: 'customer_groups',
  summary: 'Groups of customers, kept by hand or by rules.',
  columns: 'id name enabled description created_date_unix',
  exampleId: 'Hsy2HYa6bwSVSCoFAkDt',
  nature: 'set-up',
  keys: [{ field: 'name', unique: false, source: 'published page: should be unique' }],
  item: { created_date_unix: unix, id, name: text, description: text, enabled: flag },
  operations: {
    list: {},
    get: { evidence: 'convention' },
    create: {
      body: closedBody({
        name: { ...text, common: true, note: 'Should be unique.' },
        description: { ...text, common: true },
        enabled: { ...flag, common: true },
        qualifier_method: { ...text, note: 'How membership is decided; its values are not documented.' },
        qualifiers: { type: 'array', note: 'Rules, where the method uses them; their shape is not documented.' },
      }),
      example: 'customer-groups create --name "Loyal" --description "Three purchases or more"',
    },
    edit: {
      body: { asCreate: true },
      rules: [
        'Changed rules move existing customers in or out and can start automations.',
        'Existing customers are checked again at the end of the day.',
      ],
      example: 'customer-groups edit Hsy2HYa6bwSVSCoFAkDt --name "Very loyal"',
    },
    delete: { evidence: 'convention' },
  },
} as const satisfies FamilySpec;
