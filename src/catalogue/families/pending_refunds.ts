import { customerId, searchTerm } from '../fields.js';
import type { Family } from '../types.js';

export default {
  name: 'pending_refunds',
  summary: 'Refunds on their way to the payment processor.',
  columns: [
    { path: 'id' },
    { path: 'status', as: 'status' },
    { path: 'amount', as: 'money' },
    { path: 'iso_currency', title: 'currency' },
    { path: 'customer.email', title: 'customer' },
    { path: 'created_date_unix', title: 'created', as: 'time' },
  ],
  idField: 'id',
  nature: 'event',
  keys: [],
  instead: {
    cancel: 'A pending refund cannot be cancelled or reversed.',
    delete: 'A pending refund cannot be cancelled or reversed.',
    create: 'Refunds and voids make pending refunds: product-sales refund, sales void.',
  },
  operations: [
    {
      action: 'list',
      method: 'GET',
      path: '/pending_refunds',
      operationId: 'GetPendingRefunds',
      summary: 'List pending refunds',
      risk: 'read',
      list: { style: 'windowed', spanDays: 90 },
      query: {
        customer_id: {
          ...customerId,
          note: 'Named by the specification for lists that support it; not seen on this one.',
        },
      },
      rules: [
        'Made by refunds and voids only; nothing creates, edits or cancels them.',
        'A filter for unprocessed ones exists; its name was not seen.',
      ],
      example: 'pending-refunds list --last 30d',
      evidence: 'published',
    },
    {
      action: 'get',
      method: 'GET',
      path: '/pending_refunds/{pending_refund_id}',
      operationId: 'GetPendingRefund',
      summary: 'Show one pending refund',
      risk: 'read',
      rules: ['The id is what a refund or void answered as `pending_refund`.'],
      example: 'pending-refunds get RrWvLUC4iy7GhNkngFrK',
      evidence: 'published',
    },
    {
      action: 'search',
      method: 'GET',
      path: '/pending_refunds/search',
      operationId: 'SearchPendingRefunds',
      summary: 'Search pending refunds',
      risk: 'read',
      list: { style: 'search' },
      query: { search_term: searchTerm },
      rules: [],
      example: 'pending-refunds search eeGo2d9U7mrWv4XWv3Ne',
      evidence: 'published',
    },
  ],
} as const satisfies Family;
