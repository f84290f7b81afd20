import { id, saleCard, unseenBody } from '../fields.js';
import { relatedOfSale } from '../relations.js';
import type { Family } from '../types.js';

/** What a question shows of the salvage transaction. */
const shown = [
  { path: 'status', label: 'status' },
  { path: 'amount', label: 'amount' },
  { path: 'amount_remaining', label: 'still to collect' },
  { path: 'iso_currency', label: 'currency' },
  { path: 'customer.id', label: 'customer' },
  { path: 'customer.email', label: 'e-mail' },
] as const;

export default {
  name: 'salvage_transactions',
  summary: 'Amounts still to collect after declines.',
  columns: [
    { path: 'id' },
    { path: 'status', as: 'status' },
    { path: 'amount', as: 'money' },
    { path: 'amount_remaining', title: 'left', as: 'money' },
    { path: 'iso_currency', title: 'currency' },
    { path: 'customer.email', title: 'customer' },
    { path: 'live_mode', title: 'live', as: 'flag' },
    { path: 'created_date_unix', title: 'created', as: 'time' },
  ],
  idField: 'id',
  nature: 'event',
  keys: [],
  operations: [
    {
      action: 'list',
      method: 'GET',
      path: '/salvage_transactions',
      operationId: 'GetSalvageTransactions',
      summary: 'List salvage transactions',
      risk: 'read',
      list: { style: 'windowed', spanDays: 90 },
      rules: [],
      example: 'salvage-transactions list --last 30d',
      evidence: 'published',
    },
    {
      action: 'get',
      method: 'GET',
      path: '/salvage_transactions/{salvage_transaction_id}',
      operationId: 'GetSalvageTransaction',
      summary: 'Show one salvage transaction',
      risk: 'read',
      related: relatedOfSale('salvage'),
      rules: [],
      example: 'salvage-transactions get enJwBASvoUVPWiPc28WD',
      evidence: 'published',
    },
    {
      action: 'process',
      method: 'POST',
      path: '/salvage_transactions/{salvage_transaction_id}/process',
      operationId: 'ProcessSalvageTransaction',
      summary: 'Try to collect a salvage transaction now',
      risk: 'money',
      body: {
        closed: false,
        complete: false,
        fields: {
          gateway: { ...id, common: true, note: 'Gateway to try; the original one when absent.' },
          customer_card_id: { ...id, common: true, note: 'A stored card; the default one when absent.' },
          payment: {
            type: 'object',
            open: true,
            fields: { credit_card: saleCard },
            note: "A new card; the customer's default method when absent.",
          },
        },
      },
      answerId: 'salvage_transaction_id',
      preview: { show: shown, says: ['Charges the customer now.'] },
      rules: [
        'Charges at once; with an empty body the original gateway and the default card.',
        'Space retries out.',
        'Further body fields exist that were not seen.',
      ],
      example: 'salvage-transactions process enJwBASvoUVPWiPc28WD',
      evidence: 'published',
    },
    {
      action: 'disable',
      method: 'POST',
      path: '/salvage_transactions/{salvage_transaction_id}/disable',
      operationId: 'DisableSalvageTransaction',
      summary: 'Give up collecting a salvage transaction',
      risk: 'irreversible',
      body: unseenBody,
      answerId: 'salvage_transaction_id',
      preview: { show: shown, says: ['Whether it can be undone was not seen.'] },
      rules: [
        'Whether it can be undone was not seen.',
        'Built from the naming convention; no description of it was seen.',
      ],
      example: 'salvage-transactions disable enJwBASvoUVPWiPc28WD',
      evidence: 'convention',
    },
  ],
} as const satisfies Family;
