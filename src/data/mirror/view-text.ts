/** A view as its SQL file tells it. */
export interface ViewText {
  readonly name: string;
  /** What a row is, in sentences. */
  readonly about: string;
  /** Columns of raw tables that it reads: they are there even where no item has shown them. */
  readonly needs: Readonly<Record<string, readonly string[]>>;
  /** Its columns, each with one line of meaning. */
  readonly columns: readonly (readonly [name: string, meaning: string])[];
  /** The query. */
  readonly sql: string;
}
