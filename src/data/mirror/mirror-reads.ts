import type { Database } from '../../base/database/types.js';
import { textsOf, viewColumns } from './views.js';

/**
 * The columns of tables that a query reads, by table, as the engine has planned it: through whatever views, aliases and
 * stars. None for a query that the engine does not take.
 */
export function columnsRead(database: Database, sql: string): Map<string, Set<string>> {
  const read = new Map<string, Set<string>>();
  const places = placesOf(database);
  const open = new Map<number, Place[]>();
  for (const [, code, cursor, second] of stepsOf(database, sql)) {
    const at = Number(cursor);
    if (code === 'OpenRead' || code === 'ReopenIdx') {
      const place = places.get(Number(second));
      if (place) open.set(at, [...(open.get(at) ?? []), place]);
    } else if (code === 'Column') {
      for (const { table, columns } of open.get(at) ?? []) {
        const column = columns[Number(second)];
        if (column !== undefined) read.set(table, (read.get(table) ?? new Set()).add(column));
      }
    }
  }
  return read;
}

/** Whether a query adds values up: its steps tell, whatever its words are. */
export function addsUp(database: Database, sql: string): boolean {
  return stepsOf(database, sql).some(
    (step) => /^Agg/.test(String(step[1])) && /^(?:sum|total|avg)\(/.test(String(step[5])),
  );
}

/** The steps of the engine's program for a query. */
function stepsOf(database: Database, sql: string): readonly unknown[][] {
  try {
    return database.query(`EXPLAIN ${sql}`).all();
  } catch {
    return [];
  }
}

/** A table or an index of one, with its columns in the order in which the engine numbers them. */
interface Place {
  readonly table: string;
  readonly columns: readonly string[];
}

/** Tables and indexes by the page of the file on which they begin. */
function placesOf(database: Database): Map<number, Place> {
  const rows = database
    .prepare("SELECT rootpage, type, name, tbl_name FROM sqlite_master WHERE type IN ('table', 'index')")
    .all();
  const indexed = 'SELECT name FROM pragma_index_info(?) ORDER BY seqno';
  return new Map(
    rows.map(([page, type, name, table]): [number, Place] => [
      Number(page),
      {
        table: String(table),
        columns: type === 'table' ? viewColumns(database, String(name)) : textsOf(database, indexed, String(name)),
      },
    ]),
  );
}
