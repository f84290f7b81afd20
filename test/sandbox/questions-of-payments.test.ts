/** @module-tag thorough */
import { describe } from 'vitest';
import { ask, DECLINED, type Merchant, pick, type Question } from './merchant.js';
import type { Json } from './service.js';

/*
 * Questions about payments, disputes and coupons, each with the answer that the published pages give (the section or page that says it stands
 * behind the question). The answers were written before the sandbox was asked.
 */

const PAYMENTS: Question[] = [
  [
    'a sale by wallet without the transaction of the brand?',
    '400 code 0',
    async (m) => m.says('/sales', m.order([{ id: await m.product() }], { payment_type: 'wallet' })),
  ],
  [
    'is a wallet payment a transaction, and what is its type? (cards only; 2.9)',
    { transactions: [], wallet: 1, type: 'ALkMK9pqgzfvgrqjlMVL' },
    async (m) => {
      const sale = await m.sold({ payment_type: 'wallet', wallet_transaction_id: 'W1' });
      const { payment_type: type, transactions, wallet_transactions: wallet } = sale;
      return { transactions, wallet: wallet.length, type: type.id };
    },
  ],
  [
    'does the void of a sale reach what was paid by check and offline?',
    [20, 20],
    async (m) => {
      const check = await m.sold({ payment_type: 'check_direct' });
      const offline = await m.sold({ payment_type: 'offline_payment' });
      for (const { id } of [check, offline]) await m.done(`/sales/${id}/void`);
      return [
        (await m.get(`/check_directs/${check.check_directs[0]}`)).amount_refunded,
        (await m.get(`/offline_payments/${offline.offline_payments[0]}`)).amount_refunded,
      ];
    },
  ],
  [
    'which codes have the four failures of a card? (7.2)',
    ['402 code 2', '402 code 3', '402 code 4', '402 code 5'],
    async (m) => {
      const answers = [];
      for (const number of [DECLINED, '4000000000000119', '4000000000003220', '4100000000000019'])
        answers.push(await m.says('/sales', m.order([{ id: await m.product() }], { credit_card: m.card(number) })));
      return answers;
    },
  ],
  [
    'what does a declined sale leave? (a failed sale that was paid nothing, no line, no subscription)',
    {
      status: 'failed',
      failed_reason: 'declined',
      amount_captured: 0,
      product_sales: [],
      subscriptions: [],
      shipping: [],
    },
    async (m) => {
      const subscription_profile = await m.profile();
      const id = await m.product({ subscription_profile, is_shippable: true });
      await m.post('/sales', m.order([{ id }], { credit_card: m.card(DECLINED) }));
      const sale = m.all('sales').at(-1) as Json;
      return pick(sale, 'status', 'failed_reason', 'amount_captured', 'product_sales', 'subscriptions', 'shipping');
    },
  ],
  [
    'a payment profile that does not exist? (E0037)',
    'E0037',
    async (m) => {
      const body = m.order([{ id: await m.product() }], { payment_profile: 'A'.repeat(20) });
      return (await m.post('/sales', body)).body.error_code;
    },
  ],
  [
    'does the price of the moment count, or a later one, for a sale that is made? (nothing is charged again)',
    10,
    async (m) => {
      const id = await m.product();
      const sale = await m.sold({}, [{ id }]);
      await m.done(`/products/${id}`, { price: 99 });
      return (await m.get(`/sales/${sale.id}`)).amount_total;
    },
  ],
  [
    'does a sale price that is only shown change what is charged? (2.2)',
    10,
    async (m) => {
      const id = await m.product({ is_price_sale: true, price_sale: 1, msrp: 50 });
      return (await m.sold({}, [{ id }])).amount_captured;
    },
  ],
  [
    'does an estimate make a sale or take money?',
    { sales: 0, transactions: 0, status: 200 },
    async (m) => {
      const body = m.order([{ id: await m.product() }]);
      const count = () => [m.all('sales').length, m.all('transactions').length] as const;
      const [sales, transactions] = count();
      const { status } = await m.post('/sales/estimate', body);
      return { sales: count()[0] - sales, transactions: count()[1] - transactions, status };
    },
  ],
  [
    'is a pending sale charged when it is made, edited, processed?',
    [0, 0, 10],
    async (m) => {
      const { sale_id: id } = await m.done('/sales/pending', m.order([{ id: await m.product() }]));
      const captured = async () => (await m.get(`/sales/${id}`)).amount_captured;
      const found = [await captured()];
      await m.done(`/sales/pending/${id}`, { internal_id: 'X-1' });
      found.push(await captured());
      await m.done(`/sales/pending/${id}/process`, {
        payment_profile: m.all('payment_profiles')[0]?.id,
        credit_card: m.card(),
      });
      return [...found, await captured()];
    },
  ],
  [
    'what does the void of a pending sale give back? (nothing: it is cancelled)',
    { pending_refund: [], captured: 0 },
    async (m) => {
      const { sale_id: id } = await m.done('/sales/pending', m.order([{ id: await m.product() }]));
      const { pending_refund } = await m.done(`/sales/${id}/void`);
      return { pending_refund: pending_refund ?? [], captured: (await m.get(`/sales/${id}`)).amount_captured };
    },
  ],
  [
    'an invoice: its state when made, when its sale is paid, when that is voided?',
    ['unpaid', 'paid', 'void'],
    async (m) => {
      const made = await m.done('/invoices', m.order([{ id: await m.product() }]));
      const state = async () => (await m.get(`/invoices/${made.invoice_id}`)).status;
      const found = [await state()];
      const paid = { payment_profile: m.all('payment_profiles')[0]?.id, credit_card: m.card() };
      await m.done(`/sales/pending/${made.sale_id}/process`, paid);
      found.push(await state());
      await m.done(`/sales/${made.sale_id}/void`);
      return [...found, await state()];
    },
  ],
  [
    'does a chargeback move money on the charge? (it records a dispute)',
    { gross: 20, refunded: 0, representment: 'none' },
    async (m) => {
      const sale = await m.sold();
      const [transaction_id] = sale.transactions;
      const { chargeback_id } = await m.done('/chargebacks', { transaction_id, amount: 20 });
      const charge = await m.get(`/transactions/${transaction_id}`);
      const { representment } = await m.get(`/chargebacks/${chargeback_id}`);
      return { gross: charge.amount_gross, refunded: charge.amount_refunded, representment: representment.status };
    },
  ],
  [
    'a fraud detection with void_sale: what is refunded, and may the buyer buy again? (money rule 7)',
    { refunded: 20, status: 'voided', again: '402 code 5' },
    async (m) => {
      const sale = await m.sold();
      await m.done('/fraud_detections', { source_id: sale.id, void_sale: true });
      const after = await m.get(`/sales/${sale.id}`);
      const body = m.order([{ id: await m.product() }], { customer_id: sale.customer.id, customer: undefined });
      return { refunded: after.amount_refunded, status: after.status, again: await m.says('/sales', body) };
    },
  ],
  [
    'does a fraud alert move money? (a flag on the sale)',
    { on: true, off: false, refunded: 0, status: 'paid' },
    async (m) => {
      const { id } = await m.sold();
      await m.done(`/sales/${id}/add_fraud_alert`);
      const on = (await m.get(`/sales/${id}`)).fraud_alert;
      await m.done(`/sales/${id}/remove_fraud_alert`);
      const after = await m.get(`/sales/${id}`);
      return { on, off: after.fraud_alert, refunded: after.amount_refunded, status: after.status };
    },
  ],
];

const coupon = (m: Merchant, code: string, more: Json = {}) =>
  m.made('/coupons', { coupon_code: code, discount_type: 'percent', discount_value: 10, ...more });

const COUPONS: Question[] = [
  [
    'ten percent on 20.00 with shipping of 5.00: total, and what the discount says?',
    { original: 25, total: 23, discount: 2 },
    async (m) => {
      await coupon(m, 'TENPERCENT');
      const id = await m.product({ is_shippable: true });
      const sale = await m.sold({ coupon_code: 'TENPERCENT', shipping_amount: 5 }, [{ id, quantity: 2 }]);
      const { amount } = await m.get(`/discounts/${sale.discounts[0]}`);
      return { original: sale.amount_original_total, total: sale.amount_total, discount: amount };
    },
  ],
  [
    'a coupon of 30.00 on 20.00: total, and how often is the card charged?',
    { total: 0, captured: 0, charges: 0 },
    async (m) => {
      await coupon(m, 'THIRTY', { discount_type: 'amount', discount_value: 30 });
      const sale = await m.sold({ coupon_code: 'THIRTY' });
      return { total: sale.amount_total, captured: sale.amount_captured, charges: sale.transactions.length };
    },
  ],
  [
    'max_uses 2: the first, second and third sale?',
    ['200', '200', '400 code 0'],
    async (m) => {
      await coupon(m, 'TWICE', { max_uses: 2 });
      const answers = [];
      for (let turn = 0; turn < 3; turn++)
        answers.push(await m.says('/sales', m.order([{ id: await m.product() }], { coupon_code: 'TWICE' })));
      return answers;
    },
  ],
  [
    'is a use counted when the card is declined?',
    0,
    async (m) => {
      const id = await coupon(m, 'UNUSED');
      const body = m.order([{ id: await m.product() }], { coupon_code: 'UNUSED', credit_card: m.card(DECLINED) });
      await m.post('/sales', body);
      return (await m.get(`/coupons/${id}`)).num_use;
    },
  ],
  [
    'on a subscription of 20.00: what do two renewals come to with max_uses 1, and does its own amount change?',
    { renewals: [18, 20], amount: 20 },
    async (m) => {
      const subscription = await m.subscribed();
      const id = await coupon(m, 'LOWER', { max_uses: 1 });
      await m.done(`/subscriptions/${subscription}`, { coupon: [id] });
      const renewals = [await m.renewed(subscription), await m.renewed(subscription)].map((one) => one.amount_total);
      return { renewals, amount: (await m.subscription(subscription)).amount };
    },
  ],
  [
    'before its dates, after them, and disabled: may it be used?',
    ['400 code 0', '400 code 0', '400 code 0'],
    async (m) => {
      await coupon(m, 'SOON', { start_date: m.now + 86_400 });
      await coupon(m, 'LATE', { end_date: m.now - 86_400 });
      await coupon(m, 'OFF', { enabled: false });
      const answers = [];
      for (const coupon_code of ['SOON', 'LATE', 'OFF'])
        answers.push(await m.says('/sales', m.order([{ id: await m.product() }], { coupon_code })));
      return answers;
    },
  ],
  [
    'a code with a space, and one that any coupon had before?',
    ['400 code 0', '400 code 0'],
    async (m) => {
      await m.done(`/coupons/${await coupon(m, 'PAST')}/delete`);
      return [await m.says('/coupons', { coupon_code: 'A B' }), await m.says('/coupons', { coupon_code: 'PAST' })];
    },
  ],
];

describe('payments', () => ask(PAYMENTS));
describe('coupons', () => ask(COUPONS));
