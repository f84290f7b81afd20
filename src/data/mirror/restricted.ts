import { namesIn } from '../../base/database/read-query.js';
import type { Database } from '../../base/database/types.js';
import { usage } from '../../base/errors/errors.js';
import { sqlName } from './layout.js';
import { familiesOf, MIRROR_VIEWS, textsOf, viewColumns } from './views.js';

/** What of a mirror a reader may see. */
export interface Restriction {
  allows(family: string): boolean;
  /** Whether a column shows its values; `families` are those that its table or view is made of. */
  shows(column: string, families: readonly string[]): ShownValues;
}

/** All values, numbers only, or none. */
export type ShownValues = 'all' | 'numbers' | 'none';

/** Names that reach past the views below, or list what is hidden by them. */
const PAST = /^(?:main|temp|sqlite_\w+|pragma_\w+)$/i;
const HIDDEN = "'(masked)'";

/**
 * Refuses a query that names what a restricted reader cannot be given.
 * @throws CopsError `usage`
 */
export function checkRestricted(sql: string): void {
  const past = namesIn(sql).find((name) => PAST.test(name));
  if (past) throw usage(`${past} is not read here: name tables and views alone.`);
}

/**
 * Statements for a connection of its own, before the query: each table and view of the mirror gets a temporary view of
 * its name in front of it, with what may be seen, or one that fails with the reason.
 */
export function restrictedViews(database: Database, restriction: Restriction): string[] {
  const people = new Set(MIRROR_VIEWS.map(({ name }) => name));
  const tables = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT GLOB 'sqlite_*'";
  return textsOf(database, tables).map((name) => {
    const families = people.has(name) ? familiesOf([name]) : [name.replace(/^raw_/, '')];
    const isGiven = !name.startsWith('_') && families.every((one) => restriction.allows(one));
    const source = isGiven ? `main.${sqlName(name)}` : sqlName(`${name} (not given to this server)`);
    const cells = viewColumns(database, name).map((column) => cellOf(column, restriction.shows(column, families)));
    return `CREATE TEMP VIEW ${sqlName(name)} AS SELECT ${isGiven ? cells.join(', ') : '*'} FROM ${source}`;
  });
}

function cellOf(column: string, shown: ShownValues): string {
  const name = sqlName(column);
  if (shown === 'all') return name;
  const kept = shown === 'none' ? "('null')" : "('null', 'integer', 'real')";
  return `CASE WHEN typeof(${name}) IN ${kept} THEN ${name} ELSE ${HIDDEN} END AS ${name}`;
}
