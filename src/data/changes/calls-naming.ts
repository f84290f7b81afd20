import { unless } from '../../base/errors/errors.js';
import type { TimeRange } from '../../base/time/range.js';
import { isoTime } from '../../base/time/units.js';
import { loadFamily } from '../../catalogue/index.js';
import type { Family } from '../../catalogue/types.js';
import { stripEnvelope } from '../../items/json/item-json.js';
import { get, type Lossless, parseLossless, plain } from '../../items/json/lossless.js';
import { Meter } from '../../screen/meter.js';
import type { FetchPage } from '../../service/lists/growing-lists.js';
import { newReport, readList, wholePlan } from '../../service/lists/read-list.js';
import { cutWindows } from '../../service/lists/windows.js';
import { planRequest } from '../../service/request/request-plan.js';
import type { Context } from '../../session/context/context.js';
import { openReader, pager, type Reader } from '../../session/read/reading.js';

/** The request limit of one `--who`. */
export const MOST_CALL_REQUESTS = 200;

/** A call of the service that may have changed an item. */
export interface NamedCall {
  readonly id: string;
  /** Unix seconds. */
  readonly time: number;
  /** Who made it, in words. */
  readonly who: string;
  /** The text of the call, which contains the ids it names. */
  readonly text: string;
}

/**
 * The calls of a period, and which parts of it were read. `read`: the ranges that were read, newest first and without
 * gaps. `unread`: why part of it was not read; empty if all of it was.
 */
export type ReadCalls = Awaited<ReturnType<typeof readCalls>>;

/** How the service names the source of a call, in words; a source with an account is shown by the account's name. */
const SOURCES: Readonly<Record<string, string>> = {
  web_app: 'web application (does not say who)',
  system: 'system',
  webhook: 'webhook',
  account_link: 'account link',
  ai_assistant: 'AI assistant',
};

/** Answers that mean a call has changed nothing; a failed payment (402) does change something. */
const CHANGES_NOTHING = (status: number): boolean => status >= 400 && status < 500 && status !== 402;

/**
 * Reads the writes of a period from the service's own record of calls, newest first, until the request limit is
 * reached.
 */
export async function readCalls(context: Context, span: TimeRange) {
  const reader = await openReader(context);
  const family = await loadFamily('api_calls');
  const operation = family.operations.find(({ action }) => action === 'list');
  if (!operation) throw new RangeError('api_calls has no list');
  const look = new CallLook(context, reader, family);
  const fetch = look.counted(pager(reader, planRequest(family, operation, { ids: [] }), family.idField));
  const found: Lossless[] = [];
  const read: TimeRange[] = [];
  const unread: string[] = [];
  for (const window of cutWindows(span, operation.list?.spanDays ?? 2)) {
    const some: Lossless[] = [];
    const report = newReport();
    try {
      for await (const page of readList(wholePlan(operation.list, [window], 0), fetch, report))
        some.push(...page.items.map(({ raw }) => parseLossless(raw)));
    } catch (error) {
      if (!(error instanceof NoRequestLeft)) throw error;
      unread.push(`calls before ${isoTime(window.to)}: ${MOST_CALL_REQUESTS} requests is the limit of --who`);
      break;
    }
    unread.push(...report.unproven);
    if (report.unproven.length === 0) read.push(window);
    found.push(...some);
  }
  const writes = found.filter((call) => isWrite(call));
  const calls = await Promise.all(writes.map((call) => look.told(call)));
  return { calls: calls.sort((a, b) => a.time - b.time), read, requests: look.requests, unread };
}

class NoRequestLeft extends Error {}

/** Reads the record of calls and counts the requests. */
class CallLook {
  requests = 0;
  readonly #meter: Meter;

  constructor(
    readonly context: Context,
    readonly reader: Reader,
    readonly family: Family,
  ) {
    this.#meter = new Meter(context.notes, () => context.world.now(), {
      unit: 'requests',
      what: "Reading the service's calls",
    });
  }

  counted(fetch: FetchPage): FetchPage {
    return (query, signal) => {
      this.#count();
      this.#meter.show(this.requests);
      return fetch(query, signal);
    };
  }

  /** A call for display. If its list shows neither account nor source, requests the call itself, within the limit. */
  async told(listed: Lossless): Promise<NamedCall> {
    const id = text(listed, 'id');
    const isShown = text(listed, 'source') !== '' || text(listed, 'api_account.name') !== '';
    const whole = isShown ? undefined : await this.#whole(id);
    const call = whole ?? listed;
    return {
      id,
      time: Number(text(listed, 'created_date_unix')),
      who: whoOf(call),
      text: `${textIn(listed)} ${whole === undefined ? '' : textIn(whole)}`,
    };
  }

  async #whole(id: string): Promise<Lossless | undefined> {
    const operation = this.family.operations.find(({ action }) => action === 'get');
    if (!operation || this.requests >= MOST_CALL_REQUESTS) return undefined;
    this.#count();
    const request = planRequest(this.family, operation, { ids: [id] });
    const answer = await this.reader.answer(request).catch(unless('not_found'));
    return answer === undefined ? undefined : parseLossless(stripEnvelope(answer));
  }

  #count(): void {
    if (this.requests >= MOST_CALL_REQUESTS) throw new NoRequestLeft();
    this.requests += 1;
  }
}

const text = (value: Lossless, path: string): string => plain(get(value, path)) ?? '';

/** All strings in a value, so that an id is found anywhere. */
function textIn(value: Lossless | undefined): string {
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(textIn).join(' ');
  return value instanceof Map ? [...value.values()].map(textIn).join(' ') : '';
}

function isWrite(call: Lossless): boolean {
  const verb = (text(call, 'http_method') || text(call, 'method')).toUpperCase();
  return !['GET', 'HEAD', 'LIST', 'SEARCH'].includes(verb) && !CHANGES_NOTHING(Number(text(call, 'http_status')));
}

function whoOf(call: Lossless): string {
  const source = text(call, 'source');
  const account = text(call, 'api_account.name');
  if (source !== '' && source !== 'direct' && SOURCES[source] !== undefined) return SOURCES[source];
  return account === '' ? 'a call that shows no account' : `API account ${account}`;
}

/** Whether a period was read completely. */
export function isCovered({ from, to }: TimeRange, read: readonly TimeRange[]): boolean {
  let left = to;
  for (const range of read) {
    if (range.to < left || range.from > left) continue;
    left = range.from;
    if (left <= from) return true;
  }
  return left <= from;
}
