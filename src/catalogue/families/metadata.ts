import type { FamilySpec } from '../conventions.js';
import { completeBody, flag, id, metadata, text, unix } from '../fields.js';
import { wordList } from '../references.js';

export default {
  name: 'metadata',
  summary: 'Names and values attached to items.',
  columns: 'id name enabled created_date_unix',
  one: 'metadata entry',
  exampleId: 'TeLk2TiuHdY8suxyDrTV',
  nature: 'set-up',
  unmanaged: 'entries are created with the pairs of items',
  shape: 'spec',
  item: { id, name: text, enabled: flag, created_date_unix: unix, updated_date_unix: unix },
  instead: {
    create: 'Use metadata insert.',
    edit: 'There is no documented edit of metadata: metadata insert adds pairs.',
    delete: 'There is no documented delete of metadata.',
  },
  evidence: 'spec',
  operations: {
    list: {
      summary: 'List metadata entries',
      rules: ['Names only; `get` shows values.'],
    },
    get: { operationId: 'GetMetadataEntry', rules: ['At most 500 different values are returned.'] },
    insert: {
      path: '/metadata',
      summary: 'Attach metadata to an item',
      risk: 'write',
      body: completeBody({
        item_type: {
          ...text,
          required: true,
          common: true,
          enum: wordList(
            'customer sale product_sale shipping subscription subscription_renewal salvage_transaction chargeback fraud_detection',
          ),
        },
        item_id: { ...id, refersBy: { field: 'item_type' }, required: true, common: true },
        metadata: { ...metadata, required: true },
        cascade: { ...flag, common: true, default: false, note: 'Also adds it to sub-items.' },
      }),
      checks: ['metadata'],
      rules: ['The related customer always gets the pairs too.', 'No edit or delete of metadata is documented.'],
      example:
        'metadata insert --item-type sale --item-id eeGo2d9U7mrWv4XWv3Ne -d metadata[0].name=source -d metadata[0].value=newsletter',
      answerId: undefined,
      evidence: 'published',
    },
  },
} as const satisfies FamilySpec;
