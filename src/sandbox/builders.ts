import { amounts, fromCents, type Ledger, toCents } from './money.js';
import { paymentType } from './payment-types.js';
import type { Value } from './text.js';

/** The related-id arrays that money items carry (spec 2.4), in its order. */
const RELATED = [
  'sales',
  'product_sales',
  'shipping',
  'tax',
  'discounts',
  'trials',
  'subscriptions',
  'subscription_renewals',
  'invoices',
  'transactions',
  'ai_threads',
  'ai_assistants',
  'wallet_transactions',
  'offline_payments',
  'check_directs',
  'salvage_transactions',
] as const;

export type Links = Partial<Record<(typeof RELATED)[number] | 'pending_refunds', readonly string[]>>;

/** Every related-id array, empty where nothing is linked. */
export function related(links: Links): Value {
  return Object.fromEntries(RELATED.map((name) => [name, links[name] ?? []]));
}

const CUSTOMER_FIELDS = [
  'id',
  'enabled',
  'blocked',
  'internal_id',
  'first_name',
  'last_name',
  'company',
  'email',
  'phone',
  'address_line_1',
  'address_line_2',
  'city',
  'state',
  'zip',
  'country',
  'metadata',
  'created_date_unix',
  'updated_date_unix',
];

/** The customer as other items embed it (spec 2.5). */
export function customerView(customer: Value): Value {
  return Object.fromEntries(CUSTOMER_FIELDS.map((name) => [name, customer[name]]));
}

const ADDRESS_FIELDS = [
  'first_name',
  'last_name',
  'address_line_1',
  'address_line_2',
  'city',
  'state',
  'zip',
  'company',
  'country',
  'email',
  'phone',
];

/** The `ship_to` of spec 2.4 out of a customer or an address. */
export function shipTo(source: Value): Value {
  return Object.fromEntries(ADDRESS_FIELDS.map((name) => [name, source[name] ?? '']));
}

/** The product as a sale's line or a renewal shows it (spec 2.4). */
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

/** What every item of one purchase shares. */
export interface Ground {
  readonly live: boolean;
  readonly campaign: { readonly id: string; readonly name: string };
  readonly currency: string;
  readonly customer: Value;
  readonly shop: Value | null;
  readonly paymentType: Value;
  readonly shipTo?: Value;
}

/** The shared fields of money items, in the words of spec 2.4. */
export function groundFields(ground: Ground): Value {
  return {
    campaign_id: ground.campaign.id,
    campaign_name: ground.campaign.name,
    iso_currency: ground.currency,
    live_mode: ground.live,
    payment_type: ground.paymentType,
    third_party_shop: ground.shop,
    customer: customerView(ground.customer),
    ship_to: ground.shipTo ?? shipTo(ground.customer),
  };
}

/** Reads the shared fields back from an item. */
export function groundOf(item: Value): Ground {
  return {
    live: item.live_mode === true,
    campaign: { id: String(item.campaign_id ?? ''), name: String(item.campaign_name ?? '') },
    currency: String(item.iso_currency ?? 'USD'),
    customer: (item.customer ?? {}) as Value,
    shop: (item.third_party_shop ?? null) as Value | null,
    paymentType: (item.payment_type ?? paymentType('credit_card')) as Value,
    ...(item.ship_to ? { shipTo: item.ship_to as Value } : {}),
  };
}

/** The own fields of a money item: identity, amounts, related ids. */
export function moneyItem(id: string, at: number, ledger: Ledger, links: Links, more: Value = {}): Value {
  return {
    id,
    created_date_unix: at,
    updated_date_unix: at,
    ...amounts(ledger),
    ...more,
    metadata: [],
    ...related(links),
  };
}

/** The ledger of something that was paid in full. */
export function paid(original: number, settled: boolean, discount = 0): Ledger {
  return { original, discount, refunded: 0, paid: original - discount, settled, remaining: 0 };
}

/** The ledger of something that could not be collected: all of it remains. */
export function unpaid(original: number, discount = 0): Ledger {
  return { original, discount, refunded: 0, paid: 0, settled: false, remaining: original - discount };
}

/** A card transaction: one attempt, whatever came of it (spec section 3). */
export function transaction(facts: {
  id: string;
  at: number;
  ground: Ground;
  cents: number;
  result: 'approved' | 'declined' | 'error' | 'held';
  method: string;
  gateway: { id: string; name: string };
  card: Value;
  settled: boolean;
  links: Links;
}): { own: Value; shared: Value } {
  const good = facts.result === 'approved';
  const ledger: Ledger = {
    original: facts.cents,
    discount: 0,
    refunded: 0,
    paid: good ? facts.cents : 0,
    settled: good && facts.settled,
    remaining: 0,
  };
  return {
    own: moneyItem(facts.id, facts.at, ledger, facts.links, {
      result: facts.result,
      method: facts.method,
      approved: good,
      declined: facts.result === 'declined',
      held: facts.result === 'held',
      error: facts.result === 'error',
      captured: good,
      settled: good && facts.settled,
      void: false,
      gateway_id: facts.gateway.id,
      gateway_name: facts.gateway.name,
      gateway_transaction_id: String(10_000_000_000 + hash(facts.id)),
      gateway_auth_code: good ? String(100_000 + (hash(facts.id) % 900_000)) : '',
      customer_card: {
        id: facts.card.id,
        type: facts.card.type,
        first_6: facts.card.first_6,
        last_4: facts.card.last_4,
      },
    }),
    shared: groundFields(facts.ground),
  };
}

/** What a subscription profile's own reads say, where another item embeds it. */
export function profileView(profile: Value): Value {
  const { created_date_unix: _created, updated_date_unix: _updated, ...rest } = profile;
  return rest;
}

/** The price of one unit at a moment of a product's life, cents; falls back to `price` (published rule). */
export function priceOf(product: Value, which: 'price' | 'price_subscription' | 'price_trial'): number {
  const price = product[which];
  return toCents(typeof price === 'number' ? price : product.price);
}

export function decimal(cents: number): number {
  return fromCents(cents);
}

function hash(text: string): number {
  let value = 7;
  for (let index = 0; index < text.length; index++) value = (Math.imul(value, 31) + text.charCodeAt(index)) >>> 0;
  return value;
}
