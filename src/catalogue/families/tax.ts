import type { FamilySpec } from '../conventions.js';
import {
  amounts,
  anything,
  assumedOfPayment,
  campaignFilter,
  currency,
  currencyFilter,
  customer,
  flag,
  id,
  namedObject,
  refund,
  refundRules,
  text,
  unix,
} from '../fields.js';
import { OF_SALE } from '../references.js';

export default {
  name: 'tax',
  summary: 'Taxes charged.',
  columns: 'id name rate amount amount_refunded iso_currency customer.email created_date_unix',
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
  assumed: { ...assumedOfPayment, tax_profile: namedObject },
  operations: {
    list: {
      operationId: 'GetTaxes',
      summary: 'List taxes',
      query: { campaign_filter: campaignFilter, currency_filter: currencyFilter },
      rules: ['More filters exist; their names are not documented.'],
      example: 'tax list --last 30d',
    },
    get: { related: OF_SALE },
    refund: {
      ...refund,
      rules: ['Refunds the tax part only.', ...refundRules],
      example: 'tax refund pNRNNwuqEMwZiAzkVDmR --amount 1.20',
    },
  },
} as const satisfies FamilySpec;
