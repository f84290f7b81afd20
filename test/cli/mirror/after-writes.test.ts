/** A sync has every write that was made before it, whatever the clock of this machine says. */
import path from 'node:path';
import Libsql from 'libsql';
import { expect, it } from 'vitest';
import { listHandler, ok, refusal } from '../../fixtures/service/service.js';
import { QuickClock } from '../../harness/clock.js';
import { forgetFirstDay, json, pair } from '../helpers.js';

const DAY = 86_400;
// The service's clock as its answers tell it (`api_call_unix` of the fixture).
const NOW = 1_780_000_100;
type Row = Record<string, unknown> & { id: string; created_date_unix: number };
const idOf = (word: string, number: number) => `${word}${String(number).padStart(20 - word.length, '0')}`;
const row = (word: string, number: number, created: number, more: object = {}): Row => ({
  id: idOf(word, number),
  created_date_unix: created,
  live_mode: false,
  ...more,
});

async function account() {
  const lists: Record<string, Row[]> = {
    '/customers': Array.from({ length: 20 }, (_, i) =>
      row('Cust', i, NOW - (16 * i + 2) * DAY, { email: `${i}@x.example` }),
    ),
    '/sales': Array.from({ length: 40 }, (_, i) =>
      row('Sale', i, NOW - (8 * i + 1) * DAY, { status: 'paid', amount: 9 }),
    ),
    '/transactions': [row('Trans', 1, NOW - 300 * DAY, { status: 'approved', sales: [idOf('Sale', 39)] })],
  };
  const { service, home } = await pair((request) => {
    const at = request.path.replace(/\?.*/, '');
    const items = lists[at];
    if (items) return listHandler({ items })(request);
    return request.method === 'POST'
      ? ok({ customer_id: at.split('/')[2] })
      : refusal(403, 'E0003', 'not for this key');
  });
  forgetFirstDay(home);
  const run = (words: readonly string[], now: number) =>
    home.run(words, { cwd: home.folder, clock: new QuickClock(now * 1000) });
  const sync = async (now: number) => {
    const ran = await run(['sync', 'm.sqlite', 'customers', 'sales', 'transactions', '-o', 'json'], now);
    expect(ran.code, ran.stderr).toBe(0);
    return { rows: json<{ family: string; added: number; changed: number; gone: number }[]>(ran), stderr: ran.stderr };
  };
  const ask = (sql: string): unknown[][] => {
    const database = new Libsql(path.join(home.folder, 'm.sqlite'));
    try {
      return database.prepare(sql).raw().all() as unknown[][];
    } finally {
      database.close();
    }
  };
  return { lists, service, run, sync, ask };
}

it('has what was created a moment before it, once, and keeps it', async () => {
  const { lists, sync, ask } = await account();
  await sync(NOW);
  for (let i = 0; i < 6; i++)
    lists['/customers']?.push(row('Fresh', i, NOW + 60 + i, { email: `fresh${i}@x.example` }));
  const { rows } = await sync(NOW + 66);
  expect(rows[0]).toMatchObject({ family: 'customers', added: 6, changed: 0, gone: 0 });
  expect(ask("SELECT count(*) FROM raw_customers WHERE id LIKE 'Fresh%'")).toEqual([[6]]);
  // The windows that are read later hold them where they belong: none is taken for gone, none for new.
  for (const days of [1, 60, 200]) {
    const later = await sync(NOW + days * DAY);
    expect(later.rows[0]).toMatchObject({ added: 0, changed: 0, gone: 0 });
  }
});

it.each([48 * 3600, 20 * DAY])('loses nothing to a clock that is %d seconds slow, and says so', async (slow) => {
  const { sync, ask } = await account();
  const { stderr } = await sync(NOW - slow);
  expect(ask('SELECT count(*) FROM raw_customers')).toEqual([[20]]);
  expect(ask('SELECT count(*) FROM raw_sales')).toEqual([[40]]);
  expect(stderr).toMatch(/clock of this machine is \d+ (?:min|h|days)\b.* behind/);
});

it('reads again the old rows that a newer one names, and those that its own history names', async () => {
  const { lists, run, sync, ask } = await account();
  await sync(NOW);
  for (let days = 1; days < 4; days++) await sync(NOW + days * DAY);
  const change = (list: string, id: string, more: object): void => {
    const at = lists[list]?.findIndex((one) => one.id === id) ?? -1;
    lists[list]?.splice(at, 1, { ...lists[list]?.[at], ...more } as Row);
  };
  const now = NOW + 4 * DAY;
  // A refund of an old sale is a new transaction, and changes the sale.
  for (const at of [15, 20, 25, 30, 35, 39]) {
    change('/sales', idOf('Sale', at), { status: 'refunded' });
    lists['/transactions']?.push(row('Refund', at, now - 2, { status: 'approved', sales: [idOf('Sale', at)] }));
  }
  for (const at of [7, 11, 15, 19]) {
    const id = idOf('Cust', at);
    const ran = await run(['customers', 'edit', id, '-d', 'customer.email=new@x.example'], now);
    expect(ran.code, ran.stderr).toBe(0);
    change('/customers', id, { email: 'new@x.example' });
  }
  await sync(now + 1);
  expect(ask("SELECT count(*) FROM raw_sales WHERE status = 'refunded'")).toEqual([[6]]);
  expect(ask("SELECT count(*) FROM raw_customers WHERE email = 'new@x.example'")).toEqual([[4]]);
});

const COUNT = ['sql', "select count(*) as n from raw_customers where email = 'new@x.example'", '-o', 'json'];

/** An account whose mirror was read, and which was then written to, in the given number of seconds. */
async function written(seconds: number) {
  const { lists, service, run } = await account();
  const at = NOW + seconds;
  expect((await run(['sync', 'customers', '-q'], NOW)).code).toBe(0);
  const id = idOf('Cust', 1);
  expect((await run(['customers', 'edit', id, '-d', 'customer.email=new@x.example'], at)).code).toBe(0);
  const change = () => {
    const found = lists['/customers']?.find((one) => one.id === id);
    if (found) Object.assign(found, { email: 'new@x.example' });
  };
  return { lists, service, run, at, change };
}

it('counts a mirror as older than a write made from here, whatever --max-age says', async () => {
  const { run, at, change } = await written(60);
  change();
  const answer = await run([...COUNT, '--max-age', '30d'], at + 5);
  expect([answer.code, json(answer)], answer.stderr).toEqual([0, [{ n: 1 }]]);
  const second = await run(COUNT, at + 60);
  expect(second.stderr).not.toContain('Brought up to date');
  expect(second.stderr).not.toContain('last write');
});

it('says that an answer lacks a write where the mirror is not brought up to date', async () => {
  const { run, at } = await written(60);
  const old = await run([...COUNT, '--no-sync'], at);
  expect([old.code, json(old)]).toEqual([0, [{ n: 0 }]]);
  expect(old.stderr).toMatch(/last read 2026-\S+Z, before the last write from here: .* cops sync/);
  // What was never read tells nothing about what was.
  const other = await run(['sql', 'select count(*) as n from customers, products', '--no-sync', '-o', 'json'], at);
  expect(other.stderr).toContain('before the last write from here');
  const list = await run(['customers', 'list', '--no-sync', '--count'], at);
  expect(list.stderr).toContain('before the last write from here');
});

it('answers with a warning after a write where many requests are needed', async () => {
  const { lists, service, run, at } = await written(60);
  lists['/customers']?.push(...Array.from({ length: 6000 }, (_, i) => row('Many', i, NOW - 100 - i)));
  expect((await run(['sync', 'customers', '-q'], at)).code).toBe(0);
  const id = idOf('Cust', 1);
  expect((await run(['customers', 'edit', id, '-d', 'customer.email=new@x.example'], at + 60)).code).toBe(0);
  service.requests.length = 0;
  const answer = await run(COUNT, at + 61);
  expect([answer.code, service.requests.length], answer.stderr).toEqual([0, 0]);
  expect(answer.stderr).toContain('before the last write from here');
});

it('reads again with --sync, however recent the mirror is', async () => {
  const { run, change, at } = await written(-9000);
  change();
  const answer = await run([...COUNT, '--sync'], NOW);
  expect([at < NOW, json(answer)], answer.stderr).toEqual([true, [{ n: 1 }]]);
});
