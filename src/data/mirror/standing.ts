import type { Database } from '../../base/database/types.js';
import { orElse } from '../../base/errors/errors.js';
import { isoTime } from '../../base/time/units.js';
import { rawName } from './layout.js';
import type { MirrorFacts } from './mirror.js';
import { textsOf, viewColumns } from './views.js';

/** The time of a mirror's data, and whether all its lists are complete. */
export function standingOf(database: Database, facts: MirrorFacts) {
  const lists = database.prepare('SELECT family, state, why FROM _families ORDER BY family').all();
  const unproven = lists
    .filter(([, state]) => state !== 'synced')
    .map(([family, , why]) => `${String(family)}: ${String(why)}`);
  const inPart = database
    .prepare(
      "SELECT substr(name, 6) FROM _mirror WHERE name GLOB 'grid *' AND substr(name, 6) NOT IN (SELECT family FROM _families)",
    )
    .all()
    .map(([family]) => `${String(family)}: only partly read, for the report of a period`);
  const incomplete =
    lists.length === 0 && inPart.length === 0 ? ['no list has been read yet'] : [...unproven, ...inPart];
  const oldest = database.prepare('SELECT min(read_at) FROM _windows').all()[0]?.[0];
  const asOf = facts.asOf === undefined ? '' : `, as of ${isoTime(facts.asOf)}`;
  const since = typeof oldest === 'number' ? `, every row seen since ${isoTime(oldest)}` : '';
  const whole =
    unproven.length === 0
      ? `${lists.length} lists${lists.length === 0 ? '' : ', all complete'}`
      : `${unproven.length} of ${lists.length} lists not complete`;
  return {
    told: `Mirror of ${facts.service}, ${facts.mode} mode${asOf}${since}; ${whole}: ${database.file}`,
    /** Lists not proven complete, with the reason. */
    incomplete,
  };
}

/** Amounts in a query without an exact value in minor units: the columns, with the number of rows. */
export function inexactIn(database: Database, sql: string): string[] {
  const known = database.prepare('SELECT family, name, count(*) FROM _inexact GROUP BY 1, 2').all();
  if (known.length === 0) return [];
  const read = columnsRead(database, sql);
  return known
    .filter(([family, name]) => read.get(rawName(String(family)))?.has(String(name)))
    .map(([family, name, count]) => `${String(family)}.${String(name)} (${String(count)} rows)`);
}

/**
 * Lists with several currencies whose amounts a query adds up without looking at the currency. A condition or a group
 * on the currency counts as looking.
 */
export function mixedIn(database: Database, sql: string): string[] {
  if (!addsUp(database, sql)) return [];
  return [...columnsRead(database, sql)].flatMap(([table, read]) => {
    const columns = new Set(viewColumns(database, table));
    const isAmount = (name: string): boolean => name.endsWith('_minor') || columns.has(`${name}_minor`);
    if (!columns.has('iso_currency') || read.has('iso_currency') || ![...read].some(isAmount)) return [];
    // Two are enough, and are found quickly if there are several; finding all would mean reading the whole list.
    const nextTo = database.prepare(`SELECT iso_currency FROM ${table} WHERE iso_currency <> ? LIMIT 1`);
    const first = nextTo.all('')[0]?.[0];
    const second = first === undefined ? undefined : nextTo.all(first as string)[0]?.[0];
    return second === undefined ? [] : [`${table.replace(/^raw_/, '')} (${String(first)}, ${String(second)}, ...)`];
  });
}

/** Lists whose items a query selects by their status and the time of their last change, which may be any other. */
export function changesIn(database: Database, sql: string): string[] {
  const conditions = /\bwhere\b[\s\S]*/i.exec(sql)?.[0] ?? '';
  if (!/\bupdated(?:_date)?(?:_unix)?\b/i.test(conditions) || !/\bstatus\b/i.test(conditions)) return [];
  return [...columnsRead(database, sql)].flatMap(([table, read]) =>
    read.has('updated_date_unix') && read.has('status') ? [table.replace(/^raw_/, '').replaceAll('_', ' ')] : [],
  );
}

/** Amounts that a query adds up as they came, as binary fractions, though their minor units add up exactly. */
export function roundedIn(database: Database, sql: string): string[] {
  if (!addsUp(database, sql)) return [];
  return [...columnsRead(database, sql)].flatMap(([table, read]) => {
    const columns = new Set(viewColumns(database, table));
    return [...read].filter((name) => columns.has(`${name}_minor`) && !read.has(`${name}_minor`));
  });
}

/**
 * The columns of tables that a query reads, by table, according to the engine's plan, through any views, aliases and
 * stars. Empty for a query that the engine rejects.
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

/** Whether a query adds up values, according to its steps, however it is written. */
export function addsUp(database: Database, sql: string): boolean {
  return stepsOf(database, sql).some(
    (step) => /^Agg/.test(String(step[1])) && /^(?:sum|total|avg)\(/.test(String(step[5])),
  );
}

/** The steps of the engine's program for a query. */
function stepsOf(database: Database, sql: string): readonly unknown[][] {
  return orElse(() => database.query(`EXPLAIN ${sql}`).all(), []);
}

/** A table or one of its indexes, with its columns in the engine's order. */
interface Place {
  readonly table: string;
  readonly columns: readonly string[];
}

/** Tables and indexes by their first page in the file. */
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
