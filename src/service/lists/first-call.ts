import type { TimeRange } from '../../base/time/range.js';
import { CLOCK_TRUST_S, isoTime } from '../../base/time/units.js';
import type { FetchPage, Page, PageQuery } from './page.js';

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
