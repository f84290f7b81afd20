import type { TimeRange } from '../../base/time/range.js';
import type { ServiceRequest } from '../../base/transport.js';
import type { ListPlan } from '../../service/lists/read-list.js';
import { pager } from '../../service/request/pager.js';
import type { Context } from '../context/context.js';
import { openReader } from './reading.js';

/** The requests for every page, ready to paste: asks each window how many items it has. */
export async function everyPage(
  context: Context,
  { plan, base, idField }: { readonly plan: ListPlan; readonly base: ServiceRequest; readonly idField: string },
): Promise<{ readonly request: ServiceRequest }[]> {
  const requests: { readonly request: ServiceRequest }[] = [];
  const add = (window: TimeRange | undefined, page?: number) =>
    requests.push({ request: { ...base, query: [...pagingOf(plan, window, page), ...base.query] } });
  const isKnown = !plan.paged || plan.onlyPage !== undefined;
  const fetch = isKnown ? undefined : pager(await openReader(context), base, idField);
  let left = plan.limit ?? Number.POSITIVE_INFINITY;
  for (const window of plan.windows ?? [undefined]) {
    const { totalCount = 0 } = (await fetch?.({ range: window, limit: 1, page: 1 })) ?? {};
    const pages = Math.min(Math.ceil(Math.min(totalCount, left) / plan.pageSize), plan.lastPage ?? totalCount);
    for (let page = 1; page <= Math.max(1, pages); page++) add(window, page);
    left -= totalCount;
    if (left <= 0 || plan.onlyPage !== undefined) break;
  }
  return requests;
}

/** The parameters of one page of a window. */
export const pagingOf = (plan: ListPlan, window: TimeRange | undefined, page = 1): (readonly [string, string])[] => [
  ...(window ? [['date_start', String(window.from)] as const, ['date_end', String(window.to)] as const] : []),
  ...(plan.paged ? [['limit', String(plan.pageSize)] as const, ['page', String(plan.onlyPage ?? page)] as const] : []),
];
