import type { Answer, Call, Rules } from '../call.js';
import { create, done, edit, required, requireItem } from '../generic.js';
import { refer } from '../references.js';
import { invalid, notFound } from '../refusal.js';
import type { Stored } from '../store.js';
import type { Value } from '../text.js';
import { checkTransition } from '../transitions.js';

/** Products with their images, groups and synchronisation; shipments and their profiles; projects. */
export const PRODUCT_RULES: Rules = {
  'POST /products': (call) => {
    const { image_url: image, subscription_profile: profileId, ...rest } = call.body;
    checkTrialDays(call.body);
    const item = create({ ...call, body: rest }, profileExtra(call, profileId), READ_DEFAULTS);
    if (typeof image === 'string') addImage(call, item, { full_url: image });
    return done(call, item.id);
  },

  'POST /products/{}': (call) => {
    const { subscription_profile: profileId, ...rest } = call.body;
    const item = required(call);
    checkTrialDays(call.body);
    return done(call, edit({ ...call, body: rest }, item, profileExtra(call, profileId)).id);
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
    showImages(call, call.ids[0] as string);
    return { product_id: call.ids[0], product_image_id: image.id, result: 'success' };
  },
  'POST /products/{}/images/{}/delete': (call) => {
    const image = imageOf(call);
    call.store.remove(image);
    showImages(call, call.ids[0] as string);
    return { product_id: call.ids[0], product_image_id: image.id, result: 'success' };
  },

  'POST /products/sync': (call) => {
    const shop = refer(call, 'user_shops', String(call.body.third_party_shop));
    for (const { value } of call.store.scan('product_syncs', call.live)) {
      if (
        ['pending', 'processing'].includes(String(value.status)) &&
        (value.third_party_shop as Value).id === shop.id
      ) {
        throw invalid('A synchronisation of this shop is already running.');
      }
    }
    const id = call.newId();
    call.store.insert(
      'product_syncs',
      {
        id,
        created_date_unix: call.now,
        updated_date_unix: call.now,
        status: 'pending',
        message: '',
        third_party_shop: shop,
      },
      { live: call.live },
    );
    call.store.schedule('finish_sync', id, call.now + 60);
    return { product_sync_id: id, result: 'success' };
  },

  'POST /shipping/{}': (call) => {
    const item = required(call);
    const { status } = call.body;
    if (status !== undefined && status !== item.value.status) checkShipment(item.value.status, status);
    return done(call, edit(call, item).id);
  },
  'POST /shipping_profiles': (call) => {
    checkRates(call.body.rates ?? []);
    return done(call, create(call).id);
  },
  'POST /shipping_profiles/{}': (call) => {
    const item = required(call);
    if (call.body.rates !== undefined) checkRates(call.body.rates);
    return done(call, edit(call, item).id);
  },

  'POST /projects/{}/associate_entity': (call) => {
    const item = required(call);
    const entry = { entity_type: call.body.entity_type, entity_id: call.body.entity_id };
    const entities = ((item.value.entities as Value[]) ?? []).filter((one) => one.entity_id !== entry.entity_id);
    call.store.update(item, { entities: [...entities, entry] }, call.now);
    return done(call, item.id);
  },
  'POST /projects/{}/disassociate_entity': (call) => {
    const item = required(call);
    const before = (item.value.entities as Value[]) ?? [];
    const entities = before.filter((one) => one.entity_id !== call.body.entity_id);
    if (entities.length === before.length) throw invalid('The entity is not associated with this project.');
    call.store.update(item, { entities }, call.now);
    return done(call, item.id);
  },
  'POST /project_notes': (call) => {
    refer(call, 'projects', String(call.body.project_id));
    return done(call, create(call).id);
  },
};

/** What a product has where a body said nothing, so that every read shows the shape of spec 2.2. */
const READ_DEFAULTS: Value = {
  internal_id: '',
  name: '',
  description: '',
  description_html: '',
  sku: '',
  url: '',
  enabled: true,
  cost: 0,
  price: 0,
  trial_days: 0,
  trial_shipping_setting: 'trial_expiration',
  is_bundle_product: false,
  bundle_settings: { products: [], unbundle_method: 'unbundle_at_fulfillment' },
  is_shippable: false,
  shipping_attributes: { weight: '', length: '', width: '', height: '', fulfillment_account: null },
  additional_id: [],
  product_group: [],
  images: [],
  images_url: 'https://images.example.com/',
  subscription_profile: null,
  project: [],
  third_party_shop: null,
  metadata: [],
};

/** The longest trial is ours: its end must stay a moment that calendars know. */
function checkTrialDays(body: Value): void {
  const days = body.trial_days;
  if (typeof days === 'number' && (days < 0 || days > 3650)) throw invalid('trial_days must be from 0 to 3650.');
}

function profileExtra(call: Call, profileId: unknown): Value {
  if (typeof profileId !== 'string' || profileId === '') return {};
  const { id } = refer(call, 'subscription_profiles', profileId);
  return { subscription_profile: call.store.get('subscription_profiles', id, call.live)?.value };
}

function addImage(call: Call, product: Stored, body: Value): string {
  const id = call.newId();
  const url = String(body.full_url ?? body.image_url ?? body.url ?? 'https://images.example.com/image.png');
  const name = url.split('/').at(-1) ?? 'image.png';
  const ext = name.includes('.') ? (name.split('.').at(-1) as string) : 'png';
  const value: Value = {
    id,
    created_date_unix: call.now,
    updated_date_unix: call.now,
    product_id: product.id,
    featured: body.featured === true,
    file_name: name,
    file_ext: ext,
    image_width: 800,
    image_height: 800,
    mimetype: `image/${ext}`,
    base_url: url.slice(0, -name.length),
    full_url: url,
  };
  call.store.insert('product_images', value, { live: call.live });
  showImages(call, product.id);
  return id;
}

function showImages(call: Call, productId: string): void {
  const product = requireItem(call, 'products', productId);
  const images = call.store.all('product_images', call.live).filter(({ value }) => value.product_id === productId);
  const shown = images.map(({ value }) => {
    const { product_id: _product, created_date_unix: _created, updated_date_unix: _updated, ...rest } = value;
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

const SHIPMENT_STATES = ['notshipped', 'shipped', 'delivered', 'merged', 'error'];

function checkShipment(from: unknown, to: unknown): void {
  if (!SHIPMENT_STATES.includes(String(to))) throw invalid(`status must be one of ${SHIPMENT_STATES.join(', ')}.`);
  checkTransition('shipping', from, 'edit', String(to));
}

/** Spec 4.11: at least one rate, and in each at least one enabled qualifier. */
function checkRates(rates: unknown): Answer {
  if (!Array.isArray(rates) || rates.length === 0) throw invalid('rates must hold at least one rate.');
  for (const [index, rate] of (rates as Value[]).entries()) {
    const lists = Object.values((rate.qualifiers ?? {}) as Record<string, unknown>).filter(Array.isArray) as Value[][];
    if (!lists.some((list) => list.some((one) => one.enabled === true))) {
      throw invalid(`rates[${index}] needs at least one enabled qualifier.`);
    }
  }
  return {};
}
