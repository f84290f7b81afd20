import type { Cell, Database } from '../database/types.js';
import type { Change } from './automation/changes.js';
import { Counts, Stretch } from './counts.js';
import { toText, type Value } from './text.js';

/** One item with what the store knows beside its text. */
export interface Stored {
  readonly seq: number;
  readonly family: string;
  readonly kind: number;
  /** Unix seconds. */
  readonly created: number;
  readonly id: string;
  readonly customer: string | null;
  readonly value: Value;
}

/** What an item is filed under besides its own fields. */
export interface Filing {
  /** `null` for what both modes see (the service's own lists of centres, gateways, shops). */
  readonly live: boolean | null;
  /** Unix seconds; the item's own `created_date_unix` when absent. */
  readonly created?: number;
  readonly id?: string;
  readonly customer?: string | null;
}

/** A stretch of time, unix seconds, both ends within. */
export interface Window {
  readonly start: number;
  readonly end: number;
}

/** Items of a page as the inside of a JSON array, in UTF-8. */
export interface Page {
  readonly count: number;
  readonly bytes: Uint8Array;
}

const NOTHING = new Uint8Array();
const ROW = "i.seq, i.created, i.id, i.customer, i.body || coalesce(p.text, '')";
const FROM = 'FROM items i LEFT JOIN parts p ON p.id = i.part';

/** Everything the service remembers, family by family, test and live apart. */
export class Store {
  readonly counts: Counts;
  /** Is told of every item that comes, changes or goes, while events are read from it (`automation/events.ts`). */
  watch: ((change: Change) => void) | undefined;
  readonly #families = new Map<string, number>();
  readonly #stretches = new Map<string, Stretch>();
  readonly #derived = new Map<string, { version: number; value: unknown }>();

  constructor(readonly database: Database) {
    this.counts = new Counts(database);
  }

  /** The number that a family and a mode are filed under; a new family gets the next one. */
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
    const seq = this.database
      .prepare('INSERT INTO items (kind, created, id, customer, body) VALUES (?, ?, ?, ?, ?) RETURNING seq')
      .get(kind, created, id, customer, toText(value))?.[0] as number;
    this.counts.add(kind, created, 1);
    this.watch?.({ family, id, customer, after: value });
    return { seq, family, kind, created, id, customer, value };
  }

  get(family: string, id: string, live: boolean | null): Stored | undefined {
    const kind = this.kind(family, live);
    const row = this.database.prepare(`SELECT ${ROW} ${FROM} WHERE i.kind = ? AND i.id = ?`).get(kind, id);
    return row ? stored(family, kind, row) : undefined;
  }

  /** The item of a family in a mode that was made last. */
  newest(family: string, live: boolean | null): Stored | undefined {
    const kind = this.kind(family, live);
    const row = this.database
      .prepare(`SELECT ${ROW} ${FROM} WHERE i.kind = ? ORDER BY i.created DESC, i.seq DESC LIMIT 1`)
      .get(kind);
    return row ? stored(family, kind, row) : undefined;
  }

  /** The exact text of one item. */
  text(family: string, id: string, live: boolean | null): string | undefined {
    const kind = this.kind(family, live);
    const row = this.database
      .prepare(`SELECT i.body || coalesce(p.text, '') ${FROM} WHERE i.kind = ? AND i.id = ?`)
      .get(kind, id);
    return row?.[0] as string | undefined;
  }

  /** Writes the named properties over the item's own and stamps the change; `undefined` takes one away. */
  update(item: Stored, changes: Value, now: number): Stored {
    const value: Value = { ...item.value, ...changes };
    for (const [name, change] of Object.entries(changes)) if (change === undefined) delete value[name];
    if ('updated_date_unix' in value) value.updated_date_unix = now;
    this.database.prepare('UPDATE items SET body = ?, part = NULL WHERE seq = ?').run(toText(value), item.seq);
    this.counts.touch(item.kind);
    this.watch?.({ family: item.family, id: item.id, customer: item.customer, before: item.value, after: value });
    return { ...item, value };
  }

  remove(item: Stored): void {
    this.database.prepare('DELETE FROM items WHERE seq = ?').run(item.seq);
    this.counts.add(item.kind, item.created, -1);
    this.watch?.({ family: item.family, id: item.id, customer: item.customer, before: item.value });
  }

  /** The items of a customer, oldest first. */
  ofCustomer(family: string, customer: string, live: boolean): Stored[] {
    const kind = this.kind(family, live);
    return this.database
      .prepare(`SELECT ${ROW} ${FROM} WHERE i.kind = ? AND i.customer = ? ORDER BY i.created, i.seq`)
      .all(kind, customer)
      .map((row) => stored(family, kind, row));
  }

  /** All items of a family in a mode, oldest first; for small families only. */
  all(family: string, live: boolean | null): Stored[] {
    return [...this.scan(family, live)];
  }

  /** Walks a family in pieces, oldest first, without holding it in memory. */
  *scan(family: string, live: boolean | null, window?: Window): Generator<Stored> {
    const kind = this.kind(family, live);
    const read = this.database.prepare(
      `SELECT ${ROW} ${FROM} WHERE i.kind = ? AND (i.created > ? OR (i.created = ? AND i.seq > ?)) AND i.created <= ?
       ORDER BY i.created, i.seq LIMIT 500`,
    );
    let created = (window?.start ?? 0) - 1;
    let seq = Number.MAX_SAFE_INTEGER;
    for (;;) {
      const rows = read.all(kind, created, created, seq, window?.end ?? Number.MAX_SAFE_INTEGER);
      for (const row of rows) yield stored(family, kind, row);
      const last = rows.at(-1);
      if (!last || rows.length < 500) return;
      seq = last[0] as number;
      created = last[1] as number;
    }
  }

  /** The texts of these rows, in this order, joined as the inside of a JSON array. */
  texts(seqs: readonly number[]): string {
    const read = this.database.prepare(`SELECT i.body || coalesce(p.text, '') ${FROM} WHERE i.seq = ?`);
    return seqs.map((seq) => read.get(seq)?.[0] as string).join(',');
  }

  /**
   * One page, newest first, as the inside of a JSON array. Its place is found by the kept counts, so the last
   * page of a million costs what the first one does.
   */
  page(kind: number, window: Window | undefined, offset: number, limit: number): Page {
    const start = window?.start ?? 0;
    const end = window?.end ?? Number.MAX_SAFE_INTEGER;
    const place = offset === 0 ? { end, offset } : this.stretch(kind, window).place(offset);
    const row = this.database
      .prepare(
        // The rows that are skipped are found in the index alone; only those of the page are read.
        `SELECT count(*), CAST(group_concat(text, ',') AS BLOB) FROM (
           SELECT i.body || coalesce(p.text, '') AS text FROM (
             SELECT seq FROM items WHERE kind = ? AND created BETWEEN ? AND ?
             ORDER BY created DESC, seq DESC LIMIT ? OFFSET ?
           ) s CROSS JOIN items i ON i.seq = s.seq LEFT JOIN parts p ON p.id = i.part)`,
      )
      .get(kind, start, place.end, limit, place.offset);
    return { count: row?.[0] as number, bytes: (row?.[1] ?? NOTHING) as unknown as Uint8Array };
  }

  /** The counts of a window, kept between the pages of one reading; they are read anew when the kind has changed. */
  stretch(kind: number, window: Window | undefined): Stretch {
    const start = window?.start ?? 0;
    const end = window?.end ?? Number.MAX_SAFE_INTEGER;
    const key = `${kind} ${this.counts.version(kind)} ${start} ${end}`;
    let stretch = this.#stretches.get(key);
    if (!stretch) {
      stretch = new Stretch(this.counts, kind, start, end);
      if (this.#stretches.size >= 64) this.#stretches.delete(this.#stretches.keys().next().value as string);
      this.#stretches.set(key, stretch);
    }
    return stretch;
  }

  /** What is kept beside an item and never shown (a card's whole number, a credential). */
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

  /** What was worked out from the items of a family, kept until one of them changes, in this process or another. */
  derived<T>(name: string, family: string, live: boolean, work: () => T): T {
    const key = `${name} ${live}`;
    const version = this.counts.version(this.kind(family, live));
    const known = this.#derived.get(key);
    if (known?.version === version) return known.value as T;
    const value = work();
    this.#derived.set(key, { version, value });
    return value;
  }

  /** Asks for a task at a moment (unix seconds); what was asked for this id and task before is forgotten. */
  schedule(task: string, id: string, at: number | undefined): void {
    this.database.prepare('DELETE FROM due WHERE id = ? AND task = ?').run(id, task);
    if (at !== undefined) this.database.prepare('INSERT INTO due (at, task, id) VALUES (?, ?, ?)').run(at, task, id);
  }

  /** The task that is due first, if any is by `now`. */
  nextDue(now: number): { at: number; task: string; id: string } | undefined {
    const row = this.database
      .prepare('SELECT at, task, id FROM due WHERE at <= ? ORDER BY at, task, id LIMIT 1')
      .get(now);
    return row ? { at: row[0] as number, task: row[1] as string, id: row[2] as string } : undefined;
  }
}

function stored(family: string, kind: number, row: Cell[]): Stored {
  return {
    family,
    kind,
    seq: row[0] as number,
    created: row[1] as number,
    id: row[2] as string,
    customer: row[3] as string | null,
    value: JSON.parse(row[4] as string) as Value,
  };
}
