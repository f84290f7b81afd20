import type { FamilySpec } from '../conventions.js';
import { anything, array, completeBody, flag, ids, namedItem, text, unseenBody } from '../fields.js';

export default {
  name: 'product_groups',
  summary: 'Named lists of products.',
  columns: 'id name enabled description created_date_unix',
  exampleId: 'Ct8FKYz5GKnxo7mkANUD',
  nature: 'set-up',
  risk: 'money',
  item: { ...namedItem, products: array(anything) },
  evidence: 'convention',
  operations: {
    list: {},
    get: {},
    create: {
      body: completeBody({
        name: { ...text, required: true, common: true },
        description: text,
        enabled: { ...flag, common: true },
        products: ids,
      }),
      rules: ['Payment routing may refer to it.'],
      example: 'product-groups create --name "Coffee" -d products[0]=kWfxjbQvgWYQUKRf48L9',
      evidence: 'published',
    },
    edit: {
      body: {
        closed: true,
        asCreate: true,
        fields: {
          products: { ...ids, onEdit: 'replaces', note: 'The whole new membership; an empty array empties the group.' },
        },
      },
      rules: [
        '`products` replaces the whole membership: products left out are removed.',
        'A changed membership can change which gateway is used.',
      ],
      example: 'product-groups edit Ct8FKYz5GKnxo7mkANUD --name "Coffee and tea"',
      evidence: 'published',
    },
    delete: { operationId: '', body: unseenBody, rules: ['Its products leave the group; none is deleted.'] },
  },
} as const satisfies FamilySpec;
