import { text } from '../fields.js';
import type { Family } from '../types.js';

export default {
  name: 'documents',
  summary: 'Evidence files against chargebacks.',
  columns: [{ path: 'id' }],
  idField: 'id',
  nature: 'event',
  keys: [],
  operations: [
    {
      action: 'create',
      method: 'POST',
      path: '/documents',
      operationId: 'CreateChargebackDocument',
      summary: 'Build an evidence file about a sale',
      risk: 'write',
      body: {
        closed: true,
        complete: false,
        fields: {
          item_type: {
            ...text,
            required: true,
            common: true,
            enum: ['sale', 'transaction', 'shipping', 'fraud_detection', 'chargeback'],
          },
          item_value: {
            ...text,
            required: true,
            common: true,
            refersBy: { field: 'item_type' },
            note: 'An id; for a transaction also its gateway id, for a shipment its tracking number.',
          },
        },
      },
      rules: [
        'The answer holds the address of a ZIP file, which dies after 24 hours.',
        'Further body fields exist that were not seen.',
      ],
      example: 'documents create --item-type sale --item-value eeGo2d9U7mrWv4XWv3Ne',
      evidence: 'published',
    },
  ],
} as const satisfies Family;
