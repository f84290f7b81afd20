/** @module-tag thorough */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { id, listHandler } from '../fixtures/service/service.js';
import { laySandbox, SOME } from '../harness/seeded.js';
import { pair } from './helpers.js';
import { Home } from './program.js';
import { REPORT_FAMILIES } from './report/families.js';

const dashed = (name: string) => name.replaceAll('_', '-');

describe('cops overview', () => {
  const shop = new Home();
  beforeAll(() => laySandbox(shop.env.COPS_DATA_DIR ?? '', Date.now(), SOME));
  afterAll(() => shop.remove());

  it('counts the embedded service, in each format, and writes a page', { tags: ['thorough'] }, async () => {
    const page = path.join(shop.folder, 'page.html');
    const json = await shop.run(['-p', 'sandbox', 'overview', '--last', '20d', '--html', page, '-o', 'json']);
    expect(json.code, json.stderr).toBe(0);
    const whole = JSON.parse(json.stdout) as { days: string[]; totals: { kind: string; count: number }[] };
    expect(whole.days).toHaveLength(21);
    const sales = await shop.run(['-p', 'sandbox', 'sales', 'list', '--from', `${whole.days[0]}`, '-o', 'ids']);
    const counted = whole.totals.filter((one) => one.kind === 'sales').reduce((sum, one) => sum + one.count, 0);
    expect(counted).toBeLessThanOrEqual(sales.stdout.trim().split('\n').length);
    expect(counted).toBeGreaterThan(0);
    const html = readFileSync(page, 'utf8');
    expect(html).toContain('<svg');
    // All of it is in the file: nothing is loaded from anywhere.
    expect(html).not.toMatch(/https?:|\bsrc=|<link|@import|url\(/i);
    const text = await shop.run(['-p', 'sandbox', 'overview', '--last', '20d', '-o', 'table']);
    expect(text.stdout).toContain('renewals');
    const csv = await shop.run(['-p', 'sandbox', 'overview', '--last', '20d', '-o', 'csv']);
    expect(csv.stdout).toMatch(/^day,kind,currency,count,amount\r?\n/);
  });

  it('agrees with the figures of the reports to the cent', { timeout: 60_000, tags: ['sweep'] }, async () => {
    const mirror = path.join(shop.folder, 'm.sqlite');
    const synced = await shop.run(['-p', 'sandbox', '-q', 'sync', mirror, ...REPORT_FAMILIES.map(dashed)]);
    expect(synced.code, synced.stderr).toBe(0);
    const range = ['--last', '90d', '--tz', 'America/New_York', '-o', 'json'];
    const told = await shop.run(['-p', 'sandbox', 'overview', ...range]);
    expect(told.code, told.stderr).toBe(0);
    const { by_day } = JSON.parse(told.stdout) as { by_day: Record<string, string | number>[] };
    for (const [kind, report, only, count, amount] of [
      ['sales', 'revenue', 'sale', 'payments', 'gross'],
      ['renewals', 'revenue', 'renewal', 'payments', 'gross'],
      ['failures', 'failures', '', 'failed', 'failed_amount'],
      ['refunds', 'refunds', '', 'refunds', 'amount'],
      ['chargebacks', 'chargebacks', '', 'chargebacks', 'amount'],
      ['trials', 'trials', '', 'begun', 'paid'],
      ['salvage', 'recovery', '', 'failed', 'failed_amount'],
    ] as const) {
      const by = ['--by', only ? 'day,kind' : 'day', '--mirror', mirror];
      const ran = await shop.run(['-p', 'sandbox', 'report', report, ...range, ...by]);
      const { rows } = JSON.parse(ran.stdout) as { rows: Record<string, string | number>[] };
      const expected = rows
        .filter((row) => (row.kind ?? '') === only && Number(row[count]) > 0)
        .map((row) => `${row.day} ${row.currency} ${row[count]} ${row[amount]}`);
      const found = by_day
        .filter((one) => one.kind === kind)
        .map((one) => `${one.day} ${one.currency} ${one.count} ${Number(one.amount)}`);
      expect(found.sort(), kind).toEqual(expected.sort());
      if (kind !== 'chargebacks') expect(found.length, kind).toBeGreaterThan(0);
    }
  });

  it('ends with exit code 10 when a list cannot be proven complete', async () => {
    const empty = listHandler({ items: [] });
    const short = listHandler({
      items: [{ id: id('S'), created_date_unix: 1 }],
      startInclusive: true,
      totalCount: () => 3,
    });
    const { home } = await pair({
      handler: (request) => (request.path === '/sales' ? short(request) : empty(request)),
    });
    const ran = await home.run(['overview', '--last', '2d', '-o', 'json']);
    expect(ran.code).toBe(10);
    expect(JSON.parse(ran.stdout)).toMatchObject({ tz: 'UTC' });
  });
});
