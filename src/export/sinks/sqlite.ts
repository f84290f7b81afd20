import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import type { Family } from '../../catalogue/types.js';
import { openDatabase } from '../../database/open.js';
import type { Cell, Database, Statement } from '../../database/types.js';
import { local } from '../../errors/errors.js';
import { flatColumns } from '../columns.js';
import { changedSince } from '../files.js';
import { Flattener } from '../flatten.js';
import { PageReader } from '../page.js';
import type { WindowRecord } from '../types.js';
import type { Window } from '../window.js';
import type { Lines, Sink, Written } from './sink.js';

/** The item's JSON as it came. */
const JSON_COLUMN = '_json';

interface Column {
  readonly path: string;
  readonly name: string;
  readonly sql: 'TEXT' | 'INTEGER' | 'REAL';
}

/**
 * A table a family in a SQLite file: the id as primary key, a typed column for each known field that is no list
 * (`customer.email` as `customer_email`), and the item's JSON. A window is one transaction; rows that are there
 * already are replaced by id.
 */
export class SqliteSink implements Sink {
  #database: Database | undefined;
  #insert: Statement | undefined;
  readonly #columns: readonly Column[];
  readonly #flattener: Flattener;
  readonly #ids: PageReader;

  constructor(
    readonly path: string,
    readonly family: Family,
    /** Rows that were there before go: a new export, or a list that is always read whole. */
    readonly anew: boolean,
  ) {
    this.#columns = columnsOf(family);
    this.#flattener = new Flattener(
      this.#columns.map(({ path }) => path),
      false,
    );
    this.#ids = new PageReader(family.idField);
  }

  get table(): string {
    return this.family.name;
  }

  async open(_position: number, done: readonly WindowRecord[]): Promise<void> {
    if (done.length > 0 && !(await stat(this.path).catch(() => undefined))) throw changedSince(this.path);
    const database = await openDatabase({ file: this.path, what: 'The SQLite file', journal: 'delete' });
    this.#database = database;
    if (done.length > 0 && database.prepare('PRAGMA quick_check(1)').get()?.[0] !== 'ok') throw changedSince(this.path);
    this.#do('open', () => {
      const defined = this.#columns.map(
        ({ name, sql }, i) => `${quote(name)} ${sql}${i === 0 ? ' PRIMARY KEY NOT NULL' : ''}`,
      );
      database.exec(
        `CREATE TABLE IF NOT EXISTS ${quote(this.table)} (${defined.join(', ')}, ${JSON_COLUMN} TEXT NOT NULL)`,
      );
      const present = new Set(
        database
          .prepare(`SELECT name FROM pragma_table_info(?)`)
          .all(this.table)
          .map(([name]) => name),
      );
      for (const { name, sql } of this.#columns) {
        if (!present.has(name)) database.exec(`ALTER TABLE ${quote(this.table)} ADD COLUMN ${quote(name)} ${sql}`);
      }
      if (this.anew && done.length === 0) database.exec(`DELETE FROM ${quote(this.table)}`);
      const names = [...this.#columns.map(({ name }) => name), JSON_COLUMN];
      const [id = '', ...rest] = names.map(quote);
      this.#insert = database.prepare(
        `INSERT INTO ${quote(this.table)} (${[id, ...rest].join(', ')}) VALUES (${names.map(() => '?').join(', ')}) ` +
          `ON CONFLICT (${id}) DO UPDATE SET ${rest.map((name) => `${name} = excluded.${name}`).join(', ')}`,
      );
    });
  }

  async write(_window: Window, lines: Lines): Promise<Written> {
    const hash = createHash('sha256');
    let bytes = 0;
    const database = this.#database as Database;
    this.#do('write', () => database.exec('BEGIN IMMEDIATE'));
    try {
      for await (const group of lines) {
        for (const block of group) {
          hash.update(block);
          bytes += block.length;
          this.#do('write', () => this.#rows(block));
        }
      }
      this.#do('write', () => database.exec('COMMIT'));
    } catch (error) {
      try {
        database.exec('ROLLBACK');
      } catch {
        // SQLite has rolled back by itself where it had to.
      }
      throw error;
    }
    return { bytes, sha256: hash.digest('hex') };
  }

  position(): number {
    return 0;
  }

  async sync(): Promise<void> {}

  async close(): Promise<void> {
    const database = this.#database;
    this.#database = undefined;
    database?.close();
  }

  #rows(block: Buffer): void {
    const ids = this.#ids;
    const flattener = this.#flattener;
    const insert = this.#insert as Statement;
    ids.readLines(block);
    for (let row = 0; row < ids.count; row++) {
      const start = ids.starts[row] as number;
      const end = flattener.row(block, start);
      const values: Cell[] = this.#columns.map(({ sql }, i) =>
        (flattener.starts[i] as number) < 0
          ? null
          : cellOf(block, flattener.starts[i] as number, flattener.ends[i] as number, sql),
      );
      if (values[0] === null || values[0] === '')
        values[0] = block.toString('utf8', ids.idStarts[row], ids.idEnds[row]);
      values.push(block.toString('utf8', start, end));
      insert.run(...values);
    }
  }

  #do(doing: string, work: () => void): void {
    try {
      work();
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      throw local(
        `Could not ${doing} ${this.path}: ${why}.`,
        /full/.test(why) ? 'Make room and run the same command again: it goes on where it stopped.' : undefined,
        error,
      );
    }
  }
}

function columnsOf(family: Family): Column[] {
  const taken = new Set<string>([JSON_COLUMN]);
  const columns: Column[] = [];
  for (const { path, field } of flatColumns(family)) {
    const first = columns.length === 0;
    if (!first && (field === undefined || field.type === 'array' || field.type === 'object' || field.type === 'any'))
      continue;
    let name = path.replaceAll('.', '_');
    while (taken.has(name.toLowerCase())) name += '_';
    taken.add(name.toLowerCase());
    const sql = first
      ? 'TEXT'
      : field?.type === 'integer' || field?.type === 'boolean'
        ? 'INTEGER'
        : field?.type === 'number'
          ? 'REAL'
          : 'TEXT';
    columns.push({ path, name, sql });
  }
  return columns;
}

/** The value with its type; one that does not fit its column is stored as its text, as SQLite allows. */
function cellOf(bytes: Buffer, start: number, end: number, sql: Column['sql']): Cell {
  const first = bytes[start] as number;
  if (first === 0x6e) return null;
  if (first === 0x22) return JSON.parse(bytes.toString('utf8', start, end)) as string;
  const text = bytes.toString('utf8', start, end);
  if (first === 0x74) return sql === 'TEXT' ? text : 1;
  if (first === 0x66) return sql === 'TEXT' ? text : 0;
  if (sql === 'TEXT' || first === 0x7b || first === 0x5b) return text;
  if (/^-?\d{1,18}$/.test(text)) return sql === 'INTEGER' ? BigInt(text) : Number(text);
  const value = Number(text);
  return Number.isFinite(value) ? value : text;
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** Rows of a family's table. */
export async function countRows(path: string, table: string): Promise<number> {
  return reading(path, (database) => Number(database.prepare(`SELECT count(*) FROM ${quote(table)}`).get()?.[0]));
}

/** SQLite's own word on the file: `ok`, or what is damaged. */
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
