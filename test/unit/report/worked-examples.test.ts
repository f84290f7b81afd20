/** @module-tag thorough */
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../src/database/types.js';
import { closeFigures, pendingTexts } from '../../../src/report/close.js';
import { rowJson } from '../../../src/report/document.js';
import { type Figures, figuresOf } from '../../../src/report/figures.js';
import { balanceOf, csvText, heldTexts, hledgerText, journalOf, offsiteTexts } from '../../../src/report/journal.js';
import { periodOf } from '../../../src/report/period.js';
import { findReport } from '../../../src/report/reports.js';
import type { Question } from '../../../src/report/statement.js';
import type { Report } from '../../../src/report/types.js';
import { unknownNotes } from '../../../src/report/unknown.js';
import type { RangeOptions } from '../../../src/time/range.js';
import { zoneOf } from '../../../src/time/zones.js';
import { amounts, at, mirrorOf, newId, type State } from './mirror.js';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const report = (name: string): Report => findReport(name) as Report;

function question(
  options: RangeOptions & { by?: string[]; tz?: string; currency?: string; overdueDays?: number },
): Question {
  const { by = [], tz = 'UTC', currency, overdueDays = 30, ...range } = options;
  const zone = zoneOf(tz);
  return { period: periodOf(range, NOW, zone, 'month'), zone, by, currency, overdueDays };
}

const rowsOf = (figures: Figures): Record<string, unknown>[] =>
  figures.rows.map((row) => JSON.parse(rowJson(row, figures.statement.columns)));

function ask(database: Database, name: string, options: Parameters<typeof question>[0]): Record<string, unknown>[] {
  const figures = figuresOf(database, report(name), question(options));
  expect(figures.differences).toEqual([]);
  expect(figures.inexact).toBe(0);
  return rowsOf(figures);
}

const OCTOBER = { month: '2026-10' };
const monthly = { frequency: 'unit', frequency_unit: { unit: 'months', unit_value: 1 } };

/** A subscription of a customer that brings `amount` a month. */
const subscription = (
  customer: string,
  amount: number,
  more: Record<string, unknown> = {},
): Record<string, unknown> & { id: string } => ({
  id: newId(),
  status: 'active',
  amount,
  customer: { id: customer },
  subscription_profile: monthly,
  created_date_unix: at('2026-01-10'),
  updated_date_unix: at('2026-01-10'),
  ...more,
});

/** The former state of one that was changed on a day. */
const former = (now: Record<string, unknown>, before: Record<string, unknown>, day: string): State => ({
  family: 'subscriptions',
  item: { ...now, status: 'active', updated_date_unix: at('2026-01-10'), ...before },
  seenAt: at('2026-01-10'),
  untilAt: at(day),
});

/** One that was changed on a day: as it is now, with what it was. */
function changed(
  customer: string,
  [before, now]: readonly [Record<string, unknown>, Record<string, unknown>],
  day: string,
) {
  const item = { ...subscription(customer, 0), ...now, updated_date_unix: at(day), seen: at(day) };
  const { seen: _seen, ...plain } = item;
  return { item, state: former(plain, before, day) };
}

describe('recurring revenue', () => {
  it('has 10 % net churn for 100 at the start, churn 10, contraction 10, expansion 10', async () => {
    const left = changed('c1', [{ amount: 10 }, { amount: 10, status: 'cancelled' }], '2026-10-05');
    const less = changed('c2', [{ amount: 30 }, { amount: 20 }], '2026-10-06');
    const more = changed('c3', [{ amount: 20 }, { amount: 30 }], '2026-10-07');
    const same = { ...subscription('c4', 40), seen: at('2026-01-10') };
    const database = await mirrorOf({ subscriptions: [left.item, less.item, more.item, same] }, [
      left.state,
      less.state,
      more.state,
    ]);
    expect(ask(database, 'mrr', OCTOBER)).toMatchObject([
      {
        month: '2026-10',
        currency: 'USD',
        start: 100,
        new: 0,
        reactivation: 0,
        expansion: 10,
        contraction: 10,
        churn: 10,
        end: 90,
        net_churn: 10,
      },
    ]);
    expect(ask(database, 'churn', OCTOBER)).toMatchObject([
      { start_customers: 4, churned: 1, stayed: 3, churned_amount: 10, churn: 25, revenue_churn: 10 },
    ]);
  });

  it('counts a cancelled subscription as contraction while another one of the customer is left', async () => {
    const left = changed('c1', [{ amount: 10 }, { amount: 10, status: 'cancelled' }], '2026-10-05');
    const database = await mirrorOf({ subscriptions: [left.item, subscription('c1', 5)] }, [left.state]);
    expect(ask(database, 'mrr', OCTOBER)).toMatchObject([{ start: 15, churn: 0, contraction: 10, end: 5 }]);
    expect(ask(database, 'churn', OCTOBER)).toMatchObject([{ start_customers: 1, churned: 0, churn: 0 }]);
  });

  it('tells new customers from those who come back, and leaves out who came and went inside the month', async () => {
    const back = changed('c1', [{ amount: 10, status: 'cancelled' }, { amount: 10 }], '2026-10-05');
    const earlier: State = {
      ...back.state,
      item: { ...back.state.item, status: 'active' },
      seenAt: at('2026-01-10'),
      untilAt: at('2026-03-01'),
    };
    const gone: State = {
      ...back.state,
      seenAt: at('2026-03-01'),
      item: { ...back.state.item, updated_date_unix: at('2026-03-01') },
    };
    const fresh = subscription('c2', 7, { created_date_unix: at('2026-10-09'), updated_date_unix: at('2026-10-09') });
    const brief = changed('c3', [{ amount: 99 }, { amount: 99, status: 'cancelled' }], '2026-10-20');
    const begun = { created_date_unix: at('2026-10-15'), updated_date_unix: at('2026-10-15') };
    const database = await mirrorOf(
      { subscriptions: [back.item, fresh, { ...brief.item, created_date_unix: at('2026-10-15') }] },
      [earlier, gone, { ...brief.state, seenAt: at('2026-10-15'), item: { ...brief.state.item, ...begun } }],
    );
    expect(ask(database, 'mrr', OCTOBER)).toMatchObject([
      { start: 0, new: 7, reactivation: 10, churn: 0, end: 17, customers: 2 },
    ]);
    expect(ask(database, 'churn', OCTOBER)).toMatchObject([{ start_customers: 0, churned: 0, churn: null }]);
  });

  it('counts an overdue subscription until it is overdue for too long', async () => {
    const item = subscription('c1', 10, { status: 'overdue' });
    const renewals = [
      { subscription_id: item.id, is_overdue: true, created_date_unix: at('2026-10-01'), amount_captured: 0 },
    ];
    const database = await mirrorOf({ subscriptions: [item], subscription_renewals: renewals });
    expect(ask(database, 'mrr', OCTOBER)).toMatchObject([{ start: 10, end: 0, churn: 10 }]);
    expect(ask(database, 'mrr', { ...OCTOBER, overdueDays: 31 })).toMatchObject([{ end: 10, churn: 0 }]);
  });

  it.each([
    [{ frequency: 'unit', frequency_unit: { unit: 'months', unit_value: 3 } }, 30, 10],
    [{ frequency: 'unit', frequency_unit: { unit: 'years', unit_value: 1 } }, 120, 10],
    [{ frequency: 'unit', frequency_unit: { unit: 'weeks', unit_value: 1 } }, 12.5, 54.32], // 12.5 * 365 / 84 = 54.315...
    [{ frequency: 'unit', frequency_unit: { unit: 'days', unit_value: 10 } }, 10, 30.42], // 10 * 365 / 120 = 30.416...
    [{ frequency: 'calendar', frequency_calendar: { unit: 'day', value: 5, parent: 'month' } }, 10, 10],
    [{ frequency: 'fiscal', frequency_fiscal: { unit: 'quarter', setting: 'standard', value: 1 } }, 30, 10],
    [{ frequency: 'fiscal', frequency_fiscal: { unit: 'year', setting: 'infrequent', value: 2 } }, 240, 10],
  ])('makes a month of %j', async (profile, amount, expected) => {
    const item = subscription('c1', amount, { subscription_profile: profile });
    const past = subscription('c1', 0);
    const database = await mirrorOf({ subscriptions: [item] }, [
      {
        family: 'subscriptions',
        item: { ...item, id: past.id },
        seenAt: at('2026-01-10'),
        untilAt: at('2026-11-10'),
        isGone: true,
      },
    ]);
    // The state of the history is computed from JSON, the current one from columns: both come to the same.
    expect(ask(database, 'mrr', OCTOBER)).toMatchObject([{ end: 2 * expected, subscriptions: 2 }]);
    expect(database.query('SELECT monthly_minor FROM subscriptions').all()).toEqual([[Math.round(expected * 100)]]);
  });

  it('leaves empty what no sync has seen, and says of how many it is', async () => {
    const item = subscription('c1', 10, { updated_date_unix: at('2026-11-02'), seen: at('2026-11-03') });
    const database = await mirrorOf({ subscriptions: [item] });
    // A month of which nothing is known is a row that says so, not a month without subscriptions.
    expect(ask(database, 'mrr', OCTOBER)).toMatchObject([
      { month: '2026-10', start: null, end: null, customers: null, unknown_at_start: 1, unknown_at_end: 1 },
    ]);
    expect(ask(database, 'mrr', { from: '2026-10-01', to: '2026-11-20' })).toMatchObject([
      { month: '2026-10', start: null, churn: null, end: null, unknown_at_start: 1, unknown_at_end: 1 },
      { month: '2026-11', start: null, churn: null, end: 10, unknown_at_start: 1, unknown_at_end: 0 },
    ]);
  });

  it('tells on a new mirror what ended in a month, and who has nothing left', async () => {
    const seen = at('2026-11-03');
    const [gone, twice, stays] = ['c1', 'c2', 'c3'];
    const ended = (customer: string, amount: number, status: string, day: string) =>
      subscription(customer, amount, { status, updated_date_unix: at(day), seen });
    const subscriptions = [
      ended(gone, 10, 'cancelled', '2026-10-05'),
      ended(twice, 20, 'cancelled', '2026-10-06'),
      ended(twice, 30, 'occurrence_limit', '2026-11-02'),
      ended(stays, 40, 'cancelled', '2026-10-07'),
      subscription(stays, 50, { updated_date_unix: at('2026-10-20'), seen }),
      // Suspended is not the end of it.
      ended('c4', 60, 'suspended', '2026-10-08'),
    ];
    const database = await mirrorOf({ subscriptions });
    const nothing = { start_customers: null, churned: null, churn: null };
    expect(ask(database, 'churn', { from: '2026-10-01', to: '2026-11-30' })).toMatchObject([
      { month: '2026-10', ...nothing, ended: 3, ended_amount: 70, gone_customers: 1, unknown_at_start: 6 },
      { month: '2026-11', ...nothing, ended: 1, ended_amount: 30, gone_customers: 1, unknown_at_start: 1 },
    ]);
    const figures = figuresOf(database, report('churn'), question(OCTOBER));
    expect(unknownNotes(database, figures)).toEqual([
      expect.stringMatching(/follows subscriptions since 2026-11-03: .* ended and gone_customers need no history$/),
    ]);
  });

  it('does not foretell who will be overdue for too long', async () => {
    const overdue = { status: 'overdue', updated_date_unix: at('2026-11-15'), seen: at('2026-11-16') };
    const items = { subscriptions: [subscription('c1', 10, overdue)] };
    const year = { from: '2026-11-01', to: '2027-02-28' };
    // Without a word on how far it reaches the mirror is taken to hold all of it.
    expect(ask(await mirrorOf(items), 'churn', year)).toHaveLength(4);
    const database = await mirrorOf(items, [], at('2026-11-20'));
    expect(ask(database, 'churn', year)).toMatchObject([{ month: '2026-11', ended: 0 }]);
    expect(ask(database, 'mrr', year)).toMatchObject([{ month: '2026-11', end: 10, customers: 1 }]);
  });

  it('leaves empty what a subscription of an unknown schedule would change', async () => {
    const strange = { subscription_profile: { frequency: 'sometimes' }, seen: at('2026-01-11') };
    const database = await mirrorOf({
      subscriptions: [subscription('c1', 10, { seen: at('2026-01-11') }), subscription('c2', 10, strange)],
    });
    const nothing = { unknown_at_start: 0, unknown_at_end: 0, unknown_amounts: 1 };
    expect(ask(database, 'mrr', OCTOBER)).toMatchObject([{ start: null, end: null, customers: null, ...nothing }]);
    expect(ask(database, 'churn', OCTOBER)).toMatchObject([{ start_customers: null, churn: null, ...nothing }]);
    const figures = figuresOf(database, report('churn'), question(OCTOBER));
    expect(unknownNotes(database, figures)).toEqual([expect.stringContaining('what they bring in a month')]);
  });
});

/** A small October: one sale of two lines with tax and shipping, two renewals, one trial, a refund, a chargeback. */
async function october(): Promise<Database> {
  const [sale, renewal, trial, tax, card] = [newId(), newId(), newId(), newId(), newId()];
  const when = { created_date_unix: at('2026-10-10') };
  const who = { customer: { id: 'c1', country: 'USA' }, campaign_name: 'Spring' };
  const lines = { sales: [sale], ...when };
  return mirrorOf({
    sales: [
      {
        id: sale,
        ...amounts(50, 0, 1.45),
        ...when,
        ...who,
        status: 'paid',
        transactions: [card],
        products: [{ name: 'Tea' }, { name: 'Cup' }],
      },
      { ...amounts(99), amount_captured: 0, ...when, status: 'failed' },
    ],
    product_sales: [
      { ...amounts(30, 0, 0.87), ...lines, product: { name: 'Tea' } },
      { ...amounts(12, 0, 0.35), ...lines, product: { name: 'Cup' } },
    ],
    tax: [{ id: tax, ...amounts(3), ...lines, customer: { country: 'USA' } }],
    shipping: [{ ...amounts(5), ...lines, customer: { country: 'USA' } }],
    subscription_renewals: [
      { id: renewal, ...amounts(20, 5, 0.44), ...when, ...who, product: { name: 'Plan' } },
      { ...amounts(1000), iso_currency: 'JPY', created_date_unix: at('2026-10-31', 23), product: { name: 'Plan' } },
    ],
    trials: [
      {
        id: trial,
        ...amounts(9),
        created_date_unix: at('2026-09-20'),
        expiration_date_unix: at('2026-10-04'),
        status: 'expired',
        expired_result: 'success',
        product: { name: 'Box' },
      },
    ],
    transactions: [
      { id: card, ...amounts(50), ...when, result: 'approved', approved: true, sales: [sale] },
      { ...amounts(20), amount_captured: 0, ...when, result: 'declined', declined: true },
    ],
    pending_refunds: [
      {
        amount: 5,
        type: 'subscription_renewal',
        source_id: renewal,
        status: 'pending',
        created_date_unix: at('2026-10-20'),
      },
      { amount: 1, type: 'tax', source_id: tax, status: 'processed', created_date_unix: at('2026-10-21') },
    ],
    chargebacks: [{ amount: 30, transaction_id: card, created_date_unix: at('2026-10-25'), reason_code: '10.4' }],
  });
}

describe('revenue', () => {
  it('tells sales, renewals and trials apart, in each currency by itself', async () => {
    expect(ask(await october(), 'revenue', OCTOBER)).toEqual([
      {
        kind: 'renewal',
        currency: 'JPY',
        payments: 1,
        gross: 1000,
        refunds: 0,
        chargebacks: 0,
        fees: 0,
        tax: 0,
        shipping: 0,
        net: 1000,
        average: 1000,
      },
      {
        kind: 'renewal',
        currency: 'USD',
        payments: 1,
        gross: 20,
        refunds: 5,
        chargebacks: 0,
        fees: 0.44,
        tax: 0,
        shipping: 0,
        net: 14.56,
        average: 20,
      },
      {
        kind: 'sale',
        currency: 'USD',
        payments: 1,
        gross: 50,
        refunds: 1,
        chargebacks: 30,
        fees: 1.45,
        tax: 2,
        shipping: 5,
        net: 10.55,
        average: 50,
      },
      {
        kind: 'trial',
        currency: 'USD',
        payments: 1,
        gross: 9,
        refunds: 0,
        chargebacks: 0,
        fees: 0,
        tax: 0,
        shipping: 0,
        net: 9,
        average: 9,
      },
    ]);
  });

  it('gives each product line its part, and the rest of a sale to no product', async () => {
    const rows = ask(await october(), 'revenue', { ...OCTOBER, by: ['product'], currency: 'USD' });
    expect(rows.map(({ product, gross }) => [product, gross])).toEqual([
      ['Tea', 30],
      ['Plan', 20],
      ['Cup', 12],
      ['Box', 9],
      [null, 8],
    ]);
  });

  it('cuts months and days by the zone', async () => {
    const database = await october();
    const rows = (tz: string) =>
      ask(database, 'revenue', { from: '2026-10-01', to: '2026-11-30', by: ['month'], currency: 'JPY', tz }).map(
        ({ month }) => month,
      );
    expect(rows('UTC')).toEqual(['2026-10']);
    expect(rows('Asia/Tokyo')).toEqual(['2026-11']);
  });

  it('says how many amounts it could not count', async () => {
    const database = await mirrorOf({ sales: [{ ...amounts(10.001), created_date_unix: at('2026-10-10') }] });
    expect(figuresOf(database, report('revenue'), question(OCTOBER)).inexact).toBe(1);
  });

  it('finds what was left out on the way: a sum that does not come to that of the tables', async () => {
    const broken = {
      ...report('revenue'),
      kind: 'grouped',
      view: "(SELECT * FROM report_bookings WHERE kind <> 'trial')",
    } as Report;
    const { differences } = figuresOf(await october(), broken, question(OCTOBER));
    expect(differences).toEqual([
      {
        says: 'sum of gross over the rows = sum over the tables',
        currency: 'USD',
        figure: '70.00',
        expected: '79.00',
        difference: '-9.00',
      },
    ]);
  });
});

describe('what went wrong and back', () => {
  it('counts refunds, chargebacks and failures', async () => {
    const database = await october();
    expect(ask(database, 'refunds', OCTOBER)).toEqual([
      { currency: 'USD', refunds: 2, amount: 6, pending: 5, processed: 1, offsite: 0 },
    ]);
    expect(ask(database, 'chargebacks', OCTOBER)).toMatchObject([
      { chargebacks: 1, amount: 30, transactions: 1, ratio: 100, amount_ratio: 60 },
    ]);
    expect(ask(database, 'failures', OCTOBER)).toMatchObject([
      { attempts: 2, approved: 1, failed: 1, failed_amount: 20, rate: 50 },
    ]);
  });

  it('follows a failed payment once, however often it was tried', async () => {
    const when = { created_date_unix: at('2026-10-10') };
    const database = await mirrorOf({
      salvage_transactions: [
        { ...when, amount: 40, amount_remaining: 10, status: 'created', enabled: true },
        { ...when, amount: 40, amount_remaining: 40, status: 'disabled', enabled: false },
        { ...when, amount: 20, amount_remaining: 0, status: 'processed', enabled: true },
      ],
    });
    expect(ask(database, 'recovery', OCTOBER)).toEqual([
      {
        currency: 'USD',
        failed: 3,
        failed_amount: 100,
        recovered: 2,
        recovered_amount: 50,
        open_amount: 10,
        lost_amount: 40,
        share: 50,
      },
    ]);
  });

  it('follows trials by the month they began', async () => {
    const begun = { created_date_unix: at('2026-10-10') };
    const database = await mirrorOf({
      trials: [
        {
          ...begun,
          ...amounts(9),
          status: 'expired',
          expired_result: 'success',
          expiration_date_unix: at('2026-11-01'),
        },
        { ...begun, status: 'expired', expired_result: 'failed', amount_captured: 0 },
        { ...begun, status: 'cancelled', amount_captured: 0 },
        { ...begun, status: 'active', amount_captured: 0 },
      ],
    });
    expect(ask(database, 'trials', OCTOBER)).toEqual([
      { currency: 'USD', begun: 4, converted: 1, failed: 1, cancelled: 1, running: 1, conversion: 33.33, paid: 9 },
    ]);
  });
});

describe('customers over time', () => {
  const paid = (customer: string, day: string, amount: number) => ({
    ...amounts(amount),
    created_date_unix: at(day),
    customer: { id: customer },
  });

  it('follows cohorts by the month of the first payment, and what they brought', async () => {
    const database = await mirrorOf({
      sales: [paid('a', '2026-07-01', 10), paid('b', '2026-07-31', 20), paid('c', '2026-08-01', 5)],
      subscription_renewals: [paid('a', '2026-08-01', 10), paid('a', '2026-08-09', 10), paid('b', '2026-10-01', 20)],
    });
    expect(ask(database, 'retention', { month: '2026-07' })).toEqual([
      { cohort: '2026-07', currency: 'USD', month: 0, size: 2, customers: 2, retained: 100, amount: 30 },
      { cohort: '2026-07', currency: 'USD', month: 1, size: 2, customers: 1, retained: 50, amount: 20 },
      // Nobody paid: a row of nothing, not a month that is left out.
      { cohort: '2026-07', currency: 'USD', month: 2, size: 2, customers: 0, retained: 0, amount: 0 },
      { cohort: '2026-07', currency: 'USD', month: 3, size: 2, customers: 1, retained: 50, amount: 20 },
    ]);
    expect(ask(database, 'ltv', { year: '2026' })).toEqual([
      { currency: 'USD', customers: 3, payments: 6, paid: 75, refunded: 0, kept: 75, value: 25 },
    ]);
  });

  it('keeps who moves in the group of the first payment', async () => {
    const from = (country: string, item: Record<string, unknown>) => ({
      ...item,
      customer: { ...(item.customer as object), country },
    });
    const database = await mirrorOf({
      sales: [from('USA', paid('a', '2026-07-01', 10)), from('CAN', paid('b', '2026-07-02', 20))],
      subscription_renewals: [from('CAN', paid('a', '2026-08-01', 5)), from('GBR', paid('a', '2026-09-01', 1))],
    });
    const cohorts = ask(database, 'retention', { month: '2026-07', by: ['country'] });
    expect(
      cohorts.map(({ country, month, size, customers, amount }) => [country, month, size, customers, amount]),
    ).toEqual([
      ['CAN', 0, 1, 1, 20],
      ['CAN', 1, 1, 0, 0],
      ['CAN', 2, 1, 0, 0],
      ['USA', 0, 1, 1, 10],
      ['USA', 1, 1, 1, 5],
      ['USA', 2, 1, 1, 1],
    ]);
    expect(ask(database, 'ltv', { year: '2026', by: ['country'] })).toMatchObject([
      { country: 'CAN', customers: 1, paid: 20 },
      { country: 'USA', customers: 1, payments: 3, paid: 16 },
    ]);
  });

  it.each(['retention', 'ltv'])('of %s are held against the payments themselves', async (name) => {
    const database = await mirrorOf({ sales: [paid('a', '2026-07-01', 10), paid('b', '2026-07-31', 20)] });
    const whole = report(name);
    // As if a row had been lost on the way to the answer.
    const short = {
      ...whole,
      controls: Object.fromEntries(
        Object.entries(whole.controls ?? {}).map(([figure, sql]) => [
          figure,
          sql.replace(/sum\((\S+)\)/, '1 + sum($1)'),
        ]),
      ),
    } as Report;
    const july = question({ month: '2026-07' });
    expect(figuresOf(database, whole, july).differences).toEqual([]);
    expect(figuresOf(database, short, july).differences).toMatchObject([{ currency: 'USD', difference: '-0.01' }]);
  });
});

describe('close', () => {
  it('tells totals, what is pending, differences and a journal that balances', async () => {
    const database = await october();
    const figures = closeFigures(database, question({ ...OCTOBER, currency: 'USD' }));
    expect(figures.differences).toEqual([]);
    const rows = rowsOf(figures);
    const found = (section: string, line: string, kind = 'all') =>
      rows
        .filter((row) => row.section === section && row.line === line && row.kind === kind)
        .map(({ count, amount }) => [count, amount]);
    expect(found('totals', 'net')).toEqual([[null, 34.11]]);
    expect(found('pending', 'refunds not processed')).toEqual([[1, 5]]);
    const sum = (period: Parameters<typeof question>[0]) => {
      const asked = question({ ...period, currency: 'USD' });
      return pendingTexts(database, asked, closeFigures(database, asked)).join();
    };
    expect(sum({ month: '2026-09' })).toContain('pending counts only what the period began; whenever it began, it is');
    expect(sum({ month: '2026-09' })).toContain('1 refunds not processed (5.00 USD)');
    expect(sum({ year: '2026' })).toBe('');
    expect(found('checks', 'difference')).toEqual([[2, 29]]);
    expect(found('difference', 'paid and taken differ', 'renewal')).toEqual([[1, 20]]);
    expect(found('difference', 'paid and taken differ', 'trial')).toEqual([[1, 9]]);
  });

  it('books each day so that it comes to zero', async () => {
    const entries = journalOf(await october(), question(OCTOBER));
    expect(entries.map(balanceOf).every((balance) => balance === 0n)).toBe(true);
    expect(hledgerText(entries.slice(0, 2), 'October')).toBe(`; October

2026-10-04 trials, USD
    assets:processor            9.00 USD
    income:trials              -9.00 USD

2026-10-10 renewals, USD
    assets:processor           19.56 USD
    income:renewals           -20.00 USD
    expenses:fees               0.44 USD
`);
    expect(csvText(entries.slice(0, 1))).toBe(
      'entry,date,description,account,currency,amount\n1,2026-10-04,trials,assets:processor,USD,9.00\n1,2026-10-04,trials,income:trials,USD,-9.00\n',
    );
  });

  it('books each way of payment to an account of its own, refunds out of the one that was paid into', async () => {
    const when = { created_date_unix: at('2026-10-10') };
    const by = (name: string, amount: number) => ({ ...amounts(amount), ...when, payment_type: { id: 'x', name } });
    const refund = (name: string, amount: number, offsite: boolean) => ({
      ...by(name, amount),
      status: 'processed',
      type: 'product_sale',
      refunded_offsite: offsite,
    });
    const ways = { 'Credit Card': 50, Check: 40, Wallet: 30, 'Offline Payment': 20, 'Pay  Later!': 10 };
    const database = await mirrorOf({
      sales: Object.entries(ways).map(([name, amount]) => ({ id: newId(), ...by(name, amount), status: 'paid' })),
      pending_refunds: [
        refund('Credit Card', 5, true),
        refund('Offline Payment', 20, false),
        refund('Check', 1, false),
      ],
    });
    const asked = question(OCTOBER);
    const entries = journalOf(database, asked);
    expect(entries.map(balanceOf)).toEqual([0n]);
    expect(heldTexts(entries)).toEqual([
      'assets:processor:card: 45.00 USD',
      'assets:processor:check: 39.00 USD',
      'assets:processor:pay-later: 10.00 USD',
      'assets:processor:wallet: 30.00 USD',
    ]);
    expect(offsiteTexts(database, asked)).toEqual([expect.stringContaining('assets:processor:card 5.00 USD')]);
    expect(hledgerText(entries, 'October', ['held'])).toBe(`; October
; held

2026-10-10 sales, USD
    assets:processor:card                45.00 USD
    assets:processor:check               39.00 USD
    assets:processor:pay-later           10.00 USD
    assets:processor:wallet              30.00 USD
    income:sales                       -150.00 USD
    expenses:refunds                     26.00 USD
`);
    expect(closeFigures(database, asked).differences).toEqual([]);
  });
});
