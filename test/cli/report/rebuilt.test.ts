/**
 * Recurring revenue of months that no sync has seen, beside the same computed anew from the items of the service.
 * @module-tag thorough
 */
import { expect, it } from 'vitest';
import { json } from '../helpers.js';
import { cents, followedLife, type Json } from './followed-life.js';

interface Row {
  readonly month: string;
  readonly method: string;
  readonly currency: string;
  readonly [figure: string]: number | string | null;
}
interface Period {
  readonly customer: string;
  readonly currency: string;
  readonly from: number;
  readonly until: number;
  readonly monthly: number;
  /** From its first failed renewal to its next payment, or to the last try of a subscription that is over. */
  readonly late: readonly [number, number] | undefined;
}

/** Renewals a year. */
function yearly(profile: Json): [number, number] {
  const { frequency, frequency_unit: unit, frequency_calendar: calendar, frequency_fiscal: fiscal } = profile;
  if (frequency === 'calendar')
    return { week: [365, 7], month: [12, 1], year: [1, 1] }[calendar.parent as 'week'] as never;
  if (frequency === 'fiscal')
    return [fiscal.unit === 'year' ? 1 : 4, fiscal.setting === 'infrequent' ? fiscal.value : 1];
  const [times, each] = { months: [12, 1], years: [1, 1], weeks: [365, 7], days: [365, 1] }[unit.unit as 'days'] ?? [];
  return [times as number, (each as number) * unit.unit_value];
}

/** A step of a schedule later, where its length is known. */
function afterOne(moment: number, { frequency, frequency_unit: unit, frequency_calendar: calendar }: Json): number {
  const date = new Date(moment * 1000);
  const [name, value] =
    frequency === 'unit'
      ? [unit.unit, unit.unit_value]
      : frequency === 'calendar'
        ? [`${calendar.parent}s`, 1]
        : ['', 0];
  if (name === 'months') date.setUTCMonth(date.getUTCMonth() + value);
  else if (name === 'years') date.setUTCFullYear(date.getUTCFullYear() + value);
  else if (name === 'weeks' || name === 'days') date.setUTCDate(date.getUTCDate() + (name === 'weeks' ? 7 : 1) * value);
  else return Number.POSITIVE_INFINITY;
  return date.getTime() / 1000;
}

/** Half up, to whole cents. */
function monthlyOf(minor: number, profile: Json): number {
  const [times, each] = yearly(profile);
  return Math.floor((2 * minor * times + 12 * each) / (24 * each));
}

const isPaid = (row: Json): boolean =>
  !row.is_overdue && (row.amount_captured > 0 || row.amount_refunded > 0 || row.amount_original_total === 0);

/** Paid periods: from a paid renewal, or from the begin, to the day up to which it was paid. */
function periodsOf(items: (family: string) => Json[]): Period[] {
  const extras = new Map<string, number>();
  for (const family of ['tax', 'shipping'])
    for (const { subscription_renewals: [renewal] = [], amount } of items(family))
      if (renewal !== undefined) extras.set(renewal, (extras.get(renewal) ?? 0) + cents(amount));
  return items('subscriptions').flatMap((one): Period[] => {
    const who = { customer: one.customer.id, currency: one.iso_currency };
    const tried = items('subscription_renewals')
      .filter(({ subscription_id: of }) => of === one.id)
      .sort((a, b) => a.created_date_unix - b.created_date_unix || (a.id < b.id ? -1 : 1));
    const periods: Period[] = [];
    const paid = tried.filter(isPaid);
    const add = (from: number, until: number, minor: number, profile: Json): void => {
      const next = paid.find(({ created_date_unix: at }) => at > from)?.created_date_unix ?? Number.POSITIVE_INFINITY;
      const failed = tried
        .filter((row) => !isPaid(row) && (row.is_overdue || row.transactions.length > 0))
        .map(({ created_date_unix: at }) => at)
        .filter((at) => at > from && at < next);
      const isOver = !['active', 'overdue'].includes(one.status) && next === Number.POSITIVE_INFINITY;
      const late = failed.length === 0 ? undefined : ([failed[0], isOver ? failed.at(-1) : next] as [number, number]);
      if (until > from) periods.push({ ...who, from, until, monthly: monthlyOf(minor, profile), late });
    };
    const [trial] = items('trials').filter(({ subscriptions = [] }) => subscriptions.includes(one.id));
    const isBought = trial?.status === 'expired' && trial.expired_result !== 'failed';
    const begun = trial === undefined ? one.created_date_unix : isBought ? trial.expiration_date_unix : undefined;
    const next = tried[0]?.created_date_unix ?? one.billing.next_renewal_date_unix;
    const first = Math.min(next, afterOne(begun ?? 0, one.subscription_profile));
    if (begun !== undefined) add(begun, first, cents(one.amount), one.subscription_profile);
    for (const [i, row] of paid.entries()) {
      const until = Math.min(
        row.billing.next_renewal_date_unix,
        paid[i + 1]?.created_date_unix ?? Number.MAX_SAFE_INTEGER,
      );
      const minor = cents(row.amount_original_total) - (extras.get(row.id) ?? 0);
      add(row.created_date_unix, until, minor, row.subscription_profile);
    }
    return periods;
  });
}

/** The movements of a month from what each customer brought before and after. */
function movements(periods: readonly Period[], currency: string, begins: number, ends: number, days: number) {
  const own = periods.filter((one) => one.currency === currency);
  const at = (customer: string, moment: number): number =>
    own
      .filter((one) => one.customer === customer && one.from <= moment)
      .filter(({ until, late }) => {
        if (until > moment || late === undefined) return until > moment;
        return late[0] <= moment && moment < late[1] && moment - late[0] <= days * 86_400;
      })
      .reduce((sum, { monthly }) => sum + monthly, 0);
  const sums = { start: 0, new: 0, reactivation: 0, expansion: 0, contraction: 0, churn: 0, end: 0 };
  for (const customer of new Set(own.map((one) => one.customer))) {
    const [before, after] = [at(customer, begins - 1), at(customer, ends - 1)];
    const wasThere = own.some((one) => one.customer === customer && one.from < begins && one.monthly > 0);
    sums.start += before;
    sums.end += after;
    if (before === 0 && after > 0) sums[wasThere ? 'reactivation' : 'new'] += after;
    else if (before > 0 && after === 0) sums.churn += before;
    else if (after > before) sums.expansion += after - before;
    else sums.contraction += before - after;
  }
  return sums;
}

it.each([
  [5, 2],
  [23, 1],
])(
  'equals what the paid periods come to, and its seam is no churn (%i)',
  { timeout: 300_000 },
  async (seed, answers) => {
    const { world, run, file, sync, items } = await followedLife(seed);
    for (let turn = 0; turn < 90; turn++) await world.step(world.books());
    await sync();
    const from = `${new Date((world.now - 220 * 86_400) * 1000).toISOString().slice(0, 7)}-01`;
    const words = ['report', 'mrr', '--from', from, '--mirror', file, '--tz', 'UTC', '-o', 'json'];
    const ask = async (days: number): Promise<Row[]> => {
      const ran = await run([...words, '--overdue-days', String(days)]);
      expect(ran.code, ran.stderr).toBe(0);
      return json<{ rows: Row[] }>(ran).rows;
    };
    const periods = periodsOf(items);
    const told = new Set<string>();
    for (const days of [30, 0]) {
      const rebuilt = (await ask(days)).filter(({ method }) => method === 'rebuilt');
      expect(new Set(rebuilt.map(({ month }) => month)).size).toBeGreaterThan(2);
      told.add(JSON.stringify(rebuilt));
      for (const { month, currency, ...figures } of rebuilt) {
        const begins = Date.parse(`${month}-01T00:00:00Z`) / 1000;
        const date = new Date(begins * 1000);
        date.setUTCMonth(date.getUTCMonth() + 1);
        const ends = Math.min(date.getTime() / 1000, world.now + 1);
        const expected = movements(periods, currency, begins, ends, days);
        const row = Object.fromEntries(Object.keys(expected).map((name) => [name, cents(figures[name])]));
        expect([days, month, currency, row]).toEqual([days, month, currency, expected]);
      }
    }
    expect(told.size).toBe(answers);
    const rows = await ask(30);
    const months = (method: string) => new Set(rows.filter((row) => row.method === method).map(({ month }) => month));
    expect([...months('observed')].filter((month) => months('rebuilt').has(month))).toEqual([]);
    for (const seam of rows.filter(({ method }) => method === 'method change')) {
      expect([seam.churn, seam.contraction]).toEqual([0, 0]);
      expect(cents(seam.end)).toBe(cents(seam.start) + cents(seam.method_change));
    }
    expect(months('method change').size).toBe(1);
  },
);
