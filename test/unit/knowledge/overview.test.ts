/** @module-tag thorough */
import { describe, expect, it } from 'vitest';
import { zoneOf } from '../../../src/base/time/zones.js';
import { overviewOf } from '../../../src/data/overview/overview-figures.js';
import { overviewPage } from '../../../src/data/overview/overview-page.js';
import { overviewText, sparkline } from '../../../src/data/overview/overview-text.js';
import { amounts, at, mirrorOf } from '../report/mirror.js';

const UTC = zoneOf('UTC', 'default');
const PERIOD = { begins: at('2026-01-01', 0), ends: at('2026-01-03', 0) };
const paid = (hour: number, sum: number, more: object = {}) => ({
  created_date_unix: at('2026-01-01', hour),
  ...amounts(sum),
  ...more,
});

async function computed(items: Parameters<typeof mirrorOf>[0]) {
  return overviewOf(await mirrorOf(items), PERIOD, UTC);
}

async function figures(items: Parameters<typeof mirrorOf>[0]) {
  const { overview, differences, inexact } = await computed(items);
  expect({ differences, inexact }).toEqual({ differences: [], inexact: 0 });
  return overview;
}

describe('the overview', () => {
  it('adds up exactly, by currency and by day, within its days', async () => {
    const found = await figures({
      sales: [paid(1, 0.1), paid(2, 0.2), paid(3, 7, { iso_currency: 'JPY' })],
      subscription_renewals: [
        { ...paid(1, 5), created_date_unix: PERIOD.ends - 1 },
        { ...paid(1, 9), created_date_unix: PERIOD.ends },
        { ...paid(1, 9), created_date_unix: PERIOD.begins - 1 },
      ],
    });
    expect(found.totals).toEqual([
      { kind: 'sales', currency: 'JPY', count: 1, amount: '7' },
      { kind: 'sales', currency: 'USD', count: 2, amount: '0.30' },
      { kind: 'renewals', currency: 'USD', count: 1, amount: '5.00' },
    ]);
    expect(found.days).toEqual(['2026-01-01', '2026-01-02']);
    expect(found.by_day.map(({ day, kind, amount }) => [day, kind, amount])).toEqual([
      ['2026-01-01', 'sales', '7'],
      ['2026-01-01', 'sales', '0.30'],
      ['2026-01-02', 'renewals', '5.00'],
    ]);
  });

  it('means by each kind what the report of it means', async () => {
    const unpaid = { ...paid(1, 4), amount_captured: 0 };
    const attempt = { created_date_unix: at('2026-01-01'), amount: 9, method: 'sale_create' };
    const found = await figures({
      // Before refunds; what took no money is no payment.
      sales: [{ ...paid(1, 10), ...amounts(10, 4) }, unpaid],
      transactions: [
        { ...attempt, result: 'approved' },
        { ...attempt, result: 'declined' },
        { ...attempt, result: 'held' },
      ],
      pending_refunds: [{ created_date_unix: at('2026-01-02'), amount: 4, type: 'product_sale', status: 'pending' }],
      chargebacks: [{ created_date_unix: at('2026-01-02'), amount: 12.5, status: 'new' }],
      trials: [{ ...paid(1, 3), status: 'expired', expiration_date_unix: at('2026-01-20') }],
      salvage_transactions: [
        { created_date_unix: at('2026-01-02'), amount: 8, amount_remaining: 2, status: 'created' },
      ],
    });
    expect(found.totals.map((one) => [one.kind, one.count, one.amount])).toEqual([
      ['sales', 1, '10.00'],
      ['failures', 2, '18.00'],
      ['refunds', 1, '4.00'],
      ['chargebacks', 1, '12.50'],
      ['trials', 1, '3.00'],
      ['salvage', 1, '8.00'],
    ]);
  });

  it('says what lists show and it does not count: what took no money', async () => {
    const unpaid = { ...paid(1, 4), amount_captured: 0 };
    const trial = { ...paid(1, 3), status: 'created', expiration_date_unix: at('2026-01-20'), amount_captured: 0 };
    const later = { ...unpaid, created_date_unix: PERIOD.ends };
    const items = { sales: [paid(1, 10), unpaid, unpaid, later], trials: [trial] };
    expect((await computed(items)).notes).toEqual(['not counted: 2 sales without any payment']);
    const renewed = { sales: [unpaid], subscription_renewals: [unpaid] };
    expect((await computed(renewed)).notes).toEqual(['not counted: 1 sale and 1 renewal without any payment']);
    expect((await computed({ sales: [paid(1, 10)] })).notes).toEqual([]);
  });

  it('says why sales, renewals and trials do not come to the revenue', async () => {
    const trial = { ...paid(1, 3), status: 'expired', expiration_date_unix: at('2026-01-20') };
    expect((await computed({ trials: [trial] })).notes.join()).toContain('trials count on the day they began');
  });

  it('says from which hour on a rolling span goes', async () => {
    const whole = await figures({ sales: [paid(1, 1)] });
    const head = (from: number) => overviewText({ ...whole, from }, { blocks: true, width: 80 }).split('\n')[0];
    const day = new Date(whole.from * 1000).toISOString().slice(0, 10);
    expect(head(whole.from)).toContain(`Overview, ${day} to `);
    expect(head(whole.from + 52_200)).toContain(`Overview, ${day}T14:30:00Z to `);
  });

  it('says how many amounts it could not count exactly', async () => {
    expect((await computed({ sales: [paid(1, 1.005)] })).inexact).toBeGreaterThan(0);
  });

  it('draws bars by height and adds neighbours up where there is no room', () => {
    expect(sparkline([0, 1, 8], 10, true)).toBe(' ▁█');
    expect(sparkline([1, 1, 0, 4], 2, true)).toBe('▄█');
    expect(sparkline([8], 5, false)).toBe('@');
  });

  it('leaves the chart out where a terminal has no room', async () => {
    const found = await figures({ sales: [paid(1, 1)] });
    expect(overviewText(found, { blocks: true, width: 80 })).toContain('█');
    expect(overviewText(found, { blocks: true, width: 30 })).not.toContain('█');
  });

  it('escapes every text of the page and asks for nothing from a network', async () => {
    const found = await figures({ sales: [paid(1, 1)] });
    const page = overviewPage(found, { profile: '<script>alert(1)</script>"', mode: 'test', made: '2026-01-02' });
    expect(page).not.toContain('<script');
    expect(page).toContain('&lt;script&gt;');
    expect(page).not.toMatch(/https?:|src=|@import|url\(/);
    expect(page).toContain("default-src 'none'");
    expect(page).toContain('<rect ');
  });
});
