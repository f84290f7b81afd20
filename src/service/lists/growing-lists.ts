import type { TimeRange } from '../../base/time/range.js';
import { CLOCK_TRUST_S, isoTime } from '../../base/time/units.js';

/** One item of a page: its exact text, and the two facts that reading a list needs. */
export interface PageItem {
  readonly raw: string;
  /** The same as bytes, where available. */
  readonly bytes?: Buffer | undefined;
  readonly id: string | undefined;
  /** Null for a mode that cannot be read. */
  readonly liveMode: boolean | null | undefined;
}

/** One page as received. */
export interface Page {
  readonly items: readonly PageItem[];
  readonly totalCount: number | undefined;
  readonly totalPages: number | undefined;
  /** The service's clock when it answered, in unix seconds. */
  readonly callUnix?: number | undefined;
  /** The whole answer, for `--raw`. */
  envelope(): string;
}

/** Says so if a first page counts more than it shows, though it had room for `most`. */
export function shortOf({ items, totalCount = 0 }: Page, most: number): string | undefined {
  if (items.length >= Math.min(most, totalCount)) return undefined;
  return `the service counts ${totalCount}, but its answer holds ${items.length}`;
}

/** The paging parameters of one request (service.md#lists); missing ones are not sent. */
export interface PageQuery {
  readonly range?: TimeRange;
  readonly limit?: number;
  readonly page?: number;
}

/** Requests one page; the signal aborts when nobody needs it any more. */
export type FetchPage = (query: PageQuery, signal?: AbortSignal) => Promise<Page>;

/** If a window takes longer than this to read, its end is read once more. In milliseconds. */
const QUICK_MS = 1000;
/** If the service's clock is ahead of ours by more than this many seconds, it dates its newest items after our end. */
const AHEAD_S = 1;
/**
 * An item created this long before the end may still have been on its way into the list during the read. In seconds.
 */
const UNDER_WAY_S = 60;

/**
 * An export or mirror up to now ends this many seconds before it began: items still being written then, including this
 * command's own calls, belong to the next one.
 */
export const SETTLED_S = 5;

/** When a window up to now was read, by both clocks. */
export interface ReadingTimes {
  /** Our clock when its first page came and after its last one, in milliseconds. */
  readonly began: number;
  readonly ended: number;
  /** The service's clock at its last page, in unix seconds; undefined where unknown. */
  readonly serviceUnix: number | undefined;
}

/**
 * The end of a window up to now, to read once more because items may have entered it since its first page: those
 * created just before the command, and those that came meanwhile. Undefined for a list that was read quickly from a
 * service whose clock agrees with ours.
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
 * The windows up to now of a list that grows by being read: the newest ends before the second in which the command
 * began, so that it contains none of this command's calls.
 * @param now in unix seconds
 */
export function beforeFirstCall(range: TimeRange, now: number): TimeRange {
  return range.to < now ? range : { ...range, to: Math.max(range.from, now - 1) };
}

/** The newest window of such a list. */
export interface Growing {
  /** Its end by our clock, in unix seconds. */
  readonly end: number;
  /** Longest window, in seconds. */
  readonly span: number;
  /** Called once, with the final end in unix seconds. */
  onEnd(to: number): void;
}

/**
 * Fetches such a list by the service's clock: the first answer reveals it, and the newest window then ends one second
 * before that, which keeps its count stable. If that differs from the requested end, the first page is requested again.
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
    // The first caller handles a failure.
    settled.catch(() => {});
    const page = await first;
    const wanted = moved(query, await settled);
    onEnd(isNewest(query) && wanted.range ? wanted.range.to : await settled);
    return wanted.range?.to === query.range?.to ? page : fetch(wanted, signal);
  };
}

/** A clock far from ours is considered wrong: ours applies, and the counts prove what they can. */
function endBy({ callUnix }: Page, end: number): number {
  if (callUnix === undefined || Math.abs(callUnix - end) > CLOCK_TRUST_S) return end;
  return callUnix - 1;
}

/** The note about the end. */
export function saidOfEnd(to: number): string {
  return `Up to ${isoTime(to)}, just before this command began: reading this list adds to it. For calls of that last second, run it again.`;
}
