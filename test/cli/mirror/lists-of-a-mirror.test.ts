/** @module-tag thorough */
import { expect, it } from 'vitest';
import { listHandler, ok, refusal } from '../../fixtures/service/service.js';
import { QuickClock } from '../../harness/clock.js';
import { FEW, laySandbox } from '../../harness/seeded.js';
import { errorOf, forgetFirstDay, json, pair } from '../helpers.js';
import { Home } from '../program.js';

const NOW = Date.UTC(2026, 9, 20, 12) / 1000;
const DAY = 86_400;

type Row = Record<string, unknown> & { id: string; created_date_unix: number };
const idOf = (word: string, number: number) => `${word}${String(number).padStart(20 - word.length, '0')}`;
const made = (daysAgo: number) => ({ created_date_unix: NOW - daysAgo * DAY, live_mode: false });

/** The last sync, at which nothing had changed. */
const LAST = NOW + 2 * DAY + 7200;
const AT = (day: number) => new Date((NOW + day * DAY + 3600) * 1000).toISOString();

const customer = (number: number, country: string): Row => ({
  ...{ id: idOf('Cust', number), ...made(100 - number) },
  ...{ email: `c${number}@example.com`, country, is_trial: false },
});
const sale = (number: number, of: number, status: string): Row => ({
  ...{ id: idOf('Sale', number), ...made(20 - number) },
  ...{ customer: { id: idOf('Cust', of) }, status, amount: '10.00', iso_currency: 'USD' },
});

/** An account of 40 customers and 12 sales that was synced on three days, and changed between them. */
async function watched(more: readonly string[] = []) {
  const lists: Record<string, Row[]> = {
    '/customers': Array.from({ length: 40 }, (_, at) => customer(at, at % 4 === 0 ? 'CAN' : 'USA')),
    '/sales': Array.from({ length: 12 }, (_, at) => sale(at, at, 'paid')),
  };
  const { service, home } = await pair((request) => {
    const [, family, id] = /^(\/\w+)\/(\w+)$/.exec(request.path) ?? [];
    if (family !== undefined) {
      const row = lists[family]?.find((one) => one.id === id);
      return row ? ok({ ...row, live_mode: false }) : refusal(404);
    }
    return listHandler({ items: lists[request.path] ?? [], dated: request.query.has('date_start') })(request);
  });
  forgetFirstDay(home);
  const runAt = async (now: number, words: readonly string[]) => {
    service.requests.length = 0;
    const ran = await home.run(words, { clock: new QuickClock(now * 1000) });
    return { ...ran, paths: service.requests.map(({ path }) => path) };
  };
  const change = (family: string, number: number, changed: object): void => {
    const row = lists[family]?.[number];
    if (row) Object.assign(row, changed);
  };
  const sync = (now: number) => runAt(now, ['sync', 'customers', 'sales', ...more]);
  await sync(NOW);
  change('/customers', 0, { country: 'USA' });
  change('/sales', 3, { status: 'refunded' });
  lists['/customers']?.pop();
  await sync(NOW + DAY);
  change('/customers', 4, { country: 'USA' });
  await sync(NOW + 2 * DAY);
  await sync(LAST);
  return { runAt, change, lists };
}

it('answers a list as of a day on which the mirror watched, each row with the time at which it was seen', async () => {
  const { runAt } = await watched();
  const count = async (day: number, where: readonly string[] = ['--where', 'country=CAN']) => {
    const ran = await runAt(NOW + 3 * DAY, ['customers', 'list', '--as-of', AT(day), ...where, '-o', 'json']);
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.paths).toEqual([]);
    return json<Row[]>(ran);
  };
  expect(await count(0)).toHaveLength(10);
  expect(await count(1)).toHaveLength(9);
  expect(await count(2)).toHaveLength(8);
  expect(await count(0, [])).toHaveLength(40);
  const then = await count(1, []);
  expect(then).toHaveLength(39);
  const seen = new Map(then.map((row) => [row.id, row._seen_at_unix]));
  expect(Number(seen.get(idOf('Cust', 0)))).toBeGreaterThan(NOW + DAY - 60);
  expect(Number(seen.get(idOf('Cust', 1)))).toBeLessThan(NOW + 60);
});

it('ends with 10 and the first day where the mirror did not watch yet, and never shows what is now', async () => {
  const { runAt } = await watched();
  const before = await runAt(NOW + 3 * DAY, ['customers', 'list', '--as-of', AT(-2), '-o', 'json']);
  expect(before.code).toBe(10);
  expect(before.stdout.replaceAll(/[[\]\s]/g, '')).toBe('');
  expect(JSON.stringify(errorOf(before))).toContain('2026-10-20');
  const never = await runAt(NOW + 3 * DAY, ['products', 'list', '--as-of', AT(1)]);
  expect(never.code).toBe(10);
  const joined = await runAt(NOW + 3 * DAY, ['sales', 'list', '--as-of', AT(1), '--with', 'refunds']);
  expect(joined.code).toBe(10);
  expect(before.paths.concat(never.paths, joined.paths)).toEqual([]);
  for (const line of [
    ['customers', 'get', idOf('Cust', 1), '--as-of', AT(1)],
    ['customers', 'search', 'c1', '--as-of', AT(1)],
    ['customers', 'list', '--as-of', AT(9)],
    ['customers', 'list', '--as-of', AT(1), '--page', '1'],
  ])
    expect((await runAt(NOW + 3 * DAY, line)).code, line.join(' ')).toBe(2);
});

it('follows relations within the same moment, and takes the service’s filters where items show them', async () => {
  const { runAt } = await watched();
  const line = ['sales', 'list', '--all-time', '--where', 'customer.country=CAN', '-o', 'json', '--columns', 'id'];
  const rows = async (day: number, more: readonly string[] = []) => {
    const ran = await runAt(NOW + 3 * DAY, [...line, '--as-of', AT(day), ...more]);
    expect(ran.paths).toEqual([]);
    return json<Row[]>(ran).map(({ id }) => id);
  };
  expect((await rows(0)).toSorted()).toEqual([0, 4, 8].map((at) => idOf('Sale', at)));
  expect((await rows(2)).toSorted()).toEqual([idOf('Sale', 8)]);
  expect(await rows(0, ['--status', 'refunded'])).toEqual([]);
  const many = ['customers', 'list', '--with', 'sales status=refunded', '-o', 'json'];
  expect(json<Row[]>(await runAt(NOW + 3 * DAY, [...many, '--as-of', AT(0)]))).toEqual([]);
  expect(json<Row[]>(await runAt(NOW + 3 * DAY, [...many, '--as-of', AT(1)])).map(({ id }) => id)).toEqual([
    idOf('Cust', 3),
  ]);
  const left = await runAt(NOW + 3 * DAY, ['customers', 'list', '--no-sync', '--count']);
  expect([left.code, left.stdout.trim(), left.paths]).toEqual([0, '39', []]);
});

it('takes related rows from a mirror that saw them within --max-age, and else from the service', async () => {
  const { runAt, change } = await watched();
  const line = ['customers', 'list', '--with', 'sales status=refunded', '-o', 'json'];
  change('/sales', 5, { status: 'refunded' });
  const soon = await runAt(LAST + 1800, line);
  expect(json<Row[]>(soon).map(({ id }) => id)).toEqual([idOf('Cust', 3)]);
  expect(soon.paths).not.toContain('/sales');
  expect(soon.stderr).toContain('From the mirror');
  for (const [now, more] of [
    [LAST + 1800, ['--max-age', '10m']],
    [NOW + 3 * DAY, []],
  ] as const) {
    const asked = await runAt(now, [...line, ...more]);
    expect(
      json<Row[]>(asked)
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual([idOf('Cust', 3), idOf('Cust', 5)]);
    expect(asked.paths).toContain('/sales');
  }
  const one = ['sales', 'list', '--all-time', '--where', 'customer.country=CAN', '--count'];
  const near = await runAt(LAST + 1800, one);
  expect([near.stdout.trim(), near.paths.some((at) => at.startsWith('/customers'))]).toEqual(['1', false]);
});

it('never takes a mirror that begins late for the whole account', async () => {
  const { runAt } = await watched(['--from', new Date((NOW - 15 * DAY) * 1000).toISOString()]);
  const left = await runAt(LAST + 1800, ['customers', 'list', '--no-sync', '-o', 'json']);
  expect(left.code).toBe(10);
  const without = ['customers', 'list', '--without', 'sales', '--count'];
  const asked = await runAt(LAST + 1800, without);
  expect(asked.stdout.trim()).toBe('27');
  expect(asked.paths).toContain('/sales');
});

it('takes related rows of the sandbox from its mirror until anything changes there, and forgets it with the data', async () => {
  const home = new Home({ COPS_PROFILE: 'sandbox', NO_COLOR: '1' });
  try {
    await laySandbox(home.env.COPS_DATA_DIR ?? '', Date.now() - 3_600_000, FEW);
    const asked = async (...more: string[]) => {
      const ran = await home.run(['customers', 'list', '--with', 'subscriptions status=active', '--count', ...more]);
      return [ran.stdout.trim(), ran.stderr.includes('From the mirror')];
    };
    const [count] = await asked();
    await home.run(['sync', 'subscriptions']);
    expect(await asked()).toEqual([count, true]);

    await home.run(['sandbox', 'trigger', 'subscription.updated.status.cancelled']);
    expect(await asked()).toEqual([expect.any(String), false]);
    const reset = await home.run(['sandbox', 'reset', '--size', '40', '--yes']);
    expect(reset.stderr).toContain('Removed its mirror');
    const report = await home.run(['report', 'revenue', '--last', '30d', '--no-sync', '-o', 'json']);
    expect(report.code, 'the old data answer nothing').not.toBe(0);
  } finally {
    home.remove();
  }
});
