import type { Database } from '../../base/database/types.js';
import { viewColumns } from '../mirror/views.js';
import { wholeUnits } from './figures.js';

/**
 * The running subscriptions of customers who are disabled or blocked: they count like any other, because the service
 * decides whether to charge them again. One sentence; undefined if there are none.
 */
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
      `SELECT v.currency, count(*), sum(v.monthly_minor) FROM subscriptions AS v JOIN raw_subscriptions AS s ON s.id = v.id
       WHERE v.status IN ('active', 'overdue') AND (${flag('enabled')} = 0 OR ${flag('blocked')} = 1)${only} GROUP BY 1 ORDER BY 1`,
    )
    .all();
  const count = rows.reduce((sum, [, some]) => sum + Number(some), 0);
  if (count === 0) return undefined;
  const sums = rows.map(
    ([code, , minor]) => `${wholeUnits(BigInt((minor as number | bigint | null) ?? 0), String(code))} ${code} a month`,
  );
  const some =
    count === 1
      ? '1 running subscription of a disabled customer counts'
      : `${count} running subscriptions of disabled customers count`;
  return `${some} as any other: ${sums.join(', ')}`;
}
