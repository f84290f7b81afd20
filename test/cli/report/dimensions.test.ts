/** @module-tag thorough */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import readXlsxFile from 'read-excel-file/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StandingClock } from '../../harness/clock.js';
import { Home } from '../program.js';

/* The ways to look at a report: what it is told by, put into columns, ranked, drawn, opened and written. */

type Row = Record<string, string | number | null>;

let home: Home;
const clock = new StandingClock();
const run = (words: readonly string[], options: object = {}) =>
  home.run(['-p', 'sandbox', 'report', ...words, '--mirror', 'm.sqlite', '--last', '6mo'], {
    cwd: home.folder,
    clock,
    random: () => 0.5,
    ...options,
  });

async function document(...words: string[]): Promise<{ rows: Row[]; totals?: Row[]; by: string[] }> {
  const ran = await run([...words, '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  return JSON.parse(ran.stdout);
}

const cents = (rows: readonly Row[], column: string, currency = 'USD'): number =>
  rows.reduce((sum, row) => sum + (row.currency === currency ? Math.round(Number(row[column]) * 100) : 0), 0);

beforeAll(async () => {
  home = new Home({ NO_COLOR: '1' });
  const ran = await home.run(['-p', 'sandbox', '-q', 'sync', 'm.sqlite'], {
    cwd: home.folder,
    clock,
    random: () => 0.5,
  });
  expect(ran.code, ran.stderr).toBe(0);
}, 120_000);
afterAll(() => home.remove());

describe('--by', () => {
  it('tells fees by gateway, what no card paid apart, and they come to those of revenue', async () => {
    const { rows } = await document('fees', '--by', 'gateway');
    expect(rows.map((row) => row.gateway)).toContain('not a card');
    expect(cents(rows, 'fees')).toBe(cents((await document('revenue')).rows, 'fees'));
  });

  it('tells tax by state, each with its country', async () => {
    const { rows } = await document('tax', '--by', 'state');
    expect(rows.find((row) => row.state !== 'unknown')).toMatchObject({ state_country: 'USA' });
    expect(cents(rows, 'tax')).toBe(cents((await document('revenue')).rows, 'tax'));
  });

  it.each(['UTC', 'America/New_York'])('tells weekdays and hours by the clocks of %s', async (zone) => {
    const { rows } = await document('revenue', '--rows', '--tz', zone, '--currency', 'USD');
    const clocks = { timeZone: zone, hourCycle: 'h23' } as const;
    for (const [by, form, after] of [
      ['weekday', { ...clocks, weekday: 'long' }, ''],
      ['hour', { ...clocks, hour: '2-digit' }, ':00'],
    ] as const) {
      const format = new Intl.DateTimeFormat('en-US', form);
      const expected: Record<string, number> = {};
      for (const row of rows) {
        const name = `${format.format(Date.parse(String(row.at)))}${after}`;
        expected[name] = (expected[name] ?? 0) + Math.round(Number(row.gross) * 100);
      }
      const told = (await document('revenue', '--by', by, '--tz', zone, '--currency', 'USD')).rows;
      expect(Object.fromEntries(told.map((row) => [row[by], Math.round(Number(row.gross) * 100)]))).toEqual(expected);
      if (by === 'weekday') expect(told[0]?.weekday).toBe('Monday');
    }
  });

  it('tells refunds by the month that was paid, which is no later', async () => {
    const { rows } = await document('refunds', '--by', 'month,paid_month');
    expect(rows.length).toBeGreaterThan(3);
    for (const { month, paid_month } of rows) expect(String(paid_month) <= String(month)).toBe(true);
    expect(cents(rows, 'amount')).toBe(cents((await document('refunds')).rows, 'amount'));
  });

  it('shows shares that come to the whole, of the figure that orders the rows', async () => {
    const { rows } = await document('revenue', '--by', 'product', '--share', '--sort', 'gross');
    const own = rows.filter(({ currency }) => currency === 'USD');
    const whole = cents(own, 'gross');
    for (const row of own) expect(row.gross_share).toBeCloseTo((10_000 * Number(row.gross)) / whole, 1);
  });

  it('leaves the meaning of its headings to --explain', async () => {
    const { stderr } = await run(['churn', '-o', 'csv']);
    expect(stderr).toContain('What the figures mean: cops -p sandbox report churn --explain');
    expect(stderr).not.toContain('ended: paid subscriptions');
    expect((await run(['churn', '--explain'])).stdout).toContain(
      'paid subscriptions cancelled or used up in the month',
    );
  });

  it('shows only the main figures beside another period, all of them in the document and with --wide', async () => {
    const words = ['revenue', '--by', 'country', '--against', 'previous'];
    const heads = (text: string): number => text.split('\n')[0]?.split(/ {2,}/).length ?? 0;
    expect(heads((await run([...words, '-o', 'table'])).stdout)).toBeLessThan(15);
    expect(heads((await run([...words, '-o', 'table', '--wide'])).stdout)).toBeGreaterThan(25);
    expect(Object.keys((await document(...words)).rows[0] ?? {}).length).toBeGreaterThan(25);
  });

  it('takes other words for a dimension', async () => {
    expect((await document('revenue', '--by', 'card')).by).toEqual(['card.brand']);
  });

  it.each([
    ['tax', 'product', 'several products'],
    ['failures', 'product', 'count once for each'],
    ['revenue', 'card.country', "does not show a card's country"],
    ['revenue', 'kind,product,country,state', 'up to 3'],
  ])('refuses %s by %s with the reason', async (name, by, reason) => {
    const ran = await run([name, '--by', by]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(reason);
  });
});

describe('rates', () => {
  const LAST = ['refunds', '--by', 'product'] as const;

  it('puts refunds beside what was paid, by the figures of revenue, largest first', async () => {
    const { rows, totals } = await document(...LAST, '--sort', 'rate');
    const revenue = await document('revenue', '--by', 'product');
    for (const { product, currency, amount, gross, rate } of rows) {
      const own = revenue.rows.find((row) => row.product === product && row.currency === currency);
      expect([amount, gross]).toEqual([own?.refunds, own?.gross]);
      if (Number(gross) > 0) expect(rate).toBeCloseTo((100 * Number(amount)) / Number(gross), 1);
    }
    const rates = rows.filter(({ currency }) => currency === 'USD').map(({ rate }) => Number(rate ?? 0));
    expect(rates).toEqual([...rates].sort((a, b) => b - a));
    expect(totals?.length).toBeGreaterThan(0);
    expect(await document(...LAST, '--sort', 'refund_rate')).toMatchObject({ rows });
  });

  it('keeps the rows with such a figure, and says of how many', async () => {
    const { rows } = await document(...LAST, '--sort', 'rate');
    const ran = await run([...LAST, '--having', 'rate>1', '--having', 'amount>=0.5', '-o', 'json']);
    expect(
      JSON.parse(ran.stdout)
        .rows.map((row: Row) => [row.product, row.currency])
        .sort(),
    ).toEqual(
      rows
        .filter(({ rate, amount }) => Number(rate) > 1 && Number(amount) >= 0.5)
        .map((row) => [row.product, row.currency])
        .sort(),
    );
    expect(ran.stderr).toContain(`of ${rows.length} rows meet --having`);
    expect((await run([...LAST, '--having', 'approval_rate>1'])).stderr).toContain('has no figure "approval_rate"');
    expect((await run(['refunds', '--by', 'reason', '--sort', 'rate'])).stderr).toContain('no rate');
    expect((await document('failures', '--by', 'gateway', '--sort', 'failure_rate')).rows.length).toBeGreaterThan(0);
  });

  it('has months of recurring revenue by product in order of any figure', async () => {
    const { rows } = await document('mrr', '--by', 'product', '--sort', 'churn');
    const first = rows.filter(
      ({ month, currency, method }) =>
        month === rows[0]?.month && currency === rows[0]?.currency && method === rows[0]?.method,
    );
    expect(first.map(({ churn }) => churn)).toEqual(
      first.map(({ churn }) => churn).sort((a, b) => Number(b) - Number(a)),
    );
    const tea = await run(['mrr', '--where', `product=${first[0]?.product}`, '--by', 'product', '-o', 'json']);
    expect(JSON.parse(tea.stdout).rows).toEqual(rows.filter(({ product }) => product === first[0]?.product));
  });
});

it('tells unpaid invoices without a sale as owed, and who owes', async () => {
  const aging = (...more: string[]) =>
    home.run(['-p', 'sandbox', 'report', 'aging', '--mirror', 'm.sqlite', '-o', 'json', ...more], {
      cwd: home.folder,
      clock,
      random: () => 0.5,
    });
  const ran = await aging();
  expect(ran.stderr).toMatch(
    /of \d+ subscriptions? and \d+ customers?; who owes it: cops -p sandbox report aging --by customer/,
  );
  const { rows: each } = JSON.parse((await aging('--by', 'subscription')).stdout) as { rows: Row[] };
  expect(each.filter(({ what, subscription }) => what === 'failed' && subscription !== null).length).toBeGreaterThan(1);
  const list = await home.run(['-p', 'sandbox', 'invoices', 'list', '--all-time', '--status', 'unpaid', '-o', 'json'], {
    cwd: home.folder,
    clock,
    random: () => 0.5,
  });
  const unpaid: { amount: number; iso_currency: string; sales: string[] }[] = JSON.parse(list.stdout);
  const alone = unpaid.filter(({ sales }) => sales.length === 0);
  expect(alone.length).toBeGreaterThan(0);
  const { rows } = JSON.parse(ran.stdout) as { rows: Row[] };
  const sums = (all: readonly { iso_currency: string; amount: number }[]) =>
    Object.fromEntries(
      [...new Set(all.map((one) => one.iso_currency))]
        .sort()
        .map((code) => [
          code,
          Math.round(all.filter((one) => one.iso_currency === code).reduce((sum, one) => sum + one.amount * 100, 0)),
        ]),
    );
  const told = rows
    .filter(({ what }) => what === 'invoice')
    .map((row) => ({ iso_currency: String(row.currency), amount: Number(row.open) }));
  expect(sums(told)).toEqual(sums(alone));
});

it('says what part of the period compared with is before the account began', async () => {
  const ran = await home.run(
    [
      '-p',
      'sandbox',
      'report',
      'revenue',
      '--month',
      'this',
      '--against',
      '2015',
      '--mirror',
      'm.sqlite',
      '-o',
      'json',
    ],
    { cwd: home.folder, clock, random: () => 0.5 },
  );
  expect(ran.stderr).toMatch(
    /the account begins \d{4}-\d\d-\d\d: 365 of the 365 days of the other period are before it/,
  );
});

describe('--top', () => {
  it('has one row for all the others, so that parts are the whole', async () => {
    const all = await document('customers', '--currency', 'USD');
    const top = await document('customers', '--currency', 'USD', '--top', '3');
    expect(top.rows).toHaveLength(4);
    expect(top.rows.slice(0, 3)).toEqual(all.rows.slice(0, 3));
    expect(top.rows[3]).toMatchObject({ customer: '(others)', customer_email: null, customers: all.rows.length - 3 });
    expect(cents(top.rows, 'paid')).toBe(cents(all.rows, 'paid'));
    expect(top.totals).toEqual(all.totals);
  });

  it('ranks the first word that is no time, and keeps the others in each piece of time', async () => {
    const { rows } = await document('revenue', '--by', 'product,month', '--top', '1', '--currency', 'USD');
    expect(new Set(rows.map((row) => row.product)).size).toBe(2);
    expect(cents(rows, 'net')).toBe(cents((await document('revenue')).rows, 'net'));
  });

  it.each([
    [['revenue', '--by', 'month', '--top', '3'], '--top cannot rank by month'],
    [['revenue', '--by', 'product', '--top', '3', '--against', 'previous'], 'cannot be combined'],
    [['mrr', '--top', '3'], 'has no --top'],
  ])('is refused for %j', async (words, reason) => {
    const ran = await run(words);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(reason);
  });
});

describe('--where', () => {
  it('keeps the rows that fit, amounts in whole units', async () => {
    const { rows } = await document('revenue', '--rows', '--where', 'gross>=50', '--where', 'currency=usd');
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter((row) => Number(row.gross) < 50 || row.currency !== 'USD')).toEqual([]);
  });

  it('goes by a card, and the parts of all cards are the whole', async () => {
    const brands = (await document('revenue', '--by', 'card.brand')).rows.map((row) =>
      String(row.card_brand ?? row['card.brand']),
    );
    let sum = 0;
    for (const brand of new Set(brands))
      sum += cents((await document('revenue', '--where', `card.brand=${brand}`)).rows, 'net');
    expect(sum).toBe(cents((await document('revenue')).rows, 'net'));
  });

  it.each([
    ['amount', 'is not a condition'],
    ['nonsense=1', 'has no field nonsense'],
    ['product>tea', 'a text only takes'],
    ['gross>many', 'is not an amount'],
    ['month=2026-10', '--from and --to'],
  ])('refuses %s', async (condition, reason) => {
    const ran = await run(['revenue', '--where', condition]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(reason);
  });
});

describe('words of --by', () => {
  it('takes a coupon for the name of a discount', async () => {
    const { rows } = await document('discounts', '--by', 'coupon');
    expect(rows).toEqual((await document('discounts', '--by', 'name')).rows);
  });

  it.each([
    ['churn', 'reason', 'does not show why'],
    ['chargebacks', 'deadline', 'does not show until when'],
    ['fees', 'payout', 'does not show what a gateway pays out'],
  ])('says why %s has no %s, and leads nowhere else', async (name, word, reason) => {
    const ran = await run([name, '--by', word]);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(reason);
    expect(ran.stderr).not.toContain('Hint');
  });
});

describe('--across', () => {
  it('puts a dimension into columns, which come to the total of their row and of their column', async () => {
    const { rows, totals = [] } = await document('revenue', '--by', 'card.brand', '--across', 'month');
    const months = Object.keys(rows[0] ?? {}).filter((name) => /^\d{4}-\d\d$/.test(name));
    expect(months.length).toBeGreaterThan(5);
    for (const row of rows)
      expect(months.reduce((sum, name) => sum + Math.round(Number(row[name]) * 100), 0)).toBe(
        Math.round(Number(row.total) * 100),
      );
    for (const month of months) expect(cents(rows, month)).toBe(cents(totals, month));
    expect(cents(totals, 'total')).toBe(cents((await document('revenue')).rows, 'net'));
  });

  it.each([
    [['revenue', '--sort', 'gross'], 'gross'],
    [['gross'], 'gross'],
    [['refunds', '--sort', 'refunds'], 'refunds'],
  ])('shows the figure that %j names', async (words, figure) => {
    const { rows } = await document(...words, '--by', 'product', '--across', 'month');
    const plain = await document(words[0] as string, '--by', 'product');
    const byTotal = Object.fromEntries(rows.map((row) => [`${row.product} ${row.currency}`, row.total]));
    expect(byTotal).toEqual(
      Object.fromEntries(plain.rows.map((row) => [`${row.product} ${row.currency}`, row[figure]])),
    );
  });

  it('shows every column on a narrow terminal', async () => {
    const { stdout } = await run(['revenue', '--by', 'kind', '--across', 'month', '-o', 'table'], { terminal: 80 });
    const heads = stdout.split('\n').filter((line) => line.startsWith('kind'));
    expect(heads.length).toBeGreaterThan(1);
    expect(heads.at(-1)).toMatch(/ total$/);
  });

  it.each([
    [['revenue', '--across', 'currency'], 'different currencies'],
    [['revenue', '--across', 'month', '--by', 'day'], 'Give one of'],
    [['revenue', '--across', 'month', '--rows'], 'cannot be combined'],
    [['revenue', '--across', 'kind', '--by', 'kind'], 'give it once'],
  ])('is refused for %j', async (words, reason) => {
    const ran = await run(words);
    expect(ran.code).toBe(2);
    expect(ran.stderr).toContain(reason);
  });
});

describe('--rows', () => {
  it('are what the figure is the sum of', async () => {
    const { rows } = await document('refunds', '--rows');
    const whole = (await document('refunds', '--by', 'currency')).rows;
    for (const row of whole)
      expect(cents(rows, 'amount', String(row.currency))).toBe(Math.round(Number(row.amount) * 100));
  });
});

describe('--against', () => {
  it('takes last-year and a span, and --compare is its other name', async () => {
    const year = (await document('revenue', '--against', 'last-year')) as unknown as {
      against: { from: string };
      from: string;
    };
    expect(Number(year.from.slice(0, 4)) - Number(year.against.from.slice(0, 4))).toBe(1);
    expect(year.against.from.slice(4)).toBe(year.from.slice(4));
    const weeks = (await document('revenue', '--compare', '4w')) as unknown as {
      against: { from: string };
      from: string;
    };
    expect((Date.parse(weeks.from) - Date.parse(weeks.against.from)) / 86_400_000).toBe(28);
  });

  it('puts the months of two periods side by side, and leaves what is ahead unknown', async () => {
    const words = [
      '-p',
      'sandbox',
      'report',
      'revenue',
      '--mirror',
      'm.sqlite',
      '--currency',
      'USD',
      '-o',
      'json',
      '-q',
    ];
    const ask = async (...more: string[]): Promise<{ rows: Row[]; totals: Row[] }> => {
      const ran = await home.run([...words, ...more], { cwd: home.folder, clock, random: () => 0.5 });
      expect(ran.code, ran.stderr).toBe(0);
      return JSON.parse(ran.stdout);
    };
    const now = new Date(clock.now());
    const year = now.getUTCFullYear();
    const { rows } = await ask('--year', String(year), '--against', String(year - 1), '--by', 'month');
    const before = await ask('--year', String(year - 1), '--by', 'month');
    expect(before.rows.length).toBeGreaterThan(1);
    for (const { month, gross } of before.rows) {
      const beside = rows.find((row) => row.month === `${year}${String(month).slice(4)}`);
      expect(beside?.gross_before).toBe(gross);
      const isAhead = String(beside?.month) > now.toISOString().slice(0, 7);
      expect([beside?.gross === null, beside?.gross_change === null]).toEqual([isAhead, isAhead]);
    }
    expect(rows.map((row) => row.month)).toEqual(rows.map((row) => row.month).sort());
    const unlike = await home.run([...words, '--month', '2026-03', '--against', 'previous', '--by', 'day'], {
      cwd: home.folder,
    });
    expect([unlike.code, unlike.stderr.includes('not cut alike')]).toEqual([2, true]);
  });

  it.each([
    ['revenue', 'product,country', 'net'],
    ['revenue', 'campaign', 'net'],
    ['refunds', 'product', 'amount'],
    ['failures', 'gateway', 'failed_amount'],
  ])('shows the change of %s by %s on a narrow terminal', async (name, by, figure) => {
    const line = [name, '--by', by, '--against', 'previous'];
    const heads = (await run(line, { terminal: 80 })).stdout.split('\n').find((row) => row.includes('currency')) ?? '';
    expect(heads.split(/ {2,}/)).toEqual(expect.arrayContaining([figure, `${figure}_change`]));
  });

  it('is refused beside its other name', async () => {
    expect((await run(['revenue', '--against', 'previous', '--compare', 'last-year'])).code).toBe(2);
  });
});

describe('--chart', () => {
  it('draws bars with a scale and a unit within the width, without colour and without blocks too', async () => {
    const ran = await run(['refunds', '--by', 'product', '--top', '2', '--chart'], { terminal: 70 });
    expect(ran.code, ran.stderr).toBe(0);
    expect(ran.stdout).toMatch(/█.*\d\.\d\d\n/);
    expect(ran.stdout).toMatch(/^ +0 +.*\d USD$/m);
    expect(ran.stdout.split('\n').filter((line) => line.length > 70)).toEqual([]);
    const plain = await run(['refunds', '--by', 'product', '--chart'], { terminal: 70, env: { TERM: 'dumb' } });
    expect(plain.stdout).toContain('##');
    expect(plain.stdout).not.toMatch(/[^\x00-\x7f]/);
  });

  it('draws a curve where the rows run on in time, and names its least, most and last', async () => {
    const ran = await run(['revenue', '--by', 'month', '--currency', 'USD', '--chart']);
    expect(ran.stdout).toContain('●');
    expect(ran.stdout).toMatch(/least .* \(\d{4}-\d\d\*?\), most .* \(\d{4}-\d\d\*?\), last /);
  });
});

it('draws the same on a page as on a terminal: bars, units and totals, each currency by itself', async () => {
  const words = ['refunds', '--by', 'product'];
  const chart = (await run([...words, '--chart'])).stdout;
  expect((await run([...words, '--html', 'r.html'])).code).toBe(0);
  const page = readFileSync(path.join(home.folder, 'r.html'), 'utf8');
  const totals = [...chart.matchAll(/^total +([\d.,]+)$/gm)].map(([, total]) => total);
  const captions = [...page.matchAll(/<figcaption>amount, (\w+); total ([\d.,]+) (\w+)</g)];
  expect(captions.map(([, , total]) => total)).toEqual(totals);
  expect(captions.every(([, currency, , unit]) => currency === unit)).toBe(true);
  expect(totals.length).toBeGreaterThan(0);
  const bars = (text: string, form: RegExp): number => [...text.matchAll(form)].length;
  expect(bars(page, /<rect /g)).toBe(bars(chart, /^\S.* {2}[█▏▎▍▌▋▊▉]/gm));
});

describe('--out', () => {
  it('writes what -o csv shows', async () => {
    const words = ['revenue', '--by', 'card.brand'];
    expect((await run([...words, '--out', 'r.csv'])).code).toBe(0);
    expect(readFileSync(path.join(home.folder, 'r.csv'), 'utf8')).toBe((await run([...words, '-o', 'csv'])).stdout);
  });

  it('names what belongs to no product as the table does, and documents have null', async () => {
    const words = ['revenue', '--by', 'product'];
    const named = (text: string): number => [...text.matchAll(/^"?no product/gm)].length;
    const unnamed = (await document(...words)).rows.filter(({ product }) => product === null).length;
    expect(unnamed).toBeGreaterThan(0);
    for (const form of ['table', 'csv', 'tsv']) expect(named((await run([...words, '-o', form])).stdout)).toBe(unnamed);
    expect((await run([...words, '--out', 'p.xlsx'])).code).toBe(0);
    const [sheet] = await readXlsxFile(path.join(home.folder, 'p.xlsx'));
    expect(sheet?.data.filter(([product]) => String(product).startsWith('no product'))).toHaveLength(unnamed);
  });

  it('has in a workbook, below the rows, the period, zone and mode they are of', async () => {
    expect((await run(['fees', '--by', 'gateway', '--out', 'f.xlsx', '--tz', 'Asia/Tokyo'])).code).toBe(0);
    const [sheet] = await readXlsxFile(path.join(home.folder, 'f.xlsx'));
    const rows = (await document('fees', '--by', 'gateway', '--tz', 'Asia/Tokyo')).rows.length;
    expect(sheet?.data.filter((cells) => typeof cells[2] === 'number')).toHaveLength(rows);
    expect(sheet?.data.at(-1)?.[0]).toMatch(
      /^cops report fees: \d{4}-.* to \d{4}-.*, days in Asia\/Tokyo, test mode, as of /,
    );
  });

  it('writes a workbook with numbers', async () => {
    expect((await run(['fees', '--by', 'gateway', '--out', 'r.xlsx'])).code).toBe(0);
    const [sheet] = await readXlsxFile(path.join(home.folder, 'r.xlsx'));
    const [head = [], first = []] = sheet?.data ?? [];
    expect(head.slice(0, 3)).toEqual(['gateway', 'currency', 'payments']);
    expect(typeof first[3]).toBe('number');
  });

  it('refuses another ending, and the mirror itself', async () => {
    expect((await run(['fees', '--out', 'r.pdf'])).code).toBe(2);
  });
});
