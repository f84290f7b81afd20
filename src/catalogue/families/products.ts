import type { FamilySpec } from '../conventions.js';
import {
  anyObject,
  array,
  closedBody,
  days,
  deletePreview,
  each,
  flag,
  id,
  idFilter,
  ids,
  integer,
  metadata,
  metadataFilter,
  money,
  namedObject,
  number,
  object,
  openObject,
  share,
  shopFilter,
  text,
  unix,
  unseenBody,
} from '../fields.js';
import type { Field } from '../types.js';

/** Fields for display alone: they never change what is charged (service.md#products). */
const display = {
  google_product_category: text,
  msrp: money,
  is_price_sale: flag,
  price_sale: money,
  is_discount: flag,
  discount_rate: share,
  in_stock: flag,
  stock: integer,
  brand: text,
  material: text,
  age_group: { ...text, enum: ['adult', 'kids', 'toddler', 'infant', 'newborn'] },
  condition: { ...text, enum: ['new', 'used', 'refurbished'] },
  rating_value: { ...number, min: 0, max: 5 },
  rating_count: integer,
  ...each(text, 'upc isbn asin mpn ean'),
} as const satisfies Record<string, Field>;

/** Settings of a product that are written as they are read (service.md#products). */
const settings = {
  name: { ...text, common: true },
  description: { ...text, note: 'Short text.' },
  description_html: { ...text, note: 'Long text.' },
  enabled: { ...flag, common: true },
  sku: { ...text, common: true },
  url: { ...text, note: 'Purchase address.' },
  internal_id: { ...text, common: true, note: "The external shop's product id." },
  cost: { ...money, note: 'For profit figures.' },
  price: { ...money, common: true, beside: ['price_subscription', 'price_trial'], note: 'What is charged.' },
  price_trial: { ...money, common: true, note: 'Charged when a trial expires; the price by default.' },
  price_subscription: { ...money, common: true, note: 'Renewal price; the price by default.' },
  trial_days: days,
  trial_shipping_setting: { ...text, enum: ['trial_expiration', 'trial_creation', 'both_trial_expiration_creation'] },
  is_shippable: flag,
  ...display,
} as const satisfies Record<string, Field>;

/** Fields that reads show and that are not documented for the edit. */
const shownSettings = {
  is_bundle_product: flag,
  bundle_settings: object({
    products: array({
      ...object({ id: { ...id, required: true }, name: text, quantity: { ...integer, min: 1 }, price: money }),
      refers: ['products'],
    }),
    unbundle_method: { ...text, enum: ['unbundle_at_fulfillment', 'unbundle_at_sale'] },
  }),
  shipping_attributes: object({
    ...each(text, 'weight length width height'),
    fulfillment_account: { ...id, nullable: true },
  }),
  additional_id: array(object({ name: { ...text, required: true }, value: { ...text, required: true } })),
  product_group: ids,
  subscription_profile: { ...id, nullable: true },
  third_party_shop: id,
} as const satisfies Record<string, Field>;

const readOnly = {
  id,
  is_bundle_product: flag,
  bundle_settings: openObject({
    products: array(openObject({ id, name: text, quantity: integer, price: money })),
    unbundle_method: { ...text, enum: ['unbundle_at_fulfillment', 'unbundle_at_sale'] },
  }),
  shipping_attributes: openObject({
    weight: { ...text, note: 'Pounds.' },
    length: { ...text, note: 'Inches.' },
    width: { ...text, note: 'Inches.' },
    height: { ...text, note: 'Inches.' },
    fulfillment_account: namedObject,
  }),
  additional_id: array(openObject({ name: text, value: text })),
  product_group: ids,
  images: array(
    openObject({
      featured: flag,
      file_name: text,
      file_ext: text,
      image_width: integer,
      image_height: integer,
      mimetype: text,
      base_url: text,
      full_url: text,
    }),
  ),
  images_url: text,
  subscription_profile: anyObject,
  project: array(namedObject),
  third_party_shop: openObject({ id, name: text, third_party: namedObject }),
  metadata,
  created_date_unix: unix,
  updated_date_unix: unix,
} as const satisfies Record<string, Field>;

const imageColumns =
  'id file_name=file featured:flag mimetype=kind image_width=width image_height=height full_url=address';

export default {
  name: 'products',
  summary: 'Products: prices, trials, shipping, images, shop sync.',
  columns: 'id name sku price:money price_subscription:money price_trial:money enabled internal_id created_date_unix',
  exampleId: 'kWfxjbQvgWYQUKRf48L9',
  examplePart: 'gwL9zSkLKbzKdyHVScLo',
  nature: 'set-up',
  risk: 'money',
  keys: [
    { field: 'name', unique: false, source: 'nothing says that it is' },
    { field: 'sku', unique: false, source: 'nothing says that it is' },
    { field: 'internal_id', unique: false, source: 'nothing says that it is' },
  ],
  shape: 'spec',
  item: { ...readOnly, ...settings },
  left: {
    'images[1:]': 'further images are added with cops products images create',
    metadata: 'the service points to metadata insert, whose item types name no product',
    subscription_profile: 'no write of a product takes it',
    shipping_attributes: 'no write of a product takes them',
    additional_id: 'no write of a product takes them',
    bundle_settings: 'no write of a product takes them',
    third_party_shop: 'a product gets it from the shop it is read from',
    project: 'linked with cops projects associate-entity',
  },
  joins: { product_group: { family: 'product_groups', field: 'products' } },
  evidence: 'convention',
  operations: {
    list: {
      list: { style: 'windowed', spanDays: 90 },
      query: {
        product_type_filter: {
          type: 'string',
          many: true,
          enum: ['basic', 'subscription', 'subscription_only', 'trial', 'trial_only'],
        },
        product_group_filter: idFilter,
        shop_filter: shopFilter,
        fulfillment_account_filter: idFilter,
        subscription_profile_filter: idFilter,
        project_filter: idFilter,
        metadata_filter: metadataFilter,
      },
      example: 'products list --last 90d --product-type subscription',
      evidence: 'spec',
    },
    get: { evidence: 'published' },
    create: {
      body: closedBody({
        ...settings,
        name: { ...settings.name, asked: true },
        image_url: {
          ...text,
          unread: true,
          movesFrom: 'images.0.full_url',
          format: 'url',
          note: 'The image file itself, jpg or png; fetched and hosted by the service.',
        },
      }),
      further: { third_party_shop: id },
      checks: ['display-prices'],
      rules: [
        '`price` is what is charged; `price_trial` and `price_subscription` fall back to it.',
        'Display prices (msrp, price_sale, discount_rate) never change what is charged.',
        'The service allows duplicates: search first.',
        'Metadata is set by `metadata insert`.',
      ],
      example: 'products create --name "Coffee, 1 kg" --price 24.90 --sku COF-1000',
      evidence: 'published',
    },
    edit: {
      body: closedBody(settings),
      further: shownSettings,
      preview: {
        show: 'name=product price price_subscription=renewal_price price_trial=trial_price',
        says: ['The effect of a new price on running subscriptions is not documented.'],
      },
      checks: ['product-fields', 'display-prices'],
      rules: [
        'Only `price` is documented for the edit; the fields of the create are offered.',
        'Images and metadata are not set here.',
        'Display prices never change what is charged.',
      ],
      example: 'products edit kWfxjbQvgWYQUKRf48L9 --price 26.90',
      evidence: 'published',
    },
    enable: { operationId: '', body: unseenBody },
    disable: {
      operationId: '',
      body: unseenBody,
      rules: ['Its effect on running subscriptions is not documented.'],
    },
    delete: {
      operationId: '',
      body: unseenBody,
      preview: {
        ...deletePreview,
        show: 'name=product sku price',
      },
      rules: ['Its effect on subscriptions and bundles that use it is not documented.'],
    },
    'images list': {
      columns: imageColumns,
      list: { style: 'paged' },
      rules: ['This list is not documented; a product also shows its images.'],
      example: 'products images list kWfxjbQvgWYQUKRf48L9 --limit 50',
    },
    'images create': {
      summary: 'Add an image to a product',
      body: unseenBody,
      assumed: { image_url: { ...text, format: 'url', unread: true }, featured: flag },
      further: { full_url: { ...text, format: 'url' }, url: { ...text, format: 'url' } },
      example: 'products images create kWfxjbQvgWYQUKRf48L9 -d image_url=https://shop.example.com/coffee.png',
    },
    'images get': {
      columns: imageColumns,
      path: '/products/{product_id}/images/{product_image_id}',
    },
    'images edit': {
      path: '/products/{product_id}/images/{product_image_id}',
      body: unseenBody,
      assumed: { image_url: { ...text, format: 'url', unread: true }, featured: flag },
      example: 'products images edit kWfxjbQvgWYQUKRf48L9 gwL9zSkLKbzKdyHVScLo -d featured:=true',
    },
    'images delete': {
      path: '/products/{product_id}/images/{product_image_id}/delete',
      body: unseenBody,
      preview: {
        ...deletePreview,
        show: 'file_name=file full_url=address',
      },
    },
    search: {
      rules: [
        'Searches id, name, sku, internal id, additional ids and metadata values.',
        'At most 10 hits, without paging.',
      ],
      example: 'products search COF-1000',
      evidence: 'published',
    },
    'sync start': {
      path: '/products/sync',
      operationId: 'SyncProducts',
      summary: 'Read all products from a connected shop',
      risk: 'money',
      body: closedBody({
        third_party_shop: { ...id, required: true, common: true, note: 'User shop to read from.' },
        project: { ...id, note: 'Set on the synced products.' },
        fulfillment_account: {
          ...id,
          common: true,
          note: 'Set on new shippable products; existing ones stay as they are.',
        },
        subscription_profile: { ...id, common: true, note: 'Set on new subscription products.' },
      }),
      answerId: 'product_sync_id',
      wait: {
        read: { family: 'products', action: 'sync get' },
        idFrom: 'product_sync_id',
        field: 'status',
        done: ['completed'],
        failed: ['error'],
        limitSeconds: 3600,
      },
      rules: [
        'Creates missing products and updates changed ones.',
        'Only one sync at a time per shop.',
        'Runs in the background: follow it with `products sync get` or `--wait`.',
      ],
      example: 'products sync start --third-party-shop XoQauuefDaR2V3jjxWxT',
      evidence: 'published',
    },
    'sync get': {
      path: '/products/sync/{product_sync_id}',
      operationId: 'GetProductSync',
      summary: 'Show the progress of a product sync',
      rules: ['Ends in `completed` or `error`; `message` says more.'],
      example: 'products sync get jM6HHJrD7M6bKVVA2CGR',
      evidence: 'published',
    },
  },
} as const satisfies FamilySpec;
