import { invalid } from './refusal.js';

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

/** Every change of state that the sandbox makes or refuses, by its resource. */
const WAYS = {
  subscription: [
    { from: ['(purchase)'], by: 'the service', to: 'active', source: 'published' },
    { from: ['active'], by: 'suspend', to: 'suspended', source: 'published' },
    { from: ['overdue'], by: 'suspend', to: 'suspended', source: 'ours' },
    {
      from: ['suspended'],
      by: 'activate',
      to: 'active',
      source: 'published',
      note: 'A next renewal date that is past becomes one period from now (ours).',
    },
    {
      from: ['active', 'overdue', 'suspended', 'occurrence_limit'],
      by: 'cancel',
      to: 'cancelled',
      source: 'ours',
      note: 'That it is final is published; from which states was not seen.',
    },
    {
      from: ['active', 'overdue'],
      by: 'renew',
      to: 'active',
      source: 'ours',
      note: 'Which states may be renewed was not seen; overdue is a named use.',
    },
    { from: ['active', 'overdue', 'suspended'], by: 'edit', to: '(unchanged)', source: 'ours' },
    { from: ['active'], by: 'failed renewal', to: 'overdue', source: 'ours' },
    { from: ['overdue'], by: 'more overdue renewals than overdue_limit', to: 'suspended', source: 'spec' },
    { from: ['active'], by: 'last renewal of occurrences_value', to: 'occurrence_limit', source: 'ours' },
  ],
  trial: [
    { from: ['(purchase)'], by: 'the service', to: 'active', source: 'published' },
    { from: ['active'], by: 'expire', to: 'expired', source: 'published' },
    { from: ['active'], by: 'its end date', to: 'expired', source: 'published' },
    { from: ['active'], by: 'extend', to: 'active', source: 'published' },
    {
      from: ['active'],
      by: 'shorten',
      to: 'active',
      source: 'published',
      note: 'An end that would lie in the past is refused (ours).',
    },
    { from: ['active'], by: 'cancel', to: 'cancelled', source: 'published' },
  ],
  sale: [
    {
      from: ['(nothing)'],
      by: 'create',
      to: 'paid or failed',
      source: 'spec',
      note: 'The words of the states are ours.',
    },
    { from: ['(nothing)'], by: 'pending create', to: 'pending', source: 'published' },
    { from: ['pending'], by: 'pending edit', to: 'pending', source: 'published' },
    {
      from: ['pending'],
      by: 'pending process',
      to: 'paid',
      source: 'published',
      note: 'A failed attempt leaves it pending (ours).',
    },
    { from: ['pending'], by: 'void', to: 'cancelled', source: 'published' },
    { from: ['paid'], by: 'void', to: 'voided', source: 'published' },
    {
      from: ['paid', 'pending', 'failed', 'voided', 'cancelled'],
      by: 'add_fraud_alert',
      to: '(unchanged)',
      source: 'ours',
    },
    {
      from: ['paid', 'pending', 'failed', 'voided', 'cancelled'],
      by: 'remove_fraud_alert',
      to: '(unchanged)',
      source: 'ours',
    },
  ],
  salvage_transaction: [
    {
      from: ['created', 'failed'],
      by: 'process',
      to: 'success or failed',
      source: 'ours',
      note: 'Processing again after a failure is a published use; its limits were not seen.',
    },
    { from: ['created', 'failed'], by: 'disable', to: 'disabled', source: 'ours' },
  ],
  shipping: [
    { from: ['notshipped'], by: 'edit', to: 'shipped', source: 'published' },
    { from: ['notshipped', 'shipped'], by: 'edit', to: 'delivered', source: 'ours' },
    { from: ['notshipped'], by: 'edit', to: 'merged', source: 'ours' },
    { from: ['notshipped', 'shipped'], by: 'edit', to: 'error', source: 'ours' },
    { from: ['error'], by: 'edit', to: 'notshipped', source: 'ours' },
    { from: ['error'], by: 'edit', to: 'shipped', source: 'ours' },
    { from: ['notshipped'], by: 'void of its sale', to: 'cancelled at fulfillment', source: 'published' },
  ],
  ai_thread: [{ from: ['Running', 'Timer'], by: 'cancel', to: 'Cancelled', source: 'published' }],
  ai_memo: [
    { from: ['unread', 'read'], by: 'mark_as_read', to: 'read', source: 'ours' },
    { from: ['unread', 'read'], by: '7 days', to: '(gone)', source: 'spec' },
  ],
  pending_refund: [{ from: ['pending'], by: '72 hours after the payment', to: 'processed', source: 'published' }],
  secure_form: [{ from: ['open'], by: 'one hour', to: '(gone)', source: 'published' }],
  product_sync: [{ from: ['pending'], by: 'a minute', to: 'completed', source: 'ours' }],
  chargeback: [{ from: ['none'], by: 'edit', to: 'initiated, completed', source: 'published' }],
  invoice: [
    { from: ['(nothing)'], by: 'create', to: 'unpaid', source: 'ours' },
    { from: ['unpaid'], by: 'pending process of its sale', to: 'paid', source: 'ours' },
    { from: ['unpaid', 'paid'], by: 'void of its sale', to: 'void', source: 'ours' },
  ],
} as const satisfies Readonly<Record<string, readonly Omit<Transition, 'resource'>[]>>;

/** Every transition of the sandbox, printed by `cops reference sandbox`. */
export const TRANSITIONS: readonly Transition[] = Object.entries(WAYS).flatMap(([resource, ways]) =>
  ways.map((way) => ({ resource, ...way })),
);

/**
 * Refuses what no transition allows, and says which states do; `to` where the action itself names the new state.
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
