import { campaignFilter, currencyFilter, customer, id, number, shopFilter, text, unix } from '../fields.js';
import type { Family } from '../types.js';

export default {
  name: 'wallet_disputes',
  summary: 'Disputes pulled in from the payment wallet.',
  columns: [
    { path: 'id' },
    { path: 'wallet_dispute_id', title: 'wallet dispute id' },
    { path: 'wallet_dispute_amount', title: 'wallet dispute amount', as: 'money' },
    { path: 'status', as: 'status' },
    { path: 'campaign_name', title: 'campaign name' },
    { path: 'customer.email', title: 'customer' },
    { path: 'created_date_unix', title: 'created', as: 'time' },
  ],
  idField: 'id',
  item: {
    created_date_unix: unix,
    wallet_dispute_created_date_unix: unix,
    id,
    wallet_dispute_id: text,
    wallet_dispute_amount: number,
    campaign_id: text,
    campaign_name: text,
    customer,
  },
  operations: [
    {
      action: 'list',
      method: 'GET',
      path: '/wallet_disputes',
      operationId: 'GetWalletDisputes',
      summary: 'List wallet disputes',
      risk: 'read',
      list: { style: 'windowed', spanDays: 90 },
      query: { campaign_filter: campaignFilter, currency_filter: currencyFilter, shop_filter: shopFilter },
      rules: ['Read only.', 'Further filters exist that were not seen.'],
      example: 'wallet-disputes list --last 30d',
      evidence: 'published',
    },
    {
      action: 'get',
      method: 'GET',
      path: '/wallet_disputes/{wallet_dispute_id}',
      operationId: 'GetWalletDispute',
      summary: 'Show one wallet dispute',
      risk: 'read',
      rules: ["`id` is the identifier here, `wallet_dispute_id` the wallet's own number."],
      example: 'wallet-disputes get vWc2aiLxbvq7zWCDExXJ',
      evidence: 'published',
    },
  ],
} as const satisfies Family;
