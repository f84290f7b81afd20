/** What a report hints at where its figures are not proven: a sync, only where one can change them. */
import path from 'node:path';
import { expect, it } from 'vitest';
import { listHandler, refusal } from '../../fixtures/service/service.js';
import { QuickClock } from '../../harness/clock.js';
import { errorOf, forgetFirstDay, pair } from '../helpers.js';
import { REPORT_FAMILIES } from './families.js';

const NOW = Date.UTC(2026, 9, 20) / 1000;
const DAY = 86_400;

/** Reports from a mirror of a service whose lists hold one paid sale of so much; one of them may be refused. */
async function mirrorOf(sale: object, refused?: string) {
  const items = [
    {
      id: 'SALE0000000000000001',
      live_mode: false,
      status: 'paid',
      amount: 1000,
      amount_original_total: 1000,
      amount_total: 1000,
      amount_gross: 1000,
      amount_net: 1000,
      amount_fees: 0,
      amount_captured: 1000,
      amount_settled: 1000,
      amount_remaining: 0,
      amount_refunded: 0,
      iso_currency: 'JPY',
      created_date_unix: NOW - 5 * DAY,
      ...sale,
    },
  ];
  const { home } = await pair((request) => {
    if (request.path === refused) return refusal(403, 'E0003', 'not for this key');
    const list = listHandler({ items: request.path === '/sales' ? items : [], dated: request.query.has('date_start') });
    return list(request);
  });
  forgetFirstDay(home);
  const run = (...words: string[]) =>
    home.run([...words, '-o', 'json'], { cwd: home.folder, clock: new QuickClock(NOW * 1000) });
  const families = REPORT_FAMILIES.map((name) => name.replaceAll('_', '-'));
  const synced = await run('sync', path.join(home.folder, 'm.sqlite'), ...families, '-q');
  expect(synced.code, synced.stderr).toBe(refused ? 10 : 0);
  return (...words: string[]) => run('report', ...words, '--last', '10d', '--mirror', 'm.sqlite');
}

it('names no sync for an amount that the service itself shows finer than its currency', async () => {
  const report = await mirrorOf({ amount_captured: 1000.5, amount_total: 1000.5, amount_gross: 1000.5 });
  const ran = await report('revenue');
  expect(ran.code, ran.stderr).toBe(10);
  expect(errorOf(ran)).toMatchObject({ inexact: 1, differences: [], hint: expect.stringContaining('_inexact') });
  expect(ran.stderr).not.toContain('cops sync');
});

it('names a sync where a list was not read whole, whatever else is wrong', async () => {
  for (const amount of [1000, 1000.5]) {
    const report = await mirrorOf({ amount_captured: amount, amount_total: amount, amount_gross: amount }, '/tax');
    const ran = await report('revenue');
    expect(ran.code, ran.stderr).toBe(10);
    expect(errorOf(ran)).toMatchObject({ hint: expect.stringContaining('cops sync') });
  }
});
