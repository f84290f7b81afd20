/** Any request through `cops api`, with the guards of every other command. */
import { expect, it } from 'vitest';
import { listHandler, ok, type Recorded, refusal, serverError, wrote } from '../fixtures/service/service.js';
import { A, items, json, KEY, pair } from './helpers.js';

it('sends a GET with its query and gives the whole answer', async () => {
  const { service, home } = await pair(() => ok({ results: [], total_count: 0 }));
  const ran = await home.run([
    'api',
    'GET',
    '/customers?limit=5',
    '--param',
    'page=1',
    '--param',
    'campaign_filter=a b&c',
  ]);
  expect(json(ran)).toMatchObject({ code: 1, results: [] });
  const { query } = service.requests[0] as Recorded;
  expect([query.get('limit'), query.get('page'), query.get('campaign_filter')]).toEqual(['5', '1', 'a b&c']);
});

it('reads all pages with --paginate', async () => {
  const { home } = await pair({ routes: { 'GET /campaigns': listHandler({ items: items(60), dated: false }) } });
  expect(json<unknown[]>(await home.run(['api', 'GET', '/campaigns', '--paginate']))).toHaveLength(60);
});

it('reads the last 30 days of a list that is refused without a range, and says so', async () => {
  const list = listHandler({ items: items(3), spanDays: 90 });
  const { service, home } = await pair({
    routes: {
      'GET /sales': (request) =>
        request.query.has('date_start')
          ? list(request)
          : refusal(400, 'E0001', 'The parameter date_start is required.'),
    },
  });
  const ran = await home.run(['api', 'GET', '/sales']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toContain('in pages of a range: read as');
  const { query } = service.requests.at(-1) as Recorded;
  expect(Number(query.get('date_end')) - Number(query.get('date_start'))).toBe(30 * 86_400);
  // Whoever gives a range of their own gets no other.
  const own = await home.run(['api', 'GET', '/sales?date_start=1&date_end=2']);
  expect(own.stderr).not.toContain('of a range');
});

it('sends a POST with a key and keeps a line of history', async () => {
  const { service, home } = await pair(() => wrote('customer_group', A));
  const ran = await home.run(['api', 'post', '/customer_groups', '-d', 'name=x']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(service.requests[0]?.json).toMatchObject({
    name: 'x',
    idempotency_key: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(json<unknown[]>(await home.run(['history', 'list', '-o', 'json']))).toHaveLength(1);
});

it('ends with 9 when the outcome is unknown', async () => {
  const { home } = await pair(() => serverError());
  expect((await home.run(['api', 'POST', '/customer_groups', '-d', 'name=x'])).code).toBe(9);
});

it.each(['PUT', 'DELETE', 'PATCH', 'HEAD'])('refuses %s', async (method) => {
  const { service, home } = await pair();
  expect((await home.run(['api', method, '/customers'])).code).toBe(2);
  expect(service.requests).toHaveLength(0);
});

it.each([
  'https://evil.example/x',
  '//evil.example/x',
  '/../admin',
  '/customers/../x',
  '/%2e%2e/x',
  '/a#b',
  '/a\\..\\b',
])('sends the key to no other place: %s', async (path) => {
  const { service, home } = await pair(() => ok());
  const ran = await home.run(['api', 'GET', path]);
  for (const { url } of service.requests) expect(url.startsWith('/api/v2/')).toBe(true);
  if (service.requests.length === 0) expect(ran.code).toBe(2);
  expect(ran.stdout + ran.stderr).not.toContain(KEY);
});

it.each(['\\\\evil.example\\x', '/a\\b'])('takes no backslash for a slash: %s', async (path) => {
  const { service, home } = await pair(() => ok());
  expect((await home.run(['api', 'POST', path, '--yes'])).code).toBe(2);
  expect(service.requests).toHaveLength(0);
});

it.each([
  ['/customers', '--param', 'card_number=4111111111111111'],
  ['/customers', '--param', 'q=4111 1111 1111 1111'],
  ['/customers?apiKey=4111111111111111'],
])('takes no secret into an address: %s %s %s', async (...words) => {
  const { service, home } = await pair(() => ok());
  const ran = await home.run(['api', 'GET', ...words, '--debug']);
  expect([ran.code, service.requests.length]).toEqual([2, 0]);
  expect(ran.stdout + ran.stderr).not.toMatch(/4111/);
});

it('stops at an item that contradicts the mode', async () => {
  const { home } = await pair(() => ok({ id: A, live_mode: true }), 'test');
  expect(await home.run(['api', 'GET', `/customers/${A}`])).toMatchObject({ code: 12, stdout: '' });
});

it('prints a dry run and sends nothing', async () => {
  const { service, home } = await pair();
  const ran = await home.run(['api', 'POST', '/customer_groups', '-d', 'name=x', '--dry-run']);
  expect(json(ran)).toMatchObject({ method: 'POST', url: `${service.baseUrl}/customer_groups`, body: { name: 'x' } });
  expect(service.requests).toHaveLength(0);
});
