/** @module-tag thorough */
import { expect, it, vi } from 'vitest';
import { listHandler, ok, type Recorded, wrote } from '../../fixtures/service/service.js';
import { A, B, C, errorOf, json, pair } from '../helpers.js';

const JANE = { id: A, first_name: 'Jane', last_name: 'Miller', email: 'jane@example.com', internal_id: 'C-1' };
const CREATED = { created_date_unix: 1_700_000_000 };

/** A service of customers: search, list, get and writes. */
function customers(items: readonly Record<string, unknown>[], live = false) {
  const list = listHandler({ items: items.map((item) => ({ live_mode: live, ...CREATED, ...item })) });
  return (request: Recorded) => {
    if (request.method === 'POST') return wrote('customer', A);
    if (request.path.startsWith('/customers/search')) {
      const term = request.query.get('search_term') ?? '';
      const hits = items.filter((item) =>
        `${JSON.stringify(item)} ${item.first_name} ${item.last_name}`.toLowerCase().includes(term.toLowerCase()),
      );
      return ok({ results: hits.map(({ id, email }) => ({ id, email })), total_count: hits.length });
    }
    const own = items.find(({ id }) => request.path === `/customers/${id as string}`);
    if (own) return ok({ ...own, live_mode: live });
    return list(request);
  };
}
const posts = (requests: readonly Recorded[]) => requests.filter(({ method }) => method === 'POST');

it('reads by e-mail address, internal id and exact name', async () => {
  const { home } = await pair(
    customers([JANE, { id: B, first_name: 'Jane', last_name: 'Roe', email: 'roe@example.com' }]),
  );
  for (const word of ['JANE@example.com', 'C-1', 'Jane Miller']) {
    const ran = await home.run(['customers', 'get', word, '-o', 'json']);
    expect(ran, word).toMatchObject({ code: 0 });
    expect(json<{ id: string }>(ran).id, word).toBe(A);
    expect(ran.stderr).toContain(`is ${A}`);
  }
});

it('never takes twenty id characters for a name, nor a mistyped id', async () => {
  const { service, home } = await pair(customers([{ ...JANE, internal_id: 'ABCDEFGHIJKLMNOPQRST' }]));
  await home.run(['customers', 'get', 'ABCDEFGHIJKLMNOPQRST']);
  expect(service.requests.map(({ path }) => path)).toEqual(['/customers/ABCDEFGHIJKLMNOPQRST']);
  const mistyped = await home.run(['customers', 'get', 'MhGYLx9YDdWyXDDemdN']);
  expect(mistyped.code).toBe(2);
  expect(service.requests).toHaveLength(1);
});

it('lists the candidates of a name that means several, and sends nothing', async () => {
  const { service, home } = await pair(customers([JANE, { ...JANE, id: B }]));
  const ran = await home.run(['customers', 'disable', 'jane@example.com', '--yes', '-o', 'json']);
  expect(ran.code).toBe(2);
  expect(errorOf(ran).hint).toContain(A);
  expect(errorOf(ran).hint).toContain(B);
  expect(posts(service.requests)).toEqual([]);
});

it('proves over all windows that a name is the only one before a write in test mode', async () => {
  const { service, home } = await pair(customers([JANE]));
  const ran = await home.run(['customers', 'disable', 'jane@example.com', '-o', 'json']);
  expect(ran.code).toBe(0);
  expect(service.requests.filter(({ path }) => path === '/customers').length).toBeGreaterThan(60);
  expect(posts(service.requests).map(({ path }) => path)).toEqual([`/customers/${A}/disable`]);
});

it('refuses a write where the list cannot be proven', async () => {
  const serve = customers([JANE]);
  const { service, home } = await pair((request) => {
    if (request.path !== '/customers') return serve(request);
    return ok({ results: [], total_count: 1, total_pages: 1 });
  });
  const ran = await home.run(['customers', 'disable', 'jane@example.com', '-o', 'json']);
  expect(ran.code).toBe(2);
  expect(posts(service.requests)).toEqual([]);
});

it('asks before every live write by name; --yes alone confirms no name', async () => {
  const { service, home } = await pair(customers([JANE], true), 'live');
  const line = ['customers', 'edit', 'jane@example.com', '-d', 'customer.phone=5550100', '-o', 'json'];
  const alone = await home.run([...line, '--yes']);
  expect(alone.code).toBe(12);
  expect(errorOf(alone).hint).toContain('--no-strict-ids');
  expect(posts(service.requests)).toEqual([]);
  expect(await home.run([...line, '--yes', '--no-strict-ids'])).toMatchObject({ code: 0 });
  expect(posts(service.requests)).toHaveLength(1);
  const history = json<{ ids: string[]; named: object }[]>(await home.run(['history', 'list', '-o', 'json']));
  expect(history[0]).toMatchObject({ ids: [A], named: { 'jane@example.com': A } });
});

it('shows in the question what the name was found to mean, and what is to be set', async () => {
  const { service, home } = await pair(customers([JANE], true), 'live');
  const sets = ['-d', 'customer.phone=5550100', '-d', 'customer.email=new@example.com'];
  const run = home.start(['customers', 'edit', 'jane@example.com', ...sets, '--yes'], { terminal: 100 });
  await vi.waitFor(() => expect(run.stderr() + run.stdout()).toContain('Go ahead?'), 10_000);
  run.type('n\r');
  const ran = await run.ended;
  expect(ran.code).toBe(12);
  expect(ran.stderr).toContain(`"jane@example.com" is ${A} (Jane Miller, jane@example.com)`);
  expect(ran.stderr).toContain('  customer.phone: 5550100');
  expect(ran.stderr).toContain('  customer.email: jane@example.com → new@example.com');
  expect(posts(service.requests)).toEqual([]);
});

it('takes a name in a filter and in a body', async () => {
  const serve = customers([JANE]);
  const { service, home } = await pair((request) => {
    if (request.path.startsWith('/customers')) return serve(request);
    if (request.method === 'POST') return wrote('note', B);
    return listHandler({ items: [] })(request);
  });
  await home.run(['pending-refunds', 'list', '--last', '7d', '--customer', 'jane@example.com']);
  expect(service.requests.at(-1)?.query.get('customer_id')).toBe(A);
  const ran = await home.run([
    'notes',
    'create',
    '--item-type',
    'customer',
    '--item-id',
    'jane@example.com',
    '--text',
    'x',
  ]);
  expect(ran.code).toBe(0);
  expect(posts(service.requests).at(-1)?.json).toMatchObject({ item_id: A });
});

it('looks nothing up in a dry run', async () => {
  const { service, home } = await pair(customers([JANE]));
  const ran = await home.run(['customers', 'disable', 'jane@example.com', '--dry-run', '-o', 'json']);
  expect(ran.code).toBe(2);
  expect(errorOf(ran).hint).toContain('cops find');
  expect(service.requests).toEqual([]);
});

const CARDS = [
  { id: B, type: 'visa', last_4: '4242', expiry_date: '12/30' },
  { id: C, type: 'mastercard', last_4: '0119', expiry_date: '01/29' },
];
const wallet = (cards: readonly object[]) => (request: Recorded) => {
  if (request.method === 'POST') return wrote('customer_card', B);
  if (request.path === `/customers/${A}/payment_methods`) return ok({ results: cards, total_count: cards.length });
  return ok({ id: A, live_mode: false, ...CARDS[0] });
};

it.each(['4242', '****4242', 'visa 4242'])('takes a card by its last four digits: %s', async (word) => {
  const { service, home } = await pair(wallet(CARDS));
  const ran = await home.run(['customers', 'payment-methods', 'disable', A, word, '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toContain(`"${word}" is ${B} (visa 4242 12/30).`);
  expect(posts(service.requests).map(({ path }) => path)).toEqual([`/customers/${A}/payment_methods/${B}/disable`]);
});

it('never guesses among cards, and names those that there are', async () => {
  const { service, home } = await pair(wallet([...CARDS, { ...CARDS[0], id: A }]));
  const twice = await home.run(['customers', 'payment-methods', 'disable', A, '4242', '-o', 'json']);
  expect(errorOf(twice)).toMatchObject({ kind: 'usage', message: expect.stringContaining('2 items') });
  const none = await home.run(['customers', 'payment-methods', 'disable', A, '1111', '-o', 'json']);
  expect(errorOf(none).hint).toContain(`${C} (mastercard 0119 01/29)`);
  expect(posts(service.requests)).toEqual([]);
});

/** Two customers of one address, and renewals by customer, the newest first. */
function renewals(owners: readonly string[], live = false) {
  const people = [JANE, { ...JANE, id: B, first_name: 'Janet' }];
  const serve = customers(people, live);
  const list = listHandler({
    items: owners.map((owner, at) => ({
      id: `RENEWAL${String(at).padStart(13, '0')}`,
      customer: people.find(({ id }) => id === owner),
      amount: 10,
      amount_captured: 10,
      amount_gross: 10,
      amount_refunded: 0,
      iso_currency: 'USD',
      live_mode: live,
      created_date_unix: CREATED.created_date_unix - at,
    })),
  });
  return (request: Recorded) => {
    if (request.method === 'POST') return wrote('pending_refund', C);
    return request.path.startsWith('/subscription_renewals') ? list(request) : serve(request);
  };
}

it.each([
  ['test', ['--yes'], 2],
  ['live', ['--yes', '--no-strict-ids'], 12],
] as const)('takes the latest of several people for nobody in %s mode', async (mode, more, code) => {
  const { service, home } = await pair(renewals([A, B], mode === 'live'), mode);
  const line = ['subscription-renewals', 'refund', 'jane@example.com', '--latest', ...more, '-o', 'json'];
  const ran = await home.run(line);
  expect(ran.code, ran.stderr).toBe(code);
  expect(posts(service.requests)).toEqual([]);
  expect(errorOf(ran).hint).toContain(A);
  expect(errorOf(ran).hint).toContain(B);
});

it.each([
  [[A, A], ['--latest']],
  [[A], []],
] as const)('takes the one of one person, and says that another has the same address: %j', async (owners, more) => {
  const { service, home } = await pair(renewals(owners));
  const ran = await home.run(['subscription-renewals', 'refund', 'jane@example.com', ...more, '--yes']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toContain(`customer ${A}, one of 2 with this address`);
  expect(posts(service.requests).map(({ path }) => path)).toEqual([
    '/subscription_renewals/RENEWAL0000000000000/refund',
  ]);
});

it('asks about the one that is still open only where all are of one person', async () => {
  const serve = (owners: readonly string[]) => {
    const base = renewals(owners);
    const statuses = ['active', 'canceled'];
    const list = listHandler({
      items: owners.map((owner, at) => ({
        id: `SUBSCRIPTION${String(at).padStart(8, '0')}`,
        customer: { ...JANE, id: owner },
        status: statuses[at],
        live_mode: false,
        ...CREATED,
      })),
    });
    return (request: Recorded) =>
      request.method === 'GET' && request.path.startsWith('/subscriptions') ? list(request) : base(request);
  };
  const others = await pair(serve([A, B]));
  const doubted = await others.home.run(['subscriptions', 'cancel', 'jane@example.com'], { terminal: 100 });
  // One of them is to be picked, and nobody answers.
  expect(doubted.code, doubted.stderr).toBe(12);
  expect(posts(others.service.requests)).toEqual([]);
});
