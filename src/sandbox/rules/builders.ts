import type { relatives } from '../../catalogue/fields.js';
import { objectUnder, sharing, type Value } from '../store/item-values.js';
import { seededId } from '../store/seeded-ids.js';
import { type AmountBasis, amountsOf, fromCents, toCents } from './money.js';
import { paymentType } from './payment-types.js';

/** Ids of related items, by kind (service.md#payments). */
export type Links = { readonly [Kind in keyof typeof relatives]?: readonly string[] };

const NONE: readonly string[] = [];

/** Every related-id array of service.md#payments. */
export function related(links: Links): Value {
  return linking({}, links);
}

/** The first fields of an item made at a moment, unix seconds. */
export function dated(id: string, at: number): { id: string; created_date_unix: number; updated_date_unix: number } {
  return { id, created_date_unix: at, updated_date_unix: at };
}

/** The name and address of a customer. */
export const CONTACT: readonly string[] = [
  ...['first_name', 'last_name', 'company', 'email', 'phone'],
  ...['address_line_1', 'address_line_2', 'city', 'state', 'zip', 'country'],
];
const CUSTOMER_VIEW = [
  ...['id', 'enabled', 'blocked', 'internal_id', ...CONTACT, 'metadata'],
  ...['created_date_unix', 'updated_date_unix'],
];
const SHIP_TO = [
  ...['first_name', 'last_name', 'address_line_1', 'address_line_2', 'city', 'state', 'zip', 'company', 'country'],
  ...['email', 'phone'],
];

/** The customer as other items embed it (service.md#customers). */
export function customerView(customer: Value): Value {
  return Object.fromEntries(CUSTOMER_VIEW.map((name) => [name, customer[name]]));
}

/** The `ship_to` of service.md#payments, from a customer or an address. */
export function shipToOf(source: Value): Value {
  return Object.fromEntries(SHIP_TO.map((name) => [name, source[name] ?? '']));
}

/** The product as a sale's line or a renewal shows it (service.md#payments). */
export function productView(product: Value, quantity: number, price: number): Value {
  return {
    id: product.id,
    name: product.name,
    quantity,
    price,
    is_subscription: product.subscription_profile !== null && product.subscription_profile !== undefined,
    is_trial: Number(product.trial_days ?? 0) > 0,
    internal_id: product.internal_id ?? '',
    sku: product.sku ?? '',
  };
}

/** The facts that all items of one purchase share. */
export interface PurchaseFacts {
  readonly live: boolean;
  readonly campaign: { readonly id: string; readonly name: string };
  readonly currency: string;
  readonly customer: Value;
  readonly shop: Value | null;
  readonly paymentType: Value;
  readonly shipTo?: Value;
}

/** The embedded form of those facts, made once: all items of a purchase hold the same objects. */
const embedded = new WeakMap<
  PurchaseFacts,
  { readonly customer: Value; readonly shipTo: Value; readonly paymentType: Value }
>();

function embeddedOf(ground: PurchaseFacts) {
  const known = embedded.get(ground);
  if (known) return known;
  const made = {
    customer: sharing(customerView(ground.customer)),
    shipTo: sharing({ ...(ground.shipTo ?? shipToOf(ground.customer)) }),
    paymentType: sharing({ ...ground.paymentType }),
  };
  embedded.set(ground, made);
  return made;
}

/** The shared fields of money items (service.md#payments). */
export function groundFields(ground: PurchaseFacts): Value {
  return onGround({}, ground);
}

/** Adds the shared fields to a new item, over its own, and returns it. */
export function onGround(item: Value, ground: PurchaseFacts): Value {
  const { customer, shipTo, paymentType } = embeddedOf(ground);
  item.campaign_id = ground.campaign.id;
  item.campaign_name = ground.campaign.name;
  item.iso_currency = ground.currency;
  item.live_mode = ground.live;
  item.payment_type = paymentType;
  item.third_party_shop = ground.shop;
  item.customer = customer;
  item.ship_to = shipTo;
  return item;
}

/** Reads the shared fields back from an item. */
export function purchaseFacts(item: Value): PurchaseFacts {
  return {
    live: item.live_mode === true,
    campaign: { id: String(item.campaign_id ?? ''), name: String(item.campaign_name ?? '') },
    currency: String(item.iso_currency ?? 'USD'),
    customer: objectUnder(item, 'customer'),
    shop: (item.third_party_shop ?? null) as Value | null,
    paymentType: (item.payment_type ?? paymentType('credit_card')) as Value,
    shipTo: (item.ship_to ?? undefined) as Value | undefined,
  };
}

/** The identity and amounts of a money item. Each property is named, because such items are made by the thousand. */
export function withAmounts(id: string, at: number, ledger: AmountBasis): Value {
  const sums = amountsOf(ledger);
  return {
    id,
    created_date_unix: at,
    updated_date_unix: at,
    amount: sums.amount,
    amount_original_total: sums.amount_original_total,
    amount_total: sums.amount_total,
    amount_gross: sums.amount_gross,
    amount_net: sums.amount_net,
    amount_fees: sums.amount_fees,
    amount_captured: sums.amount_captured,
    amount_settled: sums.amount_settled,
    amount_remaining: sums.amount_remaining,
    amount_refunded: sums.amount_refunded,
  };
}

/** The own fields of a new money item: identity, amounts, the fields in `more`, related ids. */
export function moneyItem(id: string, at: number, ledger: AmountBasis, links: Links, more: Value = {}): Value {
  const item = withAmounts(id, at, ledger);
  for (const name of Object.keys(more)) item[name] = more[name];
  item.metadata = [];
  return linking(item, links);
}

/** Adds every related-id array to a new item in the order of service.md#payments; empty where nothing is linked. */
function linking(item: Value, links: Links): Value {
  item.sales = links.sales ?? NONE;
  item.product_sales = links.product_sales ?? NONE;
  item.shipping = links.shipping ?? NONE;
  item.tax = links.tax ?? NONE;
  item.discounts = links.discounts ?? NONE;
  item.trials = links.trials ?? NONE;
  item.subscriptions = links.subscriptions ?? NONE;
  item.subscription_renewals = links.subscription_renewals ?? NONE;
  item.invoices = links.invoices ?? NONE;
  item.transactions = links.transactions ?? NONE;
  item.ai_threads = links.ai_threads ?? NONE;
  item.ai_assistants = links.ai_assistants ?? NONE;
  item.wallet_transactions = links.wallet_transactions ?? NONE;
  item.offline_payments = links.offline_payments ?? NONE;
  item.check_directs = links.check_directs ?? NONE;
  item.salvage_transactions = links.salvage_transactions ?? NONE;
  return item;
}

/** A new subscription (service.md#subscription-profiles). */
export function subscriptionItem(facts: {
  id: string;
  at: number;
  cents: number;
  /** Unix seconds. */
  next: number;
  /** In the form that a renewal shows. */
  product: Value;
  profile: Value;
  /** The fields of its ground. */
  shared: Value;
  links: Links;
}): Value {
  const item: Value = dated(facts.id, facts.at);
  item.status = 'active';
  item.amount = fromCents(facts.cents);
  item.is_overdue = false;
  item.overdue_count = 0;
  item.renewal_count = 0;
  item.billing = { next_renewal_date_unix: facts.next, last_renewal_date_unix: null, last_renewal_id: null };
  item.product = facts.product;
  item.subscription_profile = undated(facts.profile);
  item.coupons = [];
  Object.assign(item, facts.shared);
  item.sales = facts.links.sales ?? NONE;
  item.product_sales = facts.links.product_sales ?? NONE;
  item.trials = facts.links.trials ?? NONE;
  item.subscription_renewals = NONE;
  item.transactions = facts.links.transactions ?? NONE;
  item.salvage_transactions = NONE;
  item.metadata = [];
  return item;
}

/** The ledger of an item that is paid in full. */
export function paid(original: number, settled: boolean, discount = 0): AmountBasis {
  const payments = original - discount;
  return { original, discount, refunded: 0, paid: payments, settled: settled ? payments : 0, remaining: 0 };
}

/** The ledger of an item that is neither paid nor owed yet: a pending or failed sale, an unpaid invoice. */
export function open(original: number, discount = 0): AmountBasis {
  return { original, discount, refunded: 0, paid: 0, settled: 0, remaining: 0 };
}

/** The ledger of an item that could not be collected: all of it remains. */
export function unpaid(original: number, discount = 0): AmountBasis {
  return { original, discount, refunded: 0, paid: 0, settled: 0, remaining: original - discount };
}

/**
 * A card transaction: one attempt, whatever its outcome (service.md#states). `fixed` is the half that all renewals of a
 * subscription share; the fields of the ground are added to it.
 */
export function transaction(facts: {
  id: string;
  at: number;
  ground: PurchaseFacts;
  /** The amount charged to the card. */
  cents: number;
  /** The discount taken before: the original total is that of the item paid for (published). */
  discount?: number | undefined;
  result: 'approved' | 'declined' | 'error' | 'held';
  method: string;
  gateway: { id: string; name: string };
  card: Value;
  settled: boolean;
  links: Links;
}): { readonly own: Value; readonly fixed: Value } {
  const good = facts.result === 'approved';
  const { discount = 0 } = facts;
  const original = facts.cents + discount;
  const ledger = good ? paid(original, facts.settled, discount) : open(original, discount);
  const own = withAmounts(facts.id, facts.at, ledger);
  own.result = facts.result;
  own.approved = good;
  own.declined = facts.result === 'declined';
  own.held = facts.result === 'held';
  own.error = facts.result === 'error';
  own.captured = good;
  own.settled = good && facts.settled;
  own.void = false;
  own.gateway_transaction_id = String(10_000_000_000 + hash(facts.id));
  own.gateway_auth_code = good ? String(100_000 + (hash(facts.id) % 900_000)) : '';
  own.subscription_renewals = facts.links.subscription_renewals ?? NONE;
  return {
    own,
    // Computed on demand: only the first renewal of a subscription has one.
    get fixed() {
      return fixedHalf(facts);
    },
  };
}

function fixedHalf(facts: Pick<Parameters<typeof transaction>[0], 'method' | 'gateway' | 'card' | 'links'>): Value {
  const { subscription_renewals: _own, ...links } = related(facts.links);
  const { id, type, first_6, last_4 } = facts.card;
  return {
    method: facts.method,
    gateway_id: facts.gateway.id,
    gateway_name: facts.gateway.name,
    customer_card: { id, type, first_6, last_4 },
    metadata: [],
    ...links,
  };
}

/**
 * The transaction of a refund, where refunds are transactions of their own: it names the payment it gives back, and
 * takes nothing. reading: refund-transactions
 * @param payment the transaction that is paid back
 */
export function refundTransaction(
  payment: Value,
  refund: { readonly id: string; readonly at: number; readonly cents: number; readonly kind: RefundKind },
): Value {
  const id = seededId('refund', refund.id);
  return {
    ...payment,
    ...withAmounts(id, refund.at, open(refund.cents)),
    captured: false,
    settled: false,
    gateway_transaction_id: String(10_000_000_000 + hash(id)),
    gateway_auth_code: '',
    method: 'refund',
    refund_type: refund.kind,
    metadata: [],
    transactions: [payment.id],
  };
}

type RefundKind = 'full' | 'partial' | 'offsite';

/** An item as another one embeds it: without its dates. */
export function undated(item: Value): Value {
  const { created_date_unix: _created, updated_date_unix: _updated, ...rest } = item;
  return rest;
}

/** The unit price at a moment of a product's life, cents; falls back to `price` (published rule). */
export function priceOf(product: Value, which: 'price' | 'price_subscription' | 'price_trial'): number {
  const price = product[which];
  return toCents(typeof price === 'number' ? price : product.price);
}

function hash(text: string): number {
  let value = 7;
  for (let index = 0; index < text.length; index++) value = (Math.imul(value, 31) + text.charCodeAt(index)) >>> 0;
  return value;
}
