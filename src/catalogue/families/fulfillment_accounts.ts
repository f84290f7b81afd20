import type { FamilySpec } from '../conventions.js';
import { anyObject, completeBody, credentialFields, flag, id, text, unseenBody } from '../fields.js';

export default {
  name: 'fulfillment_accounts',
  summary: 'Your accounts at fulfillment centers.',
  columns: 'id name enabled cancel_on_void:flag description',
  exampleId: 'gtUNLMkHyjwXRSHaeFMN',
  nature: 'set-up',
  keys: [{ field: 'name', unique: true, source: 'published page' }],
  left: {
    cancel_on_void: 'no write takes it',
  },
  item: { id, name: text, description: text, enabled: flag, cancel_on_void: flag, fulfillment_center: anyObject },
  evidence: 'spec',
  operations: {
    list: {},
    get: {
      rules: ['With `cancel_on_void` a shipment that is fully refunded or voided is cancelled at the center.'],
    },
    create: {
      body: completeBody({
        name: { ...text, required: true, common: true, note: 'Unique among fulfillment accounts.' },
        description: text,
        enabled: { ...flag, common: true },
        fulfillment_center: {
          ...id,
          required: true,
          common: true,
          readFrom: 'fulfillment_center.id',
          note: 'Site fulfillment center.',
        },
        fields: credentialFields,
      }),
      rules: ['Get the center first: its `required_fields` name the credential fields.'],
      example: 'fulfillment-accounts create --name "East" --fulfillment-center t3xDeARnBaa9zbKdyNbG',
    },
    edit: {
      body: {
        closed: true,
        asCreate: true,
        fields: {
          fulfillment_center: {
            ...id,
            common: true,
            readFrom: 'fulfillment_center.id',
            note: 'A new center needs its fields too.',
          },
        },
      },
      checks: ['fulfillment-center'],
      rules: ['A new center needs its `fields` in the same body.'],
      example: 'fulfillment-accounts edit gtUNLMkHyjwXRSHaeFMN --no-enabled',
    },
    delete: { operationId: '', body: unseenBody, rules: ['Its effect on linked products is not documented.'] },
  },
} as const satisfies FamilySpec;
