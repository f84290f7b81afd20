import type { Database } from '../../base/database/types.js';
import { DAY } from '../../base/time/units.js';

/**
 * What syncs saw of items, one row each, written in the transaction that stored the item: events are derived from
 * these. `change` is the row of `_history` with the state before. `is_sure`: for an item no longer listed, whether the
 * service has confirmed that it is gone; NULL before it was asked.
 */
const EVENT_TABLE = `
CREATE TABLE IF NOT EXISTS _events (
  row INTEGER PRIMARY KEY,
  event TEXT NOT NULL,
  family TEXT NOT NULL,
  id TEXT NOT NULL,
  at INTEGER NOT NULL,
  what TEXT NOT NULL,
  change INTEGER,
  is_sure INTEGER
);
CREATE INDEX IF NOT EXISTS _events_event ON _events (event);
CREATE INDEX IF NOT EXISTS _events_unsure ON _events (row) WHERE what = 'gone' AND is_sure IS NULL;
INSERT OR IGNORE INTO _mirror (name, value) VALUES ('events', lower(hex(randomblob(8))));
`;

/** Creates the table in a mirror without one. */
export function layEventTable(database: Database): void {
  database.exec(EVENT_TABLE);
}

/**
 * Keeps the former state in `_history`, and records what a look at a list finds new or changed. The first look at a
 * list records nothing.
 */
export class SeenRows {
  readonly #readAt: number | undefined;

  constructor(
    readonly database: Database,
    readonly family: string,
    readonly now: number,
  ) {
    const row = database.prepare('SELECT read_at FROM _families WHERE family = ? AND runs > 0').get(family);
    this.#readAt = row && Number(row[0]);
  }

  /** @param after the item as it came; undefined if it is no longer listed */
  keep(
    id: string,
    before: { readonly json: string; readonly seenAt: number } | undefined,
    after: { readonly raw: string } | undefined,
  ): void {
    if (before) {
      this.database
        .prepare('INSERT INTO _history (family, id, seen_at, until_at, is_gone, json) VALUES (?, ?, ?, ?, ?, ?)')
        .run(this.family, id, before.seenAt, this.now, after === undefined ? 1 : 0, before.json);
    }
    if (this.#readAt === undefined || !(before || isNews(after?.raw, this.#readAt))) return;
    const change = before && this.database.prepare('SELECT last_insert_rowid()').get()?.[0];
    const what = after === undefined ? 'gone' : before ? 'changed' : 'created';
    this.database
      .prepare(
        `INSERT INTO _events (event, family, id, at, what, change)
         VALUES ('seen_' || lower(hex(randomblob(12))), ?, ?, ?, ?, ?)`,
      )
      .run(this.family, id, this.now, what, change ?? null);
  }
}

/** An item much older than the previous look already existed then, but was not listed. */
function isNews(json: string | undefined, readAt: number): boolean {
  const { created_date_unix: created } = JSON.parse(json ?? '{}') as { created_date_unix?: unknown };
  return typeof created !== 'number' || created >= readAt - DAY;
}
