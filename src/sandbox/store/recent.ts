import type { Database } from '../../base/database/types.js';

/** Families that sales and renewals look up constantly and people seldom change. */
const REMEMBERED: ReadonlySet<string> = new Set([
  ...['ai_assistants', 'campaigns', 'email_templates', 'functions', 'gateway_groups', 'payment_profiles'],
  ...['product_groups', 'products', 'shipping_profiles', 'site_shipping_providers', 'smtp_profiles'],
  ...['subscription_profiles', 'tax_profiles', 'user_gateways'],
]);

/** How many items of a family are cached; its whole list is cached only if it is no longer. */
const MOST = 500;

interface Remembered<Item> {
  readonly items: Map<string, Item>;
  all?: readonly Item[] | undefined;
}

/**
 * Caches items read in write transactions, where nobody else writes. A change by another process between two
 * transactions is noticed at the beginning of the next. A change in a family discards all its items. Cached items are
 * frozen, because several callers share them.
 */
export class Recent<Item> {
  readonly #kinds = new Map<number, Remembered<Item>>();
  #version: unknown;

  constructor(private readonly database: Database) {}

  /** Must be called at the beginning of each write transaction. */
  begin(): void {
    const version = this.database.prepare('PRAGMA data_version').all()[0]?.[0];
    if (version !== this.#version) this.forget();
    this.#version = version;
  }

  /** One item; `read` finds it if it is not cached. */
  one(family: string, kind: number, id: string, read: () => Item | undefined): Item | undefined {
    if (!REMEMBERED.has(family)) return read();
    const { items } = this.#of(kind);
    const known = items.get(id);
    if (known) return known;
    const found = read();
    if (found && items.size < MOST) items.set(id, freeze(found));
    return found;
  }

  /** All items of a family, if they are few. */
  all(family: string, kind: number, read: () => Iterable<Item>): Iterable<Item> {
    if (!REMEMBERED.has(family)) return read();
    const known = this.#of(kind);
    if (known.all) return known.all;
    const found: Item[] = [];
    for (const one of read()) {
      if (found.length === MOST) return read();
      found.push(freeze(one));
    }
    known.all = found;
    return found;
  }

  /** Call when an item of a kind is added, changed or removed. */
  change(kind: number): void {
    this.#kinds.delete(kind);
  }

  forget(): void {
    this.#kinds.clear();
  }

  #of(kind: number): Remembered<Item> {
    const known = this.#kinds.get(kind) ?? { items: new Map() };
    this.#kinds.set(kind, known);
    return known;
  }
}

function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const inner of Object.values(value)) freeze(inner);
  return Object.freeze(value);
}
