import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { openDatabase } from '../../../base/database/open.js';
import type { Cell, Database } from '../../../base/database/types.js';
import { local } from '../../../base/errors/errors.js';
import type { Family } from '../../../catalogue/types.js';
import { sameSchema } from '../../../items/schema/learn.js';
import type { Schema } from '../../../items/schema/types.js';
import { changedSince } from '../files.js';
import { Flattener } from '../flatten.js';
import { type LateField, LateFields, OTHER, type OtherFields, withLate } from '../late-fields.js';
import type { WindowRecord } from '../types.js';
import type { Lines, Sink, Written } from './sink.js';
import { Cells, JSON_COLUMN, type SqliteColumn, type SqlValue, sqliteColumns } from './sqlite-columns.js';
import { Rows } from './sqlite-rows.js';

const NEWLINE = 0x0a;
/** A commit waits for the disk several times. */
export const REST_MS = 1000;

/**
 * A table per family in a SQLite file: the id as primary key, a typed column for each leaf of the schema
 * (`customer.email` as `customer_email`), for each amount its twin in minor units, `_other` for values that their
 * column would change, and the item's JSON. A later field gets a new column. Each window is stored whole or not at all;
 * existing rows are replaced by id.
 */
export class SqliteSink implements Sink {
  #database: Database | undefined;
  #rows: Rows | undefined;
  #schema: Schema;
  #columns: readonly SqliteColumn[] = [];
  #flattener: Flattener = new Flattener([], 'values');
  /** Whether a transaction is open. */
  #begun = false;
  #writing = false;
  readonly #waiting: { done(): void; failed(error: unknown): void }[] = [];
  readonly position = 0;
  readonly restMs = REST_MS;
  readonly #declared = new Map<string, string>();
  readonly #late = new LateFields();
  readonly #cells = new Cells();

  constructor(
    readonly path: string,
    readonly family: Pick<Family, 'name' | 'idField'>,
    schema: Schema,
    /** Existing rows are deleted first: a new export, or a list that is always read completely. */
    readonly anew: boolean,
  ) {
    this.#schema = schema;
  }

  get table(): string {
    return this.family.name;
  }

  async open(_position: number, done: readonly WindowRecord[]): Promise<void> {
    if (done.length > 0 && !(await stat(this.path).catch(() => undefined))) throw changedSince(this.path);
    const database = await openDatabase({ file: this.path, what: 'The SQLite file', journal: 'delete' });
    this.#database = database;
    // Each window is inserted once and never read again. In a new file, a page holds several rows.
    database.exec('PRAGMA page_size = 16384; PRAGMA cache_size = -6000');
    if (done.length > 0 && database.prepare('PRAGMA quick_check(1)').get()?.[0] !== 'ok') throw changedSince(this.path);
    // Otherwise each column would be its own commit, and wait for the disk several times.
    this.#do('open', () => database.transaction(() => this.#makeTable(database, done.length === 0)));
    if (done.length === 0) return;
    let whole = false;
    this.#do('read', () => {
      whole = this.#isWhole(database, done);
    });
    if (whole) return;
    await this.close();
    throw changedSince(this.path);
  }

  #makeTable(database: Database, fresh: boolean): void {
    const id = quote(this.family.idField.replaceAll('.', '_'));
    database.exec(
      `CREATE TABLE IF NOT EXISTS ${quote(this.table)} (${id} TEXT PRIMARY KEY NOT NULL, ` +
        `${OTHER} TEXT, ${JSON_COLUMN} TEXT NOT NULL)`,
    );
    if (this.anew && fresh) database.exec(`DELETE FROM ${quote(this.table)}`);
    this.#prepare(database);
  }

  async write(_window: unknown, lines: Lines): Promise<Written> {
    const hash = createHash('sha256');
    let bytes = 0;
    const before = this.#schema;
    this.#do('write', () => this.#begin());
    this.#writing = true;
    try {
      for await (const group of lines) {
        for (const block of group) {
          hash.update(block);
          bytes += block.length;
          this.#do('write', () => this.#insert(block, this.#rows as Rows));
        }
        // The bytes of a group are valid only until the next one is requested.
        this.#do('write', () => this.#rows?.flush());
        this.#cells.forget();
      }
      this.#do('write', () => this.#database?.exec('RELEASE a_window'));
    } catch (error) {
      this.#undo(before);
      throw error;
    } finally {
      this.#writing = false;
      this.#commitForThose();
    }
    const schema = this.#schema === before ? undefined : this.#schema;
    return { bytes, sha256: hash.digest('hex'), late: this.#late.take(), schema };
  }

  /** Waits for the window being written, so that half a window is never made durable. */
  sync(): Promise<void> {
    return new Promise((done, failed) => {
      this.#waiting.push({ done, failed });
      if (!this.#writing) this.#commitForThose();
    });
  }

  async close(): Promise<void> {
    this.#begun = false;
    const database = this.#database;
    this.#database = undefined;
    database?.close();
  }

  /** Several windows may share a transaction; each of them can be undone alone. */
  #begin(): void {
    const database = this.#database as Database;
    if (!this.#begun) database.exec('BEGIN IMMEDIATE');
    this.#begun = true;
    database.exec('SAVEPOINT a_window');
  }

  #commitForThose(): void {
    const waiting = this.#waiting.splice(0);
    if (waiting.length === 0) return;
    try {
      if (this.#begun) this.#do('write', () => this.#database?.exec('COMMIT'));
      this.#begun = false;
      for (const { done } of waiting) done();
    } catch (error) {
      for (const { failed } of waiting) failed(error);
    }
  }

  #undo(before: Schema): void {
    try {
      this.#database?.exec('ROLLBACK TO a_window; RELEASE a_window');
    } catch {
      // SQLite may have rolled back by itself; then there is nothing for `sync` to commit.
    }
    this.#schema = before;
    this.#late.take();
    if (this.#rows) this.#rows.at = 0;
  }

  /**
   * Whether the rows are those that the finished windows left. SQLite detects damage only in the structure of its
   * pages: a byte of a value can change unnoticed. So each cell must follow from its item. In a table with no other
   * rows, the items in row order must also be the lines whose digests the windows recorded.
   */
  #isWhole(database: Database, done: readonly WindowRecord[]): boolean {
    const names = this.#cellNames();
    const rows = database.prepare(`SELECT ${names.map(quote).join(', ')} FROM ${quote(this.table)} ORDER BY rowid`);
    const windows = this.anew ? done.filter(({ bytes }) => bytes > 0) : [];
    let hash = createHash('sha256');
    let at = 0;
    let left = windows[0]?.bytes ?? 0;
    let whole = true;
    // Reads to the end in any case: an unfinished statement keeps the file locked.
    for (const cells of rows.iterate()) {
      const line = Buffer.from(`${cells.at(-1)}\n`);
      if (at < windows.length) {
        hash.update(line);
        left -= line.length;
        if (left < 0) whole = false;
        if (left === 0) {
          if (hash.digest('hex') !== windows[at++]?.sha256) whole = false;
          hash = createHash('sha256');
          left = windows[at]?.bytes ?? 0;
        }
      }
      this.#flattener.row(line, 0);
      const wanted: (SqlValue | Buffer)[] = [];
      this.#fill(line, wanted, 0);
      // The item itself has its place.
      if (wanted[0] === '') wanted[0] = null;
      // A later column is empty in earlier rows.
      if (cells.some((cell, i) => cell !== null && i < cells.length - 1 && isOther(cell, wanted[i]))) whole = false;
    }
    this.#late.take();
    return whole && at === windows.length;
  }

  /** Adds the columns that the table lacks, and makes the statement that fills them. */
  #prepare(database: Database): void {
    const table = quote(this.table);
    this.#declared.clear();
    const present = database.prepare('SELECT name, type FROM pragma_table_info(?)').all(this.table);
    for (const [name, type] of present) this.#declared.set(String(name), String(type));
    const columns = sqliteColumns(this.#schema, this.family.idField, this.#declared);
    const add = (name: string, sql: string) => {
      if (!this.#declared.has(name)) database.exec(`ALTER TABLE ${table} ADD COLUMN ${quote(name)} ${sql}`);
    };
    for (const { name, sql, minor } of columns) {
      add(name, sql);
      if (minor) add(minor.name, 'INTEGER');
    }
    add(OTHER, 'TEXT');
    this.#columns = columns;
    this.#cells.forget();
    this.#rows = new Rows(database, table, this.#cellNames().map(quote));
    this.#flattener = new Flattener(
      columns.map(({ path }) => path),
      'values',
    );
  }

  /** Columns in the order of a row's cells. */
  #cellNames(): string[] {
    const own = this.#columns.flatMap(({ name, minor }) => (minor ? [name, minor.name] : [name]));
    return [...own, OTHER, JSON_COLUMN];
  }

  #insert(block: Buffer, first: Rows): void {
    let rows = first;
    for (let start = 0; start < block.length; ) {
      let end = this.#flattener.row(block, start);
      if (this.#flattener.others.any && this.#widen(rows)) {
        end = this.#flattener.row(block, start);
        rows = this.#rows as Rows;
      }
      const { values, at } = rows;
      const last = this.#fill(block, values, at);
      if (values[at] === null || values[at] === '') values[at] = block.toString('utf8', start, end);
      values[last] = block.subarray(start, end);
      rows.add();
      start = block.indexOf(NEWLINE, end) + 1;
    }
  }

  /** Puts the cells of the last row read into `values`; returns the index of its JSON. */
  #fill(block: Buffer, values: (SqlValue | Buffer)[], from: number): number {
    const { starts, ends } = this.#flattener;
    const cells = this.#cells;
    let at = from;
    for (let i = 0; i < this.#columns.length; i++) {
      const column = this.#columns[i] as SqliteColumn;
      const start = starts[i] as number;
      const end = ends[i] as number;
      const value = start < 0 ? null : cells.of(block, start, end, column, i);
      if (value === undefined) this.#flattener.others.add(column.path, start, end);
      values[at++] = value ?? null;
      if (!column.minor) continue;
      const code = column.minor.currency < 0 ? -1 : (starts[column.minor.currency] as number);
      values[at++] =
        start < 0 || code < 0 ? null : cells.minor(block, start, end, code, ends[column.minor.currency] as number);
    }
    values[at] = this.#flattener.others.json(this.#late) ?? null;
    return at + 1;
  }

  /** Adds columns for this row's fields that have none; true if there are any. */
  #widen(rows: Rows): boolean {
    const wider = widerSchema(this.#schema, this.#columns, this.#flattener.others);
    if (!wider) return false;
    rows.flush();
    this.#schema = wider;
    this.#prepare(this.#database as Database);
    return true;
  }

  #do(doing: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw local(
        `Could not ${doing} ${this.path}: ${why}.`,
        /full/.test(why)
          ? 'Free some disk space and run the same command again: it continues where it stopped.'
          : undefined,
        error,
      );
    }
  }
}

/** The schema with the fields of a row that no column takes; undefined where it has room for all. */
export function widerSchema(schema: Schema, columns: readonly SqliteColumn[], others: OtherFields): Schema | undefined {
  const known = new Set(columns.map(({ path }) => path));
  const fresh: LateField[] = [];
  for (const late of others.fields()) {
    // A value in place of an object is not a new field.
    const below = [...known].some((path) => path.startsWith(`${late.path}.`) || late.path.startsWith(`${path}.`));
    if (!below && late.field.type !== 'empty') fresh.push(late);
  }
  const wider = withLate(schema, fresh);
  return sameSchema(wider, schema) ? undefined : wider;
}

/** Whether a stored cell differs from the value inserted; SQLite may store an integer as a real number or as text. */
function isOther(stored: Cell, wanted: SqlValue | Buffer | undefined): boolean {
  if (wanted === null || wanted === undefined) return false;
  return String(stored) !== String(wanted) && Number(stored) !== Number(wanted);
}

export function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Rows of a family's table. */
export async function countRows(path: string, table: string): Promise<number> {
  return reading(path, (database) => Number(database.prepare(`SELECT count(*) FROM ${quote(table)}`).get()?.[0]));
}

/** SQLite's own check of the file: `ok`, or a description of the damage. */
export async function checkFile(path: string): Promise<string> {
  return reading(path, (database) => String(database.prepare('PRAGMA quick_check(1)').get()?.[0] ?? 'no answer'));
}

async function reading<T>(path: string, read: (database: Database) => T): Promise<T> {
  const database = await openDatabase({ file: path, what: 'The SQLite file', readonly: true });
  try {
    return read(database);
  } catch (error) {
    throw local(`Could not read ${path}: ${error instanceof Error ? error.message : String(error)}.`, undefined, error);
  } finally {
    database.close();
  }
}
