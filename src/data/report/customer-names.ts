import type { Database } from '../../base/database/types.js';
import { cops, say, type Text } from '../../base/text/command-line.js';
import { viewColumns } from '../mirror/views.js';
import { DIMENSIONS } from './dimensions.js';
import type { Figures } from './figures.js';
import { OTHERS } from './grouped-statement.js';
import type { ReportRow } from './types.js';

const NAME = DIMENSIONS.customer?.called?.column ?? '';

/** Tables whose rows carry their customer's name. */
const SHOWING = ['raw_sales', 'raw_subscription_renewals', 'raw_trials', 'raw_transactions'];
const PARTS = ['customer_id', 'customer_first_name', 'customer_last_name'];

const nameless = ({ statement, rows }: Figures): string[] =>
  statement.columns.some(({ name }) => name === NAME)
    ? [...new Set(rows.flatMap((row) => (row[NAME] ? [] : idOf(row))))]
    : [];

const idOf = ({ customer, customer_id: id = customer }: ReportRow): string[] =>
  typeof id === 'string' && id !== OTHERS ? [id] : [];

/** Fills in names from payments, as a mirror may lack customers: no figure needs them. */
export function withCustomerNames(database: Database, figures: Figures): Figures {
  const ids = nameless(figures);
  if (ids.length === 0) return figures;
  const names = new Map<unknown, string>();
  for (const table of SHOWING) {
    const columns = viewColumns(database, table);
    if (!PARTS.every((name) => columns.includes(name))) continue;
    for (const [id, name] of database
      .query(
        `SELECT customer_id, trim(coalesce(customer_first_name, '') || ' ' || coalesce(customer_last_name, '')), max(created_date_unix)
         FROM ${table} WHERE customer_id IN (SELECT value FROM json_each(?)) GROUP BY 1`,
      )
      .all(JSON.stringify(ids)))
      if (typeof name === 'string' && name !== '' && !names.has(id)) names.set(id, name);
  }
  const rows = figures.rows.map((row) =>
    NAME in row && !row[NAME] ? { ...row, [NAME]: names.get(idOf(row)[0]) ?? null } : row,
  );
  return { ...figures, rows };
}

/** Says how to get the names that are still missing. */
export function namelessNotes(database: Database, figures: Figures): Text[] {
  const ids = nameless(figures);
  if (ids.length === 0) return [];
  const known = database.query('SELECT count(*) FROM raw_customers WHERE id IN (SELECT value FROM json_each(?))');
  const missing = ids.length - Number(known.get(JSON.stringify(ids))?.[0] ?? 0);
  return missing === 0
    ? []
    : [say`${missing} without a name, until customers are in the mirror: ${cops`sync customers`}`];
}
