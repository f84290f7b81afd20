import type { Database, Statement } from '../../../base/database/types.js';
import { leafText } from '../flatten.js';
import type { CellTaker, SqlValue } from './sqlite-columns.js';

/** Rows per statement: each call into the engine costs more than a row in it. */
const ROWS = 25;
/** The most values in one statement. */
const MOST_VALUES = 32_000;

type Bound = SqlValue | Buffer;

/**
 * Collects rows for a table and inserts several per statement; a row with an existing id replaces it. The last column
 * is given as bytes of text: an item's JSON never becomes a string. Binding a value costs more than storing it, so a
 * column is left out of the statement as long as all its values are NULL.
 */
export class Rows {
  /** Cells of all waiting rows; the next row's begin at `at`. */
  readonly values: Bound[];
  at = 0;
  /** By column: whether it has had a value, and so is named in the statement. */
  readonly #isShown: boolean[];
  #shown: number[] = [];
  #one: Statement | undefined;
  #all: Statement | undefined;

  constructor(
    readonly database: Database,
    readonly table: string,
    /** Quoted; the id is first. */
    readonly names: readonly string[],
  ) {
    const { length } = names;
    this.values = new Array(length * Math.max(1, Math.min(ROWS, Math.floor(MOST_VALUES / length)))).fill(null);
    this.#isShown = names.map((_, i) => i === 0 || i === length - 1);
    this.#choose();
  }

  /** Adds the row that was written at `at`. */
  add(): void {
    const { values, at } = this;
    const isShown = this.#isShown;
    const { length } = isShown;
    let more = false;
    for (let i = 0; i < length; i++) {
      if (isShown[i] || values[at + i] === null) continue;
      isShown[i] = true;
      more = true;
    }
    if (more) this.#choose();
    this.at += length;
    if (this.at === values.length) this.flush();
  }

  /** Inserts all waiting rows into the table. */
  flush(): void {
    const waiting = this.at;
    this.at = 0;
    if (waiting === this.values.length) {
      this.#all ??= this.#prepare(waiting / this.names.length);
      this.#all.runAll(this.#bound(0, waiting));
      return;
    }
    this.#one ??= this.#prepare(1);
    for (let from = 0; from < waiting; from += this.names.length)
      this.#one.runAll(this.#bound(from, from + this.names.length));
  }

  #choose(): void {
    this.#shown = this.names.map((_, i) => i).filter((i) => this.#isShown[i]);
    this.#one = undefined;
    this.#all = undefined;
  }

  #bound(from: number, to: number): Bound[] {
    const { values } = this;
    const shown = this.#shown;
    const bound: Bound[] = [];
    for (let row = from; row < to; row += this.names.length) {
      for (let i = 0; i < shown.length; i++) bound.push(values[row + (shown[i] as number)] as Bound);
    }
    return bound;
  }

  #prepare(rows: number): Statement {
    const { names, table } = this;
    const [id, ...rest] = names;
    const last = names.length - 1;
    const shown = this.#shown;
    const marks = shown.map((place) => (place === last ? 'CAST(? AS TEXT)' : '?')).join(', ');
    return this.database.prepare(
      `INSERT INTO ${table} (${shown.map((i) => names[i]).join(', ')}) VALUES ` +
        `${new Array(rows).fill(`(${marks})`).join(', ')} ` +
        // Columns not named above are NULL in `excluded`.
        `ON CONFLICT (${id}) DO UPDATE SET ${rest.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    );
  }
}

/** Puts the cells of a row into the next row of a statement, and into another row beside it. */
export class BoundRow implements CellTaker {
  #at = 0;

  constructor(
    readonly rows: Pick<Rows, 'values' | 'at'>,
    readonly beside?: CellTaker,
  ) {}

  begin(): void {
    this.#at = this.rows.at;
  }

  none(): void {
    this.beside?.none();
    this.bind(null);
  }

  raw(bytes: Buffer, start: number, end: number): void {
    this.beside?.raw(bytes, start, end);
    this.bind(bytes.toString('utf8', start, end));
  }

  string(bytes: Buffer, start: number, end: number): void {
    this.beside?.string(bytes, start, end);
    this.bind(leafText(bytes, start, end));
  }

  text(value: string): void {
    this.beside?.text(value);
    this.bind(value);
  }

  whole(value: number): void {
    this.beside?.whole(value);
    // An integer bound as a double would be stored as one.
    this.bind(BigInt(value));
  }

  long(value: bigint): void {
    this.beside?.long(value);
    this.bind(value);
  }

  real(value: number): void {
    this.beside?.real(value);
    this.bind(value);
  }

  bind(value: Bound): void {
    this.rows.values[this.#at++] = value;
  }
}
