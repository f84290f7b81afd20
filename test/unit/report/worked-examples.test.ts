/** @module-tag thorough */
import { describe, expect, it } from 'vitest';
import type { Database } from '../../../src/base/database/types.js';
import {
  balanceOf,
  csvText,
  heldTexts,
  hledgerText,
  journalOf,
  offsiteTexts,
} from '../../../src/data/report/bookings.js';
import { CLOSE } from '../../../src/data/report/close.js';
import { figuresOf } from '../../../src/data/report/figures.js';
import type { Report } from '../../../src/data/report/types.js';
import { amounts, at, mirrorOf, newId } from './mirror.js';
import { ask, OCTOBER, question, report, rowsOf } from './worked.js';

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
        received: 1000,
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
        received: 15,
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
        received: 49,
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
        received: 9,
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

  it('takes tax and shipping of a renewal, and what of them was refunded, off its product', async () => {
    const when = { created_date_unix: at('2026-10-10') };
    const renewal = 'Renewal0000000000001';
    const [tax, shipping] = ['Tax00000000000000001', 'Shipping000000000001'];
    const part = { ...when, subscription_renewals: [renewal], sales: [], trials: [] };
    const database = await mirrorOf({
      subscription_renewals: [{ ...amounts(20), ...when, id: renewal, product: { name: 'Plan' } }],
      tax: [{ ...amounts(2), ...part, id: tax }],
      shipping: [{ ...amounts(5), ...part, id: shipping }],
      pending_refunds: [{ ...amounts(1), ...when, type: 'shipping', status: 'processed', source_id: shipping }],
    });
    const rows = ask(database, 'revenue', { ...OCTOBER, by: ['product'] });
    expect(rows).toMatchObject([{ product: 'Plan', gross: 20, refunds: 1, tax: 2, shipping: 4, net: 13 }]);
    expect(ask(database, 'refunds', { ...OCTOBER, by: ['product'] })).toMatchObject([{ product: 'Plan', amount: 1 }]);
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
        // Given up by a void: nothing remains, and nothing was collected.
        { ...when, amount: 25, amount_remaining: 0, status: 'disabled', enabled: false },
      ],
    });
    expect(ask(database, 'recovery', OCTOBER)).toEqual([
      {
        currency: 'USD',
        failed: 4,
        failed_amount: 125,
        recovered: 2,
        recovered_amount: 50,
        open_amount: 10,
        lost_amount: 65,
        share: 40,
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
    const figures = CLOSE.figures(database, question({ ...OCTOBER, currency: 'USD' }));
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
      return CLOSE.notes(database, asked, CLOSE.figures(database, asked)).join();
    };
    expect(sum({ month: '2026-09' })).toContain('pending counts only what started in the period; in total,');
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
    expect(CLOSE.figures(database, asked).differences).toEqual([]);
  });
});
