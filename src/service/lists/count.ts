import type { TimeRange } from '../../base/time/range.js';
import type { FetchPage } from './page.js';
import { overlap } from './windows.js';

/** Requests that the end of a cut list spends on saying of how many it is a part (command-line.md#lists). */
export const COUNTED_AT_MOST = 20;

const AT_ONCE = 4;

/** Requests that `countWindows` will send. */
export function countCost(windows: readonly (TimeRange | undefined)[], before?: TimeRange): number {
  return windows.length + Math.max(0, windows.length - (before ? 0 : 1));
}

/**
 * How many items windows hold, by the service's `total_count`: one small page a window, and one for each second in
 * which two neighbours overlap, whose items both of them count. Undefined where the service gives no count.
 *
 * @param before the window in front of the first one, which was counted already
 */
export async function countWindows(
  windows: readonly (TimeRange | undefined)[],
  fetch: FetchPage,
  before?: TimeRange,
): Promise<number | undefined> {
  const asks: { readonly range: TimeRange | undefined; readonly sign: 1 | -1 }[] = [];
  let neighbour: TimeRange | undefined = before;
  for (const range of windows) {
    asks.push({ range, sign: 1 });
    const shared = range && neighbour ? overlap(range, neighbour) : undefined;
    if (shared) asks.push({ range: shared, sign: -1 });
    neighbour = range;
  }
  let total: number | undefined = 0;
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let ask = asks[next++]; ask && total !== undefined; ask = asks[next++]) {
      const { totalCount, items } = await fetch({ range: ask.range, limit: 1, page: 1 });
      const isTold = totalCount !== undefined && totalCount >= items.length;
      total = total === undefined || !isTold ? undefined : total + ask.sign * totalCount;
    }
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, asks.length) }, worker));
  return total;
}
