import { customerId, searchTerm } from '../fields.js';
import { relatedOfSale } from '../relations.js';
import type { Family } from '../types.js';

export default {
  name: 'wallet_transactions',
  summary: 'Sales paid by the payment wallet.',
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
  instead: { refund: 'Refund all by sales void, a part by product-sales refund.' },
  operations: [
    {
      action: 'list',
      method: 'GET',
      path: '/wallet_transactions',
      operationId: 'GetWalletTransactions',
      summary: 'List wallet transactions',
      risk: 'read',
      list: { style: 'windowed', spanDays: 90 },
      query: {
        customer_id: {
          ...customerId,
          note: 'Named by the specification for lists that support it; not seen on this one.',
        },
      },
      rules: ['No refund here: void the sale or refund its items.'],
      example: 'wallet-transactions list --last 30d',
      evidence: 'published',
    },
    {
      action: 'get',
      method: 'GET',
      path: '/wallet_transactions/{wallet_transaction_id}',
      operationId: 'GetWalletTransaction',
      summary: 'Show one wallet transaction',
      risk: 'read',
      related: relatedOfSale('wallet_transactions'),
      rules: ['No refund here: void the sale or refund its items.'],
      example: 'wallet-transactions get yxANmfR5J3azUnKVoccr',
      evidence: 'published',
    },
    {
      action: 'search',
      method: 'GET',
      path: '/wallet_transactions/search',
      operationId: 'SearchWalletTransactions',
      summary: 'Search wallet transactions',
      risk: 'read',
      list: { style: 'search' },
      query: { search_term: searchTerm },
      rules: [],
      example: 'wallet-transactions search jane@example.com',
      evidence: 'published',
    },
  ],
} as const satisfies Family;
