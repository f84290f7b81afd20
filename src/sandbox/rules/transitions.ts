import { invalid } from './refusals.js';

/** One change of state that the sandbox makes or refuses. */
export interface Transition {
  readonly resource: string;
  readonly from: readonly string[];
  readonly by: string;
  readonly to: string;
  /** `spec` and `published` are shown by those; `ours` is the sandbox's own reading where both are silent. */
  readonly source: 'spec' | 'published' | 'ours';
  readonly note?: string;
}

/** Makes a transition from one state, or several, to another. */
type Way = (from: string | readonly string[], by: string, to: string, note?: string) => Omit<Transition, 'resource'>;

const way =
  (source: Transition['source']): Way =>
  (from, by, to, note) => ({ from: [from].flat(), by, to, source, ...(note ? { note } : {}) });
const spec = way('spec');
const published = way('published');
const ours = way('ours');

/** All existing states of a sale: an alert can be set in any of them. */
const ANY_SALE = ['paid', 'pending', 'failed', 'voided', 'cancelled'];

/** Every change of state that the sandbox makes or refuses, by resource. */
const WAYS: Readonly<Record<string, readonly Omit<Transition, 'resource'>[]>> = {
  subscription: [
    published('(purchase)', 'the service', 'active'),
    published('active', 'suspend', 'suspended'),
    ours('overdue', 'suspend', 'suspended'),
    published('suspended', 'activate', 'active', 'A past next renewal date becomes one period from now (ours).'),
    ours(
      ['active', 'overdue', 'suspended', 'occurrence_limit'],
      'cancel',
      'cancelled',
      'It is published that this is final, but not from which states it is possible.',
    ),
    ours(
      ['active', 'overdue'],
      'renew',
      'active',
      'It is not documented which states can be renewed; overdue is a named use.',
    ),
    ours(['active', 'overdue', 'suspended'], 'edit', '(unchanged)'),
    ours('active', 'failed renewal', 'overdue'),
    spec('overdue', 'more overdue renewals than overdue_limit', 'suspended'),
    ours('active', 'last renewal of occurrences_value', 'occurrence_limit'),
  ],
  trial: [
    published('(purchase)', 'the service', 'active'),
    published('active', 'expire', 'expired'),
    published('active', 'its end date', 'expired'),
    published('active', 'extend', 'active'),
    published('active', 'shorten', 'active', 'An end in the past is refused (ours).'),
    published('active', 'cancel', 'cancelled'),
  ],
  sale: [
    spec('(nothing)', 'create', 'paid or failed', 'The names of the states are ours.'),
    published('(nothing)', 'pending create', 'pending'),
    published('pending', 'pending edit', 'pending'),
    published('pending', 'pending process', 'paid', 'A failed attempt leaves it pending (ours).'),
    spec('pending', 'confirmation of its wallet payment', 'paid', 'After three hours (ours).'),
    published('pending', 'void', 'cancelled'),
    published('paid', 'void', 'voided'),
    ours(ANY_SALE, 'add_fraud_alert', '(unchanged)'),
    ours(ANY_SALE, 'remove_fraud_alert', '(unchanged)'),
  ],
  salvage_transaction: [
    ours(
      ['created', 'failed'],
      'process',
      'success or failed',
      'Processing again after a failure is a published use; its limits are not documented.',
    ),
    ours(['created', 'failed'], 'disable', 'disabled'),
  ],
  shipping: [
    published('notshipped', 'edit', 'shipped'),
    ours(['notshipped', 'shipped'], 'edit', 'delivered'),
    ours('notshipped', 'edit', 'merged'),
    ours(['notshipped', 'shipped'], 'edit', 'error'),
    ours('error', 'edit', 'notshipped'),
    ours('error', 'edit', 'shipped'),
    published('notshipped', 'void of its sale', 'cancelled at fulfillment'),
  ],
  ai_thread: [
    published(['Running', 'Timer'], 'cancel', 'Cancelled'),
    published(['Complete', 'Cancelled', 'Error'], '60 days', '(gone)'),
  ],
  ai_memo: [ours(['unread', 'read'], 'mark_as_read', 'read'), spec(['unread', 'read'], '7 days', '(gone)')],
  pending_refund: [published('pending', '72 hours after the payment', 'processed')],
  secure_form: [published('open', 'one hour', '(gone)')],
  product_sync: [
    published('pending', 'the service', 'processing', 'After 20 seconds (ours).'),
    published('processing', 'the service', 'completed', 'After a minute (ours).'),
  ],
  chargeback: [published('none', 'edit', 'initiated, completed')],
  invoice: [
    ours('(nothing)', 'create', 'unpaid'),
    ours('unpaid', 'pending process of its sale', 'paid'),
    ours(['unpaid', 'paid'], 'void of its sale', 'void'),
  ],
};

/** Every transition of the sandbox, printed by `cops reference sandbox`. */
export const TRANSITIONS: readonly Transition[] = Object.entries(WAYS).flatMap(([resource, ways]) =>
  ways.map((way) => ({ resource, ...way })),
);

/**
 * Refuses a change that no transition allows, and names the states that allow it; `to` where the action names the new
 * state.
 * @throws Refusal 400.
 */
export function checkTransition(resource: string, status: unknown, by: string, to?: string): void {
  const ways = TRANSITIONS.filter(
    (transition) =>
      transition.resource === resource && transition.by === by && (to === undefined || transition.to === to),
  );
  if (ways.some(({ from }) => from.includes(String(status)))) return;
  const allowed = [...new Set(ways.flatMap(({ from }) => from))].join(', ');
  const what = `${by.replaceAll('_', ' ')}${to === undefined ? '' : ` to ${to}`}`;
  throw invalid(
    `${/^[aeiou]/.test(resource) ? 'An' : 'A'} ${resource.replaceAll('_', ' ')} with status ${String(status)} does not allow ${what}; allowed: ${allowed || 'from none'}.`,
  );
}
