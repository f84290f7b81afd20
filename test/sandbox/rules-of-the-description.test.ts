/** @module-tag thorough */
import { describe } from 'vitest';
import { describeSandbox } from '../../src/sandbox/serve/description.js';
import { ask, DECLINED, dayOf, type Merchant, pick, type Question } from './merchant.js';
import type { Json } from './service.js';

/* Single rules of the published description that the sandbox had wrong, each a question of a sandbox of its own. */

const FRAUD = '4100000000000019';
const names = async (m: Merchant): Promise<string[]> =>
  (await m.get('/metadata?limit=25&page=1')).results.map(({ name }: Json) => name);
const wallet = { payment_type: 'wallet', credit_card: undefined, wallet_transaction_id: 'W-1' };
const confirming = (m: Merchant) =>
  m.made('/wallet_accounts', { name: m.name(), campaign: m.all('campaigns')[0]?.id, transaction_confirmation: true });

const PAYMENTS: Question[] = [
  [
    'transaction_confirmation: a sale by wallet at once, after 1 hour, after 4 hours (2.8)',
    [
      { status: 'pending', amount_captured: 0 },
      { status: 'pending', amount_captured: 0 },
      { status: 'paid', amount_captured: 20 },
    ],
    async (m) => {
      await confirming(m);
      const { id } = await m.sold(wallet);
      const state = async () => pick(await m.get(`/sales/${id}`), 'status', 'amount_captured');
      const found = [await state()];
      for (const hours of [1, 3]) {
        await m.pass(hours / 24);
        found.push(await state());
      }
      return found;
    },
  ],
  [
    'a wallet sale that is void before it is confirmed: states after 4 hours, and may it be processed before?',
    [400, 'cancelled', 'cancelled', 0],
    async (m) => {
      await confirming(m);
      const { id } = await m.sold(wallet);
      const process = await m.status(`POST /sales/pending/${id}/process`, m.order([{ id: await m.product() }]));
      await m.done(`/sales/${id}/void`);
      await m.pass(4 / 24);
      const sale = await m.get(`/sales/${id}`);
      const { status } = await m.get(`/wallet_transactions/${sale.wallet_transactions[0]}`);
      return [process, sale.status, status, sale.amount_captured];
    },
  ],
  [
    'what a transaction of a discounted sale, and of a discounted renewal, shows as its original',
    [
      { amount_original_total: 20, amount_total: 15, amount_captured: 15 },
      { amount_original_total: 20, amount_total: 15, amount_captured: 15 },
    ],
    async (m) => {
      const sale = await m.sold({ discount_amount: 5 });
      const id = await m.subscribed();
      const coupon = await m.made('/coupons', { coupon_code: 'FIVE', discount_type: 'amount', discount_value: 5 });
      await m.done(`/subscriptions/${id}`, { coupon: [coupon] });
      const renewal = await m.renewed(id);
      const shown = async ({ transactions }: Json) =>
        pick(
          await m.get(`/transactions/${transactions[0]}`),
          'amount_original_total',
          'amount_total',
          'amount_captured',
        );
      return [await shown(sale), await shown(renewal)];
    },
  ],
  [
    'after fraud: another customer from the same address, from another one, and when it was a false positive (7.2)',
    [402, 200, 200],
    async (m) => {
      const buy = async (ip_address: string, number?: string) =>
        m.post('/sales', m.order([{ id: await m.product() }], { ip_address, credit_card: m.card(number) }));
      const { body } = await buy('192.0.2.7', FRAUD);
      const same = (await buy('192.0.2.7')).status;
      const other = (await buy('192.0.2.8')).status;
      await m.done(`/fraud_detections/${body.fraud_detection_created[0]}`, { false_positive: true });
      return [same, other, (await buy('192.0.2.7')).status];
    },
  ],
  [
    'a disabled customer: sale, pending sale, renewal, and what they leave',
    { says: [400, 400, 400], transactions: 0, status: 'active' },
    async (m) => {
      const id = await m.subscribed();
      const { customer } = await m.subscription(id);
      await m.done(`/customers/${customer.id}/disable`);
      const before = m.all('transactions').length;
      const body = m.order([{ id: await m.product() }], { customer_id: customer.id, customer: undefined });
      const says = [];
      for (const path of ['/sales', '/sales/pending']) says.push(await m.status(`POST ${path}`, body));
      says.push(await m.status(`POST /subscriptions/${id}/renew`));
      const { status } = await m.subscription(id);
      return { says, transactions: m.all('transactions').length - before, status };
    },
  ],
  [
    'what falls due while a customer is disabled, and when it is enabled again',
    [0, 1],
    async (m) => {
      const id = await m.subscribed();
      const { customer } = await m.subscription(id);
      await m.done(`/customers/${customer.id}/disable`);
      await m.pass(35);
      const count = async () => (await m.subscription(id)).subscription_renewals.length;
      const meanwhile = await count();
      await m.done(`/customers/${customer.id}/enable`);
      await m.pass(0.01);
      return [meanwhile, await count()];
    },
  ],
  [
    'a renewal without any card: the gateway that its transaction names',
    '',
    async (m) => {
      const id = await m.subscribed();
      const { customer } = await m.subscription(id);
      const path = `/customers/${customer.id}/payment_methods`;
      const { results } = await m.get(path);
      await m.done(`${path}/${results[0].id}/delete`);
      await m.post(`/subscriptions/${id}/renew`);
      return m.all('transactions').at(-1)?.gateway_id;
    },
  ],
  [
    'a bundle of 30.00 that is unbundled at the sale: its lines, and what is paid (2.2)',
    {
      lines: [
        [2, 20],
        [1, 10],
      ],
      paid: 30,
    },
    async (m) => {
      const [one, other] = [await m.product({ price: 10 }), await m.product({ price: 10 })];
      const products = [
        { id: one, quantity: 2, price: 10 },
        { id: other, quantity: 1, price: 10 },
      ];
      const bundle_settings = { products, unbundle_method: 'unbundle_at_sale' };
      const id = await m.product({ price: 30, is_bundle_product: true, bundle_settings });
      const sale = await m.sold({}, [{ id }]);
      const lines = await Promise.all(sale.product_sales.map((line: string) => m.get(`/product_sales/${line}`)));
      return { lines: lines.map((line) => [line.product.quantity, line.amount_total]), paid: sale.amount_captured };
    },
  ],
  [
    'a bundle that costs more than its products: do its lines add up?',
    [3333, 3333],
    async (m) => {
      const products = [
        { id: await m.product({ price: 1 }), quantity: 1, price: 1 },
        { id: await m.product({ price: 2 }), quantity: 1, price: 2 },
      ];
      const bundle_settings = { products, unbundle_method: 'unbundle_at_sale' };
      const id = await m.product({ price: 33.33, is_bundle_product: true, bundle_settings });
      const sale = await m.sold({}, [{ id }]);
      const lines = await Promise.all(sale.product_sales.map((line: string) => m.get(`/product_sales/${line}`)));
      const sum = lines.reduce((total, line) => total + Math.round(line.amount_total * 100), 0);
      return [sum, Math.round(sale.amount_captured * 100)];
    },
  ],
  [
    'the products of the shipment of a bundle that is unbundled at fulfillment',
    [2, 1],
    async (m) => {
      const products = [
        { id: await m.product(), quantity: 2, price: 5 },
        { id: await m.product(), quantity: 1, price: 5 },
      ];
      const bundle_settings = { products, unbundle_method: 'unbundle_at_fulfillment' };
      const id = await m.product({ is_shippable: true, is_bundle_product: true, bundle_settings });
      const { shipping } = await m.sold({}, [{ id }]);
      return (await m.get(`/shipping/${shipping[0]}`)).products.map(({ quantity }: Json) => quantity);
    },
  ],
  [
    'a trial that is expired four days after it began: the first renewal of its subscription',
    '2026-03-04',
    async (m) => {
      const { trial, subscription } = await m.tried();
      await m.pass(4);
      await m.done(`/trials/${trial}/expire`);
      return dayOf((await m.subscription(subscription)).billing.next_renewal_date_unix);
    },
  ],
];

const DATA: Question[] = [
  [
    'metadata of a new sale and of a new customer: are their names listed? (2.8)',
    [true, true],
    async (m) => {
      await m.sold({ metadata: [{ name: 'of-a-sale', value: 'x' }] });
      const customer = { first_name: 'A', last_name: 'B', email: 'meta@example.com' };
      const metadata = [{ name: 'of-a-customer', value: 'x' }];
      await m.done('/customers', { campaign: m.all('campaigns')[0]?.id, customer, metadata });
      const known = await names(m);
      return ['of-a-sale', 'of-a-customer'].map((name) => known.includes(name));
    },
  ],
  [
    'sales_count of a customer after two sales and a declined one; what was bought',
    [2, 2],
    async (m) => {
      const customer = { first_name: 'A', last_name: 'B', email: 'count@example.com', country: 'USA' };
      const { customer: buyer } = await m.sold({ customer });
      await m.sold({ customer });
      await m.post('/sales', m.order([{ id: await m.product() }], { customer, credit_card: m.card(DECLINED) }));
      const { sales_count: count, products_bought: bought } = await m.get(`/customers/${buyer.id}`);
      return [count, bought.length];
    },
  ],
  [
    'a thread after 59 and after 61 days (published: kept 60 days)',
    [200, 404],
    async (m) => {
      const assistant = m
        .all('ai_assistants')
        .find(({ settings }) => settings.trigger_settings.trigger === 'on_demand');
      const { ai_thread_id: id } = await m.done(`/ai_assistants/${assistant?.id}/trigger`);
      const found = [];
      for (const days of [59, 2]) {
        await m.pass(days);
        found.push(await m.status(`GET /ai_threads/${id}`));
      }
      return found;
    },
  ],
  [
    'the messages of threads: their properties',
    [['content', 'role']],
    async (m) => [
      ...new Map(
        m
          .all('ai_threads')
          .flatMap(({ messages }) =>
            messages.map((one: Json) => [Object.keys(one).sort().join(), Object.keys(one).sort()]),
          ),
      ).values(),
    ],
  ],
  [
    'a product sync: its states, products made, with their account; a second; after an edit here',
    { states: ['pending', 'processing', 'completed'], made: [2, 2], second: 0, third: 1, price: 14.5, account: true },
    async (m) => {
      const shop = await m.first('/user_shops');
      const { id: fulfillment_account } = await m.first('/fulfillment_accounts');
      const asked = { third_party_shop: shop.id, fulfillment_account };
      const begin = () => m.made('/products/sync', asked);
      const id = await begin();
      const before = m.all('products').length;
      const states = [];
      for (const wait of [0, 30, 60]) {
        await m.pass(wait / 86_400);
        states.push((await m.get(`/products/sync/${id}`)).status);
      }
      const count = async (sync: string) => {
        await m.pass(1 / 24);
        return (await m.get(`/products/sync/${sync}`)).num_products;
      };
      const made = [await count(id), m.all('products').length - before];
      const second = await count(await begin());
      const candle = m.all('products').find(({ internal_id }) => internal_id === 'SHOP-1') as Json;
      await m.done(`/products/${candle.id}`, { price: 99 });
      const third = await count(await begin());
      const { price, shipping_attributes: attributes } = await m.get(`/products/${candle.id}`);
      return { states, made, second, third, price, account: attributes.fulfillment_account.id === fulfillment_account };
    },
  ],
  [
    'a key value of 5 MB, and of a byte more; the answer of its deletion',
    [200, 400, ['api_call_id', 'api_call_unix', 'code', 'result']],
    async (m) => {
      const value = 'x'.repeat(5 * 1024 * 1024);
      const taken = await m.status('POST /key_values', { key: 'large_value', value });
      const refused = await m.status('POST /key_values/large_value', { value: `${value}x` });
      return [taken, refused, Object.keys(await m.done('/key_values/large_value/delete')).sort()];
    },
  ],
  [
    'chargebacks: one in another currency than its transaction?',
    [],
    async (m) => {
      const payments = new Map(m.all('transactions').map((one) => [one.id, one.iso_currency]));
      return m
        .all('chargebacks')
        .filter((one) => payments.get(one.transaction_id) !== one.iso_currency)
        .map(({ id }) => id);
    },
  ],
  [
    'BigQuery: counts by hand and as they are kept (plain, aliased, in backticks)',
    [true, true, true],
    async (m) => {
      const run = async (bigquery_sql: string) => (await m.done('/bigquery', { bigquery_sql })).query_results[0];
      const all = String(m.all('sales').length);
      const plain = await run('SELECT COUNT(*) FROM sale');
      const named = await run('select count(*) as n from `project.user.sale`;');
      const slow = await run('SELECT count(*) AS n FROM sale WHERE 1 = 1');
      return [plain['COUNT(*)'] === all, named.n === all, slow.n === all];
    },
  ],
];

type Node = Json;

/** What the description says of a property of a schema. */
async function described(path: readonly string[]): Promise<Node> {
  let node: Node = JSON.parse(await describeSandbox());
  for (const name of path) node = node[name];
  return node;
}
const shown = (item: string, ...path: string[]) =>
  described([
    'components',
    'schemas',
    item,
    'properties',
    ...path.flatMap((name) => [name, 'properties']).slice(0, -1),
  ]);

const DESCRIPTION: Question[] = [
  [
    'openapi.json: types of what may be null, deep inside',
    [
      ['integer', 'null'],
      ['object', 'null'],
      ['object', 'string', 'null'],
    ],
    async () => [
      (await shown('subscription_item', 'billing', 'last_renewal_date_unix')).type,
      (await shown('product_item', 'shipping_attributes', 'fulfillment_account')).type,
      (await shown('ai_assistant_item', 'settings', 'trigger_settings', 'account_event', 'filter_function')).type,
    ],
  ],
  [
    'openapi.json: which of these tell of a 404: notes, metadata, groups of customers',
    [true, true, false],
    async () =>
      Promise.all(
        ['/notes', '/metadata', '/customer_groups'].map(
          async (path) => '404' in (await described(['paths', path, 'post', 'responses'])),
        ),
      ),
  ],
  [
    'openapi.json: customer and ship_to of a sale, and ship_to of a shipment: their country',
    ['string', 'string', 'string'],
    async () => {
      const of = async (path: string, name: string) => {
        const { content } = await described(['paths', path, 'post', 'requestBody']);
        return content['application/json'].schema.properties[name].properties.country.type;
      };
      return [
        await of('/sales', 'customer'),
        await of('/sales', 'ship_to'),
        await of('/shipping/{shipping_id}', 'ship_to'),
      ];
    },
  ],
];

describe('payments', () => ask(PAYMENTS));
describe('data', () => ask(DATA));
describe('the description', () => ask(DESCRIPTION));
