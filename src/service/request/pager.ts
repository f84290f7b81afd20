import type { ServiceRequest } from '../../base/transport.js';
import type { FetchPage, Page } from '../lists/growing-lists.js';

/** Requests one page of a list. */
export interface PageFetch {
  page(request: ServiceRequest, idField: string, signal?: AbortSignal): Promise<Page>;
}

/** Adds paging parameters to a list's request (service.md#lists). */
export function pager(reader: PageFetch, base: ServiceRequest, idField: string): FetchPage {
  return (query, signal) =>
    reader.page(
      {
        ...base,
        query: [
          ...(query.range
            ? [['date_start', String(query.range.from)] as const, ['date_end', String(query.range.to)] as const]
            : []),
          ...(query.limit === undefined ? [] : [['limit', String(query.limit)] as const]),
          ...(query.page === undefined ? [] : [['page', String(query.page)] as const]),
          ...base.query,
        ],
      },
      idField,
      signal,
    );
}
