import { join } from 'node:path';
import { withDatabase } from '../../base/database/open.js';
import type { Database } from '../../base/database/types.js';
import { CopsError, usage } from '../../base/errors/errors.js';
import { inTemporaryFolder } from '../../base/files/temporary-folder.js';
import { isoTime } from '../../base/time/units.js';
import { parseWhen } from '../../base/time/when.js';
import { loadFamily } from '../../catalogue/index.js';
import type { Context } from '../../session/context/context.js';
import { zoneInUse } from '../../session/context/typed-words.js';
import { createMirrorTables, firstLookOf, rawName, sqlName } from './layout.js';
import { RawTable } from './mirror-table.js';
import { showOnly, textsOf, viewColumns } from './views.js';

/*
 * A moment of the past, as a mirror had seen it by then: of each item the last state seen, whatever was seen later. The
 * service itself shows only the present.
 */

/** An item as a mirror had seen it at a moment. */
export interface SeenItem {
  readonly id: string;
  /** The item as it came. */
  readonly json: string;
  /** When this state was first seen, unix seconds. */
  readonly seenAt: number;
}

/** How to query a mirror as of a moment. */
export interface PastMirror {
  /** Statements for a separate connection, before any query: tables and views then show what had been seen by then. */
  readonly before: readonly string[];
  /** Frees what the statements read besides the mirror. */
  discard(): Promise<void>;
}

/**
 * The moment in `--as-of`, unix seconds; the end of a day.
 * @throws CopsError `usage` for a moment in the future
 */
export async function momentAsked(context: Context, text: string): Promise<number> {
  const [now, zone] = [await context.now(), await zoneInUse(context)];
  const edge = (edge: 'start' | 'end') => parseWhen(text, { now, zone, edge, option: '--as-of', look: 'back' });
  if (edge('start') * 1000 > now) throw usage(`--as-of ${text} is in the future.`);
  return edge('end');
}

/** Since when a mirror watches a family, unix seconds: its first look. Undefined if there was none. */
export function watchedSince(database: Database, family: string): number | undefined {
  const noted = database.prepare('SELECT value FROM _mirror WHERE name = ?').get(firstLookOf(family));
  // Older mirrors do not record it; their first row shows it. A row that is stored again gets a new number.
  const row =
    noted === undefined && hasRows(database, family)
      ? database.prepare(`SELECT _seen_at FROM main.${sqlName(rawName(family))} ORDER BY rowid LIMIT 1`).get()
      : undefined;
  const former = database.prepare('SELECT min(seen_at) FROM main._history WHERE family = ?').get(family);
  const read = database.prepare('SELECT read_at FROM _families WHERE family = ?').get(family);
  const times = [noted?.[0], row?.[0], former?.[0]].filter((at) => at !== undefined && at !== null).map(Number);
  if (times.length > 0) return Math.min(...times);
  return read && Number(read[0]);
}

/**
 * Refuses a moment at which a mirror did not watch these families, because it cannot show what was there.
 * @throws CopsError `incomplete` (10) with the day since which it watches, or the one until which it does
 */
export function checkWatchedAt(database: Database, families: readonly string[], moment: number, now: number): void {
  for (const family of families) {
    const read = database.prepare('SELECT read_at FROM _families WHERE family = ?').get(family);
    const since = read && watchedSince(database, family);
    const word = family.replaceAll('_', ' ');
    if (since === undefined) throw unwatched(`the mirror has never read ${word} completely`, { family });
    if (moment < since)
      throw unwatched(`the mirror has watched ${word} only since ${isoTime(since)}`, {
        family,
        watched_since: isoTime(since),
      });
    const until = Number(read?.[0]);
    if (moment > until && moment < now)
      throw unwatched(`the mirror has watched ${word} only until ${isoTime(until)}`, {
        family,
        watched_until: isoTime(until),
      });
  }
}

/** There is no mirror yet, or it did not watch at that time. */
export const unwatched = (why: string, facts: Readonly<Record<string, string>> = {}): CopsError =>
  new CopsError('incomplete', `The state at that time is unknown: ${why}.`, {
    hint: 'The service only shows the present; a past day needs a mirror that was synced by then.',
    more: facts,
  });

/**
 * Number of a family's items that, by their own date, existed at a moment but were first seen later: their state at
 * that moment is unknown.
 */
export function seenTooLate(database: Database, family: string, moment: number): number {
  if (!viewColumns(database, rawName(family)).includes('created_date_unix')) return 0;
  const former = 'SELECT 1 FROM _history AS h WHERE h.family = ? AND h.id = r.id AND h.seen_at <= ?';
  const row = database
    .prepare(
      `SELECT (SELECT count(*) FROM ${sqlName(rawName(family))} AS r
         WHERE r._seen_at > ? AND r.created_date_unix <= ? AND NOT EXISTS (${former}))
       + (SELECT count(*) FROM _history AS r WHERE r.family = ? AND r.is_gone = 1 AND r.json ->> '$.created_date_unix' <= ?
         AND r.seen_at > ? AND NOT EXISTS (${former}))`,
    )
    .get(moment, moment, family, moment, family, moment, moment, family, moment);
  return Number(row?.[0]);
}

/** The items of a family at a moment; none for a family that the mirror does not have. */
export function* itemsAsOf(database: Database, family: string, moment: number): Generator<SeenItem> {
  if (!hasRows(database, family)) return;
  const rows = database
    .prepare(
      `SELECT id, _json, _seen_at FROM ${sqlName(rawName(family))} WHERE _seen_at <= ?
       UNION ALL ${FORMER} ORDER BY 1`,
    )
    .iterate(moment, family, moment, moment);
  for (const [id, json, seenAt] of rows) yield { id: String(id), json: String(json), seenAt: Number(seenAt) };
}

/** Former states, as seen by a moment. */
const FORMER = 'SELECT id, json, seen_at FROM _history WHERE family = ? AND seen_at <= ? AND until_at > ?';

const hasRows = (database: Database, family: string): boolean =>
  viewColumns(database, rawName(family)).includes('_seen_at');

/**
 * Creates the tables and views of a mirror as of a moment: each table shows the rows seen by then, with the former
 * states of rows that have changed since, which are in a separate file. Views keep working unchanged.
 */
export function layAsOf(database: Database, families: readonly string[], moment: number): Promise<PastMirror> {
  return inTemporaryFolder('then', async (folder, discard) => {
    const file = join(folder, 'then.sqlite');
    const tables: string[] = [];
    await withDatabase({ file, what: 'The file of former states', journal: 'delete' }, async (past) => {
      createMirrorTables(past);
      for (const family of families) {
        if (!hasRows(database, family)) continue;
        await keepFormer(database, past, family, moment);
        const name = sqlName(rawName(family));
        const columns = viewColumns(database, rawName(family)).map(sqlName).join(', ');
        tables.push(
          `CREATE TEMP VIEW ${name} AS SELECT ${columns} FROM main.${name} WHERE _seen_at <= ${moment} ` +
            `UNION ALL SELECT ${columns} FROM former.${name}`,
        );
      }
    });
    const views = database
      .prepare("SELECT sql FROM sqlite_master WHERE type = 'view'")
      .all()
      .map(([sql]) => `CREATE TEMP VIEW ${withSeen(String(sql)).slice('CREATE VIEW '.length)}`);
    const history = `CREATE TEMP VIEW _history AS SELECT rowid, * FROM main._history WHERE until_at <= ${moment}`;
    const inexact = 'CREATE TEMP VIEW _inexact AS SELECT * FROM main._inexact UNION SELECT * FROM former._inexact';
    return {
      before: [`ATTACH '${file.replaceAll("'", "''")}' AS former`, ...tables, history, inexact, ...views],
      discard,
    };
  });
}

/**
 * Shows on a connection what the mirror had seen by a moment, and tells which families it watched then.
 * @throws CopsError `incomplete` where it watched none
 */
export async function showAsOf(context: Context, database: Database, moment: number) {
  const all = textsOf(database, 'SELECT family FROM _families ORDER BY 1');
  const watched = all.filter((family) => (watchedSince(database, family) ?? moment + 1) <= moment);
  const now = Math.floor((await context.now()) / 1000);
  checkWatchedAt(database, watched.length > 0 ? watched : all, moment, now);
  const past = await layAsOf(database, all, moment);
  showOnly(database, past.before);
  context.notes.note(`As the mirror had seen it by ${isoTime(moment)}.`);
  return { past, watched };
}

/** The view of a family also shows when each row was seen. */
const withSeen = (view: string): string =>
  view.replace(/(?= FROM "raw_\w+"$)/, ", strftime('%Y-%m-%dT%H:%M:%SZ', _seen_at, 'unixepoch') AS seen_at");

/** Splits former states into the columns of a table like the mirror's own. */
async function keepFormer(database: Database, past: Database, family: string, moment: number): Promise<void> {
  const table = rawName(family);
  const [made = ''] = textsOf(database, "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?", table);
  past.exec(made);
  for (const row of database.prepare('SELECT family, path, name, minor FROM _columns WHERE family = ?').all(family))
    past.prepare('INSERT INTO _columns (family, path, name, minor) VALUES (?, ?, ?, ?)').run(...row);
  const loaded = await loadFamily(family);
  past.transaction(() => {
    const kept = new RawTable(past, loaded, []);
    for (const [id, json, seenAt] of database.prepare(FORMER).all(family, moment, moment))
      kept.put(String(id), String(json), 0, Number(seenAt));
  });
}
