/** @module-tag thorough */
import { describe } from 'vitest';
import { askTogether, type Merchant, type Question } from './merchant.js';
import type { Json } from './service.js';

/* Sentences of the published description about data on items and the families shown in part; the answers were written before the sandbox was asked. */

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

describe('data on items, and families shown in part', () => askTogether(DATA));
