import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Home } from '../harness/home.js';

/* `sandbox trigger -d`: fields for the writes that make an event happen. */

let home: Home;
beforeEach(async () => {
  home = new Home({ COPS_PROFILE: 'sandbox' });
  await home.run(['campaigns', 'list']);
});
afterEach(() => home.remove());

const trigger = (...words: string[]) => home.run(['sandbox', 'trigger', ...words, '-o', 'json']);
const counted = async () => (await home.run(['sandbox', 'status', '-o', 'json', '--query', 'items'])).stdout;

describe('sandbox trigger -d', () => {
  it('makes the event with these fields, and with what it has of its own', async () => {
    const ran = await trigger(
      'sale.created.success.paid',
      '-d',
      'customer.email=qa@example.com',
      '-d',
      'tax_amount=1.50',
    );
    expect(ran).toMatchObject({ code: 0, stderr: '' });
    const { item_id: id } = JSON.parse(ran.stdout).at(-1);
    const sale = JSON.parse((await home.run(['sales', 'get', id, '-o', 'json'])).stdout);
    expect(sale).toMatchObject({ status: 'paid', customer: { email: 'qa@example.com' } });
    expect(
      Number((await home.run(['tax', 'list', '--limit', '1', '--query', '[0].amount', '-o', 'json'])).stdout),
    ).toBe(1.5);
    expect(sale.customer.first_name).not.toBe('');
  });

  it('gives each write what it takes', async () => {
    const ran = await trigger('pending_refund.created.product_sale.partial', '-d', 'amount=2.50');
    expect(ran.code).toBe(0);
    const { item_id: id } = JSON.parse(ran.stdout).at(-1);
    const refund = JSON.parse((await home.run(['pending-refunds', 'get', id, '-o', 'json'])).stdout);
    expect(Number(refund.amount)).toBe(2.5);
  });

  it.each([
    ['a field that no write takes', 'nothing.at.all=1'],
    ['a value that its field cannot have', 'tax_amount=much'],
    ['no assignment', 'customer.email'],
  ])('refuses %s, and nothing of it stays', async (_about, data) => {
    const before = await counted();
    expect(await trigger('sale.created.success.paid', '-d', data)).toMatchObject({ code: 2, stdout: '' });
    expect(await counted()).toBe(before);
  });

  it('leaves nothing behind where they keep the event from happening', async () => {
    const before = await counted();
    const ran = await trigger('sale.created.success.paid', '-d', 'credit_card.card_number=4000000000000002');
    expect(ran.code).not.toBe(0);
    expect(await counted()).toBe(before);
  });
});
