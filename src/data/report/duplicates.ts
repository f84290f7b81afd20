import { HOUR } from '../../base/time/units.js';
import type { OwnInput, OwnReport } from './types.js';

/** How far back a charge is compared with earlier ones, hours. */
const HOURS = 24;

/** An earlier charge of the same customer, amount and currency within those hours. */
const EARLIER = `y.customer_id = x.customer_id AND y.currency = x.currency AND y.amount_minor = x.amount_minor
  AND y.at_unix >= x.at_unix - ${HOURS * HOUR} AND (y.at_unix, y.id) < (x.at_unix, x.id)`;

const KIND = `CASE WHEN x.is_salvage OR y.is_salvage THEN 'salvage retry'
    WHEN x.kind <> 'sale' AND y.kind <> 'sale' AND x.subscription_id <> y.subscription_id THEN 'different subscriptions'
    ELSE 'possible double' END`;

function duplicatesSql({ buckets, currency }: OwnInput): string {
  const [begins, ends] = [buckets[0]?.begins ?? 0, buckets.at(-1)?.ends ?? 0];
  const only = currency === undefined ? '' : ` AND x.currency = '${currency}'`;
  return `WITH charges AS MATERIALIZED (SELECT * FROM report_charges WHERE at_unix >= ${begins - HOURS * HOUR} AND at_unix < ${ends}),
pairs AS MATERIALIZED (
  SELECT ${KIND} AS kind, y.id AS first, x.id AS second, x.customer, x.currency, x.amount_minor,
    (x.at_unix - y.at_unix) / 60 AS minutes, y.at_unix AS first_at, x.at_unix AS second_at,
    y.kind || ' ' || coalesce(y.paid_for, '?') AS first_for, x.kind || ' ' || coalesce(x.paid_for, '?') AS second_for,
    y.paid_for AS first_of, x.paid_for AS second_of, x.refunded_minor + y.refunded_minor AS refunded_minor,
    row_number() OVER (PARTITION BY x.id ORDER BY ${KIND} = 'possible double' DESC, y.at_unix DESC, y.id) AS n
  FROM charges AS x JOIN charges AS y ON ${EARLIER}
  WHERE x.at_unix >= ${begins}${only}
),
nearest AS MATERIALIZED (SELECT * FROM pairs WHERE n = 1),
sold AS MATERIALIZED (
  SELECT id, product FROM payments WHERE id IN (SELECT first_of FROM nearest)
  UNION SELECT id, product FROM payments WHERE id IN (SELECT second_of FROM nearest)
)
SELECT p.kind, p.first, p.second, p.customer, p.currency, p.amount_minor, p.refunded_minor, p.minutes,
  strftime('%Y-%m-%dT%H:%M:%SZ', p.first_at, 'unixepoch') AS first_at, strftime('%Y-%m-%dT%H:%M:%SZ', p.second_at, 'unixepoch') AS second_at,
  p.first_for, p.second_for, coalesce(one.product || ' / ' || nullif(two.product, one.product), two.product, one.product) AS product
FROM nearest AS p
LEFT JOIN sold AS one ON one.id = p.first_of LEFT JOIN sold AS two ON two.id = p.second_of
ORDER BY p.kind = 'possible double' DESC, p.kind, p.second_at, p.second`;
}

export const DUPLICATES: OwnReport = {
  kind: 'own',
  name: 'duplicates',
  leavesOut: ['one-day'],
  definition:
    'Possible double charges: each charge that follows another with the same customer, amount and currency within ' +
    `${HOURS} hours, with the earlier charge and what each paid for. Nothing here proves that a charge was wrong: look at the pair. ` +
    'Renewals of two different subscriptions, and salvage retries, are separate kinds.',
  basis:
    'Approved or captured charges by card, wallet, check and offline, on the day of the later one. Of several earlier ' +
    'charges, the row shows a possible double, otherwise the nearest one. refunded is what has been given back of both. A charge ' +
    'without a customer is not compared.',
  views: ['report_charges', 'payments'],
  groups: {},
  leads: [
    { name: 'kind', unit: 'text', about: 'possible double, different subscriptions or salvage retry' },
    { name: 'second', unit: 'text', about: 'id of the later charge' },
  ],
  range: 'month',
  monthly: false,
  columns: [
    { name: 'amount', unit: 'money', about: 'the amount of each charge' },
    { name: 'customer', unit: 'text', about: "the customer's e-mail address" },
    { name: 'product', unit: 'text', about: 'the product of both, or of each; the first one of an order' },
    { name: 'first', unit: 'text', about: 'id of the earlier charge' },
    { name: 'refunded', unit: 'money', about: 'given back of both so far' },
    { name: 'minutes', unit: 'count', about: 'minutes between them' },
    { name: 'first_at', unit: 'moment', about: 'time of the first charge, UTC' },
    { name: 'second_at', unit: 'moment', about: 'time of the second charge, UTC' },
    { name: 'first_for', unit: 'text', about: 'what the first paid for' },
    { name: 'second_for', unit: 'text', about: 'what the second paid for' },
  ],
  query: duplicatesSql,
  adds: { of: 'kind', columns: ['amount', 'refunded'] },
  relations: [],
  controls: {
    amount: `WITH charges AS MATERIALIZED (SELECT * FROM report_charges WHERE at_unix >= :begins - ${HOURS * HOUR} AND at_unix < :ends)
SELECT x.currency, sum(x.amount_minor) AS value FROM (
  SELECT DISTINCT x.id, x.currency, x.amount_minor FROM charges AS x JOIN charges AS y ON ${EARLIER} WHERE :in(x.at_unix)
) AS x GROUP BY x.currency`,
  },
  drawn: 'amount',
};
