/** @module-tag thorough */
import { describe } from 'vitest';
import { askTogether, type Merchant, NONE, type Question, range } from './merchant.js';
import type { Json } from './service.js';

/*
 * Questions made of the sentences of the published page, section by section; the answers were written from the page
 * before the sandbox was asked.
 */

const ENVELOPES: Question[] = [
  ['which methods are refused? (1)', [405, 405, 405], (m) => all(m, 'PUT', 'DELETE', 'PATCH')],
  [
    'a key that is missing or made up (5.2)',
    [401, 401],
    async (m) => [
      await m.status('GET /campaigns?limit=1&page=1', undefined, ''),
      await m.status('GET /sites', undefined, 'x'),
    ],
  ],
  [
    'a success: id of the call, its time, code 1 (2.1)',
    [20, true, 1],
    async (m) => {
      const { api_call_id, api_call_unix, code } = await m.get('/campaigns?limit=1&page=1');
      return [api_call_id.length, Math.abs(api_call_unix - m.now) < 2, code];
    },
  ],
  [
    'a list: the five fields of its envelope (2.1)',
    ['current_count', 'current_page', 'results', 'total_count', 'total_pages'],
    async (m) =>
      Object.keys(await m.get('/campaigns?limit=1&page=1'))
        .filter((name) => !/^(?:api_|code)/.test(name))
        .sort(),
  ],
  [
    'an unknown item: status, code, fields (7.2)',
    [404, 0, 'string', 'string'],
    async (m) => {
      const { status, body } = await m.service.send('GET', `/customers/${NONE}`);
      return [status, body.code, typeof body.message, typeof body.result];
    },
  ],
  [
    'a body that is no JSON (7.3)',
    [400, 'E0208', null, false, false],
    async (m) => {
      const { status, body } = await m.service.send('POST', '/projects', '{"name":');
      return [status, body.error_code, body.api_call_id, body.api_call_processed, body.valid_json];
    },
  ],
  ['an empty form body of a GET is tolerated (4.1)', 200, (m) => m.status('GET /campaigns?limit=1&page=1', '')],
  [
    'ids are 20 characters (1)',
    [20],
    async (m) => [...new Set((await m.get('/campaigns?limit=25&page=1')).results.map(({ id }: Json) => id.length))],
  ],
];

async function all(m: Merchant, ...methods: string[]): Promise<number[]> {
  return Promise.all(methods.map((method) => m.status(`${method} /campaigns`)));
}

const LISTS: Question[] = [
  [
    'without limit, page, or a date (4.1)',
    [400, 400, 400],
    (m) =>
      Promise.all(
        ['?page=1', '?limit=5', '?limit=5&page=1'].map((q, i) =>
          m.status(`GET /${i < 2 ? 'campaigns' : 'products'}${q}`),
        ),
      ),
  ],
  [
    'a limit of 0, 1, 25, 26 (8)',
    [400, 200, 200, 400],
    (m) => Promise.all([0, 1, 25, 26].map((n) => m.status(`GET /campaigns?limit=${n}&page=1`))),
  ],
  [
    'a span of 90 days, and one second more (4.1)',
    [200, 400],
    (m) =>
      Promise.all(
        [0, 1].map((more) =>
          m.status(`GET /invoices?date_start=${m.now - 90 * 86_400 - more}&date_end=${m.now}&limit=5&page=1`),
        ),
      ),
  ],
  [
    'memos: 7 days, and one second more (4.13)',
    [200, 400],
    (m) =>
      Promise.all(
        [0, 1].map((more) =>
          m.status(`GET /ai_memos?date_start=${m.now - 7 * 86_400 - more}&date_end=${m.now}&limit=5&page=1`),
        ),
      ),
  ],
  [
    'assistants: page 0 is the first, 20 the last (4.1)',
    [true, 200, 400],
    async (m) => {
      const first = (page: number) => m.get(`/ai_assistants?limit=25&page=${page}`);
      const status = (page: number) => m.status(`GET /ai_assistants?limit=25&page=${page}`);
      const ids = (answer: Json) => answer.results.map(({ id }: Json) => id).join();
      return [ids(await first(0)) === ids(await first(1)), await status(20), await status(21)];
    },
  ],
  ['integrations of the user take no parameters (4.6)', 200, (m) => m.status('GET /user_third_party_integrations')],
  [
    'customer_id twice: the first counts (4.1)',
    true,
    async (m) => {
      const { id } = (await m.renewed(await m.subscribed())).customer;
      const found = await m.get(`/subscription_renewals?${range(m)}&customer_id=${id}&customer_id=${NONE}`);
      return found.total_count > 0 && found.results.every(({ customer }: Json) => customer.id === id);
    },
  ],
  [
    'several values of a filter are alternatives (4.1)',
    true,
    async (m) => {
      const [one, two] = (await m.get('/campaigns?limit=25&page=1')).results;
      const count = async (filter: string) => (await m.get(`/sales?${range(m)}&${filter}`)).total_count;
      const [first, second] = [`campaign_filter=${one.id}`, `campaign_filter=${two.id}`];
      return (await count(`${first}&${second}`)) === (await count(first)) + (await count(second));
    },
  ],
  [
    'metadata as JSON and indexed mean the same (4.1)',
    [1, 1, 1],
    async (m) => {
      await m.sold({ metadata: [{ name: 'q', value: 'one' }] });
      const forms = [
        `metadata_filter=${encodeURIComponent('{"name":"q","value":"one"}')}`,
        'metadata_filter[0][name]=q&metadata_filter[0][value]=one',
        'metadata_filter[0][name]=q&metadata_filter[0][value]=METADATA_NAME_EXISTS',
      ];
      return Promise.all(forms.map(async (form) => (await m.get(`/sales?${range(m)}&${form}`)).total_count));
    },
  ],
  [
    'both forms at once (4.1: one only)',
    400,
    (m) =>
      m.status(
        `GET /sales?${range(m)}&metadata_filter=${encodeURIComponent('{"name":"q","value":"1"}')}&metadata_filter[0][name]=q&metadata_filter[0][value]=1`,
      ),
  ],
  ['a filter of products that is no id (4.3)', 400, (m) => m.status(`GET /products?${range(m)}&shop_filter=short`)],
  [
    'a product type that is not listed (2.2)',
    400,
    (m) => m.status(`GET /products?${range(m)}&product_type_filter=box`),
  ],
  [
    'a currency of two letters (4.9)',
    400,
    (m) => m.status(`GET /subscription_renewals?${range(m)}&currency_filter=US`),
  ],
  [
    'the last page is total_pages, and one after it is empty (4.1)',
    [true, 0],
    async (m) => {
      const page = async (n: number) => m.get(`/customers?${range(m).replace('limit=25&page=1', `limit=2&page=${n}`)}`);
      const { total_pages } = await page(1);
      return [(await page(total_pages)).current_count > 0, (await page(total_pages + 1)).current_count];
    },
  ],
];

describe('envelopes, methods, keys (1, 2.1, 5, 7)', () => askTogether(ENVELOPES));
describe('lists (4.1 to 4.9)', () => askTogether(LISTS));
