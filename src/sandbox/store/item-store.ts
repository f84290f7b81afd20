import type { Cell, Database } from '../../base/database/types.js';
import type { ItemChange } from '../automation/item-changes.js';
import { EmbeddedCopies } from '../rules/embedded-copies.js';
import { Counts, EVER } from './counts.js';
import { Facets } from './facets.js';
import { joined, toText, type Value } from './item-values.js';
import { Pages } from './pages.js';
import { Recent } from './recent.js';
import { searchWords, Words, wordOf } from './search-words.js';

/** One item with the store's data about it. */
export interface Stored {
  readonly seq: number;
  readonly family: string;
  readonly kind: number;
  /** Unix seconds. */
  readonly created: number;
  readonly id: string;
  readonly customer: string | null;
  /** The facet of the item (`facets.ts`). */
  readonly facet: number | null;
  readonly value: Value;
}

/** A row as it is in the database, its item as text. */
type Row = Pick<Stored, 'seq' | 'created' | 'customer' | 'facet'> & { readonly text: string };

/** How many of a transaction's own rows are cached; the others are read from the database again. */
const MOST_FRESH = 500;

/** Where to store an item, besides its own fields. */
export interface Filing {
  /** `null` for items that both modes see (the service's own lists of centres, gateways, shops). */
  readonly live: boolean | null;
  /** Unix seconds; the item's own `created_date_unix` when absent. */
  readonly created?: number;
  readonly id?: string;
  readonly customer?: string | null;
}

const ROW = "i.seq, i.created, i.id, i.customer, i.facet, i.body || coalesce(p.text, '')";
const FROM = 'FROM items i LEFT JOIN parts p ON p.id = i.part';
const ONE = `SELECT ${ROW} ${FROM} WHERE i.kind = ? AND i.id = ?`;
const BY_ROW = `SELECT ${ROW} ${FROM} WHERE i.seq = ?`;
const OF_CUSTOMER = `SELECT ${ROW} ${FROM} WHERE i.kind = ? AND i.customer = ? ORDER BY i.created, i.seq`;

/** All state of the service, by family and by mode. */
export class ItemStore {
  readonly counts: Counts;
  /**
   * Called for every item that is added, changed or removed, while events are read from the changes
   * (`automation/emit-events.ts`).
   */
  watch: ((change: ItemChange) => void) | undefined;
  readonly words: Words;
  readonly pages: Pages;
  readonly #facets: Facets;
  readonly #shown: EmbeddedCopies;
  readonly #recent: Recent<Stored>;
  /** Rows written by the current transaction, which need not be read again. */
  readonly #fresh = new Map<string, Row>();
  readonly #families = new Map<string, number>();
  #isWriting = false;
  #lastSeq: number | undefined;
  readonly #derived = new Map<number, { version: number; value: unknown }>();

  constructor(readonly database: Database) {
    this.counts = new Counts(database);
    this.words = new Words(database);
    this.#facets = new Facets(database);
    this.#shown = new EmbeddedCopies(database);
    this.#recent = new Recent(database);
    this.pages = new Pages({
      database,
      counts: this.counts,
      facets: this.#facets,
      kind: (family, live) => this.kind(family, live),
    });
  }

  /** Discards cached data, because the data was recreated. */
  forget(): void {
    this.#facets.forget();
    this.#shown.forget();
    this.#recent.forget();
    this.#fresh.clear();
    this.pages.forget();
    this.#derived.clear();
  }

  /** The number of a family and a mode; a new family gets the next one. */
  kind(family: string, live: boolean | null): number {
    let code = this.#families.get(family);
    if (code === undefined) {
      const read = this.database.prepare('SELECT code FROM families WHERE name = ?');
      const found = read.get(family);
      if (!found) this.database.prepare('INSERT OR IGNORE INTO families (name) VALUES (?)').run(family);
      code = (found ?? read.get(family))?.[0] as number;
      this.#families.set(family, code);
    }
    return code * 4 + (live === null ? 2 : live ? 1 : 0);
  }

  insert(family: string, value: Value, filing: Filing): Stored {
    const kind = this.kind(family, filing.live);
    const id = filing.id ?? String(value.id);
    const created = filing.created ?? Number(value.created_date_unix);
    const customer = filing.customer ?? null;
    const facet = this.#facets.of(family, kind, value);
    const seq = this.#nextSeq();
    const text = toText(value);
    this.database
      .prepare('INSERT INTO items (seq, kind, created, id, customer, facet, body) VALUES (?, ?, ?, ?, ?, ?, ?)')
      .run(seq, kind, created, id, customer, facet, text);
    this.#note(kind, id, { seq, created, customer, facet, text });
    this.counts.add(kind, facet, created, 1);
    this.words.add(kind, seq, searchWords(family, value));
    this.watch?.({ family, id, customer, after: value });
    return { seq, family, kind, created, id, customer, facet, value };
  }

  get(family: string, id: string, live: boolean | null): Stored | undefined {
    const kind = this.kind(family, live);
    const read = () => {
      const written = this.#fresh.get(`${kind} ${id}`);
      if (written) {
        const { text, ...facts } = written;
        return { family, kind, id, ...facts, value: this.#shown.inItem(family, JSON.parse(text) as Value) };
      }
      const row = this.database.prepare(ONE).get(kind, id);
      return row ? this.#stored(family, kind, row) : undefined;
    };
    return this.#isWriting ? this.#recent.one(family, kind, id, read) : read();
  }

  /** The items of these rows, in this order; missing rows are left out. */
  rows(family: string, live: boolean | null, seqs: readonly number[]): Stored[] {
    const kind = this.kind(family, live);
    const read = this.database.prepare(BY_ROW);
    return seqs
      .map((seq) => read.get(seq))
      .filter((row) => row !== undefined)
      .map((row) => this.#stored(family, kind, row));
  }

  /**
   * Items with a field that equals this text, case-insensitive, oldest first: names, codes, e-mail addresses, gateway
   * ids. `wordsOf` says which fields of which families can be looked up.
   */
  named(family: string, live: boolean | null, field: string, text: string): Stored[] {
    const wanted = text.toLowerCase();
    return this.rows(family, live, this.words.exact(this.kind(family, live), wordOf(text)))
      .filter(({ value }) => typeof value[field] === 'string' && (value[field] as string).toLowerCase() === wanted)
      .sort((one, other) => one.created - other.created || one.seq - other.seq);
  }

  /** The newest item of a family in a mode. */
  newest(family: string, live: boolean | null): Stored | undefined {
    const kind = this.kind(family, live);
    const row = this.database
      .prepare(`SELECT ${ROW} ${FROM} WHERE i.kind = ? ORDER BY i.created DESC, i.seq DESC LIMIT 1`)
      .get(kind);
    return row ? this.#stored(family, kind, row) : undefined;
  }

  /** When the oldest item of a family in a mode was created, unix seconds. */
  oldest(family: string, live: boolean): number | undefined {
    const read = this.database.prepare('SELECT min(created) FROM items WHERE kind = ?');
    return (read.get(this.kind(family, live))?.[0] as number | null) ?? undefined;
  }

  /** The newest row, of any family. */
  lastFiled(): number {
    return (this.database.prepare('SELECT max(seq) FROM items').get()?.[0] as number | null) ?? 0;
  }

  /** Items of a family in a mode that were stored after a row, in that order; at most 500. */
  filedAfter(family: string, live: boolean, seq: number): Stored[] {
    const kind = this.kind(family, live);
    // Few rows come after one; an index on the kind would look at all of them.
    return this.database
      .prepare(`SELECT ${ROW} ${FROM} WHERE i.seq > ? AND +i.kind = ? ORDER BY i.seq LIMIT 500`)
      .all(seq, kind)
      .map((row) => this.#stored(family, kind, row));
  }

  /** The exact text of one item. */
  text(family: string, id: string, live: boolean | null): string | undefined {
    const kind = this.kind(family, live);
    const row = this.database
      .prepare(`SELECT i.body || coalesce(p.text, '') ${FROM} WHERE i.kind = ? AND i.id = ?`)
      .get(kind, id);
    return row && this.#shown.inText(family, row[0] as string);
  }

  /** Writes the named properties to the item and stamps the change; `undefined` removes one. */
  update(item: Stored, changes: Value, now: number): Stored {
    const value = joined(item.value, changes);
    for (const [name, change] of Object.entries(changes)) if (change === undefined) delete value[name];
    if ('updated_date_unix' in value) value.updated_date_unix = now;
    const facet = this.#facets.of(item.family, item.kind, value);
    const text = toText(value);
    this.database.prepare('UPDATE items SET body = ?, part = NULL, facet = ? WHERE seq = ?').run(text, facet, item.seq);
    const { seq, created, customer } = item;
    this.#note(item.kind, item.id, { seq, created, customer, facet, text });
    this.counts.touch(item.kind);
    if (facet !== item.facet) this.counts.move(item.kind, item.facet, facet, item.created);
    this.words.change(item.family, item.kind, item.seq, item.value, value);
    this.watch?.({ family: item.family, id: item.id, customer: item.customer, before: item.value, after: value });
    return { ...item, facet, value };
  }

  #note(kind: number, id: string, row: Row): void {
    if (this.#fresh.size >= MOST_FRESH) this.#fresh.clear();
    if (this.#isWriting) this.#fresh.set(`${kind} ${id}`, row);
    this.#recent.change(kind);
  }

  remove(item: Stored): void {
    this.database.prepare('DELETE FROM items WHERE seq = ?').run(item.seq);
    this.#fresh.delete(`${item.kind} ${item.id}`);
    this.#recent.change(item.kind);
    this.counts.add(item.kind, item.facet, item.created, -1);
    this.words.remove(item.kind, item.seq, searchWords(item.family, item.value));
    this.watch?.({ family: item.family, id: item.id, customer: item.customer, before: item.value });
  }

  /** Makes items that embed an item show its current state (`Shown`). */
  show(id: string, view: Value): void {
    this.#shown.set(id, view);
    this.#recent.forget();
  }

  /** Whether items of a family must be updated when read, as the stored bytes may be out of date. */
  isCompleted(family: string): boolean {
    return this.#shown.concerns(family);
  }

  /** An item of a page as reads must show it. */
  completed(family: string, item: Value): Value {
    return this.#shown.inItem(family, item);
  }

  /**
   * Runs `work` in a write transaction; an error undoes all of it. Joins a transaction that is already open. Changes of
   * counts are collected and written at the end.
   */
  transaction<T>(work: () => T): T {
    if (this.#isWriting) return work();
    try {
      return this.database.transaction(() => {
        this.#isWriting = true;
        this.#lastSeq = undefined;
        this.#recent.begin();
        this.counts.hold();
        const result = work();
        this.counts.release();
        return result;
      });
    } catch (error) {
      this.counts.drop();
      this.forget();
      throw error;
    } finally {
      this.#isWriting = false;
      this.#fresh.clear();
      this.#lastSeq = undefined;
    }
  }

  /** Within a transaction of this store nobody else adds rows. */
  #nextSeq(): number {
    const last = this.#isWriting ? this.#lastSeq : undefined;
    const newest = this.database.prepare('SELECT max(seq) FROM items');
    this.#lastSeq = (last ?? (newest.get()?.[0] as number | null) ?? 0) + 1;
    return this.#lastSeq;
  }

  /**
   * Runs a step of a transaction that can be undone alone, together with anything cached from it.
   * @param keeps says for an error whether the work done so far stays.
   */
  step<T>(work: () => T, keeps: (error: unknown) => boolean = () => false): T {
    const restore = this.counts.keep();
    this.database.exec('SAVEPOINT step');
    try {
      const result = work();
      this.database.exec('RELEASE step');
      return result;
    } catch (error) {
      if (!keeps(error)) {
        this.database.exec('ROLLBACK TO step');
        restore();
        this.forget();
      }
      this.database.exec('RELEASE step');
      throw error;
    }
  }

  /** The items of a customer, oldest first. */
  ofCustomer(family: string, customer: string, live: boolean): Stored[] {
    const kind = this.kind(family, live);
    return this.database
      .prepare(OF_CUSTOMER)
      .all(kind, customer)
      .map((row) => this.#stored(family, kind, row));
  }

  /** All items of a family in a mode, oldest first; only for small families. */
  all(family: string, live: boolean | null): Stored[] {
    return [...this.each(family, live)];
  }

  /** Iterates over a small family that is read often, oldest first. */
  each(family: string, live: boolean | null): Iterable<Stored> {
    const read = () => this.scan(family, live);
    return this.#isWriting ? this.#recent.all(family, this.kind(family, live), read) : read();
  }

  /** Iterates over a family in pieces, oldest first, without holding it in memory. */
  *scan(family: string, live: boolean | null, { start, end } = EVER): Generator<Stored> {
    const kind = this.kind(family, live);
    const read = this.database.prepare(
      `SELECT ${ROW} ${FROM} WHERE i.kind = ? AND (i.created > ? OR (i.created = ? AND i.seq > ?)) AND i.created <= ?
       ORDER BY i.created, i.seq LIMIT 500`,
    );
    let created = start - 1;
    let seq = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const rows = read.all(kind, created, created, seq, end);
      for (const row of rows) yield this.#stored(family, kind, row);
      const last = rows.at(-1);
      if (!last || rows.length < 500) return;
      seq = last[0] as number;
      created = last[1] as number;
    }
  }

  /** Data kept next to an item and never shown (a card's whole number, a credential). */
  secret(id: string): Value | undefined {
    const row = this.database.prepare('SELECT body FROM secrets WHERE id = ?').get(id);
    return row ? (JSON.parse(row[0] as string) as Value) : undefined;
  }

  keepSecret(id: string, value: Value): void {
    this.database
      .prepare('INSERT INTO secrets (id, body) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET body = excluded.body')
      .run(id, JSON.stringify(value));
  }

  forgetSecret(id: string): void {
    this.database.prepare('DELETE FROM secrets WHERE id = ?').run(id);
  }

  /** A value computed from the items of a family; cached until one of them changes, in this process or another. */
  derived<T>(family: string, live: boolean, work: () => T): T {
    const kind = this.kind(family, live);
    const version = this.counts.version(kind);
    const known = this.#derived.get(kind);
    if (known?.version === version) return known.value as T;
    const value = work();
    this.#derived.set(kind, { version, value });
    return value;
  }

  /** Schedules a task for a moment (unix seconds); replaces what was scheduled for this id and task. */
  schedule(task: string, id: string, at: number | undefined): void {
    if (at === undefined) this.database.prepare('DELETE FROM due WHERE id = ? AND task = ?').run(id, task);
    else
      this.database
        .prepare(
          'INSERT INTO due (at, task, id) VALUES (?, ?, ?) ON CONFLICT (id, task) DO UPDATE SET at = excluded.at',
        )
        .run(at, task, id);
  }

  /** The first task due by `now`, if there is one. */
  nextDue(now: number): { at: number; task: string; id: string } | undefined {
    const row = this.database
      .prepare('SELECT at, task, id FROM due WHERE at <= ? ORDER BY at, task, id LIMIT 1')
      .get(now);
    return row ? { at: row[0] as number, task: row[1] as string, id: row[2] as string } : undefined;
  }

  #stored(family: string, kind: number, row: Cell[]): Stored {
    return {
      family,
      kind,
      seq: row[0] as number,
      created: row[1] as number,
      id: row[2] as string,
      customer: row[3] as string | null,
      facet: row[4] as number | null,
      value: this.#shown.inItem(family, JSON.parse(row[5] as string) as Value),
    };
  }
}
