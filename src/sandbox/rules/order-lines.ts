import { bundleParts } from '../bundles.js';
import type { Value } from '../store/item-values.js';
import { priceOf } from './builders.js';
import type { Scene } from './call.js';
import { refer } from './item-references.js';
import { type Cents, spread, toCents } from './money.js';
import { matchingRate, type Rate } from './rates.js';
import { invalid } from './refusals.js';
import { shippable } from './shipments.js';
import { type Taxed, taxOn } from './taxes.js';
import { couponCents, findCoupon } from './usable-coupon.js';

/** The most units of one line, so that every total can be counted in exact cents. reading: order-limits */
const MOST_UNITS = 10_000;

/** The properties of a body that make up its order, and how it is paid. */
const ORDER_PROPERTIES: readonly string[] = [
  ...['campaign', 'iso_currency', 'payment_type', 'credit_card', 'customer_id', 'customer', 'ship_to', 'products'],
  ...['shipping_amount', 'shipping_profile', 'tax_amount', 'discount_amount'],
];

/** Not kept: the properties of the order, and those that say how to read the request. */
const NOT_KEPT: ReadonlySet<string> = new Set([
  ...ORDER_PROPERTIES,
  ...['sale_id', 'include_gateway', 'pending_options', 'idempotency_key'],
]);

/** The other properties of a sale's body, which are kept and returned. */
export function extrasOf(body: Value): Value {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !NOT_KEPT.has(name)));
}

/** One line of an order. */
export interface OrderLine {
  readonly product: Value;
  readonly quantity: number;
  /** The price of one unit. */
  readonly unit: Cents;
  /** All units together, as charged now; a trial charges nothing until it ends. */
  readonly cents: Cents;
  readonly discount: Cents;
}

/** The amounts of a sale before anything is charged. */
export type Order = ReturnType<typeof readOrder>;

/**
 * Reads an order from a sale's body. The published schema breaks off before products and amounts; these names are the
 * sandbox's own: `products` of {id, quantity, price}, `shipping_amount`, `shipping_profile`, `tax_amount`,
 * `discount_amount`, `coupon_code`, `ship_to`. Missing amounts are computed: shipping by the first qualifying rate
 * (service.md#shipping-rates), tax by the tax profiles. reading: order-names
 */
export function readOrder(scene: Scene, body: Value) {
  const campaign = readCampaign(scene, body.campaign);
  const currency = typeof body.iso_currency === 'string' ? body.iso_currency : 'USD';
  const wanted = body.products;
  if (!Array.isArray(wanted) || wanted.length === 0) throw invalid('products must list at least one product.');
  const priced = wanted.flatMap((entry, index) => unbundled(scene, readLine(scene, entry as Value, index)));
  const sum = priced.reduce((total, line) => total + line.cents, 0);
  const coupon = typeof body.coupon_code === 'string' ? findCoupon(scene, body.coupon_code) : undefined;
  const discount = Math.min(sum, amountOf(body, 'discount_amount') + (coupon ? couponCents(coupon, sum) : 0));
  const tax: Taxed =
    body.tax_amount === undefined ? taxOn(scene, campaign.id, sum - discount) : { cents: amountOf(body, 'tax_amount') };
  const rate = body.shipping_amount === undefined ? rateOf(scene, body, priced, sum - discount + tax.cents) : undefined;
  const shipping = rate?.cents ?? amountOf(body, 'shipping_amount');
  return {
    lines: share(priced, discount),
    shipping,
    /** The rate behind the shipping charge; absent when the body gives the charge. */
    rate,
    tax,
    discount,
    total: sum + shipping + tax.cents - discount,
    currency,
    campaign,
    coupon,
  };
}

/** A campaign by id or by name (service.md#new-customers). */
export function readCampaign(scene: Scene, content: unknown): { id: string; name: string } {
  if (typeof content !== 'string' || content === '') throw invalid('campaign is required.');
  const known = scene.store.get('campaigns', content, scene.live);
  const named = known ? [known] : scene.store.named('campaigns', scene.live, 'name', content);
  for (const { id, value } of named) if (known || value.name === content) return { id, name: String(value.name) };
  throw invalid(`The campaign ${JSON.stringify(content)} does not exist.`);
}

function readLine(scene: Scene, entry: Value, index: number): Omit<OrderLine, 'discount'> {
  const id = typeof entry === 'object' && entry !== null ? entry.id : undefined;
  if (typeof id !== 'string') throw invalid(`products[${index}].id is required.`);
  const product = scene.store.get('products', id, scene.live)?.value;
  if (!product) throw invalid(`The product ${id} does not exist.`);
  if (product.enabled === false) throw invalid(`The product ${id} is disabled.`);
  const quantity = entry.quantity ?? 1;
  if (!Number.isInteger(quantity) || Number(quantity) < 1 || Number(quantity) > MOST_UNITS)
    throw invalid(`products[${index}].quantity must be an integer from 1 to ${MOST_UNITS}.`);
  const unit = entry.price === undefined ? priceOf(product, 'price') : amountOf(entry, 'price');
  const trial = Number(product.trial_days ?? 0) > 0;
  return { product, quantity: Number(quantity), unit, cents: trial ? 0 : unit * Number(quantity) };
}

/** A bundle that is unbundled at the sale is sold as separate products. */
function unbundled(scene: Scene, line: Omit<OrderLine, 'discount'>): Omit<OrderLine, 'discount'>[] {
  const { product, quantity, unit } = line;
  const parts = bundleParts(scene, product, 'unbundle_at_sale', { quantity, cents: unit * quantity });
  if (parts.length === 0) return [line];
  return parts.map(({ share: cents, ...part }) => {
    const trial = Number(part.product.trial_days ?? 0) > 0;
    return { ...part, unit: Math.round(cents / part.quantity), cents: trial ? 0 : cents };
  });
}

/** Spreads a discount over the lines in proportion, so that the lines add up to the sale to the cent. */
function share(lines: readonly Omit<OrderLine, 'discount'>[], discount: Cents): OrderLine[] {
  const shares = spread(
    discount,
    lines.map(({ cents }) => cents),
  );
  return lines.map((line, index) => ({ ...line, discount: shares[index] as Cents }));
}

function rateOf(
  scene: Scene,
  body: Value,
  lines: readonly Omit<OrderLine, 'discount'>[],
  total: Cents,
): Rate | undefined {
  const parcels = shippable(lines).filter(({ cents }) => cents > 0);
  if (parcels.length === 0) return undefined;
  const profile = body.shipping_profile;
  if (typeof profile === 'string' && profile !== '') refer(scene, 'shipping_profiles', profile);
  const facts = {
    parcels,
    country: countryOf(scene, body),
    total,
    charged: total,
    shippable: parcels.reduce((sum, { cents }) => sum + cents, 0),
  };
  return matchingRate(scene, facts, typeof profile === 'string' && profile !== '' ? profile : undefined);
}

/** The address of a body's order: its own `ship_to`, else that of the customer it describes or names. */
function countryOf(scene: Scene, body: Value): string {
  const named = (part: unknown) => (part as Value | undefined)?.country;
  const known =
    typeof body.customer_id === 'string' ? scene.store.get('customers', body.customer_id, scene.live) : undefined;
  return String(named(body.ship_to) ?? named(body.customer) ?? known?.value.country ?? '');
}

function amountOf(body: Value, name: string): Cents {
  const value = body[name];
  if (value === undefined) return 0;
  if (typeof value !== 'number' || value < 0 || value > 10_000_000)
    throw invalid(`${name} must be an amount of 0 or more.`);
  return toCents(value);
}
