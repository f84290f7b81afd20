import { describe, expect, it } from 'vitest';
import type { Figures } from '../../../src/data/report/figures.js';
import type { ReportColumn } from '../../../src/data/report/report-question.js';
import { tableText } from '../../../src/data/report/report-text.js';
import { closeText } from '../../../src/data/report/sections-text.js';
import { MRR } from '../../../src/data/report/subscription-reports.js';
import type { ReportRow } from '../../../src/data/report/types.js';

const text = (name: string): ReportColumn => ({ name, unit: 'text', about: '' });
const money = (name: string): ReportColumn => ({ name, unit: 'money', about: '' });

function figures(columns: readonly ReportColumn[], keys: number, rows: readonly ReportRow[]): Figures {
  return { statement: { sql: '', columns, keys }, rows, differences: [], proofs: 0, inexact: 0 };
}

const WORDS = ['gross', 'refunds', 'fees', 'tax', 'net'];
const ROWS: ReportRow[] = ['renewal', 'sale'].map((kind, i) => ({
  kind,
  currency: 'USD',
  gross: 123_456n * BigInt(i + 1),
  refunds: 0n,
  fees: 100n,
  tax: 700n,
  net: 123_000n * BigInt(i + 1),
}));
const REVENUE = figures([text('kind'), text('currency'), ...WORDS.map(money)], 2, ROWS);
const period = { begins: Date.UTC(2026, 9, 1) / 1000, ends: Date.UTC(2026, 10, 1) / 1000 };
const look = (width: number) => ({ drawn: true, width, blocks: true, period });

describe('a report on a terminal', () => {
  it('shows all of it where there is room, and bars where rows can be compared', () => {
    const [heads, first, second] = tableText(REVENUE, 'net', look(120)).split('\n');
    expect(heads).toBe('kind     currency     gross  refunds  fees   tax       net');
    expect(first).toContain('1,230.00  ██████████');
    expect(second).toContain(`2,460.00  ${'█'.repeat(20)}`);
    const alone = { ...REVENUE, rows: ROWS.slice(0, 1) };
    expect(tableText(alone, 'net', look(120))).not.toContain('█');
  });

  it('shows what does not fit in a table below, after what the line asks for, and names what holds nothing', () => {
    const headsOf = (width: number, asked?: string[]): string[] =>
      tableText(REVENUE, 'net', { ...look(width), asked })
        .split('\n')
        .filter((line) => line.startsWith('kind'))
        .map((line) => line.replaceAll(/\s+/g, ' '));
    expect(headsOf(52)).toEqual(['kind currency gross fees tax net']);
    expect(headsOf(40)).toEqual(['kind currency gross net', 'kind currency fees tax']);
    expect(headsOf(30, ['tax'])[0]).toBe('kind currency tax');
    expect(tableText(REVENUE, 'net', look(40))).toMatch(/\n0 in all rows: refunds\.\n$/);
    const long = { ...REVENUE, rows: Array.from({ length: 90 }, () => REVENUE.rows[0] ?? {}) };
    expect(tableText(long, 'net', look(40))).toMatch(/\nNo room for fees, tax; --wide shows all\.\n$/);
  });

  it('names rows of no product by what they hold, without an average of orders', () => {
    const columns = [
      text('product'),
      text('currency'),
      money('gross'),
      money('tax'),
      money('shipping'),
      money('average'),
    ];
    const row = (product: string | null, gross: bigint): ReportRow => ({
      ...{ product, currency: 'USD', gross, tax: product === null ? 200n : 0n, shipping: 500n, average: 700n },
    });
    const rows = [row('Tea', 1000n), row(null, 700n), row(null, 900n)];
    const [, tea, own, other] = tableText(figures(columns, 2, rows), undefined, look(120)).split('\n');
    expect(tea).toMatch(/^Tea .* 7\.00$/);
    expect(own).toMatch(/^no product {2,}USD .* -$/);
    expect(other).toMatch(/^no product {2}.* 7\.00$/);
  });

  it('heads a column by its title', () => {
    const end = { ...money('end'), title: 'MRR at the end' };
    const shown = tableText(figures([text('currency'), end], 1, [{ currency: 'USD', end: 100n }]), 'end', look(80));
    expect(shown).toBe('currency  MRR at the end\nUSD                 1.00\n');
    expect(MRR.columns.find(({ name }) => name === 'end')?.title).toBe('MRR at the end');
  });

  it('says the period of an empty answer', () => {
    const none = figures([text('kind'), text('currency')], 2, []);
    const said = 'Nothing from 2026-10-01T00:00:00Z to 2026-10-31T23:59:59Z.\n';
    expect(tableText(none, undefined, look(80))).toBe(said);
    expect(closeText(none, look(80))).toBe(said);
    const all = { ...look(80), period: { ...period, begins: 0 } };
    expect(tableText(none, undefined, all)).toBe('Nothing up to 2026-10-31T23:59:59Z.\n');
  });

  it('shows the one column that was asked for, and all where there is no terminal', () => {
    const fees = { ...look(120), wanted: 'fees', alone: true };
    expect(tableText(REVENUE, 'net', fees).split('\n')[0]).toBe('kind     currency  fees');
    expect(tableText(REVENUE, 'net', { ...fees, drawn: false }).split('\n')[0]).toContain('gross');
    const counted = figures([text('kind'), { name: 'payments', unit: 'count', about: '' }, ...WORDS.map(money)], 1, [
      { kind: 'sale', currency: 'USD', payments: 3, fees: 100n, gross: 1n },
    ]);
    expect(tableText(counted, 'net', fees).split('\n')[0]).toBe('kind  payments  fees');
  });

  it('leaves out nothing in a pipe', () => {
    const lines = tableText(REVENUE, 'net', { drawn: false, width: 0, blocks: true, period }).split('\n');
    expect(lines[0]).toBe('kind     currency     gross  refunds  fees   tax       net');
  });

  it('has a table for each section of a closed month, the lines of a currency side by side', () => {
    const line = (
      section: string,
      word: string,
      kind: string,
      amount: bigint,
      count: number | null = null,
    ): ReportRow => ({
      section,
      line: word,
      kind,
      currency: 'USD',
      count,
      amount,
      id: null,
    });
    const close = figures([], 4, [
      line('totals', 'gross', 'sale', 1_000n, 2),
      line('totals', 'net', 'sale', 900n),
      line('totals', 'gross', 'all', 1_000n, 2),
      line('totals', 'net', 'all', 900n),
      line('pending', 'refunds not processed', 'all', 500n, 1),
    ]);
    expect(closeText(close, look(110)).split('\n')).toEqual([
      'Totals',
      'currency  kind  payments  gross   net',
      'USD       sale         2  10.00  9.00',
      'USD       all          2  10.00  9.00',
      '',
      'Started in this period and still pending, as of the last sync',
      'line                   kind  currency  count  amount',
      'refunds not processed  all   USD           1    5.00',
      '',
    ]);
  });
});
