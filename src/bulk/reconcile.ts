import { parseJson } from '../request/parse-json.js';
import { isObject, numberOf, type Tree } from '../request/tree.js';
import type { OpenRow } from './state.js';

/** How the service is asked what became of a row. */
export interface LookUps {
  /** The item as JSON text, or that there is none; undefined where the operation has no item to read. */
  item?(ids: readonly string[]): Promise<{ readonly text: string } | 'missing'>;
  /** The calls of a time, each as JSON text (`api_calls`); unix seconds. */
  calls(from: number, to: number): AsyncIterable<string>;
  /** One call with its request and answer. */
  call(id: string): Promise<string>;
}

export interface UnknownRow extends OpenRow {
  readonly row: number;
  /** The call that the service itself named, if it answered at all. */
  readonly apiCallId?: string;
}

export interface Finding {
  readonly row: UnknownRow;
  readonly proposal: 'done' | 'not_done' | 'cannot_tell';
  readonly evidence: readonly string[];
  readonly apiCallId?: string;
}

/** Calls are looked for from this long before a row's intent to this long after it. Seconds. */
const BEFORE_S = 120;
const AFTER_S = 900;

/** Calls that are opened one by one when the list does not show what was sent. */
const OPENED_LIMIT = 500;

const KEY = /[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g;

/** The state that proves an action, for actions that leave one. */
const LEAVES: Readonly<Record<string, readonly [field: string, value: string]>> = {
  cancel: ['status', 'cancelled'],
  suspend: ['status', 'suspended'],
  activate: ['status', 'active'],
  enable: ['enabled', 'true'],
  disable: ['enabled', 'false'],
};

/**
 * Looks up what became of rows whose outcome is unknown: the call that carried the row's key and its answer,
 * then the item itself. Only the call proves something; an item in the expected state may have come there by
 * other hands, which is said. Proposes, changes nothing.
 * @param now milliseconds
 */
export async function reconcileRows(
  rows: readonly UnknownRow[],
  action: string,
  lookUps: LookUps,
  now: number,
): Promise<readonly Finding[]> {
  if (rows.length === 0) return [];
  const calls = await findCalls(rows, lookUps);
  const findings: Finding[] = [];
  for (const row of rows) findings.push(await judge(row, action, lookUps, calls, now));
  return findings;
}

interface FoundCalls {
  readonly byKey: ReadonlyMap<string, string>;
  /** False when calls could not all be looked into: then finding none proves nothing. */
  readonly whole: boolean;
}

async function findCalls(rows: readonly UnknownRow[], lookUps: LookUps): Promise<FoundCalls> {
  const wanted = new Set(rows.flatMap((row) => (row.key === undefined ? [] : [row.key])));
  const byKey = new Map<string, string>();
  const closed: string[] = [];
  let whole = true;
  const note = (text: string): boolean => {
    let hit = false;
    for (const [key] of text.matchAll(KEY)) {
      if (!wanted.has(key)) continue;
      byKey.set(key, text);
      hit = true;
    }
    return hit;
  };
  for (const [from, to] of spans(rows)) {
    for await (const text of lookUps.calls(from, to)) {
      const call = objectOf(text);
      const id = call && typeof call.id === 'string' ? call.id : undefined;
      if (note(text) || id === undefined) continue;
      const method = call && typeof call.method === 'string' ? call.method : 'POST';
      if (/^get$/i.test(method) || /retrieve|list/i.test(method)) continue;
      if (closed.length < OPENED_LIMIT) closed.push(id);
      else whole = false;
    }
  }
  for (const id of closed) {
    if (byKey.size === wanted.size) break;
    note(await lookUps.call(id));
  }
  return { byKey, whole };
}

/** The times to look at, merged where they touch. Unix seconds. */
function spans(rows: readonly UnknownRow[]): readonly (readonly [number, number])[] {
  const merged: [number, number][] = [];
  const times = rows.map((row) => Math.floor(row.time / 1000)).sort((a, b) => a - b);
  for (const at of times) {
    const last = merged.at(-1);
    if (last && at - BEFORE_S <= last[1]) last[1] = at + AFTER_S;
    else merged.push([at - BEFORE_S, at + AFTER_S]);
  }
  return merged;
}

async function judge(
  row: UnknownRow,
  action: string,
  lookUps: LookUps,
  calls: FoundCalls,
  now: number,
): Promise<Finding> {
  const evidence: string[] = [];
  const named = row.apiCallId === undefined ? undefined : await lookUps.call(row.apiCallId).catch(() => undefined);
  const text = (row.key === undefined ? undefined : calls.byKey.get(row.key)) ?? named;
  const item = await itemState(row, action, lookUps);
  if (item) evidence.push(item.says);
  if (text !== undefined) {
    const call = objectOf(text);
    const id = call && typeof call.id === 'string' ? call.id : row.apiCallId;
    const full = id === undefined ? text : await lookUps.call(id).catch(() => text);
    const code = answerCode(full) ?? answerCode(text);
    const found = { row, ...(id === undefined ? {} : { apiCallId: id }) };
    if (code === 1)
      return { ...found, proposal: 'done', evidence: ['the call with its key was answered with code 1', ...evidence] };
    if (code !== undefined) {
      return {
        ...found,
        proposal: 'not_done',
        evidence: [`the call with its key was answered with code ${code}`, ...evidence],
      };
    }
    evidence.unshift('the call with its key arrived; its answer is not shown');
    return { ...found, proposal: item?.final ?? 'cannot_tell', evidence };
  }
  const early = now - row.time < AFTER_S * 1000;
  if (row.key !== undefined && calls.whole && !early && item?.final !== 'done') {
    return { row, proposal: 'not_done', evidence: ['no call with its key arrived around that time', ...evidence] };
  }
  if (row.key === undefined) evidence.push('it was sent without a key that could be looked for');
  else if (early) evidence.push('it is too early: a call may still be under way; look again in some minutes');
  else evidence.push(calls.whole ? 'no call with its key was found' : 'there were too many calls to look into all');
  return { row, proposal: item?.final === 'not_done' && !early ? 'not_done' : 'cannot_tell', evidence };
}

async function itemState(
  row: UnknownRow,
  action: string,
  lookUps: LookUps,
): Promise<{ says: string; final?: 'done' | 'not_done' } | undefined> {
  if (!lookUps.item || row.ids.length === 0) return undefined;
  const item = await lookUps.item(row.ids).catch(() => undefined);
  if (item === undefined) return undefined;
  if (item === 'missing') return { says: 'the item does not exist', ...(action === 'delete' ? { final: 'done' } : {}) };
  const tree = objectOf(item.text);
  const leaves = LEAVES[action];
  if (!tree || !leaves) {
    const refunded = tree ? tree.amount_refunded : undefined;
    return refunded === undefined ? undefined : { says: `the item shows amount_refunded ${plain(refunded)}` };
  }
  const [field, value] = leaves;
  const shown = plain(tree[field]);
  if (shown === undefined) return undefined;
  const says = `the item shows ${field} ${shown}`;
  if (shown.toLowerCase() !== value) return action === 'cancel' ? { says, final: 'not_done' } : { says };
  return { says: `${says} (by this row, or by other hands)` };
}

/** The `code` of the answer inside a call record, whose field names are not known: the one beside a `result`. */
function answerCode(text: string): number | undefined {
  const root = objectOf(text);
  if (!root) return undefined;
  const { api_call_id: _own, api_call_unix: _unix, code: _code, result: _result, ...call } = root;
  return codeIn(call, 0);
}

function codeIn(value: Tree | undefined, depth: number): number | undefined {
  if (depth > 6 || value === undefined || value === null) return undefined;
  if (typeof value === 'string') return /^\s*\{/.test(value) ? codeIn(objectOf(value), depth + 1) : undefined;
  if (Array.isArray(value)) return first(value, depth);
  if (!isObject(value)) return undefined;
  const code = numberOf(value.code);
  const isAnswer = 'result' in value || 'api_call_unix' in value || 'message' in value;
  if (code !== undefined && isAnswer) return code;
  return first(Object.values(value), depth);
}

function first(values: readonly Tree[], depth: number): number | undefined {
  for (const value of values) {
    const code = codeIn(value, depth + 1);
    if (code !== undefined) return code;
  }
  return undefined;
}

function objectOf(text: string): Record<string, Tree> | undefined {
  try {
    const { value } = parseJson(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function plain(value: Tree | undefined): string | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return String(value);
  return numberOf(value) === undefined ? undefined : JSON.stringify(value);
}
