/** @module-tag thorough */
import { request } from 'node:http';
import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  call,
  DISABLED_KEY,
  LIVE_KEY,
  READ_KEY,
  range,
  readAll,
  type Service,
  startService,
  TEST_KEY,
} from './service.js';

let service: Service;
let now: number;

beforeAll(async () => {
  service = await startService();
  now = await service.now();
});
afterAll(() => service.stop());

describe('service.md#conventions', () => {
  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS'])('answers %s with 405', async (method) => {
    const answer = await call(`${service.url}/sales`, { method, headers: { 'x-api-key': TEST_KEY } });
    expect(answer.status).toBe(405);
    expect(answer.headers.get('allow')).toBe('GET, POST');
    expect(answer.body.code).toBe(0);
  });

  it('has identifiers of exactly 20 characters', async () => {
    for (const item of await readAll(service, '/sales')) expect(item.id).toHaveLength(20);
  });

  it('publishes a description that follows OpenAPI 3.1', async () => {
    const { status, body } = await service.get('/openapi.json');
    expect(status).toBe(200);
    expect(body.openapi).toMatch(/^3\.1\./);
    expect(await new Validator().validate(structuredClone(body))).toEqual({ valid: true });
    expect(await new Validator().validate({ ...body, paths: { sales: 1 } })).toMatchObject({ valid: false });
    expect(body.paths['/subscriptions/{subscription_id}/cancel'].post.operationId).toBe('CancelSubscription');
    expect(body.components.securitySchemes).toMatchObject({
      api_key: { type: 'apiKey', in: 'header', name: 'x-api-key' },
    });
  });
});

describe('service.md#envelopes', () => {
  it('wraps success in api_call_id, api_call_unix and code 1', async () => {
    const { body } = await service.get('/campaigns', { limit: 1, page: 1 });
    expect(body.api_call_id).toHaveLength(20);
    expect(Math.abs(body.api_call_unix - now)).toBeLessThan(60);
    expect(body.code).toBe(1);
  });

  it('adds counts, page and results to lists', async () => {
    const { body } = await service.get('/campaigns', { limit: 2, page: 2 });
    expect(body).toMatchObject({ current_count: 1, current_page: 2, total_count: 3, total_pages: 2 });
    expect(body.results).toHaveLength(1);
  });

  it('puts the fields of a single item at the top level', async () => {
    const [campaign] = (await service.get('/campaigns', { limit: 1, page: 1 })).body.results;
    const { body } = await service.get(`/campaigns/${campaign.id}`);
    expect(body).toMatchObject({ code: 1, id: campaign.id, name: campaign.name });
    expect(body.results).toBeUndefined();
  });

  it('answers create and edit with the id of the resource and a result', async () => {
    const created = await service.post('/product_groups', { name: 'New', products: [] });
    expect(created.body).toMatchObject({
      code: 1,
      product_group_id: expect.stringMatching(/^.{20}$/),
      result: expect.any(String),
    });
    const edited = await service.post(`/product_groups/${created.body.product_group_id}`, { name: 'Newer' });
    expect(edited.body.product_group_id).toBe(created.body.product_group_id);
  });
});

describe('service.md#lists', () => {
  it.each([
    ['limit', { page: 1 }],
    ['page', { limit: 1 }],
  ])('refuses a list without %s', async (name, query) => {
    const { status, body } = await service.get('/campaigns', query as Record<string, number>);
    expect(status).toBe(400);
    expect(body.message).toContain(name);
  });

  it.each(['date_start', 'date_end', 'limit', 'page'])('refuses a date-ranged list without %s', async (name) => {
    const query = range(now);
    delete query[name];
    expect((await service.get('/subscription_renewals', query)).status).toBe(400);
  });

  it.each([0, 26, -1, 'x', '1.5'])('refuses limit %s', async (limit) => {
    expect((await service.get('/campaigns', { limit, page: 1 })).status).toBe(400);
  });

  it.each([1, 25])('takes limit %s', async (limit) => {
    expect((await service.get('/campaigns', { limit, page: 1 })).status).toBe(200);
  });

  it.each([0, -1])('refuses page %s', async (page) => {
    expect((await service.get('/campaigns', { limit: 1, page })).status).toBe(400);
  });

  it('takes a range of exactly 90 days and refuses a second more', async () => {
    expect((await service.get('/sales', range(now, 90))).status).toBe(200);
    const wider = range(now, 90, { date_start: now - 90 * 86_400 - 1 });
    expect((await service.get('/sales', wider)).status).toBe(400);
  });

  it('allows AI memos 7 days at most', async () => {
    expect((await service.get('/ai_memos', range(now, 7))).status).toBe(200);
    expect((await service.get('/ai_memos', range(now, 8))).status).toBe(400);
  });

  it('allows page 0 of the assistants, as the first, and no page above 20', async () => {
    const zero = await service.get('/ai_assistants', { limit: 2, page: 0 });
    const one = await service.get('/ai_assistants', { limit: 2, page: 1 });
    expect(zero.body.results).toEqual(one.body.results);
    expect((await service.get('/ai_assistants', { limit: 25, page: 20 })).status).toBe(200);
    expect((await service.get('/ai_assistants', { limit: 25, page: 21 })).status).toBe(400);
  });

  it('lists third party integrations without parameters', async () => {
    const { status, body } = await service.get('/user_third_party_integrations');
    expect(status).toBe(200);
    expect(body.current_count).toBe(body.total_count);
  });

  it('pages through a range without losing or doubling an item', async () => {
    const items = await readAll(service, '/subscription_renewals');
    const { body } = await service.get('/subscription_renewals', range(now));
    expect(new Set(items.map((item) => item.id)).size).toBe(body.total_count);
    for (const item of items) expect(item.created_date_unix).toBeGreaterThanOrEqual(now - 90 * 86_400);
  });

  it('counts both ends of a range as inside (our reading)', async () => {
    const [item] = await readAll(service, '/sales');
    const at = item?.created_date_unix;
    const { body } = await service.get('/sales', { date_start: at, date_end: at, limit: 25, page: 1 });
    expect(body.results.map((one: { id: string }) => one.id)).toContain(item?.id);
  });

  it('takes one customer_id and ignores further ones', async () => {
    const items = await readAll(service, '/subscription_renewals');
    const mine = items[0]?.customer.id;
    const other = items.find((item) => item.customer.id !== mine)?.customer.id;
    const query = [...Object.entries(range(now)), ['customer_id', mine], ['customer_id', other]] as [string, string][];
    const { body } = await service.get('/subscription_renewals', query);
    expect(body.total_count).toBe(items.filter((item) => item.customer.id === mine).length);
  });

  it('takes several values of one filter as alternatives', async () => {
    const items = await readAll(service, '/subscription_renewals');
    const [one, two] = [...new Set(items.map((item) => item.campaign_id))];
    const pairs = Object.entries(range(now)) as [string, string | number][];
    const both = await service.get('/subscription_renewals', [
      ...pairs,
      ['campaign_filter', one],
      ['campaign_filter', two],
    ]);
    expect(both.body.total_count).toBe(
      items.filter((item) => item.campaign_id === one || item.campaign_id === two).length,
    );
    const usd = await service.get('/subscription_renewals', [
      ...pairs,
      ['campaign_filter', one],
      ['currency_filter', 'GBP'],
    ]);
    const wanted = items.filter((item) => item.campaign_id === one && item.iso_currency === 'GBP');
    expect(usd.body.total_count).toBe(wanted.length);
  });

  describe('metadata_filter', () => {
    const pairs = () => Object.entries(range(now)) as [string, string | number][];
    const count = async (...more: [string, string][]) =>
      (await service.get('/sales', [...pairs(), ...more])).body.total_count;

    it('means the same in both forms', async () => {
      const sales = await readAll(service, '/sales');
      const web = sales.filter((item) =>
        item.metadata.some((pair: { name: string; value: string }) => pair.name === 'channel' && pair.value === 'web'),
      );
      expect(web.length).toBeGreaterThan(0);
      expect(await count(['metadata_filter', '{"name":"channel","value":"web"}'])).toBe(web.length);
      expect(await count(['metadata_filter[0][name]', 'channel'], ['metadata_filter[0][value]', 'web'])).toBe(
        web.length,
      );
    });

    it('matches any item that carries the name by METADATA_NAME_EXISTS', async () => {
      const sales = await readAll(service, '/sales');
      const named = sales.filter((item) => item.metadata.some((pair: { name: string }) => pair.name === 'channel'));
      expect(await count(['metadata_filter', '{"name":"channel","value":"METADATA_NAME_EXISTS"}'])).toBe(named.length);
    });

    it('refuses both forms together', async () => {
      const { status } = await service.get('/sales', [
        ...pairs(),
        ['metadata_filter', '{"name":"a","value":"b"}'],
        ['metadata_filter[0][name]', 'a'],
        ['metadata_filter[0][value]', 'b'],
      ]);
      expect(status).toBe(400);
    });
  });

  it.each([
    ['tolerates an empty form body', '', 200],
    ['refuses any other body', 'limit=2', 400],
  ])('%s on GET', async (_name, form, status) => {
    const headers = {
      'x-api-key': TEST_KEY,
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': form.length,
    };
    const answered = await new Promise<number | undefined>((resolve, reject) => {
      const url = `${service.url}/campaigns?limit=1&page=1`;
      const sent = request(url, { method: 'GET', headers }, (response) => {
        response.resume().on('end', () => resolve(response.statusCode));
      });
      sent.on('error', reject);
      sent.end(form);
    });
    expect(answered).toBe(status);
  });
});

describe('service.md#permissions', () => {
  it.each([
    ['a missing key', ''],
    ['an unknown key', 'nonsense'],
    ['a disabled key', DISABLED_KEY],
  ])('answers %s with 401', async (_name, key) => {
    const { status, body } = await service.get('/campaigns', { limit: 1, page: 1 }, key);
    expect(status).toBe(401);
    expect(body.code).toBe(0);
  });

  it('holds a restricted key to its permissions', async () => {
    expect((await service.get('/ai_prompts', { limit: 1, page: 1 }, READ_KEY)).status).toBe(200);
    expect((await service.post('/ai_prompts', { name: 'a', prompt: 'b' }, READ_KEY)).status).toBe(401);
  });

  it('keeps test and live items apart and says which is which', async () => {
    const test = await readAll(service, '/sales');
    const live = await readAll(service, '/sales', 90, {}, LIVE_KEY);
    expect(test.length).toBeGreaterThan(0);
    expect(live.length).toBeGreaterThan(0);
    expect(test.every((item) => item.live_mode === false)).toBe(true);
    expect(live.every((item) => item.live_mode === true)).toBe(true);
    expect((await service.get(`/sales/${live[0]?.id}`)).status).toBe(404);
    expect((await service.get(`/sales/${live[0]?.id}`, {}, LIVE_KEY)).status).toBe(200);
  });
});

describe('service.md#errors', () => {
  it('answers an unknown item with 404, code 0, message and result', async () => {
    const { status, body } = await service.get('/sales/00000000000000000000');
    expect(status).toBe(404);
    expect(body).toMatchObject({ code: 0, message: expect.any(String), result: expect.any(String) });
  });

  it('answers an unknown path with 404', async () => {
    expect((await service.get('/nothing_here')).status).toBe(404);
  });

  it('answers a bad request with error_code of the form E0000', async () => {
    const { status, body } = await service.get('/sales');
    expect(status).toBe(400);
    expect(body).toMatchObject({ code: 0, message: expect.any(String), result: expect.any(String) });
    expect(body.error_code).toMatch(/^E\d{4}$/);
    expect(body.api_call_id).toHaveLength(20);
    expect(body.api_call_unix).toEqual(expect.any(Number));
  });

  it('refuses what is not JSON before processing, with E0208 and no call id', async () => {
    const { status, body } = await service.post('/customers', '{"campaign": ');
    expect(status).toBe(400);
    expect(body).toMatchObject({
      api_call_id: null,
      code: 0,
      error_code: 'E0208',
      api_call_processed: false,
      valid_json: false,
    });
  });

  it('refuses an invalid payment profile with E0037', async () => {
    const [profile] = (await service.get('/subscription_profiles', { limit: 1, page: 1 })).body.results;
    const { status, body } = await service.post(`/subscription_profiles/${profile.id}`, {
      payment_profile: '00000000000000000000',
    });
    expect([status, body.error_code]).toEqual([400, 'E0037']);
  });

  it('refuses an oversized body', async () => {
    const { status } = await service.post('/key_values', { key: 'big', value: 'x'.repeat(9_000_000) });
    expect(status).toBe(400);
  });
});

describe('service.md#idempotency', () => {
  const key = () => `k-${Math.random()}-${Math.random()}`;

  it('rejects a repeated key with E0583 without running the operation', async () => {
    const idempotency_key = key();
    const first = await service.post('/product_groups', { name: 'Once', products: [], idempotency_key });
    expect(first.status).toBe(200);
    const before = (await service.get('/product_groups', { limit: 1, page: 1 })).body.total_count;
    const second = await service.post('/product_groups', { name: 'Twice', products: [], idempotency_key });
    expect([second.status, second.body.error_code]).toEqual([400, 'E0583']);
    expect((await service.get('/product_groups', { limit: 1, page: 1 })).body.total_count).toBe(before);
  });

  it('knows keys across operations, and by credential', async () => {
    const idempotency_key = key();
    await service.post('/product_groups', { name: 'A', products: [], idempotency_key });
    expect((await service.post('/projects', { name: 'A', idempotency_key })).body.error_code).toBe('E0583');
    expect((await service.post('/projects', { name: 'A', idempotency_key }, LIVE_KEY)).status).toBe(200);
  });

  it('lets a failed request use up its key', async () => {
    const idempotency_key = key();
    expect((await service.post('/sales/00000000000000000000/void', { idempotency_key })).status).toBe(404);
    expect((await service.post('/sales/00000000000000000000/void', { idempotency_key })).body.error_code).toBe('E0583');
  });

  it.each(['short', 'x'.repeat(256)])('refuses a key of another length', async (idempotency_key) => {
    expect((await service.post('/projects', { name: 'A', idempotency_key })).status).toBe(400);
  });

  it('takes an idempotency_key in closed bodies, and nothing else unknown', async () => {
    const sale = (await readAll(service, '/sales'))[0];
    expect((await service.post(`/sales/${sale?.id}/add_fraud_alert`, { idempotency_key: key() })).status).toBe(200);
    const { status, body } = await service.post(`/sales/${sale?.id}/add_fraud_alert`, { colour: 'red' });
    expect(status).toBe(400);
    expect(body.message).toContain('colour');
  });
});

describe('published facts', () => {
  it('records every call for api_calls', async () => {
    const made = await service.post('/projects', { name: 'Recorded' });
    const { body } = await service.get(`/api_calls/${made.body.api_call_id}`);
    expect(body).toMatchObject({
      id: made.body.api_call_id,
      http_status: 200,
      http_method: 'POST',
      path: '/projects',
      live_mode: false,
    });
    const bad = await service.get('/sales');
    expect((await service.get(`/api_calls/${bad.body.api_call_id}`)).body.http_status).toBe(400);
    const listed = await readAll(service, '/api_calls', 1);
    expect(listed.map((item) => item.id)).toContain(made.body.api_call_id);
  });

  it('never keeps a whole card number', async () => {
    const [campaign] = (await service.get('/campaigns', { limit: 1, page: 1 })).body.results;
    const customer = { first_name: 'A', last_name: 'B', email: 'a.b@example.com' };
    const card = { card_number: '4111111111111111', exp_month: 1, exp_year: 30, card_code: '987' };
    const made = await service.post('/customers', { campaign: campaign.id, customer, payment: { credit_card: card } });
    expect(made.status).toBe(200);
    const record = await service.get(`/api_calls/${made.body.api_call_id}`);
    expect(JSON.stringify(record.body)).not.toContain('4111111111111111');
    expect(record.body.raw_request).not.toMatch(/card_code[^,]*987/);
    const cards = await service.get(`/customers/${made.body.customer_id}/payment_methods`, { limit: 25, page: 1 });
    expect(cards.body.results[0]).toMatchObject({ first_6: '411111', last_4: '1111', is_default: true });
    expect(JSON.stringify(cards.body)).not.toContain('4111111111111111');
  });
});
