import type { Database } from '../../base/database/types.js';
import { DAY } from '../../base/time/units.js';
import type { ReportPeriod } from './period.js';
import type { ReportQuestion } from './report-question.js';
import type { Bucket, OwnInput } from './types.js';

/** Buckets as a table expression. */
export function bucketsSql(buckets: readonly Bucket[]): string {
  const rows = buckets.map(({ label, begins, ends }) => `('${label.replaceAll("'", "''")}', ${begins}, ${ends})`);
  return `buckets(label, begins, ends) AS (VALUES ${rows.join(', ')})`;
}

const only = (currency: string | undefined, column: string): string =>
  currency === undefined ? '' : ` AND ${column} = '${currency}'`;

const held = (moment: string): string =>
  `s.from_unix <= ${moment} AND (s.until_unix IS NULL OR s.until_unix > ${moment})`;

/** Seconds for which an overdue subscription has been overdue at a moment. */
const overdueFor = (moment: string): string => `${moment} - coalesce(s.overdue_since_unix, s.from_unix)`;

/**
 * Leaves out subscriptions that have not paid yet: a trial counts from its first payment on, unless trials are
 * included.
 */
export const counts = (moment: string, withTrials: boolean): string =>
  withTrials ? '' : ` AND s.counts_from_unix <= ${moment}`;

/**
 * A subscription that was gone counts again from a payment: if resuming were enough, it would come back and leave again
 * without ever paying.
 */
const paidAgain = (moment: string, days: number): string =>
  `s.resumed_unix <= ${moment} AND (s.was_late <= ${days * DAY} OR s.caught_up_unix <= ${moment})`;

const worth = (moment: string, { overdueDays: days, withTrials }: OwnInput): string =>
  `CASE WHEN ${held(moment)}${counts(moment, withTrials)} AND ${paidAgain(moment, days)} AND (s.status = 'active' OR (s.status = 'overdue' AND ${overdueFor(moment)} <= ${days * DAY})) THEN s.monthly_minor ELSE 0 END`;

/** When the mirror last saw subscriptions and their renewals, unix seconds; null if it never did. */
const LAST_SYNC = "SELECT min(read_at) FROM _families WHERE family IN ('subscriptions', 'subscription_renewals')";

/**
 * Months up to the last sync. Nothing is projected beyond it, not even which overdue subscriptions would lapse with
 * time.
 */
const reachedSql = (buckets: readonly Bucket[]): string => `${bucketsSql(buckets).replace('buckets(', 'asked(')},
reach AS (SELECT coalesce((${LAST_SYNC}), 9000000000000000) AS until),
buckets AS (SELECT label, begins, min(ends, until + 1) AS ends FROM asked, reach WHERE begins <= until)`;

/** Where a period ends, or the last sync if that is earlier, in unix seconds; 0 if it begins after the last sync. */
export function reachedEnd(database: Database, { begins, ends }: ReportPeriod): number {
  const until = database.query(LAST_SYNC).get()?.[0] ?? ends;
  return begins <= Number(until) ? Math.min(ends, Number(until) + 1) : 0;
}

const SUBSCRIPTION = 's.id, s.customer_email, s.product, s.status, s.currency, s.monthly_minor';
const HELD_AT = (end: number): string =>
  `SELECT ${SUBSCRIPTION} FROM report_subscription_states AS s WHERE ${held(String(end - 1))}`;

/** Subscriptions that count as gone at the end of a period because they have been overdue for too long. */
export const goneOverdueSql = (
  end: number,
  { currency, overdueDays, withTrials = false }: Pick<ReportQuestion, 'currency' | 'overdueDays' | 'withTrials'>,
) =>
  `${HELD_AT(end)} AND s.status = 'overdue' AND ${overdueFor(String(end - 1))} > ${overdueDays * DAY}${counts(String(end - 1), withTrials)}${only(currency, 's.currency')}`;

/** Subscriptions that are running at the end of a period although their trial has not been paid for. */
export const inTrialSql = (end: number, currency: string | undefined) =>
  `${HELD_AT(end)} AND s.status IN ('active', 'overdue') AND s.counts_from_unix >= ${end}${only(currency, 's.currency')}`;

/** Subscriptions that ended in a period without ever being paid for. */
export const unpaidEndsSql = ({ begins, ends, currency }: ReportPeriod & Pick<OwnInput, 'currency'>) =>
  `SELECT ${SUBSCRIPTION} FROM report_subscription_states AS s WHERE s.status IN ('cancelled', 'occurrence_limit')${only(currency, 's.currency')} GROUP BY s.id HAVING min(s.counts_from_unix) > max(s.from_unix) AND min(s.from_unix) >= ${begins} AND min(s.from_unix) < ${ends}`;

/** Paid for, or overdue but not yet for too long. */
const paidAt = (moment: string, { overdueDays }: OwnInput): string =>
  `(p.from_unix <= ${moment} AND (p.until_unix > ${moment} OR (p.overdue_unix <= ${moment} AND p.tried_until_unix > ${moment} AND ${moment} - p.overdue_unix <= ${overdueDays * DAY})))`;

/** What subscriptions can be grouped by; `v` is one of a subscription's states or paid periods. */
export const SUBSCRIPTION_GROUPS: Readonly<Record<string, string>> = {
  product: 'v.product',
  plan: 'v.plan',
  campaign: 'v.campaign',
  country: 'v.country',
  customer: 'v.customer_email',
  gateway: "coalesce(g.gateway, 'no card')",
};
export const LAST_GATEWAYS = 'report_last_gateways';

/** The groups of a question in SQL. */
export const groupedSql = (groups: readonly string[]) => ({
  /** The same groups from another table, to follow other columns. */
  of: (table: string): string => groups.map((name) => `, ${table}.${name} AS ${name}`).join(''),
  order: groups.map((name) => `, ${name}`).join(''),
  /** Groups rows by them, ignoring case. */
  apart: (table: string): string => groups.map((name) => `, ${table}.${name} COLLATE NOCASE`).join(''),
  same: (one: string, other: string): string =>
    groups.map((name) => ` AND ${one}.${name} IS ${other}.${name} COLLATE NOCASE`).join(''),
  /** A view's rows, with the group columns in place of its own. */
  rows: (view: string, columns: string, condition: string): string => {
    const cells = groups.map((name) => `, ${SUBSCRIPTION_GROUPS[name]} AS ${name}`).join('');
    const beside = groups.includes('gateway') ? ` LEFT JOIN ${LAST_GATEWAYS} AS g ON g.id = v.id` : '';
    return `SELECT ${columns.replaceAll(/\w+/g, 'v.$&')}${cells} FROM ${view} AS v${beside} WHERE 1${condition}`;
  },
});

const STATE_COLUMNS =
  'id, currency, customer_id, status, from_unix, until_unix, created_unix, monthly_minor, overdue_since_unix, counts_from_unix, resumed_unix, was_late, caught_up_unix';
const PERIOD_COLUMNS =
  'id, currency, customer_id, from_unix, until_unix, monthly_minor, is_assumed, overdue_unix, tried_until_unix';

/** Sums per customer at the start and end of each month, and how many subscriptions were unknown at the time. */
export function customersSql(input: OwnInput): string {
  const { buckets, currency, withTrials, groups, where = [] } = input;
  const { of, apart, rows } = groupedSql(groups);
  const condition = only(currency, 'v.currency') + where.map(({ sql }) => ` AND ${sql}`).join('');
  return `${reachedSql(buckets)},
all_states AS MATERIALIZED (SELECT * FROM report_subscription_states),
states AS MATERIALIZED (${rows('all_states', STATE_COLUMNS, condition)}),
-- Up to here some state is not known as it was: months that begin before are rebuilt from what was paid.
seam AS (
  SELECT coalesce(max(k.since), -1) AS at
  FROM (SELECT id, coalesce(created_unix, min(from_unix)) AS created_unix, min(from_unix) AS since FROM all_states GROUP BY id) AS k,
    (SELECT min(at) AS at FROM (SELECT min(_seen_at) AS at FROM raw_subscriptions UNION ALL SELECT min(seen_at) FROM _history WHERE family = 'subscriptions')) AS f
  WHERE k.created_unix < k.since AND k.created_unix < f.at
),
months AS (
  SELECT b.*, CASE WHEN s.at >= b.begins THEN 'rebuilt' ELSE 'observed' END AS method, s.at >= b.begins AND s.at < b.ends AS has_seam
  FROM buckets AS b, seam AS s
),
known AS (
  SELECT s.id, s.currency${of('s')}, coalesce(s.created_unix, min(s.from_unix)) AS created_unix, min(s.from_unix) AS since,
    min(min(s.from_unix)) OVER (PARTITION BY s.id) AS first
  FROM states AS s GROUP BY s.id${apart('s')}
),
unknown AS (
  SELECT b.label, b.method, b.has_seam, k.currency${of('k')},
    sum(b.method = 'observed' AND k.since = k.first AND k.created_unix < b.begins AND k.since >= b.begins) AS at_start,
    sum(b.method = 'observed' AND k.since = k.first AND k.created_unix < b.ends AND k.since >= b.ends) AS at_end
  FROM months AS b JOIN known AS k ON k.created_unix < b.ends GROUP BY b.label, k.currency${apart('k')}
),
holdings AS (
  SELECT b.label, 'observed' AS method, s.currency${of('s')}, s.customer_id,
    sum(${worth('b.begins - 1', input)}) AS before,
    sum(${worth('b.ends - 1', input)}) AS after,
    max(s.from_unix < b.begins${counts('b.begins - 1', withTrials)} AND s.status IN ('active', 'overdue') AND s.monthly_minor > 0) AS was_there,
    sum((${held('b.begins - 1')} OR ${held('b.ends - 1')}) AND s.status IN ('active', 'overdue') AND s.monthly_minor IS NULL) AS inexact,
    0 AS assumed
  FROM months AS b JOIN states AS s ON s.from_unix < b.ends
  WHERE b.method = 'observed' OR b.has_seam
  GROUP BY b.label, s.currency, s.customer_id, s.id${apart('s')}
  UNION ALL
  SELECT b.label, 'rebuilt', p.currency${of('p')}, p.customer_id,
    sum(CASE WHEN ${paidAt('b.begins - 1', input)} THEN p.monthly_minor ELSE 0 END),
    sum(CASE WHEN ${paidAt('b.ends - 1', input)} THEN p.monthly_minor ELSE 0 END),
    max(p.from_unix < b.begins AND p.monthly_minor > 0),
    sum((${paidAt('b.begins - 1', input)} OR ${paidAt('b.ends - 1', input)}) AND p.monthly_minor IS NULL),
    sum(${paidAt('b.ends - 1', input)} AND p.is_assumed)
  FROM months AS b JOIN (${rows('report_paid_periods', PERIOD_COLUMNS, condition)}) AS p ON p.from_unix < b.ends
  WHERE b.method = 'rebuilt'
  GROUP BY b.label, p.currency, p.customer_id, p.id${apart('p')}
),
holders AS (
  SELECT h.label, h.method, h.currency${of('h')}, h.customer_id,
    sum(before) AS before, sum(after) AS after,
    sum(before > 0) AS start_subscriptions, sum(before > 0 AND after = 0) AS lost_subscriptions, sum(after > 0) AS subscriptions,
    max(was_there) AS was_there, sum(inexact) AS inexact, sum(assumed) AS assumed
  FROM holdings AS h GROUP BY h.label, h.method, h.currency, h.customer_id${apart('h')}
)`;
}
