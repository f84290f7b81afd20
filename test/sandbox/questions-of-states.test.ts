/** @module-tag thorough */
import { describe } from 'vitest';
import { askTogether, customer, DECLINED, NONE, type Question, range, text } from './merchant.js';
import type { Json } from './service.js';

/*
 * Questions made of the sentences of the published page, section by section; the answers were written from the page
 * before the sandbox was asked.
 */

const MONEY: Question[] = [
  [
    "a decline: status, code, the gateway's own answer (7.2)",
    [402, 2, 'object', 'string'],
    async (m) => {
      const { status, body } = await m.post(
        '/sales',
        m.order([{ id: await m.product() }], { credit_card: m.card(DECLINED) }),
      );
      return [status, body.code, typeof body.gateway_raw_response, typeof body.message];
    },
  ],
  [
    'a payment profile that is none (7.3)',
    [400, 'E0037'],
    async (m) => {
      const { status, body } = await m.post('/sales', m.order([{ id: await m.product() }], { payment_profile: NONE }));
      return [status, body.error_code];
    },
  ],
  [
    'a declined sale resent with its key is not tried again (7.4)',
    ['402 code 2', '400 code 0'],
    async (m) => {
      const body = m.order([{ id: await m.product() }], { credit_card: m.card(DECLINED), idempotency_key: text(20) });
      return [await m.says('/sales', body), await m.says('/sales', { ...body, credit_card: m.card() })];
    },
  ],
  [
    'a key counts across operations (7.4)',
    ['200', 'E0583'],
    async (m) => {
      const idempotency_key = `${text(12)}across`;
      const first = await m.says('/projects', { name: m.name(), idempotency_key });
      return [first, (await m.post('/customer_groups', { name: m.name(), idempotency_key })).body.error_code];
    },
  ],
  [
    'keys of 9, 10, 255 and 256 characters (7.4)',
    ['400 code 0', '200', '200', '400 code 0'],
    async (m) => {
      const said: string[] = [];
      for (const length of [9, 10, 255, 256])
        said.push(await m.says('/projects', { name: m.name(), idempotency_key: `${length}`.padEnd(length, 'k') }));
      return said;
    },
  ],
  [
    'a key is free again after 24 hours (7.4)',
    ['200', '400 code 0', '200'],
    async (m) => {
      const body = () => ({ name: m.name(), idempotency_key: 'again-and-again' });
      const said = [await m.says('/projects', body()), await m.says('/projects', body())];
      await m.pass(1.01);
      return [...said, await m.says('/projects', body())];
    },
  ],
  [
    'relations of a sale with a discount and tax (2.4)',
    [true, true, true],
    async (m) => {
      const sale = await m.sold({ discount_amount: 3, tax_amount: 2 });
      const {
        amount_total,
        amount_original_total,
        amount_refunded,
        amount_gross,
        amount_net,
        amount_fees,
        amount_captured,
      } = sale;
      const near = (one: number, other: number) => Math.abs(one - other) < 0.005;
      return [
        near(amount_total, amount_original_total - (amount_refunded + 3)),
        near(amount_gross, amount_captured),
        near(amount_net, amount_gross - amount_fees),
      ];
    },
  ],
  [
    "fees are the gateway's share of the gross (2.4)",
    true,
    async (m) => {
      const sale = await m.sold();
      const { gateway_id } = await m.get(`/transactions/${sale.transactions[0]}`);
      const { processor_fee_percentage: share } = await m.get(`/user_gateways/${gateway_id}`);
      return Math.abs(sale.amount_fees - (sale.amount_gross * share) / 100) < 0.006;
    },
  ],
  [
    'an offline payment is not refunded on its own (4.2)',
    404,
    async (m) => {
      const { id } = m.all('offline_payments')[0] ?? { id: NONE };
      return m.status(`POST /offline_payments/${id}/refund`);
    },
  ],
  [
    'a cancelled subscription: activate, suspend, renew (3)',
    ['400 code 0', '400 code 0', '400 code 0'],
    async (m) => {
      const id = await m.subscribed();
      await m.done(`/subscriptions/${id}/cancel`);
      const said: string[] = [];
      for (const action of ['activate', 'suspend', 'renew']) said.push(await m.says(`/subscriptions/${id}/${action}`));
      return said;
    },
  ],
  [
    'a trial that is shortened, then extended, then cancelled (3)',
    ['200', '200', '200', '400 code 0'],
    async (m) => {
      const { trial } = await m.tried();
      const said = [
        await m.says(`/trials/${trial}/shorten`, { days: 3 }),
        await m.says(`/trials/${trial}/extend`, { days: 5 }),
      ];
      return [...said, await m.says(`/trials/${trial}/cancel`), await m.says(`/trials/${trial}/expire`)];
    },
  ],
  [
    'price_sale never changes what is charged (2.2)',
    20,
    async (m) => {
      const id = await m.product({
        price: 20,
        is_price_sale: true,
        price_sale: 5,
        is_discount: true,
        discount_rate: 50,
      });
      return (await m.sold({}, [{ id, quantity: 1 }])).amount_original_total;
    },
  ],
  ['payment types have fixed ids (2.9)', 'KnQ0KlNE6kf5mobyV0pN', async (m) => (await m.sold()).payment_type.id],
  [
    'live items are not seen with a test key (5.5)',
    true,
    async (m) => {
      const { results } = await m.get(`/sales?${range(m)}`);
      return results.every(({ live_mode }: Json) => live_mode === false);
    },
  ],
  [
    'a customer is made by a first sale (4.10)',
    true,
    async (m) => {
      const before = m.all('customers').length;
      await m.sold();
      return m.all('customers').length === before + 1;
    },
  ],
  [
    'a disabled customer is enabled again (3)',
    [false, true],
    async (m) => {
      const id = await m.made('/customers', customer(m));
      await m.done(`/customers/${id}/disable`);
      const off = (await m.get(`/customers/${id}`)).enabled;
      await m.done(`/customers/${id}/enable`);
      return [off, (await m.get(`/customers/${id}`)).enabled];
    },
  ],
];

describe('money, states, keys of idempotency (2.4, 3, 7)', () => askTogether(MONEY));
