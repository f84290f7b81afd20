import type { FamilySpec } from '../conventions.js';
import { assumedOfPayment, id, money, paidItem } from '../fields.js';
import { OF_SALE } from '../references.js';

export default {
  name: 'discounts',
  summary: 'Discounts applied to sales.',
  columns: 'id amount iso_currency customer.email created_date_unix',
  exampleId: 'CCLbDfawRb9yANizddmE',
  nature: 'event',
  item: { ...paidItem, amount: money },
  assumed: { ...assumedOfPayment, coupon_id: id },
  evidence: 'convention',
  operations: {
    list: { operationId: '', list: { style: 'windowed', spanDays: 90, datesUnproven: true } },
    get: { operationId: '', related: OF_SALE },
  },
} as const satisfies FamilySpec;
