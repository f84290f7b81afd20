import type { Database } from '../../base/database/types.js';
import type { Value } from './item-values.js';

/** The fields that a search of people looks at (published). */
export const PEOPLE = ['first_name', 'last_name', 'address_line_1', 'email', 'phone'];

/** The fields of an item that each search looks at (published lists of fields), in addition to metadata values. */
export const SEARCHED: Readonly<Record<string, readonly string[]>> = {
  customers: [...PEOPLE, 'internal_id'],
  customer_cards: ['first_6', 'last_4'],
  transactions: ['gateway_transaction_id', 'customer_card.first_6', 'customer_card.last_4'],
  chargebacks: ['case_number', 'arn', 'third_party_chargeback_id', 'gateway_transaction_id', 'first_6', 'last_4'],
  products: ['name', 'sku', 'internal_id', 'description'],
  projects: ['name', 'description'],
  project_notes: ['title', 'content'],
  sales: ['internal_id', 'status', 'product.name', 'product.sku'],
  documentation: ['title', 'text'],
  wallet_transactions: ['wallet_transaction_id'],
  pending_refunds: ['transaction_id', 'source_id', 'sales'],
  shipping: ['tracking_number', 'provider_tracking', ...PEOPLE.slice(0, 3).map((field) => `ship_to.${field}`)],
  subscriptions: [],
  trials: [],
  fraud_detections: [],
};

/** Families whose items are found by their customer's name, through the customer's own words. */
export const WITH_CUSTOMER: ReadonlySet<string> = new Set([
  ...['subscriptions', 'trials', 'sales', 'shipping', 'wallet_transactions', 'pending_refunds', 'fraud_detections'],
]);

/** Fields that are matched whole, in addition to or instead of a name. */
const LOOKED_UP: Readonly<Record<string, readonly string[]>> = {
  coupons: ['coupon_code'],
  key_values: ['key'],
};

/** Fields of a search that lead through another item: cards through their customer. */
const INDIRECT = /^customer_card\./;
const WORD = /[\p{L}\p{N}]+/gu;
const LONGEST = 64;
/** How many words of a long text can be found. */
const MOST_WORDS = 200;

/** A text as stored among the words: lower-case and cut. */
export function wordOf(text: string): string {
  return text.toLowerCase().slice(0, LONGEST);
}

/** The words that find an item: each field whole, and from the beginning of each of its words. */
export function searchWords(family: string, item: Value): ReadonlySet<string> {
  const words = new Set<string>();
  const searched = Object.hasOwn(SEARCHED, family) ? SEARCHED[family] : undefined;
  for (const path of LOOKED_UP[family] ?? (searched ? [] : ['name'])) addWhole(words, item[path]);
  for (const path of searched ?? []) {
    if (INDIRECT.test(path) || (path.startsWith('ship_to.') && isOfCustomer(item, path))) continue;
    const value = path.includes('.') ? valueAtPath(item, path) : item[path];
    if (Array.isArray(value)) for (const one of value) addWhole(words, one);
    else addText(words, value);
  }
  if (family === 'customers') addText(words, firstAndLastName(item));
  if (searched && Array.isArray(item.metadata)) for (const pair of item.metadata as Value[]) addText(words, pair.value);
  return words;
}

/** First and last name, which a search takes together. */
export function firstAndLastName(item: Value): string {
  return `${item.first_name ?? ''} ${item.last_name ?? ''}`.trim();
}

/** The value at a dotted path. */
export function valueAtPath(item: Value, path: string): unknown {
  return path.split('.').reduce<unknown>((inner, name) => (inner as Value | null | undefined)?.[name], item);
}

/** A shipment to its customer is found through the customer. */
function isOfCustomer(item: Value, path: string): boolean {
  return valueAtPath(item, path) === valueAtPath(item, path.replace('ship_to.', 'customer.'));
}

function addWhole(words: Set<string>, value: unknown): void {
  if (typeof value === 'string' && value !== '') words.add(wordOf(value));
}

function addText(words: Set<string>, value: unknown): void {
  if (typeof value !== 'string' || value === '') return;
  const text = value.toLowerCase();
  words.add(text.slice(0, LONGEST));
  let count = 0;
  for (const { index } of text.matchAll(WORD)) {
    if (index > 0 && text.length - index > 1) words.add(text.slice(index, index + LONGEST));
    if (++count === MOST_WORDS) return;
  }
}

/** Appended to a word, it sorts after everything that begins with the word. */
const LAST = '\u{10ffff}';

/** Finds items by name without reading others. */
export class Words {
  constructor(private readonly database: Database) {}

  add(kind: number, seq: number, words: Iterable<string>): void {
    const write = this.database.prepare('INSERT INTO words (kind, word, seq) VALUES (?, ?, ?)');
    for (const word of words) write.run(kind, word, seq);
  }

  /** Keeps the former words of a customer: past sales still show them. */
  change(family: string, kind: number, seq: number, before: Value, after: Value): void {
    const old = searchWords(family, before);
    const fresh = searchWords(family, after);
    const gone = [...old].filter((word) => !fresh.has(word));
    if (family !== 'customers') this.remove(kind, seq, gone);
    const added = [...fresh].filter((word) => !old.has(word) && !this.#has(kind, seq, word));
    this.add(kind, seq, added);
  }

  remove(kind: number, seq: number, words: Iterable<string>): void {
    const write = this.database.prepare('DELETE FROM words WHERE kind = ? AND word = ? AND seq = ?');
    for (const word of words) write.run(kind, word, seq);
  }

  #has(kind: number, seq: number, word: string): boolean {
    const read = this.database.prepare('SELECT 1 FROM words WHERE kind = ? AND word = ? AND seq = ?');
    return read.get(kind, word, seq) !== undefined;
  }

  /** Rows of a kind that have exactly this word. */
  exact(kind: number, word: string): number[] {
    const read = this.database.prepare('SELECT seq FROM words WHERE kind = ? AND word = ? ORDER BY seq');
    return read.all(kind, word).map(([seq]) => seq as number);
  }

  /** Rows of a kind with a word that begins like this, whole words first, at most `most`. */
  starting(kind: number, term: string, most: number): number[] {
    const read = this.database.prepare(
      'SELECT seq FROM words WHERE kind = ? AND word >= ? AND word < ? ORDER BY word, seq LIMIT ?',
    );
    return [...new Set(read.all(kind, term, term + LAST, most).map(([seq]) => seq as number))];
  }
}
