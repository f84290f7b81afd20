/** @module-tag thorough */
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { listHandler, ok } from '../../fixtures/service/service.js';
import { QuickClock } from '../../harness/clock.js';
import { errorOf, forgetFirstDay, json, pair } from '../helpers.js';

const NOW = Date.UTC(2026, 9, 20, 12) / 1000;
const DAY = 86_400;

type Row = Record<string, unknown> & { id: string; created_date_unix: number };
const idOf = (word: string, number: number) => `${word}${String(number).padStart(20 - word.length, '0')}`;
const sale = (number: number, daysAgo: number, amount: number): Row => ({
  id: idOf('Sale', number),
  created_date_unix: NOW - daysAgo * DAY - 100,
  live_mode: false,
  status: 'approved',
  iso_currency: number === 2 ? 'JPY' : 'USD',
  amount,
  amount_captured: amount,
  amount_fees: 0,
  customer: { id: idOf('Cust', 1), email: 'one@example.com', country: 'USA' },
});
let sales: Row[];
let now: number;

beforeEach(() => {
  now = NOW;
  sales = [sale(1, 3, 20.5), sale(2, 2, 700), sale(3, 2, 8)];
});

async function start() {
  const empty = { results: [], current_page: 1, current_count: 0, total_count: 0, total_pages: 1 };
  const { service, home } = await pair((request) =>
    request.query.has('limit') && /^\/sales\b/.test(request.path)
      ? listHandler({ items: sales, dated: request.query.has('date_start') })(request)
      : ok(empty),
  );
  forgetFirstDay(home);
  const run = async (...words: string[]) => {
    service.requests.length = 0;
    const ran = await home.run(words, { clock: new QuickClock(now * 1000) });
    return { ...ran, requests: service.requests.length };
  };
  return { run, home };
}

/** Two looks: between them a sale lost 5, one went, and one came. */
async function twoLooks() {
  const started = await start();
  expect((await started.run('sync', '-q')).code).toBe(0);
  now += 10 * DAY;
  sales = [{ ...(sales[0] as Row), amount_captured: 15.25, status: 'voided' }, sales[1] as Row, sale(4, -5, 3)];
  expect((await started.run('sync', '-q')).code).toBe(0);
  return started;
}

const QUERY =
  'select id, status, amount_captured_minor as paid, substr(seen_at, 1, 16) as seen_at from sales order by id';
const THEN = '2026-10-22';

it('answers a query with the states seen by then, and no request', async () => {
  const { run } = await twoLooks();
  const then = await run('sql', QUERY, '--as-of', THEN, '-o', 'json');
  expect([then.code, then.requests], then.stderr).toEqual([0, 0]);
  const seen_at = '2026-10-20T12:00';
  expect(json(then)).toEqual([
    { id: idOf('Sale', 1), status: 'approved', paid: 2050, seen_at },
    { id: idOf('Sale', 2), status: 'approved', paid: 700, seen_at },
    { id: idOf('Sale', 3), status: 'approved', paid: 800, seen_at },
  ]);
  const today = await run('sql', QUERY.replace(/, substr.*(?= from)/, ''), '-o', 'json');
  expect(json(today)).toEqual([
    { id: idOf('Sale', 1), status: 'voided', paid: 1525 },
    { id: idOf('Sale', 2), status: 'approved', paid: 700 },
    { id: idOf('Sale', 4), status: 'approved', paid: 300 },
  ]);
  const past = 'select count(*) as n from main.raw_sales';
  expect((await run('sql', past, '--as-of', THEN)).code).toBe(2);
});

it('reports what was seen by then', async () => {
  const { run } = await twoLooks();
  const gross = async (...words: string[]) => {
    const ran = await run('report', 'revenue', '--month', '2026-10', '--by', 'currency', '-o', 'json', ...words);
    expect(ran.code, ran.stderr).toBe(0);
    const rows = (json(ran) as { rows: { currency: string; gross: string }[] }).rows;
    return { code: ran.code, gross: rows.map(({ currency, gross }) => `${currency} ${gross}`), stderr: ran.stderr };
  };
  const then = await gross('--as-of', THEN);
  expect([then.code, then.gross], then.stderr).toEqual([0, ['JPY 700', 'USD 28.5']]);
  expect((await gross('--no-sync')).gross).toEqual(['JPY 700', 'USD 18.25']);
});

it('shows only the changes seen by then', async () => {
  const { run } = await twoLooks();
  const words = ['changes', 'sales', '--since', '2026-10-19', '-o', 'json'];
  expect(json(await run(...words))).toHaveLength(3);
  const then = await run(...words, '--as-of', THEN);
  expect(json(then)).toEqual([]);
});

it('ends with 10 and the first day before the mirror watched, and never shows a row of today', async () => {
  const { run } = await twoLooks();
  for (const words of [
    ['sql', QUERY],
    ['report', 'revenue', '--month', '2026-10'],
    ['changes', 'sales', '--since', '2026-10-10'],
  ]) {
    const early = await run(...words, '--as-of', '2026-10-19', '-o', 'json');
    expect([early.code, early.stdout], words[0]).toEqual([10, '']);
    expect(errorOf(early)).toMatchObject({ watched_since: expect.stringContaining('2026-10-20T12:00') });
  }
});

it('leaves out what was there and was seen later, and ends with 10', async () => {
  const { run } = await twoLooks();
  const between = await run('sql', QUERY, '--as-of', '2026-10-27', '-o', 'json');
  expect(between.code).toBe(10);
  expect(json(between)).toHaveLength(3);
});

it('refuses a moment ahead, one that nobody watched up to, and commands that look at now', async () => {
  const { run } = await start();
  expect((await run('sql', QUERY, '--as-of', '2027-01-01')).code).toBe(2);
  expect((await run('sql', QUERY, '--as-of', 'yesterday')).code).toBe(10);
  expect((await run('report', 'close', '--month', 'last', '--as-of', 'yesterday')).code).toBe(2);
  expect((await run('customers', 'get', idOf('Cust', 1), '--as-of', 'yesterday')).code).toBe(2);
  expect((await run('sync', '--as-of', 'yesterday')).code).toBe(2);
  expect((await run('sync', '-q')).code).toBe(0);
  now += 10 * DAY;
  expect((await run('sql', QUERY, '--as-of', 'yesterday')).code).toBe(10);
});

it('asks a named file as of then', async () => {
  const { run, home } = await start();
  const file = path.join(home.folder, 'm.sqlite');
  expect((await run('sync', '-q', file)).code).toBe(0);
  now += DAY;
  sales = [];
  expect((await run('sync', '-q', file)).code).toBe(0);
  const then = await run('sql', QUERY, '--mirror', file, '--as-of', '2026-10-20T18:00', '-o', 'json');
  expect(json(then), then.stderr).toHaveLength(3);
});
