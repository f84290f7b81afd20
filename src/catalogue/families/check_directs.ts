import type { FamilySpec } from '../conventions.js';
import { assumedOwner, ids, money, paidItem, status } from '../fields.js';
import { OF_SALE } from '../references.js';

export default {
  name: 'check_directs',
  summary: 'Payments by check.',
  columns: 'id status amount amount_refunded iso_currency customer.email created_date_unix',
  one: 'check payment',
  exampleId: 'Ro8QsZUNM67zaepw8vVz',
  nature: 'event',
  item: { ...paidItem, status, amount: money, amount_refunded: money },
  assumed: { ...assumedOwner, sales: ids },
  instead: {
    refund:
      'Refund the items of its sale (product-sales refund, tax refund, shipping refund), or void the sale (sales void), which cancels its subscriptions for good.',
  },
  evidence: 'convention',
  operations: {
    list: { list: { style: 'windowed', spanDays: 90, datesUnproven: true } },
    get: { related: OF_SALE },
  },
} as const satisfies FamilySpec;
