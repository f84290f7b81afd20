import type { ItemStore } from '../store/item-store.js';
import { modeOf } from '../store/kinds.js';
import { first, type QueryFields } from '../store/query-fields.js';
import { newId } from '../store/seeded-ids.js';

/** Adds or removes one item of a date-ranged list while a client reads it, as in a busy account. */
export function disturbList(
  store: ItemStore,
  family: string,
  live: boolean,
  query: QueryFields,
  how: 'insert' | 'delete',
): void {
  const start = Number(first(query, 'date_start'));
  const end = Number(first(query, 'date_end'));
  if (!Number.isInteger(start) || !Number.isInteger(end)) return;
  const mode = modeOf(family, live);
  const kind = store.kind(family, mode);
  const newest = store.database
    .prepare('SELECT id FROM items WHERE kind = ? AND created BETWEEN ? AND ? ORDER BY created DESC, seq DESC LIMIT 1')
    .get(kind, start, end);
  const item = newest && store.get(family, newest[0] as string, mode);
  if (!item) return;
  store.transaction(() => {
    if (how === 'delete') return store.remove(item);
    const copy = { ...item.value, id: newId() };
    store.insert(family, copy, { live: mode, created: item.created, customer: item.customer });
  });
}
