/** What people ask for in their own words is answered with the lines that do it, filled with what they typed. */
import { expect, it } from 'vitest';
import { home } from '../helpers.js';

const ID = 'ABCDEFGHIJ0123456789';
const run = (line: readonly string[]) => home({ COPS_PROFILE: 'sandbox' }).run([...line, '--no-input']);

it.each([
  ['customers refund jane@example.com 10', 'product-sales refund jane@example.com --latest --amount 10'],
  ['refund jane@example.com', 'subscription-renewals refund jane@example.com --latest.'],
  ['subscriptions apply-coupon jane@example.com SAVE10', "edit jane@example.com -d 'coupon[0]=SAVE10'"],
  ['subscriptions discount jane@example.com 20%', '--amount <new amount>'],
  ['subscriptions cancel jane@example.com --at 2026-12-31', 'subscriptions get jane@example.com'],
  ['subscriptions change-card jane@example.com', 'customers add-card jane@example.com'],
  ['cards update jane@example.com', 'customer-cards list --customer jane@example.com'],
  ['customers merge jane@example.com joe@example.com', 'cannot be merged'],
  ['why was jane@example.com charged twice', 'why jane@example.com'],
  ['where is order O-264', 'shipping list --customer O-264'],
  ['sales refund O-264 --amount 5', 'product-sales refund O-264 --amount 5'],
  ['invoices list jane@example.com', 'invoices list --customer jane@example.com'],
  ['trials convert-now jane@example.com', 'trials expire jane@example.com'],
  // The id of a payment is the id of no subscription.
  [`transactions retry ${ID}`, 'subscriptions renew <who>'],
])('%s', async (line, says) => {
  const ran = await run(line.split(' '));
  expect(ran.code, ran.stderr).toBe(2);
  expect(ran.stderr).toContain(says);
});

it('leads a dry run to dry runs alone', async () => {
  const ran = await run(['refund', 'jane@example.com', '--dry-run']);
  expect(ran.stderr.match(/--latest/g)).toHaveLength(2);
  expect(ran.stderr.match(/--latest --dry-run/g)).toHaveLength(2);
});

it.each([
  [['trials', 'extend', ID, '2w'], '"days":14'],
  [['product-sales', 'refund', ID, '10'], '"amount":10,'],
])('reads a value behind the id of a write by its form: %j', async (line, sent) => {
  const ran = await run([...line, '--dry-run']);
  expect(ran.code, ran.stderr).toBe(0);
  expect(ran.stdout).toContain(sent);
});
