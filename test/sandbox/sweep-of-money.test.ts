/** @module-tag thorough */
import { describe } from 'vitest';
import { askTogether, DECLINED, type Merchant, pick, type Question } from './merchant.js';
import type { Json } from './service.js';

/* Sentences of the published description about amounts, refunds and discounts; the answers were written before the sandbox was asked. */

const cents = (value: unknown) => Math.round(Number(value) * 100);

const said = async (m: Merchant, path: string, steps: readonly (readonly [string, Json?])[]) => {
  const found = [];
  for (const [word, body] of steps) found.push(await m.status(`POST ${path}/${word}`, body));
  return found;
};

/** Relations 1 to 3 of amounts (2.4), and rule 2 and 3 of refunds. */
const relations = (item: Json) => ({
  total: cents(item.amount_total) - (cents(item.amount_original_total) - cents(item.amount_refunded)),
  net: cents(item.amount_net) - (cents(item.amount_gross) - cents(item.amount_fees)),
});

const MONEY: Question[] = [
  ...([0, 5, 20] as const).map(
    (amount): Question => [
      `a renewal of 20.00 of which ${amount} is refunded: relations 1 to 3 (2.4)`,
      { total: 0, net: 0, gross: 20 - amount },
      async (m) => {
        const { id } = await m.renewed(await m.subscribed());
        if (amount > 0) await m.done(`/subscription_renewals/${id}/refund`, { amount });
        const after = await m.get(`/subscription_renewals/${id}`);
        return { ...relations(after), gross: after.amount_gross };
      },
    ],
  ),
  [
    'refunds of a line of 20.00: 12, 8.01, 8, 0.01, 0, -1',
    [200, 400, 200, 400, 400, 400],
    async (m) => {
      const { product_sales: lines } = await m.sold();
      const found = [];
      for (const amount of [12, 8.01, 8, 0.01, 0, -1])
        found.push(await m.status(`POST /product_sales/${lines[0]}/refund`, { amount }));
      return found;
    },
  ],
  [
    'refunded_offsite: is it booked, and is a renewal to take it? (money rule 2)',
    [20, 400],
    async (m) => {
      const sale = await m.sold();
      await m.done(`/product_sales/${sale.product_sales[0]}/refund`, { refunded_offsite: true });
      const renewal = await m.renewed(await m.subscribed());
      return [
        (await m.get(`/sales/${sale.id}`)).amount_refunded,
        await m.status(`POST /subscription_renewals/${renewal.id}/refund`, { refunded_offsite: true }),
      ];
    },
  ],
  [
    'an offline payment: refunded by its line (4.2), and is there a refund of its own?',
    [20, 404],
    async (m) => {
      const sale = await m.sold({ payment_type: 'offline_payment', credit_card: undefined });
      await m.done(`/product_sales/${sale.product_sales[0]}/refund`);
      return [
        (await m.get(`/sales/${sale.id}`)).amount_refunded,
        await m.status(`POST /offline_payments/${sale.offline_payments[0]}/refund`),
      ];
    },
  ],
  [
    'refunds of a shipment and of a tax: the fields of their answers',
    [
      ['pending_refund', 'result', 'shipping_id'],
      ['amount', 'pending_refund', 'result', 'tax_id'],
    ],
    async (m) => {
      const sale = await m.sold({ shipping_amount: 5, tax_amount: 2 }, [
        { id: await m.product({ is_shippable: true }) },
      ]);
      const own = (answer: Json) =>
        Object.keys(answer)
          .filter((name) => !/^(api_call_|code$)/.test(name))
          .sort();
      return [
        own(await m.done(`/shipping/${sale.shipping[0]}/refund`)),
        own(await m.done(`/tax/${sale.tax[0]}/refund`)),
      ];
    },
  ],
  [
    'a void of a sale with shipping and tax: what is refunded of each (money rule 6)',
    [27, 5, 2, 3],
    async (m) => {
      const sale = await m.sold({ shipping_amount: 5, tax_amount: 2 }, [
        { id: await m.product({ is_shippable: true }), quantity: 2 },
      ]);
      const answer = await m.done(`/sales/${sale.id}/void`);
      const refunded = async (path: string) => (await m.get(path)).amount_refunded;
      return [
        await refunded(`/sales/${sale.id}`),
        await refunded(`/shipping/${sale.shipping[0]}`),
        await refunded(`/tax/${sale.tax[0]}`),
        answer.pending_refund.length,
      ];
    },
  ],
  [
    'a pending refund: cancelled, disabled, deleted (money rule 5)',
    [404, 404, 404],
    async (m) => {
      const { product_sales: lines } = await m.sold();
      const { pending_refund: ids } = await m.done(`/product_sales/${lines[0]}/refund`);
      return said(m, `/pending_refunds/${ids[0]}`, [['cancel'], ['disable'], ['delete']]);
    },
  ],
  [
    'a coupon of 10 percent on 20.00: total, discount, charge',
    { amount_original_total: 20, amount_total: 18, amount_captured: 18 },
    async (m) => {
      await m.made('/coupons', { coupon_code: 'TENOFF', discount_type: 'percent', discount_value: 10 });
      const sale = await m.sold({ coupon_code: 'TENOFF' });
      return pick(sale, 'amount_original_total', 'amount_total', 'amount_captured');
    },
  ],
  [
    'a declined sale: is anything left to pay out, and is a customer charged later?',
    [402, 0],
    async (m) => {
      const { status } = await m.post(
        '/sales',
        m.order([{ id: await m.product() }], { credit_card: m.card(DECLINED) }),
      );
      const charge = m.all('transactions').at(-1) as Json;
      return [status, charge.amount_captured];
    },
  ],
  [
    'a renewal with the shipping profile of its subscription profile: the first rate, its rules ignored (4.7, 4)',
    27,
    async (m) => {
      const nowhere = { countries: [{ iso_code: 'ATA', enabled: true }] };
      const shipping_profile = await m.rates([
        [7, nowhere],
        [3, { countries: [{ iso_code: 'USA', enabled: true }] }],
      ]);
      return (await m.renewed(await m.subscribed({ shipping_profile }, {}, { is_shippable: true }))).amount_captured;
    },
  ],
  [
    'two lines of 10.00 and 3.50, three of the second: the sale and its lines',
    [20.5, [10, 10.5]],
    async (m) => {
      const [one, other] = [await m.product(), await m.product({ price: 3.5 })];
      const sale = await m.sold({}, [{ id: one }, { id: other, quantity: 3 }]);
      const lines = await Promise.all(sale.product_sales.map((id: string) => m.get(`/product_sales/${id}`)));
      return [sale.amount_total, lines.map(({ amount_total: total }) => total)];
    },
  ],
];

describe('money', () => askTogether(MONEY));
