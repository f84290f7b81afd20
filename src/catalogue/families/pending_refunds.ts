import type { FamilySpec } from '../conventions.js';
import { id, money, namedObject, paidItem, status, text, unseenCustomerId } from '../fields.js';

export default {
  name: 'pending_refunds',
  summary: 'Refunds on their way to the payment processor.',
  columns: 'id status amount iso_currency customer.email created_date_unix',
  exampleId: 'RrWvLUC4iy7GhNkngFrK',
  nature: 'event',
  words: ['refunds'],
  open: ['pending'],
  item: { ...paidItem, status, amount: money },
  assumed: {
    type: text,

    transaction_id: id,
    source_id: {
      ...id,
      refers: ['sales', 'product_sales', 'subscription_renewals', 'shipping', 'tax', 'trials', 'transactions'],
      refersBy: { field: 'type' },
    },
    third_party_shop: namedObject,
  },
  instead: {
    create:
      'Refunds and voids create pending refunds: product-sales refund; sales void, which cancels subscriptions as well.',
  },
  operations: {
    list: {
      query: {
        customer_id: unseenCustomerId,
      },
      rules: [
        'Only refunds and voids create them; nothing edits or cancels them.',
        'A filter for unprocessed ones exists; its name is not documented.',
      ],
      example: 'pending-refunds list --last 30d',
    },
    get: { rules: ['The id is what a refund or void answered as `pending_refund`.'] },
    search: { example: 'pending-refunds search eeGo2d9U7mrWv4XWv3Ne' },
  },
} as const satisfies FamilySpec;
