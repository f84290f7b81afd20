import { DAY } from '../../base/time/units.js';
import { CREATE_DEFAULTS, PRODUCT, SENTINEL, SUBSCRIPTION_PROFILE } from '../rules/shapes.js';
import type { Value } from '../store/item-values.js';
import { Chance } from '../store/prng.js';
import { PRODUCTS } from './seed-words.js';
import type { SeedWriter } from './seed-writer.js';

/** The set-up of an account that purchases refer to. */
export type AccountData = ReturnType<typeof seedAccount>;

/** The shared tools of every seeding step. */
export interface SeedScene {
  readonly writer: SeedWriter;
  readonly chance: Chance;
  /** Start of the day of the reset (UTC), unix seconds. */
  readonly day: number;
  /** Whether refunds leave transactions of their own. */
  readonly refunds?: boolean;
  /** Whether there is what only larger accounts have enough of: sales of several lines, lost shipments, blocked buyers. */
  readonly isVaried?: boolean;
}

/** The first fields of most items. */
export function seededHead(scene: SeedScene, daysAgo: number, more: Value = {}): Value {
  const created = scene.day - daysAgo * DAY - scene.chance.int(DAY);
  return { id: scene.chance.id(), created_date_unix: created, updated_date_unix: created, ...more };
}

/** The first fields of nearly all set-up objects. */
export function usual(name: string, description = ''): Value {
  return { name, description, enabled: true };
}

/** Adds an item created the given number of days ago, and returns it. */
export type Put = (family: string, daysAgo: number, value: Value, id?: string) => Value;

/** Adds items to one mode, or to both. */
export function putting(scene: SeedScene, live: boolean | null): Put {
  return (family, daysAgo, value, id) => {
    const item = seededHead(scene, daysAgo, value);
    scene.writer.add(family, live, item, { id });
    return item;
  };
}

export function idAndName(item: Value): { id: string; name: string } {
  return { id: String(item.id), name: String(item.name) };
}

/** Nodes of a flow in sequence, each leading to the next. */
export function inLine(nodes: readonly Value[]): Value[] {
  return nodes.map((node, index) => {
    const [before, after] = [nodes[index - 1], nodes[index + 1]];
    return {
      ...node,
      inputs: before ? { input_1: { connections: [{ node: before.id, input: 'output_1' }] } } : {},
      outputs: after ? { output_1: { connections: [{ node: after.id, output: 'input_1' }] } } : {},
    };
  });
}

/** A working payment flow (published nodes): chooses among these gateways in order, then charges. */
export function flowOver(gateways: readonly Value[]): Value[] {
  const choice = { user_gateway: gateways.map(({ id }) => id) };
  return inLine([
    { id: 'start', type: 'start_payment_request', content: '', settings: {} },
    { id: 'choose', type: 'action_choose_gateway', content: '', settings: choice },
    { id: 'charge', type: 'action_process_payment', content: '', settings: {} },
  ]);
}

/** A shipping rate for any order, with a method of the first carrier. */
export function rateOf(carriers: readonly Value[], method: number, rate: number, qualifiers: Value = {}): Value {
  const carrier = carriers[0] as Value;
  return {
    rate,
    provider: carrier.id,
    provider_method: (carrier.methods as Value[])[method]?.id,
    qualifiers: {
      products: [],
      product_groups: [],
      countries: [],
      revenue_rules: [{ enabled: true, source: 'total_amount', rule: 'greater_than_equal_to', rule_value: 0 }],
      ...qualifiers,
    },
  };
}

/** A gateway of the merchant on one of the site's gateways. */
export function gatewayAt(site: Value, own: Value, fee: number): Value {
  const more = { site_gateway: idAndName(site), iso_currency: ['USD'], processor_fee_percentage: fee };
  return { ...CREATE_DEFAULTS.user_gateways, ...own, ...more };
}

/** A shop of the merchant on one of the site's platforms. */
export function shopAt(site: Value, own: Value, url: string, paymentProfile: Value): Value {
  return { ...CREATE_DEFAULTS.user_shops, ...own, site_shop: idAndName(site), url, payment_profile: paymentProfile.id };
}

/** Seeds what the API cannot create. */
export function seedCampaigns(scene: SeedScene, live: boolean): Value[] {
  const put = putting(scene, live);
  return ['Default', 'Spring Newsletter', 'Affiliates'].map((name) =>
    put('campaigns', 450, usual(name, `${name} campaign`)),
  );
}

/** Seeds the sentinel's settings: one object without an id. */
export function seedSentinel(scene: SeedScene, live: boolean): void {
  const { updated_date_unix } = seededHead(scene, 420);
  scene.writer.add('sentinel', live, { ...SENTINEL, updated_date_unix }, { id: 'sentinel' });
}

/** Seeds campaigns, gateways, profiles and products of one mode. */
export function seedAccount(
  scene: SeedScene,
  live: boolean,
  site: { carriers: readonly Value[]; gateway: Value; shop: Value; center: Value },
) {
  const { carriers } = site;
  const put = putting(scene, live);
  const campaigns = seedCampaigns(scene, live);
  const credentials = live ? 'Live credentials' : 'Test credentials';
  const gateways = ['Main gateway', 'Backup gateway'].map((name) =>
    put('user_gateways', 449, gatewayAt(site.gateway, usual(name, credentials), 2.9)),
  );
  put('gateway_groups', 448, { ...usual('All gateways'), user_gateway: gateways.map(idAndName) });
  const paymentProfile = put('payment_profiles', 447, {
    ...usual('Standard routing', 'Main gateway first'),
    payment_flow: flowOver(gateways),
  });
  const address = 'https://shop.example.com';
  const shop = put('user_shops', 446, shopAt(site.shop, usual('Corner Shop'), address, paymentProfile));
  const shippingProfile = put('shipping_profiles', 445, { ...usual('Flat rate'), rates: [rateOf(carriers, 0, 4.95)] });
  const fulfillment = put('fulfillment_accounts', 445, {
    ...usual('Warehouse'),
    fulfillment_center: idAndName(site.center),
    cancel_on_void: true,
  });
  const profiles = [
    { name: 'Monthly', unit_value: 1, unit: 'months' },
    { name: 'Weekly', unit_value: 1, unit: 'weeks' },
    { name: 'Quarterly', unit_value: 3, unit: 'months' },
    { name: 'Monthly, six times', unit_value: 1, unit: 'months', occurrences: 6 },
  ].map(({ name, unit_value, unit, occurrences }) =>
    put('subscription_profiles', 444, {
      ...usual(name),
      ...SUBSCRIPTION_PROFILE,
      frequency_unit: { unit_value, unit },
      occurrences: occurrences ? 'specific' : 'indefinite',
      occurrences_value: occurrences,
      shipping_profile: occurrences ? shippingProfile.id : '',
      payment_profile: paymentProfile.id,
    }),
  );
  const groups = ['Drinks', 'Media', 'Goods'].map((name) =>
    seededHead(scene, 443, { ...usual(name), products: [] as string[] }),
  );
  const products = PRODUCTS.map((product, index) => {
    const profile = product.profile < 0 ? undefined : profiles[product.profile];
    const group = groups[product.ships ? (product.profile < 0 ? 2 : 0) : 1] as Value;
    const value = put('products', 430 - index * 40, {
      ...PRODUCT,
      internal_id: `P-${100 + index}`,
      name: product.name,
      description: `${product.name} for every day`,
      description_html: `<p>${product.name} for every day</p>`,
      sku: `SKU-${1000 + index}`,
      url: `https://shop.example.com/p/${index + 1}`,
      cost: Math.round(product.price * 0.4) / 100,
      price: product.price / 100,
      price_subscription: (profile ? product.renewal : product.price) / 100,
      price_trial: product.price / 100,
      trial_days: product.trial,
      is_shippable: product.ships,
      shipping_attributes: {
        weight: '1.2',
        length: '8',
        width: '6',
        height: '4',
        fulfillment_account: product.ships ? idAndName(fulfillment) : null,
      },
      product_group: [group.id],
      subscription_profile: profile ?? null,
      third_party_shop: { ...idAndName(shop), third_party: idAndName(site.shop) },
      metadata: index % 3 === 0 ? [{ name: 'season', value: 'all' }] : [],
    });
    (group.products as string[]).push(String(value.id));
    return value;
  });
  for (const group of groups) scene.writer.add('product_groups', live, group);
  const customerGroups = ['Regulars', 'Wholesale'].map((name) =>
    put('customer_groups', 440, { ...usual(name), qualifier_method: 'manual', qualifiers: [] }),
  );
  const taxProfile = put('tax_profiles', 440, {
    ...usual('Sales tax'),
    campaign_filter: [],
    third_party_integration: null,
  });
  return {
    live,
    campaigns: campaigns.map(idAndName),
    gateway: idAndName(gateways[0] as Value),
    products,
    shop: idAndName(shop),
    carriers,
    fulfillment: idAndName(fulfillment),
    paymentProfile: String(paymentProfile.id),
    customerGroups: customerGroups.map((group) => String(group.id)),
    taxProfile: idAndName(taxProfile),
    /** The ids that coupons get; they are made when their uses are known. */
    coupons: {
      SAVE10: new Chance(`SAVE10 ${paymentProfile.id}`).id(),
      FIVEOFF: new Chance(`FIVEOFF ${paymentProfile.id}`).id(),
    },
  };
}
