/** @module-tag thorough */
import { describe } from 'vitest';
import { ask, DECLINED, dayOf, pick, type Question } from './merchant.js';

/*
 * Questions about subscriptions and trials, each with the answer that the published pages give (the section or page that says it stands
 * behind the question). The answers were written before the sandbox was asked.
 */

const SUBSCRIPTIONS: Question[] = [
  [
    'how many renewals in three suspended months?',
    0,
    async (m) => {
      const id = await m.subscribed();
      await m.done(`/subscriptions/${id}/suspend`);
      await m.pass(95);
      return (await m.subscription(id)).subscription_renewals.length;
    },
  ],
  [
    'may an active one be activated, a cancelled one cancelled, activated, renewed?',
    ['400 code 0', '400 code 0', '400 code 0', '400 code 0'],
    async (m) => {
      const id = await m.subscribed();
      const answers = [await m.says(`/subscriptions/${id}/activate`)];
      await m.done(`/subscriptions/${id}/cancel`);
      for (const word of ['cancel', 'activate', 'renew']) answers.push(await m.says(`/subscriptions/${id}/${word}`));
      return answers;
    },
  ],
  [
    'does cancelling refund anything? (money rule 8)',
    0,
    async (m) => {
      const id = await m.subscribed();
      const renewal = await m.renewed(id);
      await m.done(`/subscriptions/${id}/cancel`);
      return (await m.get(`/subscription_renewals/${renewal.id}`)).amount_refunded;
    },
  ],
  [
    'a renewal of 20.00 that is declined: subscription, renewal and what is left to collect? (2.4, relation 5)',
    { status: 'overdue', is_overdue: true, remaining: 20, captured: 0, salvage: 20 },
    async (m) => {
      const id = await m.subscribed();
      await m.payWith(id, DECLINED);
      await m.post(`/subscriptions/${id}/renew`);
      const after = await m.subscription(id);
      const renewal = await m.get(`/subscription_renewals/${after.subscription_renewals[0]}`);
      const salvage = await m.get(`/salvage_transactions/${after.salvage_transactions[0]}`);
      const { amount_remaining: remaining, amount_captured: captured } = renewal;
      return { ...pick(after, 'status', 'is_overdue'), remaining, captured, salvage: salvage.amount_remaining };
    },
  ],
  [
    'overdue_limit 1: the states after one, and after two declined renewals? (2.3)',
    ['overdue', 'suspended'],
    async (m) => {
      const id = await m.subscribed({ overdue_limit: 1 });
      await m.payWith(id, DECLINED);
      const found = [];
      for (let turn = 0; turn < 2; turn++) {
        await m.post(`/subscriptions/${id}/renew`);
        found.push((await m.subscription(id)).status);
      }
      return found;
    },
  ],
  [
    'its salvage is collected by another card: renewal, subscription, salvage?',
    { remaining: 0, captured: 20, status: 'active', is_overdue: false, left: 0, again: '400 code 0' },
    async (m) => {
      const id = await m.subscribed({ overdue_limit: 3 });
      await m.payWith(id, DECLINED);
      await m.post(`/subscriptions/${id}/renew`);
      const [salvage] = (await m.subscription(id)).salvage_transactions;
      const path = `/salvage_transactions/${salvage}`;
      await m.done(`${path}/process`, { payment: { credit_card: m.card() } });
      const after = await m.subscription(id);
      const renewal = await m.get(`/subscription_renewals/${after.subscription_renewals[0]}`);
      return {
        remaining: renewal.amount_remaining,
        captured: renewal.amount_captured,
        ...pick(after, 'status', 'is_overdue'),
        left: (await m.get(path)).amount_remaining,
        again: await m.says(`${path}/process`, { payment: { credit_card: m.card() } }),
      };
    },
  ],
  [
    'a salvage that is disabled: may it be processed, and what remains of the renewal?',
    { process: '400 code 0', remaining: 0 },
    async (m) => {
      const id = await m.subscribed({ overdue_limit: 3 });
      await m.payWith(id, DECLINED);
      await m.post(`/subscriptions/${id}/renew`);
      const { salvage_transactions: ids, subscription_renewals: renewals } = await m.subscription(id);
      await m.done(`/salvage_transactions/${ids[0]}/disable`);
      return {
        process: await m.says(`/salvage_transactions/${ids[0]}/process`),
        remaining: (await m.get(`/subscription_renewals/${renewals[0]}`)).amount_remaining,
      };
    },
  ],
  [
    'its amount is edited to 33.33: what does the next renewal take, and is it still active?',
    { captured: 33.33, status: 'active' },
    async (m) => {
      const id = await m.subscribed();
      await m.done(`/subscriptions/${id}`, { amount: 33.33 });
      const { amount_captured: captured } = await m.renewed(id);
      return { captured, status: (await m.subscription(id)).status };
    },
  ],
  [
    'lock_gateway, and the gateway of its sale is switched off: is another one used? (2.3)',
    { code: '402 code 3', status: 'overdue' },
    async (m) => {
      const prefer_gateway = { enabled: true, lock_gateway: true, max: 0 };
      const id = await m.subscribed({ prefer_gateway, overdue_limit: 3 });
      const [sale] = (await m.subscription(id)).sales;
      const [charge] = (await m.get(`/sales/${sale}`)).transactions;
      const { gateway_id: gateway } = await m.get(`/transactions/${charge}`);
      await m.done(`/user_gateways/${gateway}`, { enabled: false });
      const code = await m.says(`/subscriptions/${id}/renew`);
      await m.done(`/user_gateways/${gateway}`, { enabled: true });
      return { code, status: (await m.subscription(id)).status };
    },
  ],
  [
    'does the void of its sale cancel it, and does it ever renew again? (money rule 6)',
    { status: 'cancelled', renewals: 0 },
    async (m) => {
      const id = await m.subscribed();
      const [sale] = (await m.subscription(id)).sales;
      await m.done(`/sales/${sale}/void`);
      await m.pass(95);
      const { status, subscription_renewals: renewals } = await m.subscription(id);
      return { status, renewals: renewals.length };
    },
  ],
  [
    'three months pass: how many renewals, and what did the customer pay in all?',
    { renewals: 3, paid: 60 },
    async (m) => {
      const id = await m.subscribed();
      await m.pass(92);
      const { subscription_renewals: ids } = await m.subscription(id);
      const renewals = await Promise.all(ids.map((one: string) => m.get(`/subscription_renewals/${one}`)));
      return { renewals: ids.length, paid: renewals.reduce((sum, one) => sum + one.amount_captured, 0) };
    },
  ],
];

const TRIALS: Question[] = [
  [
    'what is charged when a trial begins, and what remains of the sale? (2.4, relation 5)',
    { captured: 0, remaining: 30, charges: 0 },
    async (m) => {
      const { sale } = await m.tried();
      return { captured: sale.amount_captured, remaining: sale.amount_remaining, charges: sale.transactions.length };
    },
  ],
  [
    'without price_trial: what is due at its end? (falls back to price)',
    10,
    async (m) => (await m.tried({ price_trial: undefined })).sale.amount_remaining,
  ],
  [
    'at its end: trial, charge, what remains of the sale, and the first renewal? (14 days, then a month)',
    { status: 'expired', outcome: 'success', captured: 30, remaining: 0, next: '2026-03-14' },
    async (m) => {
      const { sale, trial, subscription } = await m.tried();
      await m.pass(15);
      const after = await m.get(`/trials/${trial}`);
      return {
        status: after.status,
        outcome: after.expired_result,
        captured: after.amount_captured,
        remaining: (await m.get(`/sales/${sale.id}`)).amount_remaining,
        next: dayOf((await m.subscription(subscription)).billing.next_renewal_date_unix),
      };
    },
  ],
  [
    'cancelled: its subscription, what remains, what is charged at its end?',
    { trial: 'cancelled', subscription: 'cancelled', remaining: 0, captured: 0 },
    async (m) => {
      const { sale, trial, subscription } = await m.tried();
      await m.done(`/trials/${trial}/cancel`);
      await m.pass(60);
      const after = await m.get(`/sales/${sale.id}`);
      return {
        trial: (await m.get(`/trials/${trial}`)).status,
        subscription: (await m.subscription(subscription)).status,
        remaining: after.amount_remaining,
        captured: after.amount_captured,
      };
    },
  ],
  [
    'extended by 5 days and shortened by 3: its end, and the first renewal of its subscription?',
    { end: '2026-02-16', next: true },
    async (m) => {
      const { trial, subscription } = await m.tried();
      const next = async () => (await m.subscription(subscription)).billing.next_renewal_date_unix;
      const before = await next();
      await m.done(`/trials/${trial}/extend`, { days: 5 });
      await m.done(`/trials/${trial}/shorten`, { days: 3 });
      const { expiration_date_unix: end } = await m.get(`/trials/${trial}`);
      return { end: dayOf(end), next: (await next()) > before };
    },
  ],
  [
    'expired early: what is charged, and may it be expired, extended or cancelled after that?',
    { captured: 30, after: ['400 code 0', '400 code 0', '400 code 0'] },
    async (m) => {
      const { trial } = await m.tried();
      await m.done(`/trials/${trial}/expire`);
      const { amount_captured: captured } = await m.get(`/trials/${trial}`);
      const after = [];
      for (const [word, body] of [
        ['expire', {}],
        ['extend', { days: 1 }],
        ['cancel', {}],
      ] as const)
        after.push(await m.says(`/trials/${trial}/${word}`, body));
      return { captured, after };
    },
  ],
  [
    'declined at its end: trial, salvage, what remains of the sale?',
    { status: 'expired', outcome: 'failed', salvage: 30, remaining: 30 },
    async (m) => {
      const { sale, trial, subscription } = await m.tried();
      await m.payWith(subscription, DECLINED);
      await m.pass(15);
      const after = await m.get(`/trials/${trial}`);
      const salvage = await m.get(`/salvage_transactions/${after.salvage_transactions[0]}`);
      return {
        status: after.status,
        outcome: after.expired_result,
        salvage: salvage.amount_remaining,
        remaining: (await m.get(`/sales/${sale.id}`)).amount_remaining,
      };
    },
  ],
  [
    'does the void of its sale cancel it, and is anything charged at its end?',
    { status: 'cancelled', captured: 0, remaining: 0 },
    async (m) => {
      const { sale, trial } = await m.tried();
      await m.done(`/sales/${sale.id}/void`);
      await m.pass(20);
      const after = await m.get(`/trials/${trial}`);
      return { ...pick(after, 'status'), captured: after.amount_captured, remaining: after.amount_remaining };
    },
  ],
  [
    'which shipments has a trial that ships at its end, before and after it? (2.2)',
    [0, 1],
    async (m) => {
      const { sale, trial } = await m.tried({ is_shippable: true, trial_shipping_setting: 'trial_expiration' });
      await m.pass(15);
      return [sale.shipping.length, (await m.get(`/trials/${trial}`)).shipping.length];
    },
  ],
  [
    'is what was refunded of a paid trial booked on it, and on no renewal?',
    { trial: 30, gross: 0 },
    async (m) => {
      const { trial } = await m.tried();
      await m.done(`/trials/${trial}/expire`);
      const [charge] = (await m.get(`/trials/${trial}`)).transactions;
      await m.done(`/transactions/${charge}/refund`);
      const after = await m.get(`/trials/${trial}`);
      return { trial: after.amount_refunded, gross: after.amount_gross };
    },
  ],
];

describe('subscriptions', () => ask(SUBSCRIPTIONS));
describe('trials', () => ask(TRIALS));
