import { describe, expect, it } from 'vitest';
import { Adder, SOURCES } from '../../../src/overview/figures.js';
import { overviewPage } from '../../../src/overview/page.js';
import { overviewText, sparkline } from '../../../src/overview/text.js';

const DAYS = ['2026-01-01', '2026-01-02'];
const dayOf = (unix: number): string => (unix < 86_400 ? '2026-01-01' : '2026-01-02');

function figures(items: Readonly<Record<string, readonly string[]>>) {
  const adder = new Adder(dayOf);
  for (const source of SOURCES) for (const raw of items[source.family] ?? []) adder.taker(source)(raw);
  return adder.result({ from: 0, to: 172_799 }, 'UTC', DAYS);
}

describe('the overview', () => {
  it('adds decimals exactly and keeps currencies apart', () => {
    const sale = (amount: string, currency: string) =>
      `{"status":"paid","amount_total":${amount},"amount_refunded":0.00,"iso_currency":"${currency}","created_date_unix":5}`;
    const found = figures({ sales: [sale('0.10', 'USD'), sale('0.20', 'USD'), sale('123456789012345678.99', 'EUR')] });
    expect(found.totals).toEqual([
      { kind: 'sales', currency: 'EUR', count: 1, amount: '123456789012345678.99' },
      { kind: 'sales', currency: 'USD', count: 2, amount: '0.30' },
    ]);
  });

  it('counts what was charged before refunds, failures apart, and neither pending nor cancelled sales', () => {
    const found = figures({
      sales: [
        '{"status":"paid","amount_total":6,"amount_refunded":4,"iso_currency":"USD","created_date_unix":1}',
        '{"status":"declined","amount_original_total":9,"iso_currency":"USD","created_date_unix":1}',
        '{"status":"pending","amount_total":1,"iso_currency":"USD","created_date_unix":1}',
        '{"status":"cancelled","amount_total":1,"iso_currency":"USD","created_date_unix":1}',
      ],
      subscription_renewals: [
        '{"amount_total":0,"amount_refunded":5,"amount_captured":5,"amount_original_total":5,"iso_currency":"USD","created_date_unix":90000}',
        '{"amount_total":7,"amount_refunded":0,"amount_captured":0,"amount_original_total":7,"iso_currency":"USD","created_date_unix":90000}',
        '{"is_overdue":true,"amount_total":3,"amount_original_total":3,"iso_currency":"USD","created_date_unix":90000}',
      ],
      chargebacks: ['{"amount":"12.5","created_date_unix":1}'],
    });
    expect(found.totals.map((one) => [one.kind, one.currency, one.count, one.amount])).toEqual([
      ['sales', 'USD', 1, '10.00'],
      ['sales failed', 'USD', 1, '9.00'],
      ['renewals', 'USD', 1, '5.00'],
      ['renewals failed', 'USD', 2, '10.00'],
      ['chargebacks', '', 1, '12.50'],
    ]);
    expect(found.by_day.find((one) => one.kind === 'renewals')?.day).toBe('2026-01-02');
  });

  it('draws bars by height and adds neighbours up where there is no room', () => {
    expect(sparkline([0, 1, 8], 10, true)).toBe(' ▁█');
    expect(sparkline([1, 1, 0, 4], 2, true)).toBe('▄█');
    expect(sparkline([8], 5, false)).toBe('@');
  });

  it('leaves the chart out where a terminal has no room', () => {
    const found = figures({
      refunds: [],
      pending_refunds: ['{"amount":1,"iso_currency":"USD","created_date_unix":1}'],
    });
    expect(overviewText(found, { blocks: true, width: 80 })).toContain('█');
    expect(overviewText(found, { blocks: true, width: 30 })).not.toContain('█');
  });

  it('escapes every text of the page and asks for nothing from a network', () => {
    const found = figures({ sales: ['{"status":"paid","amount_total":1,"iso_currency":"USD","created_date_unix":1}'] });
    const page = overviewPage(found, { profile: '<script>alert(1)</script>"', mode: 'test', made: '2026-01-02' });
    expect(page).not.toContain('<script');
    expect(page).toContain('&lt;script&gt;');
    expect(page).not.toMatch(/https?:|src=|@import|url\(/);
    expect(page).toContain("default-src 'none'");
    expect(page).toContain('<rect ');
  });
});
