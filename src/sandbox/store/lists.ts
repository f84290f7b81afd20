import type { Call } from '../rules/call.js';
import { requireItem } from '../rules/generic.js';
import { type CountWindow, EVER } from './counts.js';
import { facetFilters } from './facets.js';
import type { ItemStore } from './item-store.js';
import { objectUnder, toText, type Value } from './item-values.js';
import { keptAs, LEFT_OUT_OF_LISTS, modeOf } from './kinds.js';
import { type Filters, readFilters } from './list-filters.js';
import { PrebuiltJson } from './prebuilt-json.js';
import { checkQueryFields, readListRequest } from './query-fields.js';
import { cached } from './remember.js';

/** Rows of filtered lists, cached between requests so that each page does not search again. */
export type ListMemory = Map<string, readonly number[]>;

/** The behaviour of lists where the spec leaves it open. */
export interface ListHabits {
  readonly memory: ListMemory;
  /** Whether items created exactly at `date_start` and `date_end` belong to the range. reading: range-ends */
  readonly rangeEnds: 'in' | 'out';
}

/** Placeholder for the items while their envelope is written. */
const MARK = '\u0000';

/**
 * Answers any list of the naming convention (service.md#lists) with one page of items in its envelope
 * (service.md#envelopes).
 */
export function answerList(call: Call, habits: ListHabits): string | PrebuiltJson {
  const { operation, query, store, live } = call;
  const list = operation.list ?? { style: 'paged' as const };
  const request = readListRequest(call.family.name, list, query);
  checkQueryFields(operation, query);
  const family = keptAs(operation.path, call.family.name);
  const kind = store.kind(family, modeOf(family, live));
  const window = request.window && cut(request.window, habits.rangeEnds);
  const filters = readFilters(query);
  const parent = call.ids[0];
  if (parent !== undefined) requireItem(call, call.family.name, parent);

  const { page, limit } = request;
  const offset = (page - 1) * limit;
  const answer = (rows: readonly number[], total: number) =>
    envelope(shown(store, family, store.pages.texts(rows)), rows.length, page, total, limit);

  if (!filters && parent === undefined && list.style !== 'single') {
    const { total } = store.pages.stretch(kind, window);
    if (offset >= total) return envelope('', 0, page, total, limit);
    const { bytes, count } = store.pages.page(kind, window, offset, limit);
    if (LEFT_OUT_OF_LISTS[family] || store.isCompleted(family)) {
      const text = Buffer.from(bytes).toString('utf8');
      return envelope(shown(store, family, text), count, page, total, limit);
    }
    const [before, after] = envelope(MARK, count, page, total, limit).split(MARK) as [string, string];
    return new PrebuiltJson(before, bytes, after);
  }
  if (filters && parent === undefined && filters.customer === undefined && isFaceted(family, filters)) {
    const reading = { window, offset, limit };
    const { seqs, total } = store.pages.filtered(family, modeOf(family, live), filters.conditions, reading);
    return answer(seqs, total);
  }

  const key = JSON.stringify([kind, store.counts.version(kind), window, filters?.key, parent]);
  const rows = cached(habits.memory, 24, key, () => {
    const found: number[] = [];
    for (const item of candidates(call, family, window, filters?.customer)) {
      const { customer_id, product_id } = item.value;
      const owners = [customer_id, product_id, objectUnder(item.value, 'customer').id];
      if (parent !== undefined && !owners.includes(parent)) continue;
      if (!filters || filters.passes(item.value)) found.push(item.seq);
    }
    return found.reverse();
  });
  if (list.style !== 'single') return answer(rows.slice(offset, offset + limit), rows.length);
  return envelope(shown(store, family, store.pages.texts(rows)), rows.length, 1, rows.length, rows.length);
}

/** Whether the filters of a list are all answered from counts and an index. */
function isFaceted(family: string, filters: Filters): boolean {
  const names = facetFilters(family) ?? [];
  return filters.conditions.every(({ name }) => names.includes(name));
}

/** The items that a list may contain: those of one customer or owner, or all of a window. */
function candidates(call: Call, family: string, window: CountWindow | undefined, customer: string | undefined) {
  const owner = customer ?? call.ids[0];
  if (owner === undefined) return call.store.scan(family, modeOf(family, call.live), window);
  const { start, end } = window ?? EVER;
  return call.store.ofCustomer(family, owner, call.live).filter(({ created }) => created >= start && created <= end);
}

function cut(window: CountWindow, ends: 'in' | 'out'): CountWindow {
  return ends === 'in' ? window : { start: window.start + 1, end: window.end - 1 };
}

/**
 * The items of a page as the family's list shows them: in their current state (`Shown`), without the properties that
 * lists leave out.
 */
function shown(store: ItemStore, family: string, inner: string): string {
  const names = LEFT_OUT_OF_LISTS[family] ?? [];
  if (inner === '' || (names.length === 0 && !store.isCompleted(family))) return inner;
  const items = (JSON.parse(`[${inner}]`) as Value[]).map((item) => Object.entries(store.completed(family, item)));
  return items.map((item) => toText(Object.fromEntries(item.filter(([name]) => !names.includes(name))))).join(',');
}

/** The list fields of service.md#envelopes, as the text of an object. */
export function envelope(inner: string, count: number, page: number, total: number, limit: number): string {
  const pages = limit === 0 ? (total === 0 ? 0 : 1) : Math.ceil(total / limit);
  return `{"current_count":${count},"current_page":${page},"results":[${inner}],"total_count":${total},"total_pages":${pages}}`;
}
