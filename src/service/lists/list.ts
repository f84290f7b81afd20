import type { TimeRange } from '../../base/time/range.js';
import { isoTime } from '../../base/time/units.js';
import { COUNTED_AT_MOST, countCost, countWindows, overlap } from './count.js';
import { lateRange } from './late.js';
import type { FetchPage, Page, PageItem } from './page.js';

/** A row that is no object (`null`, a number, a text) is shown as it came, but it is no item that proves anything. */
function isObject(item: PageItem): boolean {
  return item.raw.startsWith('{');
}

/** What is to be read. */
export interface ListPlan {
  /** Windows in reading order; undefined for a list without dates. */
  readonly windows: readonly TimeRange[] | undefined;
  /** False for a list that takes no `limit` and `page`: its one answer is everything. */
  readonly paged: boolean;
  readonly pageSize: number;
  /** The service serves no page after this one. */
  readonly lastPage?: number | undefined;
  /** Items in all; undefined for no end. */
  readonly limit?: number | undefined;
  /** Only this page of the first window. */
  readonly onlyPage?: number | undefined;
  /** Pages asked for before they are needed. */
  readonly ahead: number;
  /**
   * Our clock in the service's time, milliseconds, for a range that reaches to now: what came while its newest window
   * was read is read as well.
   */
  now?(): number;
}

/** What can be said of a list once it ended; filled while reading. */
export interface ListReport {
  shown: number;
  /** Sum of `total_count` over all windows; undefined where the service did not tell. */
  total: number | undefined;
  /** More items exist than were shown, by the operator's own limit. */
  more: boolean;
  /** What could not be proven complete, one sentence a window. */
  readonly unproven: string[];
}

export function newReport(): ListReport {
  return { shown: 0, total: 0, more: false, unproven: [] };
}

/**
 * Reads a list page by page and yields each page's new items. Unique by id within a window and against its
 * neighbour, which shares a second with it. A window whose unique ids do not equal its `total_count` is read
 * once more; what still disagrees is reported, never hidden (command-line.md#lists).
 */
export async function* readList(plan: ListPlan, fetch: FetchPage, report: ListReport): AsyncGenerator<Page> {
  const reading: Reading = { plan, fetch, report };
  const windows: readonly (TimeRange | undefined)[] = plan.windows ?? [undefined];
  let neighbour = new Set<string>();
  const newest = plan.onlyPage === undefined ? newestOf(plan.windows) : undefined;
  for (const [index, window] of windows.entries()) {
    const seen = new Set<string>();
    const state: WindowState = { window, neighbour, seen, found: new Set(), total: undefined, moved: false, odd: 0 };
    let finished = true;
    for await (const page of readWindow(reading, state)) {
      const kept = keptOf(page, reading);
      if (kept.items.length > 0 || plan.onlyPage !== undefined || page.items.length === 0) yield kept;
      if (plan.limit !== undefined && report.shown >= plan.limit) {
        finished = false;
        // Without a count a full page is all that tells of more.
        const full = state.total === undefined && page.items.length >= plan.pageSize;
        report.more ||= kept.items.length < page.items.length || full;
        break;
      }
    }
    const twice = finished ? [...seen].filter((key) => neighbour.has(key)).length : 0;
    addTotal(report, state.total === undefined ? undefined : state.total - twice);
    if (plan.onlyPage !== undefined) return;
    if (!finished) {
      report.more ||= state.total !== undefined && state.total > seen.size;
      await countRest(reading, windows, index);
      report.more ||= report.total !== undefined && report.total > report.shown;
      return;
    }
    const capped = cappedBy(plan, state.total);
    if (capped) report.unproven.push(capped);
    else if (!agrees(state)) yield* readAgain(reading, state);
    else if (state.total === undefined) {
      report.unproven.push(
        `${describe(window)}: the service gave no usable total_count; ${seen.size} items were read.`,
      );
    }
    if (state.odd > 0)
      report.unproven.push(`${describe(window)}: ${state.odd} rows are no items (null or bare values).`);
    if (window && window === newest) yield* readLate(reading, window, state);
    neighbour = seen;
  }
}

interface Reading {
  readonly plan: ListPlan;
  readonly fetch: FetchPage;
  readonly report: ListReport;
}

interface WindowState {
  readonly window: TimeRange | undefined;
  /** Ids of the neighbouring window, which may come again here. */
  readonly neighbour: ReadonlySet<string>;
  /** Ids that were yielded or skipped in this window, over all readings. */
  readonly seen: Set<string>;
  /** Unique ids of the reading that runs. */
  found: Set<string>;
  total: number | undefined;
  /** Rows of the reading that runs that are no objects. */
  odd: number;
  /** The count changed from one page to the next: an item may have slipped between them, whatever the sum. */
  moved: boolean;
  /** The service's clock at the last page that told it, unix seconds. */
  callUnix?: number | undefined;
  /** Our clock when the first page came, milliseconds; only of a range that reaches to now. */
  began?: number | undefined;
}

function newestOf(windows: readonly TimeRange[] | undefined): TimeRange | undefined {
  return windows?.reduce((newest, window) => (window.to > newest.to ? window : newest));
}

function agrees({ total, found, moved }: WindowState): boolean {
  return total === undefined || (found.size === total && !moved);
}

async function* readWindow(reading: Reading, state: WindowState): AsyncGenerator<Page> {
  let told: number | undefined;
  state.moved = false;
  state.odd = 0;
  for await (const page of pagesOf(reading, state)) {
    if (told !== undefined && page.totalCount !== undefined && page.totalCount !== told) state.moved = true;
    told = page.totalCount ?? told;
    state.total = told ?? state.total;
    state.callUnix = page.callUnix ?? state.callUnix;
    state.began ??= reading.plan.now?.();
    const fresh: PageItem[] = [];
    for (const item of page.items) {
      const key = item.id ?? item.raw;
      if (!isObject(item)) state.odd++;
      state.found.add(key);
      if (state.seen.has(key)) continue;
      state.seen.add(key);
      if (!state.neighbour.has(key)) fresh.push(item);
    }
    yield { ...page, items: fresh };
  }
}

/** All pages of a window in order, the next few already on their way. */
async function* pagesOf({ plan, fetch }: Reading, state: WindowState): AsyncGenerator<Page> {
  // Pages that were asked for ahead and are not wanted any more must not be tried again: that holds up the end.
  const unwanted = new AbortController();
  const ask = (page: number): Promise<Page> =>
    fetch({ range: state.window, ...(plan.paged ? { limit: plan.pageSize, page } : {}) }, unwanted.signal);
  try {
    const first = plan.onlyPage ?? 1;
    const page = await ask(first);
    yield page;
    if (plan.paged && plan.onlyPage === undefined) yield* followingPages(plan, page, ask, state);
  } finally {
    unwanted.abort();
  }
}

/** The pages behind the first one. */
async function* followingPages(
  plan: ListPlan,
  page: Page,
  ask: (page: number) => Promise<Page>,
  state: WindowState,
): AsyncGenerator<Page> {
  const most = plan.lastPage ?? Number.POSITIVE_INFINITY;
  let extent = extentOf(page, plan.pageSize);
  const flying: Promise<Page>[] = [];
  let next = 2;
  let last = Math.min(extent.pages, most);
  let idle = 0;
  const enough = plan.limit === undefined ? Number.POSITIVE_INFINITY : Math.ceil(plan.limit / plan.pageSize);
  const wanted = Math.max(1, Math.min(plan.ahead, enough - 1));
  let current = page;
  for (;;) {
    // Where the counts do not settle it, the page after the last one tells: it is asked for alone.
    const goesOn = extent.open && flying.length === 0 && next > last && isFull(current, page, extent);
    if (goesOn && next <= most) last = next;
    // Pages beyond the limit are asked for only when those before them did not fill it.
    while (next <= last && flying.length < wanted && (next <= enough || flying.length === 0)) {
      const asked = ask(next++);
      // A failure is met when the page's turn comes; until then it must not count as unhandled.
      asked.catch(() => {});
      flying.push(asked);
    }
    const coming = flying.shift();
    if (!coming) return;
    current = await coming;
    const told = extentOf(current, plan.pageSize);
    if (!extent.open) extent = { ...told, open: told.open && current.items.length > 0 };
    last = Math.min(Math.max(last, extent.open ? 0 : extent.pages), most);
    const known = state.found.size;
    yield current;
    if (current.items.length === 0) return;
    // A service that serves the same page under every number would never end.
    idle = state.found.size > known ? 0 : idle + 1;
    if (idle >= (extent.open ? 1 : REPEATED_PAGES)) return;
    if (!extent.open && state.found.size > (current.totalCount ?? Number.POSITIVE_INFINITY) + 2 * plan.pageSize) return;
  }
}

/** Pages in a row without a new item after which a list is not read on. */
const REPEATED_PAGES = 3;

/** The pages that an answer speaks of; `open` when its counts are missing or contradict each other. */
interface Extent {
  readonly pages: number;
  readonly open: boolean;
}

function extentOf(page: Page, pageSize: number): Extent {
  const { totalCount, totalPages } = page;
  const count = page.items.length;
  if (totalCount === undefined) {
    // One page that is not even full, and called the only one.
    return { pages: 1, open: !(totalPages !== undefined && totalPages <= 1 && count < pageSize) };
  }
  // A full page that holds more than all there is: nothing can be said from these counts.
  if (totalCount < count && count >= pageSize) return { pages: 1, open: true };
  const pages = Math.ceil(totalCount / pageSize);
  if (totalPages === undefined || totalPages === pages || (totalCount === 0 && totalPages <= 1)) {
    return { pages, open: false };
  }
  // A service with smaller pages than were asked for.
  const size = totalPages > 0 ? Math.ceil(totalCount / totalPages) : pageSize;
  const smaller = size < pageSize && count <= size && Math.ceil(totalCount / Math.max(1, count)) === totalPages;
  return smaller ? { pages: totalPages, open: false } : { pages, open: true };
}

/** True when another page may follow: this one is no shorter than the first. */
function isFull(current: Page, first: Page, extent: Extent): boolean {
  return current.items.length > 0 && (current === first || current.items.length >= first.items.length || !extent.open);
}

async function* readAgain(reading: Reading, state: WindowState): AsyncGenerator<Page> {
  const { report } = reading;
  const firstTotal = state.total ?? 0;
  state.found = new Set();
  for await (const page of readWindow(reading, state)) {
    report.shown += page.items.length;
    if (page.items.length > 0) yield page;
  }
  if (report.total !== undefined && state.total !== undefined) report.total += state.total - firstTotal;
  if (!agrees(state)) {
    const { found, total } = state;
    const what = state.moved
      ? `it changed while it was read, twice; ${found.size} of ${total} items were read.`
      : `the service counts ${total} items, ${found.size} different ones were read, twice.`;
    report.unproven.push(`${describe(state.window)}: ${what}`);
  }
}

/** Adds what came into the window that reaches to now since its first page. What it claims was proven before. */
async function* readLate(reading: Reading, window: TimeRange, state: WindowState): AsyncGenerator<Page> {
  const { plan, report } = reading;
  const { began, callUnix: serviceUnix } = state;
  const ended = plan.now?.();
  if (began === undefined || ended === undefined) return;
  const range = lateRange(window, { began, ended, serviceUnix });
  if (!range) return;
  const late: WindowState = { ...state, window: range, found: new Set(), total: undefined };
  for await (const page of readWindow(reading, late)) {
    if (page.items.length === 0) continue;
    const kept = keptOf(page, reading);
    if (report.total !== undefined) report.total += page.items.length;
    report.more ||= kept.items.length < page.items.length;
    if (kept.items.length > 0) yield kept;
  }
}

/** What of a page is within the limit, counted as shown. */
function keptOf(page: Page, { plan, report }: Reading): Page {
  const room = Math.max(0, (plan.limit ?? Number.POSITIVE_INFINITY) - report.shown);
  const kept = page.items.length <= room ? page : { ...page, items: page.items.slice(0, room) };
  report.shown += kept.items.length;
  return kept;
}

function addTotal(report: ListReport, total: number | undefined): void {
  if (report.total === undefined || total === undefined) report.total = undefined;
  else report.total += total;
}

/**
 * Asks how many items the windows behind the one at `index` hold, and how many of its own its newer neighbour has as
 * well. Where that would take many requests, one of them tells whether there are more at all.
 */
async function countRest(
  { fetch, report }: Reading,
  windows: readonly (TimeRange | undefined)[],
  index: number,
): Promise<void> {
  const rest = windows.slice(index + 1);
  const [current, newer] = [windows[index], index > 0 ? windows[index - 1] : undefined];
  if (rest.length === 0 && !newer) return;
  if (report.total === undefined || countCost(rest, current) + (newer ? 1 : 0) > COUNTED_AT_MOST) {
    report.total = undefined;
    report.more ||= await anyIn(rest, fetch);
    return;
  }
  const shared = current && newer ? overlap(current, newer) : undefined;
  const twice = shared ? await countWindows([shared], fetch) : 0;
  const more = rest.length > 0 ? await countWindows(rest, fetch, current) : 0;
  report.total = twice === undefined || more === undefined ? undefined : report.total - twice + more;
  if (more !== 0) report.more = true;
}

/** True when one of the windows holds an item, or when that takes too many requests to rule out. */
async function anyIn(windows: readonly (TimeRange | undefined)[], fetch: FetchPage): Promise<boolean> {
  for (const [index, window] of windows.entries()) {
    if (index >= COUNTED_AT_MOST) return true;
    const page = await fetch({ range: window, limit: 1, page: 1 });
    if (page.items.length > 0) return true;
  }
  return false;
}

function cappedBy(plan: ListPlan, total: number | undefined): string | undefined {
  if (plan.lastPage === undefined || total === undefined) return undefined;
  const reachable = plan.lastPage * plan.pageSize;
  if (total <= reachable) return undefined;
  return `The service serves only ${plan.lastPage} pages of this list: ${reachable} of ${total} items can be read.`;
}

function describe(window: TimeRange | undefined): string {
  if (!window) return 'The list';
  return `Window ${isoTime(window.from)} to ${isoTime(window.to)}`;
}
