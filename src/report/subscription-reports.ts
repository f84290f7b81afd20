import { DAY } from '../time/units.js';
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

const worth = (moment: string, days: number): string =>
  `CASE WHEN ${held(moment)} AND (s.status = 'active' OR (s.status = 'overdue' AND ${moment} - coalesce(s.overdue_since_unix, s.from_unix) <= ${days * DAY})) THEN s.monthly_minor ELSE 0 END`;

/** Sums of each customer at the begin and the end of each month, and how many subscriptions were not known then. */
function customersSql({ buckets, currency, overdueDays }: OwnInput): string {
  return `${bucketsSql(buckets)},
states AS (SELECT * FROM report_subscription_states AS s WHERE 1${only(currency, 's.currency')}),
known AS (SELECT id, currency, created_unix, min(from_unix) AS since FROM states GROUP BY id),
unknown AS (
  SELECT b.label, k.currency,
    sum(k.created_unix < b.begins AND k.since >= b.begins) AS at_start,
    sum(k.created_unix < b.ends AND k.since >= b.ends) AS at_end
  FROM buckets AS b JOIN known AS k ON k.created_unix < b.ends GROUP BY b.label, k.currency
),
customers AS (
  SELECT b.label, s.currency, s.customer_id,
    sum(${worth('b.begins - 1', overdueDays)}) AS before,
    sum(${worth('b.ends - 1', overdueDays)}) AS after,
    sum((${worth('b.ends - 1', overdueDays)}) > 0) AS subscriptions,
    max(s.from_unix < b.begins AND s.status IN ('active', 'overdue') AND s.monthly_minor > 0) AS was_there,
    max(${held('b.ends - 1')} AND s.status IN ('active', 'overdue') AND s.monthly_minor IS NULL) AS inexact
  FROM buckets AS b JOIN states AS s ON s.from_unix < b.ends
  GROUP BY b.label, s.currency, s.customer_id
)`;
}

const mrrSql = (input: OwnInput): string => `WITH ${customersSql(input)},
sums AS (
  SELECT c.label, c.currency,
    sum(before) AS start_minor,
    sum(CASE WHEN before = 0 AND after > 0 AND NOT was_there THEN after ELSE 0 END) AS new_minor,
    sum(CASE WHEN before = 0 AND after > 0 AND was_there THEN after ELSE 0 END) AS reactivation_minor,
    sum(CASE WHEN before > 0 AND after > before THEN after - before ELSE 0 END) AS expansion_minor,
    sum(CASE WHEN after > 0 AND after < before THEN before - after ELSE 0 END) AS contraction_minor,
    sum(CASE WHEN before > 0 AND after = 0 THEN before ELSE 0 END) AS churn_minor,
    sum(after) AS end_minor,
    sum(after > 0) AS customers,
    sum(subscriptions) AS subscriptions,
    max(inexact) AS inexact
  FROM customers AS c GROUP BY c.label, c.currency
)
SELECT s.label AS month, s.currency,
  CASE WHEN u.at_start > 0 OR s.inexact THEN NULL ELSE s.start_minor END AS start_minor,
  CASE WHEN u.at_start + u.at_end > 0 OR s.inexact THEN NULL ELSE s.new_minor END AS new_minor,
  CASE WHEN u.at_start + u.at_end > 0 OR s.inexact THEN NULL ELSE s.reactivation_minor END AS reactivation_minor,
  CASE WHEN u.at_start + u.at_end > 0 OR s.inexact THEN NULL ELSE s.expansion_minor END AS expansion_minor,
  CASE WHEN u.at_start + u.at_end > 0 OR s.inexact THEN NULL ELSE s.contraction_minor END AS contraction_minor,
  CASE WHEN u.at_start + u.at_end > 0 OR s.inexact THEN NULL ELSE s.churn_minor END AS churn_minor,
  CASE WHEN u.at_end > 0 OR s.inexact THEN NULL ELSE s.end_minor END AS end_minor,
  CASE WHEN u.at_end > 0 THEN NULL ELSE s.customers END AS customers,
  CASE WHEN u.at_end > 0 THEN NULL ELSE s.subscriptions END AS subscriptions,
  CASE WHEN u.at_start + u.at_end > 0 OR s.inexact THEN NULL ELSE round(100.0 * (s.churn_minor + s.contraction_minor - s.expansion_minor) / nullif(s.start_minor, 0), 2) END AS net_churn,
  u.at_start AS unknown_at_start, u.at_end AS unknown_at_end
FROM sums AS s JOIN unknown AS u ON u.label = s.label AND u.currency IS s.currency
ORDER BY s.label, s.currency`;

export const MRR: OwnReport = {
  kind: 'own',
  name: 'mrr',
  about: 'recurring revenue of a month, and what moved it',
  definition:
    'What active and overdue subscriptions bring in a month: an amount every n months counts a/n, n years a/12n, n weeks ' +
    'a*365/84n, n days a*365/12n, calendar and fiscal schedules by their renewals a year; rounded half up for each subscription. ' +
    'start + new + reactivation + expansion - contraction - churn = end, each customer counted whole: churn only where no other ' +
    'subscription of the customer is left. net_churn = (churn + contraction - expansion) by start, in percent.',
  basis:
    'The state of each subscription at the begin and the end of a month, as syncs have seen it. Where a subscription was ' +
    'changed before the first sync saw it, its earlier state is not known, and the figures of that moment are left empty. ' +
    'A subscription whose trial still runs counts. One that is overdue for longer than --overdue-days (30) counts as gone.',
  rule: 'Movements by customer as ChartMogul has them; overdue longer than 30 days counts as gone, as Baremetrics has it; Stripe counts an overdue one until it is cancelled.',
  views: ['report_subscription_states'],
  groups: {},
  range: 'month',
  monthly: true,
  columns: [
    { name: 'start', unit: 'money', about: 'recurring revenue at the begin' },
    { name: 'new', unit: 'money', about: 'of customers who had none before' },
    { name: 'reactivation', unit: 'money', about: 'of customers who had left' },
    { name: 'expansion', unit: 'money', about: 'more of customers who stayed' },
    { name: 'contraction', unit: 'money', about: 'less of customers who stayed' },
    { name: 'churn', unit: 'money', about: 'of customers who left' },
    { name: 'end', unit: 'money', about: 'recurring revenue at the end' },
    { name: 'customers', unit: 'count', about: 'customers at the end' },
    { name: 'subscriptions', unit: 'count', about: 'subscriptions at the end' },
    { name: 'net_churn', unit: 'percent', about: 'churn and contraction less expansion by start, percent' },
    { name: 'unknown_at_start', unit: 'count', about: 'subscriptions whose state at the begin is not known' },
    { name: 'unknown_at_end', unit: 'count', about: 'the same at the end' },
  ],
  query: mrrSql,
  relations: [{ total: 'end', plus: ['start', 'new', 'reactivation', 'expansion'], minus: ['contraction', 'churn'] }],
  drawn: 'end',
};

const churnSql = (input: OwnInput): string => `WITH ${customersSql(input)},
sums AS (
  SELECT c.label, c.currency,
    sum(before > 0) AS start_customers,
    sum(before > 0 AND after = 0) AS churned,
    sum(before > 0 AND after > 0) AS stayed,
    sum(before) AS start_minor,
    sum(CASE WHEN before > 0 AND after = 0 THEN before ELSE 0 END) AS churned_minor
  FROM customers AS c GROUP BY c.label, c.currency
)
SELECT s.label AS month, s.currency,
  CASE WHEN u.at_start > 0 THEN NULL ELSE s.start_customers END AS start_customers,
  CASE WHEN u.at_start + u.at_end > 0 THEN NULL ELSE s.churned END AS churned,
  CASE WHEN u.at_start + u.at_end > 0 THEN NULL ELSE s.stayed END AS stayed,
  CASE WHEN u.at_start + u.at_end > 0 THEN NULL ELSE s.churned_minor END AS churned_amount_minor,
  CASE WHEN u.at_start + u.at_end > 0 THEN NULL ELSE round(100.0 * s.churned / nullif(s.start_customers, 0), 2) END AS churn,
  CASE WHEN u.at_start + u.at_end > 0 THEN NULL ELSE round(100.0 * s.churned_minor / nullif(s.start_minor, 0), 2) END AS revenue_churn,
  u.at_start AS unknown_at_start, u.at_end AS unknown_at_end
FROM sums AS s JOIN unknown AS u ON u.label = s.label AND u.currency IS s.currency
ORDER BY s.label, s.currency`;

export const CHURN: OwnReport = {
  kind: 'own',
  name: 'churn',
  about: 'customers who left',
  definition:
    'churn = customers with a paid subscription at the begin of the month who have none at its end, by all customers at the ' +
    'begin, in percent. start_customers = churned + stayed. Who came and went inside the month is in neither.',
  basis: 'The same states as `cops report mrr`, with the same empty figures where they are not known.',
  views: ['report_subscription_states'],
  groups: {},
  range: 'month',
  monthly: true,
  columns: [
    { name: 'start_customers', unit: 'count', about: 'customers at the begin' },
    { name: 'churned', unit: 'count', about: 'those who left' },
    { name: 'stayed', unit: 'count', about: 'those who stayed' },
    { name: 'churned_amount', unit: 'money', about: 'what those who left brought in a month' },
    { name: 'churn', unit: 'percent', about: 'churned by start_customers, percent' },
    { name: 'revenue_churn', unit: 'percent', about: 'the same of what they brought, percent' },
    { name: 'unknown_at_start', unit: 'count', about: 'subscriptions whose state at the begin is not known' },
    { name: 'unknown_at_end', unit: 'count', about: 'the same at the end' },
  ],
  query: churnSql,
  relations: [{ total: 'start_customers', plus: ['churned', 'stayed'], minus: [] }],
  drawn: 'churned_amount',
};

const RETENTION_GROUPS: Readonly<Record<string, string>> = { campaign: 'v.campaign', country: 'v.country' };

const retentionSql = ({ buckets, groups, currency }: OwnInput): string => {
  const [begins, ends] = [buckets[0]?.begins ?? 0, buckets.at(-1)?.ends ?? 0];
  const names = groups.map((group) => `${RETENTION_GROUPS[group]} AS ${group}, `).join('');
  const list = groups.map((group) => `p.${group}, `).join('');
  const match = groups.map((group) => ` AND s.${group} IS p.${group}`).join('');
  return `WITH paid AS (
  SELECT strftime('%Y-%m', v.first_unix, 'unixepoch') AS cohort, v.currency, ${names}v.customer_id, v.paid_minor,
    (strftime('%Y', v.at_unix, 'unixepoch') - strftime('%Y', v.first_unix, 'unixepoch')) * 12
      + strftime('%m', v.at_unix, 'unixepoch') - strftime('%m', v.first_unix, 'unixepoch') AS month
  FROM report_customer_payments AS v
  WHERE v.first_unix >= ${begins} AND v.first_unix < ${ends}${only(currency, 'v.currency')}
),
sizes AS (
  SELECT p.cohort, p.currency, ${list}count(DISTINCT p.customer_id) AS size FROM paid AS p WHERE p.month = 0 GROUP BY ${list}p.cohort, p.currency
)
SELECT p.cohort, ${list}p.currency, p.month, s.size, count(DISTINCT p.customer_id) AS customers,
  round(100.0 * count(DISTINCT p.customer_id) / s.size, 2) AS retained, sum(p.paid_minor) AS amount_minor
FROM paid AS p JOIN sizes AS s ON s.cohort = p.cohort AND s.currency IS p.currency${match}
GROUP BY p.cohort, ${list}p.currency, p.month ORDER BY p.cohort, ${list}p.currency, p.month`;
};

export const RETENTION: OwnReport = {
  kind: 'own',
  name: 'retention',
  about: 'customers of a month who paid again later',
  definition:
    'A cohort is who first paid in a month, in one currency. month 0 is that month, month k the k-th after it. customers are ' +
    'those of the cohort who paid in month k, retained the same by the size of the cohort in percent, amount what they paid.',
  basis:
    'Months of UTC, whatever the zone in use. Payments of every kind, refunded ones too. The last month may not be over yet.',
  rule: 'Cohorts by first payment, as Stripe has them.',
  views: ['report_customer_payments'],
  groups: RETENTION_GROUPS,
  range: 'all',
  monthly: false,
  columns: [
    { name: 'month', unit: 'count', about: 'months after the first payment' },
    { name: 'size', unit: 'count', about: 'customers of the cohort' },
    { name: 'customers', unit: 'count', about: 'those who paid in that month' },
    { name: 'retained', unit: 'percent', about: 'customers by size, percent' },
    { name: 'amount', unit: 'money', about: 'what they paid in that month' },
  ],
  query: retentionSql,
  relations: [],
  drawn: 'retained',
};
