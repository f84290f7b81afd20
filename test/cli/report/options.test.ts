/** @module-tag thorough */
/** What a line of a report may choose besides its period, and what it says of what it leaves out. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorOf, json } from '../helpers.js';
import { Home } from '../program.js';
import { REPORT_FAMILIES } from './families.js';

type Row = Readonly<Record<string, string | number | null>>;
interface Answer {
  readonly rows: readonly Row[];
  readonly totals?: readonly Row[];
  readonly notes: readonly string[];
}

let cops: Home;
beforeAll(async () => {
  cops = new Home({ COPS_PROFILE: 'sandbox' });
  const families = ['customers', 'coupons', 'coupon-profiles', 'subscription-profiles', ...REPORT_FAMILIES].map(
    (name) => name.replaceAll('_', '-'),
  );
  const synced = await cops.run(['sync', '-q', ...new Set(families)], { timeoutMs: 100_000 });
  expect(synced.code, synced.stderr).toBe(0);
}, 120_000);
afterAll(() => cops.remove());

const ask = async (...words: string[]) => {
  const ran = await cops.run(['report', ...words, '--no-sync', '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  return json<Answer>(ran);
};
const usd = ({ rows }: Answer): readonly Row[] => rows.filter((row) => row.currency === 'USD');

it('tells the rate of a gateway over all currencies, which counts do not need apart', async () => {
  const { rows, notes } = await ask('failures', '--last', '1y', '--by', 'gateway');
  const of = rows.filter(({ gateway }) => gateway === rows[0]?.gateway);
  expect(of.length).toBeGreaterThan(1);
  const sum = (name: string): number => of.reduce((all, row) => all + Number(row[name]), 0);
  const [failed, attempts] = [sum('failed'), sum('attempts')];
  expect(notes.join('\n')).toContain(
    `${of[0]?.gateway} ${failed} of ${attempts} failed, ${((100 * failed) / attempts).toFixed(2)} %`,
  );
  expect((await ask('failures', '--last', '1y', '--currency', 'USD', '--by', 'gateway')).notes.join()).not.toContain(
    'over all',
  );
});

it('names the line with the days of the first and the latest payment of each customer', async () => {
  const { rows, notes } = await ask('customers', '--from', '2026-01-01', '--currency', 'USD');
  const query = /sql '(select [^']*)'/.exec(notes.join())?.[1] ?? '';
  const ran = await cops.run(['sql', query, '--no-sync', '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  const days = json<Row[]>(ran).filter(({ currency }) => currency === 'USD');
  expect(days).toHaveLength(rows.filter(({ paid }) => Number(paid) > 0).length);
  for (const { first, latest } of days) expect([first, latest].sort()).toEqual([first, latest]);
});

it('shows the rows behind a figure, largest first in each currency, with the names of their customers', async () => {
  const { rows } = await ask('refunds', '--last', '1y', '--rows', '--where', 'amount>=10', '--sort', 'amount');
  expect(rows.length).toBeGreaterThan(2);
  const wanted = rows.toSorted(
    (a, b) => String(a.currency).localeCompare(String(b.currency)) || Number(b.amount) - Number(a.amount),
  );
  expect(rows.map(({ currency, amount }) => [currency, amount])).toEqual(
    wanted.map(({ currency, amount }) => [currency, amount]),
  );
  for (const row of rows) expect(row.customer_name).toMatch(/^\S+ \S+/);
  const line = ['report', 'refunds', '--rows', '--having', 'amount>=10', '-o', 'json'];
  expect(errorOf(await cops.run(line)).hint).toContain("report refunds --rows -o json --where 'amount>=10'");
  const strange = await cops.run(['report', 'refunds', '--rows', '--sort', 'rate', '-o', 'json', '--no-sync']);
  expect([strange.code, errorOf(strange).message]).toEqual([2, expect.stringContaining('no "rate"')]);
});

describe('--top', () => {
  it('ranks customers by what was kept of their payments, says so, and names them', async () => {
    const all = usd(await ask('customers', '--currency', 'USD'));
    const answer = await ask('customers', '--top', '3', '--currency', 'USD');
    const best = [...all].sort((one, other) => Number(other.kept) - Number(one.kept)).slice(0, 3);
    expect(answer.rows.slice(0, 3).map(({ kept }) => kept)).toEqual(best.map(({ kept }) => kept));
    expect(answer.notes.join()).toContain('the 3 largest by kept; to rank by another figure: --sort paid');
    expect(answer.rows[0]?.customer_name).toMatch(/^\S+ \S+/);
    expect(answer.rows[3]).toMatchObject({ customer: '(others)', customer_email: null, customer_name: null });
  });

  it('ranks by any figure of the report, and by no other word', async () => {
    const all = usd(await ask('revenue', '--last', '1y', '--by', 'product', '--currency', 'USD'));
    const answer = await ask(
      'revenue',
      '--last',
      '1y',
      '--by',
      'product',
      '--top',
      '2',
      '--sort',
      'refunds',
      '--currency',
      'USD',
    );
    const most = [...all].map(({ refunds }) => Number(refunds)).sort((one, other) => other - one);
    expect(answer.rows.slice(0, 2).map(({ refunds }) => refunds)).toEqual(most.slice(0, 2));
    expect(answer.notes.join()).toContain('the 2 largest by refunds');
    const wrong = await cops.run(['report', 'revenue', '--by', 'product', '--sort', 'refund', '-o', 'json']);
    expect([wrong.code, errorOf(wrong).message]).toEqual([
      2,
      '--sort: cops report revenue has no figure "refund". Did you mean refunds?',
    ]);
  });
});

it('shows a change against another period in percent of it', async () => {
  const { rows } = await ask('revenue', '--month', 'last', '--against', 'previous');
  const row = rows.find(({ gross_before: before }) => Number(before) > 0) as Row;
  const share = (100 * (Number(row.gross) - Number(row.gross_before))) / Number(row.gross_before);
  expect(row.gross_change_percent).toBeCloseTo(share, 2);
  expect(row).not.toHaveProperty('average_change_percent');
});

describe('an aging list', () => {
  it('has the buckets that the line names, in order of age', async () => {
    const own = await ask('aging', '--buckets', '7,30,200');
    const names = new Set(own.rows.map(({ bucket }) => bucket));
    for (const name of names) expect(['0-7', '8-30', '31-200', '200+']).toContain(name);
    const sum = ({ rows }: Answer) =>
      usd({ rows, notes: [] }).reduce((all, { open }) => all + Math.round(Number(open) * 100), 0);
    expect(sum(own)).toBe(sum(await ask('aging')));
    for (const typed of ['30,7', '7,,30', 'week']) {
      const wrong = await cops.run(['report', 'aging', '--buckets', typed, '-o', 'json']);
      expect([wrong.code, errorOf(wrong).hint], typed).toEqual([2, expect.stringContaining('--buckets 7,30,60')]);
    }
    expect((await cops.run(['report', 'revenue', '--buckets', '7'])).stderr).toContain('cops report aging');
  });

  it('names for a past day that no sync saw the lines that are answered', async () => {
    const past = await cops.run(['report', 'aging', '--as-of', '20d', '--no-sync', '-o', 'json']);
    expect(past.code).toBe(10);
    expect(errorOf(past).hint).toContain('cops report aging');
  });
});

it('says where the service shows no reason, and how declines and errors are distinguished', async () => {
  const { rows, notes } = await ask('failures', '--last', '1y', '--by', 'gateway,reason');
  if (rows.every(({ reason }) => reason === null)) expect(notes.join()).toContain('the service shows no reason');
  const { stdout } = await cops.run(['report', 'failures', '--explain', '-o', 'json']);
  expect(stdout).toContain('--by status tells them apart');
});

it.each([
  ['deferred', 'report revenue --month last --rows'],
  ['changes', 'changes --since yesterday'],
  ['reconcile', 'reconcile payouts.csv --month last'],
])('leads %s to what answers it', async (name, line) => {
  const ran = await cops.run(['report', name, '-o', 'json']);
  expect(ran.code).toBe(2);
  expect(errorOf(ran).hint).toContain(line);
});

describe('--where', () => {
  it('chooses what falls due and what is open, each part as it is in the whole', async () => {
    const whole = await ask('forecast', '--by', 'product');
    const [{ product, total, currency } = {}] = whole.rows;
    const part = await ask('forecast', '--by', 'product', '--where', `product=${String(product).toUpperCase()}`);
    expect(part.rows.find((row) => row.currency === currency)).toMatchObject({ product, total });
    expect(new Set(part.rows.map((row) => row.product))).toEqual(new Set([product]));
    const open = await ask('aging', '--by', 'payment');
    const [one] = open.rows;
    expect((await ask('aging', '--by', 'payment', '--where', `payment=${one?.payment}`)).rows).toEqual([one]);
    const none = await ask('forecast', '--where', 'kind=renewl');
    expect(none.notes.join()).toMatch(/no row has kind=renewl; seen: renewal \d+/);
  });

  it('leads to the rows of a word where a report takes none', async () => {
    const ran = await cops.run(['report', 'retention', '--where', 'country=USA', '--no-sync']);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringContaining('cops report retention --by country')]);
  });
});

describe('totals', () => {
  it('stand under what is open, each kind by itself, and under the rows behind figures', async () => {
    const sum = (rows: readonly Row[] = [], name: string) => rows.reduce((all, row) => all + Number(row[name] ?? 0), 0);
    for (const [words, figure] of [
      [['aging', '--by', 'payment'], 'open'],
      [['revenue', '--month', 'last', '--rows'], 'gross'],
    ] as const) {
      const { rows, totals } = await ask(...words);
      expect(totals?.length).toBeGreaterThan(0);
      expect(sum(totals, figure)).toBeCloseTo(sum(rows, figure), 2);
      expect(rows.length).toBeGreaterThan(totals?.length ?? 0);
    }
  });
});

it.each([
  [['reconcile'], 'cops reconcile payouts.csv --month last'],
  [['reconcile', '--month', '2026-10'], 'cops report close --month 2026-10'],
  [
    ['pending-refunds', 'list', '--columns', 'id,amount', '--sum', 'amount'],
    'cops pending-refunds list --columns id,amount;',
  ],
  [['pending-refunds', 'list', '--columns', 'id,amount', '--sum', 'amount'], 'cops pending-refunds list --sum amount'],
])('%j has the whole lines that answer', async (line, said) => {
  const ran = await cops.run(line);
  expect(ran.code).toBe(2);
  expect(ran.stderr).toContain(said);
});

it('says that --all is no range, and how long the sandbox is ahead', async () => {
  const ran = await cops.run(['sales', 'list', '--all', '-o', 'ids']);
  expect(ran.stderr).toContain('Of all time: cops sales list --all -o ids --all-time');
  expect((await cops.run(['sandbox', 'clock', 'advance', '3d'])).stderr).toContain('is 3 days ahead of');
  const query = "select date('now', '-1 day') as day, date() as today, strftime('%Y') as year";
  const asked = await cops.run(['sql', query, '-o', 'json']);
  expect(asked.stderr).not.toContain('The present in');
  expect((await cops.run(['sync', '-q'], { timeoutMs: 100_000 })).code).toBe(0);
  const ahead = await cops.run(['sql', query, '-o', 'json']);
  expect(ahead.stderr).toMatch(/The present in this query is that of this machine, 3 days behind the clock/);
  const shown = ahead.stderr.replaceAll("'\\''", "'");
  const [, moment] =
    /date\('([^']+)', '-1 day'\) as day, date\('\1'\) as today, strftime\('%Y', '\1'\)/.exec(shown) ?? [];
  expect(Date.parse(`${moment}Z`) - Date.now()).toBeGreaterThan(2 * 86_400_000);
});
