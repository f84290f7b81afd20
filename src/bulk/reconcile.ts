import type { OpenRow } from '../account/journal/state.js';
import { CopsError, orElse } from '../base/errors/errors.js';
import { lengthSaid } from '../base/time/spans.js';
import { parseJson } from '../items/json/parse-json.js';
import { isObject, numberOf, type Tree } from '../items/json/tree.js';
import { CLOCK_DOUBT_MS } from '../service/http/service-clock.js';

/** The queries that find out how a row ended. */
export interface LookUps {
  /** The item as JSON text, or that there is none; undefined if the operation has no item to read. */
  item?(ids: readonly string[]): Promise<{ readonly text: string } | 'missing'>;
  /**
   * The calls of a time, each as JSON text (`api_calls`); unix seconds.
   * @throws CopsError incomplete (10), after what was read, when they could not be read whole
   */
  calls(from: number, to: number): AsyncIterable<string>;
  /** One call with its request and answer. */
  call(id: string): Promise<string>;
}

export interface UnknownRow extends OpenRow {
  readonly row: number;
  /** The call that the service itself named, if it answered at all. */
  readonly apiCallId?: string;
  /** Calls of the same run that the service answered around that time: a log that lacks them proves nothing. */
  readonly neighbours: readonly string[];
}

/** Who looks, and when. */
export interface Looking {
  /** The service's clock, milliseconds; undefined if it is not known. */
  readonly now: number | undefined;
  /** Fingerprint of the API key that reads. */
  readonly credential: string;
}

export interface Finding {
  readonly row: UnknownRow;
  readonly proposal: 'done' | 'not_done' | 'cannot_tell';
  readonly evidence: readonly string[];
  readonly apiCallId?: string;
}

/** Calls are searched from this long before a row's intent to this long after it, by the service's clock. Seconds. */
const BEFORE_S = 120 + CLOCK_DOUBT_MS / 1000;
const AFTER_S = 900 + CLOCK_DOUBT_MS / 1000;

/** Most calls to open one by one if the list does not show the request. */
const OPENED_LIMIT = 500;

/** The error code of a repeated idempotency key. */
const DUPLICATE_KEY = 'E0583';
const GENERIC_ERROR = 'E0001';

/** The code of a payment that the gateway holds. */
const HELD = 4;

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
 */
export async function reconcileRows(
  rows: readonly UnknownRow[],
  action: string,
  lookUps: LookUps,
  looking: Looking,
): Promise<readonly Finding[]> {
  if (rows.length === 0) return [];
  const calls = await findCalls(rows, lookUps, looking.now);
  const findings: Finding[] = [];
  for (const row of rows) findings.push(await judge(row, action, lookUps, calls, looking));
  return findings;
}

interface FoundCalls {
  /** Every call that carried a key: a write that was sent again has several. */
  readonly byKey: ReadonlyMap<string, readonly Call[]>;
  /** The ids of all calls in the log, and the ids of rows that they name. */
  readonly seen: ReadonlySet<string>;
  /** Why finding no call with a key proves nothing; undefined if it proves that none arrived. */
  readonly doubt?: string;
}

/** A record of a call: the spec shows only some of its fields, and none that would hold request and answer. */
interface Call {
  readonly id: string;
  readonly text: string;
}

async function findCalls(
  rows: readonly UnknownRow[],
  lookUps: LookUps,
  now = Number.POSITIVE_INFINITY,
): Promise<FoundCalls> {
  const wanted = new Set(rows.flatMap((row) => (row.key === undefined ? [] : [row.key])));
  const byKey = new Map<string, Call[]>();
  const closed: Call[] = [];
  const seen = new Set<string>();
  const ids = new Set(rows.flatMap((row) => row.ids));
  const named = (call: Call) => (call.text.match(/[0-9A-Za-z]{20}/g) ?? []).filter((word) => ids.has(word));
  let shown = false;
  const note = (call: Call): boolean => {
    shown ||= call.text.includes('idempotency_key');
    const keys = new Set([...call.text.matchAll(KEY)].map(([key]) => key).filter((key) => wanted.has(key)));
    for (const key of keys) byKey.set(key, [...(byKey.get(key) ?? []), call]);
    return keys.size > 0;
  };
  let unread: string | undefined;
  for (const [from, to] of spans(rows)) {
    try {
      // Looking is a call too: later calls are left out.
      for await (const text of lookUps.calls(from, Math.min(to, Math.floor(now / 1000)))) {
        const record = objectOf(text);
        if (typeof record?.id !== 'string') continue;
        const call = { id: record.id, text };
        for (const id of [call.id, ...named(call)]) seen.add(id);
        const method = typeof record.method === 'string' ? record.method : '';
        if (!note(call) && !/^get$|retrieve|list|search/i.test(method)) closed.push(call);
      }
    } catch (error) {
      if (!(error instanceof CopsError) || error.kind !== 'incomplete') throw error;
      unread = error.message;
    }
  }
  // Calls that name a row's id come first, in case there are too many to open.
  const names = (call: Call) => named(call).length > 0;
  const order = [...closed.filter(names), ...closed.filter((call) => !names(call))];
  for (const { id } of order.slice(0, OPENED_LIMIT)) note({ id, text: await lookUps.call(id) });
  const found = { byKey, seen };
  if (unread !== undefined) return { ...found, doubt: unread };
  if (order.length > OPENED_LIMIT) return { ...found, doubt: 'there were too many calls to check all of them' };
  if (order.length > 0 && !shown) return { ...found, doubt: 'the records of calls do not show the keys' };
  return found;
}

/** When the row was sent by the service's clock, milliseconds; undefined if no answer showed it, or they disagree. */
function sentAt({ time, skew: { call, date } = {} }: UnknownRow): number | undefined {
  const ahead = call ?? date;
  if (ahead === undefined || Math.abs(ahead - (date ?? ahead)) > CLOCK_DOUBT_MS) return undefined;
  return time + ahead;
}

/** The times to search, merged where they touch. Unix seconds. */
function spans(rows: readonly UnknownRow[]): readonly (readonly [number, number])[] {
  const merged: [number, number][] = [];
  const times = rows.map((row) => Math.floor((sentAt(row) ?? row.time) / 1000)).sort((a, b) => a - b);
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
  looking: Looking,
): Promise<Finding> {
  const evidence: string[] = [];
  const item = await itemState(row, action, lookUps);
  if (item) evidence.push(item.says);
  const told = await answersOf(row, calls, lookUps);
  const early = unprovable(row, looking);
  const final = early === undefined ? item?.final : undefined;
  if (told.length > 0) {
    const { proposal, says, id } = verdictOf(told);
    // A refusal of the first sending does not tell how a later one ended.
    const settled = (row.resent && proposal === 'not_done' ? undefined : proposal) ?? final ?? 'cannot_tell';
    return { row, proposal: settled, evidence: [says, ...evidence], apiCallId: id };
  }
  const doubt = early ?? calls.doubt ?? (isWitnessed(row, calls) ? undefined : UNWITNESSED);
  const isOut = !item?.reached && (doubt === undefined || final === 'not_done');
  const says = doubt ?? 'no call with its key arrived around that time';
  return { row, proposal: isOut ? 'not_done' : 'cannot_tell', evidence: [says, ...evidence] };
}

const UNWITNESSED =
  "the list of calls shows none of the run's other calls of that time, so a missing one proves nothing";

/** Whether the log shows the run's other calls of that time or, if none was answered, names the row's item. */
function isWitnessed({ neighbours, ids }: UnknownRow, { seen }: FoundCalls): boolean {
  return neighbours.length > 0 ? neighbours.every((id) => seen.has(id)) : ids.some((id) => seen.has(id));
}

/** Why neither a missing call nor the item proves that the row was not done; undefined if they can. */
function unprovable(row: UnknownRow, { now, credential }: Looking): string | undefined {
  if (row.credential !== credential) return 'it was sent with another API key, whose account and calls may be others';
  if (row.resent) return 'it was sent again later, and only the first sending can be searched for';
  const sent = sentAt(row);
  if (sent === undefined || now === undefined)
    return "when it was sent by the service's clock is not known, so its calls of that time cannot be proven";
  const left = AFTER_S - (now - sent) / 1000;
  if (left > 0) return `it is too early: a call may still be under way; look again in ${lengthSaid(left)}`;
  return row.key === undefined ? 'it was sent without a key to search for' : undefined;
}

interface Told {
  readonly id: string;
  /** The service's answer; undefined if the record does not show it. */
  readonly answer: Answer | undefined;
}

/** The calls that carried the row's key, and the one that the service itself named for it, with their answers. */
async function answersOf(row: UnknownRow, calls: FoundCalls, lookUps: LookUps): Promise<readonly Told[]> {
  const known = new Map<string, string>();
  for (const { id, text } of (row.key === undefined ? undefined : calls.byKey.get(row.key)) ?? []) known.set(id, text);
  if (row.apiCallId !== undefined && !known.has(row.apiCallId)) known.set(row.apiCallId, '');
  const told: Told[] = [];
  for (const [id, text] of known) {
    const full = await lookUps.call(id).catch(() => text);
    if (full !== '') told.push({ id, answer: answerIn(full) ?? answerIn(text) });
  }
  return told;
}

/** What the answers to all calls for one intention prove together. */
function verdictOf(told: readonly Told[]): {
  readonly proposal?: 'done' | 'not_done';
  readonly says: string;
  readonly id?: string;
} {
  const done = told.find(({ answer }) => answer?.code === 1);
  if (done) return { proposal: 'done', says: 'the call with its key was answered with code 1', id: done.id };
  const silent = told.find(({ answer }) => answer === undefined);
  if (silent) return { says: 'the call with its key arrived; its answer is not shown', id: silent.id };
  // A repeated key only proves that an earlier call arrived (service.md#idempotency), an unexpected error nothing.
  const refused = told.filter(({ answer }) => answer && isRefusal(answer));
  const [first] = refused;
  const others = told.filter(({ answer }) => answer?.error_code !== DUPLICATE_KEY);
  if (first && refused.length === others.length) {
    const says = `the call with its key was answered with code ${first.answer?.code}${first.answer?.error_code ? ` (${first.answer.error_code})` : ''}`;
    return { proposal: 'not_done', says, id: first.id };
  }
  const [any] = others.length > 0 ? others : told;
  const held = any?.answer?.code === HELD ? `code ${HELD} (the gateway holds it)` : 'an unexpected error';
  const words = others.length > 0 ? held : `${DUPLICATE_KEY}: an earlier call with it arrived`;
  return { says: `the call with its key was answered with ${words}`, id: any?.id };
}

/**
 * Whether the answer says that nothing was done (service.md#errors): a failed payment, or a refusal by HTTP status. A
 * record without a status is judged by its error code, except the generic code, which may mean an unexpected error.
 */
function isRefusal({ code, error_code, http_status }: Answer): boolean {
  // A gateway may still settle what it holds.
  if (error_code === DUPLICATE_KEY || code === HELD) return false;
  if (code >= 2) return true;
  if (http_status !== undefined) return http_status >= 400 && http_status < 500;
  return error_code !== undefined && error_code !== GENERIC_ERROR;
}

interface ItemState {
  readonly says: string;
  /** The item is in the state that the action leaves. */
  readonly reached: boolean;
  /** It cannot have been done, because nobody undoes a cancellation. */
  readonly final?: 'not_done';
}

async function itemState(row: UnknownRow, action: string, lookUps: LookUps): Promise<ItemState | undefined> {
  if (!lookUps.item || row.ids.length === 0) return undefined;
  const item = await lookUps.item(row.ids).catch(() => undefined);
  if (item === undefined) return undefined;
  if (item === 'missing') return { says: 'the item does not exist', reached: action === 'delete' };
  const tree = objectOf(item.text);
  const leaves = LEAVES[action];
  if (!tree || !leaves) {
    const refunded = tree ? tree.amount_refunded : undefined;
    // A refund that the item shows may be this one.
    const reached = /refund|void/.test(action) && numberOf(refunded) !== 0;
    return refunded === undefined ? undefined : { says: `the item shows amount_refunded ${plain(refunded)}`, reached };
  }
  const [field, value] = leaves;
  const shown = plain(tree[field]);
  if (shown === undefined) return undefined;
  const says = `the item shows ${field} ${shown}`;
  if (shown.toLowerCase() === value) return { says: `${says} (because of this row or somebody else)`, reached: true };
  return { says, reached: false, final: action === 'cancel' ? 'not_done' : undefined };
}

interface Answer {
  readonly code: number;
  readonly error_code?: string;
  /** According to the record itself. */
  readonly http_status?: number;
}

/**
 * The answer inside a call record, whatever the field is called: an object, or the text of one, with a `code` beside
 * `api_call_id` or `api_call_unix`, which all answers carry (service.md#envelopes, service.md#errors) and no request does.
 */
function answerIn(text: string): Answer | undefined {
  const root = objectOf(text);
  if (!root) return undefined;
  // The look-up's own envelope is at the top.
  const { api_call_id: _id, api_call_unix: _unix, ...record } = root;
  const answer = search(record, 0);
  const status = Object.entries(record).flatMap(([name, value]) => (/status/i.test(name) ? [numberOf(value)] : []));
  const http = status.find((number) => number !== undefined && number >= 100 && number < 600);
  return answer && { ...answer, http_status: http };
}

function search(value: Tree | undefined, depth: number): Answer | undefined {
  if (depth > 6 || value === undefined || value === null) return undefined;
  if (typeof value === 'string') return /^\s*\{/.test(value) ? search(objectOf(value), depth + 1) : undefined;
  if (isObject(value) && ('api_call_id' in value || 'api_call_unix' in value)) {
    const code = numberOf(value.code);
    const { error_code } = value;
    if (code !== undefined) return { code, error_code: typeof error_code === 'string' ? error_code : undefined };
  }
  const inner = Array.isArray(value) ? value : isObject(value) ? Object.values(value) : [];
  for (const one of inner) {
    const answer = search(one, depth + 1);
    if (answer) return answer;
  }
  return undefined;
}

function objectOf(text: string): Record<string, Tree> | undefined {
  return orElse(() => {
    const { value } = parseJson(text);
    return isObject(value) ? value : undefined;
  }, undefined);
}

function plain(value: Tree | undefined): string | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return String(value);
  return numberOf(value) === undefined ? undefined : JSON.stringify(value);
}
