import { campaignFilter, currencyFilter, customerId, metadataFilter, shopFilter } from '../fields.js';
import { relatedOfSale } from '../relations.js';
import type { Family } from '../types.js';

export default {
  name: 'offline_payments',
  summary: 'Payments taken outside card processing.',
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
    refund:
      'Offline payments have no refund of their own: void the sale (sales void), or refund its items (product-sales refund, tax refund, shipping refund).',
    void: 'Void the sale: sales void.',
  },
  operations: [
    {
      action: 'list',
      method: 'GET',
      path: '/offline_payments',
      operationId: 'GetOfflinePayments',
      summary: 'List offline payments',
      risk: 'read',
      list: { style: 'windowed', spanDays: 90 },
      query: {
        campaign_filter: { ...campaignFilter, note: 'Named after the general rule of lists; not seen on this one.' },
        shop_filter: { ...shopFilter, note: 'Named after the general rule of lists; not seen on this one.' },
        currency_filter: { ...currencyFilter, note: 'Named after the general rule of lists; not seen on this one.' },
        metadata_filter: { ...metadataFilter, note: 'Named after the general rule of lists; not seen on this one.' },
        customer_id: { ...customerId, note: 'Named after the general rule of lists; not seen on this one.' },
      },
      permission: 'offline_payment:retrieve',
      rules: [
        'Made by sales only.',
        'They have no refund of their own: void the sale (`sales void`) or refund its items.',
      ],
      example: 'offline-payments list --last 30d',
      evidence: 'spec',
    },
    {
      action: 'get',
      method: 'GET',
      path: '/offline_payments/{offline_payment_id}',
      operationId: 'GetOfflinePayment',
      summary: 'Show one offline payment',
      risk: 'read',
      related: relatedOfSale('offline_payments'),
      permission: 'offline_payment:retrieve',
      rules: ['They have no refund of their own: void the sale (`sales void`) or refund its items.'],
      example: 'offline-payments get nz7ckMVUNdcuLNSsV5N4',
      evidence: 'spec',
    },
  ],
} as const satisfies Family;
