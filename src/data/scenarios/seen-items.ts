import type { ItemStore, Stored } from '../../sandbox/store/item-store.js';
import { KINDS_OF_ITEMS } from '../../sandbox/store/kinds.js';

/** Reads the items of a family. */
export type ItemSource = Pick<ItemStore, 'all'>;

/** The items of a service as they are now, of which only those families are read again that changed since. */
export class SeenItems implements ItemSource {
  readonly #seen = new Map<number, { readonly mark: string; readonly items: Stored[] }>();
  #versions: ReadonlyMap<number, number> = new Map();

  constructor(private readonly store: ItemStore) {}

  /** Looks what has changed: until the next look everything is as it was at this one. */
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

  /** A text that is another one after each change of a mode; records of calls are no part of it. */
  markOfMode(live: boolean): string {
    const families = KINDS_OF_ITEMS.filter((family) => family !== 'api_calls');
    return families.map((family) => this.#versions.get(this.store.kind(family, live)) ?? 0).join();
  }

  /** What was seen of a subscription may be shown by items of other families. */
  #markOf(kind: number, live: boolean | null): string {
    return [kind, this.store.kind('subscriptions', live)].map((one) => this.#versions.get(one) ?? 0).join();
  }
}
