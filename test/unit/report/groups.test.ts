import { describe, expect, it } from 'vitest';
import { zoneOf } from '../../../src/base/time/zones.js';
import { heldAgainst, periodAgainst } from '../../../src/data/report/against.js';
import { figuresOf } from '../../../src/data/report/figures.js';
import { REFUNDS, REVENUE } from '../../../src/data/report/money-reports.js';
import { leftOutNotes } from '../../../src/data/report/omissions.js';
import { reportPeriod } from '../../../src/data/report/period.js';
import type { ReportQuestion } from '../../../src/data/report/report-question.js';
import type { ReportRow } from '../../../src/data/report/types.js';
import { amounts, at, mirrorOf, newId } from './mirror.js';

const UTC = zoneOf('UTC', 'default');
const OCTOBER = { begins: at('2026-10-01', 0), ends: at('2026-11-01', 0) };
const asked = (by: readonly string[] = []): ReportQuestion => ({
  period: OCTOBER,
  zone: UTC,
  by,
  currency: undefined,
  overdueDays: 30,
});
const pick = (rows: readonly ReportRow[] | undefined, ...names: string[]) =>
  rows?.map((row) => names.map((name) => (row[name] === null ? null : String(row[name]))));

/** Two sales of October: one with two products and shipping, one of a single product. */
async function twoSales() {
  const [both, one] = [newId(), newId()];
  const line = (sale: string, product_name: string, paid: number) => ({
    sales: [sale],
    product_name,
    ...amounts(paid),
    created_date_unix: at('2026-10-05'),
  });
  return mirrorOf({
    sales: [
      { id: both, created_date_unix: at('2026-10-05'), ...amounts(35) },
      { id: one, created_date_unix: at('2026-10-06'), ...amounts(10) },
    ],
    product_sales: [line(both, 'Tea', 10), line(both, 'Pot', 20), line(one, 'Tea', 10)].map(
      ({ product_name, ...item }) => ({ ...item, product: { name: product_name } }),
    ),
    shipping: [{ sales: [both], created_date_unix: at('2026-10-05'), ...amounts(5) }],
  });
}

describe('what a report is without', () => {
  const notesOf = async (currency: string | undefined, report: typeof REVENUE = REVENUE) => {
    const when = { created_date_unix: at('2026-10-05') };
    const begun = { ...amounts(9), amount_captured: 0, created_date_unix: at('2026-09-20') };
    const mirror = await mirrorOf({
      sales: [
        { ...amounts(10), ...when },
        { ...amounts(10), amount_captured: 0, ...when },
        { ...amounts(10), amount_captured: 0, ...when, iso_currency: 'JPY' },
      ],
      // A trial counts when it ends.
      trials: [{ ...begun, expiration_date_unix: at('2026-10-04') }, begun],
    });
    const question = { ...asked(), currency };
    return leftOutNotes(mirror, report, question, figuresOf(mirror, REVENUE, question));
  };

  it('is told: what took no money, in the currency that was asked for', async () => {
    expect(await notesOf(undefined)).toEqual(['not counted: 2 sales and 1 trial without any payment']);
    expect(await notesOf('USD')).toEqual(['not counted: 1 sale and 1 trial without any payment']);
    expect(await notesOf('USD', REFUNDS)).toEqual([]);
  });

  it('is told: a currency that has no row, and those that there are', async () => {
    expect(await notesOf('EUR')).toEqual(['nothing of it is in EUR; the mirror has JPY, USD']);
  });
});

describe('a report by groups', () => {
  it('counts a sale with each product in it, and once in all', async () => {
    const { rows, totals, differences } = figuresOf(await twoSales(), REVENUE, asked(['product']));
    expect(differences).toEqual([]);
    expect(pick(rows, 'product', 'payments', 'gross', 'average')).toEqual([
      ['Pot', '1', '2000', '2000'],
      ['Tea', '2', '2000', '1000'],
      [null, '1', '500', '500'],
    ]);
    expect(pick(totals, 'currency', 'payments', 'gross', 'average')).toEqual([['USD', '2', '4500', '2250']]);
  });

  it('has a row a currency alone by currency', async () => {
    const mirror = await twoSales();
    expect(pick(figuresOf(mirror, REVENUE, asked(['currency'])).rows, 'currency', 'gross')).toEqual([['USD', '4500']]);
    expect(figuresOf(mirror, REVENUE, asked(['currency'])).totals).toBeUndefined();
  });
});

describe('the order of rows', () => {
  const refund = (day: string, amount: number, kind: string, iso_currency = 'USD') => ({
    created_date_unix: at(day),
    amount,
    type: kind,
    iso_currency,
    status: 'processed',
  });
  const items = {
    pending_refunds: [
      refund('2026-10-01', 1, 'tax'),
      refund('2026-10-02', 50, 'tax'),
      refund('2026-10-01', 20, 'sale'),
      refund('2026-10-02', 3, 'sale'),
      refund('2026-10-01', 9, 'shipping'),
      refund('2026-10-02', 7, 'tax', 'EUR'),
      refund('2026-10-02', 8, 'sale', 'EUR'),
    ],
  };
  const told = async (...by: string[]) =>
    pick(figuresOf(await mirrorOf(items), REFUNDS, asked(by)).rows, ...by, 'currency', 'amount');

  it('is by the sum, the largest first, in each currency by itself', async () => {
    expect(await told('kind')).toEqual([
      ['sale', 'EUR', '800'],
      ['tax', 'EUR', '700'],
      ['tax', 'USD', '5100'],
      ['sale', 'USD', '2300'],
      ['shipping', 'USD', '900'],
    ]);
  });

  it('is that of time where time is asked for, and by the sum within', async () => {
    expect(await told('day', 'kind')).toEqual([
      ['2026-10-01', 'sale', 'USD', '2000'],
      ['2026-10-01', 'shipping', 'USD', '900'],
      ['2026-10-01', 'tax', 'USD', '100'],
      ['2026-10-02', 'sale', 'EUR', '800'],
      ['2026-10-02', 'tax', 'EUR', '700'],
      ['2026-10-02', 'tax', 'USD', '5000'],
      ['2026-10-02', 'sale', 'USD', '300'],
    ]);
  });

  it('keeps together what stands in front of the time, by the sum of all of it', async () => {
    expect(await told('kind', 'day')).toEqual([
      ['sale', '2026-10-02', 'EUR', '800'],
      ['tax', '2026-10-02', 'EUR', '700'],
      ['tax', '2026-10-01', 'USD', '100'],
      ['tax', '2026-10-02', 'USD', '5000'],
      ['sale', '2026-10-01', 'USD', '2000'],
      ['sale', '2026-10-02', 'USD', '300'],
      ['shipping', '2026-10-01', 'USD', '900'],
    ]);
  });
});

describe('a period against another', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');

  it('is the one before, or one that is named', () => {
    const named = (text: string, options: Parameters<typeof reportPeriod>[0]) =>
      periodAgainst(text, options, reportPeriod(options, now, UTC, 'month'), now, UTC);
    expect(named('previous', { month: '2026-10' })).toEqual({ begins: at('2026-09-01', 0), ends: at('2026-10-01', 0) });
    expect(named('previous', { month: '2026-01' })).toEqual({ begins: at('2025-12-01', 0), ends: at('2026-01-01', 0) });
    expect(named('previous', { quarter: '2026-Q1' })).toEqual({
      begins: at('2025-10-01', 0),
      ends: at('2026-01-01', 0),
    });
    expect(named('2025', { year: '2026' })).toEqual({ begins: at('2025-01-01', 0), ends: at('2026-01-01', 0) });
    expect(named('previous', { from: '2026-10-11', to: '2026-10-20' })).toEqual({
      begins: at('2026-10-01', 0),
      ends: at('2026-10-11', 0),
    });
    expect(() => named('soon', {})).toThrow('not understood');
  });

  it('shows what was, what is and the change, also where one side has nothing', async () => {
    const refund = (day: string, amount: number, kind: string, more: object = {}) => ({
      created_date_unix: at(day),
      amount,
      type: kind,
      status: 'processed',
      ...more,
    });
    const mirror = await mirrorOf({
      pending_refunds: [
        refund('2026-10-02', 5, 'tax'),
        refund('2026-09-02', 8, 'tax'),
        refund('2026-09-03', 3, 'shipping'),
        refund('2026-10-03', 2, 'tax', { iso_currency: 'EUR' }),
      ],
    });
    const before = { ...asked(['kind']), period: { begins: at('2026-09-01', 0), ends: OCTOBER.begins } };
    const held = heldAgainst(REFUNDS, figuresOf(mirror, REFUNDS, asked(['kind'])), figuresOf(mirror, REFUNDS, before));
    expect(pick(held.rows, 'kind', 'currency', 'amount', 'amount_before', 'amount_change')).toEqual([
      ['tax', 'EUR', '200', '0', '200'],
      ['tax', 'USD', '500', '800', '-300'],
      ['shipping', 'USD', '0', '300', '-300'],
    ]);
    expect(held.statement.columns.map(({ name }) => name).slice(0, 5)).toEqual([
      'kind',
      'currency',
      'refunds',
      'refunds_before',
      'refunds_change',
    ]);
  });
});
