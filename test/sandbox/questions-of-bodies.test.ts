/** @module-tag thorough */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GOOD, Merchant } from './merchant.js';
import type { Json } from './service.js';

/*
 * Questions about bodies and types. The answers were written from the sentences of the spec, section by section, before
 * the sandbox was asked: what a field is said to be, everything else is refused, and the refusal names the field.
 */

let m: Merchant;
beforeAll(async () => {
  m = await Merchant.open('2026-01-31T10:00:00Z');
});
afterAll(() => m.close());

const one = (family: string, fits: (item: Json) => boolean = () => true): string => m.all(family).find(fits)?.id;
const integration = (type: string) =>
  one('user_third_party_integrations', ({ site_third_party_integration: site }) => site.integration_type === type);
const carrier = async () => (await m.get('/site_shipping_providers?limit=1&page=1')).results[0];
const person = { first_name: 'Ann', last_name: 'Other', email: 'ann.other@example.com' };
const pair = { name: 'channel', value: 'web' };
const long = (length: number) => 'x'.repeat(length);

/** What is sent where, for it to be refused at a place. */
type Refused = readonly [place: string, path: () => string, body: Json | (() => Json | Promise<Json>)];

/** A path of the one item that a family has at hand. */
const at = (family: string, fits?: (item: Json) => boolean) => () => `/${family}/${one(family, fits)}`;
const to = (path: string) => () => path;
const order = (more: Json) => async () => m.order([{ id: await m.product() }], more);
const chargeback = (more: Json) => () => ({
  transaction_id: one('transactions', ({ result }) => result === 'approved'),
  ...more,
});
const fraud = (more: Json) => () => ({ source_id: one('sales', ({ status }) => status === 'paid'), ...more });
const flow = (node: Json) => ({ flow: [{ id: 'a', type: 'start_thread' }, node] });

const REFUSED: Readonly<Record<string, readonly Refused[]>> = {
  'metadata pairs: name 1 to 100, value 1 to 255 characters, both strings, both required (2.1, 8)': [
    ['metadata', to('/sales'), order({ metadata: 'web' })],
    ['metadata[0]', to('/sales'), order({ metadata: [null] })],
    ['metadata[0].value', to('/sales'), order({ metadata: [{ name: 'channel', value: 5 }] })],
    ['metadata[0].name', to('/sales'), order({ metadata: [{ name: long(101), value: 'x' }] })],
    ['metadata[0].name', to('/sales'), order({ metadata: [{ name: '', value: 'x' }] })],
    ['metadata[0].value', to('/sales/pending'), order({ metadata: [{ name: 'x', value: long(256) }] })],
    ['metadata[1].value', to('/sales/pending'), order({ metadata: [pair, { name: 'x' }] })],
    ['metadata', to('/sales/estimate'), order({ metadata: pair })],
    ['metadata[0]', to('/invoices'), order({ metadata: ['web'] })],
    ['metadata[0].name', to('/invoices'), order({ metadata: [{ name: 7, value: 'x' }] })],
    ['metadata', to('/chargebacks'), chargeback({ metadata: 'web' })],
    ['metadata[0].value', to('/chargebacks'), chargeback({ metadata: [{ name: 'x', value: '' }] })],
    ['metadata[0]', to('/fraud_detections'), fraud({ metadata: [null] })],
    [
      'metadata[0].name',
      to('/metadata'),
      () => ({ item_type: 'sale', item_id: one('sales'), metadata: [{ value: 'x' }] }),
    ],
  ],
  'a product (2.2)': [
    ['is_bundle_product', at('products'), { is_bundle_product: 'yes' }],
    ['bundle_settings', at('products'), { bundle_settings: 5 }],
    ['bundle_settings.unbundle_method', at('products'), { bundle_settings: { unbundle_method: 'later' } }],
    [
      'bundle_settings.products[0].quantity',
      at('products'),
      () => ({ bundle_settings: { products: [{ id: one('products'), quantity: 1.5 }] } }),
    ],
    [
      'bundle_settings.products[0].price',
      at('products'),
      () => ({ bundle_settings: { products: [{ id: one('products'), price: '5' }] } }),
    ],
    ['shipping_attributes.weight', at('products'), { shipping_attributes: { weight: 2 } }],
    ['additional_id[0].value', at('products'), { additional_id: [{ name: 'ean', value: 4 }] }],
    ['product_group', at('products'), { product_group: 'Mugs' }],
    ['subscription_profile', at('products'), { subscription_profile: 5 }],
    ['trial_days', to('/products'), { name: 'P', trial_days: 1.5 }],
    ['trial_shipping_setting', to('/products'), { name: 'P', trial_shipping_setting: 'at_once' }],
    ['age_group', to('/products'), { name: 'P', age_group: 'old' }],
    ['rating_value', to('/products'), { name: 'P', rating_value: 5.5 }],
    ['in_stock', to('/products'), { name: 'P', in_stock: 'many' }],
    ['price', to('/products'), { name: 'P', price: '9.99' }],
  ],
  'persons and addresses: country alpha-3, e-mail, texts (2.4, 2.5, 4.10)': [
    ['customer.country', to('/sales'), order({ customer: { ...person, country: 'US' } })],
    ['customer.email', to('/sales'), order({ customer: { ...person, email: 'ann' } })],
    ['customer.zip', to('/sales'), order({ customer: { ...person, zip: 12345 } })],
    ['customer', to('/sales'), order({ customer: 'Ann' })],
    ['ship_to.country', to('/sales'), order({ ship_to: { country: 'Germany' } })],
    ['ship_to', to('/sales/pending'), order({ ship_to: 'Ulm' })],
    ['bill_to.email', to('/sales'), order({ bill_to: { email: 'nobody' } })],
    ['ship_to.phone', to('/invoices'), order({ ship_to: { phone: 5550100 } })],
    ['ship_to.country', at('shipping'), { ship_to: { country: 'usa' } }],
    ['ship_to.email', at('subscriptions', ({ status }) => status === 'active'), { ship_to: { email: '@' } }],
    ['bill_to.country', at('customers'), { customer: { city: 'Ulm' }, bill_to: { country: 'D' } }],
    [
      'bill_to.last_name',
      to('/customers'),
      () => ({ campaign: one('campaigns'), customer: person, bill_to: { first_name: 'A', email: 'a@b.example' } }),
    ],
    [
      'customer.first_name',
      to('/customers'),
      () => ({ campaign: one('campaigns'), customer: { ...person, first_name: null } }),
    ],
    [
      'payment.credit_card.exp_month',
      to('/customers'),
      () => ({
        campaign: one('campaigns'),
        customer: person,
        payment: { credit_card: { ...m.card(), exp_month: '1' } },
      }),
    ],
  ],
  'an order and its lines (2.4)': [
    ['products[0].quantity', to('/sales'), async () => m.order([{ id: await m.product(), quantity: '2' }])],
    ['products[0].price', to('/sales'), async () => m.order([{ id: await m.product(), price: 'free' }])],
    ['products[0]', to('/sales'), () => m.order([null as unknown as Json])],
    ['products', to('/sales'), () => m.order('all' as unknown as Json[])],
    ['iso_currency', to('/sales'), order({ iso_currency: 'Euro' })],
    ['payment_type', to('/sales/pending'), order({ payment_type: 'cash' })],
    ['shipping_amount', to('/sales'), order({ shipping_amount: '4.90' })],
    ['coupon_code', to('/sales'), order({ coupon_code: 10 })],
    ['credit_card.exp_year', to('/sales'), order({ credit_card: { card_number: GOOD, exp_month: 1, exp_year: 2030 } })],
  ],
  'a shipment: the five states of section 3': [
    ['status', at('shipping'), { status: null }],
    ['status', at('shipping'), { status: 'lost' }],
    ['shipped', at('shipping'), { shipped: 'yes' }],
    ['provider', at('shipping'), { provider: 'post' }],
    ['tracking_number', at('shipping'), { tracking_number: 17 }],
  ],
  'a tax profile: campaigns by id, an integration of the type tax (2.7, 2.8)': [
    ['third_party_integration', to('/tax_profiles'), { name: 'T', third_party_integration: 5 }],
    ['third_party_integration', to('/tax_profiles'), () => ({ name: 'T', third_party_integration: integration('ai') })],
    ['third_party_integration', at('tax_profiles'), () => ({ third_party_integration: integration('ai') })],
    ['campaign_filter[0]', to('/tax_profiles'), { name: 'T', campaign_filter: [5] }],
    ['campaign_filter', to('/tax_profiles'), { name: 'T', campaign_filter: 'everywhere' }],
    ['enabled', at('tax_profiles'), { enabled: 'true' }],
  ],
  'coupons, gateways, portals, functions, assistants, wallets (2.6 to 2.10)': [
    ['max_uses', to('/coupons'), { coupon_code: 'TYPES1', max_uses: 'once' }],
    ['max_uses', to('/coupons'), { coupon_code: 'TYPES2', max_uses: 1.5 }],
    ['uses', to('/coupons'), { coupon_code: 'TYPES3', uses: 1 }],
    ['max_uses', at('coupon_profiles'), { max_uses: null }],
    ['discount_value', to('/coupons'), { coupon_code: 'TYPES4', discount_value: '10' }],
    ['processor_fee_percentage', at('user_gateways'), { processor_fee_percentage: 'lots' }],
    ['processor_fee_percentage', at('user_gateways'), { processor_fee_percentage: 101 }],
    [
      'customer_permissions.contact_modify',
      at('customer_portals'),
      { customer_permissions: { contact_modify: 'yes' } },
    ],
    ['recaptcha.secret_key', at('customer_portals'), { recaptcha: { site_key: 'k' } }],
    ['add_tracking', at('wallet_accounts'), { add_tracking: 1 }],
    ['event_source', at('functions'), { event_source: 'mail' }],
    ['ip_whitelist[0]', at('functions'), { ip_whitelist: ['10.0.0.0/8'] }],
    [
      'timing_options.time_unit',
      at('functions'),
      { timing_options: { timing: 'delay', time_unit: 'days', time_value: 1 } },
    ],
    [
      'environment_variables[0].encrypted',
      at('functions'),
      { environment_variables: [{ name: 'A', value: 'b', encrypted: 'no' }] },
    ],
    ['custom_arguments[0]', at('functions'), { custom_arguments: ['name'] }],
    [
      'settings.assistant_limits.thread_max_tokens',
      at('ai_assistants'),
      { settings: { assistant_limits: { thread_max_tokens: '5' } } },
    ],
    ['flow[1].id', at('ai_assistants'), flow({ id: long(81), type: 'action_end_thread' })],
    [
      'frequency_unit.value',
      at('subscription_profiles'),
      { frequency: 'unit', frequency_unit: { unit: 'days', value: '5' } },
    ],
    ['prefer_gateway.max', at('subscription_profiles'), { prefer_gateway: { max: 'two' } }],
    ['representment', at('chargebacks'), { representment: 'won' }],
    ['false_positive', at('fraud_detections'), { false_positive: 'yes' }],
    ['void_sale', to('/fraud_detections'), fraud({ void_sale: 'no' })],
    [
      'custom_arguments[0]',
      to('/smtp_messages'),
      () => ({ email_template_id: one('email_templates'), custom_arguments: [null] }),
    ],
    ['user_gateway', at('gateway_groups'), { user_gateway: 'all' }],
    ['idempotency_key', at('products'), { name: 'Same', idempotency_key: 12_345_678_901 }],
  ],
  'a shipping profile (4.11)': [
    ['rates[0].rate', to('/shipping_profiles'), async () => ratesWith({ rate: '5' })],
    [
      'rates[0].qualifiers.countries[0].iso_code',
      to('/shipping_profiles'),
      async () => ratesWith({}, { countries: [{ iso_code: 'DE', enabled: true }] }),
    ],
    [
      'rates[0].qualifiers.revenue_rules[0].rule',
      to('/shipping_profiles'),
      async () =>
        ratesWith({}, { revenue_rules: [{ enabled: true, source: 'total_amount', rule: 'any', rule_value: 5 }] }),
    ],
    [
      'rates[0].qualifiers.products[0].quantity_value',
      to('/shipping_profiles'),
      async () =>
        ratesWith(
          {},
          { products: [{ id: one('products'), enabled: true, quantity_rule: 'equal_to', quantity_value: 'two' }] },
        ),
    ],
  ],
};

async function ratesWith(rate: Json, qualifiers: Json = {}): Promise<Json> {
  const body = await m.ratesBody([[5, { countries: [{ iso_code: 'DEU', enabled: true }], ...qualifiers }]]);
  return { ...body, rates: [{ ...body.rates[0], ...rate }] };
}

describe.each(Object.entries(REFUSED))('%s', (_sentence, rows) => {
  it.each(rows.map((row, index) => [index + 1, ...row] as const))(
    '%i: %s is refused',
    async (_n, place, path, body) => {
      const sent = typeof body === 'function' ? await body() : body;
      const { status, body: answer } = await m.post(path(), sent);
      const inNode = answer.invalid_setting !== undefined && place.endsWith(`.${answer.invalid_setting}`);
      expect(
        { status, code: answer.code, named: inNode || String(answer.message).includes(place) },
        String(answer.message),
      ).toEqual({
        status: 400,
        code: 0,
        named: true,
      });
    },
  );
});

/** What is taken, and what a read shows of it then. */
type Taken = readonly [question: string, answer: unknown, ask: () => Promise<unknown>];

const saleWith = async (more: Json) => m.sold(more);
const answers = async (path: string, body?: Json) =>
  body ? (await m.post(path, body)).status : (await m.service.send('GET', path)).status;
const DATES = () => `date_start=${m.now - 86_400}&date_end=${m.now}&limit=5&page=1`;

const TAKEN: readonly Taken[] = [
  [
    'metadata of 100 and 255 characters on a sale?',
    { name: long(100), value: long(255) },
    async () => (await saleWith({ metadata: [{ name: long(100), value: long(255) }] })).metadata[0],
  ],
  [
    'a second insert after the metadata of a sale was given?',
    [pair, { name: 'second', value: 'b' }],
    async () => {
      const { id } = await saleWith({ metadata: [pair] });
      await m.done('/metadata', { item_type: 'sale', item_id: id, metadata: [{ name: 'second', value: 'b' }] });
      return (await m.get(`/sales/${id}`)).metadata;
    },
  ],
  [
    'an insert after a text was refused as metadata?',
    200,
    async () => {
      const { id } = await saleWith({});
      await m.post('/sales', await order({ metadata: 'text' })());
      return answers('/metadata', { item_type: 'sale', item_id: id, metadata: [pair] });
    },
  ],
  ['a ship_to in Germany?', 'DEU', async () => (await saleWith({ ship_to: { country: 'DEU' } })).ship_to.country],
  [
    'the options of an integration: one value or several, always read as a list (2.7)',
    [['1'], ['1', '2']],
    async () => {
      const path = at('user_third_party_integrations')();
      const saved = async (value: string | string[]) => {
        await m.done(path, { third_party_options: [{ id: 'o', fields: [{ id: 'f', value }] }] });
        return (await m.get(path)).third_party_options_saved[0].fields[0].value;
      };
      return [await saved('1'), await saved(['1', '2'])];
    },
  ],
  [
    'a tax profile of an integration of type tax, and without one?',
    [200, 200],
    async () => {
      const path = at('tax_profiles')();
      return [
        await answers(path, { third_party_integration: integration('tax') }),
        await answers(path, { third_party_integration: null }),
      ];
    },
  ],
  [
    'a product taken out of its subscription profile with null and with an empty text?',
    [200, 200],
    async () => {
      const path = `/products/${await m.product({})}`;
      return [await answers(path, { subscription_profile: null }), await answers(path, { subscription_profile: '' })];
    },
  ],
  [
    'a bundle of two products?',
    { quantity: 2, method: 'unbundle_at_sale' },
    async () => {
      const path = `/products/${await m.product({})}`;
      const products = [{ id: one('products'), quantity: 2, price: 4 }];
      await m.done(path, {
        is_bundle_product: true,
        bundle_settings: { products, unbundle_method: 'unbundle_at_sale' },
      });
      const { bundle_settings: read } = await m.get(path);
      return { quantity: read.products[0].quantity, method: read.unbundle_method };
    },
  ],
  [
    'a shipment by its carrier and method?',
    200,
    async () => {
      const { id, methods } = await carrier();
      return answers(at('shipping')(), { provider: id, provider_method: methods[0].id, tracking_number: '1Z' });
    },
  ],
  [
    'product lists by a group that is no id (4.3: each element a 20-char ID)?',
    [400, 400, 400, 400],
    async () =>
      Promise.all(
        ['product_group', 'fulfillment_account', 'subscription_profile', 'project'].map((name) =>
          answers(`/products?${DATES()}&${name}_filter=Mugs`),
        ),
      ),
  ],
  [
    'product lists by an id that names nothing, and by two?',
    [200, 200],
    async () => [
      await answers(`/products?${DATES()}&project_filter=${'A'.repeat(20)}`),
      await answers(`/products?${DATES()}&project_filter=${'A'.repeat(20)}&project_filter=${'B'.repeat(20)}`),
    ],
  ],
  [
    'sales by a campaign that is no id, by a currency that is none, by USD (4.9)?',
    [400, 400, 200],
    async () => [
      await answers(`/sales?${DATES()}&campaign_filter=Main`),
      await answers(`/sales?${DATES()}&currency_filter=dollars`),
      await answers(`/sales?${DATES()}&currency_filter=USD`),
    ],
  ],
];

describe('what is taken', () => {
  it.each(TAKEN)('%s', async (_question, answer, find) => {
    expect(await find()).toEqual(answer);
  });
});
