import type { FamilySpec } from '../conventions.js';
import {
  campaignFilter,
  currencyFilter,
  customer,
  id,
  ids,
  money,
  namedObject,
  shopFilter,
  status,
  text,
  unix,
} from '../fields.js';

export default {
  name: 'wallet_disputes',
  summary: 'Disputes pulled in from the payment wallet.',
  columns: [
    'id',
    { path: 'wallet_dispute_id', title: 'dispute', whole: true },
    'wallet_dispute_amount=amount:money status campaign_name customer.email created_date_unix',
  ],
  exampleId: 'vWc2aiLxbvq7zWCDExXJ',
  nature: 'event',
  open: ['WAITING_FOR_BUYER_RESPONSE', 'WAITING_FOR_SELLER_RESPONSE', 'UNDER_REVIEW', 'OTHER'],
  keys: [{ field: 'wallet_dispute_id', unique: false, source: 'nothing says that it is' }],
  item: {
    created_date_unix: unix,
    wallet_dispute_created_date_unix: unix,
    id,
    wallet_dispute_id: { ...text, refers: [], note: "The wallet's own number." },
    wallet_dispute_amount: money,
    campaign_id: text,
    campaign_name: text,
    customer,
    status,
  },
  assumed: { wallet_account: namedObject, third_party_shop: namedObject, wallet_transactions: ids },
  operations: {
    list: {
      query: { campaign_filter: campaignFilter, currency_filter: currencyFilter, shop_filter: shopFilter },
      rules: ['Read only.', 'More filters exist; their names are not documented.'],
      example: 'wallet-disputes list --last 30d',
    },
    get: { rules: ["`id` is the identifier here, `wallet_dispute_id` the wallet's own number."] },
  },
} as const satisfies FamilySpec;
