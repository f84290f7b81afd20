/** @module-tag sweep */
/** A figure says what it leaves out, and where the whole is. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { home } from '../helpers.js';
import { Home } from '../program.js';
import { REPORT_FAMILIES } from '../report/families.js';

const SANDBOX = ['-p', 'sandbox'];

const REPORTED = REPORT_FAMILIES.map((name) => name.replaceAll('_', '-'));

const shop = new Home();
beforeAll(async () => {
  await shop.run([...SANDBOX, 'sync', ...REPORTED]);
}, 120_000);
afterAll(() => shop.remove());

const reported = (...line: string[]) => shop.run([...SANDBOX, 'report', ...line]);

it.each([
  ['sales list --quarter last --sum amount_fees', 'All of it: cops -p sandbox report fees --quarter last'],
  ['transactions list --month last --sum amount', 'All of it: cops -p sandbox report revenue --month last'],
  [
    'subscription-renewals list --last 30d --sum amount_refunded',
    'All of it: cops -p sandbox report refunds --last 30d',
  ],
])('says what a sum is only a part of, and which report tells it all: %s', async (line, said) => {
  const ran = await home().run(['-p', 'sandbox', ...line.split(' '), '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toContain(said);
});

it.each([
  'transactions list --month last --where approved=yes --columns created,amount',
  'transactions list --month last --columns created,amount',
  'export transactions --month last --out payments.xlsx --columns created_date_unix,amount',
  'export transactions --month last --out payments.jsonl',
])('says of rows with amounts which payments they are not, and names a line with all: %s', async (line) => {
  const own = home();
  const ran = await own.run(['-p', 'sandbox', ...line.split(' ')], { cwd: own.folder });
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stderr).toContain('wallet payments, checks and offline payments are lists of their own');
  const query = /cops -p sandbox sql '(select [^']*)' -o csv > payments.csv/.exec(
    ran.stderr.replaceAll('\n', ' '),
  )?.[1];
  const all = await shop.run([...SANDBOX, 'sql', query ?? '', '-o', 'csv']);
  expect([all.code, all.stdout], all.stderr).toEqual([0, expect.stringContaining('amount_minor')]);
});

it('says no such thing of a count, and of sums that nobody takes for all', async () => {
  for (const line of ['sales list --group-by status', 'discounts list --sum amount']) {
    const ran = await home().run(['-p', 'sandbox', ...line.split(' '), '-o', 'json']);
    expect(ran.stderr).not.toContain('All of it');
  }
});

it('keeps profile and mode in the lines of a document', async () => {
  const { stdout } = await shop.run([...SANDBOX, '--test', 'report', 'aging', '-o', 'json']);
  const { notes } = JSON.parse(stdout) as { notes: string[] };
  expect(notes.join()).toContain('cops -p sandbox --test ');
  expect(notes.join()).not.toMatch(/cops (?!-p sandbox --test)/);
});

describe('the average of an order', () => {
  const ask = (...line: string[]) => reported(...line, '--year', '2026');
  const rowsOf = (stdout: string) =>
    (JSON.parse(stdout) as { rows: { kind: string; product?: string; payments: number }[] }).rows;

  it('is of orders alone, renewals and trials left out, and that is said', async () => {
    const ran = await ask('aov', '--by', 'product', '-o', 'json');
    expect(ran.code, ran.stderr).toBe(0);
    expect(new Set(rowsOf(ran.stdout).map(({ kind }) => kind))).toEqual(new Set(['sale']));
    expect(ran.stderr).toContain('Note: only orders (kind sale)');
    const { notes } = JSON.parse(ran.stdout) as { notes: string[] };
    expect(notes.join()).toContain('only orders (kind sale)');
  });

  it('is the figure that the whole report has for orders, its totals too', async () => {
    const whole = rowsOf((await ask('revenue', '--by', 'kind', '-o', 'json')).stdout);
    const orders = whole.filter(({ kind }) => kind === 'sale');
    expect(whole.length).toBeGreaterThan(orders.length);
    expect(rowsOf((await ask('aov', '-o', 'json')).stdout)).toEqual(orders);
    const { totals } = JSON.parse((await ask('aov', '--by', 'product', '-o', 'json')).stdout) as { totals: unknown[] };
    expect(totals).toMatchObject(orders);
  });

  it('says why the payments of products come to more than the orders', async () => {
    interface Paid {
      readonly currency: string;
      readonly payments: number;
    }
    const ran = await ask('aov', '--by', 'product', '-o', 'json');
    const { rows, totals } = JSON.parse(ran.stdout) as { rows: Paid[]; totals: Paid[] };
    const dollars = (some: Paid[]) =>
      some.filter(({ currency }) => currency === 'USD').reduce((sum, { payments }) => sum + payments, 0);
    expect(dollars(rows)).toBeGreaterThan(dollars(totals));
    expect(ran.stderr).toContain(`USD ${dollars(rows)} in the rows, ${dollars(totals)} in all`);
    expect(ran.stderr).toContain('an order of several products is in the row of each');
    expect((await ask('aov', '--by', 'country', '-o', 'json')).stderr).not.toContain('add up');
  });

  it('has its parts where they are asked for, and is held against another year', async () => {
    const kinds = rowsOf((await ask('aov', '--by', 'kind', '-o', 'json')).stdout).map(({ kind }) => kind);
    expect(new Set(kinds)).toEqual(new Set(['sale', 'renewal', 'trial']));
    const against = rowsOf((await ask('aov', '--against', '2025', '-o', 'json')).stdout);
    expect(new Set(against.map(({ kind }) => kind))).toEqual(new Set(['sale']));
  });
});

it('says how many overdue subscriptions recurring revenue leaves out', async () => {
  const leftOut = async (days: string) => {
    const { stdout, stderr } = await reported('mrr', '--overdue-days', days, '-o', 'json');
    const counted = (JSON.parse(stdout) as { rows: { method: string; subscriptions: number }[] }).rows;
    const said = /(\d+) subscriptions? overdue for more than/.exec(stderr)?.[1] ?? '0';
    const seen = counted.filter(({ method }) => method !== 'rebuilt');
    return [seen.reduce((sum, { subscriptions }) => sum + subscriptions, 0), Number(said)] as const;
  };
  const [all, none] = await leftOut('3650');
  const [held, gone] = await leftOut('30');
  expect(none).toBe(0);
  expect(gone).toBeGreaterThan(0);
  expect(held + gone).toBe(all);
});

it('says how much recurring revenue leaves out because its trial is not paid', async () => {
  const { stderr } = await reported('mrr');
  const said = /(\d+) running subscriptions? whose trial nobody paid (?:is|are) not in it[^:]*: (.*)/.exec(stderr);
  const asked = `select count(distinct s.id) as n from subscriptions s join raw_trials t on (t.status = 'active' or t.expired_result = 'failed')
      and not exists (select 1 from raw_subscription_renewals r where r.subscription_id = s.id and r.amount_captured > 0)
    where s.status in ('active', 'overdue') and exists (select 1 from json_each(t.subscriptions) j where j.value = s.id)`;
  const [row] = JSON.parse((await shop.run([...SANDBOX, 'sql', asked, '-o', 'json'])).stdout) as { n: number }[];
  expect(row?.n).toBeGreaterThan(0);
  expect(Number(said?.[1])).toBe(row?.n);
  expect(said?.[2]).toMatch(/^\d+\.\d\d [A-Z]{3}/);
});

describe('chosen columns', () => {
  it('keep the currency of their rows, the names of parts and the totals', async () => {
    const line = ['revenue', '--year', '2026', '--by', 'product', '--no-sync', '--columns', 'product,gross'];
    const ran = await reported(...line, '-o', 'table');
    expect(ran.stdout).toMatch(/^product +currency +gross\n/);
    expect(ran.stdout).toMatch(/\nno product.* \d+\.\d\d\n/);
    expect(ran.stdout).toMatch(/\ntotal +USD +[\d,]+\.\d\d\n/);
    expect(ran.stderr).toContain('each row is of one currency');
    expect((await reported(...line, '-o', 'csv')).stdout).toMatch(/^product,gross,currency\n/);
    const one = await reported(...line, '--currency', 'USD', '-o', 'table');
    expect(one.stdout).toMatch(/^product +gross USD\n/);
  });
});

it.each([
  ['failures --last 60d --by day', 'days ha', 'no row'],
  ['failures --last 60d --by day --where method=subscription_renew', 'days ha', 'no row'],
  ['tax --year 2026 --by country', 'sold without any tax: ', 'report revenue --year 2026 --by country'],
  [
    'refunds --year 2026 --by product --sort rate',
    'for the number of payments',
    'report revenue --year 2026 --by product',
  ],
  ['forecast --next 90d --by week', 'of which trials that end: ', '--where kind=renewal'],
  ['duplicates --year 2026', 'within 24 hours; ', 'on one day'],
  ['mrr --last 3mo', 'based on today', 'whole months: cops -p sandbox report mrr --no-sync -o json --from 2026-'],
])('says its rule and what it leaves out: report %s', async (line, ...said) => {
  const ran = await reported(...line.split(' '), '--no-sync', '-o', 'json');
  for (const text of said) expect(ran.stderr).toContain(text);
});

it.each([
  ['forecast --by week --across currency', 'total of its own: cops -p sandbox report forecast --by week'],
  ['forecast --by week --across product', 'cops -p sandbox report forecast --by product'],
  ['revenue --by day --top 2 --sort gross', "--query 'reverse(sort_by(rows,&gross))[:2]'"],
])('refuses with the reason and a line that works: report %s', async (line, said) => {
  const ran = await reported(...line.split(' '));
  expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining(said)]);
});

it('exports by everyday words, and points columns of other lists to the rows of refunds', async () => {
  const own = home();
  const ask = (...words: string[]) => own.run([...SANDBOX, 'export', ...words], { cwd: own.folder });
  const ran = await ask(
    'refunds',
    '--year',
    '2026',
    '--out',
    'r.csv',
    '--columns',
    'id,customer.name,product.name,amount',
  );
  expect(ran.code, ran.stderr).toBe(2);
  expect(ran.stderr).toContain('only customer.first_name, customer.last_name;');
  expect(ran.stderr).toContain('cops -p sandbox report refunds --year 2026 --rows --out r.xlsx');
  const [, hinted = ''] = /Without product\.name: cops (.*) > r\.csv/.exec(ran.stderr) ?? [];
  const listed = await own.run(hinted.split(' '));
  expect(listed.code, listed.stderr).toBe(0);
  const guessed = await ask('payments', '--month', 'last', '--out', 'p.csv');
  expect(guessed.stderr).toContain('"cops -p sandbox export transactions --month last --out p.csv"');
});
