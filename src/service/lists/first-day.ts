import type { TimeRange } from '../../base/time/range.js';
import { DAY } from '../../base/time/units.js';

/** Longest range that a list takes, days (service.md#limits). */
const WINDOW_DAYS = 90;
/** Windows that must be empty in a row before an account is taken to begin behind them: two years. */
const EMPTY_WINDOWS = 9;
/** Requests that the search may cost. */
const MOST_REQUESTS = 60;

/** What was found of an account's first day. */
export interface FirstDay {
  /** Start of the day (UTC) before which nothing was seen, unix seconds; undefined for an account with nothing in it. */
  readonly day: number | undefined;
  /** False where the requests were used up before two empty years were seen: there may be older items. */
  readonly isProven: boolean;
  readonly requests: number;
}

/** Tells how many items a list has in a range; undefined where it does not tell. */
export type CountItems = (list: 'customers' | 'sales', range: TimeRange) => Promise<number | undefined>;

/**
 * Finds the day on which an account begins, by its customers and sales only: doubling spans back from now to the oldest
 * part that holds any, from there back until two years in a row are empty, then closer and closer to the first item. At
 * most 60 requests.
 * @param now unix seconds
 */
export async function findFirstDay(count: CountItems, now: number): Promise<FirstDay> {
  const search = new Search(count, now);
  const oldest = await search.oldestWindow();
  if (oldest === undefined) return { day: undefined, isProven: search.isProven, requests: search.requests };
  const day = await search.firstDayIn(search.window(oldest));
  return { day, isProven: search.isProven, requests: search.requests };
}

class Search {
  requests = 0;
  isProven = true;

  constructor(
    readonly count: CountItems,
    readonly now: number,
  ) {}

  /** The window that ends `back` windows before now. */
  window(back: number): TimeRange {
    const to = this.now - back * WINDOW_DAYS * DAY;
    return { from: Math.max(0, to - WINDOW_DAYS * DAY), to };
  }

  /** True when either list has items in the range; undefined when no request is left for the question. */
  async #holds(range: TimeRange): Promise<boolean | undefined> {
    for (const list of ['customers', 'sales'] as const) {
      if (this.requests >= MOST_REQUESTS) return undefined;
      this.requests++;
      if (((await this.count(list, range)) ?? 0) > 0) return true;
    }
    return false;
  }

  async oldestWindow(): Promise<number | undefined> {
    let oldest = (await this.#holds(this.window(0))) ? 0 : undefined;
    let empty = oldest === undefined ? 1 : 0;
    let back = 1;
    if (oldest !== undefined) {
      // Whole years are passed over in a few steps; what lies before the last step is looked through below.
      for (let step = 1; await this.#holds(this.window(step)); step *= 2) oldest = step;
      back = oldest + 1;
    }
    for (; empty < EMPTY_WINDOWS && this.window(back).to > 0; back++) {
      const holds = await this.#holds(this.window(back));
      if (holds === undefined) {
        this.isProven = false;
        break;
      }
      if (holds) oldest = back;
      empty = holds ? 0 : empty + 1;
    }
    return oldest;
  }

  /** Halves a range that holds items until it is a day long; the start of that day. */
  async firstDayIn({ from, to }: TimeRange): Promise<number> {
    let [low, high] = [from, to];
    while (high - low > DAY) {
      const middle = Math.floor((low + high) / 2);
      const holds = await this.#holds({ from: low, to: middle });
      // Out of requests the earlier day is the safe one.
      if (holds === undefined) break;
      if (holds) high = middle;
      else low = middle;
    }
    return Math.floor(low / DAY) * DAY;
  }
}
