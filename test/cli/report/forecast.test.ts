/**
 * What falls due is told before it happens: beside the renewals that the service then makes, one by one.
 * @module-tag thorough
 */
import { expect, it } from 'vitest';
import { json } from '../helpers.js';
import { cents, followedLife, type Json } from './followed-life.js';

const DAY = 86_400;
// Not the sum of spans in which something renews: at that very second the last run would decide.
const SPAN = 76;
/** When it is told, what it comes to at the price less coupons, and with shipping and tax. */
type Line = readonly [day: string, amount: number, total: number | undefined];
interface Row {
  readonly item: string;
  readonly day: string;
  readonly kind: string;
  readonly payments: number;
  readonly coupons: number;
  readonly amount: number;
  readonly total: number;
  readonly unknown_extras: number;
}
interface Told {
  readonly rows: readonly Row[];
  readonly totals: readonly { readonly payments: number }[];
  readonly notes: readonly string[];
}

const dayOf = (unix: number): string => new Date(unix * 1000).toISOString().slice(0, 10);
const sumOf = (items: readonly Json[]): number => items.reduce((sum, { amount }) => sum + cents(amount), 0);

it.each([3, 42])(
  'every renewal of a random life, by its day and both amounts (%i)',
  { timeout: 300_000 },
  async (seed) => {
    const { world, run, file, sync, items } = await followedLife(seed);
    for (let turn = 0; turn < 80; turn++) await world.step(world.books(), turn < 45);
    // A coupon with two uses left lowers two renewals, of whoever is first.
    const profile = items('coupon_profiles')[0].id;
    const facts = { coupon_code: 'TWICE', coupon_profile: profile, discount_type: 'percent', discount_value: 12.5 };
    const made = await world.post('/coupons', { name: 'Twice', ...facts, max_uses: 2, enabled: true });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    for (const { id } of items('subscriptions')
      .filter(({ status }) => status === 'active')
      .slice(0, 4))
      await world.post(`/subscriptions/${id}`, { coupon: [made.body.coupon_id] });
    const trial = items('products').find((one) => one.trial_days > 0 && Number(one.price_trial) > 0);
    const sold = await world.post('/sales', {
      campaign: items('campaigns')[0].id,
      payment_profile: items('payment_profiles')[0].id,
      iso_currency: 'USD',
      products: [{ id: trial.id, quantity: 1 }],
      customer: { first_name: 'A', last_name: 'B', email: 'trial@example.com', country: 'USA' },
      credit_card: { card_number: '4111111111111111', exp_month: 1, exp_year: 30, card_code: '123' },
    });
    expect(sold.status, JSON.stringify(sold.body)).toBe(200);
    await sync('coupons', 'coupon-profiles', 'subscription-profiles');
    const words = ['report', 'forecast', '--next', `${SPAN}d`, '--mirror', file, '--tz', 'UTC', '-o', 'json'];
    const told = json<Told>(await run([...words, '--by', 'item,day,kind']));
    const foretold = new Map<string, Line[]>();
    for (const row of told.rows) {
      expect(row.payments).toBe(1);
      // Tax as last charged is not that of what a coupon lowers anew.
      const total = row.unknown_extras > 0 || row.coupons > 0 ? undefined : cents(row.total);
      foretold.set(row.item, [...(foretold.get(row.item) ?? []), [row.day, cents(row.amount), total]]);
    }
    const began = world.now;
    const trials = new Set(items('trials').flatMap(({ id, status }) => (status === 'active' ? [id] : [])));
    world.now += SPAN * DAY;
    await world.send('GET', '/sales?limit=1');
    const by = (family: string, name: string, id: string) =>
      items(family).filter((one) => (one[name] ?? []).includes(id));
    let compared = 0;
    for (const subscription of items('subscriptions')) {
      const made = items('subscription_renewals')
        .filter((one) => one.subscription_id === subscription.id && one.created_date_unix > began)
        .filter((one) => one.created_date_unix < began + SPAN * DAY)
        .sort((one, other) => one.created_date_unix - other.created_date_unix);
      const failed = made.findIndex((one) => one.is_overdue || one.salvage_transactions.length > 0);
      const expected = (foretold.get(subscription.id) ?? []).slice(0, failed < 0 ? undefined : failed + 1);
      const kept = failed < 0 ? made : made.slice(0, failed + 1);
      expect(
        kept.map((one) => dayOf(one.created_date_unix)),
        subscription.id,
      ).toEqual(expected.map(([day]) => day));
      for (const [i, one] of kept.entries()) {
        if (i === failed) continue;
        const extras =
          sumOf(by('tax', 'subscription_renewals', one.id)) + sumOf(by('shipping', 'subscription_renewals', one.id));
        const charged = cents(one.amount_captured);
        expect([subscription.id, charged - extras]).toEqual([subscription.id, expected[i]?.[1]]);
        if (expected[i]?.[2] !== undefined)
          expect([subscription.id, charged]).toEqual([subscription.id, expected[i]?.[2]]);
        compared += 1;
      }
    }
    expect(compared).toBeGreaterThan(15);
    const ended = items('trials').filter(({ id }) => trials.has(id) && foretold.has(id));
    expect(ended.length).toBeGreaterThan(0);
    for (const { id, expiration_date_unix: at } of ended) expect(foretold.get(id)?.[0]?.[0]).toBe(dayOf(at));
    expect(told.rows.filter(({ coupons }) => coupons > 0)).toHaveLength(2);
    const [from, to] = [dayOf(began + 20 * DAY), dayOf(began + 50 * DAY)];
    world.now = began;
    const ranged = async (...range: string[]) => {
      const line = [
        'report',
        'forecast',
        ...range,
        '--mirror',
        file,
        '--tz',
        'UTC',
        '-o',
        'json',
        '--by',
        'item,day,kind',
      ];
      return json<Told>(await run(line)).rows;
    };
    const within = told.rows.filter(({ day }) => day >= from && day <= to);
    expect(within.length).toBeGreaterThan(5);
    expect(await ranged('--from', from, '--to', to)).toEqual(within);
    expect(await ranged('--from', from, '--next', '31d')).toEqual(within);
    const over = await run(['report', 'forecast', '--month', '2020-01', '--mirror', file]);
    expect([over.code, over.stderr]).toEqual([2, expect.stringContaining('report forecast --next 90d --by week')]);
    const parts = json<Told>(await run([...words, '--by', 'week,product']));
    expect(parts.notes.join()).toContain('assumed');
  },
);
