import { undated } from './rules/builders.js';
import { newItemHead, type Scene } from './rules/call.js';
import { refer } from './rules/item-references.js';
import { joinProjects } from './rules/projects.js';
import { PRODUCT } from './rules/shapes.js';
import type { Stored } from './store/item-store.js';
import { objectUnder, type Value } from './store/item-values.js';

/** Products that only the shop has. reading: remote-data */
const FOREIGN = [
  { id: 'SHOP-1', name: 'Shop Candle', sku: 'SHOP-CANDLE', price: 14.5 },
  { id: 'SHOP-2', name: 'Shop Lantern', sku: 'SHOP-LANTERN', price: 32 },
] as const;

/** A product as the connected shop knows it. */
export interface RemoteProduct {
  /** Kept here as `internal_id`. */
  readonly id: string;
  readonly name: string;
  readonly sku: string;
  readonly price: number;
  /** Whether the product exists here. */
  readonly exists: boolean;
}

/** The products of a shop: its own products here, and two that only the shop has until they are synchronised. */
export function remoteProducts(scene: Pick<Scene, 'store' | 'live'>, shopId: string): RemoteProduct[] {
  const own = ofShop(scene, shopId);
  const foreign = FOREIGN.map((one) => ({ ...one, exists: own.some(({ value }) => value.internal_id === one.id) }));
  const known = own
    .filter(({ value }) => !FOREIGN.some(({ id }) => id === value.internal_id))
    .map(({ value }) => ({
      id: String(value.internal_id ?? ''),
      name: String(value.name ?? ''),
      sku: String(value.sku ?? ''),
      price: Number(value.price ?? 0),
      exists: true,
    }));
  return [...known, ...foreign];
}

function ofShop({ store, live }: Pick<Scene, 'store' | 'live'>, shopId: string): Stored[] {
  return store.all('products', live).filter(({ value }) => objectUnder(value, 'third_party_shop').id === shopId);
}

/**
 * Finishes a synchronisation (published): creates missing products with the project, account and profile of the
 * request, and updates existing ones only with the values that the shop now has.
 */
export function finishSync(scene: Scene, sync: Stored): void {
  const shopId = String(objectUnder(sync.value, 'third_party_shop').id);
  const asked = scene.store.secret(`${sync.id}.sync`) ?? {};
  const own = ofShop(scene, shopId);
  let count = 0;
  for (const { id, exists: _exists, ...said } of remoteProducts(scene, shopId)) {
    const here = own.find(({ value }) => value.internal_id === id);
    const differs = here && Object.entries(said).some(([name, value]) => here.value[name] !== value);
    if (here && !differs) continue;
    count++;
    if (here) scene.store.update(here, said, scene.now);
    else makeProduct(scene, { ...said, internal_id: id, third_party_shop: sync.value.third_party_shop }, asked);
  }
  const message = `${count} ${count === 1 ? 'product was' : 'products were'} made or changed.`;
  scene.store.update(sync, { status: 'completed', num_products: count, message }, scene.now);
}

function makeProduct(scene: Scene, said: Value, asked: Value): void {
  const { store, live } = scene;
  const named = (family: string, id: unknown) =>
    typeof id === 'string' && store.get(family, id, live) ? refer(scene, family, id) : undefined;
  const account = named('fulfillment_accounts', asked.fulfillment_account);
  const project = named('projects', asked.project);
  const profile =
    typeof asked.subscription_profile === 'string'
      ? store.get('subscription_profiles', asked.subscription_profile, live)
      : undefined;
  const product = store.insert(
    'products',
    {
      ...newItemHead(scene),
      ...PRODUCT,
      ...said,
      project: project ? [project] : [],
      subscription_profile: profile ? undated(profile.value) : null,
      is_shippable: account !== undefined,
      shipping_attributes: { ...(PRODUCT.shipping_attributes as Value), fulfillment_account: account ?? null },
    },
    { live },
  );
  joinProjects(scene, product);
}
