/** Any request through `cops api`, with the guards of every other command. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { listHandler, ok, type Recorded, refusal, serverError, wrote } from '../fixtures/service/service.js';
import { A, errorOf, items, json, KEY, pair } from './helpers.js';
import type { Home } from './program.js';

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
  expect(ran.stderr).toContain('in pages of a range: it was read with');
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

/** Spellings of a refund that one server or another takes for the plain one. */
const SPELLINGS = [
  `/v2/transactions/${A}/refund`,
  `/api/v2/transactions/${A}/refund`,
  `/transactions/${A}/REFUND`,
  `/Transactions/${A}/refund`,
  `/transactions/${A}/refund;x`,
  `/transactions;x/${A}/refund`,
  `/transactions/${A}/refund%20`,
  `/transactions/${A}/refund%00`,
  `/transactions/${A}/refund.json`,
  `/transactions%2F${A}/refund`,
  `/transactions/${A}%2frefund`,
  `/transactions/${A}%5Crefund`,
  `/transactions/${A}\\refund`,
  `/transactions/${A}/%2572efund`,
  `/transactions/x/../${A}/refund`,
  `/transactions/./${A}/refund`,
  `/transactions/%2e/${A}/refund`,
  `/transactions/${A}/re\tfund`,
  `/transactions/${A}/refund\u200b`,
  `/transactions/${A}/ｒefund`,
  `//transactions/${A}/refund`,
  `/transactions/${A}/ref%75nd`,
  `/transactions//${A}///refund//`,
  `/transactions/${A}/refund?x=1`,
  `transactions/${A}/refund?`,
];

const posts = ({ requests }: { readonly requests: readonly Recorded[] }) =>
  requests.filter(({ method }) => method === 'POST').length;

function setPolicy(home: Home, ...rules: readonly string[]): void {
  const folder = home.env.COPS_CONFIG_DIR ?? '';
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    path.join(folder, 'policy.yaml'),
    `zone: UTC\nrules:\n${rules.map((rule) => `  - ${rule}\n`).join('')}`,
  );
}

describe('a path that is spelled otherwise', () => {
  it('walks round no rule of the policy', async () => {
    const { service, home } = await pair(() => wrote('item', A));
    setPolicy(home, '{name: no-refunds, never: [transactions refund]}');
    for (const spelling of SPELLINGS) {
      const ran = await home.run(['api', 'POST', spelling, '-d', 'amount=1', '--yes']);
      expect([2, 12], spelling).toContain(ran.code);
    }
    expect(posts(service)).toBe(0);
  });

  it('repeats no write whose outcome is unknown', async () => {
    const { service, home } = await pair((request) =>
      request.method === 'POST' ? serverError(502) : ok({ id: A, live_mode: false, amount: 9, iso_currency: 'USD' }),
    );
    expect((await home.run(['transactions', 'refund', A, '-d', 'amount=1', '--yes'])).code).toBe(9);
    const before = posts(service);
    for (const spelling of SPELLINGS) {
      const ran = await home.run(['api', 'POST', spelling, '-d', 'amount=1', '--yes']);
      expect([2, 12], spelling).toContain(ran.code);
    }
    expect(posts(service)).toBe(before);
  });

  it('is no other operation for a part of it that stands in the base URL', async () => {
    const { service, home } = await pair(({ method }) =>
      method === 'POST' ? serverError(502) : ok({ id: A, live_mode: false, amount: 9, iso_currency: 'USD' }),
    );
    const whole = ['transactions', A, 'refund'];
    expect((await home.run(['transactions', 'refund', A, '-d', 'amount=1', '--yes', '--mode-unproven'])).code).toBe(9);
    const before = posts(service);
    for (const inBase of [1, 2, 3]) {
      const base = [service.baseUrl, ...whole.slice(0, inBase)].join('/');
      const rest = `/${whole.slice(inBase).join('/')}`;
      const ran = await home.run([
        'api',
        'POST',
        rest,
        '-d',
        'amount=1',
        '--yes',
        '--mode-unproven',
        '--base-url',
        base,
      ]);
      expect([2, 12], ran.stderr).toContain(ran.code);
    }
    const { origin } = new URL(service.baseUrl);
    for (const front of ['%74ransactions', 'transactions;x=1', 'TRANSACTIONS%2F..%2Ftransactions', '/transactions/']) {
      const base = `${origin}/api/v2/${front}/${A}`;
      const line = ['api', 'POST', '/refund', '-d', 'amount=1', '--yes', '--mode-unproven', '--base-url', base];
      const ran = await home.run(line);
      expect([2, 12], `${front}: ${ran.stderr}`).toContain(ran.code);
    }
    expect(posts(service)).toBe(before);
  });

  it('is sent as it was judged', async () => {
    const { service, home } = await pair(() => wrote('item', A));
    for (const spelling of [`/customer%5fgroups//${A}/`, `customer_groups/${A}`])
      expect((await home.run(['api', 'POST', spelling, '-d', 'name=x', '--again'])).code, spelling).toBe(0);
    expect(service.requests.map(({ url }) => new URL(url, 'http://x').pathname.replace('/api/v2', ''))).toEqual([
      `/customer_groups/${A}`,
      `/customer_groups/${A}`,
    ]);
  });

  it("is known in the service's own word for a wallet", async () => {
    const { service, home } = await pair(() => wrote('item', A));
    const add = ['profiles', 'add', 'acme', '--base-url', service.baseUrl, '--test-key', 'env:THE_KEY'];
    expect((await home.run([...add, '--wallet-word', 'purse'], { env: { THE_KEY: KEY } })).code).toBe(0);
    setPolicy(home, '{name: no-wallets, never: [wallet-transactions]}');
    const line = ['api', 'POST', `/purse_transactions/${A}/refund`, '-p', 'acme', '--yes', '-o', 'json'];
    const ran = await home.run(line, { env: { THE_KEY: KEY, COPS_API_KEY: '', COPS_BASE_URL: '' } });
    expect(ran.code, ran.stderr).toBe(12);
    expect(errorOf(ran)).toMatchObject({ rule: 'no-wallets', limit: 'never' });
    expect(posts(service)).toBe(0);
  });
});

describe('a path that the catalogue does not know', () => {
  it.each([
    ['never', '{name: one, never: [transactions refund]}'],
    ['only', '{name: one, only: [customers]}'],
    ['operations', '{name: one, operations: [transactions], most: {USD: 5}}'],
    ['operations', '{name: one, operations: [transactions], reason: true}'],
  ])('is stopped by a rule that names operations: %s of %s', async (limit, rule) => {
    const { service, home } = await pair(() => wrote('item', A));
    setPolicy(home, rule);
    const ran = await home.run(['api', 'POST', '/never_heard_of', '--yes', '--reason', 'r', '-o', 'json']);
    expect(ran.code, ran.stderr).toBe(12);
    expect(errorOf(ran)).toMatchObject({ rule: 'one', limit });
    expect(posts(service)).toBe(0);
  });

  it.each([
    '{name: one, operations: [transactions refund], alone: [transactions refund]}',
    '{name: one, reason: true}',
    '{name: one, only: [api]}',
    '{name: one, modes: [live], never: [transactions refund]}',
  ])('passes a rule that names no operation it could be: %s', async (rule) => {
    const { service, home } = await pair(() => wrote('item', A));
    setPolicy(home, rule);
    const ran = await home.run(['api', 'POST', '/never_heard_of', '--yes', '--reason', 'r']);
    expect(ran.code, ran.stderr).toBe(0);
    expect(posts(service)).toBe(1);
  });
});

it('counts no amount of a write with parameters that nobody knows', async () => {
  const { service, home } = await pair((request) =>
    request.method === 'POST'
      ? wrote('item', A)
      : ok({ id: A, live_mode: false, amount: 9, amount_total: 9, amount_refunded: 0, iso_currency: 'USD' }),
  );
  setPolicy(home, '{name: most, most: {USD: 5}}');
  const refund = `/transactions/${A}/refund`;
  expect((await home.run(['api', 'POST', `${refund}?amount=900`, '-d', 'amount=1', '--yes'])).code).toBe(12);
  expect(posts(service)).toBe(0);
  expect((await home.run(['api', 'POST', refund, '-d', 'amount=1', '--yes'])).code).toBe(0);
});

it.each(['true', 1, null])('takes a live_mode of %j for unknown, and says so', async (live_mode) => {
  const item = { id: A, live_mode, created_date_unix: 1_780_000_000 };
  const list = { results: [item], current_page: 1, current_count: 1, total_count: 1, total_pages: 1 };
  const serve = ({ path, method }: { path: string; method: string }) =>
    method === 'POST' ? ok({ result: 'ok' }) : ok(path.endsWith(A) ? item : list);
  const { service, home } = await pair(serve, 'test', {}, false);
  const said = /live_mode that is neither true nor false/g;
  for (const line of [`sales get ${A}`, 'sales list --last 90d', 'export sales --to 2026-05-20 --last 9d --out -']) {
    const ran = await home.run([...line.split(' '), ...(line.startsWith('export') ? [] : ['-o', 'json'])]);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stderr.match(said)).toHaveLength(1);
  }
  // It proves no key: money is not moved on its word.
  const write = await home.run(['sales', 'void', A, '--yes', '-o', 'json']);
  expect(write.code, write.stderr).toBe(12);
  expect(service.requests.filter(({ method }) => method === 'POST')).toEqual([]);
});
