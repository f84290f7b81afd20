import type { Call } from './call.js';
import { readFilters } from './filters.js';
import { requireItem } from './generic.js';
import { keptAs, LEFT_OUT_OF_LISTS, modeOf } from './kinds.js';
import { checkQuery, readListRequest } from './query.js';
import { Spliced } from './spliced.js';
import type { Store, Window } from './store.js';
import { toText, type Value } from './text.js';

/** What the sandbox remembers between requests so that a filtered list is not searched again for every page. */
export class ListMemory {
  readonly #found = new Map<string, readonly number[]>();

  /** The rows under `key`, found anew when there are none. The oldest of 24 lists is forgotten. */
  rows(key: string, find: () => number[]): readonly number[] {
    const known = this.#found.get(key);
    if (known) return known;
    const rows = find();
    if (this.#found.size >= 24) this.#found.delete(this.#found.keys().next().value as string);
    this.#found.set(key, rows);
    return rows;
  }
}

/** How a list behaves where the spec leaves it open. */
export interface ListHabits {
  readonly memory: ListMemory;
  /** Whether items created exactly at `date_start` and `date_end` belong to the range. reading: range-ends */
  readonly rangeEnds: 'in' | 'out';
}

/** Stands for the items while their envelope is written. */
const MARK = '\u0000';

/** Answers any list of the naming convention (spec 4.1): the envelope of spec 2.1 with one page of items. */
export function answerList(call: Call, habits: ListHabits): string | Spliced {
  const { operation, query, store, live } = call;
  const list = operation.list ?? { style: 'paged' as const };
  const request = readListRequest(call.family.name, list, query);
  checkQuery(operation, query);
  const family = keptAs(operation.path, call.family.name);
  const kind = store.kind(family, modeOf(family, live));
  const window = request.window && cut(request.window, habits.rangeEnds);
  const filters = readFilters(query);
  const parent = call.ids[0];
  if (parent !== undefined) requireItem(call, call.family.name, parent);

  if (!filters && parent === undefined && list.style !== 'single') {
    const { total } = store.stretch(kind, window);
    const offset = (request.page - 1) * request.limit;
    if (offset >= total) return envelope('', 0, request.page, total, request.limit);
    const { bytes, count } = store.page(kind, window, offset, request.limit);
    if (LEFT_OUT_OF_LISTS[family]) {
      const text = trimmed(family, Buffer.from(bytes).toString('utf8'));
      return envelope(text, count, request.page, total, request.limit);
    }
    const [before, after] = envelope(MARK, count, request.page, total, request.limit).split(MARK) as [string, string];
    return new Spliced(before, bytes, after);
  }

  const key = JSON.stringify([kind, store.counts.version(kind), window, filters?.key, parent]);
  const rows = habits.memory.rows(key, () => {
    const found: number[] = [];
    for (const item of candidates(call, family, window)) {
      if (parent !== undefined && !belongsTo(item.value, parent)) continue;
      if (!filters || filters.predicate(item.value)) found.push(item.seq);
    }
    return found.reverse();
  });
  if (list.style === 'single')
    return envelope(trimmed(family, store.texts(rows)), rows.length, 1, rows.length, rows.length);
  const offset = (request.page - 1) * request.limit;
  const page = rows.slice(offset, offset + request.limit);
  return envelope(trimmed(family, store.texts(page)), page.length, request.page, rows.length, request.limit);
}

function candidates(call: Call, family: string, window: Window | undefined) {
  const customer = call.query.find(([name]) => name === 'customer_id')?.[1];
  if (!customer) return call.store.scan(family, modeOf(family, call.live), window);
  const { start, end } = window ?? { start: 0, end: Number.MAX_SAFE_INTEGER };
  return call.store.ofCustomer(family, customer, call.live).filter(({ created }) => created >= start && created <= end);
}

function belongsTo(item: Value, parent: string): boolean {
  return (
    item.customer_id === parent || item.product_id === parent || (item.customer as Value | undefined)?.id === parent
  );
}

function cut(window: Window, ends: 'in' | 'out'): Window {
  return ends === 'in' ? window : { start: window.start + 1, end: window.end - 1 };
}

/** Takes out of a page what its family's list does not show. */
function trimmed(family: string, inner: string): string {
  const names = LEFT_OUT_OF_LISTS[family];
  if (!names || inner === '') return inner;
  const items = JSON.parse(`[${inner}]`) as Value[];
  return items
    .map((item) => toText(Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)))))
    .join(',');
}

/** The list fields of spec 2.1 as the text of an object. */
export function envelope(inner: string, count: number, page: number, total: number, limit: number): string {
  const pages = limit === 0 ? (total === 0 ? 0 : 1) : Math.ceil(total / limit);
  return `{"current_count":${count},"current_page":${page},"results":[${inner}],"total_count":${total},"total_pages":${pages}}`;
}

/** Every item of a small list that is asked for by one term, best first, at most ten (`search`). */
export function found(
  store: Store,
  family: string,
  live: boolean | null,
  matches: (item: Value) => Value | undefined,
): string {
  const hits: Value[] = [];
  for (const item of store.scan(family, live)) {
    const hit = matches(item.value);
    if (hit) hits.push(hit);
  }
  hits.sort((one, other) => Number(other.score) - Number(one.score));
  const best = hits.slice(0, 10);
  return envelope(best.map(toText).join(','), best.length, 1, best.length, 10);
}
