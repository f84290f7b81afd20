/** Everyday verbs that a family has no action for end in a right line or a plain sentence, never in something that does more. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Home } from '../../harness/home.js';

const WHO = 'jane@example.com';
let home: Home;
beforeAll(() => {
  home = new Home();
});
afterAll(() => home.remove());
const answer = async (line: string) => {
  const ran = await home.run(['-p', 'sandbox', ...line.split(' ')]);
  expect(ran.code, `${line}: ${ran.stderr}`).toBe(2);
  return ran.stderr;
};

it.each([
  [`customers block ${WHO}`, `customers disable ${WHO}`],
  [`customers blacklist ${WHO}`, `customers disable ${WHO}`],
  [`customers unban ${WHO}`, `customers enable ${WHO}`],
  [`customers tag ${WHO} VIP`, `customers add-to-group ${WHO}`],
  [`customers freeze ${WHO}`, `subscriptions suspend ${WHO}`],
  [`subscriptions extend ${WHO}`, `subscriptions postpone ${WHO} --by 1mo`],
  [`subscriptions transfer ${WHO}`, 'Nothing can move to another customer'],
  [`trials pause ${WHO}`, 'A trial cannot be paused'],
  [`trials hold ${WHO}`, 'A trial cannot be paused'],
  [`sales ship ${WHO}`, `shipping list --customer ${WHO}`],
  [`sales approve ${WHO}`, `sales list --all-time --customer ${WHO}`],
  [`transactions charge ${WHO}`, 'only be read and refunded'],
  [`customer-cards charge ${WHO}`, `subscriptions renew ${WHO}`],
  [`chargebacks refund ${WHO}`, 'A chargeback belongs to the bank'],
  [`shipping hold ${WHO}`, `shipping list --customer ${WHO}`],
  ['products hide Club', 'products disable <product>'],
  ['products restock Club', 'counts no stock'],
  ['coupons apply TEN', 'subscriptions edit'],
  ['coupons expire TEN', '-d enabled=false'],
  // A list takes no item, and nothing is made of one: neither is what a slip meant.
  [`customers call ${WHO}`, 'Actions:'],
  [`customers close ${WHO}`, 'Actions:'],
] as const)('%s', async (line, says) => {
  expect(await answer(line)).toContain(says);
});

it('leads no pause to an end', async () => {
  for (const family of ['trials', 'subscriptions', 'customer-cards', 'coupons', 'functions', 'products'])
    for (const verb of ['pause', 'hold', 'freeze', 'stop'])
      expect(await answer(`${family} ${verb} ABCDEFGHIJ0123456789`), `${family} ${verb}`).not.toMatch(
        /Did you mean "[^"]*(?:cancel|delete|void)/,
      );
});
