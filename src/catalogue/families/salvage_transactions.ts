import type { FamilySpec } from '../conventions.js';
import {
  assumedOwner,
  each,
  id,
  ids,
  money,
  openObject,
  paidItem,
  partlySeenBody,
  saleCard,
  status,
  unseenBody,
} from '../fields.js';
import { OF_SALE } from '../references.js';
import { expectedCard } from '../relation-rules.js';

/** The fields of a salvage transaction that a question shows. */
const shown = 'status amount amount_remaining=still_to_collect iso_currency customer.id customer.email';

export default {
  name: 'salvage_transactions',
  summary: 'Amounts still to be collected after declines.',
  columns: 'id status amount amount_remaining=left:money iso_currency customer.email live_mode created_date_unix',
  exampleId: 'enJwBASvoUVPWiPc28WD',
  nature: 'event',
  words: ['salvage'],
  open: ['created', 'failed'],
  item: { ...paidItem, status, amount: money, amount_remaining: money },
  assumed: {
    ...assumedOwner,
    ...each(ids, 'sales trials subscriptions subscription_renewals transactions'),
  },
  ruled: { card: expectedCard },
  operations: {
    list: { example: 'salvage-transactions list --last 30d' },
    get: { related: OF_SALE },
    process: {
      summary: 'Try to collect a salvage transaction now',
      risk: 'money',
      body: partlySeenBody({
        gateway: { ...id, common: true, note: 'Gateway to try; the original one when absent.' },
        customer_card_id: { ...id, common: true, note: 'A stored card; the default one when absent.' },
        payment: {
          ...openObject({ credit_card: saleCard }),
          note: "A new card; the customer's default method when absent.",
        },
      }),
      preview: { show: shown, says: ['Charges the customer now.'] },
      rules: ['Charges at once; with an empty body the original gateway and the default card.', 'Space retries out.'],
    },
    disable: {
      summary: 'Give up collecting a salvage transaction',
      risk: 'irreversible',
      body: unseenBody,
      preview: { show: shown, says: [], undo: 'It is not documented whether this can be undone.' },
      rules: ['It is not documented whether this can be undone.'],
      evidence: 'convention',
    },
  },
} as const satisfies FamilySpec;
