import type { Database } from '../../base/database/types.js';
import { rawName, sqlName } from '../mirror/layout.js';
import { viewColumns } from '../mirror/views.js';
import type { Figures } from './figures.js';
import type { ReportRow } from './types.js';

/** Lists whose items carry the customer they belong to; the list of customers itself comes first. */
const CARRIERS = ['customers', 'sales', 'subscription_renewals', 'trials', 'transactions'] as const;

/** The column that a name stands behind. */
const EMAIL = 'customer_email';

/** Rows by customer with the name of each, as the mirror has seen it last; the rest unchanged. */
export function withCustomerNames(database: Database, figures: Figures): Figures {
  const { statement, rows, totals } = figures;
  const at = statement.columns.findIndex(({ name }) => name === EMAIL);
  if (at < 0 || at >= statement.keys) return figures;
  const ids = new Set(rows.flatMap(({ customer }) => (typeof customer === 'string' ? [customer] : [])));
  const names = namesOf(database, ids);
  const named = (row: ReportRow): ReportRow =>
    Object.fromEntries(
      Object.entries(row).flatMap(([name, value]) =>
        name === EMAIL
          ? [
              [name, value],
              ['customer_name', names.get(String(row.customer)) ?? null],
            ]
          : [[name, value]],
      ),
    );
  const columns = [...statement.columns];
  columns.splice(at + 1, 0, { name: 'customer_name', unit: 'text', about: "the customer's name" });
  return {
    ...figures,
    statement: { ...statement, columns, keys: statement.keys + 1 },
    rows: rows.map(named),
    totals: totals?.map(named),
  };
}

function namesOf(database: Database, ids: ReadonlySet<string>): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  for (const family of CARRIERS) {
    const left = [...ids].filter((id) => !names.has(id));
    if (left.length === 0) break;
    const own = family === 'customers';
    const key = own ? 'id' : 'customer_id';
    if (!viewColumns(database, rawName(family)).includes(key)) continue;
    const part = (name: string): string => `coalesce(r._json ->> '$.${own ? '' : 'customer.'}${name}', '')`;
    const found = database
      .prepare(
        `SELECT r.${key}, trim(${part('first_name')} || ' ' || ${part('last_name')}) FROM ${sqlName(rawName(family))} AS r
         WHERE r.rowid IN (SELECT max(rowid) FROM ${sqlName(rawName(family))} WHERE ${key} IN (SELECT value FROM json_each(?)) GROUP BY ${key})`,
      )
      .all(JSON.stringify(left));
    for (const [id, name] of found) if (name !== '') names.set(String(id), String(name));
  }
  return names;
}
