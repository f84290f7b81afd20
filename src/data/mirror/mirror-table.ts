import type { Database, Statement } from '../../base/database/types.js';
import type { Family } from '../../catalogue/types.js';
import { schemaOf } from '../../items/schema/catalogue.js';
import { isMoneyName } from '../../items/schema/learn.js';
import { leavesOf as leavesOfSchema } from '../../items/schema/types.js';
import { rawName, sqlName, type ViewText } from './layout.js';
import { type CellValue, itemLeaves } from './row.js';
import { textsOf, viewColumns } from './views.js';

/** Columns of a raw table that are the mirror's own. */
const OWN = ['_json', '_window', '_seen_at', '_open'] as const;
const FIXED: readonly string[] = ['id', ...OWN];
/** The engines take two thousand; what comes after this many stays in `_json`. */
const MOST_COLUMNS = 600;
/** Items that show nearly all columns of a family. */
const SAMPLE = 100;

/** Where a path's values go. */
interface Column {
  readonly name: string;
  /** Its twin in minor units. */
  readonly minor: string | null;
}

/** What a period is cut by: an index that begins with it reads no other time. */
const TIME = 'created_date_unix';

/**
 * One index with all that the views ask of a table: they read it alone, and none of the items in whole, which take ten
 * times the room. Where the views of this version ask for something else it is made anew.
 */
function keepAskedIndex(database: Database, table: string, asked: ReadonlySet<string>): void {
  const index = `_asked_${table}`;
  const laid = 'SELECT name FROM pragma_index_info(?) WHERE name IS NOT NULL ORDER BY seqno';
  const before = textsOf(database, laid, index);
  if (asked.size === 0 && before.length === 0) return;
  const rest = [...asked].filter((column) => column !== TIME).sort();
  const columns = [...(asked.has(TIME) ? [TIME] : []), 'id', ...rest];
  if (columns.join(' ').toLowerCase() === before.join(' ').toLowerCase()) return;
  database.exec(`DROP INDEX IF EXISTS ${sqlName(index)}`);
  if (asked.size > 0) {
    database.exec(`CREATE INDEX ${sqlName(index)} ON ${sqlName(table)} (${columns.map(sqlName).join(', ')})`);
  }
}

/** A row as it is stored. */
export interface StoredRow {
  readonly json: string;
  readonly seenAt: number;
  readonly window: number;
}

/**
 * The table of one family: its id, a column for each path that its items have shown (`customer.email` as
 * `customer_email`), an amount's twin in minor units, and the item as it came in `_json`.
 */
export class RawTable {
  readonly #columns = new Map<string, Column>();
  readonly #claimed = new Set<string>(FIXED);
  /** Columns that the table has or is about to get, in small letters. */
  readonly #present: Set<string>;
  /** Columns that the views ask for. */
  readonly #asked: ReadonlySet<string>;
  /** Columns that the table is about to get. */
  readonly #wanted: string[] = [];
  readonly #table: string;
  readonly #row: Statement;
  /** The columns beside the id and the mirror's own, as the insert takes them. */
  #names: readonly string[] = [];
  #insert: Statement | undefined;

  constructor(
    readonly database: Database,
    readonly family: Family,
    views: readonly ViewText[],
  ) {
    const name = rawName(family.name);
    this.#table = sqlName(name);
    const laid = viewColumns(database, name);
    this.#present = new Set([...FIXED, ...laid].map((column) => column.toLowerCase()));
    for (const [path, column, minor] of database
      .prepare('SELECT path, name, minor FROM _columns WHERE family = ?')
      .all(family.name)) {
      this.#remember(String(path), { name: String(column), minor: minor === null ? null : String(minor) });
    }
    for (const { path } of leavesOfSchema(schemaOf(family)))
      this.#columnOf(path, isMoneyName(path.replace(/.*\./, '')));
    this.#asked = new Set(views.flatMap(({ needs }) => needs[name] ?? []));
    for (const column of this.#asked) this.#add(column);
    if (laid.length === 0) this.#layAnew();
    else this.#lay();
    keepAskedIndex(database, name, this.#asked);
    this.#row = database.prepare(`SELECT _json, _seen_at, _window FROM ${this.#table} WHERE id = ?`);
  }

  find(id: string): StoredRow | undefined {
    const row = this.#row.get(id);
    return row && { json: String(row[0]), seenAt: Number(row[1]), window: Number(row[2]) };
  }

  /** Makes room for items that are about to be put into a table without rows: all their columns at once. */
  expect(items: readonly string[]): void {
    if (!this.#isEmpty()) return;
    for (const json of items.slice(0, SAMPLE)) {
      for (const { path, minor } of itemLeaves(json)) this.#columnOf(path, minor !== undefined);
    }
    this.#lay();
  }

  /** Stores an item in the place of what was there. */
  put(id: string, json: string, window: number, seenAt: number): void {
    const leaves = itemLeaves(json);
    const status = leaves.find(({ path }) => path === 'status')?.value;
    this.#forgetInexact(id);
    const cells = new Map<string, CellValue>();
    for (const { path, value, minor } of leaves) {
      const column = this.#columnOf(path, minor !== undefined);
      if (!column || column.name === 'id') continue;
      cells.set(column.name, value);
      if (minor === undefined || column.minor === null) continue;
      cells.set(column.minor, minor);
      if (minor === null) this.#noteInexact(id, column.minor);
    }
    this.#lay();
    this.#insert ??= this.#prepareInsert();
    const own = [id, json, BigInt(window), BigInt(seenAt), isUnsettled(status) ? 1n : 0n];
    this.#insert.run(...own, ...this.#names.map((name) => cells.get(name) ?? null));
  }

  remove(id: string): void {
    this.#forgetInexact(id);
    this.database.prepare(`DELETE FROM ${this.#table} WHERE id = ?`).run(id);
  }

  /** Ids of the rows that were read in a window. */
  idsOf(window: number): string[] {
    return textsOf(this.database, `SELECT id FROM ${this.#table} WHERE _window = ?`, window);
  }

  /** Windows that hold items in a state that can change. */
  openWindows(): Set<number> {
    const rows = this.database.prepare(`SELECT DISTINCT _window FROM ${this.#table} WHERE _open = 1`).all();
    return new Set(rows.map(([window]) => Number(window)));
  }

  count(): number {
    return Number(this.database.prepare(`SELECT count(*) FROM ${this.#table}`).get()?.[0]);
  }

  #prepareInsert(): Statement {
    this.#names = this.#learned();
    const names = [...FIXED, ...this.#names];
    const places = names.map(() => '?').join(', ');
    return this.database.prepare(
      `INSERT OR REPLACE INTO ${this.#table} (${names.map(sqlName).join(', ')}) VALUES (${places})`,
    );
  }

  #remember(path: string, column: Column): void {
    this.#columns.set(path, column);
    this.#claimed.add(column.name.toLowerCase());
    if (column.minor !== null) this.#claimed.add(column.minor.toLowerCase());
  }

  /** The column of a path, made when it is met first; undefined once there are too many. */
  #columnOf(path: string, isMoney: boolean): Column | undefined {
    const known = this.#columns.get(path);
    if (known && (known.minor !== null || !isMoney)) return known;
    if (!known && this.#present.size >= MOST_COLUMNS) return undefined;
    const name = path === this.family.idField ? 'id' : (known?.name ?? this.#free(path.replaceAll('.', '_')));
    this.#claimed.add(name.toLowerCase());
    const column = { name, minor: isMoney ? this.#free(`${name}_minor`) : null };
    this.#remember(path, column);
    this.#add(column.name);
    if (column.minor !== null) this.#add(column.minor);
    this.database
      .prepare('INSERT OR REPLACE INTO _columns (family, path, name, minor) VALUES (?, ?, ?, ?)')
      .run(this.family.name, path, column.name, column.minor);
    return column;
  }

  #free(wanted: string): string {
    let name = wanted;
    while (this.#claimed.has(name.toLowerCase())) name += '_';
    return name;
  }

  #add(name: string): void {
    if (this.#present.has(name.toLowerCase())) return;
    this.#present.add(name.toLowerCase());
    this.#wanted.push(name);
  }

  /** Makes the columns that are wanted. For each that is added to a table the engine reads its whole schema again. */
  #lay(): void {
    if (this.#wanted.length === 0) return;
    this.#insert = undefined;
    if (this.#isEmpty()) this.#layAnew();
    for (const name of this.#wanted.splice(0)) {
      this.database.exec(`ALTER TABLE ${this.#table} ADD COLUMN ${sqlName(name)}`);
    }
  }

  #layAnew(): void {
    const columns = [...this.#learned(), ...this.#wanted.splice(0)].map((name) => `, ${sqlName(name)}`);
    this.database.exec(
      `DROP TABLE IF EXISTS ${this.#table}; ` +
        `CREATE TABLE ${this.#table} (id TEXT PRIMARY KEY NOT NULL, _json TEXT NOT NULL, _window INTEGER NOT NULL, ` +
        `_seen_at INTEGER NOT NULL, _open INTEGER NOT NULL${columns.join('')}); ` +
        `CREATE INDEX ${sqlName(`_window_${this.family.name}`)} ON ${this.#table} (_window, _open)`,
    );
    keepAskedIndex(this.database, rawName(this.family.name), this.#asked);
  }

  #isEmpty(): boolean {
    return this.database.prepare(`SELECT 1 FROM ${this.#table} LIMIT 1`).get() === undefined;
  }

  /** The table's columns beside the id and the mirror's own. */
  #learned(): string[] {
    return viewColumns(this.database, rawName(this.family.name)).filter((name) => !FIXED.includes(name));
  }

  #noteInexact(id: string, name: string): void {
    this.database
      .prepare('INSERT OR IGNORE INTO _inexact (family, id, name) VALUES (?, ?, ?)')
      .run(this.family.name, id, name);
  }

  #forgetInexact(id: string): void {
    this.database.prepare('DELETE FROM _inexact WHERE family = ? AND id = ?').run(this.family.name, id);
  }
}

/**
 * Words of a status after which an item no longer changes by itself. Whatever is not known to be one of them is read
 * again: a status that was never seen must not make a row stale.
 */
const FINAL: ReadonlySet<string> = new Set([
  ...['approved', 'cancelled', 'canceled', 'closed', 'completed', 'declined', 'delivered', 'disabled', 'enabled'],
  ...['error', 'expired', 'failed', 'lost', 'occurrence_limit', 'paid', 'processed', 'refunded', 'resolved'],
  ...['returned', 'sent', 'shipped', 'success', 'void', 'voided', 'won'],
]);

/** True for an item whose state can still change: its window is read again by every sync. */
export function isUnsettled(status: unknown): boolean {
  return typeof status === 'string' && status !== '' && !FINAL.has(status.toLowerCase());
}
