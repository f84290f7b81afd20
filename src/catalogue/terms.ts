import { wordList } from './references.js';

/** The service's fixed terms, for `reference`, `explain`, checks and the sandbox. Plain data from the spec. */

export * from './permissions.js';

/** IP addresses that the service calls from, for allow-lists (service.md#conventions). */
export const SERVICE_ADDRESSES = ['34.224.171.255', '52.3.146.218', '54.174.155.188'] as const;

/** Payment types with their fixed ids (service.md#payment-types); `filter` is the value used in filters. */
export const PAYMENT_TYPES = [
  { name: 'Credit Card', id: 'KnQ0KlNE6kf5mobyV0pN', filter: 'credit_card' },
  { name: 'Wallet', id: 'ALkMK9pqgzfvgrqjlMVL', filter: 'wallet' },
  { name: 'Offline Payment', id: '1rdzjX2rrkcNjPXMEvOm', filter: 'offline' },
  { name: 'Check', id: 'vEZoAZrZL4S6WG4Ryzo1', filter: 'check_direct' },
] as const;

/** Error codes with a known condition (service.md#errors); there are more. */
export const ERROR_CODES = [
  { code: 'E0001', meaning: 'Generic error.', hint: 'Read the message; look the call up by its api_call_id.' },
  {
    code: 'E0037',
    meaning: 'A payment profile in the request is invalid (HTTP 400).',
    hint: 'See payment-profiles list.',
  },
  {
    code: 'E0208',
    meaning: 'Rejected before the call was processed; the body was not valid JSON or not acceptable.',
    hint: 'There is no api_call_id: look at the request with --dry-run.',
  },
  {
    code: 'E0583',
    meaning: 'The idempotency key was used before in the last 24 hours (HTTP 400); nothing ran now.',
    hint: 'The service does not say how the first attempt ended: check the item or api-calls.',
  },
  {
    code: 'E0958',
    meaning: 'A node of an assistant flow was rejected; node_id and invalid_setting name it.',
    hint: 'Check the flow with ai-assistants check <file>.',
  },
  {
    code: 'E0959',
    meaning: 'A node of an assistant flow was rejected; node_id and invalid_setting name it.',
    hint: 'Check the flow with ai-assistants check <file>.',
  },
] as const;

/** HTTP statuses of the service (service.md#errors). */
export const HTTP_STATUSES = [
  { status: 200, meaning: 'Success, of payments too.' },
  { status: 400, meaning: 'The request is invalid or lacks required data.' },
  { status: 401, meaning: 'The API key is missing, invalid or disabled.' },
  { status: 402, meaning: 'The payment failed: decline, gateway error, gateway hold, or fraud.' },
  { status: 404, meaning: 'The entity does not exist.' },
  { status: 405, meaning: 'Only GET and POST are allowed.' },
  { status: 429, meaning: 'Too many requests.' },
  { status: 500, meaning: 'Unexpected error inside the service.' },
] as const;

/** The `code` field of an answer's body (service.md#errors). */
export const BODY_CODES = [
  { code: 0, statuses: [400, 404], meaning: 'Generic error.' },
  { code: 1, statuses: [200], meaning: 'Success.' },
  { code: 2, statuses: [402], meaning: 'The gateway declined the payment.' },
  { code: 3, statuses: [402], meaning: 'The gateway returned an error.' },
  { code: 4, statuses: [402], meaning: 'The gateway held the transaction.' },
  { code: 5, statuses: [402], meaning: 'Fraud was detected.' },
] as const;

/** The most items that one page of a list holds (service.md#lists). */
export const LARGEST_PAGE = 25;

/** The most hits of a search (service.md#paths). */
export const MOST_HITS = 10;
/** Most metadata values of one entry that a read returns (service.md#limits). */
export const METADATA_VALUES_RETURNED = 500;

/** The service's limits in words, for `reference` (service.md#limits). */
export const LIMIT_TEXTS = [
  ['Items on a page', '1 to 25, 25 by default'],
  ['Last page of the assistant list', '20'],
  ['Range of a date-ranged list', '90 days at most'],
  ['Range of the AI memo list', '7 days at most; memos are kept 7 days'],
  ['Idempotency', '24 hours; keys of 10 to 255 characters (assistants: 11 to 255)'],
  ['Metadata', 'names of 1 to 100, values of 1 to 255 characters'],
  ['Metadata values of one entry', '500 are returned'],
  ['Metadata entries in an assistant filter', '50'],
  ['Assistant flow', '1 to 250 nodes'],
  ['Node id', '1 to 80 characters'],
  ['Node message', '20000 characters, some counting as two'],
  ['Node position', '-100000 to 100000'],
  ['Time delay node', '1 to 3 days, 1 to 72 hours or 1 to 4320 minutes'],
  ['Assistant event delay', '7 days, 168 hours or 10080 minutes at most; 1 minute by default'],
  ['Assistant run limits', '1 to 100000 runs (1 by default); interval 1 to 100000 (30 days by default)'],
  ['Assistant schedule', 'runs at least one hour apart'],
  ['Token limits', '0 is unlimited, and the default'],
  ['Rate limit', 'HTTP 429; counts and periods are not published'],
] as const satisfies readonly (readonly [string, string])[];

export type CardOutcome = 'approved' | 'declined' | 'error' | 'held' | 'fraud';

/** The documented test cards, with the outcome of a payment by each. */
export const TEST_CARDS: readonly { readonly number: string; readonly outcome: CardOutcome; readonly says: string }[] =
  [
    { number: '4111111111111111', outcome: 'approved', says: 'approved' },
    { number: '5555555555554444', outcome: 'approved', says: 'approved' },
    { number: '4000000000000002', outcome: 'declined', says: 'declined by the gateway (402, code 2)' },
    { number: '4000000000000119', outcome: 'error', says: 'the gateway answers with an error (402, code 3)' },
    { number: '4000000000003220', outcome: 'held', says: 'the gateway holds the transaction (402, code 4)' },
    { number: '4000000000000127', outcome: 'error', says: 'the merchant account has a fault (402, code 3)' },
    {
      number: '4000000000000341',
      outcome: 'approved',
      says: 'for a sale of a single product, half is approved, and the rest is declined and left to salvage',
    },
    { number: '4100000000000019', outcome: 'fraud', says: 'fraud detected (402, code 5)' },
  ];

/** What the service says about a declined payment. */
export const DECLINE_REASONS =
  "The service shows that a payment was declined, not why: no item, event or answer gives the bank's reason, such as insufficient funds.";

/** Named states (service.md#states). */
export const STATES = {
  subscription: ['active', 'cancelled', 'occurrence_limit', 'overdue', 'suspended'],
  trial: ['created', 'cancelled', 'expired', 'extended', 'shortened'],
  shipping: ['shipped', 'notshipped', 'merged', 'delivered', 'error'],
  transaction: ['approved', 'declined', 'error', 'held'],
  sale: ['success', 'failed'],
  salvage_transaction: ['created', 'processed'],
  wallet_dispute: wordList('OPEN WAITING_FOR_BUYER_RESPONSE WAITING_FOR_SELLER_RESPONSE UNDER_REVIEW RESOLVED OTHER'),
  ai_thread: ['Running', 'Timer', 'Complete', 'Cancelled', 'Error'],
  product_sync: ['pending', 'processing', 'completed', 'error'],
} as const;

/** What may follow a failed or successful sale (service.md#states). */
export const SALE_OUTCOMES = {
  success: ['paid', 'pending', 'has_salvage', 'is_upsell'],
  failed: ['declined', 'error', 'no_gateway', 'fraud_detected', 'merchant_error', 'merchant_hold'],
} as const;

/** Product types (service.md#products) and the values that other filters accept (service.md#assistants). */
export const PRODUCT_TYPES = ['basic', 'subscription', 'subscription_only', 'trial', 'trial_only'] as const;

/**
 * The only identifiers in which the service may use another word for `wallet` (first paragraph of the spec); free text
 * is never changed.
 */
export const WALLET_IDENTIFIERS = {
  families: ['wallet_accounts', 'wallet_transactions', 'wallet_disputes'],
  events: ['wallet_transaction.created', 'wallet_dispute.created'],
  filters: ['wallet_account_filter', 'wallet_dispute_status_filter', 'wallet_dispute_reason_filter'],
  paymentTypes: ['wallet'],
  fields: ['wallet_account_email', 'wallet_account_app_id', 'wallet_transactions'],
} as const;
