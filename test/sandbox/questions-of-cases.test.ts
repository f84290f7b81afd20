/** @module-tag thorough */
import { describe } from 'vitest';
import { ask, DECLINED, dayOf, type Merchant, type Question } from './merchant.js';
import type { Json } from './service.js';

/*
 * Questions about the cases between: what happens to money and states where two rules meet. The answers were written
 * from the published pages before the sandbox was asked.
 */

const PARTIAL = '4000000000000341';

/** What a tax profile that computes takes of 20.00. */
const taxProfile = async (m: Merchant) => {
  const service = m.all('user_third_party_integrations').find(({ name }) => name === 'Tax service') as Json;
  return m.made('/tax_profiles', { name: m.name(), third_party_integration: service.id, enabled: true });
};

const CASES: Question[] = [
  [
    'two pieces in a subscription of 20.00 each: what does a renewal take?',
    40,
    async (m) => {
      const subscription_profile = await m.profile();
      const id = await m.product({ price_subscription: 20, subscription_profile });
      const [subscription] = (await m.sold({}, [{ id, quantity: 2 }])).subscriptions;
      return (await m.renewed(subscription)).amount_captured;
    },
  ],
  [
    'without price_subscription: what does a renewal take? (falls back to price)',
    10,
    async (m) => (await m.renewed(await m.subscribed({}, {}, { price_subscription: undefined }))).amount_captured,
  ],
  [
    'sold in euros: in what currency are the renewal, its charge and a refund of it?',
    ['EUR', 'EUR', 'EUR'],
    async (m) => {
      const renewal = await m.renewed(await m.subscribed({}, { iso_currency: 'EUR' }));
      const { pending_refund: ids } = await m.done(`/subscription_renewals/${renewal.id}/refund`);
      const paths = [`transactions/${renewal.transactions[0]}`, `pending_refunds/${ids[0]}`];
      return [
        renewal.iso_currency,
        ...(await Promise.all(paths.map(async (p) => (await m.get(`/${p}`)).iso_currency))),
      ];
    },
  ],
  [
    'does the void of a sale refund the renewals of its subscription? (its lines, shipping and tax)',
    { sale: 10, renewal: 0 },
    async (m) => {
      const renewal = await m.renewed(await m.subscribed());
      await m.done(`/sales/${renewal.sales[0]}/void`);
      return {
        sale: (await m.get(`/sales/${renewal.sales[0]}`)).amount_refunded,
        renewal: (await m.get(`/subscription_renewals/${renewal.id}`)).amount_refunded,
      };
    },
  ],
  [
    'half of a sale of 20.00 is declined: captured, remaining, salvage; and when it is void?',
    { captured: 10, remaining: 10, salvage: 10, refunded: 10, left: 0, process: '400 code 0' },
    async (m) => {
      const sale = await m.sold({ credit_card: m.card(PARTIAL) });
      const [salvage] = sale.salvage_transactions;
      const open = await m.get(`/salvage_transactions/${salvage}`);
      await m.done(`/sales/${sale.id}/void`);
      const after = await m.get(`/sales/${sale.id}`);
      return {
        captured: sale.amount_captured,
        remaining: sale.amount_remaining,
        salvage: open.amount_remaining,
        refunded: after.amount_refunded,
        left: after.amount_remaining,
        process: await m.says(`/salvage_transactions/${salvage}/process`, { payment: { credit_card: m.card() } }),
      };
    },
  ],
  [
    'may a declined charge be refunded?',
    '400 code 0',
    async (m) => {
      const body = m.order([{ id: await m.product() }], { credit_card: m.card(DECLINED) });
      await m.post('/sales', body);
      return m.says(`/transactions/${m.all('transactions').at(-1)?.id}/refund`);
    },
  ],
  [
    'a bare charge of a sale is refunded in part, then the sale is void: how much in all?',
    { all: 20, gross: 0 },
    async (m) => {
      const sale = await m.sold();
      await m.done(`/transactions/${sale.transactions[0]}/refund`, { amount: 4 });
      await m.done(`/sales/${sale.id}/void`);
      const { amount_gross: gross } = await m.get(`/transactions/${sale.transactions[0]}`);
      return { all: (await m.get(`/sales/${sale.id}`)).amount_refunded, gross };
    },
  ],
  [
    'the whole sale is refunded by its lines: may its charge be refunded once more?',
    '400 code 0',
    async (m) => {
      const sale = await m.sold();
      await m.done(`/product_sales/${sale.product_sales[0]}/refund`);
      return m.says(`/transactions/${sale.transactions[0]}/refund`, { amount: 0.01 });
    },
  ],
  [
    'the same key twice on a refund and on a sale: how many of each? (7.4)',
    { refund: 'E0583', refunded: 5, sale: 'E0583', sales: 1 },
    async (m) => {
      const sale = await m.sold();
      const path = `/product_sales/${sale.product_sales[0]}/refund`;
      const key = { amount: 5, idempotency_key: 'key-of-a-refund' };
      await m.done(path, key);
      const refund = (await m.post(path, key)).body.error_code;
      const before = m.all('sales').length;
      const body = m.order([{ id: await m.product() }], { idempotency_key: 'key-of-a-sale' });
      await m.done('/sales', body);
      const again = (await m.post('/sales', body)).body.error_code;
      const { amount_refunded: refunded } = await m.get(`/sales/${sale.id}`);
      return { refund, refunded, sale: again, sales: m.all('sales').length - before };
    },
  ],
  [
    'is a key used up by a sale that was declined? (7.4)',
    'E0583',
    async (m) => {
      const body = m.order([{ id: await m.product() }], { idempotency_key: 'key-of-a-decline' });
      await m.post('/sales', { ...body, credit_card: m.card(DECLINED) });
      return (await m.post('/sales', body)).body.error_code;
    },
  ],
  [
    'a trial that costs nothing at its end: outcome and charges?',
    { outcome: 'success', charges: 0, next: '2026-03-14' },
    async (m) => {
      const { trial, subscription } = await m.tried({ price_trial: 0 });
      await m.pass(15);
      const after = await m.get(`/trials/${trial}`);
      const { next_renewal_date_unix: next } = (await m.subscription(subscription)).billing;
      return { outcome: after.expired_result, charges: after.transactions.length, next: dayOf(next) };
    },
  ],
  [
    'is the end of a trial a renewal of its subscription? (it counts no occurrence)',
    { count: 0, renewals: 0, status: 'active' },
    async (m) => {
      const { subscription } = await m.tried();
      await m.pass(15);
      const { renewal_count: count, subscription_renewals: renewals, status } = await m.subscription(subscription);
      return { count, renewals: renewals.length, status };
    },
  ],
  [
    'a product that is disabled: may it be bought, and does its subscription renew?',
    { sale: '400 code 0' },
    async (m) => {
      const id = await m.product({ enabled: false });
      return { sale: await m.says('/sales', m.order([{ id }])) };
    },
  ],
  [
    'the default card is disabled: is it tried, or the other one?',
    { captured: 20, card: true },
    async (m) => {
      const id = await m.subscribed();
      const { customer } = await m.subscription(id);
      const path = `/customers/${customer.id}/payment_methods`;
      const added = await m.done(path, { payment: { credit_card: m.card('5555555555554444') } });
      const cards = (await m.get(path)).results ?? [];
      const first = m
        .all('customer_cards')
        .find((card) => card.customer_id === customer.id && card.id !== added.customer_card_id);
      await m.done(`${path}/${first?.id}/disable`);
      const renewal = await m.renewed(id);
      const charge = await m.get(`/transactions/${renewal.transactions[0]}`);
      return {
        captured: renewal.amount_captured,
        card: charge.customer_card.id === added.customer_card_id && cards !== null,
      };
    },
  ],
  [
    'one renewal is overdue and the next one succeeds: states, and does the first remain to be collected?',
    { status: 'active', is_overdue: false, remaining: 20 },
    async (m) => {
      const id = await m.subscribed({ overdue_limit: 3 });
      await m.payWith(id, DECLINED);
      await m.pass(30);
      await m.payWith(id, '4111111111111111');
      await m.pass(31);
      const after = await m.subscription(id);
      const [first] = after.subscription_renewals;
      const { amount_remaining: remaining } = await m.get(`/subscription_renewals/${first}`);
      return { status: after.status, is_overdue: after.is_overdue, remaining };
    },
  ],
  [
    'the next renewal date is edited to the 15th: on which days does it renew?',
    ['2026-02-15', '2026-03-15'],
    async (m) => {
      const id = await m.subscribed();
      await m.done(`/subscriptions/${id}`, { next_renewal_date: '2026-02-15T10:00:00Z' });
      await m.pass(50);
      const { subscription_renewals: ids } = await m.subscription(id);
      const renewals = await Promise.all(ids.map((one: string) => m.get(`/subscription_renewals/${one}`)));
      return renewals.map((one) => dayOf(one.created_date_unix));
    },
  ],
  [
    'coupons are taken off a subscription by an empty list: what does the next renewal take?',
    [15, 20],
    async (m) => {
      const id = await m.subscribed();
      const coupon = await m.made('/coupons', { coupon_code: 'FIVE', discount_type: 'amount', discount_value: 5 });
      await m.done(`/subscriptions/${id}`, { coupon: [coupon] });
      const first = await m.renewed(id);
      await m.done(`/subscriptions/${id}`, { coupon: [] });
      return [first.amount_total, (await m.renewed(id)).amount_total];
    },
  ],
  [
    'a coupon takes all of a renewal: is the card asked, and is it renewed?',
    { captured: 0, charges: 0, count: 1, is_overdue: false },
    async (m) => {
      const id = await m.subscribed();
      await m.payWith(id, DECLINED);
      const coupon = await m.made('/coupons', { coupon_code: 'ALL', discount_type: 'percent', discount_value: 100 });
      await m.done(`/subscriptions/${id}`, { coupon: [coupon] });
      const renewal = await m.renewed(id);
      const { renewal_count: count, is_overdue } = await m.subscription(id);
      return { captured: renewal.amount_captured, charges: renewal.transactions.length, count, is_overdue };
    },
  ],
  [
    'with a tax profile: is the tax on the discounted price, and has a renewal its own tax?',
    { sale: true, renewal: true },
    async (m) => {
      await taxProfile(m);
      const plain = await m.sold();
      const less = await m.sold({ discount_amount: 10 });
      const renewal = await m.renewed(await m.subscribed());
      const [whole, half] = [plain, less].map(({ amount_total: total }) => total) as [number, number];
      const tax = await m.get(`/tax/${renewal.tax[0]}`);
      return {
        sale: whole > 20 && Math.abs((whole - 20) / 2 - (half - 10)) < 0.011,
        renewal: Math.round(100 * (tax.amount + 20)) === Math.round(100 * renewal.amount_total),
      };
    },
  ],
  [
    'prefer_gateway with max 1: is the payment profile asked again at the second renewal? (2.3)',
    [true, false],
    async (m) => {
      const [main, backup] = m.all('user_gateways').map(({ id }) => id as string);
      const flow = (id: string | undefined) => [
        {
          id: 'a',
          type: 'start_payment_request',
          outputs: { output_1: { connections: [{ node: 'b', output: 'input_1' }] } },
        },
        { id: 'b', type: 'action_choose_gateway', settings: { user_gateway: [id] } },
      ];
      const routed = (id: string | undefined) =>
        m.made('/payment_profiles', { name: m.name(), payment_flow: flow(id) });
      const prefer_gateway = { enabled: true, lock_gateway: false, max: 1 };
      const profile = { payment_profile: await routed(backup), prefer_gateway };
      const id = await m.subscribed(profile, { payment_profile: await routed(main) });
      const used = [];
      for (let turn = 0; turn < 2; turn++) {
        const renewal = await m.renewed(id);
        used.push((await m.get(`/transactions/${renewal.transactions[0]}`)).gateway_id === main);
      }
      return used;
    },
  ],
  [
    'is the shipment of a sale that is void taken back, and its charge with it?',
    { refunded: 5, total: 0 },
    async (m) => {
      const id = await m.product({ is_shippable: true });
      const sale = await m.sold({ shipping_amount: 5 }, [{ id }]);
      await m.done(`/sales/${sale.id}/void`);
      const { amount_refunded: refunded, amount_total: total } = await m.get(`/shipping/${sale.shipping[0]}`);
      return { refunded, total };
    },
  ],
  [
    'three lines of 3.33 with ten percent off: do lines and discount add up to the cent? (2.4)',
    { lines: 899, total: 899, discount: 100 },
    async (m) => {
      const ids = [
        await m.product({ price: 3.33 }),
        await m.product({ price: 3.33 }),
        await m.product({ price: 3.33 }),
      ];
      await m.made('/coupons', { coupon_code: 'TEN', discount_type: 'percent', discount_value: 10 });
      const sale = await m.sold(
        { coupon_code: 'TEN' },
        ids.map((id) => ({ id })),
      );
      const cents = (value: unknown) => Math.round(Number(value) * 100);
      const lines = await Promise.all(sale.product_sales.map((id: string) => m.get(`/product_sales/${id}`)));
      const { amount } = await m.get(`/discounts/${sale.discounts[0]}`);
      return {
        lines: lines.reduce((sum, line) => sum + cents(line.amount_total), 0),
        total: cents(sale.amount_total),
        discount: cents(amount),
      };
    },
  ],
  [
    'is the representment of a chargeback set by edits, step by step?',
    ['initiated', 'completed', 'won'],
    async (m) => {
      const { transactions } = await m.sold();
      const id = await m.made('/chargebacks', { transaction_id: transactions[0], amount: 20 });
      await m.done(`/chargebacks/${id}`, { representment: { status: 'initiated' } });
      const first = (await m.get(`/chargebacks/${id}`)).representment.status;
      await m.done(`/chargebacks/${id}`, { representment: { status: 'completed', outcome: 'won' } });
      const { representment } = await m.get(`/chargebacks/${id}`);
      return [first, representment.status, representment.outcome];
    },
  ],
];

describe('cases between two rules', () => ask(CASES));
