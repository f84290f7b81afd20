import type { Cell, Database } from '../../base/database/types.js';
import { rawName, sqlName, type ViewText } from './layout.js';
import { VIEW_TEXTS } from './views.generated.js';

/** The views that come with every mirror. */
export const MIRROR_VIEWS: readonly ViewText[] = VIEW_TEXTS;

const UNIX = /_unix$/;

/** The first cell of each row of a query, as text. */
export function textsOf(database: Database, sql: string, ...values: Cell[]): string[] {
  const rows = database.prepare(sql).all(...values);
  return rows.map(([cell]) => String(cell));
}

/** Columns of a table or view, in order. */
export function viewColumns(database: Database, table: string): string[] {
  return textsOf(database, 'SELECT name FROM pragma_table_info(?)', table);
}

/** The statement that creates a view, as the file will store it. */
export function viewStatement(name: string, query: string): string {
  return `CREATE VIEW ${sqlName(name)} AS\n${query}`;
}

/**
 * Recreates the views: those of the SQL files, and one of each family's own name over its raw table. There, times have
 * a readable twin (`created_date` beside `created_date_unix`), and what only the mirror needs is left out.
 */
export function makeViews(database: Database): void {
  const tables = "SELECT substr(name, 5) FROM sqlite_master WHERE type = 'table' AND name GLOB 'raw_*'";
  const own = new Map(MIRROR_VIEWS.map((text) => [text.name, text.sql]));
  for (const family of textsOf(database, tables)) if (!own.has(family)) own.set(family, familyView(database, family));
  const views = database.prepare("SELECT name, sql FROM sqlite_master WHERE type = 'view'").all();
  const present = new Map(views.map(([name, sql]) => [String(name), String(sql)]));
  for (const [name, query] of own) {
    const sql = viewStatement(name, query);
    if (present.get(name) !== sql) database.exec(`DROP VIEW IF EXISTS ${sqlName(name)}; ${sql}`);
  }
  for (const name of present.keys()) if (!own.has(name)) database.exec(`DROP VIEW ${sqlName(name)}`);
}

/**
 * Shows this program's views over the mirror of an older one, on this connection only: the file stays as it is until a
 * sync.
 */
export function showNewerViews(database: Database): void {
  const stored = database.prepare("SELECT name, sql FROM main.sqlite_master WHERE type = 'view'").all();
  const present = new Map(stored.map(([name, sql]) => [String(name), String(sql)]));
  if (MIRROR_VIEWS.every(({ name, sql }) => present.get(name) === viewStatement(name, sql))) return;
  const needed = new Map<string, string[]>();
  for (const [table, names] of MIRROR_VIEWS.flatMap(({ needs }) => Object.entries(needs)))
    needed.set(table, [...(needed.get(table) ?? []), ...names]);
  const tables = [...needed].flatMap(([table, columns]) => {
    const laid = viewColumns(database, table);
    // A field that some item has shown has its column, whoever needs it.
    const missing = [...new Set(columns)].filter((name) => !laid.includes(name));
    if (missing.length === 0) return [];
    const nothing = [...(laid.length === 0 ? ['id', '_json', '_seen_at'] : []), ...missing].map(
      (name) => `NULL AS ${sqlName(name)}`,
    );
    const rows = laid.length === 0 ? `${nothing} WHERE 0` : `*, ${nothing} FROM main.${sqlName(table)}`;
    return [`CREATE TEMP VIEW ${sqlName(table)} AS SELECT ${rows}`];
  });
  const views = MIRROR_VIEWS.map(
    ({ name, sql }) => `DROP VIEW IF EXISTS temp.${sqlName(name)}; CREATE TEMP VIEW ${sqlName(name)} AS\n${sql}`,
  );
  showOnly(database, [...tables, ...views]);
}

/** Runs statements on a read-only connection; what they create belongs to that connection. */
export function showOnly(database: Database, statements: readonly string[]): void {
  database.exec('PRAGMA query_only = OFF');
  for (const sql of statements) database.exec(sql);
  database.exec('PRAGMA query_only = ON');
}

/** Whether this connection reads the kept rows of a view. */
export const isShown = (database: Database, view: string): boolean =>
  textsOf(database, "SELECT name FROM sqlite_temp_master WHERE name = ? AND sql LIKE '%_fact_%'", view).length > 0;

/** Computes the rows of a view once for this connection: whatever it asks of the view afterwards reads them. */
export function holdRows(database: Database, view: string): void {
  if (isShown(database, view)) return;
  showOnly(database, [
    `CREATE TEMP TABLE held_${view} AS SELECT * FROM ${view}`,
    `DROP VIEW IF EXISTS temp.${view}`,
    `CREATE TEMP VIEW ${view} AS SELECT * FROM temp.held_${view}`,
  ]);
}

function familyView(database: Database, family: string): string {
  const names = viewColumns(database, rawName(family)).filter((name) => !name.startsWith('_'));
  const taken = new Set(names);
  const shown = names.flatMap((name) => {
    const twin = name.replace(UNIX, '');
    if (!UNIX.test(name) || taken.has(twin)) return [sqlName(name)];
    return [sqlName(name), `strftime('%Y-%m-%dT%H:%M:%SZ', ${sqlName(name)}, 'unixepoch') AS ${sqlName(twin)}`];
  });
  return `SELECT ${shown.join(', ')} FROM ${sqlName(rawName(family))}`;
}

/** The query of a built-in view; '' for any other name. */
export const queryOf = (name: string): string => MIRROR_VIEWS.find((view) => view.name === name)?.sql ?? '';

/** These views, and those that they read in turn. */
export function viewsBehind(views: readonly string[]): Set<string> {
  const done = new Set<string>();
  const queue = [...views];
  for (let name = queue.pop(); name !== undefined; name = queue.pop()) {
    if (done.has(name)) continue;
    done.add(name);
    for (const [, other = ''] of queryOf(name).matchAll(/\b(?:FROM|JOIN)\s+(\w+)/g))
      if (MIRROR_VIEWS.some((view) => view.name === other)) queue.push(other);
  }
  return done;
}

/** The families behind a view, including those behind the views it reads. */
export function familiesOf(views: readonly string[]): string[] {
  const names = [...viewsBehind(views)].flatMap((name) => [...queryOf(name).matchAll(/\braw_(\w+)/g)]);
  return [...new Set(names.map(([, family = '']) => family))].sort();
}
