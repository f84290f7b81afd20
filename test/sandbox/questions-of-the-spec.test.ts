/** @module-tag thorough */
import { describe } from 'vitest';
import { askTogether, DECLINED, type Merchant, type Question } from './merchant.js';
import type { Json } from './service.js';

/*
 * Questions made of the sentences of the published page, section by section; the answers were written from the page
 * before the sandbox was asked.
 */

const NONE = 'A'.repeat(20);
const range = (m: Merchant, days = 90) => `date_start=${m.now - days * 86_400}&date_end=${m.now}&limit=25&page=1`;
const text = (length: number) => 'x'.repeat(length);
const key = (length: number) => text(length);

async function refused(m: Merchant, path: string, body: Json, place: string): Promise<unknown> {
  const { status, body: said } = await m.post(path, body);
  return [status, said.code, /^E\d{4}$/.test(String(said.error_code)), String(said.message).includes(place)];
}
const NAMED = [400, 0, true, true];

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

const BODIES: Question[] = [
  [
    'metadata names of 100 and 101, values of 255 and 256 (8)',
    ['200', '400 code 0', '200', '400 code 0'],
    async (m) => {
      const says = (name: number, value: number) =>
        m.says('/customers', customer(m, { metadata: [{ name: text(name), value: text(value) }] }));
      return [await says(100, 1), await says(101, 1), await says(1, 255), await says(1, 256)];
    },
  ],
  [
    'a customer without an e-mail (4.10)',
    NAMED,
    (m) => refused(m, '/customers', customer(m, {}, { email: undefined }), 'customer.email'),
  ],
  [
    'a customer of country US (4.10)',
    NAMED,
    (m) => refused(m, '/customers', customer(m, {}, { country: 'US' }), 'customer.country'),
  ],
  [
    'a billing address without a last name (4.10)',
    NAMED,
    (m) =>
      refused(
        m,
        '/customers',
        customer(m, { bill_to: { first_name: 'A', email: 'a@example.com' } }),
        'bill_to.last_name',
      ),
  ],
  [
    'a card whose year has four digits (4.10)',
    NAMED,
    (m) =>
      refused(m, '/customers', customer(m, { payment: { credit_card: { ...m.card(), exp_year: 2060 } } }), 'exp_year'),
  ],
  [
    'a customer of a campaign by its name (4.10)',
    '200',
    (m) => m.says('/customers', customer(m, { campaign: 'Default' })),
  ],
  [
    'a rate without qualifiers (4.11)',
    NAMED,
    async (m) => {
      const body = await m.ratesBody([[5, {}]]);
      return refused(
        m,
        '/shipping_profiles',
        { ...body, rates: [{ ...body.rates[0], qualifiers: undefined }] },
        'rates[0].qualifiers',
      );
    },
  ],
  [
    'a rate without one enabled qualifier (4.11)',
    '400 code 0',
    async (m) => m.says('/shipping_profiles', await m.ratesBody([[5, {}]])),
  ],
  [
    'a country of two letters in a rate (4.11)',
    '400 code 0',
    async (m) =>
      m.says('/shipping_profiles', await m.ratesBody([[5, { countries: [{ iso_code: 'US', enabled: true }] }]])),
  ],
  [
    'a subscription profile of frequency calendar without its object (4.7)',
    '400 code 0',
    async (m) => m.says(`/subscription_profiles/${await m.profile()}`, { frequency: 'calendar' }),
  ],
  [
    'frequency_unit without frequency is ignored (4.7)',
    'months',
    async (m) => {
      const id = await m.profile();
      await m.done(`/subscription_profiles/${id}`, { frequency_unit: { unit: 'days', value: 3 } });
      return (await m.get(`/subscription_profiles/${id}`)).frequency_unit.unit;
    },
  ],
  [
    'a property that is not of a profile (4.7)',
    NAMED,
    async (m) => refused(m, `/subscription_profiles/${await m.profile()}`, { colour: 'red' }, 'colour'),
  ],
  [
    'two profiles of one name (2.3)',
    '400 code 0',
    async (m) => {
      const name = m.name();
      await m.profile({ name });
      return m.says('/subscription_profiles', { name, frequency: 'unit', frequency_unit: { unit: 'days', value: 1 } });
    },
  ],
  [
    'a portal whose recaptcha lacks a key (4.5)',
    NAMED,
    async (m) => {
      const { id } = await m.first('/customer_portals');
      return refused(m, `/customer_portals/${id}`, { recaptcha: { site_key: 'x' } }, 'recaptcha.secret_key');
    },
  ],
  [
    'is the secret of a recaptcha shown? (2.6)',
    false,
    async (m) => {
      const { id } = await m.first('/customer_portals');
      await m.done(`/customer_portals/${id}`, { recaptcha: { site_key: 'x', secret_key: 'not-to-be-seen' } });
      return JSON.stringify(await m.get(`/customer_portals/${id}`)).includes('not-to-be-seen');
    },
  ],
  [
    'the value of an encrypted variable is hidden (2.8)',
    false,
    async (m) => {
      const id = await m.made('/functions', { name: m.name() });
      const environment_variables = [{ name: 'TOKEN', value: 'not-to-be-seen', encrypted: true }];
      await m.done(`/functions/${id}`, { environment_variables });
      return JSON.stringify(await m.get(`/functions/${id}`)).includes('not-to-be-seen');
    },
  ],
  [
    'a function of another source is not triggered (4.13)',
    '400 code 0',
    async (m) => {
      const id = await m.made('/functions', { name: m.name() });
      await m.done(`/functions/${id}`, { event_source: 'account_event', account_event_notations: ['sale.created'] });
      return m.says(`/functions/${id}/trigger`);
    },
  ],
  [
    'functions take invoice.created (6.1)',
    '200',
    async (m) => {
      const id = await m.made('/functions', { name: m.name() });
      return m.says(`/functions/${id}`, {
        event_source: 'account_event',
        account_event_notations: ['invoice.created'],
      });
    },
  ],
  [
    'a metadata entry lists no values, and gives them alone (2.8)',
    [false, true],
    async (m) => {
      await m.done('/customers', customer(m, { metadata: [{ name: 'shade', value: 'teal' }] }));
      const { results } = await m.get('/metadata?limit=25&page=1');
      const entry = results.find(({ name }: Json) => name === 'shade');
      return [
        JSON.stringify(entry).includes('teal'),
        JSON.stringify(await m.get(`/metadata/${entry.id}`)).includes('teal'),
      ];
    },
  ],
  [
    'a note of a sale is on its customer too (4.13)',
    '200',
    async (m) => m.says('/notes', { item_type: 'sale', item_id: (await m.sold()).id, text: 'called' }),
  ],
];

function customer(m: Merchant, more: Json = {}, person: Json = {}): Json {
  const own = { first_name: 'A', last_name: 'B', email: `${m.name()}@example.com`, ...person };
  return { campaign: m.all('campaigns')[0]?.id, customer: own, ...more };
}

const ASSISTANT_STEPS: [string, Json][] = [
  [
    'an end with outputs',
    { id: 'b', type: 'action_end_thread', outputs: { output_1: { connections: [{ node: 'a', output: 'input_1' }] } } },
  ],
  ['a branch without its first message', { id: 'b', type: 'action_branch', node_settings: { output_2_message: 'x' } }],
  [
    'a delay of 73 hours',
    { id: 'b', type: 'action_time_delay', node_settings: { time_unit: 'hours', time_value: '73' } },
  ],
  ['a delay of +1', { id: 'b', type: 'action_time_delay', node_settings: { time_unit: 'hours', time_value: '+1' } }],
  ['a step of 20001 characters', { id: 'b', type: 'action_step', node_settings: { step_message: text(20_001) } }],
  [
    '10001 emoji, which count twice',
    { id: 'b', type: 'action_step', node_settings: { step_message: '😀'.repeat(10_001) } },
  ],
  ['an id with a space', { id: 'b b', type: 'action_end_thread' }],
  ['an id of 81 characters', { id: text(81), type: 'action_end_thread' }],
  ['an id used twice', { id: 'a', type: 'action_end_thread' }],
  ['a coordinate beyond', { id: 'b', type: 'action_end_thread', position: { x_axis: 0, y_axis: -100_001 } }],
];

async function assistant(m: Merchant, flow: Json[], more: Json = {}): Promise<Json> {
  const { results } = await m.get('/user_third_party_integrations');
  const ai = results.find((one: Json) => one.site_third_party_integration.integration_type === 'ai');
  return { name: m.name(), settings: {}, third_party_integration: ai.id, flow, ...more };
}

const ASSISTANTS: Question[] = [
  ...ASSISTANT_STEPS.map(
    ([what, node]): Question => [
      `${what} rejects the flow with its node (2.10, 7.3)`,
      [400, true, node.id, true, true],
      async (m) => {
        const { status, body } = await m.post(
          '/ai_assistants',
          await assistant(m, [{ id: 'a', type: 'start_thread' }, node]),
        );
        const { error_code, node_id, invalid_setting, explanation } = body;
        return [
          status,
          /^E095[89]$/.test(error_code),
          node_id,
          invalid_setting !== '',
          typeof explanation === 'string',
        ];
      },
    ],
  ),
  [
    'leading zeros of a delay (2.10)',
    '200',
    async (m) =>
      m.says(
        '/ai_assistants',
        await assistant(m, [
          { id: 'a', type: 'start_thread' },
          { id: 'b', type: 'action_time_delay', node_settings: { time_unit: 'days', time_value: '003' } },
        ]),
      ),
  ],
  [
    'an assistant that is not on demand is not triggered (4.12)',
    '400 code 0',
    async (m) => {
      const body = await assistant(m, [{ id: 'a', type: 'start_thread' }], {
        settings: { trigger_settings: { trigger: '' } },
      });
      return m.says(`/ai_assistants/${await m.made('/ai_assistants', body)}/trigger`);
    },
  ],
  [
    'a schedule every half hour (2.10)',
    '400 code 0',
    async (m) => {
      const schedule = { cron_expression: '*/30 * * * *' };
      const settings = { trigger_settings: { trigger: 'schedule', schedule } };
      return m.says('/ai_assistants', await assistant(m, [{ id: 'a', type: 'start_thread' }], { settings }));
    },
  ],
  [
    'a schedule without a zone is in UTC, and keeps one (2.10)',
    ['UTC', 'Asia/Tokyo'],
    async (m) => {
      const at = (schedule: Json) => ({ trigger_settings: { trigger: 'schedule', schedule } });
      const hourly = { cron_expression: '0 * * * *' };
      const id = await m.made(
        '/ai_assistants',
        await assistant(m, [{ id: 'a', type: 'start_thread' }], { settings: at(hourly) }),
      );
      const zone = async () => (await m.get(`/ai_assistants/${id}`)).settings.trigger_settings.schedule.cron_timezone;
      const first = await zone();
      await m.done(`/ai_assistants/${id}`, { settings: at({ ...hourly, cron_timezone: 'Asia/Tokyo' }) });
      await m.done(`/ai_assistants/${id}`, { settings: at({ cron_expression: '0 6 * * *' }) });
      return [first, await zone()];
    },
  ],
  [
    'a filter that its event does not have (6.2)',
    '400 code 0',
    async (m) => {
      const account_event = { notation: 'tax.created', filters: { gateway_filter: ['x'] } };
      const settings = { trigger_settings: { trigger: 'account_event', account_event } };
      return m.says('/ai_assistants', await assistant(m, [{ id: 'a', type: 'start_thread' }], { settings }));
    },
  ],
  [
    '51 metadata entries in a filter (8)',
    '400 code 0',
    async (m) => {
      const metadata_filter = Array.from({ length: 51 }, (_, n) => ({ name: `n${n}`, value: 'v' }));
      const account_event = { notation: 'sale.created', filters: { metadata_filter } };
      const settings = { trigger_settings: { trigger: 'account_event', account_event } };
      return m.says('/ai_assistants', await assistant(m, [{ id: 'a', type: 'start_thread' }], { settings }));
    },
  ],
];

const MONEY: Question[] = [
  [
    "a decline: status, code, the gateway's own answer (7.2)",
    [402, 2, 'object', 'string'],
    async (m) => {
      const { status, body } = await m.post(
        '/sales',
        m.order([{ id: await m.product() }], { credit_card: m.card(DECLINED) }),
      );
      return [status, body.code, typeof body.gateway_raw_response, typeof body.message];
    },
  ],
  [
    'a payment profile that is none (7.3)',
    [400, 'E0037'],
    async (m) => {
      const { status, body } = await m.post('/sales', m.order([{ id: await m.product() }], { payment_profile: NONE }));
      return [status, body.error_code];
    },
  ],
  [
    'a declined sale resent with its key is not tried again (7.4)',
    ['402 code 2', '400 code 0'],
    async (m) => {
      const body = m.order([{ id: await m.product() }], { credit_card: m.card(DECLINED), idempotency_key: key(20) });
      return [await m.says('/sales', body), await m.says('/sales', { ...body, credit_card: m.card() })];
    },
  ],
  [
    'a key counts across operations (7.4)',
    ['200', 'E0583'],
    async (m) => {
      const idempotency_key = `${key(12)}across`;
      const first = await m.says('/projects', { name: m.name(), idempotency_key });
      return [first, (await m.post('/customer_groups', { name: m.name(), idempotency_key })).body.error_code];
    },
  ],
  [
    'keys of 9, 10, 255 and 256 characters (7.4)',
    ['400 code 0', '200', '200', '400 code 0'],
    async (m) => {
      const said: string[] = [];
      for (const length of [9, 10, 255, 256])
        said.push(await m.says('/projects', { name: m.name(), idempotency_key: `${length}`.padEnd(length, 'k') }));
      return said;
    },
  ],
  [
    'a key is free again after 24 hours (7.4)',
    ['200', '400 code 0', '200'],
    async (m) => {
      const body = () => ({ name: m.name(), idempotency_key: 'again-and-again' });
      const said = [await m.says('/projects', body()), await m.says('/projects', body())];
      await m.pass(1.01);
      return [...said, await m.says('/projects', body())];
    },
  ],
  [
    'relations of a sale with a discount and tax (2.4)',
    [true, true, true],
    async (m) => {
      const sale = await m.sold({ discount_amount: 3, tax_amount: 2 });
      const {
        amount_total,
        amount_original_total,
        amount_refunded,
        amount_gross,
        amount_net,
        amount_fees,
        amount_captured,
      } = sale;
      const near = (one: number, other: number) => Math.abs(one - other) < 0.005;
      return [
        near(amount_total, amount_original_total - (amount_refunded + 3)),
        near(amount_gross, amount_captured),
        near(amount_net, amount_gross - amount_fees),
      ];
    },
  ],
  [
    "fees are the gateway's share of the gross (2.4)",
    true,
    async (m) => {
      const sale = await m.sold();
      const { gateway_id } = await m.get(`/transactions/${sale.transactions[0]}`);
      const { processor_fee_percentage: share } = await m.get(`/user_gateways/${gateway_id}`);
      return Math.abs(sale.amount_fees - (sale.amount_gross * share) / 100) < 0.006;
    },
  ],
  [
    'an offline payment is not refunded on its own (4.2)',
    404,
    async (m) => {
      const { id } = m.all('offline_payments')[0] ?? { id: NONE };
      return m.status(`POST /offline_payments/${id}/refund`);
    },
  ],
  [
    'a cancelled subscription: activate, suspend, renew (3)',
    ['400 code 0', '400 code 0', '400 code 0'],
    async (m) => {
      const id = await m.subscribed();
      await m.done(`/subscriptions/${id}/cancel`);
      const said: string[] = [];
      for (const action of ['activate', 'suspend', 'renew']) said.push(await m.says(`/subscriptions/${id}/${action}`));
      return said;
    },
  ],
  [
    'a trial that is shortened, then extended, then cancelled (3)',
    ['200', '200', '200', '400 code 0'],
    async (m) => {
      const { trial } = await m.tried();
      const said = [
        await m.says(`/trials/${trial}/shorten`, { days: 3 }),
        await m.says(`/trials/${trial}/extend`, { days: 5 }),
      ];
      return [...said, await m.says(`/trials/${trial}/cancel`), await m.says(`/trials/${trial}/expire`)];
    },
  ],
  [
    'price_sale never changes what is charged (2.2)',
    20,
    async (m) => {
      const id = await m.product({
        price: 20,
        is_price_sale: true,
        price_sale: 5,
        is_discount: true,
        discount_rate: 50,
      });
      return (await m.sold({}, [{ id, quantity: 1 }])).amount_original_total;
    },
  ],
  ['payment types have fixed ids (2.9)', 'KnQ0KlNE6kf5mobyV0pN', async (m) => (await m.sold()).payment_type.id],
  [
    'live items are not seen with a test key (5.5)',
    true,
    async (m) => {
      const { results } = await m.get(`/sales?${range(m)}`);
      return results.every(({ live_mode }: Json) => live_mode === false);
    },
  ],
  [
    'a customer is made by a first sale (4.10)',
    true,
    async (m) => {
      const before = m.all('customers').length;
      await m.sold();
      return m.all('customers').length === before + 1;
    },
  ],
  [
    'a disabled customer is enabled again (3)',
    [false, true],
    async (m) => {
      const id = await m.made('/customers', customer(m));
      await m.done(`/customers/${id}/disable`);
      const off = (await m.get(`/customers/${id}`)).enabled;
      await m.done(`/customers/${id}/enable`);
      return [off, (await m.get(`/customers/${id}`)).enabled];
    },
  ],
];

describe('envelopes, methods, keys (1, 2.1, 5, 7)', () => askTogether(ENVELOPES));
describe('lists (4.1 to 4.9)', () => askTogether(LISTS));
describe('bodies (2, 4.5 to 4.13)', () => askTogether(BODIES));
describe('assistants (2.10, 4.12, 7.3)', () => askTogether(ASSISTANTS));
describe('money, states, keys of idempotency (2.4, 3, 7)', () => askTogether(MONEY));
