/** Conditions of a report: their values, what they keep, and what no row has. */
import { describe, expect, it } from 'vitest';
import { zoneOf } from '../../../src/base/time/zones.js';
import { acrossFigures } from '../../../src/data/report/across.js';
import { heldAgainst } from '../../../src/data/report/against.js';
import { untriedNotes } from '../../../src/data/report/disabled-customers.js';
import { type Conditioned, conditionedBy, factConditions } from '../../../src/data/report/fact-conditions.js';
import { figuresOf } from '../../../src/data/report/figures.js';
import { REFUNDS } from '../../../src/data/report/money-reports.js';
import { leftOutNotes } from '../../../src/data/report/omissions.js';
import type { ReportQuestion } from '../../../src/data/report/report-question.js';
import type { AnyReport } from '../../../src/data/report/sectioned-report.js';
import type { GroupedReport } from '../../../src/data/report/types.js';
import { amounts, at, mirrorOf, newId } from './mirror.js';

const report = {
  name: 'revenue',
  view: 'payments',
  groups: { product: 'v.product', kind: 'v.kind' },
} as unknown as GroupedReport;

const sqlOf = (text: string) =>
  factConditions(report, text)
    .map(({ sql }) => sql)
    .join(' & ');

it('take any of the values, and the whole where it is one of its own', () => {
  const sql = sqlOf('product=Course, six parts');
  for (const value of ['Course', 'six parts', 'Course, six parts']) expect(sql).toContain(`lower('${value}')`);
  expect(sql).toContain(' OR ');
  expect(sqlOf('product!=a,b')).toContain(' AND ');
  expect(sqlOf('product="a, b"')).not.toContain(' OR ');
  expect(sqlOf('product=a or product=b and kind=sale')).toMatch(/^\(.* OR \(.* AND .*\)\)$/);
  expect(sqlOf('product=a, kind=sale').split(' & ')).toHaveLength(2);
});

describe('conditions on the rows of a report', () => {
  const OCTOBER = { begins: at('2026-10-01', 0), ends: at('2026-11-01', 0) };
  const question = (report: AnyReport, where: readonly string[], by: readonly string[] = []): ReportQuestion => ({
    ...{ period: OCTOBER, zone: zoneOf('UTC', 'default'), by, currency: undefined, overdueDays: 30 },
    where: where.flatMap((text) => factConditions(conditionedBy(report) as Conditioned, text)),
  });
  const refund = (amount: number, status: string, state: string, customer: string) => ({
    ...{ created_date_unix: at('2026-10-05'), amount, status, type: 'tax' },
    customer: {
      id: `Customer${customer.padStart(12, '0')}`,
      email: `Ann.${customer}@Example.com`,
      state,
      country: 'USA',
    },
  });
  const items = {
    pending_refunds: [
      refund(1, 'processed', 'CA', '1'),
      refund(2, 'pending', 'ca', '2'),
      refund(4, 'pending', 'TX', '1'),
    ],
  };

  it.each([
    [['customer.email=ann.1@example.com'], 500],
    [['customer=Customer000000000002'], 200],
    [['customer!=ann.1@example.com'], 200],
    [['country=United States'], 700],
    [['status=pending or state=CA'], 700],
    [['status=pending and state=ca'], 200],
    [['status=pending, state=ca'], 200],
    [['status=pending,processed, state=TX'], 400],
  ])('%j keep what meets them', async (where, sum) => {
    const { rows, differences } = figuresOf(await mirrorOf(items), REFUNDS, question(REFUNDS, where));
    expect(differences).toEqual([]);
    expect(rows.map(({ amount }) => Number(amount))).toEqual([sum]);
  });

  it('that no row has are said, with those that there are', async () => {
    const mirror = await mirrorOf(items);
    const notes = (...where: string[]) => {
      const asked = question(REFUNDS, where);
      return leftOutNotes(mirror, REFUNDS, asked, figuresOf(mirror, REFUNDS, asked));
    };
    expect(notes('status=actve')).toEqual(['no row has status=actve; seen: pending 2, processed 1']);
    expect(notes('status=pending,gone')).toEqual(['no row has status=gone; seen: pending 2, processed 1']);
    expect(notes('status=pending', 'state!=NY')).toEqual([]);
  });

  it('add texts that differ in case alone to one row, beside others and against another period too', async () => {
    const mirror = await mirrorOf({
      pending_refunds: [
        ...items.pending_refunds,
        { ...refund(8, 'processed', 'cA', '2'), created_date_unix: at('2026-09-05') },
      ],
    });
    const asked = question(REFUNDS, [], ['state']);
    const now = figuresOf(mirror, REFUNDS, asked);
    expect(now.differences).toEqual([]);
    expect(now.rows.map(({ state, amount }) => [String(state).toUpperCase(), Number(amount)])).toEqual([
      ['TX', 400],
      ['CA', 300],
    ]);
    const before = figuresOf(mirror, REFUNDS, {
      ...asked,
      period: { begins: at('2026-09-01', 0), ends: OCTOBER.begins },
    });
    const held = heldAgainst(REFUNDS, now, before);
    expect(held.rows.map((row) => [String(row.state).toUpperCase(), Number(row.amount_before)])).toEqual([
      ['TX', 0],
      ['CA', 800],
    ]);
    const across = acrossFigures(mirror, REFUNDS, question(REFUNDS, [], ['status']), {
      across: 'state',
      figure: 'amount',
    });
    expect(across.rows.map((row) => Number(row.total) - Number(row['TX USA'] ?? 0))).toEqual(
      across.rows.map((row) => Number(row['CA USA'] ?? row['ca USA'])),
    );
  });
});

it('says what fell due and was never tried, of all that the mirror knows', async () => {
  const subscription = (day: string, amount: number, status = 'active') => ({
    ...{ status, amount, created_date_unix: at('2026-08-10') },
    billing: { next_renewal_date_unix: at(day) },
  });
  const mirror = await mirrorOf(
    {
      subscriptions: [
        ...[subscription('2026-10-05', 5), subscription('2026-10-09', 3, 'overdue'), subscription('2026-09-05', 7)],
        ...[subscription('2026-10-05', 9, 'suspended'), subscription('2026-10-30', 2), subscription('2026-12-01', 1)],
      ],
    },
    [],
    at('2026-10-31'),
  );
  const period = { begins: at('2026-10-01', 0), ends: at('2026-11-01', 0) };
  const notes = (more: object) => untriedNotes(mirror, { period, currency: undefined, ...more }).map(String);
  expect(notes({})).toEqual([
    expect.stringContaining('2 renewals that fell due were never tried, and not counted (8.00 USD)'),
  ]);
  expect(notes({})[0]).toContain('; which: cops subscriptions list');
  expect(notes({ currency: 'EUR' })).toEqual([]);
  const unknown = untriedNotes(await mirrorOf({}), { period, currency: undefined }).map(String);
  expect(unknown).toEqual([expect.stringContaining('were never tried are not counted')]);
});

it('count an address that is written in several ways once, in the views for people as in lists', async () => {
  const sale = (email: string) => ({
    created_date_unix: at('2026-10-05'),
    ...amounts(5),
    customer: { id: newId(), email },
  });
  const mirror = await mirrorOf({ sales: ['Ann@Example.com', 'ann@example.com', 'bo@example.com'].map(sale) });
  const rows = (sql: string) => mirror.query(sql).all();
  expect(rows('SELECT count(DISTINCT customer_email) FROM payments')).toEqual([[2]]);
  expect(rows('SELECT customer_email, count(*) FROM payments GROUP BY 1 ORDER BY 2 DESC')[0]).toEqual([
    expect.anything(),
    2,
  ]);
  expect(rows("SELECT count(*) FROM payments WHERE customer_email = 'ANN@example.com'")).toEqual([[2]]);
});
