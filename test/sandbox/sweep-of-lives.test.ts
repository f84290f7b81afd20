/** @module-tag thorough */
import { describe } from 'vitest';
import { askTogether, dayOf, type Merchant, type Question } from './merchant.js';
import type { Json } from './service.js';

/*
 * Sentences of the published description about states, dates and money, each a question with its answer. The answers
 * were written before the sandbox was asked.
 */

const DAY = 86_400;

/** Renewals of a subscription after so many days (2.3). */
const renewals = (days: number, profile: Json, answer: number): Question => [
  `${JSON.stringify(profile)}: renewals within ${days} days`,
  answer,
  async (m) => {
    const id = await m.subscribed(profile);
    await m.pass(days);
    return (await m.subscription(id)).subscription_renewals.length;
  },
];
const unit = (name: string, value: number) => ({ frequency: 'unit', frequency_unit: { unit: name, value } });
const fiscal = (name: string, setting: string, value?: number) => ({
  frequency: 'fiscal',
  frequency_fiscal: { unit: name, setting, ...(value ? { value } : {}) },
});
const calendar = (name: string, value: number, parent: string) => ({
  frequency: 'calendar',
  frequency_calendar: { unit: name, value, parent },
});

const SCHEDULES: Question[] = [
  renewals(31, unit('days', 10), 3),
  renewals(57, unit('weeks', 2), 4),
  renewals(366, unit('years', 1), 1),
  renewals(62, unit('months', 2), 1),
  renewals(366, fiscal('quarter', 'standard'), 4),
  renewals(366, fiscal('quarter', 'infrequent', 2), 2),
  renewals(366, fiscal('year', 'standard'), 1),
  renewals(29, calendar('day', 3, 'week'), 4),
  renewals(92, calendar('day', 15, 'month'), 3),
  renewals(366, calendar('month', 6, 'year'), 1),
  renewals(95, { ...unit('months', 1), occurrences: 'specific', occurrences_value: 2 }, 2),
  [
    'the nth day of each month: on which day does it renew? (2.3)',
    ['15', '15', '15'],
    async (m) => {
      const id = await m.subscribed(calendar('day', 15, 'month'));
      await m.pass(95);
      const { subscription_renewals: ids } = await m.subscription(id);
      const found = await Promise.all(ids.map((one: string) => m.get(`/subscription_renewals/${one}`)));
      return found.slice(0, 3).map((one) => dayOf(one.created_date_unix).slice(8));
    },
  ],
  [
    'a frequency that is changed: does it reach all subscriptions of the profile? (4.7, 3)',
    [true, true],
    async (m) => {
      const subscription_profile = await m.profile();
      const id = await m.product({ price_subscription: 20, subscription_profile });
      const both = [(await m.sold({}, [{ id }])).subscriptions[0], (await m.sold({}, [{ id }])).subscriptions[0]];
      await m.done(`/subscription_profiles/${subscription_profile}`, unit('days', 3));
      await m.pass(120);
      const counts = await Promise.all(
        both.map(async (one) => (await m.subscription(one)).subscription_renewals.length),
      );
      return counts.map((count) => count > 20);
    },
  ],
  [
    'a manual renewal: the next one is its day and a period on',
    30,
    async (m) => {
      const id = await m.subscribed(unit('days', 30));
      await m.pass(10);
      await m.renewed(id);
      const { next_renewal_date_unix: next } = (await m.subscription(id)).billing;
      return Math.round((next - m.now) / DAY);
    },
  ],
  [
    'suspended and active again before its date: is the stored date kept?',
    true,
    async (m) => {
      const id = await m.subscribed(unit('days', 30));
      const next = async () => (await m.subscription(id)).billing.next_renewal_date_unix;
      const before = await next();
      await m.done(`/subscriptions/${id}/suspend`);
      await m.pass(5);
      await m.done(`/subscriptions/${id}/activate`);
      return before === (await next());
    },
  ],
  [
    'billing of a subscription after a renewal: last date and id (2.4)',
    [true, true],
    async (m) => {
      const id = await m.subscribed();
      const renewal = await m.renewed(id);
      const { billing } = await m.subscription(id);
      return [billing.last_renewal_id === renewal.id, billing.last_renewal_date_unix === renewal.created_date_unix];
    },
  ],
];

const said = async (m: Merchant, path: string, steps: readonly (readonly [string, Json?])[]) => {
  const found = [];
  for (const [word, body] of steps) found.push(await m.status(`POST ${path}/${word}`, body));
  return found;
};

const STATES: Question[] = [
  [
    'a suspended subscription: renewed by hand, cancelled, activated',
    [200, 400],
    async (m) => {
      const path = `/subscriptions/${await m.subscribed()}`;
      await m.done(`${path}/suspend`);
      return said(m, path, [['cancel'], ['activate']]);
    },
  ],
  [
    'an active trial: extended by 3 counts from its end; by 0, by -1, by half a day',
    [3, 400, 400, 400],
    async (m) => {
      const path = `/trials/${(await m.tried()).trial}`;
      const { expiration_date_unix: before } = await m.get(path);
      await m.done(`${path}/extend`, { days: 3 });
      const { expiration_date_unix: after } = await m.get(path);
      const more = await said(m, path, [
        ['extend', { days: 0 }],
        ['extend', { days: -1 }],
        ['extend', { days: 0.5 }],
      ]);
      return [(after - before) / DAY, ...more];
    },
  ],
  [
    'a cancelled trial: extended, shortened, expired, cancelled',
    [400, 400, 400, 400],
    async (m) => {
      const path = `/trials/${(await m.tried()).trial}`;
      await m.done(`${path}/cancel`);
      return said(m, path, [['extend', { days: 1 }], ['shorten', { days: 1 }], ['expire'], ['cancel']]);
    },
  ],
  [
    'a pending sale: charged when made, edited twice, void, then processed',
    [0, 200, 200, [], 400],
    async (m) => {
      const id = await m.made('/sales/pending', m.order([{ id: await m.product() }]));
      const { transactions } = await m.get(`/sales/${id}`);
      const edits = [
        await m.status(`POST /sales/pending/${id}`, { iso_currency: 'EUR' }),
        await m.status(`POST /sales/pending/${id}`, { iso_currency: 'USD' }),
      ];
      const gone = await m.done(`/sales/${id}/void`);
      return [transactions.length, ...edits, gone.pending_refund, await m.status(`POST /sales/pending/${id}/process`)];
    },
  ],
  [
    'a sale made at once: edited and processed as a pending one',
    [400, 400],
    async (m) => {
      const { id } = await m.sold();
      const clash = async (path: string) => {
        const status = await m.status(`POST ${path}`);
        return status === 404 ? 400 : status;
      };
      return [await clash(`/sales/pending/${id}`), await clash(`/sales/pending/${id}/process`)];
    },
  ],
  [
    'an estimate: sales, customers and transactions that it leaves',
    [0, 0, 0],
    async (m) => {
      const count = () => ['sales', 'customers', 'transactions'].map((family) => m.all(family).length);
      const before = count();
      await m.done('/sales/estimate', m.order([{ id: await m.product() }]));
      return count().map((one, at) => one - (before[at] ?? 0));
    },
  ],
  [
    'a fraud alert on and off: does money move?',
    [true, false, 20],
    async (m) => {
      const { id } = await m.sold();
      await m.done(`/sales/${id}/add_fraud_alert`);
      const on = Boolean((await m.get(`/sales/${id}`)).fraud_alert);
      await m.done(`/sales/${id}/remove_fraud_alert`);
      const after = await m.get(`/sales/${id}`);
      return [on, Boolean(after.fraud_alert), after.amount_captured];
    },
  ],
  [
    'a sale that is void: void again, its lines refunded',
    [400, 400],
    async (m) => {
      const sale = await m.sold();
      await m.done(`/sales/${sale.id}/void`);
      return [
        await m.status(`POST /sales/${sale.id}/void`),
        await m.status(`POST /product_sales/${sale.product_sales[0]}/refund`),
      ];
    },
  ],
  [
    'a shipment: its first state, shipped with tracking, delivered, a state that is none',
    ['notshipped', 'shipped', 'delivered', 400],
    async (m) => {
      const { shipping } = await m.sold({}, [{ id: await m.product({ is_shippable: true }) }]);
      const path = `/shipping/${shipping[0]}`;
      const state = async () => (await m.get(path)).status;
      const states = [await state()];
      await m.done(path, { status: 'shipped', tracking_number: '1Z' });
      states.push(await state());
      await m.done(path, { status: 'delivered' });
      return [...states, await state(), await m.status(`POST ${path}`, { status: 'lost' })];
    },
  ],
  [
    'trial_shipping_setting: shipments at the start and after the end of a trial (2.2)',
    { trial_creation: [1, 0], trial_expiration: [0, 1], both_trial_expiration_creation: [1, 1] },
    async (m) => {
      const settings = ['trial_creation', 'trial_expiration', 'both_trial_expiration_creation'];
      const found: Json = {};
      for (const trial_shipping_setting of settings) {
        const { sale, trial } = await m.tried({ is_shippable: true, trial_shipping_setting });
        await m.done(`/trials/${trial}/expire`);
        const after = (await m.get(`/trials/${trial}`)).shipping.filter((id: string) => !sale.shipping.includes(id));
        found[trial_shipping_setting] = [sale.shipping.length, after.length];
      }
      return found;
    },
  ],
  [
    'a product that is disabled, enabled, deleted: is it sold?',
    [400, 200, 400],
    async (m) => {
      const id = await m.product();
      const found = [];
      for (const word of ['disable', 'enable', 'delete']) {
        await m.done(`/products/${id}/${word}`);
        const status = await m.status('POST /sales', m.order([{ id }]));
        found.push(status === 404 ? 400 : status);
      }
      return found;
    },
  ],
  [
    'prices of a product: price 10, price_trial and price_subscription left out (they fall back)',
    [10, 10],
    async (m) => {
      const { trial, subscription } = await m.tried({ price_trial: undefined, price_subscription: undefined });
      await m.done(`/trials/${trial}/expire`);
      return [(await m.get(`/trials/${trial}`)).amount_captured, (await m.renewed(subscription)).amount_captured];
    },
  ],
  [
    'price_sale and msrp never change what is charged (2.2)',
    10,
    async (m) => {
      const id = await m.product();
      await m.status(`POST /products/${id}`, { price_sale: 5, is_price_sale: true, msrp: 99 });
      return (await m.sold({}, [{ id }])).amount_captured;
    },
  ],
  [
    'a card summary: its number anywhere? default flag, digits shown',
    [false, true, '411111', '1111'],
    async (m) => {
      const { customer } = await m.sold();
      const { results } = await m.get(`/customers/${customer.id}/payment_methods`);
      const [card] = results;
      const isDefault = Object.entries(card).some(([name, value]) => name.includes('default') && value === true);
      return [JSON.stringify(results).includes('4111111111111111'), isDefault, card.first_6, card.last_4];
    },
  ],
  [
    'a second sale by the same e-mail: the same customer?',
    true,
    async (m) => {
      const customer = { first_name: 'A', last_name: 'B', email: 'same@example.com' };
      const first = await m.sold({ customer });
      return first.customer.id === (await m.sold({ customer })).customer.id;
    },
  ],
];
describe('schedules', () => askTogether(SCHEDULES));
describe('states', () => askTogether(STATES));
