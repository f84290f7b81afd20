import type { FamilySpec } from '../conventions.js';
import {
  assumedOwner,
  campaignFilter,
  currencyFilter,
  customerId,
  ids,
  metadataFilter,
  money,
  paidItem,
  shopFilter,
  status,
} from '../fields.js';
import { OF_SALE } from '../references.js';

export default {
  name: 'offline_payments',
  summary: 'Payments taken outside card processing.',
  columns: 'id status amount amount_refunded iso_currency customer.email created_date_unix',
  exampleId: 'nz7ckMVUNdcuLNSsV5N4',
  nature: 'event',
  apart: 'Offline payments only: card and wallet payments are lists of their own.',
  item: { ...paidItem, status, amount: money, amount_refunded: money },
  assumed: { ...assumedOwner, sales: ids },
  instead: {
    refund:
      'Offline payments have no refund of their own: refund the items of the sale (product-sales refund, tax refund, shipping refund), or void the sale (sales void), which cancels its subscriptions for good.',
    void: 'Void the sale: sales void, which cancels its subscriptions as well.',
  },
  evidence: 'spec',
  operations: {
    list: {
      query: {
        campaign_filter: {
          ...campaignFilter,
          note: 'Named after the general rule of lists; not documented for this one.',
        },
        shop_filter: { ...shopFilter, note: 'Named after the general rule of lists; not documented for this one.' },
        currency_filter: {
          ...currencyFilter,
          note: 'Named after the general rule of lists; not documented for this one.',
        },
        metadata_filter: {
          ...metadataFilter,
          note: 'Named after the general rule of lists; not documented for this one.',
        },
        customer_id: { ...customerId, note: 'Named after the general rule of lists; not documented for this one.' },
      },
      rules: [
        'Only sales create them.',
        'They have no refund of their own: void the sale (`sales void`) or refund its items.',
      ],
      example: 'offline-payments list --last 30d',
    },
    get: {
      related: OF_SALE,
      rules: ['They have no refund of their own: void the sale (`sales void`) or refund its items.'],
    },
  },
} as const satisfies FamilySpec;
