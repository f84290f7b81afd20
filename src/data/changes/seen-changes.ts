import type { Cell, Database } from '../../base/database/types.js';
import { parseJson } from '../../items/json/parse-json.js';
import { isObject, ownMember, serialise, type Tree } from '../../items/json/tree.js';
import { rawName, sqlName } from '../mirror/layout.js';

/** One state of an item that another one followed: a row of `_history` with what came in its place. */
export interface SeenChange {
  /** The number of the row in `_history`. */
  readonly change: number;
  readonly family: string;
  readonly id: string;
  /** When the former state was first seen, unix seconds. */
  readonly seenAt: number;
  /** When the new one, or none, was seen in its place. */
  readonly untilAt: number;
  readonly before: Tree;
  /** Undefined where the item is no longer listed. */
  readonly after: Tree | undefined;
}

/** A field that two states do not share; undefined where a state does not have it. */
export interface FieldChange {
  readonly path: string;
  readonly from: Tree | undefined;
  readonly to: Tree | undefined;
}

/** Which rows of `_history` are asked for: those whose new state was seen within the range. */
export interface ChangesQuestion {
  /** Unix seconds, both inside. */
  readonly from: number;
  readonly to: number;
  /** Families by name; undefined for all. */
  readonly families?: readonly string[] | undefined;
  readonly id?: string | undefined;
}

/** Rows read at once: each holds an item in whole. */
const AT_ONCE = 200;

/** Every row of `_history` in the question, once, in the order in which the changes were seen. */
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

function conditionsOf({ from, to, families, id }: ChangesQuestion): { conditions: string; values: Cell[] } {
  const wanted = families === undefined ? '' : ` AND family IN (${families.map(() => '?').join(', ')})`;
  const own = id === undefined ? '' : ' AND id = ?';
  return {
    conditions: `until_at >= ? AND until_at <= ? ${wanted}${own}`,
    values: [from, to, ...(families ?? []), ...(id === undefined ? [] : [id])],
  };
}

/** The state that came in the place of one: the next one that the history keeps, else the current one. */
export function followerOf(database: Database, family: string, id: string, change: number): string | undefined {
  const next = database
    .prepare('SELECT json FROM _history WHERE family = ? AND id = ? AND rowid > ? ORDER BY rowid LIMIT 1')
    .get(family, id, change);
  if (next) return String(next[0]);
  const now = database.prepare(`SELECT _json FROM ${sqlName(rawName(family))} WHERE id = ?`).get(id);
  return now && String(now[0]);
}

/** The fields in which two states differ, by path; lists are one value, whatever is in them. */
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

/** A value by its digits, as the mirror tells one state from another: `10.0` that became `10.00` is a change. */
function digitsOf(value: Tree): string {
  if (Array.isArray(value)) return `[${value.map(digitsOf).join(',')}]`;
  if (!isObject(value)) return serialise(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${digitsOf(value[name] ?? null)}`).join(',')}}`;
}
