/** @module-tag thorough */
import { describe } from 'vitest';
import { ask, pick, type Question } from './merchant.js';

/*
 * Questions about refunds and voids, each with the answer that the published pages give (the section or page that says it stands
 * behind the question). The answers were written before the sandbox was asked.
 */

const cents = (value: unknown) => Math.round(Number(value) * 100);

const REFUNDS: Question[] = [
  [
    'a line of 2 x 10.00 is refunded without an amount: how much comes back? (money rule 1)',
    { amount: 20, sale: 20, total: 0 },
    async (m) => {
      const sale = await m.sold();
      const { amount } = await m.done(`/product_sales/${sale.product_sales[0]}/refund`);
      const after = await m.get(`/sales/${sale.id}`);
      return { amount, sale: after.amount_refunded, total: after.amount_total };
    },
  ],
  [
    'and once more, when nothing is left?',
    '400 code 0',
    async (m) => {
      const path = `/product_sales/${(await m.sold()).product_sales[0]}/refund`;
      await m.done(path);
      return m.says(path);
    },
  ],
  [
    'what do 7.50 of 20.00 leave on the line? (2.4, relations 1 and 2)',
    { amount_original_total: 20, amount_refunded: 7.5, amount_total: 12.5, amount_gross: 12.5, amount_captured: 20 },
    async (m) => {
      const [line] = (await m.sold()).product_sales;
      await m.done(`/product_sales/${line}/refund`, { amount: 7.5 });
      const names = ['amount_original_total', 'amount_refunded', 'amount_total', 'amount_gross', 'amount_captured'];
      return pick(await m.get(`/product_sales/${line}`), ...names);
    },
  ],
  [
    'is net what gross is less fees, and are fees the same share of gross before and after? (2.4, relations 3 and 4)',
    { net: true, share: true },
    async (m) => {
      const [line] = (await m.sold({}, [{ id: await m.product({ price: 1000 }) }])).product_sales;
      const before = await m.get(`/product_sales/${line}`);
      await m.done(`/product_sales/${line}/refund`, { amount: 500 });
      const after = await m.get(`/product_sales/${line}`);
      const net = [before, after].every(
        (one) => cents(one.amount_net) === cents(one.amount_gross) - cents(one.amount_fees),
      );
      return { net, share: cents(before.amount_fees) === 2 * cents(after.amount_fees) };
    },
  ],
  [
    'a part that is above what is left, zero, below zero, or no whole cents?',
    ['400 code 0', '400 code 0', '400 code 0', '400 code 0'],
    async (m) => {
      const path = `/product_sales/${(await m.sold()).product_sales[0]}/refund`;
      const answers = [];
      for (const amount of [20.01, 0, -1, 0.005]) answers.push(await m.says(path, { amount }));
      return answers;
    },
  ],
  [
    'parts of 7.50 and 12.50: which pending refunds, and what do they come to? (money rule 4)',
    { amounts: [7.5, 12.5], full: [false, false], left: 0 },
    async (m) => {
      const sale = await m.sold();
      const path = `/product_sales/${sale.product_sales[0]}/refund`;
      const ids = [];
      for (const amount of [7.5, 12.5]) ids.push(...(await m.done(path, { amount })).pending_refund);
      const pending = await Promise.all(ids.map((id: string) => m.get(`/pending_refunds/${id}`)));
      const { amount_gross: left } = await m.get(`/transactions/${sale.transactions[0]}`);
      return { amounts: pending.map(({ amount }) => amount), full: pending.map(({ full }) => full), left };
    },
  ],
  [
    'when a shipment of 5.00 is refunded, what of the line and of the sale? (narrowest refund)',
    { shipment: 5, line: 0, sale: 5, total: 20 },
    async (m) => {
      const id = await m.product({ is_shippable: true });
      const sale = await m.sold({ shipping_amount: 5 }, [{ id, quantity: 2 }]);
      await m.done(`/shipping/${sale.shipping[0]}/refund`);
      const of = async (path: string) => (await m.get(path)).amount_refunded;
      return {
        shipment: await of(`/shipping/${sale.shipping[0]}`),
        line: await of(`/product_sales/${sale.product_sales[0]}`),
        sale: await of(`/sales/${sale.id}`),
        total: (await m.get(`/sales/${sale.id}`)).amount_total,
      };
    },
  ],
  [
    'what does the refund of a tax of 3.00 answer? (amount, tax_id, pending_refund)',
    { amount: 3, names: true, pending: 1 },
    async (m) => {
      const sale = await m.sold({ tax_amount: 3 });
      const answer = await m.done(`/tax/${sale.tax[0]}/refund`);
      return { amount: answer.amount, names: answer.tax_id === sale.tax[0], pending: answer.pending_refund.length };
    },
  ],
  [
    'does a refund of the tax take more than the tax?',
    '400 code 0',
    async (m) => m.says(`/tax/${(await m.sold({ tax_amount: 3 })).tax[0]}/refund`, { amount: 3.01 }),
  ],
  [
    'is 5.00 of a renewal of 20.00 booked on it and its charge, and not on the first sale?',
    { renewal: 15, charge: 15, sale: 0 },
    async (m) => {
      const renewal = await m.renewed(await m.subscribed());
      await m.done(`/subscription_renewals/${renewal.id}/refund`, { amount: 5 });
      return {
        renewal: (await m.get(`/subscription_renewals/${renewal.id}`)).amount_total,
        charge: (await m.get(`/transactions/${renewal.transactions[0]}`)).amount_gross,
        sale: (await m.get(`/sales/${renewal.sales[0]}`)).amount_refunded,
      };
    },
  ],
  [
    'does the renewal refund know refunded_offsite? (money rule 2: not on the renewal)',
    '400 code 0',
    async (m) => {
      const renewal = await m.renewed(await m.subscribed());
      return m.says(`/subscription_renewals/${renewal.id}/refund`, { refunded_offsite: true });
    },
  ],
  [
    'is what was given back elsewhere booked on the line, the sale and the charge? (refunded_offsite)',
    [20, 20, 20],
    async (m) => {
      const sale = await m.sold();
      await m.done(`/product_sales/${sale.product_sales[0]}/refund`, { refunded_offsite: true });
      const paths = [
        `product_sales/${sale.product_sales[0]}`,
        `sales/${sale.id}`,
        `transactions/${sale.transactions[0]}`,
      ];
      return Promise.all(paths.map(async (path) => (await m.get(`/${path}`)).amount_refunded));
    },
  ],
  [
    'is a pending refund still pending 71 hours after the charge, and processed by itself later? (72 hours)',
    ['pending', 'processed'],
    async (m) => {
      const sale = await m.sold();
      const { pending_refund: ids } = await m.done(`/product_sales/${sale.product_sales[0]}/refund`);
      await m.pass(71 / 24);
      const early = (await m.get(`/pending_refunds/${ids[0]}`)).status;
      await m.pass(1);
      return [early, (await m.get(`/pending_refunds/${ids[0]}`)).status];
    },
  ],
  [
    'after 7.50 of it were refunded, how much does the void of a sale of 20.00 refund? (money rule 6)',
    { void: 12.5, all: 20, status: 'voided' },
    async (m) => {
      const sale = await m.sold();
      await m.done(`/product_sales/${sale.product_sales[0]}/refund`, { amount: 7.5 });
      const { pending_refund: ids } = await m.done(`/sales/${sale.id}/void`);
      const refunds = await Promise.all(ids.map((id: string) => m.get(`/pending_refunds/${id}`)));
      const after = await m.get(`/sales/${sale.id}`);
      const sum = refunds.reduce((total, { amount }) => total + amount, 0);
      return { void: sum, all: after.amount_refunded, status: after.status };
    },
  ],
  [
    'can a void be void again, or a line of it refunded? (no way back)',
    ['400 code 0', '400 code 0'],
    async (m) => {
      const sale = await m.sold();
      await m.done(`/sales/${sale.id}/void`);
      return [await m.says(`/sales/${sale.id}/void`), await m.says(`/product_sales/${sale.product_sales[0]}/refund`)];
    },
  ],
  [
    'what does the void of a sale with shipment and tax refund? (all lines, shipping and tax in full)',
    { refunded: 28, total: 0, gross: 0 },
    async (m) => {
      const id = await m.product({ is_shippable: true });
      const sale = await m.sold({ shipping_amount: 5, tax_amount: 3 }, [{ id, quantity: 2 }]);
      await m.done(`/sales/${sale.id}/void`);
      const after = await m.get(`/sales/${sale.id}`);
      return { refunded: after.amount_refunded, total: after.amount_total, gross: after.amount_gross };
    },
  ],
  [
    'has an offline payment a refund of its own? (4.2)',
    '404 code 0',
    async (m) => {
      const sale = await m.sold({ payment_type: 'offline_payment' });
      return m.says(`/offline_payments/${sale.offline_payments[0]}/refund`);
    },
  ],
];

describe('refunds', () => ask(REFUNDS));
