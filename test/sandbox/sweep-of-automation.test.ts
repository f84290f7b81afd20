/** @module-tag thorough */
import { describe } from 'vitest';
import { askTogether, type Merchant, type Question } from './merchant.js';
import type { Json } from './service.js';

/*
 * Sentences of the published description about functions, key values, notes, memos, threads and other families shown in
 * part, each a question with its answer. The answers were written before the sandbox was asked.
 */

async function aFunction(m: Merchant, settings: Json = {}): Promise<string> {
  const id = await m.made('/functions', { name: m.name() });
  if (Object.keys(settings).length > 0) await m.done(`/functions/${id}`, settings);
  return `/functions/${id}`;
}

const EDITS: readonly (readonly [string, number, Json])[] = [
  [
    'notation invoice.created (2.8)',
    200,
    { event_source: 'account_event', account_event_notations: ['invoice.created'] },
  ],
  ['notation sale.paid, which is none (6.1)', 400, { account_event_notations: ['sale.paid'] }],
  ['notation sale.updated, which is no base (6.1)', 400, { account_event_notations: ['sale.updated'] }],
  ['notation product, a base (6.1)', 200, { event_source: 'account_event', account_event_notations: ['product'] }],
  [
    'notation salvage_transaction, a base (6.1)',
    200,
    { event_source: 'account_event', account_event_notations: ['salvage_transaction'] },
  ],
  [
    'notation sentinel.alert, a base (6.1)',
    200,
    { event_source: 'account_event', account_event_notations: ['sentinel.alert'] },
  ],
  [
    'notation trial.updated, a base (6.1)',
    200,
    { event_source: 'account_event', account_event_notations: ['trial.updated'] },
  ],
  [
    'notation pending_refund.created.shipping.full.no_fulfillment (6.1)',
    200,
    { event_source: 'account_event', account_event_notations: ['pending_refund.created.shipping.full.no_fulfillment'] },
  ],
  [
    'notation pending_refund.created.tax.no_fulfillment (6.1)',
    400,
    { account_event_notations: ['pending_refund.created.tax.no_fulfillment'] },
  ],
  ['an event source that is none (2.8)', 400, { event_source: 'webhook' }],
  ['a filter other than the campaign (6.2)', 400, { account_event_filters: { currency_filter: ['USD'] } }],
  [
    'a delay without its unit (2.8)',
    400,
    { event_source: 'account_event', timing_options: { timing: 'delay', time_value: 5 } },
  ],
  [
    'a delay without its value (2.8)',
    400,
    { event_source: 'account_event', timing_options: { timing: 'delay', time_unit: 'hours' } },
  ],
  [
    'a delay in days (2.8)',
    400,
    { event_source: 'account_event', timing_options: { timing: 'delay', time_unit: 'days', time_value: 1 } },
  ],
  ['immediate without more (2.8)', 200, { event_source: 'account_event', timing_options: { timing: 'immediate' } }],
  ['a cron of four parts (2.8)', 400, { event_source: 'schedule', cron_expression: '0 3 * *' }],
  [
    'a cron of five parts in a zone (2.8)',
    200,
    { event_source: 'schedule', cron_expression: '0 3 * * *', cron_timezone: 'Europe/Berlin' },
  ],
  [
    'a zone that is none (2.8)',
    400,
    { event_source: 'schedule', cron_expression: '0 3 * * *', cron_timezone: 'Mars/Base' },
  ],
  [
    'addresses as a range (2.8)',
    400,
    { event_source: 'function_url', ip_restricted: true, ip_whitelist: ['10.0.0.0/8'] },
  ],
  ['single addresses (2.8)', 200, { event_source: 'function_url', ip_restricted: true, ip_whitelist: ['10.0.0.1'] }],
];

const triggered = async (m: Merchant, settings: Json, body: Json = {}) =>
  m.status(`POST ${await aFunction(m, { function_code: 'callback(null, 1)', ...settings })}/trigger`, body);

const FUNCTIONS: Question[] = [
  ...EDITS.map(
    ([name, status, settings]): Question => [
      `function: ${name}`,
      status,
      async (m) => m.status(`POST ${await aFunction(m)}`, settings),
    ],
  ),
  ['function: trigger of one of source api_direct (4.13)', 200, (m) => triggered(m, { event_source: 'api_direct' })],
  ...['account_event', 'email_template', 'payment_profile', 'function_url'].map(
    (event_source): Question => [
      `function: trigger of one of source ${event_source} (4.13)`,
      400,
      (m) => triggered(m, { event_source }),
    ],
  ),
  [
    'function: trigger of a disabled one (2.8)',
    400,
    (m) => triggered(m, { event_source: 'api_direct', enabled: false }),
  ],
  [
    'function: is function_url there for its source, and for another? (2.8)',
    [true, false],
    async (m) => {
      const has = async (event_source: string) =>
        Boolean((await m.get(await aFunction(m, { event_source }))).function_url);
      return [await has('function_url'), await has('api_direct')];
    },
  ],
  [
    'function: the value of a variable, plain and encrypted (2.8)',
    [true, false],
    async (m) => {
      const path = await aFunction(m, {
        environment_variables: [
          { name: 'OPEN', value: 'plain-value', encrypted: false },
          { name: 'SHUT', value: 'hidden-value', encrypted: true },
        ],
      });
      const text = JSON.stringify(await m.get(path));
      return [text.includes('plain-value'), text.includes('hidden-value')];
    },
  ],
  [
    'function: an edit of variables adds or updates, of arguments replaces',
    [['A', 'B'], ['y']],
    async (m) => {
      const path = await aFunction(m, {
        environment_variables: [{ name: 'A', value: '1', encrypted: false }],
        custom_arguments: [{ name: 'x', description: 'one' }],
      });
      await m.done(path, {
        environment_variables: [{ name: 'B', value: '2', encrypted: false }],
        custom_arguments: [{ name: 'y', description: 'two' }],
      });
      const { environment_variables: variables, custom_arguments: known } = await m.get(path);
      return [variables.map(({ name }: Json) => name), known.map(({ name }: Json) => name)];
    },
  ],
];

const KEYS: Question[] = (
  [
    ['a', 400],
    ['ab', 200],
    ['a_b', 200],
    ['a__b', 400],
    ['_ab', 400],
    ['ab_', 400],
    ['ab1', 400],
    ['x'.repeat(101), 400],
  ] as const
).map(
  ([key, status]): Question => [
    `key value: the key ${key.slice(0, 12)} of ${key.length} (2 to 100 letters with single inner underscores)`,
    status,
    (m) => m.status('POST /key_values', { key, value: '1' }),
  ],
);

const pointer = (more: Json) => (m: Merchant, key: string) =>
  m.status('POST /key_values', { key, key_type: 'pointer', ...more });

const KEY_VALUES: Question[] = [
  ...KEYS,
  [
    'key value: a description of 256 characters',
    400,
    (m) => m.status('POST /key_values', { key: 'long_text', value: '1', description: 'd'.repeat(256) }),
  ],
  [
    'key value: a second one of its key',
    400,
    async (m) => {
      await m.done('/key_values', { key: 'twice', value: '1' });
      return m.status('POST /key_values', { key: 'twice', value: '2' });
    },
  ],
  [
    'key value: a pointer without pointer_type',
    400,
    (m) => pointer({ value: m.all('payment_profiles')[0]?.id })(m, 'no_type'),
  ],
  [
    'key value: a pointer to nothing',
    400,
    (m) => pointer({ pointer_type: 'payment_profile', value: 'Nothing at all' })(m, 'to_nothing'),
  ],
  [
    'key value: a pointer by name',
    200,
    (m) => pointer({ pointer_type: 'payment_profile', value: m.all('payment_profiles')[0]?.name })(m, 'by_name'),
  ],
  [
    'key value: renamed by an edit',
    400,
    async (m) => {
      await m.done('/key_values', { key: 'fixed_name', value: '1' });
      return m.status('POST /key_values/fixed_name', { key: 'other_name' });
    },
  ],
];

const noted = (item_type: string, text: string) => async (m: Merchant) => {
  const sale = await m.sold();
  const ids: Json = {
    sale: sale.id,
    customer: sale.customer.id,
    transaction: sale.transactions[0],
    product_sale: sale.product_sales[0],
  };
  return m.status('POST /notes', { item_type, item_id: ids[item_type], text });
};
const memo = async (m: Merchant, more: Json = {}) => {
  const ai_thread_id = m.all('ai_threads').at(-1)?.id;
  return m.post('/ai_memos', { ai_thread_id, subject: 'S', message: 'M', ...more });
};

const DATA: Question[] = [
  ['note: on a sale', 200, noted('sale', 'Hello')],
  ['note: on a product sale', 200, noted('product_sale', 'Hello')],
  ['note: on a transaction', 400, noted('transaction', 'Hello')],
  ['note: of 255 characters', 200, noted('customer', 'x'.repeat(255))],
  ['note: of 256 characters', 400, noted('customer', 'x'.repeat(256))],
  ['note: empty', 400, noted('customer', '')],
  [
    'note: on a sale, is it at the customer? (4.13)',
    ['Call back'],
    async (m) => {
      const sale = await m.sold();
      await m.done('/notes', { item_type: 'sale', item_id: sale.id, text: 'Call back' });
      return (await m.get(`/customers/${sale.customer.id}`)).notes.map(({ text }: Json) => text);
    },
  ],
  [
    'metadata: 501 values of a name, how many are returned? (8)',
    500,
    async (m) => {
      const { customer } = await m.sold();
      const metadata = Array.from({ length: 501 }, (_, at) => ({ name: 'many', value: `v${at}` }));
      await m.done('/metadata', { item_type: 'customer', item_id: customer.id, metadata });
      const { results } = await m.get('/metadata?limit=25&page=1');
      const { id } = results.find(({ name }: Json) => name === 'many');
      return (await m.get(`/metadata/${id}`)).values.length;
    },
  ],
  [
    'metadata: inserted on a transaction',
    400,
    async (m) => {
      const { transactions } = await m.sold();
      return m.status('POST /metadata', {
        item_type: 'transaction',
        item_id: transactions[0],
        metadata: [{ name: 'a', value: 'b' }],
      });
    },
  ],
  [
    'metadata: with cascade on a sale, do its lines have it; without?',
    [true, false],
    async (m) => {
      const found = [];
      for (const cascade of [true, false]) {
        const sale = await m.sold();
        await m.done('/metadata', {
          item_type: 'sale',
          item_id: sale.id,
          metadata: [{ name: 'cas', value: 'cade' }],
          cascade,
        });
        const { metadata } = await m.get(`/product_sales/${sale.product_sales[0]}`);
        found.push((metadata ?? []).some(({ name }: Json) => name === 'cas'));
      }
      return found;
    },
  ],
  ['memo: a subject of 101 characters', 400, async (m) => (await memo(m, { subject: 's'.repeat(101) })).status],
  ['memo: a message of 1001 characters', 400, async (m) => (await memo(m, { message: 's'.repeat(1001) })).status],
  ['memo: bound to no thread', 400, async (m) => (await memo(m, { ai_thread_id: undefined })).status],
  [
    'memo: made, read, deleted (4.13)',
    [200, true, 200, 404],
    async (m) => {
      const { status, body } = await memo(m);
      const path = `/ai_memos/${body.ai_memo_id}`;
      await m.done(`${path}/mark_as_read`);
      const read = JSON.stringify(await m.get(path)).includes('"read"');
      return [status, read, await m.status(`POST ${path}/delete`), await m.status(`GET ${path}`)];
    },
  ],
  [
    'project note: a title of 101, a content of 5001 characters',
    [400, 400, 200],
    async (m) => {
      const project_id = await m.made('/projects', { name: m.name() });
      const note = (title: string, content: string) => m.status('POST /project_notes', { project_id, title, content });
      return [
        await note('t'.repeat(101), 'c'),
        await note('t', 'c'.repeat(5001)),
        await note('t'.repeat(100), 'c'.repeat(5000)),
      ];
    },
  ],
  [
    'product group: an empty list empties it, its deletion deletes no product',
    [[], 200],
    async (m) => {
      const id = await m.product();
      const group = await m.made('/product_groups', { name: m.name(), products: [id] });
      await m.done(`/product_groups/${group}`, { products: [] });
      const { products } = await m.get(`/product_groups/${group}`);
      await m.done(`/product_groups/${group}/delete`);
      return [products, await m.status(`GET /products/${id}`)];
    },
  ],
  [
    'gateway group: a gateway is added, and removed (4.13)',
    [1, 0],
    async (m) => {
      const group = await m.made('/gateway_groups', { name: m.name(), user_gateway: [] });
      const user_gateway = [m.all('user_gateways')[0]?.id];
      const counts = [];
      for (const deed of ['add_user_gateway', 'remove_user_gateway']) {
        await m.done(`/gateway_groups/${group}/${deed}`, { user_gateway });
        counts.push((await m.get(`/gateway_groups/${group}`)).user_gateway.length);
      }
      return counts;
    },
  ],
  [
    'secure form: of an unknown source; read at once, and after an hour',
    [400, 200, 404],
    async (m) => {
      const unknown = await m.status('POST /secure_forms', { form_source: 'newsletter' });
      const id = await m.made('/secure_forms', {
        form_source: 'gateway',
        form_source_id: (await m.first('/site_gateways')).id,
      });
      const first = await m.status(`GET /secure_forms/${id}`);
      await m.pass(61 / 1440);
      return [unknown, first, await m.status(`GET /secure_forms/${id}`)];
    },
  ],
  [
    'coupon: a code with a space, and one that another coupon has',
    [400, 200, 400],
    async (m) => {
      const coupon = (coupon_code: string) =>
        m.status('POST /coupons', { coupon_code, discount_type: 'percent', discount_value: 5 });
      return [await coupon('TWO WORDS'), await coupon('ONCE'), await coupon('ONCE')];
    },
  ],
  [
    'coupon: validated when unknown, and when disabled',
    [400, 400],
    async (m) => {
      await m.made('/coupons', { coupon_code: 'OFFNOW', discount_type: 'percent', discount_value: 5, enabled: false });
      const valid = (code: string) => m.status(`GET /coupons/validate?coupon_code=${code}`);
      const [unknown, off] = [await valid('NEVERMADE'), await valid('OFFNOW')];
      return [unknown === 404 ? 400 : unknown, off];
    },
  ],
  [
    'product sync: a second of its shop before the first ends; after it',
    [400, 200],
    async (m) => {
      const { id: third_party_shop } = await m.first('/user_shops');
      await m.done('/products/sync', { third_party_shop });
      const second = await m.status('POST /products/sync', { third_party_shop });
      await m.pass(1);
      return [second, await m.status('POST /products/sync', { third_party_shop })];
    },
  ],
  [
    'memo: kept after 6 days, and after 8 (2.10: at most 7 days)',
    [200, 404],
    async (m) => {
      const path = `/ai_memos/${(await memo(m)).body.ai_memo_id}`;
      await m.pass(6);
      const kept = await m.status(`GET ${path}`);
      await m.pass(2);
      return [kept, await m.status(`GET ${path}`)];
    },
  ],
];

describe('functions', () => askTogether(FUNCTIONS));
describe('key values', () => askTogether(KEY_VALUES));
describe('data on items, and families shown in part', () => askTogether(DATA));
