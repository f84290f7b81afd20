import { cops, say } from '../base/text/command-line.js';
import { wordList } from './references.js';
/* Account events and the filters that each event type supports (service.md#events). */

import { usage } from '../base/errors/errors.js';
import { meantOr } from '../base/errors/nearest.js';

const fullAndPartial = (name: string): string[] => [name, `${name}.full`, `${name}.partial`];
const withOutcome = (name: string): string[] => [name, `${name}.failed`, `${name}.success`];
const withFulfillment = (name: string): string[] => [name, `${name}.has_fulfillment`, `${name}.no_fulfillment`];

/** Base notations with the suffixes that are events too; each base is itself an event. */
const NOTATIONS: Readonly<Record<string, readonly string[]>> = {
  'ai_memo.created': [],
  'chargeback.created': [],
  'check_direct.created': [],
  'customer.created': [],
  'customer.updated':
    'add_card address disabled enabled customer_group customer_group.added customer_group.removed'.split(' '),
  'discount.created': [],
  'fraud_detection.created': [],
  'fraud_detection.updated.false_positive': [],
  'invoice.created': [],
  'note.created': [],
  'offline_payment.created': [],
  'wallet_dispute.created': [],
  'wallet_transaction.created': [],
  'pending_refund.created': [
    ...fullAndPartial('product_sale'),
    ...fullAndPartial('shipping').flatMap(withFulfillment),
    ...fullAndPartial('subscription_renewal'),
    ...fullAndPartial('tax'),
  ],
  product: ['created', 'deleted', 'updated'],
  'product_sale.created': [],
  'sale.created': `failed failed.declined failed.error failed.no_gateway failed.fraud_detected failed.merchant_error
    failed.merchant_hold success success.has_salvage success.is_upsell success.paid success.paid.has_salvage
    success.paid.is_upsell success.pending success.pending.is_upsell`.split(/\s+/),
  'sale.updated.fraud_alert': ['added', 'removed'],
  salvage_transaction: ['created', ...withOutcome('updated.processed')],
  'sentinel.alert': ['fraud_detected', 'firewall_block'],
  'shipping.created': ['has_fulfillment', 'no_fulfillment'],
  'shipping.updated': ['delivered', 'ship_to', 'shipped'],
  'subscription.created': [],
  'subscription.updated': [
    ...withOutcome('renewed'),
    'status',
    'status.active',
    'status.cancelled',
    'status.occurrence_limit',
    'status.overdue',
    'status.suspended',
  ],
  'subscription_renewal.updated': ['failed', 'success'],
  'tax.created': [],
  'transaction.created': [],
  'trial.created': [],
  'trial.updated': ['cancelled', ...withOutcome('expired'), 'extended', 'shortened'],
};

/** Every account event, with suffixes expanded. */
export const EVENTS: readonly string[] = Object.entries(NOTATIONS).flatMap(([base, suffixes]) => [
  base,
  ...suffixes.map((suffix) => `${base}.${suffix}`),
]);

/** The event that only functions can use. */
export const FUNCTION_ONLY_EVENTS: readonly string[] = ['invoice.created'];

/** Filters per event type, without `_filter` (service.md#events). Types not listed take none. */
export const EVENT_FILTERS: Readonly<Record<string, readonly string[]>> = {
  ai_memo: ['status', 'ai_assistant'],
  chargeback: ['campaign', 'currency', 'gateway', 'metadata', 'method', 'shop', 'status'],
  check_direct: ['campaign', 'currency', 'metadata', 'shop', 'status'],
  customer: ['campaign', 'customer_group', 'metadata', 'product', 'status'],
  discount: ['campaign', 'currency', 'metadata', 'payment_type', 'shop'],
  fraud_detection: ['campaign', 'currency', 'metadata', 'method', 'shop', 'status'],
  note: ['campaign', 'customer_group', 'metadata', 'product', 'status'],
  offline_payment: ['campaign', 'currency', 'metadata', 'shop', 'status'],
  wallet_dispute: ['campaign', 'currency', 'shop', 'wallet_account', 'wallet_dispute_status', 'wallet_dispute_reason'],
  wallet_transaction: ['campaign', 'currency', 'metadata', 'shop', 'wallet_account'],
  pending_refund: ['campaign', 'currency', 'gateway', 'metadata', 'payment_type', 'status', 'wallet_account'],
  product: wordList('fulfillment_account metadata product_type product_group project shop status subscription_profile'),
  product_sale: ['campaign', 'metadata', 'payment_type', 'product', 'shop', 'status'],
  sale: ['campaign', 'currency', 'metadata', 'payment_type', 'shop', 'status'],
  salvage_transaction: ['campaign', 'metadata', 'method', 'payment_profile', 'status'],
  shipping: wordList(
    'campaign fulfillment_account metadata payment_type shipping_provider shipping_status shop status',
  ),
  subscription: ['campaign', 'metadata', 'payment_type', 'product', 'status', 'subscription_profile'],
  subscription_renewal: ['campaign', 'metadata', 'payment_type', 'product', 'shop', 'status', 'subscription_profile'],
  tax: ['campaign', 'currency', 'metadata', 'payment_type', 'shop', 'status'],
  transaction: ['campaign', 'gateway', 'metadata', 'method', 'payment_profile', 'result', 'shop', 'status'],
  trial: ['campaign', 'metadata', 'payment_type', 'product', 'status'],
};

/** Filters for the account events of a function (service.md#events). */
export const FUNCTION_EVENT_FILTERS: readonly string[] = ['campaign'];

/** The type of an event: the first dotted word of its notation. */
export function eventType(notation: string): string {
  return notation.split('.', 1)[0] ?? '';
}

/** @throws CopsError `usage` for an unknown event, suggesting the nearest one */
export function knownEvent(notation: string, lead: string): void {
  if (EVENTS.includes(notation)) return;
  const hint = meantOr(notation, EVENTS, say`${cops`reference events`} lists them.`);
  throw usage(`${lead} is no event ${JSON.stringify(notation)}.`, hint);
}
