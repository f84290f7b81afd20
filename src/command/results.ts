import { Item, itemsOf } from '../json/item.js';
import type { Result } from '../output/types.js';

/** A local record as a result. */
export function one(value: object): Result {
  return { shape: 'one', item: Item.of(value) };
}

/** A local record that is shown by all its members, in their order. */
export function record(value: object): Result {
  return { shape: 'one', item: Item.of(value), columns: Object.keys(value).map((path) => ({ path })) };
}

/** Local records as a result; the first column names a row unless told otherwise. */
export function listOf(rows: Iterable<object>, columns: readonly string[], idField = columns[0] ?? ''): Result {
  return { shape: 'list', items: itemsOf(rows), columns: columns.map((path) => ({ path })), idField };
}
