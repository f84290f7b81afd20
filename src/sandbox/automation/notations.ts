import { EVENTS } from '../../catalogue/event-types.js';
import { idsUnder, toText, type Value } from '../store/item-values.js';
import { singular } from '../store/kinds.js';
import type { ItemChange } from './item-changes.js';

/** The notations of a change (service.md#events), and the item they are about if it is another one. */
export interface Happening {
  /** The longest notations; `chainOf` adds the shorter ones. */
  readonly notations: readonly string[];
  readonly itemId?: string;
  /** True if the shorter notations are no news because they were raised before. */
  readonly alone?: true;
}

/** Whether a shipment goes to a fulfilment account. */
type HasFulfillment = (shippingId: string) => boolean;

type Reader = (change: Required<ItemChange>, hasFulfillment: HasFulfillment) => string[] | Happening;

const ADDRESS = ['address_line_1', 'address_line_2', 'city', 'state', 'zip', 'country'];
const NAMES = ['first_name', 'last_name', 'company', 'email', 'phone', 'internal_id', 'bill_to', 'blocked'];
/**
 * Properties that other items keep in step on a product or subscription: not changes of its own. reading: event-changes
 */
const COPIED = new Set(['updated_date_unix', 'customer', 'subscription_profile', 'product_group', 'notes', 'metadata']);

/** Families for which a new item is an event. */
const CREATED: ReadonlySet<string> = new Set([
  ...['ai_memos', 'chargebacks', 'check_directs', 'customers', 'discounts', 'invoices', 'notes', 'offline_payments'],
  ...['product_sales', 'products', 'salvage_transactions', 'subscriptions', 'tax', 'transactions', 'trials'],
  ...['wallet_disputes', 'wallet_transactions'],
]);

const INSERTED: Readonly<Record<string, Reader>> = {
  customer_cards: ({ after }) => ({ notations: ['customer.updated.add_card'], itemId: String(after.customer_id) }),
  fraud_detections: ({ after }) => [
    'fraud_detection.created',
    ...(after.source === 'sentinel' ? [sentinelAlert(after)] : []),
  ],
  pending_refunds: ({ after }, hasFulfillment) => refundNotations(after, hasFulfillment),
  sales: ({ after }) => saleNotations(after),
  shipping: ({ after }) => [`shipping.created.${after.fulfillment_account ? 'has' : 'no'}_fulfillment`],
  subscription_renewals: ({ after }) => [outcome('subscription_renewal.updated', after.is_overdue !== true)],
};

const UPDATED: Readonly<Record<string, Reader>> = {
  customers: customerChanges,
  fraud_detections: ({ before, after }) =>
    before.false_positive !== true && after.false_positive === true ? ['fraud_detection.updated.false_positive'] : [],
  products: ({ before, after }) => (changed(before, after).length > 0 ? ['product.updated'] : []),
  sales: saleChanges,
  salvage_transactions: ({ before, after }) =>
    ['success', 'failed'].includes(String(after.status)) && before.attempts !== after.attempts
      ? [outcome('salvage_transaction.updated.processed', after.status === 'success')]
      : [],
  shipping: shippingChanges,
  subscriptions: subscriptionChanges,
  // A renewal that was overdue and is collected now has succeeded.
  subscription_renewals: ({ before, after }) =>
    before.is_overdue === true && after.is_overdue === false ? ['subscription_renewal.updated.success'] : [],
  trials: trialChanges,
};

/** The notations of a change; most changes have none. */
export function happeningOf(change: ItemChange, hasFulfillment: HasFulfillment): Happening {
  const { family, before, after } = change;
  if (!after) return { notations: family === 'products' ? ['product.deleted'] : [] };
  const reader = (before ? UPDATED : INSERTED)[family];
  const created = !before && CREATED.has(family) ? [`${singular(family)}.created`] : [];
  if (!reader) return { notations: created };
  const read = reader({ ...change, before: before ?? {}, after }, hasFulfillment);
  return Array.isArray(read) ? { notations: [...created, ...read] } : read;
}

/**
 * Every event of a happening, general ones first: a notation also raises all its prefixes that are events.
 * reading: event-chain
 */
export function chainOf({ notations, alone }: Happening): readonly string[] {
  if (alone) return notations;
  const chain = new Set<string>();
  for (const notation of notations) {
    const words = notation.split('.');
    for (let count = 1; count <= words.length; count++) {
      const name = words.slice(0, count).join('.');
      if (KNOWN.has(name)) chain.add(name);
    }
  }
  return [...chain];
}

const KNOWN: ReadonlySet<string> = new Set(EVENTS);

function outcome(notation: string, good: boolean): string {
  return `${notation}.${good ? 'success' : 'failed'}`;
}

/**
 * A blocked source is stopped before it reaches a gateway (service.md#errors), which is the firewall.
 * reading: sentinel-alerts
 */
function sentinelAlert(detection: Value): string {
  return detection.rule === 'firewall' ? 'sentinel.alert.firewall_block' : 'sentinel.alert.fraud_detected';
}

function refundNotations(refund: Value, hasFulfillment: HasFulfillment): string[] {
  const type = String(refund.type);
  const base = 'pending_refund.created';
  // A bare charge and a trial have no notation of their own (service.md#events).
  if (!['product_sale', 'shipping', 'subscription_renewal', 'tax'].includes(type)) return [base];
  const extent = `${base}.${type}.${refund.full === true ? 'full' : 'partial'}`;
  if (type !== 'shipping') return [extent];
  const where = hasFulfillment(String(refund.source_id)) ? 'has_fulfillment' : 'no_fulfillment';
  return [`${extent}.${where}`, `${base}.shipping.${where}`];
}

const FAILURES = ['declined', 'error', 'no_gateway', 'fraud_detected', 'merchant_error', 'merchant_hold'];

function saleNotations(sale: Value): string[] {
  const base = 'sale.created';
  const upsell = sale.is_upsell === true;
  if (sale.status === 'failed') {
    const reason = String(sale.failed_reason);
    return [`${base}.failed${FAILURES.includes(reason) ? `.${reason}` : ''}`];
  }
  const success = `${base}.success`;
  if (sale.status === 'pending')
    return [`${success}.pending${upsell ? '.is_upsell' : ''}`, ...(upsell ? [`${success}.is_upsell`] : [])];
  const salvage = idsUnder(sale, 'salvage_transactions').length > 0;
  const marks = [...(salvage ? ['has_salvage'] : []), ...(upsell ? ['is_upsell'] : [])];
  return [`${success}.paid`, ...marks.flatMap((mark) => [`${success}.${mark}`, `${success}.paid.${mark}`])];
}

/** A pending sale has already been reported as created, so only its payment is news. reading: pending-paid */
function saleChanges({ before, after }: Required<ItemChange>): Happening | string[] {
  if (before.status === 'pending' && after.status === 'paid')
    return { notations: ['sale.created.success.paid'], alone: true };
  if (before.fraud_alert === after.fraud_alert) return [];
  return [`sale.updated.fraud_alert.${after.fraud_alert === true ? 'added' : 'removed'}`];
}

function customerChanges({ before, after }: Required<ItemChange>): string[] {
  const found: string[] = [];
  const differs = (names: readonly string[]) => names.some((name) => !same(before[name], after[name]));
  if (differs(ADDRESS)) found.push('customer.updated.address');
  else if (differs(NAMES)) found.push('customer.updated');
  if (before.enabled !== after.enabled || (before.blocked === true && after.blocked === false))
    found.push(`customer.updated.${after.enabled === false ? 'disabled' : 'enabled'}`);
  const groups = (value: Value) => idsUnder(value, 'customer_group');
  const [had, has] = [groups(before), groups(after)];
  if (has.some((id) => !had.includes(id))) found.push('customer.updated.customer_group.added');
  if (had.some((id) => !has.includes(id))) found.push('customer.updated.customer_group.removed');
  return found;
}

function shippingChanges({ before, after }: Required<ItemChange>): string[] {
  const found: string[] = [];
  if (before.status !== after.status)
    found.push(
      after.status === 'shipped' || after.status === 'delivered'
        ? `shipping.updated.${after.status}`
        : 'shipping.updated',
    );
  if (!same(before.ship_to, after.ship_to)) found.push('shipping.updated.ship_to');
  const tracked = ['tracking_number', 'provider'].some((name) => !same(before[name], after[name]));
  return found.length === 0 && tracked ? ['shipping.updated'] : found;
}

function subscriptionChanges({ before, after }: Required<ItemChange>): string[] {
  const found: string[] = [];
  const renewals = (value: Value) => idsUnder(value, 'subscription_renewals').length;
  if (renewals(after) > renewals(before))
    found.push(outcome('subscription.updated.renewed', after.is_overdue !== true));
  if (before.status !== after.status) found.push(`subscription.updated.status.${String(after.status)}`);
  return found.length === 0 && changed(before, after).length > 0 ? ['subscription.updated'] : found;
}

function trialChanges({ before, after }: Required<ItemChange>): string[] {
  const end = (value: Value) => Number(value.expiration_date_unix);
  if (before.expired_result !== after.expired_result)
    return [outcome('trial.updated.expired', after.expired_result === 'success')];
  if (before.status !== after.status) return after.status === 'cancelled' ? ['trial.updated.cancelled'] : [];
  if (after.status !== 'active' || end(before) === end(after)) return [];
  return [`trial.updated.${end(after) > end(before) ? 'extended' : 'shortened'}`];
}

/** The properties that differ, except those that other items keep in step. */
function changed(before: Value, after: Value): string[] {
  return Object.keys({ ...before, ...after }).filter((name) => !COPIED.has(name) && !same(before[name], after[name]));
}

function same(one: unknown, other: unknown): boolean {
  return one === other || toText({ one } as Value) === toText({ one: other } as Value);
}
