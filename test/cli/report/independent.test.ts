/** @module-tag sweep */
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { beforeAll, describe, expect, it } from 'vitest';
import { Home } from '../program.js';
import { REPORT_FAMILIES } from './families.js';

/*
 * Every report beside the same figure computed by another engine over another copy of the data: DuckDB over Parquet
 * files, whose amounts are decimals.
 */

const SIZE = process.env.COPS_LONG === '1' ? '100000' : '1000';
const LIMIT = process.env.COPS_LONG === '1' ? 3_600_000 : 300_000;

type Row = Record<string, string | number | null>;

let home: Home;
let duck: (sql: string) => Promise<Row[]>;

beforeAll(async () => {
  home = new Home();
  const run = async (words: readonly string[]): Promise<void> => {
    const ran = await home.run(words, { cwd: home.folder, timeoutMs: LIMIT });
    expect(ran.code, ran.stderr).toBe(0);
  };
  await run(['sandbox', 'reset', '--size', SIZE, '--seed', '5']);
  const families = REPORT_FAMILIES.map((name) => name.replaceAll('_', '-'));
  await run(['-p', 'sandbox', '-q', 'sync', 'm.sqlite', ...families]);
  mkdirSync(path.join(home.folder, 'copies'));
  await run(['-p', 'sandbox', '-q', 'sync', 'copies/', ...families, '--format', 'parquet', '--from', '2020-01-01']);
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  for (const family of REPORT_FAMILIES) {
    const files = path.join(home.folder, 'copies', family, '**/*.parquet');
    if (!existsSync(path.join(home.folder, 'copies', family))) continue;
    await connection.run(`CREATE VIEW ${family} AS SELECT * FROM read_parquet('${files}', union_by_name = true)`);
  }
  duck = async (sql) => {
    const reader = await connection.runAndReadAll(sql);
    return reader.getRowObjectsJson() as Row[];
  };
  return () => {
    connection.closeSync();
    home.remove();
  };
}, LIMIT);

async function report(words: readonly string[]): Promise<Row[]> {
  const ran = await home.run(['-p', 'sandbox', 'report', ...words, '--mirror', 'm.sqlite', '-o', 'json'], {
    cwd: home.folder,
    timeoutMs: LIMIT,
  });
  expect(ran.code, ran.stderr).toBe(0);
  const document = JSON.parse(ran.stdout);
  expect(document).toMatchObject({ incomplete: [], differences: [], inexact: 0 });
  return document.rows;
}

/** The first columns as a key, the others as numbers to the cent. */
function compare(rows: readonly Row[], keys: readonly string[], figures: readonly string[]): Record<string, number[]> {
  const lines = rows.map((row): [string, number[]] => [
    keys.map((key) => String(row[key])).join(' '),
    figures.map((name) => Math.round(Number(row[name] ?? 0) * 100)),
  ]);
  return Object.fromEntries(lines.filter(([, values]) => values.some((value) => value !== 0)));
}

async function same(words: readonly string[], keys: readonly string[], figures: readonly string[], sql: string) {
  const [ours, theirs] = [await report(words), await duck(sql)];
  expect(ours.length).toBeGreaterThan(0);
  expect(compare(ours, keys, figures)).toEqual(compare(theirs, keys, figures));
  return ours;
}

const ALL = ['--from', '2020-01-02', '--to', '2030-01-01'];
const month = (column: string): string => `strftime(${column}, '%Y-%m')`;
const months = (from: string, to: string): string =>
  `date_diff('month', date_trunc('month', ${from}), date_trunc('month', ${to}))`;

describe('the same figures from DuckDB over Parquet', () => {
  it('revenue, by month', { timeout: LIMIT }, async () => {
    const rows = await same(
      ['revenue', ...ALL, '--by', 'month'],
      ['month', 'currency'],
      ['payments', 'gross', 'refunds', 'chargebacks', 'fees', 'tax', 'shipping', 'net'],
      `WITH b AS (
        SELECT created_date_unix AS moment, iso_currency AS c, 1 AS n, amount_captured AS g, 0 AS r, 0 AS k, amount_fees AS f, 0 AS t, 0 AS s FROM sales WHERE amount_captured > 0
        UNION ALL SELECT created_date_unix, iso_currency, 1, amount_captured, 0, 0, amount_fees, 0, 0 FROM subscription_renewals WHERE amount_captured > 0
        UNION ALL SELECT expiration_date_unix, iso_currency, 1, amount_captured, 0, 0, amount_fees, 0, 0 FROM trials WHERE amount_captured > 0
        UNION ALL SELECT created_date_unix, iso_currency, 0, 0, amount, 0, 0, CASE WHEN type = 'tax' THEN -amount ELSE 0 END, CASE WHEN type = 'shipping' THEN -amount ELSE 0 END FROM pending_refunds
        UNION ALL SELECT created_date_unix, iso_currency, 0, 0, 0, amount, 0, 0, 0 FROM chargebacks
        UNION ALL SELECT created_date_unix, iso_currency, 0, 0, 0, 0, 0, amount_captured, 0 FROM tax
        UNION ALL SELECT created_date_unix, iso_currency, 0, 0, 0, 0, 0, 0, amount_captured FROM shipping
      ) SELECT ${month('moment')} AS month, c AS currency, sum(n) AS payments, sum(g) AS gross, sum(r) AS refunds, sum(k) AS chargebacks,
        sum(f) AS fees, sum(t) AS tax, sum(s) AS shipping, sum(g - r - k - f - t - s) AS net FROM b GROUP BY 1, 2`,
    );
    expect(new Set(rows.map(({ currency }) => currency)).size).toBe(3);
  });

  it('refunds and chargebacks', { timeout: LIMIT }, async () => {
    await same(
      ['refunds', ...ALL, '--by', 'kind'],
      ['kind', 'currency'],
      ['refunds', 'amount', 'processed'],
      `SELECT type AS kind, iso_currency AS currency, count(*) AS refunds, sum(amount) AS amount, coalesce(sum(amount) FILTER (status = 'processed'), 0) AS processed FROM pending_refunds GROUP BY 1, 2`,
    );
    await same(
      ['chargebacks', ...ALL],
      ['currency'],
      ['chargebacks', 'amount', 'transactions', 'transactions_amount', 'ratio'],
      `WITH t AS (SELECT iso_currency AS currency, count(*) AS transactions, sum(amount) AS transactions_amount FROM transactions WHERE result = 'approved' GROUP BY 1),
        c AS (SELECT iso_currency AS currency, count(*) AS chargebacks, sum(amount) AS amount FROM chargebacks GROUP BY 1)
        SELECT currency, coalesce(chargebacks, 0) AS chargebacks, coalesce(amount, 0) AS amount, transactions, transactions_amount,
        round(100.0 * coalesce(chargebacks, 0) / transactions, 2) AS ratio FROM t LEFT JOIN c USING (currency)`,
    );
  });

  it('failures, recovery and trials, by month', { timeout: LIMIT }, async () => {
    await same(
      ['failures', ...ALL, '--by', 'month'],
      ['month', 'currency'],
      ['attempts', 'failed', 'failed_amount'],
      `SELECT ${month('created_date_unix')} AS month, iso_currency AS currency, count(*) AS attempts, count(*) FILTER (result <> 'approved') AS failed,
        coalesce(sum(amount) FILTER (result <> 'approved'), 0) AS failed_amount FROM transactions GROUP BY 1, 2`,
    );
    await same(
      ['recovery', ...ALL, '--by', 'month'],
      ['month', 'currency'],
      ['failed', 'failed_amount', 'recovered_amount'],
      `SELECT ${month('created_date_unix')} AS month, iso_currency AS currency, count(*) AS failed, sum(amount) AS failed_amount, sum(CASE WHEN status = 'disabled' AND amount_remaining = 0 THEN 0 ELSE amount - amount_remaining END) AS recovered_amount FROM salvage_transactions GROUP BY 1, 2`,
    );
    await same(
      ['trials', ...ALL, '--by', 'month'],
      ['month', 'currency'],
      ['begun', 'converted', 'cancelled', 'running', 'paid'],
      `SELECT ${month('created_date_unix')} AS month, iso_currency AS currency, count(*) AS begun, count(*) FILTER (status = 'expired' AND coalesce(expired_result, '') <> 'failed') AS converted,
        count(*) FILTER (status = 'cancelled') AS cancelled, count(*) FILTER (status = 'active') AS running, sum(amount_captured) AS paid FROM trials GROUP BY 1, 2`,
    );
  });

  /** The figures of a report by each of these words, beside a query over the path of the word. */
  const byWords = (
    name: string,
    paths: Readonly<Record<string, string>>,
    figures: readonly string[],
    sql: (key: string) => string,
  ): void =>
    it.each(Object.entries(paths))(`${name} by %s`, { timeout: LIMIT }, async (word, path) => {
      const key = `${path} AS "${word}", iso_currency AS currency`;
      await same([name, ...ALL, '--by', word], [word, 'currency'], figures, sql(key));
    });

  const LOST = "status <> 'processed' AND (enabled = false OR status = 'disabled')";
  const GOT = `CASE WHEN ${LOST} AND amount_remaining = 0 THEN 0 ELSE amount - amount_remaining END`;
  byWords(
    'recovery',
    {
      status: 'status',
      method: 'method',
      campaign: 'campaign_name',
      country: 'customer.country',
      customer: 'customer.id',
    },
    ['failed', 'failed_amount', 'recovered', 'recovered_amount', 'open_amount', 'lost_amount'],
    (key) =>
      `SELECT ${key}, count(*) AS failed, sum(amount) AS failed_amount, count(*) FILTER (${GOT} > 0) AS recovered, sum(${GOT}) AS recovered_amount,
        coalesce(sum(amount_remaining) FILTER (NOT (${LOST})), 0) AS open_amount, coalesce(sum(amount - ${GOT}) FILTER (${LOST}), 0) AS lost_amount FROM salvage_transactions GROUP BY 1, 2`,
  );

  const OUTCOME = `CASE WHEN status = 'expired' AND expired_result = 'failed' THEN 'failed' WHEN status = 'expired' THEN 'converted'
    WHEN status = 'cancelled' THEN 'cancelled' ELSE 'running' END`;
  const OUTCOMES = ['converted', 'failed', 'cancelled', 'running'];
  byWords(
    'trials',
    { product: 'product.name', campaign: 'campaign_name', country: 'customer.country', customer: 'customer.id' },
    ['begun', ...OUTCOMES, 'conversion', 'paid'],
    (key) =>
      `SELECT ${key}, count(*) AS begun, ${OUTCOMES.map((one) => `count(*) FILTER (${OUTCOME} = '${one}') AS ${one}`).join(', ')},
        round(100.0 * count(*) FILTER (${OUTCOME} = 'converted') / nullif(count(*) FILTER (${OUTCOME} <> 'running'), 0), 2) AS conversion,
        sum(amount_captured) AS paid FROM trials GROUP BY 1, 2`,
  );

  for (const [name, word, family] of [
    ['refunds', 'status', 'pending_refunds'],
    ['chargebacks', 'status', 'chargebacks'],
    ['discounts', 'name', 'discounts'],
  ] as const)
    byWords(
      name,
      { [word]: word },
      [name, 'amount'],
      (key) => `SELECT ${key}, count(*) AS ${name}, sum(amount) AS amount FROM ${family} GROUP BY 1, 2`,
    );

  byWords(
    'failures',
    {
      status: 'result',
      method: 'method',
      card_type: 'customer_card.type',
      gateway: 'gateway_name',
      customer: 'customer.id',
    },
    ['attempts', 'approved', 'failed', 'attempted_amount', 'approved_amount', 'failed_amount', 'rate'],
    (key) =>
      `SELECT ${key}, count(*) AS attempts, count(*) FILTER (result = 'approved') AS approved, count(*) FILTER (result <> 'approved') AS failed,
        sum(amount) AS attempted_amount, coalesce(sum(amount) FILTER (result = 'approved'), 0) AS approved_amount, coalesce(sum(amount) FILTER (result <> 'approved'), 0) AS failed_amount,
        round(100.0 * count(*) FILTER (result <> 'approved') / count(*), 2) AS rate FROM transactions GROUP BY 1, 2`,
  );

  const PAID = `paid AS (
    SELECT customer.id AS who, iso_currency AS currency, amount_captured AS a, amount_refunded AS r, created_date_unix AS moment FROM sales WHERE amount_captured > 0
    UNION ALL SELECT customer.id, iso_currency, amount_captured, amount_refunded, created_date_unix FROM subscription_renewals WHERE amount_captured > 0
    UNION ALL SELECT customer.id, iso_currency, amount_captured, amount_refunded, expiration_date_unix FROM trials WHERE amount_captured > 0)`;

  it('retention and what customers brought', { timeout: LIMIT }, async () => {
    await same(
      ['retention', ...ALL],
      ['cohort', 'currency', 'month'],
      ['customers', 'amount'],
      `WITH ${PAID}, begun AS (SELECT who, currency, min(moment) AS beginning FROM paid GROUP BY 1, 2),
        cells AS (SELECT ${month('beginning')} AS cohort, currency, ${months('beginning', 'moment')} AS month,
          count(DISTINCT who) AS customers, sum(a) AS amount FROM paid JOIN begun USING (who, currency) GROUP BY 1, 2, 3),
        cohorts AS (SELECT ${month('beginning')} AS cohort, currency, ${months('min(beginning)', `make_timestamp(${Date.now()}000)`)} AS last FROM begun GROUP BY 1, 2)
        SELECT cohort, currency, month, coalesce(customers, 0) AS customers, coalesce(amount, 0) AS amount
        FROM (SELECT cohort, currency, unnest(generate_series(0, last)) AS month FROM cohorts) LEFT JOIN cells USING (cohort, currency, month)`,
    );
    await same(
      ['ltv', ...ALL],
      ['currency'],
      ['customers', 'paid', 'refunded', 'kept'],
      `WITH ${PAID} SELECT currency, count(DISTINCT who) AS customers, sum(a) AS paid, sum(r) AS refunded, sum(a - r) AS kept FROM paid GROUP BY 1`,
    );
  });

  it.each([
    [['--with-trials'], ''],
    [
      [],
      " AND (id NOT IN (SELECT unnest(CAST(subscriptions AS VARCHAR[])) FROM trials WHERE status = 'active' OR expired_result = 'failed') OR id IN (SELECT subscription_id FROM subscription_renewals WHERE amount_captured > 0))",
    ],
  ])('recurring revenue at the end %j', { timeout: LIMIT }, async (more, paid) => {
    await same(
      ['mrr', '--overdue-days', '3650', ...more],
      ['currency'],
      ['end', 'subscriptions'],
      `SELECT iso_currency AS currency, sum(floor(amount * 100 * CASE CAST(subscription_profile AS JSON) ->> '$.frequency_unit.unit'
          WHEN 'months' THEN 1 WHEN 'years' THEN 1 / 12 WHEN 'weeks' THEN 365 / 84 ELSE 365 / 12 END
          / CAST(CAST(subscription_profile AS JSON) ->> '$.frequency_unit.unit_value' AS INTEGER) + 0.5)) / 100 AS "end",
        count(*) AS subscriptions FROM subscriptions WHERE status IN ('active', 'overdue')${paid} GROUP BY 1`,
    );
  });

  it('a closed month agrees with revenue of that month, and its days with the whole', { timeout: LIMIT }, async () => {
    // A span that ends now moves on from one command to the next, and a payment may fall out of it meanwhile.
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
    const range = ['--from', ago(60), '--to', ago(1)];
    const days = await report(['revenue', ...range, '--by', 'day']);
    const whole = await report(['revenue', ...range]);
    const sum = (rows: readonly Row[], currency: string) =>
      rows.reduce((all, row) => all + (row.currency === currency ? Math.round(Number(row.net) * 100) : 0), 0);
    for (const currency of new Set(whole.map((row) => String(row.currency)))) {
      expect(sum(days, currency)).toBe(sum(whole, currency));
    }
    const close = await report(['close']);
    expect(close.filter(({ section }) => section === 'checks').length).toBeGreaterThan(0);
  });
});
