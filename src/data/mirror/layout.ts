import type { Database } from '../../base/database/types.js';

/** Version of the layout below; a file of another version is refused, with a way out. */
export const LAYOUT = 1;

/** Tables of a mirror besides `raw_<family>`. */
const TABLES = `
CREATE TABLE _mirror (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE _families (
  family TEXT PRIMARY KEY NOT NULL,
  state TEXT NOT NULL,
  why TEXT,
  start INTEGER,
  span INTEGER,
  read_at INTEGER NOT NULL,
  runs INTEGER NOT NULL DEFAULT 0,
  added INTEGER NOT NULL DEFAULT 0,
  changed INTEGER NOT NULL DEFAULT 0,
  gone INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE _windows (
  family TEXT NOT NULL,
  start INTEGER NOT NULL,
  until INTEGER,
  read_at INTEGER NOT NULL,
  items INTEGER NOT NULL,
  unproven TEXT,
  PRIMARY KEY (family, start)
) WITHOUT ROWID;
CREATE TABLE _columns (
  family TEXT NOT NULL,
  path TEXT NOT NULL,
  name TEXT NOT NULL,
  minor TEXT,
  PRIMARY KEY (family, path)
) WITHOUT ROWID;
CREATE TABLE _history (
  family TEXT NOT NULL,
  id TEXT NOT NULL,
  seen_at INTEGER NOT NULL,
  until_at INTEGER NOT NULL,
  is_gone INTEGER NOT NULL,
  json TEXT NOT NULL
);
CREATE INDEX _history_of ON _history (family, id, seen_at);
CREATE TABLE _inexact (
  family TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  PRIMARY KEY (family, id, name)
) WITHOUT ROWID;
`;

/** The meaning of each column of these tables, for people (`cops sql --tables`). */
export const INNER_MEANINGS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  _history: {
    family: 'the family of the item',
    id: "the item's id",
    seen_at: 'when this state was first seen, seconds since 1970',
    until_at: 'when its next state, or its absence, was seen, seconds since 1970',
    is_gone: '1 if the service no longer lists the item',
    json: 'the item as it was',
  },
  _windows: {
    family: 'the list',
    start: 'start of the window, seconds since 1970; -1 for a list without dates',
    until: 'where it ends',
    read_at: 'when it was last read',
    items: 'items in it',
    unproven: 'why it is not proven complete; NULL if it is',
  },
  _inexact: {
    family: 'the family of the item',
    id: "the item's id",
    name: 'the minor-unit column that is NULL, because the amount is finer or has no currency',
  },
};

/** Creates the tables in an empty file. */
export function createMirrorTables(database: Database): void {
  database.exec(TABLES);
}

/** A name quoted for SQL, whatever it contains. */
export function sqlName(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** The key under which a mirror records its first look at a family. */
export const firstLookOf = (family: string): string => `first_look ${family}`;

/** The key for the windows of a list that is held in part: its start and the days per window. */
export const gridOf = (family: string): string => `grid ${family}`;

/** The key for an id that other rows name but the service does not have. */
export const absentOf = (family: string, id: string): string => `absent ${family} ${id}`;

/** The window of rows that were read one by one because others name them, when the window of their time is unread. */
export const NAMED = -2;

/** The table that holds a family's items. */
export function rawName(family: string): string {
  return `raw_${family}`;
}

/** A view as its SQL file describes it. */
export interface ViewText {
  readonly name: string;
  /** The meaning of a row, in sentences. */
  readonly about: string;
  /** Columns of raw tables that it reads: they exist even if no item has shown them. */
  readonly needs: Readonly<Record<string, readonly string[]>>;
  /** Its columns, with a line of meaning each. */
  readonly columns: readonly (readonly [name: string, meaning: string])[];
  /** The query. */
  readonly sql: string;
}
