import { cops, say } from '../../base/text/command-line.js';
import type { FamilySpec } from '../conventions.js';
import {
  anyObject,
  assumedOwner,
  contact,
  currency,
  customer,
  dateTime,
  each,
  emptyBody,
  flag,
  id,
  ids,
  money,
  shipTo,
  status,
  text,
  unix,
} from '../fields.js';
import { expectedCard, paidCard } from '../relation-rules.js';

/** An ended subscription cannot continue, whatever the request; a sale by these names charges at once. */
const ended = say`It has ended for good. To sell it again (a dry run, which sends nothing; without --dry-run it charges at once): ${cops`sales create --campaign <campaign_id> --iso-currency <iso_currency> --payment-type credit_card --payment-profile <subscription_profile.payment_profile> -d customer_id=<customer.id> -d products[0].id=<product.id> --dry-run`}`;
const over = say`It has ended already and renews no more. Its payments, and a trial that may still charge: ${cops`timeline <id>`}`;
const unlessEnded = { cancelled: ended, occurrence_limit: ended };

/** The subscription fields that a question shows. */
const shown =
  'status product.name=product amount iso_currency customer.id customer.email billing.next_renewal_date_unix=next_renewal';

export default {
  name: 'subscriptions',
  summary: "Customers' recurring billing.",
  columns: [
    'id status product.name amount iso_currency customer.email',
    {
      path: 'billing.next_renewal_date_unix',
      title: 'next renewal',
      as: 'time',
      unless: { path: 'status', values: ['cancelled', 'occurrence_limit'] },
    },
    'live_mode created_date_unix',
  ],
  exampleId: 'ybP42YwUfmk7cXYiKmwJ',
  nature: 'people',
  risk: 'money',
  due: {
    path: 'billing.next_renewal_date_unix',
    says: 'next renewal',
    while: { path: 'status', values: ['active', 'overdue'] },
  },
  since: { overdue: 'subscription-renewals is_overdue=yes, created' },
  item: {
    id,
    status: {
      ...status,
      enum: ['active', 'overdue', 'suspended', 'cancelled', 'occurrence_limit'],
      // One that was suspended may still owe a renewal.
      besides: { overdue: 'is_overdue=yes' },
    },
    amount: money,
    iso_currency: currency,
    live_mode: flag,
    customer,
    ship_to: shipTo,
    created_date_unix: unix,
    updated_date_unix: unix,
    product: { type: 'object', open: true, fields: { id, name: text } },
    billing: {
      type: 'object',
      open: true,
      fields: { next_renewal_date_unix: unix, last_renewal_date_unix: unix, last_renewal_id: id },
    },
    subscription_profile: anyObject,
  },
  assumed: {
    ...assumedOwner,
    ...each(ids, 'sales product_sales trials subscription_renewals'),
    salvage_transactions: { ...ids, leaves: 'Those of its trials are not included: they belong to the trial.' },
    transactions: { ...ids, part: true },
    coupons: ids,
  },
  ruled: { card: expectedCard, paid_card: paidCard },
  instead: {
    create: 'A subscription starts when a customer buys a product with a subscription profile: sales create.',
    delete: 'Use subscriptions cancel (for good) or subscriptions suspend.',
    refund: 'Refund its renewals: subscription-renewals refund.',
  },
  operations: {
    list: {
      list: { style: 'windowed', spanDays: 90, datesUnproven: true },
      rules: ['Its filters are not documented.'],
      example: 'subscriptions list --last 200d',
      evidence: 'convention',
    },
    get: {
      related: ['customer', 'product', 'renewals', 'sales', 'product_sales', 'trials', 'transactions', 'salvage'],
    },
    edit: {
      notWhile: ['cancelled', 'occurrence_limit'],
      body: {
        closed: true,
        fields: {
          subscription_profile: { ...id, common: true, note: 'Profile to move the subscription to.' },
          coupon: {
            ...ids,
            readFrom: 'coupons',
            note: 'Coupons to attach, for all further renewals.',
            afterwards: say`A coupon reduces every further renewal until you remove it; it cannot be limited to a number of renewals. To remove it: ${cops`subscriptions edit <id> -d coupon:=[]`}`,
          },
          amount: { ...money, common: true },
          next_renewal_date: { ...dateTime, common: true, note: 'ISO date-time, where reads show unix seconds.' },
          ship_to: { type: 'object', open: true, fields: contact },
        },
      },
      preview: { show: shown, says: ["The next renewal's charge may change."] },
      rules: [
        'Changes attributes only, never the status.',
        'For an individual schedule, create a separate profile; do not edit a shared one.',
        'Product and a one-off period can be changed only in the web app.',
      ],
      noOther: true,
      example: 'subscriptions edit ybP42YwUfmk7cXYiKmwJ --amount 19.90',
    },
    activate: {
      notWhile: ['active', 'overdue', 'cancelled', 'occurrence_limit'],
      refusedIn: {
        ...unlessEnded,
        active: 'It is active already.',
        overdue: say`It is overdue, not suspended. To charge it now: ${cops`subscriptions renew <id>`}`,
      },
      summary: 'Activate a suspended subscription',
      body: emptyBody,
      preview: {
        show: shown,
        says: ['Renewals are charged again.'],
        undo: 'Can be undone with subscriptions suspend.',
      },
      rules: [
        'Only for a suspended subscription; a cancelled one is final.',
        'The next renewal follows the stored next renewal date.',
      ],
    },
    suspend: {
      notWhile: ['suspended', 'cancelled', 'occurrence_limit'],
      refusedIn: {
        ...{ cancelled: over, occurrence_limit: over },
        suspended: say`It is suspended already. To go on: ${cops`subscriptions activate <id>`}`,
      },
      preview: {
        show: shown,
        says: ['Renewals stop until it is activated. For a pause with an end: subscriptions postpone <id> --by 1mo.'],
        undo: 'Can be undone with subscriptions activate.',
      },
      rules: [
        'No renewals happen while suspended.',
        'Can be undone with `activate`; it does not end automatically.',
        'A pause with an end: `subscriptions postpone <id> --by 1mo`.',
      ],
    },
    cancel: {
      notWhile: ['cancelled', 'occurrence_limit'],
      refusedIn: { cancelled: over },
      leaves: ['trials'],
      summary: 'Cancel a subscription for good',
      risk: 'irreversible',
      preview: {
        show: shown,
        says: [
          'Ends at once, not with the paid period; refunds no past payment.',
          'A trial that still runs goes on, and charges when it ends: trials cancel ends both.',
        ],
        undo: 'Cancelling cannot be undone; suspending can.',
        narrower: 'subscriptions suspend <id>',
      },
      rules: [
        'A cancelled subscription cannot be brought back.',
        'Takes effect at once, never at the end of a period: cancel shortly before the next renewal.',
        'Use `suspend` when the customer may come back.',
        'It does not refund past payments.',
        'A trial that still runs goes on, and charges when it ends: `trials cancel` ends both.',
      ],
    },
    renew: {
      notWhile: ['cancelled', 'occurrence_limit'],
      refusedIn: {
        ...unlessEnded,
        suspended: say`It is suspended. To go on: ${cops`subscriptions activate <id>`}`,
      },
      summary: 'Renew a subscription now, charging the customer',
      shownBy: 'billing.next_renewal_date_unix',
      preview: { show: shown, says: ['Charges the customer now; the next renewal is counted from today.'] },
      rules: [
        'Charges the customer at once.',
        'The service renews automatically on schedule: this is for an early or recovery charge.',
        'The next renewal is counted from this one.',
      ],
      answerId: undefined,
    },
    search: {
      rules: [
        'Searches id, name, first address line, e-mail and phone of the customer, and metadata values.',
        'At most 10 hits, without paging.',
      ],
      example: 'subscriptions search jane@example.com',
    },
  },
} as const satisfies FamilySpec;
