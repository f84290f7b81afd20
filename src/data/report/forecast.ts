import type { Database } from '../../base/database/types.js';
import { isCalendarUnit, UNITS } from '../../base/time/periods.js';
import type { Zone } from '../../base/time/zones.js';
import { dayOfMonth, isMonthEnd, nextRenewal } from '../../catalogue/payment-schedule.js';
import { minorDigits } from '../../items/schema/types.js';
import { dimensions, sameText } from './dimensions.js';
import { disabledNote } from './disabled-customers.js';
import type { Figures } from './figures.js';
import { cutPeriod, type ReportPeriod } from './period.js';
import { reportCell } from './report-document.js';
import type { ReportColumn, ReportQuestion } from './report-question.js';
import type { AheadReport } from './sectioned-report.js';
import type { ConditionedView, ReportRow } from './types.js';

/** Words for `--by` besides those of time, each with its column in the view. */
const GROUPS: Readonly<Record<string, string>> = {
  kind: 'kind',
  product: 'product',
  campaign: 'campaign',
  country: 'country',
  customer: 'customer_id',
  item: 'id',
};

const COLUMNS: readonly ReportColumn[] = [
  { name: 'payments', unit: 'count', about: 'renewals that fall due, and trials that end' },
  { name: 'price', unit: 'money', about: "at the subscription's price; for a trial, what is due at its end" },
  { name: 'coupons', unit: 'money', about: 'reduction by coupons with uses left' },
  { name: 'amount', unit: 'money', about: 'price less coupons' },
  { name: 'extras', unit: 'money', about: 'shipping and tax as last charged' },
  { name: 'total', unit: 'money', about: 'amount and extras' },
  {
    name: 'unknown_extras',
    unit: 'count',
    about: 'payments of subscriptions that never renewed: their extras are unknown and count as 0',
  },
];

const DUE = 'report_renewals_due';

/** The rows that `--where` filters: amounts falling due, by their dimensions. */
const CONDITIONS: ConditionedView = {
  view: DUE,
  groups: { ...dimensions('kind', 'product', 'campaign', 'country', 'customer', 'status'), item: 'v.id' },
};
const COUPONS = 'report_coupons';

interface DueItem {
  readonly kind: string;
  readonly id: string;
  readonly status: string;
  readonly next: number | null;
  readonly currency: string | null;
  readonly price: bigint | null;
  readonly extras: bigint | null;
  readonly profile: Readonly<Record<string, unknown>>;
  readonly renewals: number;
  readonly coupons: readonly string[];
  /** When it was charged before, unix seconds. */
  readonly days: readonly number[];
  readonly groups: Readonly<Record<string, string | null>>;
}

interface Coupon {
  readonly isEnabled: boolean;
  readonly begins: number;
  readonly ends: number;
  readonly type: string;
  readonly value: number;
  /** Decreases with each use. */
  left: number;
}

/** One payment that falls due. */
interface Payment {
  readonly at: number;
  readonly item: DueItem;
}

const dueSql = (currency: string | undefined): string =>
  `SELECT kind, id, status, next_unix, currency, price_minor, extras_minor, profile, renewals, coupons, days, product, campaign, country, customer_id
FROM ${DUE}${currency === undefined ? '' : ` WHERE currency = '${currency}'`} ORDER BY next_unix, id`;

const COUPON_SQL = `SELECT id, is_enabled, begins_unix, ends_unix, type, value, uses_left FROM ${COUPONS}`;

const big = (cell: unknown): bigint | null => (cell === null ? null : BigInt(cell as number | bigint));

function itemsDue(database: Database, currency: string | undefined): DueItem[] {
  return database
    .query(dueSql(currency))
    .all()
    .map(([kind, id, status, next, code, price, extras, profile, renewals, coupons, days, ...texts]) => {
      const [product, campaign, country, customer] = texts as (string | null)[];
      const listed = JSON.parse(String(coupons)) as (string | { readonly id: string })[];
      return {
        kind: String(kind),
        id: String(id),
        status: String(status),
        next: next === null ? null : Number(next),
        currency: code as string | null,
        price: big(price),
        extras: big(extras),
        profile: JSON.parse(String(profile ?? '{}')) as DueItem['profile'],
        renewals: Number(renewals),
        coupons: listed.map((one) => (typeof one === 'string' ? one : one.id)),
        days: JSON.parse(String(days)) as number[],
        groups: {
          kind: String(kind),
          product: product ?? null,
          campaign: campaign ?? null,
          country: country ?? null,
          customer: customer ?? null,
          item: String(id),
        },
      };
    });
}

function couponsIn(database: Database): Map<string, Coupon> {
  return new Map(
    database
      .query(COUPON_SQL)
      .all()
      .map(([id, enabled, begins, ends, type, value, left]) => [
        String(id),
        {
          isEnabled: enabled === 1,
          begins: Number(begins ?? 0),
          ends: Number(ends ?? Number.MAX_SAFE_INTEGER),
          type: String(type),
          value: typeof value === 'number' ? value : 0,
          left: left === null ? Number.POSITIVE_INFINITY : Number(left),
        },
      ]),
  );
}

/**
 * When an item is charged within a period, by its schedule (service.md#subscription-profiles), assuming that each
 * renewal is paid on its day. Anything overdue is charged at the start.
 */
export function dueTimes(item: Pick<DueItem, 'kind' | 'next' | 'profile' | 'renewals' | 'days'>, period: ReportPeriod) {
  const { kind, next, profile, renewals, days } = item;
  if (next === null) return [];
  if (kind === 'trial') return next < period.ends ? [Math.max(next, period.begins)] : [];
  const most =
    profile.occurrences === 'specific' ? Number(profile.occurrences_value ?? 0) - renewals : Number.POSITIVE_INFINITY;
  // A monthly schedule that fell on the last day of a short month returns to its own day.
  const anchor = Math.max(dayOfMonth(next), ...(isMonthEnd(next) ? days.map(dayOfMonth) : []));
  const times: number[] = [];
  for (let at = Math.max(next, period.begins); at < period.ends && times.length < most; ) {
    times.push(at);
    at = nextRenewal(profile, at, anchor);
  }
  return times;
}

/** The discount that an item's coupons give at a moment; counts down their uses. */
function takenOff({ coupons, price, currency }: DueItem, at: number, known: ReadonlyMap<string, Coupon>): bigint {
  const whole = price ?? 0n;
  let left = whole;
  for (const id of coupons) {
    const coupon = known.get(id);
    if (!coupon?.isEnabled || coupon.begins > at || coupon.ends < at || coupon.left <= 0) continue;
    const off =
      coupon.type === 'percent'
        ? Math.round((Number(whole) * coupon.value) / 100)
        : Math.round(coupon.value * 10 ** (minorDigits(currency ?? '') ?? 2));
    const cents = BigInt(off) < left ? BigInt(off) : left;
    if (cents <= 0n) continue;
    left -= cents;
    coupon.left -= 1;
  }
  return whole - left;
}

/** Whether an item meets the conditions. Coupons are used up by the others too, so that the parts are those of the whole. */
function asked(database: Database, { where = [] }: ReportQuestion): (item: DueItem) => boolean {
  if (where.length === 0) return () => true;
  const sql = `SELECT v.kind, v.id FROM ${DUE} AS v WHERE ${where.map((one) => one.sql).join(' AND ')}`;
  const met = new Set(
    database
      .query(sql)
      .all()
      .map((cells) => cells.join(' ')),
  );
  return ({ kind, id }) => met.has(`${kind} ${id}`);
}

function groupsOf({ by }: ReportQuestion): readonly string[] {
  const words = by.filter((word) => word !== 'currency');
  return words.length === 0 ? ['month', 'kind'] : words;
}

function labelsOf(period: ReportPeriod, words: readonly string[], zone: Zone): (at: number) => string | undefined {
  const unit = UNITS.find((word) => words.includes(word));
  if (unit === undefined) return () => undefined;
  const buckets = cutPeriod(period, unit, zone);
  return (at) => buckets.find(({ begins, ends }) => at >= begins && at < ends)?.label;
}

function forecastFigures(database: Database, question: ReportQuestion): Figures {
  const { period, zone, currency, since = period.begins } = question;
  const words = groupsOf(question);
  const labelOf = labelsOf(period, words, zone);
  const items = itemsDue(database, currency);
  const isAsked = asked(database, question);
  const coupons = couponsIn(database);
  const payments = items
    .flatMap((item) => dueTimes(item, { ...period, begins: since }).map((at): Payment => ({ at, item })))
    .sort((one, other) => one.at - other.at || (one.item.id < other.item.id ? -1 : 1));
  const rows = new Map<string, Record<string, bigint | number | string | null>>();
  for (const { at, item } of payments) {
    const keys = words.map((word) => (isCalendarUnit(word) ? (labelOf(at) ?? null) : (item.groups[word] ?? null)));
    const off = takenOff(item, at, coupons);
    // What falls due before the period uses coupons up.
    if (at < period.begins || !isAsked(item)) continue;
    const key = JSON.stringify([...keys.map(sameText), item.currency]);
    const row = rows.get(key) ?? {
      ...Object.fromEntries(words.map((word, i) => [word, keys[i] ?? null])),
      currency: item.currency,
      ...{ payments: 0, price: 0n, coupons: 0n, amount: 0n, extras: 0n, total: 0n, unknown_extras: 0 },
    };
    rows.set(key, row);
    const price = item.price ?? 0n;
    const extras = item.extras ?? 0n;
    const more = { price, coupons: off, amount: price - off, extras, total: price - off + extras };
    for (const [name, minor] of Object.entries(more)) row[name] = (row[name] as bigint) + minor;
    row.payments = Number(row.payments) + 1;
    row.unknown_extras = Number(row.unknown_extras) + (item.extras === null ? 1 : 0);
  }
  const keys = [
    ...words.map((name): ReportColumn => ({ name, unit: 'text', about: `the ${name}` })),
    { name: 'currency', unit: 'text', about: 'ISO 4217 code' } as const,
  ];
  const sorted = [...rows.values()].sort((one, other) => orderOf(one, other, words));
  return {
    statement: { sql: dueSql(currency), columns: [...keys, ...COLUMNS], keys: keys.length },
    rows: sorted,
    ...(sorted.length > 1 ? { totals: totalsOf(sorted, keys) } : {}),
    differences: [],
    proofs: 0,
    // An item without a day or an amount has no forecast.
    inexact: items.filter((item) => isAsked(item) && (item.next === null || item.price === null)).length,
  };
}

function orderOf(one: ReportRow, other: ReportRow, words: readonly string[]): number {
  for (const name of [...words.filter(isCalendarUnit), 'currency']) {
    const [a, b] = [String(one[name] ?? ''), String(other[name] ?? '')];
    if (a !== b) return a < b ? -1 : 1;
  }
  const [a, b] = [one.total as bigint, other.total as bigint];
  return a === b ? 0 : a > b ? -1 : 1;
}

function totalsOf(rows: readonly ReportRow[], keys: readonly ReportColumn[]): ReportRow[] {
  const codes = [...new Set(rows.map(({ currency }) => currency ?? null))];
  return codes.map((currency): ReportRow => {
    const own = rows.filter((row) => row.currency === currency);
    const sums = COLUMNS.map(({ name, unit }): [string, bigint | number] => [
      name,
      unit === 'money'
        ? own.reduce((sum, row) => sum + (row[name] as bigint), 0n)
        : own.reduce((sum, row) => sum + Number(row[name]), 0),
    ]);
    return { ...Object.fromEntries(keys.map(({ name }) => [name, null])), currency, ...Object.fromEntries(sums) };
  });
}

const isOfTrial = ({ kind }: ReportRow): boolean => kind === 'trial';

/** What the figures assume of these items. */
function assumptions(database: Database, question: ReportQuestion, { rows }: Figures): string[] {
  const { period, currency, since = period.begins } = question;
  const items = itemsDue(database, currency).filter(asked(database, question));
  const late = items.filter(({ next }) => next !== null && next < since && since === period.begins).length;
  const overdue = items.filter(({ status }) => status === 'overdue').length;
  const unknown = rows.reduce((sum, row) => sum + Number(row.unknown_extras ?? 0), 0);
  // Rows by kind, or of one kind, already tell trials apart.
  const isMixed = rows.length > 0 && !groupsOf(question).includes('kind') && !question.where;
  const trials = isMixed ? forecastFigures(database, { ...question, by: ['kind'] }).rows.filter(isOfTrial) : [];
  const sums = trials.map((row) => `${row.payments} ${row.currency} ${reportCell(row.total ?? null, 'money', row)}`);
  return [
    'assumed: each renewal is paid on its day, and nobody joins, leaves or changes',
    ...(sums.length > 0 ? [`of which trials that end: ${sums.join(', ')}; without them: --where kind=renewal`] : []),
    ...(overdue > 0
      ? [`${overdue} overdue: shown at the next scheduled date; what they owe is in cops report aging`]
      : []),
    ...(late > 0 ? [`${late} were due before now according to the mirror: shown at the start`] : []),
    ...(unknown > 0
      ? [`${unknown} payments are for trials or subscriptions that never renewed: their shipping and tax are unknown`]
      : []),
    ...[disabledNote(database, currency) ?? []].flat(),
  ];
}

export const FORECAST: AheadReport = {
  kind: 'ahead',
  name: 'forecast',
  definition:
    'Each renewal that falls due by its schedule while occurrences are left, and each trial that ends. price is that of ' +
    'the subscription, amount = price - coupons, total = amount + extras, where extras are shipping and tax as last ' +
    'charged. It is not a promise: it assumes that each renewal is paid on its day, and that nobody joins, leaves or changes.',
  basis:
    'Active and overdue subscriptions by the current state of their profile; overdue ones at their next scheduled date (what ' +
    'they owe is in `cops report aging`), suspended ones not at all. A trial counts at its price, without tax. Coupons lower what ' +
    'falls due while they are valid and have uses left, in order of time. It covers --next from now on, or a range ahead: ' +
    '--month 2027-01, or --from with --to or --next.',
  views: [DUE, COUPONS],
  range: 'next',
  groups: GROUPS,
  takes: ['next'],
  conditions: CONDITIONS,
  columns: COLUMNS,
  figures: forecastFigures,
  queries: (question) => [
    { fills: 'what falls due', sql: dueSql(question.currency) },
    { fills: 'coupons', sql: COUPON_SQL },
  ],
  drawn: 'total',
  notes: assumptions,
};
