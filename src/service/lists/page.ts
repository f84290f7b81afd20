import type { TimeRange } from '../../base/time/range.js';

/** One item of a page: its exact text, and the two facts that reading needs. */
export interface PageItem {
  readonly raw: string;
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
  readonly envelope: string;
}

/** The paging parameters of one request (service.md#lists); a missing one is not sent. */
export interface PageQuery {
  readonly range?: TimeRange;
  readonly limit?: number;
  readonly page?: number;
}

/** Asks for one page; the signal says that nobody waits for it any more. */
export type FetchPage = (query: PageQuery, signal?: AbortSignal) => Promise<Page>;
