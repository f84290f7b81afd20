import type { Cell, Database } from '../../base/database/types.js';
import { parseJson } from '../../items/json/parse-json.js';
import { isObject, ownMember, serialise, type Tree } from '../../items/json/tree.js';
import { rawName, sqlName } from '../mirror/layout.js';

/** A former state of an item and its successor: a row of `_history` with the state that replaced it. */
export interface SeenChange {
  /** The number of the row in `_history`. */
  readonly change: number;
  readonly family: string;
  readonly id: string;
  /** When the former state was first seen, unix seconds. */
  readonly seenAt: number;
  /** When the new state, or the absence of the item, was seen. */
  readonly untilAt: number;
  readonly before: Tree;
  /** Undefined if the item is no longer listed. */
  readonly after: Tree | undefined;
}

/** A field that differs between two states; undefined where a state does not have it. */
export interface FieldChange {
  readonly path: string;
  readonly from: Tree | undefined;
  readonly to: Tree | undefined;
}

/** Selects rows of `_history`: those whose new state was seen within the range. */
export interface ChangesQuestion {
  /** Unix seconds, both ends included. */
  readonly from: number;
  readonly to: number;
  /** Families by name; undefined for all. */
  readonly families?: readonly string[] | undefined;
  readonly id?: string | undefined;
}

/** Rows per read: each holds a whole item. */
const AT_ONCE = 200;

/** Each matching row of `_history` once, in the order in which the changes were seen. */
export function* seenChanges(database: Database, question: ChangesQuestion): Generator<SeenChange> {
  const { conditions, values } = conditionsOf(question);
  const rows = database.prepare(
    `SELECT rowid, family, id, seen_at, until_at, is_gone, json FROM _history
     WHERE rowid > ? AND ${conditions} ORDER BY rowid LIMIT ${AT_ONCE}`,
  );
  let last: Cell = 0;
  for (;;) {
    const some = rows.all(last, ...values);
    for (const [change, family, id, seenAt, untilAt, isGone, json] of some) {
      const name = String(family);
      const after = isGone === 1 ? undefined : followerOf(database, name, String(id), Number(change));
      yield {
        change: Number(change),
        family: name,
        id: String(id),
        seenAt: Number(seenAt),
        untilAt: Number(untilAt),
        before: parseJson(String(json)).value,
        after: after === undefined ? undefined : parseJson(after).value,
      };
    }
    last = some.at(-1)?.[0] ?? 0;
    if (some.length < AT_ONCE) return;
  }
}

/** An item that was created around the time a sync first saw it. */
export interface NewItem {
  readonly family: string;
  readonly id: string;
  /** When it was seen, unix seconds. */
  readonly at: number;
}

/** The items seen for the first time within a range; the first look at a list counts none. */
export function newItems(database: Database, { from, to, families, id }: ChangesQuestion): NewItem[] {
  const isKept = database.prepare("SELECT 1 FROM sqlite_master WHERE name = '_events'").get() !== undefined;
  if (!isKept) return [];
  return database
    .prepare("SELECT family, id, at FROM _events WHERE what = 'created' AND at >= ? AND at <= ? ORDER BY row")
    .all(from, to)
    .map(([family, one, at]) => ({ family: String(family), id: String(one), at: Number(at) }))
    .filter((one) => (families?.includes(one.family) ?? true) && (id === undefined || one.id === id));
}

/** When a sync last saw anything change or appear before a moment, unix seconds; it may have looked again later. */
export function lookBefore(database: Database, moment: number): number | undefined {
  const at = database.prepare('SELECT max(until_at) FROM _history WHERE until_at < ?').get(moment)?.[0] ?? null;
  return at === null ? undefined : Number(at);
}

function conditionsOf({ from, to, families, id }: ChangesQuestion): { conditions: string; values: Cell[] } {
  const wanted = families === undefined ? '' : ` AND family IN (${families.map(() => '?').join(', ')})`;
  const own = id === undefined ? '' : ' AND id = ?';
  return {
    conditions: `until_at >= ? AND until_at <= ? ${wanted}${own}`,
    values: [from, to, ...(families ?? []), ...(id === undefined ? [] : [id])],
  };
}

/** The state that replaced one: the next one in the history, else the current one. */
export function followerOf(database: Database, family: string, id: string, change: number): string | undefined {
  const next = database
    .prepare('SELECT json FROM _history WHERE family = ? AND id = ? AND rowid > ? ORDER BY rowid LIMIT 1')
    .get(family, id, change);
  if (next) return String(next[0]);
  const now = database.prepare(`SELECT _json FROM ${sqlName(rawName(family))} WHERE id = ?`).get(id);
  return now && String(now[0]);
}

/** The fields in which two states differ, by path; a whole list counts as one value. */
export function fieldChanges(before: Tree | undefined, after: Tree | undefined, path = ''): FieldChange[] {
  if (isObject(before) && isObject(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
    return names.flatMap((name) =>
      fieldChanges(ownMember(before, name), ownMember(after, name), path === '' ? name : `${path}.${name}`),
    );
  }
  if (before !== undefined && after !== undefined && digitsOf(before) === digitsOf(after)) return [];
  return [{ path, from: before, to: after }];
}

/** A value by its digits, as the mirror compares states: a change from `10.0` to `10.00` counts. */
function digitsOf(value: Tree): string {
  if (Array.isArray(value)) return `[${value.map(digitsOf).join(',')}]`;
  if (!isObject(value)) return serialise(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${digitsOf(value[name] ?? null)}`).join(',')}}`;
}
