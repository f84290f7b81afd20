import type { FamilySpec } from '../conventions.js';
import { closedBody, flag, id, ids, text, unix } from '../fields.js';
import type { Field } from '../types.js';

/** Settings of an account, as written and as read (service.md#other-items). */
const settings = {
  name: { ...text, common: true, note: 'Unique.' },
  description: text,
  enabled: { ...flag, common: true },
  wallet_account_email: { ...text, common: true },
  campaign: { ...id, common: true, note: "Set on the account's transactions." },
  third_party_shop: { ...ids, note: 'User shop ids.' },
  transaction_confirmation: { ...flag, note: 'False is recommended; true delays "paid" by 2 to 4 hours.' },
  add_tracking: { ...flag, note: 'True is recommended; adds shipment tracking to wallet transactions.' },
} as const satisfies Record<string, Field>;

export default {
  name: 'wallet_accounts',
  summary: 'Merchant accounts at the payment wallet.',
  columns: 'id name enabled wallet_account_email=email campaign created_date_unix',
  exampleId: 'ZmE4nfvR2NcFivALPx9R',
  nature: 'set-up',
  risk: 'money',
  keys: [
    { field: 'name', unique: true, source: 'published page' },
    { field: 'wallet_account_email', unique: false, source: 'nothing says that it is' },
  ],
  left: {
    wallet_account_app_id: 'no write takes it',
  },
  shape: 'spec',
  item: { id, ...settings, wallet_account_app_id: text, created_date_unix: unix, updated_date_unix: unix },
  evidence: 'spec',
  operations: {
    list: {},
    get: {},
    create: {
      body: closedBody(settings),
      rules: ['Credentials never go in the body: make a secure form with form_source wallet_account.'],
      example:
        'wallet-accounts create --name "Main wallet" --wallet-account-email shop@example.com --campaign HD5Dc7voDsVRj7XENW7a',
    },
    edit: {
      body: { fields: settings },
      rules: ['New credentials go through a secure form.'],
      example: 'wallet-accounts edit ZmE4nfvR2NcFivALPx9R --no-enabled',
    },
    delete: {},
  },
} as const satisfies FamilySpec;
