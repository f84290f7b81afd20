import { closeSync, openSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { CopsError, closing, local, orElse } from '../errors/errors.js';
import { refuseNoFile } from '../files/replace-file.js';
import type { Text } from '../text/command-line.js';
import { type Connection, type EngineLoader, type EngineStatement, findEngine } from './engines.js';
import { checkReadQuery } from './read-query.js';
import type { Annex, Cell, Database, Statement } from './types.js';

/** How long to wait for another process that is writing, in milliseconds. */
const BUSY_MS = 15_000;
/** The engine attaches ten files. */
const MOST_ANNEXES = 8;
const annexOf = (file: string, at: number): Annex => ({ file: `${file}-annex_${at}`, name: `annex_${at}` });

export interface DatabaseOptions {
  readonly file: string;
  /** Describes the file in error messages: `The sandbox database`. */
  readonly what: string;
  /** What to do if the file cannot be opened. */
  readonly hint?: Text;
  /** Refuses every write; the file must exist. */
  readonly readonly?: boolean;
  /**
   * `wal` (the default): readers never wait for the writer, and commits survive the end of the process.
   * `delete`: a single file with nothing next to it between runs; each commit is synced to disk.
   */
  readonly journal?: 'wal' | 'delete';
  /** Runs everything in one transaction that only this opener sees and that closing undoes; other writers wait. */
  readonly isTrial?: boolean;
  /** The engines to try, in order; defaults to those of this machine. */
  readonly engines?: readonly EngineLoader[];
}

/** Opens a database file, creating it (private to its owner) when absent. @throws CopsError `local` where that fails */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const engine = await findEngine(options.engines);
  const file = path.resolve(options.file);
  let connection: Connection | undefined;
  try {
    // Opening a pipe would wait forever.
    refuseNoFile(file);
    if (!options.readonly) makePrivate(file);
    connection = engine.connect({ file, readonly: options.readonly === true });
    connection.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
    await settle(connection, options);
    if (options.isTrial) connection.exec('BEGIN IMMEDIATE');
  } catch (cause) {
    connection?.close();
    if (cause instanceof CopsError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw local(`${options.what} ${options.file} cannot be opened: ${why}`, options.hint, cause);
  }
  return wrap(connection, { file, engine: engine.name }, options.isTrial === true);
}

/** Opens a database file, works with it and closes it. @throws as `openDatabase`, and what the work throws */
export async function withDatabase<T>(
  options: DatabaseOptions,
  work: (database: Database) => T | Promise<T>,
): Promise<T> {
  return closing(await openDatabase(options), work);
}

/** Deletes what a process that was killed left of its annexes: in a transaction, so that nobody else has any. */
export function removeAnnexes({ file }: Pick<Database, 'file'>): void {
  for (let at = 0; at < MOST_ANNEXES; at++) rmSync(annexOf(file, at).file, { force: true });
}

/** Touches only a file that does not exist: closing one that is open as a database would drop its locks. */
function makePrivate(file: string): void {
  try {
    closeSync(openSync(file, 'ax', 0o600));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

async function settle(connection: Connection, options: DatabaseOptions): Promise<void> {
  if (options.readonly) {
    // Checks that the file is a database at all; opening alone does not.
    first(connection.prepare('SELECT count(*) FROM sqlite_master'));
    connection.exec('PRAGMA query_only = ON; PRAGMA trusted_schema = OFF');
  } else if (options.journal === 'delete') {
    connection.exec('PRAGMA journal_mode = DELETE; PRAGMA synchronous = FULL');
  } else {
    await useWriteAheadLog(connection);
    connection.exec('PRAGMA synchronous = NORMAL; PRAGMA wal_autocheckpoint = 4000');
  }
  connection.exec('PRAGMA temp_store = FILE; PRAGMA cache_size = -16000');
}

/**
 * Unlike everything else, the switch to write-ahead mode never waits: of two creators, the second is refused
 * immediately.
 */
async function useWriteAheadLog(connection: Connection): Promise<void> {
  // Not `performance`: its first use loads much of Node.
  const until = process.uptime() + BUSY_MS / 1000;
  for (;;) {
    try {
      first(connection.prepare('PRAGMA journal_mode = WAL'));
      return;
    } catch (error) {
      if (!isBusy(error) || process.uptime() > until) throw error;
      await sleep(5 + Math.random() * 20);
    }
  }
}

function isBusy(error: unknown): boolean {
  const { code, errcode } = error as { code?: unknown; errcode?: unknown };
  const SQLITE_BUSY = 5;
  return String(code).startsWith('SQLITE_BUSY') || (typeof errcode === 'number' && errcode % 256 === SQLITE_BUSY);
}

/** True for the error of a file that has no database in it. */
export function isNoDatabase(error: unknown): boolean {
  const { code, errcode } = (error ?? {}) as { code?: unknown; errcode?: unknown };
  const SQLITE_NOTADB = 26;
  return code === 'SQLITE_NOTADB' || errcode === SQLITE_NOTADB;
}

/** Turns the error of a full or failing disk into a local fault, and returns any other as it is. */
function writeFault(error: unknown, file: string): unknown {
  const { code = '', errcode = 0, message } = (error ?? {}) as { code?: string; errcode?: number; message?: string };
  const [SQLITE_IOERR, SQLITE_FULL] = [10, 13];
  const isFull = /^(SQLITE_FULL|ENOSPC|EDQUOT)/.test(code) || errcode % 256 === SQLITE_FULL;
  if (!isFull && !code.startsWith('SQLITE_IOERR') && errcode % 256 !== SQLITE_IOERR) return error;
  const why = isFull ? 'the disk is full' : message;
  return local(`cannot write ${file}: ${why}`, 'Free some disk space and run the same command again.', error);
}

/** @throws CopsError `local` if the disk is full or fails, also outside a transaction and in reads: they write files too */
function onDisk<T>(file: string, work: () => T): T {
  // No helper around the try: this runs for every row.
  try {
    return work();
  } catch (error) {
    throw writeFault(error, file);
  }
}

/** Reads to the end: a statement left open holds its view of the file. */
function first(statement: EngineStatement): Cell[] | undefined {
  return [...statement.rows([])][0];
}

function wrap(connection: Connection, facts: Pick<Database, 'file' | 'engine'>, isTrial: boolean): Database {
  const statements = new Map<string, Statement>();
  let open = true;
  // A trial runs in its own transaction from the start.
  let depth = isTrial ? 1 : 0;
  const annexes: Annex[] = [];
  const begin = (): void => {
    onDisk(facts.file, () => connection.exec('BEGIN IMMEDIATE'));
    depth++;
  };
  const committed = <T>(result: T): T => {
    connection.exec('COMMIT');
    return result;
  };
  const undone = (error: unknown): never => {
    rollBack(connection);
    throw writeFault(error, facts.file);
  };
  const ended = (): void => {
    depth--;
    for (const { file, name } of annexes.splice(0)) {
      // Its maker failed before it was attached.
      orElse(() => connection.exec(`DETACH ${name}`), undefined);
      rmSync(file, { force: true });
    }
  };
  const prepare = (sql: string): Statement => {
    let statement = statements.get(sql);
    if (!statement) {
      statement = onDisk(facts.file, () => statementOf(connection.prepare(sql), facts.file));
      statements.set(sql, statement);
    }
    return statement;
  };
  return {
    ...facts,
    exec: (sql) => onDisk(facts.file, () => connection.exec(sql)),
    prepare,
    query(sql) {
      checkReadQuery(sql);
      return statementOf(connection.prepare(sql), facts.file);
    },
    transaction(work) {
      if (depth > 0) return work();
      begin();
      try {
        return committed(work());
      } catch (error) {
        return undone(error);
      } finally {
        ended();
      }
    },
    async longTransaction(work) {
      if (depth > 0) return work();
      begin();
      try {
        return committed(await work());
      } catch (error) {
        return undone(error);
      } finally {
        ended();
      }
    },
    annex() {
      if (depth === 0 || isTrial || annexes.length === MOST_ANNEXES) return undefined;
      annexes.push(annexOf(facts.file, annexes.length));
      return annexes.at(-1);
    },
    close() {
      if (!open) return;
      open = false;
      statements.clear();
      if (isTrial) rollBack(connection);
      connection.close();
    },
  };
}

/** The engine may already have rolled back by itself (disk full). The first error is the one to report. */
export function rollBack(connection: Pick<Connection, 'exec'>): void {
  orElse(() => connection.exec('ROLLBACK'), undefined);
}

function statementOf(statement: EngineStatement, file: string): Statement {
  return {
    get columns() {
      return statement.columns();
    },
    run: (...values) => onDisk(file, () => statement.run(values)),
    runAll: (values) => statement.run(values),
    all: (...values) => onDisk(file, () => Array.from(statement.rows(values), narrowed)),
    get: (...values) => {
      const row = onDisk(file, () => statement.row(values));
      return row && narrowed(row);
    },
    *iterate(...values) {
      for (const row of statement.rows(values)) yield narrowed(row);
    },
  };
}

/**
 * Engines round integers or fail when they read them as numbers, so they are read as `bigint` and converted where
 * exact.
 */
function narrowed(row: Cell[]): Cell[] {
  for (let i = 0; i < row.length; i++) {
    const cell = row[i];
    if (typeof cell !== 'bigint') continue;
    const number = Number(cell);
    if (Number.isSafeInteger(number)) row[i] = number;
  }
  return row;
}
