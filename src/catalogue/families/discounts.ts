import { relatedOfSale } from '../relations.js';
import type { Family } from '../types.js';

export default {
  name: 'discounts',
  summary: 'Discounts that sales got.',
  columns: [
    { path: 'id' },
    { path: 'amount', as: 'money' },
    { path: 'iso_currency', title: 'currency' },
    { path: 'customer.email', title: 'customer' },
    { path: 'created_date_unix', title: 'created', as: 'time' },
  ],
  idField: 'id',
  nature: 'event',
  keys: [],
  operations: [
    {
      action: 'list',
      method: 'GET',
      path: '/discounts',
      operationId: '',
      summary: 'List discounts',
      risk: 'read',
      list: { style: 'windowed', spanDays: 90, datesUnproven: true },
      rules: [
        'Whether this list takes dates was not seen: `--no-range` sends it without.',
        'Built from the naming convention; no description of it was seen.',
      ],
      example: 'discounts list --last 30d',
      evidence: 'convention',
    },
    {
      action: 'get',
      method: 'GET',
      path: '/discounts/{discount_id}',
      operationId: '',
      summary: 'Show one discount',
      risk: 'read',
      related: relatedOfSale('discounts'),
      rules: ['Built from the naming convention; no description of it was seen.'],
      example: 'discounts get CCLbDfawRb9yANizddmE',
      evidence: 'convention',
    },
  ],
} as const satisfies Family;
