/** So many rows are kept; beyond it they are read from the database again. */
const MOST = 500;

/** A row as it is in the database, its item as text. */
export interface FreshRow {
  readonly seq: number;
  readonly created: number;
  readonly customer: string | null;
  readonly facet: number | null;
  readonly text: string;
}

/** Rows that the transaction on its way has written: what it reads of them need not come from the database. */
export class Fresh {
  readonly #rows = new Map<string, FreshRow>();

  get(kind: number, id: string): FreshRow | undefined {
    return this.#rows.get(`${kind} ${id}`);
  }

  set(kind: number, id: string, row: FreshRow): void {
    if (this.#rows.size >= MOST) this.#rows.clear();
    this.#rows.set(`${kind} ${id}`, row);
  }

  delete(kind: number, id: string): void {
    this.#rows.delete(`${kind} ${id}`);
  }

  forget(): void {
    this.#rows.clear();
  }
}
