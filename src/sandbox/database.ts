import { setTimeout as sleep } from 'node:timers/promises';
import { local } from '../errors/errors.js';

export type Value = string | number | null;

/** A prepared statement; rows are arrays in the order of the columns. */
export interface Statement {
  run(...values: Value[]): void;
  get(...values: Value[]): Value[] | undefined;
  all(...values: Value[]): Value[][];
}

/** The little of SQLite that the sandbox needs, so that either engine can stand behind it. */
export interface Database {
  exec(sql: string): void;
  /** Prepared once a text, kept for the life of the connection. */
  prepare(sql: string): Statement;
  /** Runs `work` inside a write transaction; whatever it throws undoes it all. */
  transaction<T>(work: () => T): T;
  close(): void;
}

/** What both engines offer, before it is narrowed. */
interface Engine {
  exec(sql: string): void;
  prepare(sql: string): Statement;
  close(): void;
}

/** How long a process waits for another one that is writing, milliseconds. */
const BUSY_MS = 15_000;

/**
 * Opens a database file, made when absent, in write-ahead mode: readers never wait for the writer, and what
 * was committed survives the end of the process however it ends.
 * @throws CopsError `local` when the file cannot be opened or no engine is there.
 */
export async function openDatabase(file: string): Promise<Database> {
  let engine: Engine;
  try {
    engine = await openEngine(file);
    engine.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    await useWriteAheadLog(engine);
    engine.exec(
      'PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000; PRAGMA temp_store = FILE; PRAGMA cache_size = -16000',
    );
  } catch (cause) {
    throw local(
      `The sandbox database ${file} cannot be opened: ${cause instanceof Error ? cause.message : String(cause)}`,
      'Check the folder and its rights, delete a damaged file, or name another folder with COPS_DATA_DIR.',
      cause,
    );
  }
  return wrap(engine);
}

/**
 * The switch to write-ahead mode needs the file alone, and unlike all else it does not wait for it: of two processes
 * that make one database at once the engine refuses the second right away.
 */
async function useWriteAheadLog(engine: Engine): Promise<void> {
  const deadline = performance.now() + BUSY_MS;
  for (;;) {
    try {
      engine.prepare('PRAGMA journal_mode = WAL').all();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await sleep(5 + Math.random() * 20);
    }
  }
}

function isBusy(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  const SQLITE_BUSY = 5;
  return String(code).startsWith('SQLITE_BUSY') || (typeof errcode === 'number' && errcode % 256 === SQLITE_BUSY);
}

async function openEngine(file: string): Promise<Engine> {
  let failure: unknown;
  try {
    const { default: Libsql } = await import('libsql');
    const database = new Libsql(file, { timeout: BUSY_MS / 1000 });
    return {
      exec: (sql) => void database.exec(sql),
      prepare: (sql) => fromLibsql(database.prepare(sql) as unknown as LibsqlStatement),
      close: () => void database.close(),
    };
  } catch (error) {
    failure = error;
  }
  const builtIn = await importNodeSqlite();
  if (!builtIn) throw failure;
  const database = new builtIn.DatabaseSync(file);
  return {
    exec: (sql) => database.exec(sql),
    prepare: (sql) => fromNode(database.prepare(sql)),
    close: () => database.close(),
  };
}

interface LibsqlStatement {
  raw(on: boolean): unknown;
  readonly reader: boolean;
  run(...values: unknown[]): unknown;
  all(...values: unknown[]): unknown;
}

function fromLibsql(statement: LibsqlStatement): Statement {
  if (statement.reader) statement.raw(true);
  const all = (...values: Value[]) => statement.all(values) as Value[][];
  return {
    run: (...values) => void statement.run(values),
    all,
    // `get` of the engine leaves its statement open, which holds a reader's view of the file: read to the end.
    get: (...values) => all(...values)[0],
  };
}

interface NodeSqlite {
  DatabaseSync: new (
    file: string,
  ) => {
    exec(sql: string): void;
    close(): void;
    prepare(sql: string): NodeStatement;
  };
}

interface NodeStatement {
  run(...values: Value[]): unknown;
  all(...values: Value[]): unknown[];
}

function fromNode(statement: NodeStatement): Statement {
  const all = (...values: Value[]) =>
    statement.all(...values).map((row) => Object.values(row as Record<string, Value>));
  return { run: (...values) => void statement.run(...values), all, get: (...values) => all(...values)[0] };
}

async function importNodeSqlite(): Promise<NodeSqlite | undefined> {
  const name = 'node:sqlite';
  try {
    return (await import(name)) as NodeSqlite;
  } catch {
    return undefined;
  }
}

function wrap(engine: Engine): Database {
  const statements = new Map<string, Statement>();
  let open = true;
  let depth = 0;
  return {
    exec: (sql) => engine.exec(sql),
    prepare(sql) {
      let statement = statements.get(sql);
      if (!statement) {
        statement = engine.prepare(sql);
        statements.set(sql, statement);
      }
      return statement;
    },
    transaction(work) {
      if (depth > 0) return work();
      engine.exec('BEGIN IMMEDIATE');
      depth++;
      try {
        const result = work();
        engine.exec('COMMIT');
        return result;
      } catch (error) {
        try {
          engine.exec('ROLLBACK');
        } catch {
          // The engine has already rolled back (disk full): the first error is the one to tell.
        }
        throw error;
      } finally {
        depth--;
      }
    },
    close() {
      if (!open) return;
      open = false;
      statements.clear();
      engine.close();
    },
  };
}
