import { type FileHandle, open, rm } from 'node:fs/promises';
import { openDatabase } from '../../../base/database/open.js';
import type { Family } from '../../../catalogue/types.js';
import type { Schema } from '../../../items/schema/types.js';
import { exportFault, onFile, writeAll } from '../files.js';
import { Flattener } from '../flatten.js';
import { type LateField, LateFields } from '../late-fields.js';
import type { Lines } from './sink.js';
import { countRows, quote, SqliteSink, widerSchema } from './sqlite.js';
import { Cells, type SqliteColumn, type SqlValue, sqliteColumns } from './sqlite-columns.js';
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
 * Writes lines of JSON as a SQLite file with the table of `SqliteSink`. Its rows are laid out as pages, because passing
 * each value to the engine would take most of an export's time. Durable when it returns.
 */
export async function writeSqlite(
  path: string,
  lines: () => Lines,
  schema: Schema,
  family: Pick<Family, 'name' | 'idField'>,
): Promise<SqliteFile> {
  await removeFile(path);
  const sink = new SqliteSink(path, family, schema, true);
  await sink.open(0, []);
  await sink.close();
  const table = new Table(schema, family.idField);
  const { root, next } = await emptyTable(path, family.name);
  const pages = new TablePages(next);
  const file = await onFile(path, 'open', () => open(path, 'r+'));
  try {
    await onFile(path, 'write', async () => {
      for await (const group of lines()) {
        for (const block of group) {
          for (let at = 0; at < block.length; ) {
            at = table.row(block, at, pages);
            if (pages.isFull) await append(file, pages);
          }
        }
      }
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
  return byEngine(path, lines, schema, family);
}

/** Does the same row by row through the engine, where a later item replaces an earlier one with the same id. */
async function byEngine(...[path, lines, schema, family]: Parameters<typeof writeSqlite>): Promise<SqliteFile> {
  const sink = new SqliteSink(path, family, schema, true);
  await sink.open(0, []);
  try {
    const written = await sink.write(undefined, lines());
    await sink.sync();
    return { items: await countRows(path, family.name), schema: written.schema ?? schema, late: written.late ?? [] };
  } finally {
    await sink.close();
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

/** Turns items into table rows, adding a column for each field that first appears later. */
class Table {
  schema: Schema;
  /** Names and types of the columns added later. */
  readonly added: (readonly [name: string, type: string])[] = [];
  readonly #idField: string;
  readonly #late = new LateFields();
  readonly #cells = new Cells();
  /** Columns whose value in this row does not fit their type. */
  readonly #misfits: number[] = [];
  readonly #row = new TableRow();
  readonly #rest = new TableRow();
  /** Types of the existing columns, by name. */
  readonly #declared = new Map<string, string>();
  #columns: readonly SqliteColumn[] = [];
  /** For each table column after `_json`: its index in `#columns`, and whether it holds the minor units. */
  #places: { readonly index: number; readonly isMinor: boolean }[] = [];
  #flattener = new Flattener([], 'values');

  constructor(schema: Schema, idField: string) {
    this.schema = schema;
    this.#idField = idField;
    this.#lay();
    this.added.length = 0;
  }

  late(): readonly LateField[] {
    return this.#late.take() ?? [];
  }

  /** Adds the item at `start`; returns where the next one starts. */
  row(block: Buffer, start: number, pages: TablePages): number {
    let end = this.#flattener.row(block, start);
    if (this.#flattener.others.any && this.#widen()) end = this.#flattener.row(block, start);
    const bytes = end - start;
    this.#misfits.length = 0;
    const row = this.#row;
    const rest = this.#rest;
    rest.begin(this.#places.length, bytes);
    for (const { index, isMinor } of this.#places) {
      if (isMinor) this.#minor(block, index);
      else this.#cell(rest, block, index);
    }
    row.begin(3 + this.#places.length, 3 * bytes);
    if (!this.#hasId(block)) row.raw(block, start, end);
    else this.#cell(row, block, 0);
    const { starts, ends, others } = this.#flattener;
    // In schema order, as the engine path writes them, not in table order.
    for (const index of this.#misfits.sort((a, b) => a - b))
      others.add((this.#columns[index] as SqliteColumn).path, starts[index] as number, ends[index] as number);
    const other = others.json(this.#late);
    if (other === undefined) row.none();
    else row.text(other);
    row.room(bytes + rest.bodyLength);
    row.raw(block, start, end);
    row.append(rest);
    pages.add(row.types, row.typesLength, row.body, row.bodyLength);
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
      const value = this.#cells.of(block, start, end, column, index) as Exclude<SqlValue, string> | undefined;
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
    const before = this.#places.map(({ index, isMinor }) => nameAt(this.#columns, index, isMinor));
    this.#columns = sqliteColumns(this.schema, this.#idField, this.#declared);
    const places = new Map<string, { readonly index: number; readonly isMinor: boolean }>();
    for (const [index, { name, sql, minor }] of this.#columns.entries()) {
      this.#add(name, sql);
      places.set(name, { index, isMinor: false });
      if (!minor) continue;
      this.#add(minor.name, 'INTEGER');
      places.set(minor.name, { index, isMinor: true });
    }
    const names = [...this.#declared.keys()].slice(1);
    if (before.some((name, i) => name !== names[i])) throw new Error('A column moved.');
    this.#places = names.map((name) => places.get(name) as { readonly index: number; readonly isMinor: boolean });
    this.#flattener = new Flattener(
      this.#columns.map(({ path }) => path),
      'values',
    );
  }

  #add(name: string, sql: string): void {
    if (this.#declared.has(name)) return;
    this.#declared.set(name, sql);
    this.added.push([name, sql]);
  }
}

const nameAt = (columns: readonly SqliteColumn[], index: number, isMinor: boolean): string | undefined =>
  isMinor ? columns[index]?.minor?.name : columns[index]?.name;

/** The root page of the empty table, and the first free page. */
async function emptyTable(path: string, table: string): Promise<{ readonly root: number; readonly next: number }> {
  const database = await openDatabase({ file: path, what: 'The SQLite file', journal: 'delete' });
  try {
    const root = Number(database.prepare('SELECT rootpage FROM sqlite_master WHERE name = ?').get(table)?.[0]);
    return { root, next: Number(database.prepare('PRAGMA page_count').get()?.[0]) + 1 };
  } finally {
    database.close();
  }
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

/** Adds the late columns and builds the id index; false if two rows share an id. */
async function isIndexed(path: string, name: string, { added }: Table): Promise<boolean> {
  const database = await openDatabase({ file: path, what: 'The SQLite file', journal: 'delete' });
  try {
    const table = quote(name);
    database.transaction(() => {
      for (const [column, type] of added) database.exec(`ALTER TABLE ${table} ADD COLUMN ${quote(column)} ${type}`);
      database.exec(`REINDEX ${table}`);
    });
    return true;
  } catch (error) {
    if (/UNIQUE constraint failed/.test(String(error))) return false;
    throw exportFault(error, path, 'write');
  } finally {
    database.close();
  }
}
