import { DAY } from '../../base/time/units.js';
import { localClock } from './fact-source.js';
import type { ConditionedView, OwnInput, OwnReport } from './types.js';

const GROUPS: Readonly<Record<string, string>> = {
  payment: 'p.id',
  subscription: 'p.subscription',
  customer: 'p.customer COLLATE NOCASE',
  method: 'p.method COLLATE NOCASE',
  campaign: 'p.campaign COLLATE NOCASE',
  country: 'p.country COLLATE NOCASE',
};

/** What `--where` is about: each open payment by the same words. */
const CONDITIONS: ConditionedView = {
  view: 'report_open_payments',
  groups: {
    what: 'v.what',
    payment: 'v.id',
    subscription: 'v.subscription',
    customer: 'v.customer',
    method: 'v.method',
    campaign: 'v.campaign',
    country: 'v.country',
  },
};

/** The families whose states the report uses. */
const FAMILIES =
  "('salvage_transactions', 'subscription_renewals', 'sales', 'invoices', 'check_directs', 'offline_payments')";

/** The last days of all buckets but the oldest, which has none. */
const BUCKETS: readonly number[] = [30, 60, 90];

/** The age of an amount as the name of its bucket, or as the bucket's place. */
function bucketOf(edges: readonly number[], isPlace = false): string {
  const cases = edges.map((edge, i) => {
    const name = `${i === 0 ? 0 : (edges[i - 1] as number) + 1}-${edge}`;
    return `WHEN p.days <= ${edge} THEN ${isPlace ? i : `'${name}'`}`;
  });
  return `CASE ${cases.join(' ')} ELSE ${isPlace ? edges.length : `'${edges.at(-1)}+'`} END`;
}

/** A state that held at a past moment; the latest state if the mirror has not been read since. */
const HELD_THEN =
  'v.created_unix <= a.moment AND CASE WHEN a.moment >= a.reached THEN v.until_unix IS NULL ' +
  'ELSE v.seen_unix <= a.moment AND (v.until_unix IS NULL OR v.until_unix > a.moment) END';

function agingSql({ buckets, groups, currency, zone, isPast, ages = BUCKETS, where = [] }: OwnInput): string {
  const at = (buckets.at(-1)?.ends ?? 1) - 1;
  const only = [...(currency === undefined ? [] : [`v.currency = '${currency}'`]), ...where.map(({ sql }) => sql)]
    .map((condition) => ` AND ${condition}`)
    .join('');
  const keys = groups.map((group) => `${GROUPS[group]} AS ${group}, `).join('');
  const places = Array.from({ length: groups.length + 3 }, (_, i) => i + 1);
  return `WITH at(moment, reached) AS (
  SELECT ${at}, coalesce(min(read_at), 0) FROM _families WHERE family IN ${FAMILIES}
),
held AS (
  SELECT v.*, (${localClock('a.moment', zone)}) / ${DAY} - (${localClock('v.first_unix', zone)}) / ${DAY} AS days, a.moment
  FROM report_open_payments AS v CROSS JOIN at AS a
  WHERE ${isPast ? HELD_THEN : 'v.until_unix IS NULL'}${only}
),
taken AS (
  SELECT h.id, h.what, sum(t.amount_minor) AS minor FROM held AS h, json_each(h.transactions) AS j
  JOIN raw_transactions AS t ON t.id = j.value
  WHERE t.result = 'approved' AND coalesce(t.method, '') NOT LIKE '%refund%'${isPast ? ' AND t.created_date_unix <= h.moment' : ''} GROUP BY 1, 2
),
given AS MATERIALIZED (
  SELECT r.transaction_id AS charge, sum(r.amount_minor) AS minor FROM refunds AS r
  WHERE r.transaction_id IS NOT NULL${isPast ? ` AND r.created_unix <= ${at}` : ''} GROUP BY 1
),
returned AS (
  SELECT h.id, h.what, sum(g.minor) AS minor FROM held AS h, json_each(h.transactions) AS j
  JOIN given AS g ON g.charge = j.value GROUP BY 1, 2
),
paid AS (
  SELECT h.*, coalesce(r.minor, 0) AS refunded_minor,
    CASE WHEN h.what IN ('check', 'offline', 'invoice') THEN h.captured_minor ELSE coalesce(t.minor, 0) END AS taken_minor
  FROM held AS h
  LEFT JOIN taken AS t ON t.id = h.id AND t.what = h.what LEFT JOIN returned AS r ON r.id = h.id AND r.what = h.what
),
p AS (
  SELECT d.*, d.taken_minor - d.refunded_minor AS collected_minor,
    -- What was given up may no longer be shown as remaining.
    CASE WHEN NOT d.is_disabled THEN 0 WHEN d.remaining_minor <> 0 THEN d.remaining_minor ELSE d.failed_minor - d.taken_minor END AS disabled_minor,
    CASE WHEN d.is_disabled THEN 0 ELSE d.remaining_minor END AS open_minor
  FROM paid AS d
)
SELECT p.what, ${bucketOf(ages)} AS bucket, ${keys}p.currency,
  count(*) AS payments, sum(p.failed_minor) AS failed_minor, sum(p.collected_minor) AS collected_minor,
  sum(p.disabled_minor) AS disabled_minor, sum(p.refunded_minor) AS refunded_minor, sum(p.open_minor) AS open_minor,
  max(CASE WHEN p.open_minor <> 0 THEN p.days END) AS oldest,
  sum(p.failed_minor - p.collected_minor - p.disabled_minor - p.refunded_minor <> p.open_minor) AS unlike
FROM p
GROUP BY ${places.join(', ')} ORDER BY p.what = 'failed' DESC, 1, min(${bucketOf(ages, true)}), ${places.at(-1)}, sum(p.open_minor) DESC, ${places.join(', ')}`;
}

export const AGING: OwnReport = {
  kind: 'own',
  name: 'aging',
  definition:
    'failed - collected - disabled - refunded = open, payment by payment. failed is the amount not collected when it was due, ' +
    'collected what was collected later and kept, disabled what was given up, refunded what was collected and given back, open ' +
    'what can still be collected. bucket is the age in calendar days of the zone in use since the first failure, so that yesterday is one day at whatever hour: 0-30, 31-60, 61-90, 90+, or by --buckets 7,30,60. Other payments ' +
    'still awaited have rows of their own, named in what: pending sale, invoice, check, offline; an invoice with a sale counts as that sale. --by payment gives one row per payment, --by subscription one per subscription whose renewals failed.',
  basis:
    'A failed payment counts once: as its salvage transaction, otherwise as the overdue renewal, never as both. A trial that ' +
    'has not ended owes nothing yet and is left out. collected sums the approved attempts of the payment. --as-of is a day of the ' +
    'past, taken at its end in the zone in use: it comes from the history of the mirror, and is refused if the mirror did not watch then.',
  views: ['report_open_payments', 'refunds'],
  groups: GROUPS,
  leads: [
    { name: 'what', unit: 'text', about: 'failed, or another awaited payment: pending sale, invoice, check, offline' },
    { name: 'bucket', unit: 'text', about: 'age in days: 0-30, 31-60, 61-90, 90+, or as --buckets says' },
  ],
  isOfMoment: true,
  takes: ['buckets'],
  leavesOut: ['debtors', 'untried'],
  range: 'all',
  monthly: false,
  columns: [
    { name: 'payments', unit: 'count', about: 'payments that failed or are still awaited' },
    { name: 'failed', unit: 'money', about: 'amount not collected when it was due' },
    { name: 'collected', unit: 'money', about: 'collected since, and kept' },
    { name: 'disabled', unit: 'money', about: 'given up' },
    { name: 'refunded', unit: 'money', about: 'collected and given back' },
    { name: 'open', unit: 'money', about: 'failed less what was collected, given up or refunded since' },
    { name: 'oldest', unit: 'count', about: 'age of the oldest open payment, days' },
    { name: 'unlike', unit: 'count', about: 'payments whose own figures contradict each other; any is a difference' },
  ],
  query: agingSql,
  conditions: CONDITIONS,
  adds: { of: 'what', columns: ['payments', 'failed', 'collected', 'disabled', 'refunded', 'open', 'unlike'] },
  relations: [
    { total: 'open', plus: ['failed'], minus: ['collected', 'disabled', 'refunded'] },
    { total: 'unlike', plus: [], minus: [] },
  ],
  drawn: 'open',
};
