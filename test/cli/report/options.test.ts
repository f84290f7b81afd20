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
    `${of[0]?.gateway}: ${failed} of ${attempts} attempts failed, ${((100 * failed) / attempts).toFixed(2)} %`,
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

describe('a rate', () => {
  const lineIn = (notes: readonly string[], of: string): string[] =>
    (new RegExp(`${of}.*: cops report (.*)`).exec(notes.join('\n'))?.[1] ?? '').replaceAll("'", '').split(' ');

  it('says what its sides are under a condition, and leads to the parts of the whole', async () => {
    const within = ['failures', '--last', '1y', '--currency', 'USD'];
    const whole = await ask(...within, '--by', 'currency');
    const asked = await ask(...within, '--where', 'status=error', '--where', 'country=USA');
    expect(asked.notes.join()).toContain('rate = failed / attempts');
    const line = lineIn(asked.notes, 'share of all attempts');
    expect(line).toEqual(expect.arrayContaining(['country=USA', '--currency', 'USD']));
    const { rows } = await ask(...line.filter((word) => !/^(?:-o|json|--no-sync)$/.test(word)));
    const error = rows.find(({ status }) => status === 'error');
    const sum = rows.reduce((all, { attempts }) => all + Number(attempts), 0);
    expect(Number(error?.attempts_share)).toBeCloseTo((100 * Number(error?.attempts)) / sum, 1);
    expect(Number(whole.rows[0]?.rate)).toBeLessThan(100);
  });

  it.each([
    ['trials --where outcome=converted', 'conversion = converted / ended'],
    ['recovery --where country=USA', 'share = recovered / failed amount'],
    ['chargebacks --by reason', 'amount_ratio = amount / transactions_amount'],
    ['churn --where country=USA', 'subscription_churn = lost_subscriptions'],
    ['fees --where country=USA', 'rate = fees / gross'],
  ])('says it of %s', async (line, said) => {
    expect((await ask(...line.split(' '), '--last', '1y')).notes.join()).toContain(said);
    const plain = await ask(line.split(' ')[0] ?? '', '--last', '1y');
    expect(plain.notes.join()).not.toContain('both sides of a rate');
  });

  it('of fees says that refunds lower it', async () => {
    expect((await ask('fees', '--last', '1y')).notes.join()).toContain('after refunds by gross before refunds');
  });

  it('of failures says how many of each kind are counted together', async () => {
    const { notes } = await ask('failures', '--last', '1y', '--by', 'gateway');
    const told = /includes every kind: ([^;]*);/.exec(notes.join('\n'))?.[1] ?? '';
    const line = lineIn(notes, 'failed includes every kind');
    expect(line).toContain('gateway,status');
    const { rows } = await ask('failures', '--last', '1y', '--by', 'status');
    const failed = rows.filter(({ status }) => status !== 'approved');
    const sums = new Map<string, number>();
    for (const { status, failed: some } of failed)
      sums.set(String(status), (sums.get(String(status)) ?? 0) + Number(some));
    expect(new Set(told.split(', '))).toEqual(new Set([...sums].map(([status, some]) => `${some} ${status}`)));
  });
});

it('says how many subscriptions that owe do not run any more, and lists them', async () => {
  const { notes } = await ask('aging');
  const { rows } = await ask('aging', '--by', 'subscription');
  expect(notes.join()).toContain('payments are counted, not subscriptions');
  const owing = [...new Set(rows.flatMap(({ subscription }) => subscription ?? []))];
  const ran = await cops.run(['subscriptions', 'get', ...owing.map(String), '-o', 'json']);
  const stopped = json<Row[]>(ran).filter(({ status }) => !['active', 'overdue'].includes(String(status)));
  const query = /do(?:es)? not run any more.*sql ('.*')/.exec(notes.join('\n'))?.[1];
  const listed =
    query === undefined ? [] : json<Row[]>(await cops.run(['sql', unquoted(query), '--no-sync', '-o', 'json']));
  expect(listed.map(({ id }) => id).sort()).toEqual(stopped.map(({ id }) => id).sort());
});

/** A word as a shell reads it. */
const unquoted = (word: string): string => word.slice(1, -1).replaceAll("'\\''", "'");

it('names a line for the subscriptions that recurring revenue leaves out, whatever it goes by', async () => {
  for (const words of [['churn', '--by', 'product'], ['mrr']]) {
    const { notes } = await ask(...words, '--overdue-days', '5');
    const told = notes.flatMap((note) => /^(\d+) .*; which: cops sql ('.*')$/.exec(note)?.slice(1) ?? []);
    expect(told.length).toBeGreaterThan(2);
    for (let at = 0; at < told.length; at += 2) {
      const listed = await cops.run(['sql', unquoted(told[at + 1] ?? ''), '--no-sync', '-o', 'json']);
      expect(json<Row[]>(listed)).toHaveLength(Number(told[at]));
    }
  }
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
  expect(ahead.stderr).toMatch(/takes the time from this machine, whose clock is 3 days behind the data/);
  const shown = ahead.stderr.replaceAll("'\\''", "'");
  const [, moment] =
    /date\('([^']+)', '-1 day'\) as day, date\('\1'\) as today, strftime\('%Y', '\1'\)/.exec(shown) ?? [];
  expect(Date.parse(`${moment}Z`) - Date.now()).toBeGreaterThan(2 * 86_400_000);
});

/** The rows of the query that a text proposes. */
const proposed = async (text: string): Promise<Row[]> => {
  const query = (/sql '((?:[^']|'\\'')*)'/.exec(text)?.[1] ?? '').replaceAll("'\\''", "'");
  const ran = await cops.run(['sql', query, '--no-sync', '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  return json<Row[]>(ran);
};

it.each([
  [['mrr', '--month', '2026-06', '--against', '2026-05'], /report mrr .*--from 2026-05-01 --to 2026-06-30/],
  [['close', '--month', '2026-06', '--compare', 'previous'], /report close .*--from 2026-05-01 --to 2026-05-31/],
  [['aging', '--against', 'previous'], /another period: cops (?!.*against)/],
  [['forecast', '--next', '30d', '--against', 'previous'], /report forecast .*--next 30d(?!.*against)/],
  [['refunds', '--rows', '--top', '3'], /report refunds --rows .*--sort amount/],
  [['revenue', '--by', 'product', '--limit', '5'], /report revenue .*--top 5/],
])('names the whole line for what a report does not take: %j', async (words, hint) => {
  const ran = await cops.run(['report', ...words, '-o', 'json']);
  expect([ran.code, errorOf(ran).hint]).toEqual([2, expect.stringMatching(hint)]);
});

it('leads from rows to payments as a whole, which may have several', async () => {
  const line = ['revenue', '--last', '1y', '--rows'];
  const { rows, notes } = await ask(...line);
  const parts = rows.filter(({ payment_id: id }) => id !== null);
  const sums = new Map<string, number>();
  for (const { payment_id: id, currency, gross } of parts) {
    const key = `${currency} ${id}`;
    sums.set(key, (sums.get(key) ?? 0) + Math.round(Number(gross) * 100));
  }
  expect(notes.join('\n')).toContain(`of the rows are of ${sums.size.toLocaleString('en')} payments`);
  const hint = String(errorOf(await cops.run(['report', ...line, '--top', '1', '-o', 'json'])).hint);
  for (const text of [notes.join('\n'), hint]) {
    for (const { currency, id, paid_minor: paid } of await proposed(text)) {
      const most = Math.max(...[...sums].flatMap(([key, sum]) => (key.startsWith(`${currency} `) ? [sum] : [])));
      expect([sums.get(`${currency} ${id}`), paid]).toEqual([most, most]);
    }
  }
});

it('tells how many customers of a cohort paid again within days of their first payment', async () => {
  const { rows, notes } = await ask('retention', '--last', '1y');
  const found = await proposed(notes.join('\n'));
  expect(found.length).toBeGreaterThan(0);
  for (const { currency, customers, again, percent } of found) {
    const size = rows.filter((row) => row.currency === currency && row.month === 0);
    expect(customers).toBe(size.reduce((sum, row) => sum + Number(row.size), 0));
    expect(Number(percent)).toBeCloseTo((100 * Number(again)) / Number(customers), 1);
  }
});

it('compares the values of a dimension in order of time', async () => {
  const all = await ask('refunds', '--last', '1y', '--by', 'paid_month');
  const [middle] = all.rows
    .map((row) => String(row.paid_month))
    .sort()
    .slice(all.rows.length / 2);
  const earlier = await ask('refunds', '--last', '1y', '--by', 'paid_month', '--where', `paid_month<${middle}`);
  expect(earlier.rows).toEqual(all.rows.filter((row) => String(row.paid_month) < String(middle)));
  const hours = await ask('refunds', '--last', '1y', '--by', 'hour', '--where', 'hour>=9', '--where', 'hour<12:00');
  for (const { hour } of hours.rows) expect(['09:00', '10:00', '11:00']).toContain(hour);
  const vague = await cops.run(['report', 'refunds', '--where', 'paid_month<2026', '-o', 'json']);
  expect([vague.code, errorOf(vague).hint]).toEqual([2, 'For example: paid_month<2026-09']);
});

it('says that the last change of a subscription is not the day on which it ended', async () => {
  const ran = async (query: string) => (await cops.run(['sql', query, '--no-sync', '-o', 'json'])).stderr;
  const where = "status = 'cancelled' and updated > '2026-01-01'";
  expect(await ran(`select count(*) from subscriptions where ${where}`)).toContain('report churn --month last');
  expect(await ran('select status, updated from subscriptions where amount > 1')).not.toContain('report churn');
  expect((await ask('churn', '--month', 'last')).notes.join()).toContain('subscriptions list --month last --count');
});

it('counts the values seen among the rows that meet the other conditions', async () => {
  const sales = await ask('revenue', '--last', '1y', '--where', 'kind=sale', '--where', 'product=nothing');
  const rows = (await ask('revenue', '--last', '1y', '--rows', '--where', 'kind=sale')).rows;
  const [, product = '', count] = /seen: ([^,;]+?) (\d+)/.exec(sales.notes.join('\n')) ?? [];
  expect(Number(count)).toBe(rows.filter((row) => row.product === product).length);
});

it('says that nothing was before, where a change in percent has no base', async () => {
  const ran = await cops.run(['report', 'revenue', '--month', 'last', '--against', '2020', '--no-sync', '-o', 'table']);
  expect(ran.stderr).toContain('nothing was before, so nothing changed in percent');
});

it('says that several customers share the address of a condition', async () => {
  const ran = await cops.run(['sql', 'select email, count(*) n from customers group by 1', '--no-sync', '-o', 'json']);
  const emails = json<Row[]>(ran).toSorted((a, b) => Number(b.n) - Number(a.n));
  const [shared, own] = [emails[0], emails.at(-1)];
  expect([Number(shared?.n), own?.n]).toEqual([2, 1]);
  const notes = async (of: Row | undefined, ...more: string[]) =>
    (await ask('ltv', '--where', `customer=${of?.email}`, ...more)).notes.join('\n');
  expect(await notes(shared)).toContain('several customers have this address');
  expect(await notes(shared, '--by', 'customer')).not.toContain('several customers');
  expect(await notes(own)).not.toContain('several customers');
});
