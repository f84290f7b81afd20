/** @module-tag thorough */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Home } from '../../harness/home.js';
import { FEW, laySandbox } from '../../harness/seeded.js';

/* `cops test --record`: a scenario of what happened to an item, which holds when it is played. */

let home: Home;
beforeEach(async () => {
  home = new Home({ COPS_PROFILE: 'sandbox' });
  await laySandbox(String(home.env.COPS_DATA_DIR), Date.now(), FEW);
});
afterEach(() => home.remove());

async function json(...words: string[]) {
  const ran = await home.run([...words, '-o', 'json']);
  expect(ran.code, ran.stderr).toBe(0);
  return JSON.parse(ran.stdout);
}

/** Gives a customer another card to pay with. */
async function card(customer: string, number: string) {
  const payment = { credit_card: { card_number: number, exp_month: 12, exp_year: 60, card_code: '123' } };
  const line = ['customers', 'payment-methods', 'create', customer, '--body', '-', '-o', 'json'];
  const made = JSON.parse((await home.run(line, { input: JSON.stringify({ payment }) })).stdout);
  await json('customers', 'payment-methods', 'set-default', customer, made.customer_card_id);
}

/** Records an item, and plays what was recorded. */
async function recorded(id: string) {
  const { code, stdout, stderr } = await home.run(['test', '--record', id]);
  expect(code, stderr).toBe(0);
  const folder = path.join(home.folder, 'recorded');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'one.test.yaml'), stdout);
  const [end] = await json('test', folder);
  expect(end.failure, stdout).toBeUndefined();
  return stdout;
}

describe('cops test --record', () => {
  it('repeats a sale with its renewals, a failing card, a refund and the end of its subscription', async () => {
    const file = 'version: 1\nsubscriptions:\n  hers: { customer: Ann Own, product: Coffee Club }\n';
    const seeded = await home.run(['sandbox', 'seed', '-'], {
      input: `${file}customers:\n  Ann Own: { country: USA }\n`,
    });
    expect(seeded.code, seeded.stderr).toBe(0);
    const [subscription] = await json('subscriptions', 'list', '--limit', '1');
    await json('sandbox', 'clock', 'advance', '70d');
    const [payment] = await json('transactions', 'list', '--limit', '1', '--customer', subscription.customer.id);
    await json('transactions', 'refund', payment.id, '--amount', '1.50', '--yes');
    await card(subscription.customer.id, '4000000000000002');
    await json('sandbox', 'clock', 'advance', '40d');
    await json('subscriptions', 'cancel', subscription.id, '--yes');
    const text = await recorded(subscription.id);
    for (const part of [
      'declines_from',
      'advance_to',
      'transactions refund ${payments[',
      '--amount 1.5',
      'subscriptions cancel',
    ])
      expect(text).toContain(part);
    for (const own of [subscription.customer.email, subscription.customer.last_name, payment.id])
      expect(text).not.toContain(own);
  });

  it('finds the sale from a payment, and repeats a chargeback', async () => {
    await json('sandbox', 'trigger', 'chargeback.created');
    const [chargeback] = await json('chargebacks', 'list', '--limit', '1');
    expect(await recorded(chargeback.transaction_id)).toContain('chargebacks create');
  });

  it('repeats sales that were laid out, discounts left to a person', async () => {
    for (const { id } of await json('sales', 'list', '--limit', '6', '--where', 'payment_type.name=Credit Card'))
      await recorded(id);
  });

  it('knows what has no sale, and what is not there', async () => {
    const [product] = await json('products', 'list', '--limit', '1');
    expect((await home.run(['test', '--record', product.id])).code).toBe(2);
    expect((await home.run(['test', '--record', 'A1b2C3d4E5f6G7h8I9j0', 'here'])).code).toBe(2);
  });
});
