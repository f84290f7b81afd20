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
