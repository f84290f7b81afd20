import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import type { Database } from 'libsql';
import { local } from '../errors/errors.js';
import { isExplained, readsOnly } from './read-query.js';
import type { Cell } from './types.js';

/** A prepared statement, narrowed to what both engines do alike: rows are arrays, integers arrive as `bigint`. */
export interface EngineStatement {
  /** Column names of the result; empty for a statement that returns no rows. */
  columns(): string[];
  run(values: readonly Cell[]): void;
  rows(values: readonly Cell[]): Iterable<Cell[]>;
  /** The first row; the rest stay unread. */
  row(values: readonly Cell[]): Cell[] | undefined;
}

/** An open connection to an engine. */
export interface Connection {
  exec(sql: string): void;
  prepare(sql: string): EngineStatement;
  close(): void;
}

/** One of the two libraries that can back a database. */
export interface Engine {
  readonly name: 'node:sqlite' | 'libsql';
  /** The module name for `require`, so that another process can load the engine. */
  readonly module: string;
  connect(url: { readonly file: string; readonly readonly: boolean }): Connection;
}

/** Loads an engine. Resolves to undefined, or throws an error that says why, when the engine is not available. */
export type EngineLoader = () => Promise<Engine | undefined>;

/** In order of preference: the engine built into Node needs no native package. */
export const ENGINES: readonly EngineLoader[] = [loadNodeSqlite, loadLibsql];

/**
 * The engine for this Node: the built-in `node:sqlite` where it works without a flag and can return rows as arrays
 * (22.16 and newer), otherwise the package `libsql`.
 * @throws CopsError `local` when neither is available.
 */
export async function findEngine(loaders: readonly EngineLoader[] = ENGINES): Promise<Engine> {
  let cause: unknown;
  for (const load of loaders) {
    try {
      const engine = await load();
      if (engine) return engine;
    } catch (error) {
      cause = error;
    }
  }
  const why = cause instanceof Error ? ` (${cause.message.split('\n')[0]})` : '';
  throw local(
    `There is no SQLite here: this Node has no usable node:sqlite, and the package libsql cannot be loaded${why}.`,
    'Use Node 22.16 or newer, or install cops again with its optional packages (npm install --include=optional). ' +
      'Only the sandbox and SQLite files need it.',
    cause,
  );
}

interface NodeSqlite {
  DatabaseSync: new (file: string, options: { readOnly: boolean }) => NodeDatabase;
  StatementSync: { prototype: object };
}

interface NodeDatabase extends Omit<Connection, 'prepare'> {
  prepare(sql: string): NodeStatement;
}

interface NodeStatement {
  columns(): { name: string }[];
  run(...values: readonly Cell[]): unknown;
  iterate(...values: readonly Cell[]): Iterable<unknown>;
  get(...values: readonly Cell[]): unknown;
  setReadBigInts(on: boolean): void;
  setReturnArrays(on: boolean): void;
}

async function loadNodeSqlite(): Promise<Engine | undefined> {
  const name = 'node:sqlite';
  const sqlite = withoutWarning(() => process.getBuiltinModule?.(name) as NodeSqlite | undefined);
  // Rows as objects would lose one of two columns with the same name.
  if (!sqlite || !('setReturnArrays' in sqlite.StatementSync.prototype)) return undefined;
  return {
    name,
    module: name,
    connect({ file, readonly }) {
      const database = new sqlite.DatabaseSync(file, { readOnly: readonly });
      return {
        exec: (sql) => database.exec(sql),
        prepare: (sql) => fromNode(database.prepare(sql)),
        close: () => database.close(),
      };
    },
  };
}

function fromNode(statement: NodeStatement): EngineStatement {
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  return {
    columns: () => statement.columns().map(({ name }) => name),
    run: (values) => void statement.run(...values),
    rows: (values) => statement.iterate(...values) as Iterable<Cell[]>,
    row: (values) => statement.get(...values) as Cell[] | undefined,
  };
}

/** Node 22 warns on standard error that this engine is experimental; users expect only our own words there. */
function withoutWarning<T>(load: () => T): T {
  const { emitWarning } = process;
  process.emitWarning = () => {};
  try {
    return load();
  } finally {
    process.emitWarning = emitWarning;
  }
}

async function loadLibsql(): Promise<Engine> {
  const { default: Libsql } = await import('libsql');
  return {
    name: 'libsql',
    get module() {
      return createRequire(import.meta.url).resolve('libsql');
    },
    connect({ file, readonly }) {
      // The library ignores its own `readonly` option; SQLite reads the mode from the file's address.
      const address = readonly ? `${pathToFileURL(file).href}?mode=ro` : file;
      const database = new Libsql(address);
      return {
        exec: (sql) => void database.exec(sql),
        prepare: (sql) => fromLibsql(database.prepare(sql), sql),
        close: () => void database.close(),
      };
    },
  };
}

function fromLibsql(statement: ReturnType<Database['prepare']>, sql: string): EngineStatement {
  if (statement.reader) {
    statement.raw(true);
    statement.safeIntegers(true);
  }
  return {
    columns: () => (statement.reader ? statement.columns().map(({ name }) => name) : []),
    run: (values) => void statement.run(bindable(values)),
    rows: (values) => releasing(statement, sql, bindable(values)),
    row: (values) => statement.get(bindable(values)) as Cell[] | undefined,
  };
}

/**
 * The rows of a statement, releasing its hold on the file afterwards. This engine resets a statement only when its rows
 * are garbage-collected. Until then a statement that was abandoned halfway, or an EXPLAIN, keeps other writers out,
 * even after its connection closes. Asking for the first row resets it immediately.
 */
function releasing(statement: ReturnType<Database['prepare']>, sql: string, values: readonly Cell[]): Iterable<Cell[]> {
  return {
    [Symbol.iterator]() {
      const rows = (statement.iterate(values) as Iterable<Cell[]>)[Symbol.iterator]();
      const release = (): void => {
        if (readsOnly(sql)) statement.get(values);
      };
      const explains = isExplained(sql);
      return {
        next() {
          const next = rows.next();
          if (explains && next.done === true) release();
          return next;
        },
        return() {
          release();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

/** A value of any other type crashes the whole process inside this engine. */
function bindable(values: readonly Cell[]): readonly Cell[] {
  for (const value of values) {
    const type = typeof value;
    if (type === 'string' || type === 'number' || type === 'bigint' || value === null) continue;
    if (!(value instanceof Uint8Array)) throw new TypeError(`A ${typeof value} cannot be stored.`);
  }
  return values;
}
