import type { Stored } from '../store/item-store.js';
import { idsUnder, objectUnder, type Value } from '../store/item-values.js';
import { undated } from './builders.js';
import { type Call, newItemHead, type Rules } from './call.js';
import { create, done, edit, required, requireItem } from './generic.js';
import { refer } from './item-references.js';
import { joinGroups } from './product-groups.js';
import { joinProjects } from './projects.js';
import { invalid, notFound } from './refusals.js';
import { imageAt, PRODUCT } from './shapes.js';

/** Rules for products, their images and their synchronisation. */
export const PRODUCT_RULES: Rules = {
  'POST /products': (call) => {
    checkTrialDays(call.body);
    const { body, image } = readProduct(call);
    const item = create({ ...call, body }, profileExtra(call), PRODUCT);
    if (typeof image === 'string') addImage(call, item, { full_url: image });
    joinGroups(call, item.id, [], groupsOf(item));
    joinProjects(call, item);
    return done(call, item.id);
  },

  'POST /products/{}': (call) => {
    const item = required(call);
    checkTrialDays(call.body);
    const { body, image } = readProduct(call);
    const after = edit({ ...call, body }, item, profileExtra(call));
    if (typeof image === 'string') addImage(call, after, { full_url: image });
    if (call.body.product_group !== undefined) joinGroups(call, item.id, groupsOf(item), groupsOf(after));
    if (call.body.project !== undefined) joinProjects(call, after);
  },

  'POST /products/{}/delete': (call) => {
    const item = required(call);
    joinGroups(call, item.id, groupsOf(item), []);
    call.store.remove(item);
  },

  'POST /products/{}/images': (call) => {
    const product = requireItem(call, 'products', call.ids[0] as string);
    const { idempotency_key: _, ...body } = call.body;
    const id = addImage(call, product, body);
    return { product_id: product.id, product_image_id: id, result: 'success' };
  },
  'GET /products/{}/images/{}': (call) => call.store.text('product_images', imageOf(call).id, call.live) as string,
  'POST /products/{}/images/{}': (call) => {
    const image = edit(call, imageOf(call));
    return imageAnswer(call, image.id);
  },
  'POST /products/{}/images/{}/delete': (call) => {
    const image = imageOf(call);
    call.store.remove(image);
    return imageAnswer(call, image.id);
  },

  'POST /products/sync': (call) => {
    const shop = refer(call, 'user_shops', String(call.body.third_party_shop));
    const running = call.store
      .all('product_syncs', call.live)
      .filter(({ value }) => ['pending', 'processing'].includes(String(value.status)));
    if (running.some(({ value }) => objectUnder(value, 'third_party_shop').id === shop.id))
      throw invalid('A synchronisation of this shop is already running.');
    const sync = { ...newItemHead(call), status: 'pending', num_products: 0, message: '', third_party_shop: shop };
    call.store.insert('product_syncs', sync, { live: call.live });
    const { project, fulfillment_account, subscription_profile } = call.body;
    call.store.keepSecret(`${sync.id}.sync`, { project, fulfillment_account, subscription_profile });
    call.store.schedule('begin_sync', sync.id, call.now + 20);
    call.store.schedule('finish_sync', sync.id, call.now + 60);
    return { product_sync_id: sync.id, result: 'success' };
  },
};

/** The longest trial: its end must be a date that calendars support. reading: longest-trial */
function checkTrialDays(body: Value): void {
  const days = body.trial_days;
  if (typeof days === 'number' && (days < 0 || days > 3650)) throw invalid('trial_days must be from 0 to 3650.');
}

function groupsOf(product: Stored): string[] {
  return idsUnder(product.value, 'product_group');
}

/** A product's body as reads show it: the products of a bundle with their names, and the account that ships it. */
function readProduct(call: Call): { body: Value; image: unknown } {
  const { image_url: image, subscription_profile: _profile, ...body } = call.body;
  const attributes = body.shipping_attributes as Value | undefined;
  if (typeof attributes?.fulfillment_account === 'string' && attributes.fulfillment_account !== '') {
    const account = refer(call, 'fulfillment_accounts', attributes.fulfillment_account);
    body.shipping_attributes = { ...attributes, fulfillment_account: account };
  }
  const bundle = body.bundle_settings as Value | undefined;
  if (Array.isArray(bundle?.products)) {
    const products = (bundle.products as Value[]).map((one) => {
      const { value } = requireItem(call, 'products', String(one.id));
      return { id: one.id, name: value.name, quantity: one.quantity ?? 1, price: one.price ?? value.price };
    });
    body.bundle_settings = { ...bundle, products };
  }
  return { body, image };
}

function profileExtra(call: Call): Value {
  const profileId = call.body.subscription_profile;
  if (profileId === null || profileId === '') return { subscription_profile: null };
  if (typeof profileId !== 'string') return {};
  const { id } = refer(call, 'subscription_profiles', profileId);
  return { subscription_profile: undated(requireItem(call, 'subscription_profiles', id).value) };
}

function addImage(call: Call, product: Stored, body: Value): string {
  const url = String(body.full_url ?? body.image_url ?? body.url ?? 'https://images.example.com/image.png');
  const value = { ...newItemHead(call), product_id: product.id, ...imageAt(url, body.featured === true) };
  call.store.insert('product_images', value, { live: call.live, customer: product.id });
  showImages(call, product.id);
  return value.id;
}

/** Answers a change of an image, after updating its product. */
function imageAnswer(call: Call, id: string): Value {
  showImages(call, call.ids[0] as string);
  return { product_id: call.ids[0], product_image_id: id, result: 'success' };
}

function showImages(call: Call, productId: string): void {
  const product = requireItem(call, 'products', productId);
  const images = call.store.ofCustomer('product_images', productId, call.live);
  const shown = images.map(({ value }) => {
    const { product_id: _product, ...rest } = undated(value);
    return rest;
  });
  call.store.update(product, { images: shown }, call.now);
}

function imageOf(call: Call): Stored {
  const image = requireItem(call, 'product_images', call.ids[1] as string);
  if (image.value.product_id !== call.ids[0])
    throw notFound(`Product image ${image.id} does not exist for this product.`);
  return image;
}
