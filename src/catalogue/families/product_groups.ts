import type { FamilySpec } from '../conventions.js';
import { anything, array, completeBody, flag, ids, namedItem, text, unseenBody } from '../fields.js';

export default {
  name: 'product_groups',
  summary: 'Named lists of products.',
  columns: ['id', 'name', 'enabled', 'description', 'created_date_unix'],
  exampleId: 'Ct8FKYz5GKnxo7mkANUD',
  nature: 'set-up',
  keys: [{ field: 'name', unique: false, source: 'nothing says that it is' }],
  item: { ...namedItem, products: array(anything) },
  operations: [
    { action: 'list', list: { style: 'paged' }, evidence: 'convention' },
    { action: 'get', evidence: 'convention' },
    {
      action: 'create',
      risk: 'money',
      body: completeBody({
        name: { ...text, required: true, common: true },
        description: text,
        enabled: { ...flag, common: true },
        products: ids,
      }),
      rules: ['Payment routing may refer to it.'],
      example: 'product-groups create --name "Coffee" -d products[0]=kWfxjbQvgWYQUKRf48L9',
    },
    {
      action: 'edit',
      risk: 'money',
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
    },
    {
      action: 'delete',
      operationId: '',
      body: unseenBody,
      rules: ['Its products leave the group; none is deleted.'],
      evidence: 'convention',
    },
  ],
} as const satisfies FamilySpec;
