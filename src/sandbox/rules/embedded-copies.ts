import type { Database } from '../../base/database/types.js';
import { objectUnder, toText, type Value } from '../store/item-values.js';

/**
 * Families that show the current profile (service.md#subscription-profiles, rule 3), with the property that holds it.
 */
const PLACES: Readonly<Record<string, string>> = {
  subscriptions: 'subscription_profile',
  products: 'subscription_profile',
};

/**
 * Embedded items that have changed since they were copied. A change of a profile adds one row here instead of a write
 * to each of the many subscriptions that embed it; reads fill in the current profile.
 */
export class EmbeddedCopies {
  #views: ReadonlyMap<string, Value> | undefined;
  #read = -1;

  constructor(private readonly database: Database) {}

  forget(): void {
    this.#views = undefined;
    this.#read = -1;
  }

  /** Makes items that embed this id show the given view from now on. */
  set(id: string, view: Value): void {
    this.database
      .prepare('INSERT INTO shown (id, body) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body')
      .run(id, toText(view));
    this.database.exec(
      "INSERT INTO meta (name, value) VALUES ('shown', '1') ON CONFLICT (name) DO UPDATE SET value = value + 1",
    );
    this.forget();
  }

  /** The text of an item with the current state of what it embeds. */
  inText(family: string, text: string): string {
    if (!Object.hasOwn(PLACES, family)) return text;
    if (this.#current().size === 0) return text;
    const item = JSON.parse(text) as Value;
    const after = this.inItem(family, item);
    return after === item ? text : toText(after);
  }

  /** The same for an item that has been read. */
  inItem(family: string, item: Value): Value {
    const place = Object.hasOwn(PLACES, family) ? PLACES[family] : undefined;
    if (place === undefined) return item;
    const views = this.#current();
    const view = views.size > 0 ? views.get(String(objectUnder(item, place).id)) : undefined;
    return view ? { ...item, [place]: view } : item;
  }

  /** Whether any item of a family may need to be updated when read. */
  concerns(family: string): boolean {
    return Object.hasOwn(PLACES, family) && this.#current().size > 0;
  }

  /** Other processes change profiles too; the count of changes shows it. */
  #current(): ReadonlyMap<string, Value> {
    const changes = Number(this.database.prepare("SELECT value FROM meta WHERE name = 'shown'").get()?.[0] ?? 0);
    if (this.#views && changes === this.#read) return this.#views;
    const rows = this.database.prepare('SELECT id, body FROM shown').all() as [string, string][];
    this.#views = new Map(rows.map(([id, text]) => [id, JSON.parse(text) as Value]));
    this.#read = changes;
    return this.#views;
  }
}
