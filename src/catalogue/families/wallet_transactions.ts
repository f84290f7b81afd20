import type { FamilySpec } from '../conventions.js';
import { assumedOwner, ids, money, namedObject, paidItem, status, unseenCustomerId } from '../fields.js';
import { OF_SALE } from '../references.js';

export default {
  name: 'wallet_transactions',
  summary: 'Sales paid by the payment wallet.',
  columns: 'id status amount amount_refunded iso_currency customer.email created_date_unix',
  exampleId: 'yxANmfR5J3azUnKVoccr',
  nature: 'event',
  apart: 'Wallet payments only: card and offline payments are lists of their own.',
  item: { ...paidItem, status, amount: money, amount_refunded: money },
  assumed: { ...assumedOwner, sales: ids, wallet_account: namedObject },
  instead: {
    refund:
      'Refund a part by product-sales refund; sales void refunds everything and cancels its subscriptions for good.',
  },
  operations: {
    list: {
      query: {
        customer_id: unseenCustomerId,
      },
      rules: ['No refund here: void the sale or refund its items.'],
      example: 'wallet-transactions list --last 30d',
    },
    get: { related: OF_SALE, rules: ['No refund here: void the sale or refund its items.'] },
    search: { example: 'wallet-transactions search jane@example.com' },
  },
} as const satisfies FamilySpec;
