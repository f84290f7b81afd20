/** @module-tag thorough */
import { describe } from 'vitest';
import { ask, dayOf, type Merchant, type Question } from './merchant.js';
import type { Json } from './service.js';

/*
 * Questions about when subscriptions renew and what shipping costs, each with the answer that the published pages give (the section or page that says it stands
 * behind the question). The answers were written before the sandbox was asked.
 */

/** The days of the first renewals of a subscription that begins now. */
async function firstRenewals(m: Merchant, profile: Json, days: number): Promise<string[]> {
  const id = await m.subscribed(profile);
  await m.pass(days);
  const { subscription_renewals: ids } = await m.subscription(id);
  const renewals = await Promise.all(ids.map((one: string) => m.get(`/subscription_renewals/${one}`)));
  return renewals.map((one) => dayOf(one.created_date_unix));
}
const unit = (word: string, value: number) => ({ frequency: 'unit', frequency_unit: { unit: word, value } });
const calendar = (word: string, value: number, parent: string) => ({
  frequency: 'calendar',
  frequency_calendar: { unit: word, value, parent },
});
const fiscal = (more: Json) => ({ frequency: 'fiscal', frequency_fiscal: more });

// All of them begin on Saturday, 31 January 2026.
const SCHEDULES: Question[] = [
  [
    'every month from the 31st?',
    ['2026-02-28', '2026-03-31', '2026-04-30'],
    (m) => firstRenewals(m, unit('months', 1), 100),
  ],
  ['every two weeks?', ['2026-02-14', '2026-02-28', '2026-03-14'], (m) => firstRenewals(m, unit('weeks', 2), 43)],
  ['every ten days?', ['2026-02-10', '2026-02-20'], (m) => firstRenewals(m, unit('days', 10), 21)],
  ['every year?', ['2027-01-31'], (m) => firstRenewals(m, unit('years', 1), 400)],
  [
    'on the 15th day of every month?',
    ['2026-02-15', '2026-03-15', '2026-04-15'],
    (m) => firstRenewals(m, calendar('day', 15, 'month'), 80),
  ],
  [
    'in the third month of every year?',
    ['2026-03', '2027-03'],
    async (m) => (await firstRenewals(m, calendar('month', 3, 'year'), 420)).map((day) => day.slice(0, 7)),
  ],
  [
    'on the second day of every week: how many days lie between?',
    [7, 7],
    async (m) => {
      const days = (await firstRenewals(m, calendar('day', 2, 'week'), 21)).map((day) => Date.parse(day) / 86_400_000);
      return days.slice(1, 3).map((day, index) => day - (days[index] as number));
    },
  ],
  [
    'every quarter, the fiscal way?',
    ['2026-04-30', '2026-07-31'],
    (m) => firstRenewals(m, fiscal({ unit: 'quarter', setting: 'standard' }), 190),
  ],
  [
    'every second year, infrequent?',
    ['2028-01-31'],
    (m) => firstRenewals(m, fiscal({ unit: 'year', setting: 'infrequent', value: 2 }), 800),
  ],
  [
    'with two occurrences: how many renewals in half a year, and its state? (2.3)',
    { count: 2, status: 'occurrence_limit' },
    async (m) => {
      const id = await m.subscribed({ occurrences: 'specific', occurrences_value: 2 });
      await m.pass(180);
      const { renewal_count: count, status } = await m.subscription(id);
      return { count, status };
    },
  ],
  [
    'renewed by hand on day 10: when is the next one? (the day of it plus the period)',
    '2026-03-10',
    async (m) => {
      const id = await m.subscribed();
      await m.pass(10);
      await m.renewed(id);
      return dayOf((await m.subscription(id)).billing.next_renewal_date_unix);
    },
  ],
  [
    'does a change of the profile reach subscriptions that are on it? (4.7, rule 3)',
    { shown: 'weeks', gap: 7 },
    async (m) => {
      const subscription_profile = await m.profile();
      const id = await m.product({ price_subscription: 20, subscription_profile });
      const [subscription] = (await m.sold({}, [{ id }])).subscriptions;
      await m.done(`/subscription_profiles/${subscription_profile}`, unit('weeks', 1));
      const shown = (await m.subscription(subscription)).subscription_profile.frequency_unit.unit;
      await m.renewed(subscription);
      const { next_renewal_date_unix: next } = (await m.subscription(subscription)).billing;
      return { shown, gap: (next - m.now) / 86_400 };
    },
  ],
  [
    'is a frequency taken without its settings, or settings without it? (4.7, rules 1 and 2)',
    { alone: '400 code 0', ignored: 'months' },
    async (m) => {
      const id = await m.profile();
      const alone = await m.says(`/subscription_profiles/${id}`, { frequency: 'calendar' });
      await m.done(`/subscription_profiles/${id}`, { frequency_unit: { unit: 'days', value: 1 } });
      return { alone, ignored: (await m.get(`/subscription_profiles/${id}`)).frequency_unit.unit };
    },
  ],
];

const shippedFor = async (m: Merchant, profile: string, more: Json = {}, line: Json = {}, product: Json = {}) => {
  const id = line.id ?? (await m.product({ is_shippable: true, ...product }));
  const sale = await m.sold({ shipping_profile: profile, ...more }, [{ id, ...line }]);
  return (await m.get(`/shipping/${sale.shipping[0]}`)).amount;
};
const countries = (...codes: string[]) => ({ countries: codes.map((iso_code) => ({ iso_code, enabled: true })) });
const buyer = (m: Merchant, country: string) => ({
  customer: { first_name: 'A', last_name: 'B', email: `${m.name()}@example.com`, country },
});
const revenue = (source: string, rule: string, rule_value: number) => ({
  revenue_rules: [{ enabled: true, source, rule, rule_value }],
});

const SHIPPING: Question[] = [
  [
    'two rates: which one do the USA, Germany and Japan get? (the first that qualifies, none)',
    [7, 11, 0],
    async (m) => {
      const profile = await m.rates([
        [7, countries('USA')],
        [11, countries('USA', 'DEU')],
      ]);
      const found = [];
      for (const country of ['USA', 'DEU', 'JPN']) found.push(await shippedFor(m, profile, buyer(m, country)));
      return found;
    },
  ],
  [
    'does ship_to count before the customer?',
    11,
    async (m) => {
      const profile = await m.rates([[11, countries('DEU')]]);
      return shippedFor(m, profile, { ...buyer(m, 'USA'), ship_to: { country: 'DEU' } });
    },
  ],
  [
    'is a rate taken that has no enabled qualifier? (4.11)',
    '400 code 0',
    async (m) => m.says('/shipping_profiles', await m.ratesBody([[5, {}]])),
  ],
  [
    'quantity rules at 2: for 1, 2 and 3 of it?',
    { equal_to: [0, 4, 0], greater_than_equal_to: [0, 4, 4], less_than: [4, 0, 0], any: [4, 4, 4] },
    async (m) => {
      const id = await m.product({ is_shippable: true });
      const found: Json = {};
      for (const quantity_rule of ['equal_to', 'greater_than_equal_to', 'less_than', 'any']) {
        const profile = await m.rates([[4, { products: [{ id, enabled: true, quantity_rule, quantity_value: 2 }] }]]);
        found[quantity_rule] = [];
        for (const quantity of [1, 2, 3]) found[quantity_rule].push(await shippedFor(m, profile, {}, { id, quantity }));
      }
      return found;
    },
  ],
  [
    'revenue from 25.00 on: for 20.00 and for 30.00 of shippable products?',
    [0, 2],
    async (m) => {
      const profile = await m.rates([[2, revenue('shippable_products', 'greater_than_equal_to', 25)]]);
      const id = await m.product({ is_shippable: true });
      return [
        await shippedFor(m, profile, {}, { id, quantity: 2 }),
        await shippedFor(m, profile, {}, { id, quantity: 3 }),
      ];
    },
  ],
  [
    'are country and revenue asked for together?',
    [0, 0, 6],
    async (m) => {
      const both = { ...countries('DEU'), ...revenue('total_amount', 'less_than_equal_to', 10) };
      const profile = await m.rates([[6, both]]);
      const id = await m.product({ is_shippable: true });
      return [
        await shippedFor(m, profile, buyer(m, 'USA'), { id }),
        await shippedFor(m, profile, buyer(m, 'DEU'), { id, quantity: 2 }),
        await shippedFor(m, profile, buyer(m, 'DEU'), { id }),
      ];
    },
  ],
  [
    'does a charge of the request win over the profile?',
    1.5,
    async (m) => shippedFor(m, await m.rates([[7, countries('USA')]]), { shipping_amount: 1.5 }),
  ],
  [
    'a renewal with a profile that ships nowhere: the first rate, and the total? (4.7, rule 4)',
    { total: 29, shipment: 9 },
    async (m) => {
      const shipping_profile = await m.rates([
        [9, countries('ATA')],
        [1, countries('USA')],
      ]);
      const id = await m.subscribed({ shipping_profile }, {}, { is_shippable: true });
      const renewal = await m.renewed(id);
      const { amount: shipment } = await m.get(`/shipping/${renewal.shipping[0]}`);
      return { total: renewal.amount_total, shipment };
    },
  ],
  [
    'a shipment of a renewal is refunded: what of the renewal?',
    { refunded: 9, total: 20 },
    async (m) => {
      const shipping_profile = await m.rates([[9, countries('USA')]]);
      const renewal = await m.renewed(await m.subscribed({ shipping_profile }, {}, { is_shippable: true }));
      await m.done(`/shipping/${renewal.shipping[0]}/refund`);
      const after = await m.get(`/subscription_renewals/${renewal.id}`);
      return { refunded: after.amount_refunded, total: after.amount_total };
    },
  ],
];

describe('schedules', () => ask(SCHEDULES));
describe('shipping', () => ask(SHIPPING));
