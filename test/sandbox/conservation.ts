import { type BookItem, Books } from '../../src/data/scenarios/books.js';
import type { ItemStore } from '../../src/sandbox/store/item-store.js';
import { KINDS_OF_ITEMS } from '../../src/sandbox/store/kinds.js';

/**
 * Books that are kept up: after the first reading only the rows that were written since are read again. What was
 * written is learnt from triggers in the database, inside the same transactions, so that nothing escapes them and
 * nothing is read that was taken back.
 */
export class KeptBooks extends Books {
  readonly #families = new Map<number, string>();
  readonly #rows = new Map<number, { family: string; id: string }>();

  constructor(
    private readonly store: ItemStore,
    live: boolean,
  ) {
    super(store, live);
    const { database } = store;
    for (const family of KINDS_OF_ITEMS)
      if (family !== 'api_calls') this.#families.set(store.kind(family, live), family);
    for (const [seq, kind, id] of database.prepare('SELECT seq, kind, id FROM items').all() as [
      number,
      number,
      string,
    ][])
      this.#note(seq, kind, id);
    database.exec('CREATE TEMP TABLE written (seq INTEGER PRIMARY KEY)');
    for (const [deed, row] of Object.entries({ INSERT: 'new', UPDATE: 'new', DELETE: 'old' }))
      database.exec(`CREATE TEMP TRIGGER written_${deed} AFTER ${deed} ON main.items
        BEGIN INSERT OR IGNORE INTO written VALUES (${row}.seq); END`);
  }

  /** Reads what was written since the last reading. */
  refresh(): this {
    const { database } = this.store;
    const written = database
      .prepare('SELECT w.seq, i.kind, i.id FROM written w LEFT JOIN items i ON i.seq = w.seq')
      .all();
    database.exec('DELETE FROM written');
    for (const [seq, kind, id] of written as [number, number | null, string | null][]) {
      const before = this.#rows.get(seq);
      if (before) this.items(before.family).delete(before.id);
      this.#rows.delete(seq);
      const family = kind === null || id === null ? undefined : this.#note(seq, kind, id);
      if (!family) continue;
      for (const item of this.store.rows(family, this.live, [seq]))
        this.items(family).set(item.id, item.value as BookItem);
    }
    // They show others as those are now, without being written.
    for (const family of KINDS_OF_ITEMS.filter((one) => this.store.isCompleted(one)))
      for (const { id, value } of this.store.scan(family, this.live)) this.items(family).set(id, value as BookItem);
    return this;
  }

  #note(seq: number, kind: number, id: string): string | undefined {
    const family = this.#families.get(kind);
    if (family) this.#rows.set(seq, { family, id });
    return family;
  }
}

/** Items that two readings have not alike. */
export function differences(one: Books, other: Books): string[] {
  return KINDS_OF_ITEMS.filter((family) => family !== 'api_calls').flatMap((family) => {
    const ids = new Set([...one.all(family), ...other.all(family)].map(({ id }) => String(id)));
    return [...ids].filter((id) => JSON.stringify(one.get(family, id)) !== JSON.stringify(other.get(family, id)));
  });
}
