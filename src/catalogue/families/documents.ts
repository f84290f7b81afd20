import type { FamilySpec } from '../conventions.js';
import { closedBody, text } from '../fields.js';

export default {
  name: 'documents',
  summary: 'Evidence files against chargebacks.',
  columns: 'id',
  nature: 'event',
  operations: {
    create: {
      operationId: 'CreateChargebackDocument',
      summary: 'Build an evidence file about a sale',
      body: closedBody({
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
      }),
      rules: ['The answer holds the address of a ZIP file that expires after 24 hours.'],
      example: 'documents create --item-type sale --item-value eeGo2d9U7mrWv4XWv3Ne',
      answerId: undefined,
    },
  },
} as const satisfies FamilySpec;
