/** `cops changes` tells every state that syncs saw go, field by field, and who it may have been. */
import path from 'node:path';
import Libsql from 'libsql';
import { expect, it } from 'vitest';
import { listHandler } from '../../fixtures/service/service.js';
import { QuickClock } from '../../harness/clock.js';
import { World } from '../../sandbox/random-life.js';
import { errorOf, forgetFirstDay, json, pair } from '../helpers.js';

const DAY = 86_400;
const FAMILIES = ['subscriptions', 'customers', 'sales', 'subscription_renewals', 'coupons'];
const WORDS = FAMILIES.map((name) => name.replaceAll('_', '-'));

interface Told {
  readonly change: number;
  readonly seen: string;
  readonly family: string;
  readonly id: string;
  readonly what: string;
  readonly field: string | null;
  readonly from: unknown;
  readonly to: unknown;
  readonly who?: string;
  readonly calls?: string[];
}

/** Every leaf of an item by its path, as this test reads it. */
function leaves(value: unknown, at: string[] = []): [string, string][] {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return [[at.join('.'), JSON.stringify(value)]];
  return Object.entries(value).flatMap(([name, inner]) => leaves(inner, [...at, name]));
}

it('shows the differences between two looks at a random life, each state once', {
  tags: ['thorough'],
  timeout: 120_000,
}, async () => {
  const world = await World.make(7);
  const { home } = await pair(world.serve);
  forgetFirstDay(home);
  const file = path.join(home.folder, 'm.sqlite');
  const run = (words: readonly string[]) =>
    home.run(words, { cwd: home.folder, clock: new QuickClock(world.now * 1000), timeoutMs: 100_000 });
  const look = () => {
    const database = new Libsql(file);
    try {
      return new Map(
        FAMILIES.flatMap((family) =>
          (database.prepare(`SELECT id, _json FROM raw_${family}`).raw().all() as string[][]).map(
            ([id, text]): [string, Map<string, string>] => [
              `${family} ${id}`,
              new Map(leaves(JSON.parse(text as string))),
            ],
          ),
        ),
      );
    } finally {
      database.close();
    }
  };
  const expected: string[] = [];
  let states = 0;
  let before = new Map<string, Map<string, string>>();
  for (let sync = 0; sync < 5; sync++) {
    for (let step = 0; sync > 0 && step < 12; step++) await world.step(world.books(), false);
    world.now += DAY;
    const ran = await run(['sync', '-q', file, ...WORDS, '--full']);
    expect(ran.code, ran.stderr).toBe(0);
    const now = look();
    for (const [key, old] of before) {
      const item = now.get(key);
      const names = new Set([...old.keys(), ...(item?.keys() ?? [])]);
      const differing = [...names].filter((name) => old.get(name) !== item?.get(name));
      if (differing.length > 0) states += 1;
      if (!item) expected.push(`${key} gone`);
      else
        for (const name of differing)
          expected.push(`${key} ${name} ${old.get(name) ?? null} ${item.get(name) ?? null}`);
    }
    before = now;
  }
  const ran = await run(['changes', '--last', '10d', '--mirror', file, '-o', 'json']);
  // The mirror is younger than the range: that is said.
  expect([ran.code, errorOf(ran).kind]).toEqual([10, 'incomplete']);
  const rows = json<Told[]>(ran);
  const told = rows.map(({ family, id, what, field, from, to }) =>
    what === 'gone' ? `${family} ${id} gone` : `${family} ${id} ${field} ${JSON.stringify(from)} ${JSON.stringify(to)}`,
  );
  expect(expected.length).toBeGreaterThan(30);
  expect(told.sort()).toEqual(expected.sort());
  expect(new Set(rows.map(({ change }) => change)).size).toBe(states);
  // One family, and one item, are a part of the same rows.
  const one = rows.find(({ family }) => family === 'subscriptions') as Told;
  const since = ['--mirror', file, '-o', 'json'];
  const family = json<Told[]>(await run(['changes', 'subscriptions', '--last', '3d', ...since]));
  expect(family).toEqual(
    rows.filter((row) => row.family === 'subscriptions' && Date.parse(row.seen) >= (world.now - 3 * DAY) * 1000),
  );
  expect(family.length).toBeGreaterThan(0);
  const item = await run(['changes', one.id, ...since]);
  expect(item.code, item.stderr).toBe(0);
  expect(json<Told[]>(item)).toEqual(rows.filter(({ id }) => id === one.id));
});

const NOW = 1_780_000_100;
const ITEM = 'Cust0000000000000001';
const call = (number: number, at: number, more: object = {}) => ({
  id: `Call${String(number).padStart(16, '0')}`,
  created_date_unix: at,
  live_mode: false,
  http_method: 'POST',
  path: `/customers/${ITEM}`,
  http_status: 200,
  source: 'direct',
  api_account: { id: 'Acc00000000000000001', name: 'Till' },
  ...more,
});

async function changed(calls: readonly object[]) {
  const customers = [
    { id: ITEM, created_date_unix: NOW - 5 * DAY, live_mode: false, email: 'a@x.example', phone: '1' },
  ];
  const { home, service } = await pair((request) => {
    const at = request.path.replace(/\?.*/, '');
    return listHandler({
      items: at === '/customers' ? customers : at === '/api_calls' ? calls.map((one) => ({ ...one })) : [],
    })(request);
  });
  forgetFirstDay(home);
  const run = (words: readonly string[], now: number) =>
    home.run(words, { cwd: home.folder, clock: new QuickClock(now * 1000) });
  await run(['sync', '-q', 'm.sqlite', 'customers', '--from', '2026-01-01'], NOW);
  customers[0] = { ...customers[0], phone: '2' } as (typeof customers)[0];
  await run(['sync', '-q', 'm.sqlite', 'customers', '--full'], NOW + 3600);
  const ask = (words: readonly string[], now = NOW + 7200) =>
    run(['changes', ...words, '--mirror', 'm.sqlite', '-o', 'json'], now);
  return { ask, service };
}

it.each([
  ['by API account Till', [call(1, NOW + 100)]],
  ['by web application (does not say who)', [call(1, NOW + 100, { source: 'web_app', api_account: null })]],
  ['by system', [call(1, NOW + 100, { source: 'system' })]],
  ['one of 2 calls: API account Till, webhook', [call(1, NOW + 100), call(2, NOW + 200, { source: 'webhook' })]],
  ['not shown', []],
  ['not shown', [call(1, NOW - DAY), call(2, NOW + 3700)]],
  ['not shown', [call(1, NOW + 100, { http_method: 'GET' }), call(2, NOW + 100, { http_status: 400 })]],
  ['not shown', [call(1, NOW + 100, { path: '/customers/Other000000000000001' })]],
  ['by API account Till', [call(1, NOW + 100, { http_status: 402 })]],
])('--who: %s', async (who, calls) => {
  const { ask } = await changed(calls);
  const ran = await ask([ITEM, '--who']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(json<Told[]>(ran)).toMatchObject([{ field: 'phone', from: '1', to: '2', who }]);
});

it('takes a customer by address, and says what it has never seen', async () => {
  const { ask } = await changed([]);
  expect(json<Told[]>(await ask(['A@x.example']))).toMatchObject([{ id: ITEM, field: 'phone' }]);
  expect((await ask(['b@x.example'])).code).toBe(4);
  expect((await ask(['Nobody00000000000001'])).code).toBe(4);
  expect((await ask(['sales'])).code).toBe(11);
});

it('looks at two days without an item, and sends nothing for more', async () => {
  const { ask, service } = await changed([call(1, NOW + 100)]);
  const before = service.requests.length;
  expect((await ask(['--last', '3d', '--who'])).code).toBe(2);
  expect((await ask(['customers', '--last', '1d'])).code).toBe(10);
  expect(service.requests.length).toBe(before);
  const ran = await ask(['--since', '90min', '--who']);
  expect(ran.code, ran.stderr).toBe(0);
});

it('counts what was seen for the first time, shows it when asked, and says since when a change may be', async () => {
  const customer = (number: number, at: number) => ({
    ...{ id: `Cust000000000000000${number}`, created_date_unix: at, live_mode: false, phone: '1' },
  });
  const customers = [customer(1, NOW - 5 * DAY)];
  const { home } = await pair((request) =>
    listHandler({ items: request.path.startsWith('/customers') ? customers : [] })(request),
  );
  forgetFirstDay(home);
  const run = (words: readonly string[], now: number) =>
    home.run(words, { cwd: home.folder, clock: new QuickClock(now * 1000) });
  const sync = async (now: number) =>
    run(['sync', '-q', 'm.sqlite', 'customers', '--from', '2026-01-01', '--full'], now);
  const change = (phone: string) => customers.splice(0, 1, { ...(customers[0] as (typeof customers)[0]), phone });
  await sync(NOW);
  change('2');
  await sync(NOW + DAY);
  change('3');
  customers.push(customer(2, NOW + 3 * DAY));
  await sync(NOW + 4 * DAY);
  const ask = (...words: string[]) => run(['changes', ...words, '--mirror', 'm.sqlite'], NOW + 4 * DAY + 60);
  const plain = await ask('--since', '1h', '-o', 'json');
  expect(plain.code, plain.stderr).toBe(0);
  expect(json<Told[]>(plain)).toMatchObject([{ id: customer(1, 0).id, from: '2', to: '3' }]);
  expect(plain.stderr).toContain('Not shown: 1 new item (1 customers), seen for the first time then.');
  expect(plain.stderr).toContain('cops changes --since 1h -o json --mirror m.sqlite --new');
  expect(plain.stderr).toContain(`happened at ${new Date((NOW + DAY) * 1000).toISOString().slice(0, 19)}Z or later`);
  const whole = await ask('--since', '1h', '--new', '-o', 'json');
  expect(json<Told[]>(whole)).toMatchObject([
    { what: 'changed', field: 'phone' },
    { id: customer(2, 0).id, family: 'customers', what: 'new', field: null, to: 'listed' },
  ]);
  expect(whole.stderr).not.toContain('Not shown:');
});
