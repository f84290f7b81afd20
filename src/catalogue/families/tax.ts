import type { FamilySpec } from '../conventions.js';
import {
  amounts,
  anything,
  campaignFilter,
  currency,
  currencyFilter,
  customer,
  flag,
  id,
  refundAmount,
  refundPreview,
  text,
  unix,
} from '../fields.js';
import { OF_SALE } from '../references.js';

export default {
  name: 'tax',
  summary: 'Taxes that were charged.',
  columns: ['id', 'name', 'rate', 'amount', 'amount_refunded', 'iso_currency', 'customer.email', 'created_date_unix'],
  exampleId: 'pNRNNwuqEMwZiAzkVDmR',
  nature: 'event',
  item: {
    id,
    name: text,
    description: text,
    rate: anything,
    ...amounts,
    iso_currency: currency,
    live_mode: flag,
    customer,
    created_date_unix: unix,
  },
  operations: [
    {
      action: 'list',
      operationId: 'GetTaxes',
      summary: 'List taxes',
      list: { style: 'windowed', spanDays: 90 },
      query: { campaign_filter: campaignFilter, currency_filter: currencyFilter },
      rules: ['Further filters exist that were not seen.'],
      example: 'tax list --last 30d',
    },
    { action: 'get', related: OF_SALE },
    {
      action: 'refund',
      risk: 'money',
      body: { closed: true, complete: true, fields: { amount: refundAmount } },
      preview: { ...refundPreview, says: ['The pending refund that this makes cannot be cancelled or reversed.'] },
      checks: ['refund-amount'],
      acceptedOnly: true,
      rules: [
        'Refunds the tax part only.',
        'Makes a pending refund, which cannot be cancelled or reversed.',
        'Success means accepted, not paid back.',
        'A body is sent in any case: without `amount` everything is refunded.',
      ],
      example: 'tax refund pNRNNwuqEMwZiAzkVDmR --amount 1.20',
    },
  ],
} as const satisfies FamilySpec;
