import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { openDatabase } from '../../base/database/open.js';
import type { Cell, Database } from '../../base/database/types.js';
import { orLocal } from '../../base/errors/errors.js';
import { makeFolder } from '../../base/files/replace-file.js';
import { type AccountEvent, eventBody, itemOf } from './account-event.js';

/**
 * `items` holds when each item's next event is due, so that finding due items needs no scan of all waiting ones. A
 * completed delivery leaves only a count.
 */
const TABLES = `
CREATE TABLE IF NOT EXISTS listeners (
  name TEXT PRIMARY KEY NOT NULL,
  source TEXT NOT NULL,
  row INTEGER NOT NULL,
  event TEXT,
  receiver TEXT,
  ended TEXT,
  delivered INTEGER NOT NULL DEFAULT 0,
  error TEXT
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS deliveries (
  listener TEXT NOT NULL,
  row INTEGER NOT NULL,
  id TEXT NOT NULL,
  item TEXT NOT NULL,
  type TEXT NOT NULL,
  body TEXT NOT NULL,
  state TEXT NOT NULL DEFAULT 'waiting',
  attempts INTEGER NOT NULL DEFAULT 0,
  first_at INTEGER,
  next_at INTEGER,
  status INTEGER,
  error TEXT,
  PRIMARY KEY (listener, row)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS deliveries_of_item ON deliveries (listener, item, state, row);
CREATE INDEX IF NOT EXISTS deliveries_of_event ON deliveries (id);
CREATE TABLE IF NOT EXISTS items (
  listener TEXT NOT NULL, item TEXT NOT NULL, next_at INTEGER NOT NULL, PRIMARY KEY (listener, item)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS items_due ON items (listener, next_at);
`;

/** The state of a named listener. */
export interface Listener {
  readonly name: string;
  /** Identifies the data that its row counts in (`EventSource.identity`). */
  readonly source: string;
  /** The row last taken, and the event at it, if there is one. */
  readonly row: number;
  readonly event: string | undefined;
  readonly receiver: string | undefined;
  /** Why the receiver refuses further events; undefined while it accepts them. */
  readonly ended: string | undefined;
  readonly delivered: number;
  /** The error of the last failed attempt. */
  readonly error: string | undefined;
}

/** An event that is waiting to be delivered, or was given up. */
export interface Delivery {
  readonly listener: string;
  readonly row: number;
  readonly id: string;
  readonly item: string;
  readonly type: string;
  readonly body: string;
  readonly state: 'waiting' | 'failed';
  /** Attempts that got an answer. */
  readonly attempts: number;
  /** When the first attempt was made, and when the next one is due, milliseconds. */
  readonly firstAt: number | undefined;
  readonly nextAt: number | undefined;
  /** The status of the last answer. */
  readonly status: number | undefined;
  readonly error: string | undefined;
}

/** The result of a failed attempt. */
export interface Miss {
  readonly attempts: number;
  readonly firstAt: number;
  readonly status: number | undefined;
  readonly error: string;
  /** When to try again, milliseconds; undefined to set the event aside. */
  readonly nextAt: number | undefined;
}

const DELIVERY = 'listener, row, id, item, type, body, state, attempts, first_at, next_at, status, error';
const LISTENER = 'name, source, row, event, receiver, ended, delivered, error';

/**
 * The events that listeners have taken but not yet delivered. Each step is one transaction, so that no stop loses an
 * event.
 */
export class DeliveryStore {
  constructor(readonly database: Database) {}

  listeners(): Listener[] {
    return this.database.prepare(`SELECT ${LISTENER} FROM listeners ORDER BY name`).all().map(listenerOf);
  }

  listener(name: string): Listener | undefined {
    const row = this.database.prepare(`SELECT ${LISTENER} FROM listeners WHERE name = ?`).get(name);
    return row && listenerOf(row);
  }

  /** Starts or restarts a listener and drops its undelivered events; returns how many. */
  begin(name: string, source: string, row: number, receiver: string | undefined): number {
    const { database } = this;
    return database.transaction(() => {
      const lost = this.count(name, 'waiting');
      for (const table of ['deliveries', 'items'])
        database.prepare(`DELETE FROM ${table} WHERE listener = ?`).run(name);
      database
        .prepare(
          `INSERT INTO listeners (name, source, row, receiver) VALUES (?, ?, ?, ?)
           ON CONFLICT (name) DO UPDATE SET source = excluded.source, row = excluded.row, event = NULL`,
        )
        .run(name, source, row, receiver ?? null);
      return lost;
    });
  }

  /** Sends waiting and future events to another receiver. */
  move(name: string, receiver: string): void {
    this.database
      .prepare('UPDATE listeners SET receiver = ?, ended = NULL, error = NULL WHERE name = ?')
      .run(receiver, name);
  }

  /** Records why a receiver refuses further events. */
  end(name: string, why: string): void {
    this.database.prepare('UPDATE listeners SET ended = ? WHERE name = ?').run(why, name);
  }

  /** Stores events: from then on they survive whatever happens to this process. */
  take(name: string, events: readonly AccountEvent[], wanted: (event: AccountEvent) => boolean, now: number): void {
    const last = events.at(-1);
    if (last === undefined) return;
    const { database } = this;
    const add = database.prepare(
      'INSERT OR IGNORE INTO deliveries (listener, row, id, item, type, body) VALUES (?, ?, ?, ?, ?, ?)',
    );
    const due = database.prepare('INSERT OR IGNORE INTO items (listener, item, next_at) VALUES (?, ?, ?)');
    database.transaction(() => {
      for (const event of events.filter(wanted)) {
        const item = itemOf(event);
        add.run(name, event.row, event.id, item, event.type, eventBody(event));
        due.run(name, item, now);
      }
      this.pass(name, last);
    });
  }

  /** Records that everything up to an event has been taken. */
  pass(name: string, { row, id }: Pick<AccountEvent, 'row' | 'id'>): void {
    this.database.prepare('UPDATE listeners SET row = ?, event = ? WHERE name = ?').run(row, id, name);
  }

  /** The first event of each item that is due now, the longest waiting first. */
  due(name: string, now: number, most: number): Delivery[] {
    return this.database
      .prepare('SELECT item FROM items WHERE listener = ? AND next_at <= ? ORDER BY next_at LIMIT ?')
      .all(name, now, most)
      .flatMap(([item]) => this.#head(name, String(item)) ?? []);
  }

  /** When the next item may be tried, milliseconds; undefined if none waits. */
  nextDue(name: string): number | undefined {
    const at = this.database.prepare('SELECT min(next_at) FROM items WHERE listener = ?').get(name)?.[0];
    return at === null || at === undefined ? undefined : Number(at);
  }

  #head(name: string, item: string): Delivery | undefined {
    const sql = `SELECT ${DELIVERY} FROM deliveries WHERE listener = ? AND item = ? AND state = 'waiting' ORDER BY row LIMIT 1`;
    const row = this.database.prepare(sql).get(name, item);
    return row && deliveryOf(row);
  }

  /** Whether an earlier event of the item was set aside. */
  isAfterFailed({ listener, item, row }: Delivery): boolean {
    const sql = "SELECT 1 FROM deliveries WHERE listener = ? AND item = ? AND state = 'failed' AND row < ? LIMIT 1";
    return this.database.prepare(sql).get(listener, item, row) !== undefined;
  }

  /** Records that the receiver has the event. */
  delivered({ listener, row, item }: Delivery, now: number): void {
    const { database } = this;
    database.transaction(() => {
      database.prepare('DELETE FROM deliveries WHERE listener = ? AND row = ?').run(listener, row);
      database.prepare('UPDATE listeners SET delivered = delivered + 1 WHERE name = ?').run(listener);
      this.#settle(listener, item, now);
    });
  }

  /** Records a failed attempt: when to try again, or that the event is set aside and the item's next one follows. */
  missed({ listener, row, item }: Delivery, miss: Miss, now: number): void {
    const { database } = this;
    const { attempts, firstAt, status, error, nextAt } = miss;
    const state = nextAt === undefined ? 'failed' : 'waiting';
    database.transaction(() => {
      database
        .prepare(
          `UPDATE deliveries SET state = ?, attempts = ?, first_at = ?, next_at = ?, status = ?, error = ?
           WHERE listener = ? AND row = ?`,
        )
        .run(state, attempts, firstAt, nextAt ?? null, status ?? null, error, listener, row);
      database.prepare('UPDATE listeners SET error = ? WHERE name = ?').run(error, listener);
      if (nextAt === undefined) this.#settle(listener, item, now);
      else database.prepare('UPDATE items SET next_at = ? WHERE listener = ? AND item = ?').run(nextAt, listener, item);
    });
  }

  /** Makes the item's next event due immediately after one is finished. */
  #settle(listener: string, item: string, now: number): void {
    const { database } = this;
    if (this.#head(listener, item))
      database.prepare('UPDATE items SET next_at = ? WHERE listener = ? AND item = ?').run(now, listener, item);
    else database.prepare('DELETE FROM items WHERE listener = ? AND item = ?').run(listener, item);
  }

  /** Events that wait or were given up, oldest first. */
  *open(state: Delivery['state'], listener?: string): Generator<Delivery> {
    const sql = `SELECT ${DELIVERY} FROM deliveries WHERE state = ? AND listener = coalesce(?, listener) ORDER BY listener, row`;
    for (const row of this.database.prepare(sql).iterate(state, listener ?? null)) yield deliveryOf(row);
  }

  /** The unfinished delivery of an event by a listener. */
  find(listener: string, id: string): Delivery | undefined {
    const row = this.database
      .prepare(`SELECT ${DELIVERY} FROM deliveries WHERE listener = ? AND id = ?`)
      .get(listener, id);
    return row && deliveryOf(row);
  }

  count(listener: string, state: Delivery['state']): number {
    const sql = 'SELECT count(*) FROM deliveries WHERE listener = ? AND state = ?';
    return Number(this.database.prepare(sql).get(listener, state)?.[0] ?? 0);
  }

  close(): void {
    this.database.close();
  }
}

/** Opens the store of a profile and mode; created when absent. @throws CopsError `local` where that fails */
export async function openDeliveries(file: string): Promise<DeliveryStore> {
  orLocal(() => makeFolder(dirname(file)), `Cannot create the folder ${dirname(file)}`, NO_ROOM);
  const database = await openDatabase({ file, what: 'The file of the listeners', hint: NO_ROOM });
  database.transaction(() => database.exec(TABLES));
  return new DeliveryStore(database);
}

const NO_ROOM = 'Free some disk space.';

/** Opens it for reading; undefined if it does not exist. */
export async function lookAtDeliveries(file: string): Promise<DeliveryStore | undefined> {
  if (!existsSync(file)) return undefined;
  return new DeliveryStore(await openDatabase({ file, what: 'The file of the listeners', readonly: true }));
}

/** A row with its columns named as the fields are. */
const recordOf = <Row>(columns: string, cells: readonly Cell[]): Row =>
  Object.fromEntries(
    columns
      .split(', ')
      .map((column, at) => [
        column.replace(/_(\w)/, (_, letter: string) => letter.toUpperCase()),
        cells[at] ?? undefined,
      ]),
  ) as Row;
const listenerOf = (cells: readonly Cell[]) => recordOf<Listener>(LISTENER, cells);
const deliveryOf = (cells: readonly Cell[]) => recordOf<Delivery>(DELIVERY, cells);
