import { withDatabase } from '../../../base/database/open.js';
import type { Database } from '../../../base/database/types.js';
import { local } from '../../../base/errors/errors.js';
import type { Family } from '../../../catalogue/types.js';
import { OTHER } from '../late-fields.js';
import { JSON_COLUMN } from './sqlite-columns.js';

export type TableFamily = Pick<Family, 'name' | 'idField'>;

/**
 * Works with a SQLite file, made if there is none, with the table of a family: the id as primary key, a typed column for each leaf of
 * the schema (`customer.email` as `customer_email`), for each amount its twin in minor units, `_other` for values that
 * their column would change, and the item's JSON. All but the id and the JSON are added by `addColumns`.
 */
export async function withTable<T>(
  path: string,
  { name, idField }: TableFamily,
  work: (database: Database) => T | Promise<T>,
): Promise<T> {
  return withDatabase({ file: path, what: 'The SQLite file', journal: 'delete' }, (database) => {
    const id = quote(idField.replaceAll('.', '_'));
    // In a new file, a page holds several rows.
    database.exec(
      `PRAGMA page_size = 16384; CREATE TABLE IF NOT EXISTS ${quote(name)} ` +
        `(${id} TEXT PRIMARY KEY NOT NULL, ${OTHER} TEXT, ${JSON_COLUMN} TEXT NOT NULL)`,
    );
    return work(database);
  });
}

/** The declared types of a table's columns, by name. */
export function typesIn(database: Database, table: string): Map<string, string> {
  const present = database.prepare('SELECT name, type FROM pragma_table_info(?)').all(table);
  return new Map(present.map(([name, type]) => [String(name), String(type)]));
}

/** Adds the columns that a table lacks. */
export function addColumns(database: Database, table: string, columns: Iterable<readonly [string, string]>): void {
  const present = typesIn(database, table);
  for (const [name, type] of columns)
    if (!present.has(name)) database.exec(`ALTER TABLE ${quote(table)} ADD COLUMN ${quote(name)} ${type}`);
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Rows of a family's table. */
export async function countRows(path: string, table: string): Promise<number> {
  return reading(path, `SELECT count(*) FROM ${quote(table)}`, Number);
}

/** SQLite's own check of the file: `ok`, or a description of the damage. */
export async function checkFile(path: string): Promise<string> {
  return reading(path, 'PRAGMA quick_check(1)', (cell) => String(cell ?? 'no answer'));
}

async function reading<T>(path: string, sql: string, read: (cell: unknown) => T): Promise<T> {
  return withDatabase({ file: path, what: 'The SQLite file', readonly: true }, (database) => {
    try {
      return read(database.prepare(sql).get()?.[0]);
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw local(`Could not read ${path}: ${why}.`, undefined, error);
    }
  });
}
