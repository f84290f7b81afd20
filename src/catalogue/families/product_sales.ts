import type { FamilySpec } from '../conventions.js';
import {
  assumedOfPayment,
  completeBody,
  id,
  integer,
  money,
  openObject,
  paidItem,
  refund,
  refundAmount,
  refundedOffsite,
  refundRules,
  text,
} from '../fields.js';
import { OF_SALE } from '../references.js';

export default {
  name: 'product_sales',
  summary: 'The product lines of sales.',
  columns:
    'id product.name quantity amount_total amount_refunded iso_currency customer.email live_mode created_date_unix',
  exampleId: 'gg89UtHd4ud7Y6B2TWTB',
  nature: 'event',
  apart: 'Items of orders only: their shipping and tax, renewals and trials have amounts of their own.',
  item: {
    ...paidItem,
    product: openObject({ id, name: text }),
    quantity: integer,
    amount_total: money,
    amount_refunded: money,
  },
  assumed: { ...assumedOfPayment },
  instead: {
    void: 'There is no partial void: use product-sales refund, or sales void for the whole sale, which cancels its subscriptions as well.',
  },
  operations: {
    list: {
      list: { style: 'windowed', spanDays: 90, datesUnproven: true },
      rules: ['Its filters are not documented.'],
    },
    get: { related: OF_SALE, evidence: 'convention' },
    refund: {
      ...refund,
      body: completeBody({ amount: refundAmount, refunded_offsite: refundedOffsite }),
      rules: [
        'The best choice for a partial refund of one product.',
        'Pays back the way the line was paid: card, wallet or offline payment.',
        '`--refunded-offsite` is for a line refunded elsewhere.',
        ...refundRules,
      ],
      example: 'product-sales refund gg89UtHd4ud7Y6B2TWTB --amount 10.00',
    },
  },
} as const satisfies FamilySpec;
