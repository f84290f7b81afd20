import type { FamilySpec } from '../conventions.js';
import {
  assumedOfPayment,
  completeBody,
  id,
  ids,
  integer,
  money,
  openObject,
  paidItem,
  partlySeenBody,
  status,
  text,
  unix,
  unseenBody,
} from '../fields.js';
import { OF_SALE } from '../references.js';
import { expectedCard } from '../relation-rules.js';

/** The trial fields that a question shows. */
const shown =
  'status product.name=product expiration_date_unix=ends amount=amount_due iso_currency customer.id customer.email';

export default {
  name: 'trials',
  summary: 'Trials, which charge when they end.',
  columns:
    'id status product.name amount iso_currency customer.email expiration_date_unix=ends:time live_mode created_date_unix',
  exampleId: 'S9pTxnqT3u3prt2jWGHt',
  nature: 'people',
  risk: 'money',
  apart: 'Trials only: orders and renewals have amounts of their own.',
  due: { path: 'expiration_date_unix', says: 'end', while: { path: 'status', values: ['active'] } },
  item: {
    ...paidItem,
    status,
    product: openObject({ id, name: text }),
    amount: money,
    expiration_date_unix: { ...unix, called: ['expires', 'expiry', 'expiration'] },
  },
  assumed: { ...assumedOfPayment, product_sales: { ...ids, part: true } },
  ruled: { card: expectedCard },
  instead: {
    create: 'A trial starts when a customer buys a product with trial settings: sales create.',
    edit: 'Use trials extend or trials shorten.',
    delete: 'Use trials cancel.',
  },
  operations: {
    list: {
      list: { style: 'windowed', spanDays: 90, datesUnproven: true },
      rules: ['Its filters are not documented.'],
      evidence: 'convention',
    },
    get: { related: OF_SALE, evidence: 'convention' },
    search: { example: 'trials search jane@example.com', evidence: 'convention' },
    expire: {
      notWhile: ['expired', 'cancelled'],
      summary: 'End a trial now, charging what is due',
      body: unseenBody,
      preview: { show: shown, says: ['Charges the customer now for everything due on the trial.'] },
      rules: [
        'Charges the customer immediately for everything due on the trial.',
        'The service expires trials automatically on their date.',
        'Not possible once expired or cancelled.',
      ],
    },
    extend: {
      notWhile: ['expired', 'cancelled'],
      summary: 'Extend a trial by days',
      body: completeBody({
        days: { ...integer, required: true, common: true, min: 1, note: 'Counted from the current end.' },
      }),
      shownBy: 'expiration_date_unix',
      preview: { show: shown, says: ['Delays the payment, shipping, tax and the linked subscription.'] },
      rules: [
        'Delays the payment and everything that depends on it: shipping, tax, the linked subscription.',
        'Only while the trial is active.',
      ],
      example: 'trials extend S9pTxnqT3u3prt2jWGHt --days 7',
    },
    shorten: {
      notWhile: ['expired', 'cancelled'],
      summary: 'Shorten a trial by days',
      body: partlySeenBody({
        days: {
          ...integer,
          common: true,
          min: 1,
          note: 'Counted from the current end; the name is that of extend, not documented here.',
        },
      }),
      shownBy: 'expiration_date_unix',
      preview: { show: shown, says: ['Brings the payment forward.'] },
      rules: [
        'Brings the payment forward; it is not documented what happens if the end falls before today.',
        'Only while the trial is active.',
      ],
      example: 'trials shorten S9pTxnqT3u3prt2jWGHt --days 3',
    },
    cancel: {
      notWhile: ['expired', 'cancelled'],
      summary: 'Cancel a trial and its subscription for good',
      risk: 'irreversible',
      entails: ['subscriptions cancel'],
      body: unseenBody,
      preview: { show: shown, says: ['Cancels the linked subscription as well.'] },
      rules: [
        'Cancels the linked subscription as well; related items are cancelled or voided.',
        'Not possible once expired or cancelled.',
      ],
    },
  },
} as const satisfies FamilySpec;
