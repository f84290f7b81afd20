import type { Database, Statement } from '../../../base/database/types.js';
import type { SqlValue } from './sqlite-columns.js';

/** Rows of one statement: each call into the engine costs more than a row in it. */
const ROWS = 25;
/** Values that one statement may have. */
const MOST_VALUES = 32_000;

type Bound = SqlValue | Buffer;

/**
 * Rows on their way into a table, several a statement; one whose id is there replaces it. The last column is given as
 * bytes of text: an item's JSON is never made a string. Binding a value costs more than storing it: a column that has
 * shown one value only so far is bound once a statement, and not named at all while that value is NULL.
 */
export class Rows {
  /** Cells of all rows that wait; those of the next row begin at `at`. */
  readonly values: Bound[];
  at = 0;
  /** By column: whether it has shown more than one value, and the first that it showed. */
  readonly #varies: boolean[];
  #first: Bound[] | undefined;
  /** The columns that are named in the statement: those of one value, then those of several. */
  #alike: number[] = [];
  #varied: number[] = [];
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
    this.#varies = names.map((_, i) => i === 0 || i === length - 1);
    this.#choose();
  }

  /** Takes the row that was put at `at`. */
  add(): void {
    const { values, at } = this;
    const varies = this.#varies;
    const { length } = varies;
    if (!this.#first) {
      // What stands in a buffer is there for this row only; such a column varies in any case.
      this.#first = values.slice(at, at + length);
      this.#choose();
    }
    let more = false;
    for (let i = 0; i < length; i++) {
      if (varies[i] || values[at + i] === this.#first[i]) continue;
      varies[i] = true;
      more = true;
    }
    if (more) this.#choose();
    this.at += length;
    if (this.at === values.length) this.flush();
  }

  /** Puts all rows that wait into the table. */
  flush(): void {
    const waiting = this.at;
    this.at = 0;
    if (waiting === this.values.length) {
      this.#all ??= this.#prepare(waiting / this.names.length);
      this.#all.runAll(this.#bound(0, waiting));
      return;
    }
    this.#one ??= this.#prepare(1);
    for (let from = 0; from < waiting; from += this.names.length) {
      this.#one.runAll(this.#bound(from, from + this.names.length));
    }
  }

  #choose(): void {
    const places = this.names.map((_, i) => i);
    this.#varied = places.filter((i) => this.#varies[i]);
    this.#alike = places.filter((i) => !this.#varies[i] && (this.#first?.[i] ?? null) !== null);
    this.#one = undefined;
    this.#all = undefined;
  }

  #bound(from: number, to: number): Bound[] {
    const { values } = this;
    const { length } = this.names;
    const varied = this.#varied;
    const bound: Bound[] = [];
    for (let row = from; row < to; row += length) {
      for (let i = 0; i < varied.length; i++) bound.push(values[row + (varied[i] as number)] as Bound);
    }
    for (const place of this.#alike) bound.push(this.#first?.[place] as Bound);
    return bound;
  }

  #prepare(rows: number): Statement {
    const { names, table } = this;
    const [id, ...rest] = names;
    const last = names.length - 1;
    const marks = (places: readonly number[]) =>
      places.map((place) => (place === last ? 'CAST(? AS TEXT)' : '?')).join(', ');
    const shown = [...this.#varied, ...this.#alike].map((i) => names[i]);
    const values = `VALUES ${new Array(rows).fill(`(${marks(this.#varied)})`).join(', ')}`;
    // Marks without numbers: older engines of Node take no others. The join keeps the order of the rows.
    const all =
      this.#alike.length === 0
        ? values
        : `SELECT v.*, a.* FROM (${values}) AS v CROSS JOIN (SELECT ${marks(this.#alike)}) AS a WHERE true`;
    return this.database.prepare(
      `INSERT INTO ${table} (${shown.join(', ')}) ${all} ` +
        // What is not named above is NULL in `excluded`.
        `ON CONFLICT (${id}) DO UPDATE SET ${rest.map((name) => `${name} = excluded.${name}`).join(', ')}`,
    );
  }
}
