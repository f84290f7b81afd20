import type { ItemStore, Stored } from '../../sandbox/store/item-store.js';
import { KINDS_OF_ITEMS } from '../../sandbox/store/kinds.js';

/** Reads the items of a family. */
export type ItemSource = Pick<ItemStore, 'all'>;

/** The current items of a service; only families that have changed are read again. */
export class SeenItems implements ItemSource {
  readonly #seen = new Map<number, { readonly mark: string; readonly items: Stored[] }>();
  #versions: ReadonlyMap<number, number> = new Map();

  constructor(private readonly store: ItemStore) {}

  /** Checks what has changed: until the next call, everything stays as it is now. */
  look(): void {
    const rows = this.store.database.prepare('SELECT kind, n FROM counts WHERE level = 3').all();
    this.#versions = new Map(rows as [number, number][]);
  }

  all(family: string, live: boolean | null): Stored[] {
    const kind = this.store.kind(family, live);
    const mark = this.#markOf(kind, live);
    const seen = this.#seen.get(kind);
    if (seen?.mark === mark) return seen.items;
    const items = [...this.store.scan(family, live)];
    this.#seen.set(kind, { mark, items });
    return items;
  }

  /** A string that differs after each change of a mode, except for records of calls. */
  markOfMode(live: boolean): string {
    const families = KINDS_OF_ITEMS.filter((family) => family !== 'api_calls');
    return families.map((family) => this.#versions.get(this.store.kind(family, live)) ?? 0).join();
  }

  /** Items of other families may show the state of a subscription. */
  #markOf(kind: number, live: boolean | null): string {
    return [kind, this.store.kind('subscriptions', live)].map((one) => this.#versions.get(one) ?? 0).join();
  }
}
