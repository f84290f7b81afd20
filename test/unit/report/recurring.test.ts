/** @module-tag thorough */
import { describe, expect, it } from 'vitest';
import { carriedFaults, figuresOf } from '../../../src/data/report/figures.js';
import { leftOutNotes } from '../../../src/data/report/omissions.js';
import { unknownNotes } from '../../../src/data/report/unknown-figures.js';
import { at, mirrorOf, type State } from './mirror.js';
import { ask, changed, monthly, OCTOBER, question, report, rowsOf, subscription } from './worked.js';

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
      {
        start_customers: 4,
        churned: 1,
        stayed: 3,
        joined: 0,
        end_customers: 3,
        churned_amount: 10,
        churn: 25,
        revenue_churn: 10,
      },
    ]);
  });

  it('counts a cancelled subscription as contraction while another one of the customer is left', async () => {
    const left = changed('c1', [{ amount: 10 }, { amount: 10, status: 'cancelled' }], '2026-10-05');
    const database = await mirrorOf({ subscriptions: [left.item, subscription('c1', 5)] }, [left.state]);
    expect(ask(database, 'mrr', OCTOBER)).toMatchObject([{ start: 15, churn: 0, contraction: 10, end: 5 }]);
    expect(ask(database, 'churn', OCTOBER)).toMatchObject([{ start_customers: 1, churned: 0, churn: 0 }]);
  });

  it('tells each product by itself: who changes has left the one and joined the other, and the parts are the whole', async () => {
    const moved = changed(
      'c1',
      [
        { amount: 10, product: { name: 'Tea' } },
        { amount: 15, product: { name: 'Coffee' } },
      ],
      '2026-10-05',
    );
    const same = subscription('c2', 40, {
      product: { name: 'tea' },
      subscription_profile: { ...monthly, name: 'Monthly' },
    });
    const both = subscription('c2', 5, { product: { name: 'Coffee' } });
    const database = await mirrorOf({ subscriptions: [moved.item, same, both] }, [moved.state]);
    const asked = question({ ...OCTOBER, by: ['product'] });
    const figures = figuresOf(database, report('mrr'), asked);
    expect(figures.differences).toEqual([]);
    expect(rowsOf(figures)).toMatchObject([
      { product: expect.stringMatching(/tea/i), start: 50, new: 0, churn: 10, end: 40, customers: 1 },
      { product: 'Coffee', start: 5, new: 15, churn: 0, end: 20, customers: 2 },
    ]);
    expect(figures.totals).toMatchObject([{ start: 5500n, expansion: 500n, churn: 0n, end: 6000n, customers: 2 }]);
    expect(leftOutNotes(database, report('mrr'), asked, figures).join()).toContain('USD 3 in the rows, 2 in all');
    expect(ask(database, 'churn', { ...OCTOBER, by: ['product'] })).toMatchObject([
      { start_customers: 2, churned: 1, stayed: 1, joined: 0, end_customers: 1 },
      { start_customers: 1, churned: 0, stayed: 1, joined: 1, end_customers: 2 },
    ]);
    expect(ask(database, 'mrr', { ...OCTOBER, by: ['plan'] })).toMatchObject([
      { plan: 'Monthly', end: 40 },
      { plan: null, end: 20 },
    ]);
    expect(() => ask(database, 'mrr', { ...OCTOBER, by: ['card.brand'] })).toThrow('does not show the card');
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
      {
        subscriptions: [back.item, fresh, { ...brief.item, created_date_unix: at('2026-10-15') }],
        // Who comes back pays.
        subscription_renewals: [
          { subscription_id: back.item.id, created_date_unix: at('2026-10-05'), amount_captured: 10 },
        ],
      },
      [earlier, gone, { ...brief.state, seenAt: at('2026-10-15'), item: { ...brief.state.item, ...begun } }],
    );
    expect(ask(database, 'mrr', OCTOBER)).toMatchObject([
      { start: 0, new: 7, reactivation: 10, churn: 0, end: 17, customers: 2 },
    ]);
    expect(ask(database, 'churn', OCTOBER)).toMatchObject([{ start_customers: 0, churned: 0, churn: null, joined: 2 }]);
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

  it('counts as gone once who never pays, however often the renewal fails again', async () => {
    const item = subscription('c1', 49, {
      status: 'overdue',
      overdue_count: 3,
      created_date_unix: at('2026-05-01'),
      updated_date_unix: at('2026-09-01'),
      seen: at('2026-09-02'),
    });
    const { seen, ...now } = item;
    const failed = ['2026-07-01', '2026-08-01', '2026-09-01'];
    const states = [
      ['2026-05-01', { status: 'active', overdue_count: 0 }],
      ['2026-07-01', { status: 'overdue', overdue_count: 1 }],
      ['2026-08-01', { status: 'overdue', overdue_count: 2 }],
    ] as const;
    const history = states.map(
      ([day, more], i): State => ({
        family: 'subscriptions',
        item: { ...now, ...more, updated_date_unix: at(day) },
        seenAt: at(day, 13),
        untilAt: i < 2 ? at(states[i + 1]?.[0] ?? day, 13) : Number(seen),
      }),
    );
    // A renewal that failed before shows no result of its own any more: nothing was taken though it was tried.
    const renewals = failed.map((day, i) => ({
      subscription_id: item.id,
      is_overdue: i === 2,
      ...{ created_date_unix: at(day), amount_original_total: 49, amount_captured: 0, amount_refunded: 0 },
      transactions: [`Transaction${String(i).padStart(9, '0')}`],
    }));
    for (const rows of [renewals, []]) {
      const database = await mirrorOf({ subscriptions: [item], subscription_renewals: rows }, history);
      const months = ask(database, 'mrr', { from: '2026-06-01', to: '2026-10-31' });
      expect(months.map(({ start, churn, reactivation, end }) => [start, churn, reactivation, end])).toEqual([
        [49, 0, 0, 49],
        [49, 49, 0, 0],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
        [0, 0, 0, 0],
      ]);
      const left = ask(database, 'churn', { from: '2026-06-01', to: '2026-10-31' });
      expect(left.map(({ churned }) => churned)).toEqual([0, 1, 0, 0, 0]);
    }
  });

  it('counts what began with a trial from its first payment', async () => {
    const begun = { created_date_unix: at('2026-09-20'), updated_date_unix: at('2026-09-20'), seen: at('2026-09-20') };
    const subscriptions = [
      subscription('paid', 10, begun),
      subscription('later', 20, begun),
      subscription('running', 40, begun),
      subscription('never', 80, {
        ...begun,
        status: 'cancelled',
        updated_date_unix: at('2026-10-08'),
        seen: at('2026-10-08'),
      }),
    ];
    const [paid, later, running, never] = subscriptions;
    const history: State[] = [
      {
        family: 'subscriptions',
        item: { ...never, ...begun, status: 'active' },
        seenAt: at('2026-09-20'),
        untilAt: at('2026-10-08'),
      },
    ];
    const trial = (of: (typeof subscriptions)[number] | undefined, more: Record<string, unknown>) => ({
      ...{ subscriptions: [of?.id], created_date_unix: at('2026-09-20'), amount_captured: 0, ...more },
    });
    const trials = [
      trial(paid, {
        status: 'expired',
        expired_result: 'success',
        expiration_date_unix: at('2026-10-04'),
        amount_captured: 10,
      }),
      trial(later, { status: 'expired', expired_result: 'failed', expiration_date_unix: at('2026-10-04') }),
      trial(running, { status: 'active', expiration_date_unix: at('2026-12-04') }),
      trial(never, { status: 'expired', expired_result: 'failed', expiration_date_unix: at('2026-10-04') }),
    ];
    const renewals = [
      { subscription_id: later?.id, is_overdue: false, created_date_unix: at('2026-11-04'), amount_captured: 20 },
    ];
    const database = await mirrorOf({ subscriptions, trials, subscription_renewals: renewals }, history);
    const range = { from: '2026-09-01', to: '2026-11-30' };
    expect(ask(database, 'mrr', range)).toMatchObject([
      { start: 0, new: 0, churn: 0, end: 0 },
      { start: 0, new: 10, churn: 0, end: 10 },
      { start: 10, new: 20, churn: 0, end: 30 },
    ]);
    expect(ask(database, 'churn', range)).toMatchObject([
      { churned: 0, ended: 0, gone_customers: 0 },
      { churned: 0, ended: 0, gone_customers: 0 },
      { churned: 0, ended: 0, gone_customers: 0 },
    ]);
    expect(ask(database, 'mrr', { ...range, withTrials: true })).toMatchObject([
      { start: 0, new: 150, churn: 0, end: 150 },
      { start: 150, new: 0, churn: 80, end: 70 },
      { start: 70, new: 0, churn: 0, end: 70 },
    ]);
    expect(ask(database, 'churn', { ...range, withTrials: true })[1]).toMatchObject({ churned: 1, ended: 1 });
  });

  it('proves that a month begins with what the one before ended with', () => {
    const month = (name: string, start: bigint | null, end: bigint) => ({ month: name, currency: 'USD', start, end });
    const rows = [
      month('2026-08', 5n, 7n),
      month('2026-09', 7n, 9n),
      month('2026-10', 8n, 8n),
      month('2026-11', null, 1n),
    ];
    const { proofs, differences } = carriedFaults(report('mrr'), rows);
    expect(proofs).toBe(2);
    expect(differences).toMatchObject([{ figure: '0.08', expected: '0.09', currency: 'USD' }]);
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
      { month: '2026-10', method: 'rebuilt', start: null, end: null, customers: null, unknown_amounts: 1 },
    ]);
    expect(ask(database, 'mrr', { from: '2026-10-01', to: '2026-11-20' })).toMatchObject([
      { month: '2026-10', method: 'rebuilt', start: null, churn: null, end: null, unknown_amounts: 1 },
      { month: '2026-11', method: 'rebuilt', start: null, churn: null, end: null, unknown_amounts: 1 },
      { month: '2026-11', method: 'method change', churn: 0, end: 10 },
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
      { month: '2026-10', ...nothing, ended: 3, ended_amount: 70, gone_customers: 1, unknown_amounts: 6 },
      { month: '2026-11', ...nothing, ended: 1, ended_amount: 30, gone_customers: 1, unknown_amounts: 6 },
    ]);
    const figures = figuresOf(database, report('churn'), question(OCTOBER));
    expect(unknownNotes(database, figures, question(OCTOBER))).toEqual([
      expect.stringContaining('rebuilt'),
      expect.stringContaining('the monthly revenue of some subscriptions is unknown'),
    ]);
    // What says how observed months are counted changes nothing in those that are rebuilt, which is said.
    const asked = { ...question(OCTOBER), withTrials: true, overdueDays: 60 };
    expect(unknownNotes(database, figuresOf(database, report('churn'), asked), asked)).toContainEqual(
      expect.stringMatching(/^--with-trials is only for observed months/),
    );
  });

  it('does not foretell who will be overdue for too long', async () => {
    const overdue = { status: 'overdue', updated_date_unix: at('2026-11-15'), seen: at('2026-11-16') };
    const items = { subscriptions: [subscription('c1', 10, overdue)] };
    const year = { from: '2026-11-01', to: '2027-02-28' };
    // Without a word on how far it reaches the mirror is taken to hold all of it.
    expect(ask(await mirrorOf(items), 'churn', year)).toHaveLength(4);
    const database = await mirrorOf(items, [], at('2026-11-20'));
    expect(ask(database, 'churn', year)).toMatchObject([{ month: '2026-11', ended: 0 }]);
    expect(ask(database, 'mrr', year)).toMatchObject([
      { month: '2026-11', method: 'rebuilt' },
      { month: '2026-11', method: 'method change', end: 10, customers: 1 },
    ]);
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
    expect(unknownNotes(database, figures, question(OCTOBER))).toEqual([
      expect.stringContaining('the monthly revenue of some subscriptions is unknown'),
    ]);
  });
});

it('says of running subscriptions whose customer is disabled that they are counted, and may not be tried', async () => {
  const gone = subscription('c9', 12);
  const database = await mirrorOf({
    subscriptions: [subscription('c1', 5), { ...gone, customer: { ...(gone.customer as object), enabled: false } }],
  });
  for (const name of ['mrr', 'churn']) {
    const asked = question(OCTOBER);
    expect(leftOutNotes(database, report(name), asked, figuresOf(database, report(name), asked))).toContain(
      '1 running subscription of a disabled customer is counted (12.00 USD a month): while a customer is disabled, renewals may fall due without being tried',
    );
  }
});
