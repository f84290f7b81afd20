import { type FileHandle, open, rm } from 'node:fs/promises';
import { withDatabase } from '../../../base/database/open.js';
import { sameSchema } from '../../../items/schema/learn.js';
import type { Schema } from '../../../items/schema/types.js';
import { exportFault, onFile, writeAll } from '../files.js';
import { Flattener } from '../flatten.js';
import { type LateField, LateFields, OTHER, type OtherFields, withLate } from '../late-fields.js';
import { RowFile } from './row-file.js';
import type { Lines } from './sink.js';
import { addColumns, quote, type TableFamily, typesIn, withTable } from './sqlite.js';
import { Cells, JSON_COLUMN, type SqliteColumn, sqliteColumns } from './sqlite-columns.js';
import { PAGE, TablePages } from './sqlite-pages.js';
import { TableRow } from './sqlite-records.js';

const NEWLINE = 0x0a;
const QUOTE = 0x22;
const LIST = 0x5b;
const OBJECT = 0x7b;
/** The letter that `null` begins with. */
const NULL = 0x6e;
/** Offsets in the first page: the page count, and the two counters that must match for it to be valid. */
const COUNT = 28;
const COUNTERS = [24, 92];

export interface SqliteFile {
  readonly items: number;
  readonly schema: Schema;
  readonly late: readonly LateField[];
}

/**
 * Writes lines of JSON as a new SQLite file with a family's table. Its rows are laid out as pages, because passing each
 * value to the engine would take most of an export's time. Durable when it returns.
 */
export async function writeSqlite(
  path: string,
  lines: () => Lines,
  schema: Schema,
  family: TableFamily,
): Promise<SqliteFile> {
  await removeFile(path);
  const table = new Table(schema, family.idField);
  const { root, next } = await emptyTable(path, family);
  const pages = new TablePages(next);
  const file = await onFile(path, 'open', () => open(path, 'r+'));
  try {
    await onFile(path, 'write', async () => {
      await fill(table, lines(), ({ types, typesLength, body, bodyLength }) => {
        pages.add(types, typesLength, body, bodyLength);
        return pages.isFull ? append(file, pages) : undefined;
      });
      const top = pages.finish();
      await append(file, pages);
      if (pages.rows > 0) await writeAll(file, [top], (root - 1) * PAGE);
      await countPages(file, pages.count);
    });
  } finally {
    await file.close();
  }
  if (await isIndexed(path, family.name, table)) return { items: pages.rows, schema: table.schema, late: table.late() };
  await removeFile(path);
  return mergeSqlite(path, `${path}-rows`, lines, schema, family, false);
}

/**
 * Writes JSON lines into a family's table, in a new or existing file. A row replaces an earlier one with its id. When it
 * returns, the table has all of them; if it fails, none.
 * @param waiting the file where the rows wait until all of them are there
 * @param anew whether the table's present rows are deleted
 */
export async function mergeSqlite(
  path: string,
  waiting: string,
  lines: () => Lines,
  schema: Schema,
  family: TableFamily,
  anew: boolean,
): Promise<SqliteFile> {
  const merged = withTable(path, family, async (database) => {
    const table = new Table(schema, family.idField, typesIn(database, family.name));
    const rows = new RowFile({ file: waiting, name: 'waiting' });
    await fill(table, lines(), (row) => rows.add(row)).catch((error) => {
      rows.close();
      throw exportFault(error, waiting, 'write');
    });
    const name = quote(family.name);
    database.transaction(() => {
      addColumns(database, family.name, table.columns);
      if (anew) database.exec(`DELETE FROM ${name}`);
      rows.copy(
        database,
        name,
        [...table.columns].map(([column]) => quote(column)),
      );
    });
    const items = Number(database.prepare(`SELECT count(*) FROM ${name}`).get()?.[0]);
    return { items, schema: table.schema, late: table.late() };
  });
  return onFile(path, 'write', () => merged).finally(() => rm(waiting, { force: true }));
}

/** Adds to a family's table the schema's columns that it is missing. */
export async function widenTable(path: string, family: TableFamily, schema: Schema): Promise<void> {
  await withTable(path, family, (database) => {
    const { columns } = new Table(schema, family.idField, typesIn(database, family.name));
    database.transaction(() => addColumns(database, family.name, columns));
  });
}

/** Encodes all items as rows; `add` may have to wait. */
async function fill(table: Table, lines: Lines, add: (row: TableRow) => Promise<void> | undefined): Promise<void> {
  for await (const group of lines) {
    for (const block of group) {
      for (let at = 0; at < block.length; ) {
        at = table.read(block, at);
        const waiting = add(table.row);
        if (waiting) await waiting;
      }
    }
  }
}

/** Writes the full pages. */
async function append(file: FileHandle, pages: TablePages): Promise<void> {
  const { length } = pages.ready;
  await writeAll(file, [pages.ready], pages.count * PAGE - length);
  pages.taken();
}

async function removeFile(path: string): Promise<void> {
  for (const ending of ['', '-journal']) await rm(`${path}${ending}`, { force: true });
}

/** The columns of a row before those of the schema: the id, `_other` and the item. */
const FIXED = 3;

/** A column's index among those of the schema, and whether it holds the minor units. */
interface Place {
  readonly index: number;
  readonly isMinor: boolean;
}

/** Turns items into table rows, adding a column for each field that first appears later. */
class Table {
  schema: Schema;
  /** The last row read. */
  readonly row = new TableRow();
  readonly #idField: string;
  readonly #late = new LateFields();
  readonly #cells = new Cells();
  /** Columns whose value in this row does not fit their type. */
  readonly #misfits: number[] = [];
  readonly #rest = new TableRow();
  /** The columns in the order of a row, with their types: the id, what belongs to no column, the item, and the rest. */
  readonly columns = new Map<string, string>();
  #columns: readonly SqliteColumn[] = [];
  /** For each column of a row after the fixed ones. */
  #places: Place[] = [];
  #flattener = new Flattener([], 'values');

  constructor(
    schema: Schema,
    idField: string,
    /** The types of columns that are there, by name: they stay. */
    readonly declared: ReadonlyMap<string, string> = new Map(),
  ) {
    this.schema = schema;
    this.#idField = idField;
    for (const name of [idField.replaceAll('.', '_'), OTHER, JSON_COLUMN]) this.columns.set(name, 'TEXT');
    this.#lay();
  }

  late(): readonly LateField[] {
    return this.#late.take() ?? [];
  }

  /** Reads the item at `start`; returns where the next one starts. */
  read(block: Buffer, start: number): number {
    let end = this.#flattener.row(block, start);
    if (this.#flattener.others.any && this.#widen()) end = this.#flattener.row(block, start);
    const bytes = end - start;
    this.#misfits.length = 0;
    const { row } = this;
    const rest = this.#rest;
    rest.begin(this.#places.length, bytes);
    for (const { index, isMinor } of this.#places) {
      if (isMinor) this.#minor(block, index);
      else this.#cell(rest, block, index);
    }
    row.begin(FIXED + this.#places.length, 3 * bytes);
    if (!this.#hasId(block)) row.raw(block, start, end);
    else this.#cell(row, block, 0);
    const { starts, ends, others } = this.#flattener;
    // In schema order, not in table order.
    for (const index of this.#misfits.sort((a, b) => a - b))
      others.add((this.#columns[index] as SqliteColumn).path, starts[index] as number, ends[index] as number);
    const other = others.json(this.#late);
    if (other === undefined) row.none();
    else row.text(other);
    row.room(bytes + rest.bodyLength);
    row.raw(block, start, end);
    row.append(rest);
    return block.indexOf(NEWLINE, end) + 1;
  }

  #hasId(block: Buffer): boolean {
    const start = this.#flattener.starts[0] as number;
    if (start < 0) return false;
    const first = block[start];
    if (first === LIST || first === OBJECT) {
      this.#misfits.push(0);
      return false;
    }
    return first !== NULL && !(first === QUOTE && block[start + 1] === QUOTE);
  }

  #cell(into: TableRow, block: Buffer, index: number): void {
    const start = this.#flattener.starts[index] as number;
    const first = start < 0 ? NULL : (block[start] as number);
    if (first === NULL) {
      into.none();
      return;
    }
    const end = this.#flattener.ends[index] as number;
    const column = this.#columns[index] as SqliteColumn;
    const isText = column.sql === 'TEXT' && first !== OBJECT && first !== LIST;
    if (isText && first === QUOTE && !column.json) into.string(block, start, end);
    else if (isText || column.json) into.raw(block, start, end);
    else {
      const value = this.#cells.of(block, start, end, column.sql);
      if (value === undefined) this.#misfits.push(index);
      into.value(value ?? null);
    }
  }

  /** Adds the amount in minor units. */
  #minor(block: Buffer, index: number): void {
    const { starts, ends } = this.#flattener;
    const start = starts[index] as number;
    const currency = this.#columns[index]?.minor?.currency ?? -1;
    const code = currency < 0 ? -1 : (starts[currency] as number);
    if (start < 0 || code < 0) this.#rest.none();
    else this.#rest.value(this.#cells.minor(block, start, ends[index] as number, code, ends[currency] as number));
  }

  /** Adds columns for fields of this row that have none; returns whether it added any. */
  #widen(): boolean {
    const wider = widerSchema(this.schema, this.#columns, this.#flattener.others);
    if (!wider) return false;
    this.schema = wider;
    this.#lay();
    return true;
  }

  /** Places the columns of the schema; new ones go last. */
  #lay(): void {
    this.#columns = sqliteColumns(this.schema, this.#idField, new Map([...this.columns, ...this.declared]));
    const places = new Map<string, Place>();
    for (const [index, { name, sql, minor }] of this.#columns.entries()) {
      places.set(name, { index, isMinor: false });
      this.columns.set(name, sql);
      if (!minor) continue;
      places.set(minor.name, { index, isMinor: true });
      this.columns.set(minor.name, 'INTEGER');
    }
    this.#places = [...this.columns.keys()].slice(FIXED).map((name) => {
      const place = places.get(name);
      if (place === undefined) throw new Error('A column moved.');
      return place;
    });
    this.#flattener = new Flattener(
      this.#columns.map(({ path }) => path),
      'values',
    );
  }
}

/** The schema with the fields of a row that no column takes; undefined where it has room for all. */
function widerSchema(schema: Schema, columns: readonly SqliteColumn[], others: OtherFields): Schema | undefined {
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

/** The root page of the empty table, and the first free page. */
async function emptyTable(
  path: string,
  family: TableFamily,
): Promise<{ readonly root: number; readonly next: number }> {
  return withTable(path, family, (database) => {
    const root = Number(database.prepare('SELECT rootpage FROM sqlite_master WHERE name = ?').get(family.name)?.[0]);
    return { root, next: Number(database.prepare('PRAGMA page_count').get()?.[0]) + 1 };
  });
}

/** Updates the page count in the file header. */
async function countPages(file: FileHandle, count: number): Promise<void> {
  const head = Buffer.alloc(100);
  await file.read(head, 0, head.length, 0);
  const changes = head.readUInt32BE(COUNTERS[0]) + 1;
  for (const at of COUNTERS) head.writeUInt32BE(changes, at);
  head.writeUInt32BE(count, COUNT);
  await writeAll(file, [head], 0);
  await file.sync();
}

/** Adds the columns and builds the id index; false if two rows share an id. */
async function isIndexed(path: string, name: string, { columns }: Table): Promise<boolean> {
  const file = { file: path, what: 'The SQLite file', journal: 'delete' } as const;
  try {
    await withDatabase(file, (database) =>
      database.transaction(() => {
        addColumns(database, name, columns);
        database.exec(`REINDEX ${quote(name)}`);
      }),
    );
    return true;
  } catch (error) {
    if (/UNIQUE constraint failed/.test(String(error))) return false;
    throw exportFault(error, path, 'write');
  }
}
