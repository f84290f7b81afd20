import { bundleParts } from '../bundles.js';
import { objectUnder, type Value } from '../store/item-values.js';
import { type Links, moneyItem, onGround, type PurchaseFacts, paid } from './builders.js';
import type { Scene } from './call.js';
import type { Parcel, Rate } from './rates.js';

/** The products that can be shipped. */
export function shippable<P extends Parcel>(parcels: readonly P[]): P[] {
  return parcels.filter(({ product }) => product.is_shippable === true);
}

/** The current product of a subscription or trial; undefined when it cannot be shipped or is gone. */
export function parcelOf(scene: Scene, item: Value): Parcel[] {
  const { id, quantity } = objectUnder(item, 'product');
  const product = scene.store.get('products', String(id), scene.live)?.value;
  return product ? shippable([{ product, quantity: Number(quantity ?? 1) }]) : [];
}

/**
 * Makes a shipment (lifecycle: by a sale, a renewal or a trial expiration with a shippable product). Its charge in
 * cents is what the sale or renewal charged for shipping; 0 for a trial, whose price covers it.
 * reading: shipping-charges
 * @returns its id.
 */
export function ship(
  scene: Scene,
  facts: {
    ground: PurchaseFacts;
    parcels: readonly Parcel[];
    links: Links;
    cents: number;
    settled: boolean;
    rate?: Rate | undefined;
  },
): string {
  const id = scene.newId();
  const own = moneyItem(id, scene.now, paid(facts.cents, facts.settled), facts.links);
  const carrier = carrierOf(scene, facts.rate);
  own.status = 'notshipped';
  own.provider = carrier.provider;
  own.provider_method = carrier.method;
  own.shipping_profile = facts.rate?.profile ?? '';
  own.provider_tracking = '';
  own.tracking_number = '';
  own.fulfillment_account = accountOf(facts.parcels);
  own.products = facts.parcels.flatMap((parcel) => {
    const parts = bundleParts(scene, parcel.product, 'unbundle_at_fulfillment', { ...parcel, cents: 0 });
    return (parts.length > 0 ? parts : [parcel]).map(({ product, quantity }) => ({
      id: product.id,
      name: product.name,
      quantity,
    }));
  });
  const value = onGround(own, facts.ground);
  scene.store.insert('shipping', value, { live: scene.live, customer: String(facts.ground.customer.id) });
  return id;
}

/** The provider and method of a rate; without a rate, the service's first. */
function carrierOf(scene: Scene, rate: Rate | undefined): { readonly provider: Value | null; readonly method: string } {
  const carrier = rate?.provider
    ? scene.store.get('site_shipping_providers', rate.provider, null)
    : scene.store.all('site_shipping_providers', null)[0];
  const methods = (carrier?.value.methods ?? []) as Value[];
  const method = rate?.method ? methods.find(({ id }) => id === rate.method) : methods[0];
  return {
    provider: carrier ? { id: carrier.id, name: carrier.value.name } : null,
    method: (method?.name as string | undefined) ?? '',
  };
}

/** The account that handles a shipment (service.md#other-families): that of its first product with one. */
function accountOf(parcels: readonly Parcel[]): unknown {
  const accounts = parcels.map(
    ({ product }) => objectUnder(product, 'shipping_attributes').fulfillment_account ?? product.fulfillment_account,
  );
  return accounts.find((account) => account !== undefined && account !== null) ?? null;
}
