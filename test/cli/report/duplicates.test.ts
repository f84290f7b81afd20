/** Charges that follow another of the same customer, amount and currency, over made-up ones, beside every pair looked at by hand. */
import { expect, it } from 'vitest';
import { zoneOf } from '../../../src/base/time/zones.js';
import { DUPLICATES } from '../../../src/data/report/duplicates.js';
import { figuresOf } from '../../../src/data/report/figures.js';
import { Dice } from '../../sandbox/random-life.js';
import { at, mirrorOf } from '../../unit/report/mirror.js';

const HOUR = 3600;
interface Charge {
  readonly id: string;
  readonly created_date_unix: number;
  readonly customer: { readonly id: string; readonly email: string };
  readonly iso_currency: string;
  readonly amount: number;
  readonly result: string;
  readonly method: string;
  readonly subscriptions: readonly string[];
  readonly subscription_renewals: readonly string[];
  readonly sales: readonly string[];
  readonly salvage_transactions: readonly string[];
}
const idOf = (word: string, number: number): string => `${word}${String(number).padStart(20 - word.length, '0')}`;

function life(seed: number): Charge[] {
  const dice = new Dice(seed);
  return Array.from({ length: 300 }, (_, i) => {
    const customer = idOf('Cust', dice.below(12));
    const isRenewal = dice.below(2) === 0;
    return {
      id: idOf('Charge', i),
      created_date_unix: at('2026-08-28') + dice.below(900) * HOUR,
      customer: { id: customer, email: `${customer}@x.example` },
      iso_currency: dice.pick(['USD', 'EUR']),
      amount: dice.pick([9.5, 20]),
      result: dice.below(5) === 0 ? 'declined' : 'approved',
      method: dice.below(9) === 0 ? 'salvage_transaction_process' : isRenewal ? 'subscription_renew' : 'sale_create',
      subscriptions: isRenewal ? [idOf('Sub', dice.below(3))] : [],
      subscription_renewals: isRenewal ? [idOf('Renew', i)] : [],
      sales: [idOf('Sale', i)],
      salvage_transactions: [],
    };
  });
}

/** Each pair, looked at one by one. */
function expected(all: readonly Charge[], from: number, to: number): Record<string, [kind: string, first: string]> {
  const found: Record<string, [string, string]> = {};
  const good = all.filter(({ result }) => result === 'approved');
  const kindOf = (x: Charge, y: Charge): string => {
    if ([x, y].some(({ method }) => method.startsWith('salvage'))) return 'salvage retry';
    const renewals = [x, y].every((one) => one.subscription_renewals.length > 0);
    return renewals && x.subscriptions[0] !== y.subscriptions[0] ? 'different subscriptions' : 'possible double';
  };
  const order = (one: Charge): string => `${String(one.created_date_unix).padStart(12, '0')}${one.id}`;
  for (const x of good) {
    if (x.created_date_unix < from || x.created_date_unix >= to) continue;
    const before = good
      .filter((y) => y.customer.id === x.customer.id && y.iso_currency === x.iso_currency && y.amount === x.amount)
      .filter((y) => order(y) < order(x) && x.created_date_unix - y.created_date_unix <= 24 * HOUR)
      .sort((a, b) => b.created_date_unix - a.created_date_unix || (a.id < b.id ? -1 : 1));
    const pair = before.find((y) => kindOf(x, y) === 'possible double') ?? before[0];
    if (pair) found[x.id] = [kindOf(x, pair), pair.id];
  }
  return found;
}

it.each([1, 2, 3])('are the pairs that there are (%s)', async (seed) => {
  const all = life(seed);
  const database = await mirrorOf({ transactions: all as unknown as Record<string, unknown>[] });
  const period = { begins: at('2026-09-01', 0), ends: at('2026-10-01', 0) };
  const zone = zoneOf('UTC', '--tz');
  const { rows, differences, proofs } = figuresOf(database, DUPLICATES, {
    period,
    zone,
    by: [],
    currency: undefined,
    overdueDays: 30,
  });
  expect(differences).toEqual([]);
  expect(proofs).toBeGreaterThan(0);
  const pairs = expected(all, period.begins, period.ends);
  expect(Object.fromEntries(rows.map(({ second, kind, first }) => [second, [kind, first]]))).toEqual(pairs);
  expect(new Set(Object.values(pairs).map(([kind]) => kind)).size).toBe(3);
  for (const { first_for, second_for } of rows)
    expect(`${first_for} ${second_for}`).toMatch(/^(sale|renewal) \w{20} (sale|renewal) \w{20}$/);
});

it('names the product that both charges paid for, or that of each', async () => {
  const charge = (i: number, more: object) => ({
    ...life(1)[0],
    id: idOf('Charge', i),
    result: 'approved',
    method: 'x',
    ...more,
  });
  const [day, subscription_renewals] = [at('2026-09-10'), [] as string[]];
  const charges = [0, 1, 2].map((i) =>
    charge(i, { created_date_unix: day + i * HOUR, sales: [idOf('Sale', i)], subscription_renewals }),
  );
  const sales = ['Tea', 'Tea', 'Mug'].map((name, i) => ({
    ...{ id: idOf('Sale', i), amount_captured: 20, created_date_unix: day, iso_currency: 'USD' },
    products: [{ id: idOf('Product', i), name }],
  }));
  const database = await mirrorOf({ transactions: charges, sales });
  const { rows } = figuresOf(database, DUPLICATES, {
    period: { begins: at('2026-09-01', 0), ends: at('2026-10-01', 0) },
    ...{ zone: zoneOf('UTC', '--tz'), by: [], currency: undefined, overdueDays: 30 },
  });
  expect(rows.map(({ product }) => product)).toEqual(['Tea', 'Tea / Mug']);
});
