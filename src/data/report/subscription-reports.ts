import { DAY } from '../../base/time/units.js';
import { dimensions } from './dimensions.js';
import { PAID_BY_FIRST } from './money-reports.js';
import type { ReportPeriod } from './period.js';
import type { Bucket, OwnInput, OwnReport } from './types.js';

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
const counts = (moment: string, withTrials: boolean): string =>
  withTrials ? '' : ` AND s.counts_from_unix <= ${moment}`;

/**
 * A subscription that was gone counts again from a payment: if resuming were enough, it would come back and leave again
 * without ever paying.
 */
const paidAgain = (moment: string, days: number): string =>
  `s.resumed_unix <= ${moment} AND (s.was_late <= ${days * DAY} OR s.caught_up_unix <= ${moment})`;

const worth = (moment: string, { overdueDays: days, withTrials }: OwnInput): string =>
  `CASE WHEN ${held(moment)}${counts(moment, withTrials)} AND ${paidAgain(moment, days)} AND (s.status = 'active' OR (s.status = 'overdue' AND ${overdueFor(moment)} <= ${days * DAY})) THEN s.monthly_minor ELSE 0 END`;

/**
 * Months as far as the mirror reaches: nothing is forecast after the last sync, although mere passing of time makes an
 * overdue subscription count as gone.
 */
const reachedSql = (buckets: readonly Bucket[]): string => `${bucketsSql(buckets).replace('buckets(', 'asked(')},
reach AS (SELECT coalesce(min(read_at), 9000000000000000) AS until FROM _families WHERE family IN ('subscriptions', 'subscription_renewals')),
buckets AS (SELECT label, begins, min(ends, until + 1) AS ends FROM asked, reach WHERE begins <= until)`;

/** How many subscriptions count as gone at the end of a period because they have been overdue too long. */
export const goneOverdueSql = ({
  begins,
  ends,
  currency,
  overdueDays,
  withTrials,
}: ReportPeriod & Omit<OwnInput, 'buckets' | 'groups' | 'isPast'>) =>
  `WITH ${reachedSql([{ label: 'all', begins, ends }])}
SELECT count(*) FROM report_subscription_states AS s, buckets AS b
WHERE ${held('b.ends - 1')} AND s.status = 'overdue' AND ${overdueFor('(b.ends - 1)')} > ${overdueDays * DAY}${counts('(b.ends - 1)', withTrials)}${only(currency, 's.currency')}`;

/** What subscriptions with a trial still unpaid at the end of a period would bring: currency, count, minor units. */
export const inTrialSql = ({ begins, ends, currency }: ReportPeriod & Pick<OwnInput, 'currency'>) =>
  `WITH ${reachedSql([{ label: 'all', begins, ends }])}
SELECT s.currency, count(*), sum(s.monthly_minor) FROM report_subscription_states AS s, buckets AS b
WHERE ${held('b.ends - 1')} AND s.status IN ('active', 'overdue') AND s.counts_from_unix >= b.ends${only(currency, 's.currency')}
GROUP BY 1 ORDER BY 1`;

const paidAt = (moment: string): string => `(p.from_unix <= ${moment} AND p.until_unix > ${moment})`;

/** Sums for each customer at the start and the end of each month, and how many subscriptions were unknown then. */
function customersSql(input: OwnInput): string {
  const { buckets, currency, withTrials } = input;
  return `${reachedSql(buckets)},
all_states AS MATERIALIZED (SELECT * FROM report_subscription_states),
states AS (SELECT * FROM all_states AS s WHERE 1${only(currency, 's.currency')}),
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
known AS (SELECT id, currency, coalesce(created_unix, min(from_unix)) AS created_unix, min(from_unix) AS since FROM states GROUP BY id),
unknown AS (
  SELECT b.label, b.method, b.has_seam, k.currency,
    sum(b.method = 'observed' AND k.created_unix < b.begins AND k.since >= b.begins) AS at_start,
    sum(b.method = 'observed' AND k.created_unix < b.ends AND k.since >= b.ends) AS at_end
  FROM months AS b JOIN known AS k ON k.created_unix < b.ends GROUP BY b.label, k.currency
),
holders AS (
  SELECT b.label, 'observed' AS method, s.currency, s.customer_id,
    sum(${worth('b.begins - 1', input)}) AS before,
    sum(${worth('b.ends - 1', input)}) AS after,
    sum((${worth('b.ends - 1', input)}) > 0) AS subscriptions,
    max(s.from_unix < b.begins${counts('b.begins - 1', withTrials)} AND s.status IN ('active', 'overdue') AND s.monthly_minor > 0) AS was_there,
    sum((${held('b.begins - 1')} OR ${held('b.ends - 1')}) AND s.status IN ('active', 'overdue') AND s.monthly_minor IS NULL) AS inexact,
    0 AS assumed
  FROM months AS b JOIN states AS s ON s.from_unix < b.ends
  WHERE b.method = 'observed' OR b.has_seam
  GROUP BY b.label, s.currency, s.customer_id
  UNION ALL
  SELECT b.label, 'rebuilt', p.currency, p.customer_id,
    sum(CASE WHEN ${paidAt('b.begins - 1')} THEN p.monthly_minor ELSE 0 END),
    sum(CASE WHEN ${paidAt('b.ends - 1')} THEN p.monthly_minor ELSE 0 END),
    sum(${paidAt('b.ends - 1')} AND p.monthly_minor > 0),
    max(p.from_unix < b.begins AND p.monthly_minor > 0),
    sum((${paidAt('b.begins - 1')} OR ${paidAt('b.ends - 1')}) AND p.monthly_minor IS NULL),
    sum(${paidAt('b.ends - 1')} AND p.is_assumed)
  FROM months AS b JOIN report_paid_periods AS p ON p.from_unix < b.ends
  WHERE b.method = 'rebuilt'${only(currency, 'p.currency')}
  GROUP BY b.label, p.currency, p.customer_id
)`;
}

/** A figure that is NULL unless every subscription, and what each brings in a month, is known at that moment. */
const ifKnown = (when: 'start' | 'end' | 'both', figure: string): string => {
  const unknown = when === 'both' ? 'u.at_start + u.at_end' : `u.at_${when}`;
  return `CASE WHEN ${unknown} + coalesce(s.inexact, 0) = 0 THEN ${figure} END`;
};

const sumIfKnown = (when: 'start' | 'end' | 'both', figure: string): string =>
  ifKnown(when, `coalesce(s.${figure}, 0)`);

const UNKNOWN =
  'coalesce(s.assumed, 0) AS assumed, u.at_start AS unknown_at_start, u.at_end AS unknown_at_end, coalesce(s.inexact, 0) AS unknown_amounts';
const UNKNOWN_COLUMNS: OwnReport['columns'] = [
  { name: 'assumed', unit: 'count', about: "rebuilt periods based on today's amount or schedule" },
  { name: 'unknown_at_start', unit: 'count', about: 'subscriptions whose state at the start is unknown' },
  { name: 'unknown_at_end', unit: 'count', about: 'the same at the end' },
  {
    name: 'unknown_amounts',
    unit: 'count',
    about: 'subscriptions whose monthly revenue is unknown',
  },
];

const share = (part: string, whole: string): string => `round(100.0 * (${part}) / nullif(${whole}, 0), 2)`;

const mrrSql = (input: OwnInput): string => `WITH ${customersSql(input)},
sums AS (
  SELECT c.label, c.method, c.currency,
    sum(before) AS start_minor,
    sum(CASE WHEN before = 0 AND after > 0 AND NOT was_there THEN after ELSE 0 END) AS new_minor,
    sum(CASE WHEN before = 0 AND after > 0 AND was_there THEN after ELSE 0 END) AS reactivation_minor,
    sum(CASE WHEN before > 0 AND after > before THEN after - before ELSE 0 END) AS expansion_minor,
    sum(CASE WHEN after > 0 AND after < before THEN before - after ELSE 0 END) AS contraction_minor,
    sum(CASE WHEN before > 0 AND after = 0 THEN before ELSE 0 END) AS churn_minor,
    sum(after) AS end_minor,
    sum(after > 0) AS customers,
    sum(subscriptions) AS subscriptions,
    sum(inexact) AS inexact, sum(assumed) AS assumed
  FROM holders AS c GROUP BY c.label, c.method, c.currency
)
SELECT u.label AS month, u.method, u.currency,
  ${sumIfKnown('start', 'start_minor')} AS start_minor,
  ${sumIfKnown('both', 'new_minor')} AS new_minor,
  ${sumIfKnown('both', 'reactivation_minor')} AS reactivation_minor,
  ${sumIfKnown('both', 'expansion_minor')} AS expansion_minor,
  ${sumIfKnown('both', 'contraction_minor')} AS contraction_minor,
  ${sumIfKnown('both', 'churn_minor')} AS churn_minor,
  0 AS method_change_minor,
  ${sumIfKnown('end', 'end_minor')} AS end_minor,
  ${sumIfKnown('end', 'customers')} AS customers,
  ${sumIfKnown('end', 'subscriptions')} AS subscriptions,
  ${ifKnown('both', share('s.churn_minor + s.contraction_minor - s.expansion_minor', 's.start_minor'))} AS net_churn,
  ${UNKNOWN}
FROM unknown AS u LEFT JOIN sums AS s ON s.label = u.label AND s.method = u.method AND s.currency IS u.currency
UNION ALL
-- The seam: what the same moment is by what was paid, and by what syncs have seen.
SELECT u.label, 'method change', u.currency, coalesce(r.end_minor, 0), 0, 0, 0, 0, 0,
  coalesce(o.end_minor, 0) - coalesce(r.end_minor, 0), coalesce(o.end_minor, 0), coalesce(o.customers, 0), coalesce(o.subscriptions, 0),
  NULL, 0, 0, 0, 0
FROM unknown AS u
LEFT JOIN sums AS r ON r.label = u.label AND r.method = 'rebuilt' AND r.currency IS u.currency
LEFT JOIN sums AS o ON o.label = u.label AND o.method = 'observed' AND o.currency IS u.currency
WHERE u.has_seam
ORDER BY 1, 2 DESC, 3`;

const METHOD_LEADS: OwnReport['columns'] = [
  { name: 'month', unit: 'text', about: 'the month' },
  {
    name: 'method',
    unit: 'text',
    about: 'observed by syncs, or rebuilt from payments; method change between the two',
  },
];

export const MRR: OwnReport = {
  kind: 'own',
  name: 'mrr',
  definition:
    'What active and overdue subscriptions bring in a month: an amount a every n months counts a/n, n years a/12n, n weeks ' +
    'a*365/84n, n days a*365/12n, calendar and fiscal schedules by their renewals per year; rounded half up per subscription. ' +
    'start + new + reactivation + expansion - contraction - churn = end, each customer counted whole: churn only if no other ' +
    'subscription of the customer is left. net_churn = (churn + contraction - expansion) / start, in percent.',
  basis:
    'The state of each subscription at the start and the end of a month, as syncs saw it (observed). Months in which a ' +
    'subscription changed before the first sync saw it are rebuilt from payments: from the start of a paid period to ' +
    'its end, so that without another payment a subscription ends on the last paid day; the service shows no day of ' +
    'cancellation. No month mixes the two, and a separate line shows the difference between them: method change. ' +
    'A subscription that began with a trial counts from its first payment, usually at the end of the trial; with ' +
    '--with-trials from its start. One that is overdue for longer than --overdue-days (30) counts as gone: from its first ' +
    'failed renewal since the last paid one. A subscription that was gone, suspended or ended and is active again counts ' +
    'from its next payment, not from resuming.',
  rule: 'Movements by customer as in ChartMogul; overdue for longer than 30 days counts as gone, as in Baremetrics; Stripe counts an overdue subscription until it is cancelled.',
  views: ['report_subscription_states', 'report_paid_periods'],
  leads: METHOD_LEADS,
  groups: {},
  range: 'month',
  monthly: true,
  takes: ['overdueDays', 'withTrials'],
  leavesOut: ['not-counted-subscriptions'],
  columns: [
    { name: 'start', title: 'MRR at the start', unit: 'money', about: 'recurring revenue at the start' },
    { name: 'new', unit: 'money', about: 'from customers who had none before' },
    { name: 'reactivation', unit: 'money', about: 'from customers who had left' },
    { name: 'expansion', unit: 'money', about: 'more from customers who stayed' },
    { name: 'contraction', unit: 'money', about: 'less from customers who stayed' },
    { name: 'churn', unit: 'money', about: 'lost from customers who left' },
    { name: 'method_change', unit: 'money', about: 'observed less rebuilt where the two meet; never churn' },
    { name: 'end', title: 'MRR at the end', unit: 'money', about: 'recurring revenue at the end' },
    { name: 'customers', unit: 'count', about: 'customers at the end' },
    { name: 'subscriptions', unit: 'count', about: 'subscriptions at the end' },
    { name: 'net_churn', unit: 'percent', about: '(churn + contraction - expansion) / start, percent' },
    ...UNKNOWN_COLUMNS,
  ],
  query: mrrSql,
  relations: [
    {
      total: 'end',
      plus: ['start', 'new', 'reactivation', 'expansion', 'method_change'],
      minus: ['contraction', 'churn'],
    },
  ],
  carries: { end: 'end', start: 'start' },
  drawn: 'end',
};

const churnSql = (input: OwnInput): string => `WITH ${customersSql(input)},
sums AS (
  SELECT c.label, c.method, c.currency,
    sum(before > 0) AS start_customers,
    sum(before > 0 AND after = 0) AS churned,
    sum(before > 0 AND after > 0) AS stayed,
    sum(before = 0 AND after > 0) AS joined,
    sum(after > 0) AS end_customers,
    sum(before) AS start_minor,
    sum(CASE WHEN before > 0 AND after = 0 THEN before ELSE 0 END) AS churned_minor,
    sum(inexact) AS inexact, sum(assumed) AS assumed
  FROM holders AS c GROUP BY c.label, c.method, c.currency
),
-- An end is for good: its day is that of the first state in which the subscription had ended.
ended AS (
  SELECT s.id, s.currency, s.customer_id, min(s.from_unix) AS at, s.monthly_minor
  FROM states AS s WHERE s.status IN ('cancelled', 'occurrence_limit')${counts('s.from_unix', input.withTrials)} GROUP BY s.id
),
gone AS (
  SELECT s.currency, s.customer_id, max(e.at) AS at
  FROM states AS s LEFT JOIN ended AS e ON e.id = s.id
  WHERE s.until_unix IS NULL${counts('9000000000000', input.withTrials)} GROUP BY s.currency, s.customer_id HAVING count(*) = count(e.id)
),
ends AS (
  SELECT b.label, e.currency, count(*) AS ended, sum(e.monthly_minor) AS ended_minor, sum(e.monthly_minor IS NULL) AS inexact
  FROM buckets AS b JOIN ended AS e ON e.at >= b.begins AND e.at < b.ends GROUP BY b.label, e.currency
),
farewells AS (
  SELECT b.label, g.currency, count(*) AS customers
  FROM buckets AS b JOIN gone AS g ON g.at >= b.begins AND g.at < b.ends GROUP BY b.label, g.currency
)
SELECT u.label AS month, u.method, u.currency,
  ${sumIfKnown('start', 'start_customers')} AS start_customers,
  ${sumIfKnown('both', 'churned')} AS churned,
  ${sumIfKnown('both', 'stayed')} AS stayed,
  ${sumIfKnown('both', 'joined')} AS joined,
  ${sumIfKnown('end', 'end_customers')} AS end_customers,
  ${sumIfKnown('both', 'churned_minor')} AS churned_amount_minor,
  ${ifKnown('both', share('s.churned', 's.start_customers'))} AS churn,
  ${ifKnown('both', share('s.churned_minor', 's.start_minor'))} AS revenue_churn,
  coalesce(e.ended, 0) AS ended,
  CASE WHEN coalesce(e.inexact, 0) = 0 THEN coalesce(e.ended_minor, 0) END AS ended_amount_minor,
  coalesce(f.customers, 0) AS gone_customers,
  ${UNKNOWN}
FROM unknown AS u
LEFT JOIN sums AS s ON s.label = u.label AND s.method = u.method AND s.currency IS u.currency
LEFT JOIN ends AS e ON e.label = u.label AND e.currency IS u.currency
LEFT JOIN farewells AS f ON f.label = u.label AND f.currency IS u.currency
ORDER BY 1, 3`;

export const CHURN: OwnReport = {
  kind: 'own',
  name: 'churn',
  definition:
    'churn = customers with a paid subscription at the begin of the month who have none at its end, by all customers at the ' +
    'begin, in percent. start_customers = churned + stayed, end_customers = stayed + joined. Who came and went inside the month is in neither. ended are ' +
    'subscriptions that were cancelled or used up in the month, gone_customers those whose last subscription ended in it and ' +
    'who have no other: an end is final, so both are known without a history. Suspended subscriptions are in neither.',
  basis:
    'The same states as `cops report mrr`, with the same empty figures if they are unknown. An end counts on the day ' +
    'the subscription was first seen or last updated as ended, whichever is earlier.',
  views: ['report_subscription_states', 'report_paid_periods'],
  leads: METHOD_LEADS,
  groups: {},
  range: 'month',
  monthly: true,
  takes: ['overdueDays', 'withTrials'],
  leavesOut: ['not-counted-subscriptions'],
  columns: [
    { name: 'start_customers', unit: 'count', about: 'customers at the start' },
    { name: 'churned', unit: 'count', about: 'those who left' },
    { name: 'stayed', unit: 'count', about: 'those who stayed' },
    { name: 'churned_amount', unit: 'money', about: 'what those who left brought in a month' },
    { name: 'churn', unit: 'percent', about: 'churned by start_customers, percent' },
    { name: 'revenue_churn', unit: 'percent', about: 'the same of what they brought, percent' },
    { name: 'joined', unit: 'count', about: 'customers at the end who were none at the begin, new or back again' },
    { name: 'end_customers', unit: 'count', about: 'customers at the end' },
    { name: 'ended', unit: 'count', about: 'subscriptions that were cancelled or used up in the month' },
    { name: 'ended_amount', unit: 'money', about: 'their monthly revenue' },
    { name: 'gone_customers', unit: 'count', about: 'customers whose last subscription ended in the month' },
    ...UNKNOWN_COLUMNS,
  ],
  query: churnSql,
  relations: [
    { total: 'start_customers', plus: ['churned', 'stayed'], minus: [] },
    { total: 'end_customers', plus: ['stayed', 'joined'], minus: [] },
  ],
  drawn: 'churned_amount',
};

const RETENTION_GROUPS = dimensions('campaign', 'country');

/** Months from one time's text `YYYY-MM…` to another's. */
const monthsBetween = (from: string, to: string): string =>
  `(substr(${to}, 1, 4) - substr(${from}, 1, 4)) * 12 + substr(${to}, 6, 2) - substr(${from}, 6, 2)`;

const retentionSql = ({ buckets, groups, currency }: OwnInput): string => {
  const [begins, ends] = [buckets[0]?.begins ?? 0, buckets.at(-1)?.ends ?? 0];
  const names = groups.map((group) => `${RETENTION_GROUPS[group]} AS ${group}, `).join('');
  const of = (table: string): string => groups.map((group) => `${table}.${group}, `).join('');
  const match = groups.map((group) => ` AND p.${group} IS s.${group}`).join('');
  // A month in which nobody of a cohort paid has a row too: a missing row means that the month has not come yet.
  return `WITH paid AS (
  SELECT strftime('%Y-%m', v.first_unix, 'unixepoch') AS cohort, v.currency, ${names}v.customer_id, v.paid_minor,
    strftime('%Y-%m', v.at_unix, 'unixepoch') AS paid_month
  FROM report_customer_payments AS v
  WHERE v.first_unix >= ${begins} AND v.first_unix < ${ends}${only(currency, 'v.currency')}
),
sizes AS (
  SELECT p.cohort, p.currency, ${of('p')}count(DISTINCT p.customer_id) AS size FROM paid AS p
  WHERE p.paid_month = p.cohort GROUP BY p.cohort, ${of('p')}p.currency
),
known AS (
  SELECT strftime('%Y-%m', max(coalesce(min(f.read_at), 0), coalesce((SELECT max(at_unix) FROM report_customer_payments), 0)), 'unixepoch') AS until
  FROM _families AS f WHERE f.family IN ('sales', 'subscription_renewals', 'trials')
),
months(month) AS (SELECT 0 UNION ALL SELECT month + 1 FROM months, known WHERE month < ${monthsBetween("'1970-01'", 'known.until')})
SELECT s.cohort, ${of('s')}s.currency, m.month, s.size, count(DISTINCT p.customer_id) AS customers,
  round(100.0 * count(DISTINCT p.customer_id) / s.size, 2) AS retained, coalesce(sum(p.paid_minor), 0) AS amount_minor
FROM sizes AS s CROSS JOIN known AS k
JOIN months AS m ON m.month <= ${monthsBetween('s.cohort', 'k.until')}
LEFT JOIN paid AS p ON p.cohort = s.cohort AND p.currency IS s.currency${match} AND ${monthsBetween('p.cohort', 'p.paid_month')} = m.month
GROUP BY s.cohort, ${of('s')}s.currency, m.month ORDER BY s.cohort, ${of('s')}s.currency, m.month`;
};

export const RETENTION: OwnReport = {
  kind: 'own',
  name: 'retention',
  definition:
    'A cohort is the customers who first paid in a month, in one currency. month 0 is that month, month k the k-th after it. customers are ' +
    'those of the cohort who paid in month k, retained is customers / size in percent, amount what they paid. ' +
    'Each month until the last sync has a row, even if nobody paid.',
  basis:
    'Months in UTC, whatever the zone in use. Payments of every kind, even refunded ones. The last month may not be over ' +
    'yet. campaign and country are those of the first payment.',
  rule: 'Cohorts by first payment, as in Stripe.',
  views: ['report_customer_payments'],
  groups: RETENTION_GROUPS,
  range: 'all',
  monthly: false,
  columns: [
    { name: 'month', unit: 'count', about: 'months after the first payment' },
    { name: 'size', unit: 'count', about: 'customers of the cohort' },
    { name: 'customers', unit: 'count', about: 'those who paid in that month' },
    { name: 'retained', unit: 'percent', about: 'customers / size, percent' },
    { name: 'amount', unit: 'money', about: 'what they paid in that month' },
  ],
  query: retentionSql,
  relations: [],
  controls: { amount: PAID_BY_FIRST },
  drawn: 'retained',
};
