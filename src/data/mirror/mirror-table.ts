import type { Database } from '../../base/database/types.js';
import type { Family } from '../../catalogue/types.js';
import { schemaOf } from '../../items/schema/catalogue.js';
import { isMoneyName } from '../../items/schema/learn.js';
import { leavesOf as leavesOfSchema } from '../../items/schema/types.js';
import { RowFile } from '../export/sinks/row-file.js';
import { type CellTaker, putValue } from '../export/sinks/sqlite-columns.js';
import { BoundRow, Rows } from '../export/sinks/sqlite-rows.js';
import { FOLLOWED, isFollowing, touchRows } from './kept-facts.js';
import { NAMED, rawName, sqlName, type ViewText } from './layout.js';
import { type CellValue, type ItemLeaf, itemLeaves } from './row.js';
import { type RawColumn, RowCells } from './row-cells.js';
import { textsOf, viewColumns } from './views.js';

/** The mirror's own columns of a raw table. */
const OWN = ['_json', '_window', '_seen_at', '_open'] as const;
const FIXED: readonly string[] = ['id', ...OWN];
/** The engine accepts two thousand; fields beyond this many stay in `_json`. */
const MOST_COLUMNS = 600;
/** Rows of one step. */
const ROWS_A_STEP = 100;
/** How many items show nearly all columns of a family. */
const SAMPLE = 100;
/** Fewer rows than this are not worth a file of their own. */
const LEAST_ROWS = 250;

/** The column that cuts periods: an index that begins with it reads no other time. */
const TIME = 'created_date_unix';

const askedIndex = (table: string): string => `_asked_${table}`;

/**
 * An index of everything that the views read of a table: they read only the index, not the whole items, which take ten
 * times the space. If this version's views need other columns, the index is created again.
 */
function keepAskedIndex(database: Database, table: string, asked: ReadonlySet<string>): void {
  const index = askedIndex(table);
  const laid = 'SELECT name FROM pragma_index_info(?) WHERE name IS NOT NULL ORDER BY seqno';
  const before = textsOf(database, laid, index);
  if (asked.size === 0 && before.length === 0) return;
  const rest = [...asked].filter((column) => column !== TIME).sort();
  const columns = [...(asked.has(TIME) ? [TIME] : []), 'id', ...rest];
  if (columns.join(' ').toLowerCase() === before.join(' ').toLowerCase()) return;
  database.exec(`DROP INDEX IF EXISTS ${sqlName(index)}`);
  if (asked.size > 0)
    database.exec(`CREATE INDEX ${sqlName(index)} ON ${sqlName(table)} (${columns.map(sqlName).join(', ')})`);
}

/** A stored row. */
export interface StoredRow {
  readonly json: string;
  readonly seenAt: number;
  readonly window: number;
}

/** An item to be stored in a table. */
export interface NewRow {
  readonly id: string;
  readonly bytes: Buffer;
  readonly window: number;
  /** True if the table is known to have no row with this id. */
  readonly isNew?: boolean | undefined;
}

/** Receives each row that goes into a table: its cells from `from` on, in the order of `names`. */
export type RowTap = (row: NewRow, names: readonly string[], cells: readonly unknown[], from: number) => void;

/** How to split a table's items into cells, and what receives their rows. */
interface Filling {
  readonly cells: RowCells;
  readonly rows: Rows;
  readonly bound: BoundRow;
  /** Columns in the order of a row. */
  readonly names: readonly string[];
  readonly learned: readonly string[];
}

/**
 * The table of one family: its id, a column for each path that its items have shown (`customer.email` as
 * `customer_email`), an amount's twin in minor units, and the unchanged item in `_json`.
 */
export class RawTable {
  readonly #columns = new Map<string, RawColumn>();
  /** Paths that have occurred and have no column. */
  readonly #passed = new Set<string>();
  readonly #claimed = new Set<string>(FIXED);
  /** Existing and planned columns of the table, in lower case. */
  readonly #present: Set<string>;
  /** Columns that the views need. */
  readonly #asked: ReadonlySet<string>;
  /** Planned columns of the table. */
  readonly #wanted: string[] = [];
  readonly #table: string;
  #filling: Filling | undefined;
  /** The rows of a long list, on their way. */
  #file: RowFile | undefined;
  /** Amounts to be recorded for waiting rows: the id, and the column that is NULL. */
  readonly #inexact: (readonly [id: string, name: string])[] = [];
  /** Whether kept facts must follow what is written. */
  readonly #isFollowed: boolean;
  /** Whether creating its indexes waits until the first rows are stored. */
  #isHeld = false;

  constructor(
    readonly database: Database,
    readonly family: Family,
    views: readonly ViewText[],
    readonly tap?: RowTap | undefined,
  ) {
    const name = rawName(family.name);
    this.#table = sqlName(name);
    const laid = viewColumns(database, name);
    this.#present = new Set([...FIXED, ...laid].map((column) => column.toLowerCase()));
    for (const [path, column, minor] of database
      .prepare('SELECT path, name, minor FROM _columns WHERE family = ?')
      .all(family.name))
      this.#remember(String(path), { name: String(column), minor: minor === null ? null : String(minor) });
    for (const { path } of leavesOfSchema(schemaOf(family)))
      this.#columnOf(path, isMoneyName(path.replace(/.*\./, '')));
    this.#asked = new Set(views.flatMap(({ needs }) => needs[name] ?? []));
    for (const column of this.#asked) this.#add(column);
    if (laid.length === 0) this.#layAnew();
    else this.#lay();
    this.#layIndexes();
    this.#isFollowed = FOLLOWED.has(name) && isFollowing(database);
  }

  find(id: string): StoredRow | undefined {
    return this.findAll([id]).get(id);
  }

  /** The existing rows with these ids. */
  findAll(ids: readonly string[]): Map<string, StoredRow> {
    const found = new Map<string, StoredRow>();
    if (this.#isEmpty()) return found;
    const rows = this.database.prepare(
      `SELECT id, _json, _seen_at, _window FROM ${this.#table} WHERE id IN (SELECT value FROM json_each(?))`,
    );
    for (const [id, json, seenAt, window] of rows.all(JSON.stringify(ids)))
      found.set(String(id), { json: String(json), seenAt: Number(seenAt), window: Number(window) });
    return found;
  }

  /**
   * Prepares an empty table for items: creates all their columns in one step. `layIndexes` creates its indexes once all
   * rows are stored; after a stop before that, whoever opens the table next does.
   */
  expect(items: readonly ({ readonly raw: string } | undefined)[]): void {
    if (!this.#isEmpty()) return;
    for (const item of items.slice(0, SAMPLE)) if (item) this.#learn(itemLeaves(item.raw), false);
    this.#lay();
  }

  /** Postpones the indexes of an empty table; true if it did. */
  holdIndexes(): boolean {
    if (this.#isHeld || !this.#isEmpty()) return this.#isHeld;
    this.#isHeld = true;
    for (const index of this.#indexes()) this.database.exec(`DROP INDEX IF EXISTS ${sqlName(index)}`);
    return true;
  }

  /** Creates the postponed indexes. */
  layIndexes(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    this.#layIndexes();
  }

  /** Stores an item, replacing an existing one. */
  put(id: string, json: string, window: number, seenAt: number): void {
    this.putAll([{ id, bytes: Buffer.from(json), window }], seenAt);
  }

  /** Stores items, replacing existing ones. */
  putAll(items: readonly NewRow[], seenAt: number): void {
    Array.from(this.putInSteps(items, seenAt));
  }

  /** The same, some rows at a time. */
  *putInSteps(items: readonly NewRow[], seenAt: number): Iterable<void> {
    let isDone = false;
    try {
      for (const [i, item] of items.entries()) {
        if (this.#file === undefined && items.length - i >= LEAST_ROWS) this.#openFile();
        this.#putOne(item, seenAt);
        if ((i + 1) % ROWS_A_STEP === 0) yield;
      }
      this.#flush();
      isDone = true;
    } finally {
      if (!isDone) this.#file?.close();
      this.#file = undefined;
    }
    this.#noteInexact();
    if (this.#isFollowed)
      touchRows(
        this.database,
        rawName(this.family.name),
        items.map(({ id }) => id),
      );
  }

  /** Assigns rows that were read one by one to their window. */
  adopt(ids: readonly string[], window: number): void {
    // A table that was empty has none, and without its index each window would read the whole table.
    if (this.#isHeld) return;
    this.database
      .prepare(
        `UPDATE ${this.#table} SET _window = ? WHERE _window = ${NAMED} AND id IN (SELECT value FROM json_each(?))`,
      )
      .run(BigInt(window), JSON.stringify(ids));
  }

  remove(id: string): void {
    this.#forgetInexact(id);
    if (this.#isFollowed) touchRows(this.database, rawName(this.family.name), [id]);
    this.database.prepare(`DELETE FROM ${this.#table} WHERE id = ?`).run(id);
  }

  /** Ids of the rows that were read in a window. */
  idsOf(window: number): string[] {
    // Without its index every window would read the whole table; a postponed table began empty, so it has none to find.
    if (this.#isHeld) return [];
    return textsOf(this.database, `SELECT id FROM ${this.#table} WHERE _window = ?`, window);
  }

  /** Windows with items in a state that can change. */
  openWindows(): Set<number> {
    const rows = this.database.prepare(`SELECT DISTINCT _window FROM ${this.#table} WHERE _open = 1`).all();
    return new Set(rows.map(([window]) => Number(window)));
  }

  count(): number {
    return Number(this.database.prepare(`SELECT count(*) FROM ${this.#table}`).get()?.[0]);
  }

  /** Takes the next rows into a file of their own. */
  #openFile(): void {
    const annex = this.database.annex();
    if (annex) this.#file = new RowFile(annex);
  }

  #putOne(row: NewRow, seenAt: number): void {
    const { id, bytes, isNew } = row;
    if (!isNew) this.#forgetInexact(id);
    let filling = this.#filling ?? this.#prepare();
    this.#begin(filling, id, bytes);
    if (filling.cells.fill(bytes, this.#taker(filling))) {
      for (const place of filling.cells.inexact) this.#inexact.push([id, filling.learned[place] as string]);
      this.#end(filling, row, seenAt, filling.cells.status);
      return;
    }
    const leaves = itemLeaves(bytes.toString('utf8'));
    this.#learn(leaves);
    filling = this.#filling ?? this.#prepare();
    this.#begin(filling, id, bytes);
    this.#fillSlowly(id, leaves, filling);
    this.#end(filling, row, seenAt, leaves.find(({ path }) => path === 'status')?.value);
  }

  #taker({ bound }: Filling): CellTaker {
    if (this.#file === undefined) return bound;
    return this.tap ? this.#file.seen : this.#file.row;
  }

  #begin({ names, bound }: Filling, id: string, bytes: Buffer): void {
    if (this.#file === undefined) bound.begin();
    else {
      this.#file.row.begin(names.length, 2 * bytes.length + 3 * id.length);
      this.#file.seen.begin();
    }
    this.#taker(this.#filling as Filling).text(id);
  }

  /** Adds the mirror's own cells. */
  #end(filling: Filling, row: NewRow, seenAt: number, status: unknown): void {
    const taker = this.#taker(filling);
    taker.whole(row.window);
    taker.whole(seenAt);
    taker.whole(isUnsettled(status) ? 1 : 0);
    if (this.#file) {
      this.#file.row.raw(row.bytes, 0, row.bytes.length);
      this.#file.add();
      this.tap?.(row, filling.names, this.#file.seen.rows.values, 0);
      return;
    }
    const { bound, rows, names } = filling;
    bound.bind(row.bytes);
    this.tap?.(row, names, rows.values, rows.at);
    rows.add();
  }

  #fillSlowly(id: string, leaves: readonly ItemLeaf[], filling: Filling): void {
    const values = new Map<string, CellValue>();
    for (const { path, value, minor } of leaves) {
      const column = this.#columns.get(path);
      if (column === undefined) continue;
      values.set(column.name, value);
      if (minor === undefined || column.minor === null) continue;
      values.set(column.minor, minor);
      if (minor === null) this.#inexact.push([id, column.minor]);
    }
    const taker = this.#taker(filling);
    for (const name of filling.learned) putValue(taker, values.get(name) ?? null);
  }

  /** Stores the waiting rows. */
  #flush(): void {
    this.#filling?.rows.flush();
    const file = this.#file;
    if (file === undefined || this.#filling === undefined) return;
    this.#file = undefined;
    file.copy(this.database, this.#table, this.#filling.names.map(sqlName));
  }

  /**
   * Creates the columns for an item's fields; remembers a field without a column, so that it does not slow down later
   * items.
   */
  #learn(leaves: readonly ItemLeaf[], isLaid = true): void {
    const before = this.#passed.size;
    for (const { path, minor } of leaves)
      if (this.#columnOf(path, minor !== undefined) === undefined) this.#passed.add(path);
    if (this.#passed.size > before) this.#renew();
    if (isLaid) this.#lay();
  }

  #prepare(): Filling {
    const learned = this.#learned();
    const names = ['id', ...learned, '_window', '_seen_at', '_open', '_json'];
    const rows = new Rows(this.database, this.#table, names.map(sqlName));
    const cells = new RowCells(this.#columns, this.#passed, learned);
    this.#filling = { cells, rows, bound: new BoundRow(rows), names, learned };
    return this.#filling;
  }

  /** Discards cached row layouts, because the columns have changed. */
  #renew(): void {
    this.#flush();
    this.#filling = undefined;
  }

  #remember(path: string, column: RawColumn): void {
    this.#columns.set(path, column);
    this.#claimed.add(column.name.toLowerCase());
    if (column.minor !== null) this.#claimed.add(column.minor.toLowerCase());
  }

  /** The column of a path, created on first use; undefined if there are too many. */
  #columnOf(path: string, isMoney: boolean): RawColumn | undefined {
    const known = this.#columns.get(path);
    if (known && (known.minor !== null || !isMoney)) return known;
    if (!known && this.#present.size >= MOST_COLUMNS) return undefined;
    const name = path === this.family.idField ? 'id' : (known?.name ?? this.#free(path.replaceAll('.', '_')));
    this.#claimed.add(name.toLowerCase());
    const column = { name, minor: isMoney ? this.#free(`${name}_minor`) : null };
    this.#remember(path, column);
    this.#renew();
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

  /**
   * Creates the planned columns. For each column added to an existing table, the engine reads its whole schema again.
   */
  #lay(): void {
    if (this.#wanted.length === 0) return;
    this.#renew();
    if (this.#isEmpty()) this.#layAnew();
    for (const name of this.#wanted.splice(0))
      this.database.exec(`ALTER TABLE ${this.#table} ADD COLUMN ${sqlName(name)}`);
  }

  #layAnew(): void {
    const columns = [...this.#learned(), ...this.#wanted.splice(0)].map((name) => `, ${sqlName(name)}`);
    this.database.exec(
      `DROP TABLE IF EXISTS ${this.#table}; ` +
        `CREATE TABLE ${this.#table} (id TEXT PRIMARY KEY NOT NULL, _json TEXT NOT NULL, _window INTEGER NOT NULL, ` +
        `_seen_at INTEGER NOT NULL, _open INTEGER NOT NULL${columns.join('')})`,
    );
    this.#layIndexes();
  }

  #indexes(): readonly [window: string, asked: string] {
    return [`_window_${this.family.name}`, askedIndex(rawName(this.family.name))];
  }

  #layIndexes(): void {
    if (this.#isHeld) return;
    const [window] = this.#indexes();
    this.database.exec(`CREATE INDEX IF NOT EXISTS ${sqlName(window)} ON ${this.#table} (_window, _open)`);
    keepAskedIndex(this.database, rawName(this.family.name), this.#asked);
  }

  #isEmpty(): boolean {
    return this.database.prepare(`SELECT 1 FROM ${this.#table} LIMIT 1`).get() === undefined;
  }

  /** The table's columns besides the id and the mirror's own. */
  #learned(): string[] {
    return viewColumns(this.database, rawName(this.family.name)).filter((name) => !FIXED.includes(name));
  }

  #noteInexact(): void {
    const found = this.#inexact.splice(0);
    if (found.length === 0) return;
    // By id, so that each page of the table is touched once.
    found.sort(([one], [other]) => (one < other ? -1 : one > other ? 1 : 0));
    this.database
      .prepare('INSERT OR IGNORE INTO _inexact (family, id, name) SELECT ?, value ->> 0, value ->> 1 FROM json_each(?)')
      .run(this.family.name, JSON.stringify(found));
  }

  #forgetInexact(id: string): void {
    this.database.prepare('DELETE FROM _inexact WHERE family = ? AND id = ?').run(this.family.name, id);
  }
}

/**
 * Status words after which an item no longer changes by itself. Any other status is read again, because an unknown one
 * must not leave a row stale.
 */
const FINAL: ReadonlySet<string> = new Set([
  ...['approved', 'cancelled', 'canceled', 'closed', 'completed', 'declined', 'delivered', 'disabled', 'enabled'],
  ...['error', 'expired', 'failed', 'lost', 'occurrence_limit', 'paid', 'processed', 'refunded', 'resolved'],
  ...['returned', 'sent', 'shipped', 'success', 'void', 'voided', 'won'],
]);

/** Whether an item's state can still change: every sync reads its window again. */
export function isUnsettled(status: unknown): boolean {
  return typeof status === 'string' && status !== '' && !FINAL.has(status.toLowerCase());
}
