/** @module-tag thorough */
import { expect, it } from 'vitest';
import { REPORTS } from '../../../src/data/report/reports.js';
import { StandingClock } from '../../harness/clock.js';
import { Home } from '../program.js';

/* A refund that is a transaction of its own is no attempt, no payment and no difference: every figure is the same. */

const SYNCED = [
  ...[
    'sales',
    'product_sales',
    'subscriptions',
    'subscription_renewals',
    'trials',
    'transactions',
    'tax',
    'shipping',
    'discounts',
  ],
  ...[
    'pending_refunds',
    'chargebacks',
    'salvage_transactions',
    'wallet_transactions',
    'check_directs',
    'offline_payments',
    'subscription_profiles',
    'coupon_profiles',
    'coupons',
    'invoices',
  ],
];

/** What each report says of a sandbox, and how many of its transactions are refunds. */
async function figures(more: readonly string[]): Promise<{ said: unknown[]; refunds: number }> {
  const home = new Home({ NO_COLOR: '1' });
  const clock = new StandingClock();
  const answer = async (words: readonly string[]) => {
    const ran = await home.run(['-p', 'sandbox', ...words], { cwd: home.folder, clock, random: () => 0.5 });
    expect(ran.code, ran.stderr).toBe(0);
    return ran.stdout;
  };
  try {
    await answer(['sandbox', 'reset', '--size', '400', '--yes', ...more]);
    await answer(['-q', 'sync', 'm.sqlite', ...SYNCED]);
    const said: unknown[] = [];
    const ranges: Readonly<Record<string, readonly string[]>> = {
      aging: [],
      forecast: ['--next', '90d'],
      close: ['--month', 'last'],
    };
    for (const { name } of REPORTS) {
      const range = ranges[name] ?? ['--last', '6mo'];
      const { rows, totals } = JSON.parse(
        await answer(['report', name, ...range, '--mirror', 'm.sqlite', '-o', 'json']),
      );
      said.push({ name, rows, totals });
    }
    const count = "select count(*) as n from raw_transactions where method = 'refund'";
    const [{ n }] = JSON.parse(await answer(['sql', count, '--mirror', 'm.sqlite', '-o', 'json', '-q']));
    return { said, refunds: n };
  } finally {
    home.remove();
  }
}

it('leaves every report as it is without them', async () => {
  const [without, having] = [await figures([]), await figures(['--refund-transactions'])];
  expect(without.refunds).toBe(0);
  expect(having.refunds).toBeGreaterThan(3);
  expect(having.said).toEqual(without.said);
}, 240_000);
