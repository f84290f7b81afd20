import type { Database } from '../../base/database/types.js';
import type { Call, OperationAnswer } from '../rules/call.js';
import { invalid } from '../rules/refusals.js';
import { toText, type Value } from './item-values.js';
import { keptAs, modeOf, singular } from './kinds.js';
import { envelope } from './lists.js';
import { checkQueryFields, first } from './query-fields.js';
import { firstAndLastName, PEOPLE, SEARCHED, valueAtPath, WITH_CUSTOMER, wordOf } from './search-words.js';

/** How many of the newest items are also searched inside their words. reading: search-words */
const NEWEST = 1000;
/** How many hits are scored; the best ten are shown. */
const WEIGHED = 60;
const SHOWN = 10;

/** Answers a search: one term, at most ten hits with a score and highlights (published). */
export function answerSearch(call: Call): OperationAnswer {
  checkQueryFields(call.operation, call.query);
  const name = Object.keys(call.operation.query ?? {}).find((one) => /term|query|search/.test(one)) ?? 'search_term';
  const term = (first(call.query, name) ?? '').trim().toLowerCase();
  if (term === '') throw invalid(`The parameter ${name} is required.`);
  const family = keptAs(call.operation.path, call.family.name);
  const paths = [
    'id',
    ...(SEARCHED[family] ?? ['name']),
    ...(WITH_CUSTOMER.has(family) ? PEOPLE.map((field) => `customer.${field}`) : []),
  ];
  const project = first(call.query, 'project_id');
  const hits: Value[] = [];
  const seen = new Set<number>();
  for (const seqs of places(call, family, term, first(call.query, name)?.trim() ?? term)) {
    const fresh = seqs().filter((seq) => !seen.has(seq));
    for (const seq of fresh) seen.add(seq);
    for (const { value } of call.store.rows(family, modeOf(family, call.live), fresh)) {
      if (project && value.project_id !== project) continue;
      const hit = match(value, paths, term, singular(family));
      if (hit) hits.push(hit);
    }
    if (hits.length >= SHOWN) break;
  }
  const best = hits.sort((one, other) => Number(other.score) - Number(one.score)).slice(0, SHOWN);
  return envelope(best.map(toText).join(','), best.length, 1, best.length, SHOWN);
}

/**
 * The places where a term is looked up, fastest and best first: ids, words, the words of the customer and the card,
 * inside words.
 */
function places(call: Call, family: string, term: string, asTyped: string): (() => number[])[] {
  const { store, live } = call;
  const { words } = store;
  const kind = store.kind(family, modeOf(family, live));
  const over = (other: string) => () =>
    words
      .starting(store.kind(other, live), wordOf(term), WEIGHED)
      .flatMap((seq) => customerOfRow(store.database, seq) ?? [])
      .slice(0, WEIGHED / 2)
      .flatMap((customer) => rowsOfCustomer(store.database, kind, customer, SHOWN));
  return [
    () => [
      ...withId(store.database, kind, asTyped, SHOWN),
      ...words.starting(kind, wordOf(term), WEIGHED),
      ...(WITH_CUSTOMER.has(family) ? over('customers')() : []),
    ],
    ...(family === 'transactions' ? [over('customer_cards')] : []),
    () => holding(store.database, kind, JSON.stringify(term).slice(1, -1), NEWEST, WEIGHED),
  ];
}

function match(item: Value, paths: readonly string[], term: string, itemType: string): Value | undefined {
  let score = 0;
  const highlights: Value = {};
  const weigh = (path: string, value: unknown) => {
    const text = String(value ?? '');
    const lower = text.toLowerCase();
    if (text === '' || !lower.includes(term)) return;
    score += lower === term ? 10 : lower.startsWith(term) ? 3 : 1;
    highlights[path] = text;
  };
  for (const path of paths) {
    const value = valueAtPath(item, path);
    for (const one of Array.isArray(value) ? value : [value]) weigh(path, one);
  }
  const name = firstAndLastName(item);
  if (name) weigh('name', name);
  for (const pair of Array.isArray(item.metadata) ? (item.metadata as Value[]) : []) weigh('metadata', pair.value);
  if (score === 0) return undefined;
  const customer = (item.customer ?? item) as Value;
  return {
    item_type: itemType,
    id: item.id,
    created_date_unix: item.created_date_unix,
    ...(customer.email !== undefined
      ? { first_name: customer.first_name, last_name: customer.last_name, email: customer.email }
      : {}),
    name: item.name,
    customer_id: item.customer_id,
    score,
    highlights,
  };
}

/* Where a search finds the rows of items without reading them. */

/** Rows of a customer's items, at most `most`. */
function rowsOfCustomer(database: Database, kind: number, customer: string, most: number): number[] {
  const read = database.prepare('SELECT seq FROM items WHERE kind = ? AND customer = ? LIMIT ?');
  return read.all(kind, customer, most).map(([seq]) => seq as number);
}

/** The customer of the item in a row. */
function customerOfRow(database: Database, seq: number): string | undefined {
  return (database.prepare('SELECT customer FROM items WHERE seq = ?').get(seq)?.[0] ?? undefined) as
    | string
    | undefined;
}

/** Rows of items whose id begins with a text. */
function withId(database: Database, kind: number, beginning: string, most: number): number[] {
  const read = database.prepare('SELECT seq FROM items WHERE kind = ? AND id >= ? AND id < ? ORDER BY id LIMIT ?');
  return read.all(kind, beginning, `${beginning}\u{10ffff}`, most).map(([seq]) => seq as number);
}

/** Rows among the newest `among` whose text contains a string, newest first. */
function holding(database: Database, kind: number, piece: string, among: number, most: number): number[] {
  const read = database.prepare(
    `SELECT n.seq FROM (
       SELECT seq FROM items INDEXED BY items_order WHERE kind = ? ORDER BY created DESC, seq DESC LIMIT ?
     ) n CROSS JOIN items i ON i.seq = n.seq LEFT JOIN parts p ON p.id = i.part
     WHERE instr(lower(i.body || coalesce(p.text, '')), ?) > 0 LIMIT ?`,
  );
  return read.all(kind, among, piece, most).map(([seq]) => seq as number);
}
