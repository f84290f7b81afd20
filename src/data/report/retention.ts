import { dimensions } from './dimensions.js';
import { PAID_BY_FIRST } from './money-reports.js';
import type { OwnInput, OwnReport } from './types.js';

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
  SELECT strftime('%Y-%m', v.first_unix, 'unixepoch') AS cohort, v.currency, ${names}v.customer_id,
    strftime('%Y-%m', v.at_unix, 'unixepoch') AS paid_month, sum(v.paid_minor) AS paid_minor
  FROM report_customer_payments AS v
  WHERE v.first_unix >= ${begins} AND v.first_unix < ${ends}${currency === undefined ? '' : ` AND v.currency = '${currency}'`}
  GROUP BY v.customer_id, v.currency, paid_month
),
cells AS MATERIALIZED (
  SELECT p.cohort, ${of('p')}p.currency, ${monthsBetween('p.cohort', 'p.paid_month')} AS month,
    count(p.customer_id) AS customers, sum(p.paid_minor) AS paid_minor
  FROM paid AS p GROUP BY p.cohort, ${of('p')}p.currency, p.paid_month
),
known AS (
  SELECT strftime('%Y-%m', max(coalesce(min(f.read_at), 0), coalesce((SELECT max(paid_unix) FROM payments), 0)), 'unixepoch') AS until
  FROM _families AS f WHERE f.family IN ('sales', 'subscription_renewals', 'trials')
),
months(month) AS (SELECT 0 UNION ALL SELECT month + 1 FROM months, known WHERE month < ${monthsBetween("'1970-01'", 'known.until')})
SELECT s.cohort, ${of('s')}s.currency, m.month, s.customers AS size, coalesce(p.customers, 0) AS customers,
  round(100.0 * coalesce(p.customers, 0) / s.customers, 2) AS retained, coalesce(p.paid_minor, 0) AS amount_minor
FROM cells AS s CROSS JOIN known AS k
JOIN months AS m ON m.month <= ${monthsBetween('s.cohort', 'k.until')}
LEFT JOIN cells AS p ON p.cohort = s.cohort AND p.currency IS s.currency${match} AND p.month = m.month
WHERE s.month = 0 ORDER BY s.cohort, ${of('s')}s.currency, m.month`;
};

export const RETENTION: OwnReport = {
  kind: 'own',
  name: 'retention',
  leavesOut: ['again-within'],
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
  cohorts: true,
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
