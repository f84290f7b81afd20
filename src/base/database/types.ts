/** A column value. Integers are numbers where a number holds them exactly, else `bigint`. */
export type Cell = string | number | bigint | null | Uint8Array;

/** A prepared statement; rows are arrays in column order. */
export interface Statement {
  /** Column names of the result; empty for a statement that returns no rows. */
  readonly columns: readonly string[];
  run(...values: Cell[]): void;
  /** `run` with many values, as an array. */
  runAll(values: readonly Cell[]): void;
  /** The first row. */
  get(...values: Cell[]): Cell[] | undefined;
  all(...values: Cell[]): Cell[][];
  /**
   * Row by row, in constant memory. Read it to the end or close the database: an open statement holds its view of the
   * file.
   */
  iterate(...values: Cell[]): Iterable<Cell[]>;
}

/** A second file of a transaction. */
export interface Annex {
  readonly file: string;
  readonly name: string;
}

/** An open database file, whichever engine backs it. */
export interface Database {
  readonly file: string;
  readonly engine: 'node:sqlite' | 'libsql';
  /** Runs one or more statements without values or rows. */
  exec(sql: string): void;
  /** Prepares each SQL string once and keeps it for the life of the connection. */
  prepare(sql: string): Statement;
  /**
   * Prepares one user query: SELECT, WITH, VALUES, or EXPLAIN of one. Ignores a second statement. With a database
   * opened `readonly` it cannot write anywhere: ATTACH, VACUUM and PRAGMA are not queries.
   * @throws CopsError `usage` for any other statement, and for one that reaches files
   */
  query(sql: string): Statement;
  /** Runs `work` in a write transaction and rolls back if it throws. Joins a transaction that is already open. */
  transaction<T>(work: () => T): T;
  /**
   * `transaction` for asynchronous work. Nothing else may write through this connection meanwhile, or its writes would
   * join the transaction.
   */
  longTransaction<T>(work: () => Promise<T>): Promise<T>;
  /**
   * A place for a file to attach under this name: both end with the transaction. Undefined outside of one, and when it
   * has as many as the engine takes.
   */
  annex(): Annex | undefined;
  close(): void;
}
