import type { Database } from '../../base/database/types.js';

/** Increased when the tables change; a database of another version is refused until it is reset. */
export const SCHEMA_VERSION = 5;

/**
 * One generic table holds every family. `kind` is the family's number times four plus the mode (0 test, 1 live, 2
 * both), so that the two indexes stay short. `part` refers to the end of the item's text if many items share it.
 * `counts` holds the number of items of a kind in total (level 0), per day (1) and per hour (2), and how often it has
 * changed (3): a page's total and position are read from it and never counted. `facets` and `facet_counts` do the same
 * for filters. `words` serves searches and look-ups by name, e-mail address or gateway id. `shown` is what other items
 * show of an item that was changed later. The index by customer keeps a customer's items of all families together, so
 * one sale changes one place of it.
 */
const TABLES = `
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE families (code INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE parts (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE items (
  seq INTEGER PRIMARY KEY,
  kind INTEGER NOT NULL,
  created INTEGER NOT NULL,
  id TEXT NOT NULL,
  customer TEXT,
  part INTEGER,
  facet INTEGER,
  body TEXT NOT NULL
);
CREATE TABLE facets (id INTEGER PRIMARY KEY, kind INTEGER NOT NULL, text TEXT NOT NULL, UNIQUE (kind, text));
CREATE TABLE facet_counts (
  facet INTEGER NOT NULL, day INTEGER NOT NULL, n INTEGER NOT NULL, PRIMARY KEY (facet, day)
) WITHOUT ROWID;
CREATE TABLE words (kind INTEGER NOT NULL, word TEXT NOT NULL, seq INTEGER NOT NULL);
CREATE TABLE shown (id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE counts (
  kind INTEGER NOT NULL, level INTEGER NOT NULL, bucket INTEGER NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY (kind, level, bucket)
) WITHOUT ROWID;
CREATE TABLE secrets (id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE accounts (
  id TEXT PRIMARY KEY, name TEXT NOT NULL, key TEXT NOT NULL UNIQUE, live INTEGER NOT NULL, enabled INTEGER NOT NULL,
  permissions TEXT, created INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE keys_seen (account TEXT NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (account, key)) WITHOUT ROWID;
CREATE TABLE due (at INTEGER NOT NULL, task TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (at, task, id)) WITHOUT ROWID;
`;

/** Test, live, both. */
const MODES = [0, 1, 2];

/**
 * Creates the tables again. Families always get the same numbers, and the change count continues from its highest
 * value, so other processes' cached data is either still right or recognised as old.
 */
export function createStoreTables(database: Database, families: readonly string[]): void {
  const read = 'SELECT max(n) FROM counts WHERE level = 3';
  const changes = hasTables(database) ? Number(database.prepare(read).get()?.[0] ?? 0) : 0;
  // A number that no earlier layout had, so that data cached from one is discarded.
  const generation = changes + 1;
  for (const name of NAMES) database.exec(`DROP TABLE IF EXISTS ${name}`);
  database.exec(TABLES);
  writeMeta(database, 'generation', String(generation));
  const name = database.prepare('INSERT INTO families (code, name) VALUES (?, ?)');
  const count = database.prepare('INSERT INTO counts (kind, level, bucket, n) VALUES (?, 3, 0, ?)');
  for (const [index, family] of families.entries()) {
    const code = index + 1;
    name.run(code, family);
    for (const mode of MODES) count.run(code * 4 + mode, changes + 1);
  }
}

/** Built after the rows, which is several times faster for a large data set. */
export const INDEXES = `
CREATE UNIQUE INDEX items_id ON items (kind, id);
CREATE INDEX items_order ON items (kind, created, seq, facet);
CREATE INDEX words_word ON words (kind, word, seq);
CREATE INDEX items_customer ON items (customer, kind, created) WHERE customer IS NOT NULL;
CREATE UNIQUE INDEX due_id ON due (id, task);
CREATE INDEX keys_seen_at ON keys_seen (at);
`;

/** Every table; analytics queries cannot reach these names. */
export const NAMES: readonly string[] = [
  ...['meta', 'families', 'parts', 'items', 'counts', 'secrets', 'keys_seen', 'due'],
  ...['facets', 'facet_counts', 'words', 'shown', 'accounts'],
];

/** A fact about the whole database; undefined if unknown, or if there are no tables yet. */
export function readMeta(database: Database, name: string): string | undefined {
  if (!hasTables(database)) return undefined;
  return database.prepare('SELECT value FROM meta WHERE name = ?').get(name)?.[0] as string | undefined;
}

export function writeMeta(database: Database, name: string, value: string): void {
  database
    .prepare('INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value')
    .run(name, value);
}

/** Records the newest row of new or restored data: rows after it are news. */
export function markBegin(database: Database): void {
  const last = database.prepare('SELECT max(seq) FROM items').get()?.[0] ?? 0;
  writeMeta(database, 'begin', String(last));
}

/** Whether refunds leave transactions of their own. */
export function hasRefundTransactions(database: Database): boolean {
  return readMeta(database, 'refund_transactions') === '1';
}

export function hasTables(database: Database): boolean {
  return database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'meta'").get() !== undefined;
}
