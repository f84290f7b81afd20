import type { Cell, Database } from '../../base/database/types.js';
import { cops, say, type Text } from '../../base/text/command-line.js';
import { DAY } from '../../base/time/units.js';
import { viewColumns } from '../mirror/views.js';
import { wholeUnits } from './figures.js';
import type { ReportQuestion } from './report-question.js';

/** What becomes of renewals meanwhile; every report that such customers concern says it. */
const MEANWHILE = 'while a customer is disabled, renewals may fall due without being tried';

/** The running subscriptions of customers who are disabled or blocked. One sentence; undefined if there are none. */
export function disabledNote(database: Database, currency: string | undefined): string | undefined {
  const columns = viewColumns(database, 'raw_subscriptions');
  const isKept = viewColumns(database, 'raw_customers').includes('enabled');
  const flag = (name: string): string => {
    const own = columns.includes(`customer_${name}`) ? `s.customer_${name}` : 'NULL';
    return isKept ? `coalesce((SELECT c.${name} FROM raw_customers AS c WHERE c.id = s.customer_id), ${own})` : own;
  };
  const only = currency === undefined ? '' : ` AND v.currency = '${currency}'`;
  const rows = database
    .query(
      // Most customers are known to be enabled; only the subscriptions of the others are read in full.
      `SELECT v.currency, count(*), sum(v.monthly_minor) FROM subscriptions AS v CROSS JOIN raw_subscriptions AS s ON s.id = v.id
       WHERE v.status IN ('active', 'overdue')${isKept ? " AND coalesce(v.customer_id, '') NOT IN (SELECT id FROM raw_customers WHERE enabled = 1 AND blocked = 0)" : ''} AND (${flag('enabled')} = 0 OR ${flag('blocked')} = 1)${only} GROUP BY 1 ORDER BY 1`,
    )
    .all();
  const count = rows.reduce((sum, [, some]) => sum + Number(some), 0);
  if (count === 0) return undefined;
  const verb = count === 1 ? 'subscription of a disabled customer is' : 'subscriptions of disabled customers are';
  return `${count} running ${verb} counted (${currencySums(rows, ' a month')}): ${MEANWHILE}`;
}

/** Rows of currency, count and minor units: the amounts. */
export const currencySums = (rows: readonly (readonly Cell[])[], each = ''): string =>
  rows
    .map(
      ([code, , minor]) => `${wholeUnits(BigInt((minor as number | bigint | null) ?? 0), String(code))} ${code}${each}`,
    )
    .join(', ');

/** Due amounts that were never tried have not failed, so no report of failures or debts includes them. */
export function untriedNotes(
  database: Database,
  { period, currency, isPast }: Pick<ReportQuestion, 'period' | 'currency' | 'isPast'>,
): Text[] {
  if (isPast) return [];
  const which = cops`subscriptions list --where status=active,overdue --where ${'next_renewal<-1d'}`;
  const [readAt] =
    database.query("SELECT read_at FROM _families WHERE family = 'subscriptions' AND state = 'synced'").get() ?? [];
  const isKept = viewColumns(database, 'raw_subscriptions').includes('billing_next_renewal_date_unix');
  if (!isKept || typeof readAt !== 'number')
    return [say`renewals that fell due and were never tried are not counted (${MEANWHILE}): ${which}`];
  // A service may take hours to come to one.
  const until = Math.min(period.ends, readAt - DAY);
  const only = currency === undefined ? '' : ` AND s.iso_currency = '${currency}'`;
  const rows = database
    .query(
      `SELECT s.iso_currency, count(*), sum(s.amount_minor) FROM raw_subscriptions AS s
       WHERE s.status IN ('active', 'overdue') AND s.billing_next_renewal_date_unix >= ${Math.max(1, period.begins)}
         AND s.billing_next_renewal_date_unix < ${until}${only} GROUP BY 1 ORDER BY 1`,
    )
    .all();
  const count = rows.reduce((sum, [, some]) => sum + Number(some), 0);
  if (count === 0) return [];
  const verb = count === 1 ? 'renewal that fell due was' : 'renewals that fell due were';
  return [say`${count} ${verb} never tried, and not counted (${currencySums(rows)}): ${MEANWHILE}; which: ${which}`];
}
