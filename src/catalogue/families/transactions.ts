import type { FamilySpec } from '../conventions.js';
import {
  amounts,
  anyObject,
  anything,
  assumedOfPayment,
  campaignFilter,
  completeBody,
  currency,
  currencyFilter,
  customer,
  each,
  flag,
  id,
  idFilter,
  ids,
  refund,
  refundAmount,
  refundedOffsite,
  refundPreview,
  refundRules,
  shopFilter,
  text,
  unix,
  unseenCustomerId,
} from '../fields.js';
import { OF_SALE } from '../references.js';

export default {
  name: 'transactions',
  summary: 'Card payment attempts.',
  columns:
    'id result:status amount amount_refunded iso_currency gateway_name customer.email live_mode created_date_unix',
  exampleId: 'SzX5jjMQkBorFDPqrWBd',
  nature: 'event',
  apart:
    'Card payments only, failed ones included unless a condition says otherwise; wallet payments, checks and offline payments are lists of their own.',
  keys: [{ field: 'gateway_transaction_id', unique: false, source: 'nothing says that it is' }],
  item: {
    id,
    ...amounts,
    ...each(flag, 'approved declined held error captured settled void'),
    result: {
      ...text,
      enum: ['approved', 'declined', 'error', 'held'],
      spoken: { failed: '=declined,error,held', failure: '=declined,error,held' },
    },
    code: anything,
    iso_currency: currency,
    live_mode: flag,
    gateway_id: id,
    gateway_name: text,
    gateway_transaction_id: text,
    gateway_auth_code: text,
    created_date_unix: unix,
    customer,
  },
  assumed: {
    ...assumedOfPayment,
    salvage_transactions: { ...ids, part: true },
    customer_card: { ...anyObject, relation: 'card' },
    payment_profile: id,
  },
  operations: {
    list: {
      query: {
        campaign_filter: campaignFilter,
        currency_filter: currencyFilter,
        shop_filter: shopFilter,
        gateway_filter: idFilter,
        customer_id: unseenCustomerId,
      },
      rules: [
        'Card payments only; wallet and offline payments have their own families.',
        'More filters exist; their names are not documented.',
      ],
      example: 'transactions list --last 7d --currency USD',
    },
    get: { related: OF_SALE },
    refund: {
      ...refund,
      summary: 'Refund a card transaction',
      body: completeBody({ amount: refundAmount, refunded_offsite: refundedOffsite }),
      preview: {
        ...refundPreview,
        says: [
          'Refunding the item itself keeps the figures per item right: product-sales refund, shipping refund, tax refund, subscription-renewals refund, or sales void for everything, which cancels its subscriptions as well.',
          ...refund.preview.says,
        ],
        narrower: 'product-sales refund',
      },
      rules: [
        'Prefer the refund of the item (sale, product sale, shipment, tax, renewal): this one blurs the figures per item.',
        'Cards only.',
        ...refundRules,
      ],
      example: 'transactions refund SzX5jjMQkBorFDPqrWBd --amount 12.50',
      answerId: undefined,
    },
    search: {
      rules: ['Searches id, first six, last four, gateway transaction id and metadata values.'],
      example: 'transactions search 4242',
    },
  },
} as const satisfies FamilySpec;
