/** @module-tag thorough */
import { beforeEach, expect, it } from 'vitest';
import { listHandler, notFound, ok, type Recorded } from '../../fixtures/service/service.js';
import { QuickClock } from '../../harness/clock.js';
import { errorOf, forgetFirstDay, json, pair } from '../helpers.js';

const NOW = Date.UTC(2026, 9, 20, 12) / 1000;
const DAY = 86_400;
const FAMILIES = [
  ...['customers', 'sales', 'subscriptions', 'transactions', 'trials', 'shipping', 'pending-refunds', 'products'],
  ...['wallet-transactions', 'fraud-detections', 'chargebacks', 'customer-cards', 'subscription-renewals'],
  ...['product-sales', 'salvage-transactions', 'customer-groups', 'coupons', 'campaigns', 'subscription-profiles'],
];

type Row = Record<string, unknown> & { id: string };
const idOf = (word: string, number: number) => `${word}${String(number).padStart(20 - word.length, '0')}`;
const customer = (number: number, more: object = {}): Row => ({
  id: idOf('Cust', number),
  created_date_unix: NOW - number * 3600 - 100,
  live_mode: false,
  first_name: 'Ada',
  last_name: `Nr${number}`,
  email: `ada.${number}@example.com`,
  ...more,
});
let lists: Record<string, Row[]>;
let now: number;

beforeEach(() => {
  now = NOW;
  const customers = Array.from({ length: 30 }, (_, i) => customer(i));
  lists = {
    customers,
    sales: customers.slice(0, 5).map(({ id, email }, i) => ({
      id: idOf('Sale', i),
      created_date_unix: NOW - i * 3600,
      live_mode: false,
      order_id: `O-26${i}`,
      iso_currency: 'USD',
      amount: 20,
      customer: { id, email },
    })),
  };
});

/** A service whose searches look into all values, as its own do. */
function answer(request: Recorded) {
  const [family = '', word] = request.path.replace(/\?.*/, '').slice(1).split('/');
  const items = lists[family] ?? [];
  if (word === 'search') {
    const term = String(request.query.get('search_term')).toLowerCase();
    const results = items.filter((item) =>
      Object.values(item).some((value) => JSON.stringify(value).toLowerCase().includes(term)),
    );
    return ok({
      results: results.slice(0, 10),
      current_page: 1,
      current_count: results.length,
      total_count: results.length,
      total_pages: 1,
    });
  }
  if (word !== undefined) {
    const found = items.find(({ id }) => id === word);
    return found ? ok(found) : notFound();
  }
  const mine = request.query.get('customer_id');
  const own = mine === null ? items : items.filter((item) => (item.customer as Row | undefined)?.id === mine);
  return listHandler({ items: own, dated: request.query.has('date_start') })(request);
}

async function start() {
  const { service, home } = await pair(answer);
  forgetFirstDay(home);
  const run = async (...words: string[]) => {
    service.requests.length = 0;
    const ran = await home.run(words, { clock: new QuickClock(now * 1000) });
    return { ...ran, requests: service.requests.length };
  };
  return { run };
}

interface Sheet {
  readonly customers?: readonly Row[];
  readonly sales?: readonly Row[];
}

const WORDS = ['ada.3@example.com', idOf('Cust', 7), 'O-262', 'Nr12'];

it('finds out of a current mirror what the service finds, and says as of when', async () => {
  const { run } = await start();
  const asked = new Map<string, unknown>();
  for (const word of WORDS) asked.set(word, json(await run('find', word, '-o', 'json')));
  expect((await run('sync', ...FAMILIES)).code).toBe(0);
  for (const word of WORDS) {
    const kept = await run('find', word, '-o', 'json');
    expect(kept.code, kept.stderr).toBe(0);
    // API calls are in no mirror that nobody asked to hold them.
    expect(kept.requests).toBeLessThanOrEqual(1);
    expect((json(kept) as Sheet).customers?.map(({ id }) => id)).toEqual(
      (asked.get(word) as Sheet).customers?.map(({ id }) => id),
    );
    expect((json(kept) as Sheet).sales?.map(({ id }) => id)).toEqual(
      (asked.get(word) as Sheet).sales?.map(({ id }) => id),
    );
    expect(kept.stderr).toContain('2026-10-20T12:00');
  }
  now += 60;
  expect((await run('find', 'Nr12', '--max-age', '1s')).requests).toBeGreaterThan(5);
});

it('asks the service for what the mirror has read longer ago, and nothing with --no-sync', async () => {
  const { run } = await start();
  expect((await run('find', 'Nr12', '--no-sync')).code).toBe(12);
  expect((await run('sync', ...FAMILIES)).code).toBe(0);
  now += 2 * 3600;
  lists.customers?.push(customer(99, { created_date_unix: now - 10 }));
  expect((await run('find', 'Nr99', '-o', 'json')).code).toBe(0);
  const left = await run('find', 'Nr99', '--no-sync');
  expect([left.requests, left.code]).toEqual([0, 4]);
});

it('finds what the mirror had seen by then', async () => {
  const { run } = await start();
  expect((await run('sync', ...FAMILIES)).code).toBe(0);
  now += 3 * DAY;
  lists.customers = [customer(3, { last_name: 'Lovelace' }), customer(50, { created_date_unix: now - 3600 })];
  expect((await run('sync', ...FAMILIES, '--full')).code).toBe(0);
  const names = async (...words: string[]) =>
    (json(await run('find', ...words, '--in', 'customers', '-o', 'json')) as Sheet).customers?.map(
      (row) => row.last_name,
    );
  expect(await names(idOf('Cust', 3))).toEqual(['Lovelace']);
  expect(await names(idOf('Cust', 3), '--as-of', '2026-10-21')).toEqual(['Nr3']);
  expect(await names('ada.12@example.com', '--as-of', '2026-10-21')).toEqual(['Nr12']);
  const later = await run('find', 'ada.50@example.com', '--in', 'customers', '--as-of', '2026-10-21');
  expect([later.code, later.requests]).toEqual([4, 0]);
  const early = await run('find', 'Nr3', '--as-of', '2026-10-19', '-o', 'json');
  expect([early.code, early.stdout]).toEqual([10, '']);
  expect(errorOf(early)).toMatchObject({ watched_since: expect.stringContaining('2026-10-20T12:00') });
});

it('shows a customer out of a current mirror, and asks for what it does not hold', async () => {
  const { run } = await start();
  const asked = await run('customers', 'show', 'ada.3@example.com', '-o', 'json');
  expect((await run('sync', ...FAMILIES)).code).toBe(0);
  const kept = await run('customers', 'show', 'ada.3@example.com', '-o', 'json');
  expect(kept.requests).toBeLessThanOrEqual(12);
  expect(kept.requests).toBeLessThan(asked.requests + 12);
  expect((json(kept) as { customer?: Row }).customer).toEqual((json(asked) as { customer?: Row }).customer);
  expect((await run('customers', 'show', 'ada.3@example.com', '--as-of', 'yesterday')).code).toBe(2);
});
