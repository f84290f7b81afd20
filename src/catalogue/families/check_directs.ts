import { relatedOfSale } from '../relations.js';
import type { Family } from '../types.js';

export default {
  name: 'check_directs',
  summary: 'Payments by check.',
  columns: [
    { path: 'id' },
    { path: 'status', as: 'status' },
    { path: 'amount', as: 'money' },
    { path: 'amount_refunded', title: 'refunded', as: 'money' },
    { path: 'iso_currency', title: 'currency' },
    { path: 'customer.email', title: 'customer' },
    { path: 'created_date_unix', title: 'created', as: 'time' },
  ],
  idField: 'id',
  nature: 'event',
  keys: [],
  instead: {
    refund: 'Void the sale (sales void), or refund its items (product-sales refund, tax refund, shipping refund).',
  },
  operations: [
    {
      action: 'list',
      method: 'GET',
      path: '/check_directs',
      operationId: 'GetCheckDirects',
      summary: 'List check payments',
      risk: 'read',
      list: { style: 'windowed', spanDays: 90, datesUnproven: true },
      rules: [
        'Whether this list takes dates was not seen: `--no-range` sends it without.',
        'Built from the naming convention; no description of it was seen.',
      ],
      example: 'check-directs list --last 30d',
      evidence: 'convention',
    },
    {
      action: 'get',
      method: 'GET',
      path: '/check_directs/{check_direct_id}',
      operationId: 'GetCheckDirect',
      summary: 'Show one check payment',
      risk: 'read',
      related: relatedOfSale('check_directs'),
      rules: ['Built from the naming convention; no description of it was seen.'],
      example: 'check-directs get Ro8QsZUNM67zaepw8vVz',
      evidence: 'convention',
    },
  ],
} as const satisfies Family;
