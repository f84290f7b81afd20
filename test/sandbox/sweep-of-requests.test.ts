/** @module-tag thorough */
import { describe } from 'vitest';
import { askTogether, DECLINED, type Merchant, pick, type Question } from './merchant.js';
import { DISABLED_KEY, type Json, LIVE_KEY, READ_KEY } from './service.js';

/*
 * Sentences of the published description about requests as such (methods, lists, filters, keys, errors, repetition),
 * each a question with its answer. The answers were written before the sandbox was asked.
 */

const DAY = 86_400;
const dated = (m: Merchant, path: string, days: number, more = 'limit=25&page=1') =>
  `${path}?date_start=${m.now - Math.round(days * DAY)}&date_end=${m.now}&${more}`;
const list = async (m: Merchant, path: string, more = '', days = 90): Promise<Json> =>
  m.get(`${dated(m, path, days)}${more}`);

const DATED = ['/products', '/subscription_renewals', '/invoices', '/offline_payments', '/sales', '/transactions'];
const PLAIN = ['customer_portals', 'wallet_accounts', 'tax_profiles', 'metadata', 'functions', 'ai_assistants'];

const METHODS: Question[] = ['PUT /sales', 'DELETE /customers/x', 'PATCH /openapi.json', 'PUT /nowhere'].map(
  (request) => [`${request} (1: any other method is answered with 405)`, 405, (m) => m.status(request)],
);

const LISTS: Question[] = [
  ...DATED.map(
    (path): Question => [
      `${path}: without dates, one date, 90 days, a second more, no limit, no page (4.1)`,
      [400, 400, 200, 400, 400, 400],
      async (m) =>
        Promise.all(
          [
            `${path}?limit=25&page=1`,
            `${path}?date_start=${m.now}&limit=25&page=1`,
            dated(m, path, 90),
            `${path}?date_start=${m.now - 90 * DAY - 1}&date_end=${m.now}&limit=25&page=1`,
            dated(m, path, 9, 'page=1'),
            dated(m, path, 9, 'limit=25'),
          ].map((one) => m.status(`GET ${one}`)),
        ),
    ],
  ),
  ...[...PLAIN, 'ai_prompts'].map(
    (name): Question => [
      `/${name}: limit and page alone, no page, no limit, limit 26, 0, 1.5 (4.1, 4.8)`,
      [200, 400, 400, 400, 400, 400],
      async (m) =>
        Promise.all(
          ['limit=25&page=1', 'limit=25', 'page=1', 'limit=26&page=1', 'limit=0&page=1', 'limit=1.5&page=1'].map(
            (one) => m.status(`GET /${name}?${one}`),
          ),
        ),
    ],
  ),
  [
    'AI memos: 7 days, and a second more (4.13)',
    [200, 400],
    async (m) => [
      await m.status(`GET ${dated(m, '/ai_memos', 7)}`),
      await m.status(`GET /ai_memos?date_start=${m.now - 7 * DAY - 1}&date_end=${m.now}&limit=25&page=1`),
    ],
  ],
  [
    'AI assistants: page 0 as page 1, page 20, page 21 (4.1)',
    [true, 200, 400],
    async (m) => {
      const [zero, one] = [await m.get('/ai_assistants?limit=2&page=0'), await m.get('/ai_assistants?limit=2&page=1')];
      const status = (page: number) => m.status(`GET /ai_assistants?limit=2&page=${page}`);
      return [JSON.stringify(zero.results) === JSON.stringify(one.results), await status(20), await status(21)];
    },
  ],
  [
    'integrations of the user: no parameters at all (4.1, 4.6)',
    [200, true],
    async (m) => {
      const { body, status } = await m.service.send('GET', '/user_third_party_integrations');
      return [status, body.total_count === body.results.length];
    },
  ],
  [
    'counts of a page: its items, all items, pages; and of a page behind the last (2.1)',
    [true, true, 0],
    async (m) => {
      const body = await m.get(dated(m, '/sales', 90, 'limit=3&page=1'));
      const after = await m.get(dated(m, '/sales', 90, `limit=3&page=${body.total_pages + 1}`));
      return [
        body.current_count === body.results.length && body.current_page === 1,
        body.total_pages === Math.ceil(body.total_count / 3),
        after.current_count,
      ];
    },
  ],
  [
    'two customer_id: which one counts? (4.1: extra occurrences are ignored)',
    true,
    async (m) => {
      const [one, other] = [await m.renewed(await m.subscribed()), await m.renewed(await m.subscribed())].map(
        ({ customer }) => customer.id,
      );
      const both = await list(m, '/subscription_renewals', `&customer_id=${one}&customer_id=${other}`);
      const alone = await list(m, '/subscription_renewals', `&customer_id=${one}`);
      return both.total_count === alone.total_count && alone.total_count > 0;
    },
  ],
  [
    'a filter that is repeated: the items of each value together (4.1)',
    true,
    async (m) => {
      const [one, other] = m.all('campaigns').map(({ id }) => id);
      const count = async (more: string) => (await list(m, '/sales', more)).total_count;
      const together = await count(`&campaign_filter=${one}&campaign_filter=${other}`);
      return together === (await count(`&campaign_filter=${one}`)) + (await count(`&campaign_filter=${other}`));
    },
  ],
  [
    'currency_filter=EUR on renewals: other currencies among them? (4.9)',
    [],
    async (m) => {
      const { results } = await list(m, '/subscription_renewals', '&currency_filter=EUR');
      return results.filter((one: Json) => one.iso_currency !== 'EUR');
    },
  ],
  [
    'a product type that is none (4.3)',
    400,
    async (m) => m.status(`GET ${dated(m, '/products', 9)}&product_type_filter=rented`),
  ],
  [
    'metadata_filter: as JSON, indexed, by name alone, another value (4.1)',
    [1, 1, 1, 0],
    async (m) => {
      const id = await m.product();
      const sale = await m.sold({}, [{ id }]);
      await m.done('/metadata', { item_type: 'sale', item_id: sale.id, metadata: [{ name: 'colour', value: 'red' }] });
      const counts = [];
      for (const more of [
        `&metadata_filter=${encodeURIComponent('{"name":"colour","value":"red"}')}`,
        '&metadata_filter[0][name]=colour&metadata_filter[0][value]=red',
        '&metadata_filter[0][name]=colour&metadata_filter[0][value]=METADATA_NAME_EXISTS',
        '&metadata_filter[0][name]=colour&metadata_filter[0][value]=blue',
      ])
        counts.push((await list(m, '/sales', more)).total_count);
      return counts;
    },
  ],
  ...(
    [
      ['functions', 'function_code', '2.8'],
      ['payment_profiles', 'payment_flow', '4.13'],
      ['ai_prompts', 'prompt', '4.13'],
      ['email_templates', 'template_html', 'lists leave it out'],
      ['metadata', 'values', '4.8'],
    ] as const
  ).map(
    ([family, field, where]): Question => [
      `/${family}: is ${field} in the list, and in the single item? (${where})`,
      [false, true],
      async (m) => {
        const item = await m.first(`/${family}`);
        return [field in item, field in (await m.get(`/${family}/${item.id}`))];
      },
    ],
  ),
];

const KEYS: Question[] = [
  ...(
    [
      ['none', '', 401],
      ['an unknown one', 'nobody', 401],
      ['a disabled one', DISABLED_KEY, 401],
      ['one that may only read', READ_KEY, 200],
    ] as const
  ).map(
    ([name, key, status]): Question => [
      `key: ${name} (5)`,
      status,
      (m) => m.status('GET /campaigns?limit=1&page=1', undefined, key),
    ],
  ),
  [
    'a key that may only read: does a write leave anything? (5.4)',
    [401, 0],
    async (m) => {
      const before = m.all('product_groups').length;
      const status = await m.status('POST /product_groups', { name: m.name(), products: [] }, READ_KEY);
      return [status, m.all('product_groups').length - before];
    },
  ],
  [
    'an item of the test mode for a live key: read, edit (5.5)',
    [404, 404],
    async (m) => {
      const { id } = await m.sold();
      return [
        await m.status(`GET /sales/${id}`, undefined, LIVE_KEY),
        await m.status(`POST /sales/${id}/void`, {}, LIVE_KEY),
      ];
    },
  ],
  [
    'live_mode of what a test key makes: sale, customer, transaction (5.5)',
    [false, false],
    async (m) => {
      const sale = await m.sold();
      return [sale.live_mode, (await m.get(`/transactions/${sale.transactions[0]}`)).live_mode];
    },
  ],
];

const sale = async (m: Merchant, card_number: string): Promise<Json> =>
  (await m.post('/sales', m.order([{ id: await m.product() }], { credit_card: m.card(card_number) }))).body;

const ERRORS: Question[] = [
  [
    'a success: code, length of api_call_id (2.1)',
    [1, 20, true],
    async (m) => {
      const body = await m.get('/campaigns?limit=1&page=1');
      return [body.code, body.api_call_id.length, Number.isInteger(body.api_call_unix)];
    },
  ],
  [
    'an unknown id, an id too short, an unknown path (7.1, 7.2)',
    [
      [404, 0],
      [404, 0],
      [404, 0],
    ],
    async (m) =>
      Promise.all(
        ['/sales/ABCDEFGHIJKLMNOPQRST', '/sales/short', '/nowhere'].map(async (path) => {
          const { status, body } = await m.service.send('GET', path);
          return [status, body.code];
        }),
      ),
  ],
  [
    'a body that is no JSON (7.3, E0208)',
    { api_call_id: null, error_code: 'E0208', api_call_processed: false, valid_json: false, code: 0 },
    async (m) => {
      const { body } = await m.service.send('POST', '/product_groups', '{"name":');
      return pick(body, 'api_call_id', 'error_code', 'api_call_processed', 'valid_json', 'code');
    },
  ],
  [
    'a sale with a payment profile that is none (7.3, E0037)',
    [400, 'E0037'],
    async (m) => {
      const body = m.order([{ id: await m.product() }], { payment_profile: 'ABCDEFGHIJKLMNOPQRST' });
      const answer = await m.post('/sales', body);
      return [answer.status, answer.body.error_code];
    },
  ],
  [
    'a generic error: its fields (7.2)',
    ['string', 'number', 0, true, 'string', 'string'],
    async (m) => {
      const { body } = await m.post('/product_groups', {});
      return [
        typeof body.api_call_id,
        typeof body.api_call_unix,
        body.code,
        /^E\d{4}$/.test(body.error_code),
        typeof body.message,
        typeof body.result,
      ];
    },
  ],
  ...(
    [
      ['declined', DECLINED, 2],
      ['an error of the gateway', '4000000000000119', 3],
      ['held', '4000000000003220', 4],
    ] as const
  ).map(
    ([name, card, code]): Question => [
      `a payment that is ${name}: code, raw answer, message (7.2)`,
      [code, 'object', 'string', 'string'],
      async (m) => {
        const body = await sale(m, card);
        return [body.code, typeof body.gateway_raw_response, typeof body.message, typeof body.result];
      },
    ],
  ),
  [
    'fraud: code, flag, ids of the detections, details (7.2)',
    [5, true, 20, 'object', 'string'],
    async (m) => {
      const body = await sale(m, '4100000000000019');
      const { fraud_detected: flag, fraud_detection_created: ids, fraud_detection_response: details } = body;
      return [body.code, flag, ids[0].length, typeof details, typeof body.result];
    },
  ],
  [
    'the same source after fraud: does a payment reach a gateway? (7.2)',
    [402, 0],
    async (m) => {
      const body = m.order([{ id: await m.product() }], { credit_card: m.card('4100000000000019') });
      await m.post('/sales', body);
      const before = m.all('transactions').filter(({ result }) => result === 'approved').length;
      const { status } = await m.post('/sales', { ...body, credit_card: m.card() });
      return [status, m.all('transactions').filter(({ result }) => result === 'approved').length - before];
    },
  ],
];

const group = (m: Merchant, idempotency_key: unknown): Json => ({ name: m.name(), products: [], idempotency_key });

const REPETITION: Question[] = [
  ...(
    [
      ['9 characters', 'k'.repeat(9), 400],
      ['10 characters', 'a'.repeat(10), 200],
      ['255 characters', 'b'.repeat(255), 200],
      ['256 characters', 'c'.repeat(256), 400],
      ['a number', 1234567890, 400],
    ] as const
  ).map(
    ([name, key, status]): Question => [
      `an idempotency key of ${name} (7.4)`,
      status,
      (m) => m.status('POST /product_groups', group(m, key)),
    ],
  ),
  [
    'the same key on another operation (7.4, 4)',
    [400, 'E0583'],
    async (m) => {
      await m.done('/product_groups', group(m, 'key-one-operation'));
      const { status, body } = await m.post('/projects', { name: m.name(), idempotency_key: 'key-one-operation' });
      return [status, body.error_code];
    },
  ],
  [
    'the same key by another credential (7.4, 4)',
    200,
    async (m) => {
      await m.done('/product_groups', group(m, 'key-of-two-keys'));
      return m.status('POST /product_groups', group(m, 'key-of-two-keys'), LIVE_KEY);
    },
  ],
  [
    'is the first answer replayed? (7.4, 3)',
    [undefined, 0],
    async (m) => {
      await m.done('/product_groups', group(m, 'key-not-replayed'));
      const { body } = await m.post('/product_groups', group(m, 'key-not-replayed'));
      return [body.product_group_id, body.code];
    },
  ],
  [
    'the same key after 23 hours, and after 25 hours of the first (7.4, 2)',
    [400, 200],
    async (m) => {
      await m.done('/product_groups', group(m, 'key-of-yesterday'));
      await m.pass(23 / 24);
      const early = await m.status('POST /product_groups', group(m, 'key-of-yesterday'));
      await m.pass(25 / 24);
      return [early, await m.status('POST /product_groups', group(m, 'key-of-yesterday'))];
    },
  ],
];

describe('requests', () => askTogether([...METHODS, ...LISTS, ...KEYS, ...ERRORS, ...REPETITION]));
