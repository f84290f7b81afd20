import { describe, expect, it } from 'vitest';
import { heldAgainst, periodAgainst } from '../../../src/report/against.js';
import { figuresOf } from '../../../src/report/figures.js';
import { REFUNDS, REVENUE } from '../../../src/report/money-reports.js';
import { periodOf } from '../../../src/report/period.js';
import type { Question } from '../../../src/report/statement.js';
import type { Row } from '../../../src/report/types.js';
import { zoneOf } from '../../../src/time/zones.js';
import { amounts, at, mirrorOf, newId } from './mirror.js';

const UTC = zoneOf('UTC', 'default');
const OCTOBER = { begins: at('2026-10-01', 0), ends: at('2026-11-01', 0) };
const asked = (by: readonly string[] = []): Question => ({
  period: OCTOBER,
  zone: UTC,
  by,
  currency: undefined,
  overdueDays: 30,
});
const pick = (rows: readonly Row[] | undefined, ...names: string[]) =>
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

describe('a report by groups', () => {
  it('counts a sale with each product in it, and once in all', async () => {
    const { rows, totals, differences } = figuresOf(await twoSales(), REVENUE, asked(['product']));
    expect(differences).toEqual([]);
    expect(pick(rows, 'product', 'payments', 'gross', 'average')).toEqual([
      [null, '1', '500', '500'],
      ['Pot', '1', '2000', '2000'],
      ['Tea', '2', '2000', '1000'],
    ]);
    expect(pick(totals, 'currency', 'payments', 'gross', 'average')).toEqual([['USD', '2', '4500', '2250']]);
  });

  it('has a row a currency alone by currency', async () => {
    const mirror = await twoSales();
    expect(pick(figuresOf(mirror, REVENUE, asked(['currency'])).rows, 'currency', 'gross')).toEqual([['USD', '4500']]);
    expect(figuresOf(mirror, REVENUE, asked(['currency'])).totals).toBeUndefined();
  });
});

describe('a period against another', () => {
  const now = Date.parse('2026-11-21T12:00:00Z');

  it('is the one before, or one that is named', () => {
    const named = (text: string, options: Parameters<typeof periodOf>[0]) =>
      periodAgainst(text, options, periodOf(options, now, UTC, 'month'), now, UTC);
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
      ['shipping', 'USD', '0', '300', '-300'],
      ['tax', 'EUR', '200', '0', '200'],
      ['tax', 'USD', '500', '800', '-300'],
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
