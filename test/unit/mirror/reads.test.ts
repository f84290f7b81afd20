/** @module-tag thorough */
import { describe, expect, it } from 'vitest';
import { columnsRead, inexactIn, mixedIn, standingOf } from '../../../src/data/mirror/standing.js';
import { at, mirrorOf } from '../report/mirror.js';

/** One sale with an amount that is finer than a cent, and one whose fees are. */
const items = {
  sales: [
    { created_date_unix: at('2026-10-05'), amount_captured: 1.005, amount_fees: 0.1 },
    { created_date_unix: at('2026-10-06'), amount_captured: 2, amount_fees: 0.125 },
  ],
};
const PAID = 'sales.amount_captured_minor (1 rows)';
const FEES = 'sales.amount_fees_minor (1 rows)';

describe('what a query reads', () => {
  it.each([
    ['select sum(paid_minor) from payments', [PAID]],
    ['select sum(amount_captured_minor) from sales', [PAID]],
    ['select s.amount_captured_minor from raw_sales as s', [PAID]],
    ["select count(*) from payments where paid_minor > 5 and kind = 'sale'", [PAID]],
    ['select * from raw_sales', [PAID, FEES]],
    ['select sum(p) from (select fees_minor as p, paid_minor from payments)', [FEES]],
    ['with x as (select * from payments) select max(fees_minor), min(paid_minor) from x', [PAID, FEES]],
    ['select id from sales order by amount_captured_minor', [PAID]],
    // What is only named is not read.
    ['select count(*) from sales', []],
    ['select id, status from payments', []],
    ["select 'amount_captured_minor', count(*) from sales -- * from sales: amount_fees_minor", []],
    ['select amount_captured as amount_captured_minor from sales', []],
    ['select count(*) as amount_fees_minor from raw_customers', []],
    ['select nothing from nowhere', []],
    ['explain select * from raw_sales', []],
  ])('%s', async (sql, told) => {
    expect(inexactIn(await mirrorOf(items), sql)).toEqual(told);
  });

  it('is the same by an index and by the table', async () => {
    const database = await mirrorOf(items);
    for (const table of ['raw_sales', 'raw_sales NOT INDEXED']) {
      const read = columnsRead(database, `SELECT sum(amount_captured_minor) FROM ${table}`);
      expect([...read].map(([name, columns]) => [name, ...columns])).toEqual([['raw_sales', 'amount_captured_minor']]);
    }
  });
});

describe('amounts that are added up', () => {
  const paid = { created_date_unix: at('2026-10-05'), amount: 2, amount_captured: 2 };
  const two = { sales: [paid, { ...paid, iso_currency: 'JPY' }], trials: [paid] };
  const MIXED = ['sales (USD, JPY, ...)'];

  it.each([
    ['select sum(paid_minor) from payments', MIXED],
    ['select sum(amount) from sales', MIXED],
    ['select avg(amount) from raw_sales', MIXED],
    ["select kind, total(paid_minor) from payments group by kind having kind = 'sale'", MIXED],
    ['select sum(amount_minor) over (order by id) from sales', MIXED],
    ['select sum(p) from (select paid_minor as p, currency from payments)', MIXED],
    // Who looks at the currency knows.
    ['select currency, sum(paid_minor) from payments group by currency', []],
    ["select sum(paid_minor) from payments where currency = 'USD'", []],
    ['select sum(amount_captured_minor) from trials', []],
    ['select paid_minor from payments', []],
    ['select max(paid_minor), count(*) from payments', []],
    ["select 'sum(paid_minor)' from payments", []],
    ['select nothing from nowhere', []],
  ])('%s', async (sql, told) => {
    expect(mixedIn(await mirrorOf(two), sql)).toEqual(told);
    expect(mixedIn(await mirrorOf({ sales: [paid] }), sql)).toEqual([]);
  });
});

describe('how a mirror stands', () => {
  const owner = { service: 'https://s.example/v2', account: 'a', mode: 'test' } as const;
  const facts = { ...owner, layout: 1, tool: '0', firstDay: undefined, asOf: undefined };

  it('is not complete before the first list was read', async () => {
    const { told, incomplete } = standingOf(await mirrorOf({}), facts);
    expect(told).toMatch(/mode; 0 lists: \/.*m\.sqlite$/);
    expect(incomplete).toEqual(['no list has been read yet']);
    const read = standingOf(await mirrorOf({}, [], at('2026-10-05')), facts);
    expect([read.incomplete, read.told]).toEqual([[], expect.stringContaining('lists, all complete: /')]);
  });
});
