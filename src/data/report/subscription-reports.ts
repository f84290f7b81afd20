import { counts, customersSql, groupedSql, LAST_GATEWAYS, SUBSCRIPTION_GROUPS } from './subscription-months.js';
import type { OwnInput, OwnReport } from './types.js';

/** By other words than time, what a group never had makes no row. */
const ifAny = (groups: readonly string[], ...figures: readonly string[]): string =>
  groups.length === 0
    ? '1'
    : `(u.at_start + u.at_end + coalesce(s.inexact, 0) > 0 OR ${figures.map((name) => `${name} <> 0`).join(' OR ')})`;

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

const mrrSql = (input: OwnInput): string => {
  const { of, apart, same, order } = groupedSql(input.groups);
  return `WITH ${customersSql(input)},
sums AS (
  SELECT c.label, c.method, c.currency${of('c')},
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
  FROM holders AS c GROUP BY c.label, c.method, c.currency${apart('c')}
)
SELECT u.label AS month, u.method AS method${of('u')}, u.currency AS currency,
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
FROM unknown AS u LEFT JOIN sums AS s ON s.label = u.label AND s.method = u.method AND s.currency IS u.currency${same('s', 'u')}
WHERE ${ifAny(input.groups, 's.start_minor', 's.end_minor')}
UNION ALL
-- The seam: what the same moment is by what was paid, and by what syncs have seen.
SELECT u.label, 'method change'${of('u')}, u.currency, coalesce(r.end_minor, 0), 0, 0, 0, 0, 0,
  coalesce(o.end_minor, 0) - coalesce(r.end_minor, 0), coalesce(o.end_minor, 0), coalesce(o.customers, 0), coalesce(o.subscriptions, 0),
  NULL, 0, 0, 0, 0
FROM unknown AS u
LEFT JOIN sums AS r ON r.label = u.label AND r.method = 'rebuilt' AND r.currency IS u.currency${same('r', 'u')}
LEFT JOIN sums AS o ON o.label = u.label AND o.method = 'observed' AND o.currency IS u.currency${same('o', 'u')}
WHERE u.has_seam${input.groups.length === 0 ? '' : ' AND coalesce(r.end_minor, 0) + coalesce(o.end_minor, 0) <> 0'}
ORDER BY month, method DESC, currency, end_minor DESC${order}`;
};

const METHOD_LEADS: OwnReport['columns'] = [
  { name: 'month', unit: 'text', about: 'the month' },
  {
    name: 'method',
    unit: 'text',
    about: 'observed by syncs, or rebuilt from payments; method change between the two',
  },
];

const BY_GROUPS =
  'By product, plan, campaign or gateway, a customer counts in the row of each: who changes from one product to another ' +
  'has left the one and joined the other. gateway is that of the last payment; rebuilt months have the product and plan of today.';

/** What both reports share. */
const SHARED: Omit<OwnReport, 'name' | 'definition' | 'basis' | 'columns' | 'query' | 'relations' | 'drawn'> = {
  kind: 'own',
  views: ['report_subscription_states', 'report_paid_periods'],
  holds: ['report_subscription_states'],
  leads: METHOD_LEADS,
  range: 'month',
  monthly: true,
  takes: ['overdueDays', 'withTrials'],
  leavesOut: ['not-counted-subscriptions'],
  groups: SUBSCRIPTION_GROUPS,
  refused: {
    state: "a subscription's shipping address is shown with its payments only",
    'card.brand': 'the service does not show the card of a subscription, and its payments may use several',
    payment_type: 'a subscription may be paid in several ways over time',
    reason: 'the service does not show why a subscription ended',
  },
  viewsOfGroups: { gateway: LAST_GATEWAYS },
  conditions: {
    view: 'report_paid_periods',
    columns: ['customer_email', 'monthly_minor'],
    groups: {
      product: 'v.product',
      plan: 'v.plan',
      campaign: 'v.campaign',
      country: 'v.country',
      customer: 'v.customer_id',
    },
  },
};

export const MRR: OwnReport = {
  ...SHARED,
  name: 'mrr',
  definition:
    'What active and overdue subscriptions bring in a month: an amount a every n months counts a/n, n years a/12n, n weeks ' +
    'a*365/84n, n days a*365/12n, calendar and fiscal schedules by their renewals per year; rounded half up per subscription. ' +
    'start + new + reactivation + expansion - contraction - churn = end, each customer counted whole: churn only if no other ' +
    'subscription of the customer is left. net_churn = (churn + contraction - expansion) / start, in percent.',
  basis:
    'The state of each subscription at the start and the end of a month, as syncs saw it (observed). Months in which a ' +
    'subscription changed before the first sync saw it are rebuilt from payments: from the start of a paid period to ' +
    'its end, so that without another payment a subscription ends on the last paid day, or after --overdue-days if renewals ' +
    'failed (one that has ended or been suspended since: at most until its last try); the service shows no day of cancellation. No month mixes the two: a separate line, method change, shows the difference between them, which is no churn, and its end is what syncs saw. ' +
    'A subscription that began with a trial counts from its first payment, usually at the end of the trial; with ' +
    '--with-trials from its start. One that is overdue for longer than --overdue-days (30) counts as gone: from its first ' +
    'failed renewal since the last paid one. A subscription that was gone, suspended or ended and is active again counts ' +
    'from its next payment, not from resuming. ' +
    BY_GROUPS,
  rule: 'Movements by customer as in ChartMogul; overdue for longer than 30 days counts as gone, as in Baremetrics; Stripe counts an overdue subscription until it is cancelled.',
  columns: [
    { name: 'start', title: 'MRR at the start', unit: 'money', about: 'recurring revenue at the start' },
    { name: 'new', unit: 'money', about: 'from customers who had none before' },
    { name: 'reactivation', unit: 'money', about: 'from customers who had left' },
    { name: 'expansion', unit: 'money', about: 'more from customers who stayed' },
    { name: 'contraction', unit: 'money', about: 'less from customers who stayed' },
    { name: 'churn', unit: 'money', about: 'lost from customers who have no other subscription left' },
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
  parts: ['start', 'method_change', 'end', 'subscriptions'],
  counted: 'customers',
  drawn: 'end',
};

const churnSql = (input: OwnInput): string => {
  const { of, apart, same, order } = groupedSql(input.groups);
  return `WITH ${customersSql(input)},
sums AS (
  SELECT c.label, c.method, c.currency${of('c')},
    sum(before > 0) AS start_customers,
    sum(before > 0 AND after = 0) AS churned,
    sum(before > 0 AND after > 0) AS stayed,
    sum(before = 0 AND after > 0) AS joined,
    sum(after > 0) AS end_customers,
    sum(before) AS start_minor,
    sum(start_subscriptions) AS start_subscriptions,
    sum(lost_subscriptions) AS lost_subscriptions,
    sum(CASE WHEN before > 0 AND after = 0 THEN before ELSE 0 END) AS churned_minor,
    sum(inexact) AS inexact, sum(assumed) AS assumed
  FROM holders AS c GROUP BY c.label, c.method, c.currency${apart('c')}
),
-- An end is for good: its day is that of the first state in which the subscription had ended.
ended AS (
  SELECT s.id, s.currency${of('s')}, s.customer_id, min(s.from_unix) AS at, s.monthly_minor
  FROM states AS s WHERE s.status IN ('cancelled', 'occurrence_limit')${counts('s.from_unix', input.withTrials)} GROUP BY s.id
),
gone AS (
  SELECT s.currency${of('s')}, s.customer_id, max(e.at) AS at
  FROM states AS s LEFT JOIN ended AS e ON e.id = s.id
  WHERE s.until_unix IS NULL${counts('9000000000000', input.withTrials)} GROUP BY s.currency, s.customer_id${apart('s')} HAVING count(*) = count(e.id)
),
ends AS (
  SELECT b.label, e.currency${of('e')}, count(*) AS ended, sum(e.monthly_minor) AS ended_minor, sum(e.monthly_minor IS NULL) AS inexact
  FROM buckets AS b JOIN ended AS e ON e.at >= b.begins AND e.at < b.ends GROUP BY b.label, e.currency${apart('e')}
),
farewells AS (
  SELECT b.label, g.currency${of('g')}, count(*) AS customers
  FROM buckets AS b JOIN gone AS g ON g.at >= b.begins AND g.at < b.ends GROUP BY b.label, g.currency${apart('g')}
)
SELECT u.label AS month, u.method${of('u')}, u.currency,
  ${sumIfKnown('start', 'start_customers')} AS start_customers,
  ${sumIfKnown('both', 'churned')} AS churned,
  ${sumIfKnown('both', 'stayed')} AS stayed,
  ${sumIfKnown('both', 'joined')} AS joined,
  ${sumIfKnown('end', 'end_customers')} AS end_customers,
  ${sumIfKnown('both', 'churned_minor')} AS churned_amount_minor,
  ${ifKnown('both', share('s.churned', 's.start_customers'))} AS churn,
  ${ifKnown('both', share('s.churned_minor', 's.start_minor'))} AS revenue_churn,
  ${sumIfKnown('start', 'start_subscriptions')} AS start_subscriptions,
  ${sumIfKnown('both', 'lost_subscriptions')} AS lost_subscriptions,
  ${ifKnown('both', share('s.lost_subscriptions', 's.start_subscriptions'))} AS subscription_churn,
  coalesce(e.ended, 0) AS ended,
  CASE WHEN coalesce(e.inexact, 0) = 0 THEN coalesce(e.ended_minor, 0) END AS ended_amount_minor,
  coalesce(f.customers, 0) AS gone_customers,
  ${UNKNOWN}
FROM unknown AS u
LEFT JOIN sums AS s ON s.label = u.label AND s.method = u.method AND s.currency IS u.currency${same('s', 'u')}
LEFT JOIN ends AS e ON e.label = u.label AND e.currency IS u.currency${same('e', 'u')}
LEFT JOIN farewells AS f ON f.label = u.label AND f.currency IS u.currency${same('f', 'u')}
WHERE ${ifAny(input.groups, 's.start_customers', 's.end_customers', 'e.ended', 'f.customers')}
ORDER BY month, u.currency, s.start_customers DESC${order}`;
};

export const CHURN: OwnReport = {
  ...SHARED,
  name: 'churn',
  leavesOut: [...(SHARED.leavesOut ?? []), 'begun'],
  definition:
    'churn = customers with a paid subscription at the start of the month who have none at its end, divided by all customers ' +
    'at the start, in percent. start_customers = churned + stayed, end_customers = stayed + joined. Customers who came and went within the month are in neither. ' +
    'subscription_churn is the same for subscriptions, whoever holds them. ended are ' +
    'subscriptions that were cancelled or used up in the month, gone_customers those whose last subscription ended in it and ' +
    'who have no other: an end is final, so both are known without a history. Suspended subscriptions are in neither.',
  basis:
    'The same states as `cops report mrr`, with the same empty figures if they are unknown. An end counts on the day ' +
    'the subscription was first seen or last updated as ended, whichever is earlier. ' +
    BY_GROUPS,
  columns: [
    { name: 'start_customers', unit: 'count', about: 'customers at the start' },
    { name: 'churned', unit: 'count', about: 'customers of the start with nothing left at the end, cancelled or not' },
    { name: 'stayed', unit: 'count', about: 'those who stayed' },
    { name: 'churned_amount', unit: 'money', about: 'what those who left brought in a month' },
    { name: 'churn', unit: 'percent', about: 'churned divided by start_customers, percent' },
    { name: 'revenue_churn', unit: 'percent', about: 'the same for what they brought, percent' },
    { name: 'joined', unit: 'count', about: 'customers at the end who were none at the start: new, or back again' },
    { name: 'end_customers', unit: 'count', about: 'customers at the end' },
    { name: 'start_subscriptions', unit: 'count', about: 'paid subscriptions at the start' },
    { name: 'lost_subscriptions', unit: 'count', about: 'those of them that are gone by the end' },
    {
      name: 'subscription_churn',
      unit: 'percent',
      about: 'lost_subscriptions divided by start_subscriptions, percent',
    },
    { name: 'ended', unit: 'count', about: 'paid subscriptions cancelled or used up in the month' },
    { name: 'ended_amount', unit: 'money', about: 'their monthly revenue' },
    { name: 'gone_customers', unit: 'count', about: 'customers whose last subscription ended in the month' },
    ...UNKNOWN_COLUMNS,
  ],
  query: churnSql,
  relations: [
    { total: 'start_customers', plus: ['churned', 'stayed'], minus: [] },
    { total: 'end_customers', plus: ['stayed', 'joined'], minus: [] },
  ],
  parts: ['ended', 'ended_amount'],
  counted: 'end_customers',
  drawn: 'churned_amount',
};
