import type { Database } from '../../base/database/types.js';
import { pieces, type Tally } from './counts.js';
import type { Value } from './item-values.js';
import { type FilterCondition, filterRoots, itemFilterValues } from './list-filters.js';

/**
 * The filters that are answered from counts and an index: those of the families' lists, and for subscriptions the one
 * that the deletion of a profile uses. Items with equal values for all filters of their family share a facet.
 */
const FACETED: Readonly<Record<string, readonly string[]>> = {
  ai_memos: ['ai_assistant_filter', 'status_filter'],
  ai_threads: ['ai_assistant_filter', 'status_filter'],
  api_calls: ['api_account_filter', 'api_call_source_filter'],
  customer_cards: ['metadata_filter'],
  customers: ['campaign_filter', 'customer_group_filter'],
  fraud_detections: ['method_filter', 'metadata_filter'],
  offline_payments: ['campaign_filter', 'shop_filter', 'currency_filter', 'metadata_filter'],
  products: [
    ...['product_type_filter', 'product_group_filter', 'shop_filter', 'fulfillment_account_filter'],
    ...['subscription_profile_filter', 'project_filter', 'metadata_filter'],
  ],
  project_notes: ['metadata_filter'],
  sales: ['campaign_filter', 'currency_filter'],
  subscription_renewals: ['campaign_filter', 'currency_filter', 'shop_filter', 'metadata_filter'],
  subscriptions: ['subscription_profile_filter', 'status_filter'],
  tax: ['campaign_filter', 'currency_filter'],
  transactions: ['campaign_filter', 'currency_filter', 'shop_filter', 'gateway_filter'],
  wallet_disputes: ['campaign_filter', 'currency_filter', 'shop_filter'],
};

/** The filters of a family that are kept as facets. */
export function facetFilters(family: string): readonly string[] | undefined {
  return Object.hasOwn(FACETED, family) ? FACETED[family] : undefined;
}

/** The properties that make the facet of a family's items. */
export function facetRoots(family: string): readonly string[] {
  return [...new Set((facetFilters(family) ?? []).flatMap(filterRoots))];
}

/** The key of an item's facet; undefined for a family without facets. */
export function facetText(family: string, item: Value): string | undefined {
  const names = facetFilters(family);
  return names && JSON.stringify(names.map((name) => itemFilterValues(name, item).sort()));
}

interface Known {
  readonly byText: Map<string, number>;
  readonly all: { readonly id: number; readonly values: readonly (readonly string[])[] }[];
  last: number;
}

/** The facets of a database: items with equal values for all filters of a family share a number. */
export class Facets {
  readonly #kinds = new Map<number, Known>();

  constructor(private readonly database: Database) {}

  /** Discards cached facets, because the data was recreated. */
  forget(): void {
    this.#kinds.clear();
  }

  /** The number of an item's facet, created if new; null for a family without facets. */
  of(family: string, kind: number, item: Value): number | null {
    const text = facetText(family, item);
    if (text === undefined) return null;
    const known = this.#kinds.get(kind)?.byText.get(text);
    if (known !== undefined) return known;
    this.database.prepare('INSERT OR IGNORE INTO facets (kind, text) VALUES (?, ?)').run(kind, text);
    return this.#read(kind).byText.get(text) as number;
  }

  /** The facets of a kind whose items meet all conditions. */
  matching(family: string, kind: number, conditions: readonly FilterCondition[]): number[] {
    const names = facetFilters(family) ?? [];
    const places = conditions.map(({ name }) => names.indexOf(name));
    return this.#read(kind)
      .all.filter(({ values }) =>
        conditions.every(({ holds }, index) => holds(values[places[index] as number] as string[])),
      )
      .map(({ id }) => id);
  }

  /** Reads the facets added since the last read, also by other processes. */
  #read(kind: number): Known {
    const known: Known = this.#kinds.get(kind) ?? { byText: new Map(), all: [], last: 0 };
    this.#kinds.set(kind, known);
    const fresh = this.database.prepare('SELECT id, text FROM facets WHERE kind = ? AND id > ? ORDER BY id');
    for (const [id, text] of fresh.all(kind, known.last) as [number, string][]) {
      known.byText.set(text, id);
      known.all.push({ id, values: JSON.parse(text) as string[][] });
      known.last = id;
    }
    return known;
  }
}

/** The number of items in some facets. Whole days are summed from counts; the rest is counted in the index. */
export class FacetTally implements Tally {
  /** The facets as a JSON array. */
  readonly list: string;

  constructor(
    private readonly database: Database,
    private readonly kind: number,
    facets: readonly number[],
  ) {
    this.list = JSON.stringify(facets);
  }

  total(): number {
    const read = this.database.prepare(
      'SELECT coalesce(sum(n), 0) FROM facet_counts WHERE facet IN (SELECT value FROM json_each(?))',
    );
    return read.get(this.list)?.[0] as number;
  }

  within(start: number, end: number): number {
    const read = this.database.prepare(
      `SELECT count(*) FROM items INDEXED BY items_order
       WHERE kind = ? AND created BETWEEN ? AND ? AND facet IN (SELECT value FROM json_each(?))`,
    );
    let total = 0;
    for (const { level, from, to } of pieces(start, end, [1])) {
      if (level) for (const [, n] of this.buckets(level, from, to)) total += n;
      else total += read.get(this.kind, from, to, this.list)?.[0] as number;
    }
    return total;
  }

  buckets(level: 1 | 2, from: number, to: number): [bucket: number, n: number][] {
    if (level === 2) return [];
    const read = this.database.prepare(
      `SELECT day, sum(n) FROM facet_counts WHERE facet IN (SELECT value FROM json_each(?)) AND day BETWEEN ? AND ?
       GROUP BY day HAVING sum(n) > 0 ORDER BY day DESC`,
    );
    return read.all(this.list, from, to) as [number, number][];
  }
}
