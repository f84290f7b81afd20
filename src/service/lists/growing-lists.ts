import type { TimeRange } from '../../base/time/range.js';
import { CLOCK_TRUST_S, isoTime } from '../../base/time/units.js';

/** One item of a page: its exact text, and the two facts that reading needs. */
export interface PageItem {
  readonly raw: string;
  /** The same as bytes, where they are at hand. */
  readonly bytes?: Buffer | undefined;
  readonly id: string | undefined;
  readonly liveMode: boolean | undefined;
}

/** One page as it came. */
export interface Page {
  readonly items: readonly PageItem[];
  readonly totalCount: number | undefined;
  readonly totalPages: number | undefined;
  /** The service's clock when it answered, unix seconds. */
  readonly callUnix?: number | undefined;
  /** The whole answer, for `--raw`. */
  envelope(): string;
}

/** The paging parameters of one request (service.md#lists); a missing one is not sent. */
export interface PageQuery {
  readonly range?: TimeRange;
  readonly limit?: number;
  readonly page?: number;
}

/** Asks for one page; the signal says that nobody waits for it any more. */
export type FetchPage = (query: PageQuery, signal?: AbortSignal) => Promise<Page>;

/** A window whose pages take longer than this is read once more where it ends, milliseconds. */
const QUICK_MS = 1000;
/** A service whose clock is ahead of ours by more than this many seconds dates its newest items after our end. */
const AHEAD_S = 1;
/** What was created this long before the end may have been on its way into the list while it was read, seconds. */
const UNDER_WAY_S = 60;

/**
 * An export or a mirror that reaches to now ends this much before it began, seconds: what is still being written then,
 * the calls of this very command too, belongs to the next one.
 */
export const SETTLED_S = 5;

/** When a window that reaches to now was read, by both clocks. */
export interface ReadingTimes {
  /** Our clock when its first page came and after its last one, milliseconds. */
  readonly began: number;
  readonly ended: number;
  /** The service's clock at its last page, unix seconds; undefined where it told none. */
  readonly serviceUnix: number | undefined;
}

/**
 * The end of a window that reaches to now, to be read once more because items may have come into it since its first
 * page: what was created just before the command is in the list then, and what came meanwhile. Undefined for a list
 * that was read quickly by a service whose clock agrees with ours.
 */
export function lateRange(window: TimeRange, { began, ended, serviceUnix }: ReadingTimes): TimeRange | undefined {
  const taken = Math.max(0, ended - began);
  const ours = Math.ceil(ended / 1000);
  const ahead = serviceUnix === undefined ? 0 : serviceUnix - ours;
  const isAhead = ahead > AHEAD_S && ahead <= CLOCK_TRUST_S;
  if (taken <= QUICK_MS && !isAhead) return undefined;
  const until = Math.min(window.to, Math.floor(began / 1000));
  return { from: Math.max(window.from, until - UNDER_WAY_S), to: Math.max(window.to, isAhead ? ours + ahead : ours) };
}

/**
 * The windows of a list that grows by being read, up to now: the newest one ends before the second in which the
 * command began, so that no call of this command lies in it.
 * @param now unix seconds
 */
export function beforeFirstCall(range: TimeRange, now: number): TimeRange {
  return range.to < now ? range : { ...range, to: Math.max(range.from, now - 1) };
}

/** The newest window of such a list. */
export interface Growing {
  /** Its end by our clock, unix seconds. */
  readonly end: number;
  /** Seconds that one window may span. */
  readonly span: number;
  /** Told once, with the end that holds, unix seconds. */
  onEnd(to: number): void;
}

/**
 * Pages of such a list by the service's clock: the first answer tells it, and the newest window then ends one second
 * before that, which keeps its count still. Where that is not the end that was asked for, the first page is asked for
 * again.
 */
export function endingAtFirstCall(fetch: FetchPage, { end, span, onEnd }: Growing): FetchPage {
  let settled: Promise<number> | undefined;
  const isNewest = ({ range }: PageQuery): boolean => range?.to === end;
  const moved = (query: PageQuery, to: number): PageQuery => {
    if (!query.range || !isNewest(query)) return query;
    const { from } = query.range;
    return { ...query, range: { from, to: Math.max(from, Math.min(to, from + span)) } };
  };
  return async (query, signal) => {
    if (settled) return fetch(moved(query, await settled), signal);
    const first = fetch(query, signal);
    settled = first.then((page) => endBy(page, end));
    // A failure is met by who asked first.
    settled.catch(() => {});
    const page = await first;
    const wanted = moved(query, await settled);
    onEnd(isNewest(query) && wanted.range ? wanted.range.to : await settled);
    return wanted.range?.to === query.range?.to ? page : fetch(wanted, signal);
  };
}

/** A clock that is far from ours is taken for wrong: ours holds, and the counts prove what they can. */
function endBy({ callUnix }: Page, end: number): number {
  if (callUnix === undefined || Math.abs(callUnix - end) > CLOCK_TRUST_S) return end;
  return callUnix - 1;
}

/** What is said of the end. */
export function saidOfEnd(to: number): string {
  return `Up to ${isoTime(to)}, just before this command began: reading this list adds to it.`;
}
