import type { FamilySpec } from '../conventions.js';
import { assumedOfPayment, money, order, paidItem, status, unseenBody } from '../fields.js';
import { OF_SALE } from '../references.js';

export default {
  name: 'invoices',
  summary: 'Invoices.',
  columns: 'id status amount_total iso_currency customer.email created_date_unix',
  exampleId: 'uDB4wJTDkscdHaKuSVtx',
  nature: 'event',
  open: ['unpaid'],
  item: { ...paidItem, status, amount_total: money },
  assumed: { ...assumedOfPayment },
  instead: {
    void: 'Void the sale of a paid invoice: sales void, which cancels its subscriptions as well.',
    pay: 'An invoice is paid on its hosted page or in the web app.',
  },
  evidence: 'spec',
  operations: {
    list: { example: 'invoices list --last 30d' },
    get: { related: OF_SALE, rules: ['The state is paid, unpaid or void.'] },
    create: {
      risk: 'money',
      body: unseenBody,
      further: order,
      rules: ['Created like a pending sale; needs an invoice profile.'],
      example: 'invoices create -d campaign=HD5Dc7voDsVRj7XENW7a',
    },
  },
} as const satisfies FamilySpec;
