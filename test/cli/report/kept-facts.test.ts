/** @module-tag thorough */
import Libsql from 'libsql';
import { expect, it } from 'vitest';
import { followedLife, type Json } from './followed-life.js';

/* The tables behind the reports hold what the views make of the items, however a mirror came to its present state. */

const KEPT = [
  'report_bookings',
  'report_splits',
  'report_customer_payments',
  'report_subscription_states',
  'report_paid_periods',
  'report_booking_days',
];

function opened<T>(file: string, work: (all: (sql: string) => unknown[][]) => T): T {
  const database = new Libsql(file);
  try {
    return work((sql) => {
      const statement = database.prepare(sql);
      if (statement.reader) return statement.raw().all() as unknown[][];
      statement.run();
      return [];
    });
  } finally {
    database.close();
  }
}

/** How many rows each table has; all of them are those of its view, and the mirror says so. */
const checked = (file: string): number[] =>
  opened(file, (all) => {
    expect(all("SELECT value FROM _mirror WHERE name = 'facts'")).toHaveLength(1);
    return KEPT.map((view) => {
      const rows = (table: string) =>
        all(`SELECT * FROM ${table}`)
          .map((row) => JSON.stringify(row))
          .sort();
      const kept = rows(`_fact_${view}`);
      expect(kept, view).toEqual(rows(view));
      return kept.length;
    });
  });

/** A row that no view makes: it stays as long as a table only follows. */
const PLANT = `INSERT INTO _fact_report_bookings (at_unix, what, kind, id, currency, paid_by, payments, gross_minor,
  refunds_minor, chargebacks_minor, fees_minor, tax_minor, shipping_minor)
  VALUES (NULL, 'payment', 'sale', 'planted', 'XTS', 'planted', 1, 700, 0, 0, 0, 0, 0)`;
const planted = (file: string): unknown[][] =>
  opened(file, (all) => all("SELECT gross_minor FROM _fact_report_bookings WHERE id = 'planted'"));
const pull = (file: string): void =>
  void opened(file, (all) => all("DELETE FROM _fact_report_bookings WHERE id = 'planted'"));

it.each([1, 7])('follow a life of sales, renewals, refunds and ends (seed %d)', { timeout: 240_000 }, async (seed) => {
  const { world, file, sync } = await followedLife(seed);
  for (let turn = 0; turn < 60; turn++) await world.step(world.books());
  await sync();
  expect(Math.min(...checked(file))).toBeGreaterThan(0);
  for (let round = 0; round < 5; round++) {
    for (let turn = 0; turn < 12; turn++) await world.step(world.books(), round % 2 === 0);
    opened(file, (all) => all(PLANT));
    await sync('--full');
    expect(planted(file), 'was made anew').toEqual([[700]]);
    pull(file);
    checked(file);
  }
});

it('follow refunds that are all a sync brings', { timeout: 120_000 }, async () => {
  const { world, file, run, sync } = await followedLife(5);
  for (let turn = 0; turn < 40; turn++) await world.step(world.books(), false);
  await sync();
  checked(file);
  const refunds = (): unknown[][] => opened(file, (all) => all('SELECT count(*) FROM raw_pending_refunds'));
  const had = refunds();
  for (let turn = 0; turn < 60; turn++) await world.step(world.books(), false);
  expect((await run(['sync', '-q', file, 'pending-refunds'])).code).toBe(0);
  expect(refunds()).not.toEqual(had);
  checked(file);
});

it('answer reports, but no past moment and no mirror that another version has written', {
  timeout: 120_000,
}, async () => {
  const { world, file, run, sync } = await followedLife(3);
  for (let turn = 0; turn < 40; turn++) await world.step(world.books(), false);
  await sync();
  world.now += 7200;
  await sync();
  const gross = async (...more: string[]): Promise<unknown> => {
    const ran = await run(['report', 'customers', '--mirror', file, '-o', 'json', ...more]);
    expect(ran.stdout, ran.stderr).not.toBe('');
    const rows = (JSON.parse(ran.stdout) as Json).rows.filter(({ currency }: Json) => currency === 'XTS');
    return rows.map(({ paid }: Json) => paid);
  };
  opened(file, (all) => all(PLANT.replace('NULL', String(world.now - 7000))));
  expect(await gross()).toEqual([700]);
  expect(await gross('--as-of', new Date((world.now - 3600) * 1000).toISOString())).toEqual([]);
  // A program that does not know the tables reads a window.
  opened(file, (all) => all('UPDATE _windows SET read_at = read_at + 1'));
  expect(await gross()).toEqual([]);
  await sync();
  checked(file);
  opened(file, (all) => all("UPDATE _mirror SET value = 'older ' || value WHERE name = 'facts'"));
  const ran = await run(['sync', file, 'customers']);
  expect(ran.stderr).toContain('The tables behind the reports were of another version of cops: they are made anew.');
  checked(file);
});
