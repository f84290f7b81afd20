/** A value of a row. Integers are numbers while a number holds them exactly, `bigint` beyond. */
export type Cell = string | number | bigint | null | Uint8Array;

/** A prepared statement; rows are arrays in the order of the columns. */
export interface Statement {
  /** Names of the result's columns; none for a statement that gives no rows. */
  readonly columns: readonly string[];
  run(...values: Cell[]): void;
  /** `run` with many values. */
  runAll(values: readonly Cell[]): void;
  /** The first row. */
  get(...values: Cell[]): Cell[] | undefined;
  all(...values: Cell[]): Cell[][];
  /** Row by row, in constant memory. Read it to its end, or close the database: an open one holds its view of the file. */
  iterate(...values: Cell[]): Iterable<Cell[]>;
}

/** An open database file, whichever engine stands behind it. */
export interface Database {
  readonly file: string;
  readonly engine: 'node:sqlite' | 'libsql';
  /** One or more statements without values or rows. */
  exec(sql: string): void;
  /** Prepared once a text, kept for the life of the connection. */
  prepare(sql: string): Statement;
  /**
   * Prepares one query of a user: SELECT, WITH, VALUES, or EXPLAIN of them. A second statement is left out. With a
   * database opened `readonly` it cannot write anywhere: what attaches, vacuums or sets is no query.
   * @throws CopsError `usage` for any other statement, and for what reaches files.
   */
  query(sql: string): Statement;
  /** Runs `work` inside a write transaction; whatever it throws undoes it all. Inside another one it joins it. */
  transaction<T>(work: () => T): T;
  /**
   * `transaction` for work that waits for something. Nothing else may write by this connection meanwhile: it would be
   * part of it.
   */
  longTransaction<T>(work: () => Promise<T>): Promise<T>;
  close(): void;
}
