import { unseenBody } from '../fields.js';
import { relatedOfSale } from '../relations.js';
import type { Family } from '../types.js';

export default {
  name: 'invoices',
  summary: 'Invoices.',
  columns: [
    { path: 'id' },
    { path: 'status', as: 'status' },
    { path: 'amount_total', title: 'total', as: 'money' },
    { path: 'iso_currency', title: 'currency' },
    { path: 'customer.email', title: 'customer' },
    { path: 'created_date_unix', title: 'created', as: 'time' },
  ],
  idField: 'id',
  nature: 'event',
  keys: [],
  instead: {
    void: 'Void or refund the sale of a paid invoice: sales void.',
    pay: 'An invoice is paid on its hosted page or in the web app.',
  },
  operations: [
    {
      action: 'list',
      method: 'GET',
      path: '/invoices',
      operationId: 'GetInvoices',
      summary: 'List invoices',
      risk: 'read',
      list: { style: 'windowed', spanDays: 90 },
      permission: 'invoice:retrieve',
      rules: [],
      example: 'invoices list --last 30d',
      evidence: 'spec',
    },
    {
      action: 'get',
      method: 'GET',
      path: '/invoices/{invoice_id}',
      operationId: 'GetInvoice',
      summary: 'Show one invoice',
      risk: 'read',
      related: relatedOfSale('invoices'),
      permission: 'invoice:retrieve',
      rules: ['The state is paid, unpaid or void.'],
      example: 'invoices get uDB4wJTDkscdHaKuSVtx',
      evidence: 'spec',
    },
    {
      action: 'create',
      method: 'POST',
      path: '/invoices',
      operationId: 'CreateInvoice',
      summary: 'Create an invoice',
      risk: 'money',
      body: unseenBody,
      answerId: 'invoice_id',
      permission: 'invoice:create',
      rules: [
        'Made like a pending sale; needs an invoice profile.',
        'The body fields were not seen: any field is passed on with a note.',
      ],
      example: 'invoices create -d campaign=HD5Dc7voDsVRj7XENW7a',
      evidence: 'spec',
    },
  ],
} as const satisfies Family;
