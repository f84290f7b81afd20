/** @module-tag sweep */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import Libsql from 'libsql';
import { beforeEach, describe, expect, it } from 'vitest';
import { listHandler, ok, refusal } from '../../fixtures/service/service.js';
import { QuickClock } from '../../harness/clock.js';
import { errorOf, forgetFirstDay, json, pair } from '../helpers.js';

const DAY = 86_400;
const NOW = Date.UTC(2026, 9, 1) / 1000;

type Row = Record<string, unknown> & { id: string; created_date_unix: number };
interface Line {
  readonly family: string;
  readonly state: string;
  readonly added: number;
  readonly changed: number | null;
  readonly gone: number | null;
  readonly items: number;
  readonly requests: number;
  readonly seen_since: string | null;
}

let lists: Record<string, Row[]>;

const idOf = (word: string, number: number) => `${word}${String(number).padStart(20 - word.length, '0')}`;
const row = (word: string, number: number, daysAgo: number, more: object = {}): Row => ({
  id: idOf(word, number),
  created_date_unix: NOW - daysAgo * DAY - number,
  live_mode: false,
  ...more,
});

beforeEach(() => {
  lists = {
    '/sales': Array.from({ length: 60 }, (_, i) => row('Sale', i, 5 * i + 1, { amount: 10.1, status: 'paid' })),
    '/customers': Array.from({ length: 20 }, (_, i) => row('Cust', i, 16 * i + 2, { email: `c${i}@example.com` })),
    '/subscriptions': [
      row('Subs', 1, 200, { status: 'active', amount: 10, iso_currency: 'USD' }),
      row('Subs', 2, 210, { status: 'cancelled', amount: 5, iso_currency: 'USD' }),
    ],
    '/shipping_profiles': [row('Ship', 1, 500, { name: 'Standard' })],
  };
});

async function start() {
  const { service, home: plain } = await pair((request) => {
    const items = lists[request.path.replace(/\?.*/, '')];
    return items
      ? listHandler({ items, dated: request.query.has('date_start') })(request)
      : refusal(403, 'E0003', 'not for this key');
  });
  forgetFirstDay(plain);
  const cwd = plain.folder;
  const home = {
    folder: cwd,
    run: (words: readonly string[], options: object = {}) => plain.run(words, { cwd, ...options }),
  };
  let now = NOW;
  const sync = async (words: readonly string[] = [], days = 1) => {
    now += days * DAY;
    const clock = new QuickClock(now * 1000);
    return home.run(['sync', 'm.sqlite', 'sales', 'customers', 'subscriptions', 'shipping-profiles', ...words], {
      clock,
    });
  };
  const file = path.join(home.folder, 'm.sqlite');
  const ask = (sql: string): unknown[][] => {
    const database = new Libsql(file);
    try {
      return database.prepare(sql).raw().all() as unknown[][];
    } finally {
      database.close();
    }
  };
  return { service, home, sync, ask, at: () => now };
}

const raw = (list: string) => (lists[list] ?? []).map((item) => JSON.stringify(item)).sort();

describe('cops sync into a mirror', () => {
  it('leaves no mirror that it could not begin', async () => {
    const { sync, home } = await start();
    const before = readdirSync(home.folder);
    expect((await sync(['--from', '2026-01-01', '--first-day', '2026-01-01'])).code).toBe(2);
    expect((await sync(['--from', 'whenever'])).code).toBe(2);
    expect(readdirSync(home.folder)).toEqual(before);
    expect((await sync()).code).toBe(0);
    expect((await sync(['--from', 'whenever'])).code).toBe(2);
    expect(
      (await home.run(['sql', 'select count(*) as n from sales', '--mirror', 'm.sqlite', '-o', 'csv'])).stdout,
    ).toBe('n\n60\n');
  });

  it('is as of the moment up to which all is settled, and holds what just happened as well', async () => {
    const late = { id: idOf('Late', 1), created_date_unix: NOW - 1, live_mode: false };
    const { home } = await pair((request) => {
      if (!request.query.has('limit'))
        return ok({ results: [], current_page: 1, current_count: 0, total_count: 0, total_pages: 1 });
      const items = request.path.startsWith('/sales') ? [...(lists['/sales'] ?? []), late] : [];
      return listHandler({ items, dated: request.query.has('date_start') })(request);
    });
    const mirror = path.join(home.folder, 'm.sqlite');
    const clock = new QuickClock(NOW * 1000);
    const synced = await home.run(['sync', mirror, '--first-day', '2026-01-01'], { clock });
    expect(synced.code, synced.stderr).toBe(0);
    const told = await home.run([
      'sql',
      "select count(*) as n from raw_sales where id like 'Late%'",
      '--mirror',
      mirror,
    ]);
    expect(told.stdout).toContain('"n":1');
    expect(told.stderr).toMatch(/as of 2026-09-30T23:59:5\dZ/);
  });

  it('takes everything from the first day, which it finds and says', async () => {
    const { sync, ask, home, service } = await start();
    const first = await sync();
    expect(first.code).toBe(0);
    expect(json<Line[]>(first)).toMatchObject([
      { family: 'sales', state: 'synced', added: 60, changed: 0, gone: 0, items: 60 },
      { family: 'customers', added: 20, items: 20 },
      { family: 'subscriptions', added: 2 },
      { family: 'shipping_profiles', added: 1 },
    ]);
    // The oldest customer came 306 days and some seconds before.
    expect(first.stderr).toContain('the first day of the account: 2025-11-28 (the first customer or sale');
    for (const list of Object.keys(lists)) {
      expect(
        ask(`SELECT _json FROM raw_${list.slice(1)}`)
          .flat()
          .sort(),
      ).toEqual(raw(list));
    }
    service.requests.length = 0;
    const second = await sync();
    expect(second.stderr).toContain('2025-11-28 (as found before; use --first-day to set it)');
    expect(json<Line[]>(second)).toMatchObject([{ added: 0, changed: 0, gone: 0, items: 60 }, {}, {}, {}]);
    expect(json(await home.run(['whoami', '-o', 'json']))).toMatchObject({ first_day: '2025-11-28' });
  });

  it('sees changed, deleted and new items, and keeps the previous states', async () => {
    const { sync, ask } = await start();
    await sync();
    const subscription = lists['/subscriptions']?.[0] as Row;
    const before = JSON.stringify(subscription);
    subscription.status = 'cancelled';
    lists['/sales']?.shift();
    lists['/sales']?.push(row('Sale', 99, 0));
    const ran = await sync();
    expect(json<Line[]>(ran)).toMatchObject([
      { family: 'sales', added: 1, changed: 0, gone: 1, items: 60 },
      { family: 'customers', added: 0, changed: 0, gone: 0 },
      { family: 'subscriptions', added: 0, changed: 1, gone: 0 },
      { added: 0 },
    ]);
    expect(ask('SELECT family, id, seen_at, until_at, is_gone, json FROM _history ORDER BY family DESC')).toEqual([
      ['subscriptions', subscription.id, NOW + DAY, NOW + 2 * DAY, 0, before],
      ['sales', idOf('Sale', 0), NOW + DAY, NOW + 2 * DAY, 1, expect.stringContaining(idOf('Sale', 0))],
    ]);
    expect(ask('SELECT id, status FROM subscriptions ORDER BY id')).toEqual([
      [idOf('Subs', 1), 'cancelled'],
      [idOf('Subs', 2), 'cancelled'],
    ]);
  });

  it('takes no other order of members for a change', async () => {
    const { sync, ask } = await start();
    await sync();
    const [sale] = lists['/sales'] as [Row];
    lists['/sales']?.splice(0, 1, Object.fromEntries(Object.entries(sale).reverse()) as Row);
    expect(json<Line[]>(await sync())).toMatchObject([{ changed: 0 }, {}, {}, {}]);
    expect(ask('SELECT count(*) FROM _history')).toEqual([[0]]);
  });

  it('reads every window again within twelve syncs, and all of them with --full', async () => {
    const { sync, ask } = await start();
    await sync();
    const old = lists['/customers']?.at(-1) as Row;
    old.email = 'moved@example.com';
    const seen = async () => ask(`SELECT email FROM customers WHERE id = '${old.id}'`)[0]?.[0];
    let runs = 0;
    while ((await seen()) !== 'moved@example.com' && runs < 20) {
      runs++;
      const ran = await sync([], 0.01);
      const since = json<Line[]>(ran)[1]?.seen_since as string;
      expect(Date.parse(since)).not.toBeNaN();
    }
    expect(runs).toBeGreaterThan(0);
    expect(runs).toBeLessThanOrEqual(12);
    old.email = 'again@example.com';
    expect(json<Line[]>(await sync(['--full']))[1]).toMatchObject({ changed: 1 });
    expect(await seen()).toBe('again@example.com');
  });

  it('removes nothing where a window is not proven complete', async () => {
    const { sync, ask } = await start();
    await sync();
    const all = lists['/sales'] as Row[];
    // The list counts one more item than it shows.
    lists['/sales'] = [...all.slice(1), { ...(all[1] as Row) }];
    const ran = await sync();
    expect(ran.code).toBe(10);
    expect(json<Line[]>(ran)[0]).toMatchObject({ state: 'unproven', gone: 0 });
    expect(ask('SELECT count(*) FROM raw_sales')).toEqual([[60]]);
  });

  it('stops with 12 at a mirror of another account, service or mode, before any request', async () => {
    const { sync, service, home } = await start();
    await sync();
    service.requests.length = 0;
    const other = await home.run(['sync', 'm.sqlite', '-o', 'json'], {
      env: { COPS_API_KEY: 'another-key-0123456789' },
    });
    expect(other.code).toBe(12);
    expect(errorOf(other).message).toContain("another key's account");
    const live = await home.run(['sync', 'm.sqlite', '--live', '-o', 'json']);
    expect(live.code).toBe(12);
    expect(errorOf(live).message).toContain('test mode, not live mode');
    expect(service.requests).toEqual([]);
  });

  it.each([
    ['made by an older cops', 'CREATE TABLE sales (id TEXT)', 'is not a mirror'],
    [
      'of a newer layout',
      "CREATE TABLE _mirror (name, value); INSERT INTO _mirror VALUES ('layout', '99')",
      'a newer cops',
    ],
    [
      'of an older layout',
      "CREATE TABLE _mirror (name, value); INSERT INTO _mirror VALUES ('layout', '0')",
      'an older cops',
    ],
  ])('refuses a file %s and says the way out', async (_, sql, message) => {
    const { sync, service, home } = await start();
    const database = new Libsql(path.join(home.folder, 'm.sqlite'));
    database.exec(sql);
    database.close();
    const ran = await sync(['-o', 'json']);
    expect(ran.code).toBe(11);
    expect(errorOf(ran)).toMatchObject({
      message: expect.stringContaining(message),
      hint: expect.stringMatching(/\w/),
    });
    expect(service.requests).toEqual([]);
  });

  it('is one file', async () => {
    const { sync, home } = await start();
    await sync();
    const { readdirSync } = await import('node:fs');
    expect(readdirSync(home.folder).filter((name) => name.startsWith('m.'))).toEqual(['m.sqlite']);
  });

  it("goes into the profile's own mirror when no file is named", async () => {
    const { home } = await start();
    const ran = await home.run(['sync', 'subscriptions'], { clock: new QuickClock(NOW * 1000) });
    expect(ran).toMatchObject({ code: 0 });
    expect(ran.stderr).toMatch(/mirrors.*-test\.sqlite/);
    expect(json<Line[]>(ran)).toMatchObject([{ family: 'subscriptions', items: 2 }]);
  });
});
