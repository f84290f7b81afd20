import type { Scene } from './rules/call.js';
import { type Cents, spread, toCents } from './rules/money.js';
import type { Parcel } from './rules/rates.js';
import { invalid } from './rules/refusals.js';
import { listUnder, objectUnder, type Value } from './store/item-values.js';

/** A product of a bundle, with its share of the price in cents. */
export interface Part extends Parcel {
  readonly share: Cents;
}

/**
 * The products that a bundle is sold or sent as (service.md#products). The bundle's price is spread over them by their
 * own prices. Empty where the bundle is unbundled at the other moment. reading: bundles
 * @throws Refusal 400 for a product that no longer exists.
 */
export function bundleParts(
  scene: Scene,
  bundle: Value,
  moment: 'unbundle_at_sale' | 'unbundle_at_fulfillment',
  { quantity, cents }: { readonly quantity: number; readonly cents: Cents },
): Part[] {
  const settings = objectUnder(bundle, 'bundle_settings');
  if (bundle.is_bundle_product !== true || settings.unbundle_method !== moment) return [];
  const parts = listUnder(settings, 'products').map(({ id, quantity: each, price }) => {
    const product = scene.store.get('products', String(id), scene.live)?.value;
    if (!product) throw invalid(`The product ${String(id)} of the bundle ${String(bundle.id)} does not exist.`);
    const units = Number(each ?? 1) * quantity;
    return { product, quantity: units, weight: toCents(price ?? product.price) * units };
  });
  const shares = shareOut(
    cents,
    parts.map(({ weight }) => weight),
  );
  return parts.map(({ product, quantity: units }, index) => ({
    product,
    quantity: units,
    share: shares[index] as Cents,
  }));
}

/**
 * Shares that add up to the price, whether it is above or below the sum of the parts; equal shares if every part is
 * free.
 */
function shareOut(cents: Cents, weights: readonly Cents[]): Cents[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const factor = sum === 0 ? 0 : Math.ceil(cents / sum);
  return spread(
    cents,
    weights.map((weight) => (sum === 0 ? cents : weight * Math.max(1, factor))),
  );
}
