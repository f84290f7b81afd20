import type { Database } from './database.js';

/** Raised when the tables change; a database of another version is laid out anew. */
export const SCHEMA_VERSION = 2;

/**
 * One generic table holds every family. `kind` is the family's number times four plus the mode (0 test, 1 live,
 * 2 both), so that the two indexes stay short. `part` names the end of the item's text where many items share it.
 * `counts` holds how many items a kind has in all (level 0), a day (1) and an hour (2), and how often it has
 * changed (3): a page's total and place are read from it and never counted.
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
  body TEXT NOT NULL
);
CREATE TABLE counts (
  kind INTEGER NOT NULL, level INTEGER NOT NULL, bucket INTEGER NOT NULL, n INTEGER NOT NULL,
  PRIMARY KEY (kind, level, bucket)
) WITHOUT ROWID;
CREATE TABLE secrets (id TEXT PRIMARY KEY, body TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE keys_seen (account TEXT NOT NULL, key TEXT NOT NULL, at INTEGER NOT NULL, PRIMARY KEY (account, key)) WITHOUT ROWID;
CREATE TABLE due (at INTEGER NOT NULL, task TEXT NOT NULL, id TEXT NOT NULL, PRIMARY KEY (at, task, id)) WITHOUT ROWID;
`;

/** The kind under which the counts hold where the numbers of this reset begin; no item is of it. */
export const EPOCH_KIND = -1;
/** More changes than any one reset sees. */
const EPOCH = 2 ** 32;

/**
 * Lays the tables out anew, with the families' numbers always the same ones: what another process remembers of the
 * database stays right, or is seen to be of an earlier reset.
 */
export function layTables(database: Database, families: readonly string[]): void {
  const read = `SELECT n FROM counts WHERE kind = ${EPOCH_KIND}`;
  const before = hasTables(database) ? Number(database.prepare(read).get()?.[0] ?? 0) : 0;
  for (const name of NAMES) database.exec(`DROP TABLE IF EXISTS ${name}`);
  database.exec(TABLES);
  database.prepare('INSERT INTO counts (kind, level, bucket, n) VALUES (?, 3, 0, ?)').run(EPOCH_KIND, before + EPOCH);
  const write = database.prepare('INSERT INTO families (code, name) VALUES (?, ?)');
  for (const [index, name] of families.entries()) write.run(index + 1, name);
}

/** Built after the rows, which is several times faster for a large set. */
export const INDEXES = `
CREATE UNIQUE INDEX items_id ON items (kind, id);
CREATE INDEX items_order ON items (kind, created);
CREATE INDEX items_customer ON items (kind, customer, created) WHERE customer IS NOT NULL;
CREATE INDEX due_id ON due (id);
`;

const NAMES = ['meta', 'families', 'parts', 'items', 'counts', 'secrets', 'keys_seen', 'due'];

/** A fact about the whole database, or undefined, also when there are no tables yet. */
export function readMeta(database: Database, name: string): string | undefined {
  if (!hasTables(database)) return undefined;
  return database.prepare('SELECT value FROM meta WHERE name = ?').get(name)?.[0] as string | undefined;
}

export function writeMeta(database: Database, name: string, value: string): void {
  database
    .prepare('INSERT INTO meta (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value')
    .run(name, value);
}

export function hasTables(database: Database): boolean {
  return database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'meta'").get() !== undefined;
}
