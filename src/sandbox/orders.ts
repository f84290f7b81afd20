import { priceOf } from './builders.js';
import type { Scene } from './call.js';
import { toCents } from './money.js';
import { invalid } from './refusal.js';
import type { Value } from './text.js';

/** Units of one line; ours, so that no total leaves what can be counted in exact cents. */
const MOST_UNITS = 10_000;

/** One line of an order. */
export interface Line {
  readonly product: Value;
  readonly quantity: number;
  /** Of all units together, charged now; a trial charges nothing until it ends. */
  readonly cents: number;
  readonly discount: number;
}

/** What a sale comes to, before anything is charged. */
export interface Order {
  readonly lines: readonly Line[];
  readonly shipping: number;
  readonly tax: number;
  readonly discount: number;
  readonly total: number;
  readonly currency: string;
  readonly campaign: { readonly id: string; readonly name: string };
  readonly coupon?: Value;
}

/**
 * Reads an order out of a sale's body. The published schema breaks off before products and amounts; these names
 * are the sandbox's own: `products` of {id, quantity, price}, `shipping_amount`, `tax_amount`,
 * `discount_amount`, `coupon_code`.
 */
export function readOrder(scene: Scene, body: Value): Order {
  const campaign = readCampaign(scene, body.campaign);
  const currency = typeof body.iso_currency === 'string' ? body.iso_currency : 'USD';
  const wanted = body.products;
  if (!Array.isArray(wanted) || wanted.length === 0) throw invalid('products must list at least one product.');
  const priced = wanted.map((entry, index) => readLine(scene, entry as Value, index));
  const sum = priced.reduce((total, line) => total + line.cents, 0);
  const coupon = typeof body.coupon_code === 'string' ? findCoupon(scene, body.coupon_code) : undefined;
  const discount = Math.min(sum, amountOf(body, 'discount_amount') + (coupon ? couponCents(coupon, sum) : 0));
  const ships = priced.some(({ product, cents }) => product.is_shippable === true && cents > 0);
  const shipping =
    body.shipping_amount === undefined ? (ships ? firstRate(scene) : 0) : amountOf(body, 'shipping_amount');
  const tax = amountOf(body, 'tax_amount');
  return {
    lines: share(priced, discount, sum),
    shipping,
    tax,
    discount,
    total: sum + shipping + tax - discount,
    currency,
    campaign,
    ...(coupon ? { coupon } : {}),
  };
}

/** A campaign by id or by name (spec 4.10). */
export function readCampaign(scene: Scene, content: unknown): { id: string; name: string } {
  if (typeof content !== 'string' || content === '') throw invalid('campaign is required.');
  for (const { id, value } of scene.store.scan('campaigns', scene.live)) {
    if (id === content || value.name === content) return { id, name: String(value.name) };
  }
  throw invalid(`The campaign ${JSON.stringify(content)} does not exist.`);
}

/** The coupon of a code that may be used now, with the reason where it may not. */
export function findCoupon(scene: Scene, code: string): Value {
  for (const { value } of scene.store.scan('coupons', scene.live)) {
    if (String(value.coupon_code).toLowerCase() !== code.toLowerCase()) continue;
    if (value.enabled === false) throw invalid(`The coupon ${code} is disabled.`);
    if (Number(value.date_start_unix ?? 0) > scene.now) throw invalid(`The coupon ${code} is not valid yet.`);
    if (Number(value.date_end_unix ?? Number.MAX_SAFE_INTEGER) < scene.now)
      throw invalid(`The coupon ${code} has expired.`);
    const most = Number(value.max_uses ?? 0);
    if (most > 0 && Number(value.uses ?? 0) >= most) throw invalid(`The coupon ${code} is used up.`);
    return value;
  }
  throw invalid(`There is no coupon ${code}.`);
}

function readLine(scene: Scene, entry: Value, index: number): Omit<Line, 'discount'> {
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
  return { product, quantity: Number(quantity), cents: trial ? 0 : unit * Number(quantity) };
}

/** Spreads a discount over the lines in proportion; the last line takes what rounding leaves. */
function share(lines: readonly Omit<Line, 'discount'>[], discount: number, sum: number): Line[] {
  let left = discount;
  return lines.map((line, index) => {
    const part = index === lines.length - 1 ? left : Math.min(left, Math.floor((discount * line.cents) / (sum || 1)));
    const own = Math.min(part, line.cents);
    left -= own;
    return { ...line, discount: own };
  });
}

function amountOf(body: Value, name: string): number {
  const value = body[name];
  if (value === undefined) return 0;
  if (typeof value !== 'number' || value < 0 || value > 10_000_000)
    throw invalid(`${name} must be an amount of 0 or more.`);
  return toCents(value);
}

function couponCents(coupon: Value, sum: number): number {
  // The fields of a coupon were not seen, so that its body takes anything: what is no number discounts nothing.
  const value = typeof coupon.discount_value === 'number' ? coupon.discount_value : 0;
  return coupon.discount_type === 'percent' ? Math.round((sum * value) / 100) : toCents(value);
}

function firstRate(scene: Scene): number {
  for (const { value } of scene.store.scan('shipping_profiles', scene.live)) {
    const rate = (value.rates as Value[] | undefined)?.[0]?.rate;
    if (value.enabled !== false && typeof rate === 'number') return toCents(rate);
  }
  return 0;
}
