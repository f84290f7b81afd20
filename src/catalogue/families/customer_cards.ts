import type { FamilySpec } from '../conventions.js';
import { customerId, digits, flag, id, metadataFilter, month, text, unix } from '../fields.js';

/** The card fields that a question shows. */
const card = 'type=kind last_4=last_four expiry_date=expires is_default=default';

export default {
  name: 'customer_cards',
  summary: 'Stored cards, by the older paths (published pages only).',
  columns: 'id type first_6 last_4 expiry_date is_default=default:flag customer_id',
  exampleId: 'B6SsgRZVqALMvvzWcdvx',
  nature: 'people',
  risk: 'money',
  words: ['cards', 'payment_methods'],
  item: {
    id,
    type: { ...text, called: ['brand', 'card brand', 'network'] },
    first_6: { ...text, called: ['bin', 'first six', 'first6', 'iin'] },
    last_4: { ...text, called: ['last four', 'last4', 'last digits'] },
    expiry_date: { ...month, called: ['expires', 'expiry', 'expiration', 'exp'] },
    expiry_month: digits,
    expiry_year: digits,
    is_default: flag,
    enabled: flag,
    customer_id: id,
    created_date_unix: unix,
  },
  operations: {
    list: {
      query: { metadata_filter: metadataFilter, customer_id: customerId },
      rules: [
        'Not in the specification; its paths are under `customers payment-methods`.',
        'More filters exist; their names are not documented.',
      ],
      example: 'customer-cards list --last 30d',
    },
    get: { rules: ['The full card number is never returned.'] },
    search: {
      rules: ['Searches id, first six, last four and metadata values.'],
      example: 'customer-cards search 411111',
    },
    enable: { preview: { show: card, says: ['It may be used for payments again.'] } },
    disable: {
      preview: { show: card, says: ['It is then not used for payments; enabling it again reverses this.'] },
      rules: ['The card is then not used for payments; `enable` reverses it.'],
    },
    delete: { preview: { show: card, says: ['Its effect on subscriptions that use it is not documented.'] } },
    'set-default': {
      summary: "Make a card the customer's default",
      preview: { show: card, says: ['Renewals, trial ends and salvage will use it.'] },
      rules: ['Renewals, trial ends and salvage use the default.'],
    },
  },
} as const satisfies FamilySpec;
