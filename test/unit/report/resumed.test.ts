/** @module-tag thorough */
import { expect, it } from 'vitest';
import { at, mirrorOf, newId, type State } from './mirror.js';
import { ask, monthly } from './worked.js';

/* Recurring revenue over many lives: what was gone comes back by a payment alone, and nothing comes and goes unpaid. */

const MONTHS = ['02', '03', '04', '05', '06', '07', '08', '09', '10'];
const LIVES = 20;
const LATE = 30 * 86_400;

/** Numbers from 0 to 1, the same for the same seed. */
function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Life {
  readonly states: { readonly status: string; readonly at: number }[];
  readonly renewals: Record<string, unknown>[];
  /** Whether it counts at the end of each month. */
  readonly counted: boolean[];
  /** When money came. */
  readonly paid: number[];
}

/** One life: renewals on the 10th that succeed, fail or are forgiven later; pauses without a payment. */
function lifeOf(id: string, random: () => number): Life {
  const life: Life = { states: [{ status: 'active', at: at('2026-01-10') }], renewals: [], counted: [], paid: [] };
  let [status, counts, overdue] = ['active', true, 0];
  const be = (next: string, when: number) => {
    if (next !== status) life.states.push({ status: next, at: when });
    status = next;
  };
  const pay = (when: number) => {
    life.paid.push(when);
    [counts, overdue] = [true, 0];
    be('active', when);
  };
  const row = (when: number, captured: number) => ({
    subscription_id: id,
    is_overdue: false,
    created_date_unix: when,
    amount_original_total: 1,
    amount_captured: captured,
    amount_refunded: 0,
    transactions: [newId()],
  });
  for (const month of MONTHS) {
    const [early, due, later] = ['05', '10', '20'].map((day) => at(`2026-${month}-${day}`)) as [number, number, number];
    if (status === 'suspended' && random() < 0.5) be('active', early);
    if (status !== 'suspended') {
      const failed = random() < 0.4;
      life.renewals.push(row(due, failed ? 0 : 1));
      if (failed) {
        overdue ||= due;
        be('overdue', due);
      } else pay(due);
    }
    const fate = random();
    if (status === 'overdue' && fate < 0.4) {
      if (later - overdue > LATE) counts = false;
      be('active', later);
    } else if (fate > 0.8) {
      counts = false;
      be('suspended', later);
    }
    const end = at(month === '12' ? '2027-01-01' : `2026-${String(Number(month) + 1).padStart(2, '0')}-01`, 0) - 1;
    life.counted.push(counts && (status === 'active' || (status === 'overdue' && end - overdue <= LATE)));
  }
  return life;
}

it('counts a suspended one again whose failed renewal was collected', async () => {
  const id = newId();
  const shape = (status: string, day: string) => ({
    ...{ id, status, amount: 10, iso_currency: 'USD', customer: { id: 'c' }, subscription_profile: monthly },
    ...{ created_date_unix: at('2026-01-10'), updated_date_unix: at(day) },
  });
  const days = ['2026-01-10', '2026-06-10', '2026-07-10', '2026-08-20'];
  const states = ['active', 'overdue', 'suspended', 'active'].map((status, i) => shape(status, days[i] ?? ''));
  const history = states.slice(0, 3).map((item, i): State => {
    return { family: 'subscriptions', item, seenAt: at(days[i] ?? '', 13), untilAt: at(days[i + 1] ?? '', 13) };
  });
  const renewal = (captured: number) => ({
    subscription_id: id,
    ...{ is_overdue: false, created_date_unix: at('2026-06-10', 11), amount_original_total: 10 },
    ...{ amount_captured: captured, amount_refunded: 0, transactions: [newId()] },
  });
  const range = { from: '2026-07-01', to: '2026-10-31' };
  const endsWith = async (captured: number) => {
    const items = {
      subscriptions: [{ ...states[3], seen: at('2026-08-20', 13) }],
      subscription_renewals: [renewal(captured)],
    };
    return ask(await mirrorOf(items, history), 'mrr', range).map(({ end }) => end);
  };
  expect(await endsWith(10)).toEqual([0, 10, 10, 10]);
  expect(await endsWith(0)).toEqual([0, 0, 0, 0]);
});

it.each([1, 2, 3, 4, 5, 6])('counts what resumes from its payment on: lives of seed %d', async (seed) => {
  const random = dice(seed);
  const subscriptions: Record<string, unknown>[] = [];
  const renewals: Record<string, unknown>[] = [];
  const history: State[] = [];
  const lives = Array.from({ length: LIVES }, (_, i) => {
    const id = newId();
    const life = lifeOf(id, random);
    // Each brings another power of two: a sum tells which ones are in it.
    const item = { id, amount: 2 ** i, customer: { id: `c${i}` }, subscription_profile: monthly };
    const shapes = life.states.map(({ status, at: since }) => ({
      ...item,
      ...{ iso_currency: 'USD', status, created_date_unix: at('2026-01-10'), updated_date_unix: since },
    }));
    const seen = life.states.map(({ at: since }) => since + 60);
    for (const [n, shape] of shapes.slice(0, -1).entries())
      history.push({ family: 'subscriptions', item: shape, seenAt: seen[n] ?? 0, untilAt: seen[n + 1] ?? 0 });
    subscriptions.push({ ...shapes.at(-1), seen: seen.at(-1) });
    renewals.push(...life.renewals);
    return life;
  });
  const database = await mirrorOf({ subscriptions, subscription_renewals: renewals }, history);
  // `ask` demands that every proof holds, that a month begins with what the one before ended with among them.
  const months = ask(database, 'mrr', { from: '2026-02-01', to: '2026-10-31' });
  const has = (figure: unknown, i: number): boolean => Math.floor(Number(figure) / 2 ** i) % 2 === 1;
  for (const [i, life] of lives.entries()) {
    const told = JSON.stringify(
      life.states.map(({ status, at: when }) => [status, new Date(when * 1000).toISOString()]),
    );
    expect(
      months.map(({ end }) => has(end, i)),
      told,
    ).toEqual(life.counted);
    let gone = 0;
    for (const { month, churn, reactivation } of months) {
      const [begins, ends] = [at(`${month}-01`, 0), at(`${month}-28`, 23) + 3 * 86_400];
      if (has(reactivation, i))
        expect(
          life.paid.some((when) => when > gone && when < ends),
          told,
        ).toBe(true);
      if (has(churn, i)) gone = begins - LATE;
    }
  }
  expect(months.reduce((sum, { reactivation }) => sum + Number(reactivation), 0)).toBeGreaterThan(0);
});
