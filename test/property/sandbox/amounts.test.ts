import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Big from 'big.js';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { serveSandbox } from '../../../src/sandbox/serve/index.js';

/*
 * service.md#payments: the relations between the amounts of an item hold after every operation, to the cent. The texts of the
 * numbers are compared as exact decimals, never as binary fractions.
 */

const KEY = 'sandbox-key-no-secret-0000000001-test';
const FEE_PERCENT = '2.9';
const CARDS = ['4111111111111111', '5555555555554444', '4000000000000002', '4000000000003220'];
const dataDir = mkdtempSync(join(tmpdir(), 'amounts-'));
let server: Awaited<ReturnType<typeof serveSandbox>>;
let setUp: { campaign: string; profile: string; products: string[] };

beforeAll(async () => {
  server = await serveSandbox({ dataDir, port: 0, now: Date.now, random: Math.random });
  const first = async (path: string) => (await get(`${path}?limit=1&page=1`)).results[0].id as string;
  const words = ['Coffee Club', 'Streaming Plus', 'Ceramic Mug', 'Gift Card', 'Trial Sampler', 'Brew Scale'];
  const products: string[] = [];
  for (const word of words)
    products.push((await get(`/products/search?search_term=${encodeURIComponent(word)}`)).results[0].id);
  setUp = { campaign: await first('/campaigns'), profile: await first('/payment_profiles'), products };
});
afterAll(async () => {
  await server.close();
  rmSync(dataDir, { recursive: true, force: true });
});

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
type Json = any;

async function get(path: string): Promise<Json> {
  const response = await fetch(`${server.url}${path}`, { headers: { 'x-api-key': KEY } });
  return exact(await response.text());
}

async function post(path: string, body: unknown): Promise<Json> {
  const init = { method: 'POST', headers: { 'x-api-key': KEY }, body: JSON.stringify(body) };
  const response = await fetch(`${server.url}${path}`, init);
  return { ...exact(await response.text()), http: response.status };
}

/** Numbers of amounts as their texts, so that no digit is lost. */
function exact(text: string): Json {
  return JSON.parse(text.replace(/"(amount[a-z_]*)":(-?[0-9.]+)/g, '"$1":"$2"'));
}

function holds(item: Json): void {
  const big = (name: string) => new Big(item[name]);
  const fees = big('amount_gross').times(FEE_PERCENT).div(100).round(2, Big.roundHalfUp);
  const says = JSON.stringify(item).slice(0, 400);
  const discounted = big('amount_original_total').minus(big('amount_refunded')).minus(big('amount_total'));
  expect(discounted.gte(0) && discounted.lte(big('amount_original_total')), says).toBe(true);
  expect(big('amount_gross').toFixed(2), says).toBe(big('amount_captured').minus(big('amount_refunded')).toFixed(2));
  expect(big('amount_net').toFixed(2), says).toBe(big('amount_gross').minus(big('amount_fees')).toFixed(2));
  expect(big('amount_fees').toFixed(2), says).toBe(fees.toFixed(2));
  expect(big('amount_remaining').gte(0), says).toBe(true);
  expect(big('amount_refunded').lte(big('amount_captured')), says).toBe(true);
  for (const name of Object.keys(item).filter((one) => one.startsWith('amount')))
    expect(item[name]).toMatch(/^-?\d+\.\d\d$/);
}

/** A sale with everything that hangs on it: each item by itself, and the sums across them. */
async function checkSale(id: string): Promise<void> {
  const sale = await get(`/sales/${id}`);
  holds(sale);
  const sums = { amount_original_total: new Big(0), amount_refunded: new Big(0) };
  for (const family of ['product_sales', 'shipping', 'tax', 'trials', 'transactions']) {
    for (const one of sale[family]) {
      const item = await get(`/${family}/${one}`);
      holds(item);
      if (['product_sales', 'shipping', 'tax'].includes(family)) {
        sums.amount_original_total = sums.amount_original_total.plus(item.amount_original_total);
        sums.amount_refunded = sums.amount_refunded.plus(item.amount_refunded);
      }
    }
  }
  if (sale.status === 'failed' || sale.status === 'pending') return;
  expect(sums.amount_original_total.toFixed(2)).toBe(new Big(sale.amount_original_total).toFixed(2));
  // A bare transaction refund is booked on the sale and on no line of it.
  expect(sums.amount_refunded.lte(sale.amount_refunded)).toBe(true);
  let waiting = new Big(0);
  for (const trial of sale.trials) waiting = waiting.plus((await get(`/trials/${trial}`)).amount_remaining);
  expect(new Big(sale.amount_remaining).toFixed(2)).toBe(waiting.toFixed(2));
}

type Step = {
  kind: 'refund' | 'void' | 'renew' | 'expire' | 'cancel-trial' | 'raw-refund' | 'extend';
  cents: number;
  family: number;
};

const steps = fc.array(
  fc.record({
    kind: fc.constantFrom<Step['kind']>('refund', 'void', 'renew', 'expire', 'cancel-trial', 'raw-refund', 'extend'),
    cents: fc.integer({ min: -100, max: 6000 }),
    family: fc.integer({ min: 0, max: 2 }),
  }),
  { maxLength: 6 },
);

async function take(step: Step, sale: Json): Promise<void> {
  const amount = step.cents / 100;
  const family = ['product_sales', 'shipping', 'tax'][step.family] as string;
  const path = {
    refund: sale[family][0] && `/${family}/${sale[family][0]}/refund`,
    void: `/sales/${sale.id}/void`,
    renew: sale.subscriptions[0] && `/subscriptions/${sale.subscriptions[0]}/renew`,
    expire: sale.trials[0] && `/trials/${sale.trials[0]}/expire`,
    'cancel-trial': sale.trials[0] && `/trials/${sale.trials[0]}/cancel`,
    'raw-refund': sale.transactions[0] && `/transactions/${sale.transactions[0]}/refund`,
    extend: sale.trials[0] && `/trials/${sale.trials[0]}/extend`,
  }[step.kind];
  if (!path) return;
  const body = step.kind.endsWith('refund')
    ? step.cents % 7 === 0
      ? {}
      : { amount }
    : step.kind === 'extend'
      ? { days: 3 }
      : {};
  const answer = await post(path, body);
  expect([200, 400, 402]).toContain(answer.http);
  if (answer.subscription_renewal_id) {
    const renewal = await get(`/subscription_renewals/${answer.subscription_renewal_id}`);
    holds(renewal);
    holds(await get(`/transactions/${renewal.transactions[0]}`));
    await post(`/subscription_renewals/${renewal.id}/refund`, { amount });
    holds(await get(`/subscription_renewals/${renewal.id}`));
  }
}

describe('amount relations (service.md#payments)', () => {
  it('hold for everything that is seeded', async () => {
    const now = Math.floor(Date.now() / 1000);
    for (const family of [
      'sales',
      'subscription_renewals',
      'trials',
      'transactions',
      'product_sales',
      'tax',
      'shipping',
    ]) {
      for (let page = 1; page <= 8; page++) {
        const body = await get(`/${family}?date_start=${now - 80 * 86_400}&date_end=${now}&limit=25&page=${page}`);
        for (const item of body.results) holds(item);
      }
    }
  });

  it('hold after every operation', { timeout: 60_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...CARDS),
        fc.array(fc.record({ product: fc.nat(5), quantity: fc.integer({ min: 1, max: 4 }) }), {
          minLength: 1,
          maxLength: 3,
        }),
        fc.integer({ min: 0, max: 999 }),
        fc.integer({ min: 0, max: 500 }),
        steps,
        async (card, lines, tax, discount, operations) => {
          const made = await post('/sales', {
            campaign: setUp.campaign,
            payment_profile: setUp.profile,
            credit_card: { card_number: card, exp_month: 1, exp_year: 30, card_code: '123' },
            customer: { first_name: 'A', last_name: 'B', email: `${Math.random()}@example.com` },
            products: lines.map(({ product, quantity }) => ({ id: setUp.products[product], quantity })),
            tax_amount: tax / 100,
            discount_amount: discount / 100,
          });
          if (made.http !== 200) {
            expect(made.http).toBe(402);
            return;
          }
          await checkSale(made.sale_id);
          for (const step of operations) {
            await take(step, await get(`/sales/${made.sale_id}`));
            await checkSale(made.sale_id);
          }
        },
      ),
      { numRuns: 25 },
    );
  });
});
