import type { TimeRange } from '../../base/time/range.js';
import { isoTime } from '../../base/time/units.js';
import { LARGEST_PAGE } from '../../catalogue/terms.js';
import type { List } from '../../catalogue/types.js';
import { type FetchPage, lateRange, type Page, type PageItem } from './growing-lists.js';
import { doubtText, WindowReading } from './window-reading.js';
import { COUNTED_AT_MOST, countCost, countWindows, Edges, endLeftOut, overlap } from './windows.js';

/** A window is read at most this often before it is reported as unproven (command-line.md#lists). */
const MOST_READINGS = 2;

/**
 * A row that is not an object (`null`, a number, a string) is shown as received, but it is not an item and proves
 * nothing.
 */
function isObject(item: PageItem): boolean {
  const { bytes } = item;
  return bytes === undefined ? item.raw.startsWith('{') : bytes[0] === 0x7b;
}

/** What to read. */
export interface ListPlan {
  /** Windows in reading order; undefined for a list without dates. */
  readonly windows: readonly TimeRange[] | undefined;
  /** False for a list without `limit` and `page`: its single answer is everything. */
  readonly paged: boolean;
  readonly pageSize: number;
  /** The last page the service serves. */
  readonly lastPage?: number | undefined;
  /** Most items to read; undefined for no limit. */
  readonly limit?: number | undefined;
  /** Read only this page of the first window. */
  readonly onlyPage?: number | undefined;
  /** Number of pages to request in advance. */
  readonly ahead: number;
  /** True if the service is taken to include both ends of a range; items where two windows meet can disprove it. */
  readonly endsIn?: boolean;
  /**
   * Our clock in the service's time, in milliseconds, for a range up to now: items that arrive while its newest window
   * is read are read as well.
   */
  now?(): number;
}

/** What is known about a list once it ended; filled in while reading. */
export interface ListReport {
  shown: number;
  /** Sum of `total_count` over all windows; undefined where the service did not say. */
  total: number | undefined;
  /** More items exist than were shown, because of the operator's own limit. */
  more: boolean;
  /** What could not be proven complete, one sentence per window. */
  readonly unproven: string[];
  /** Where two windows meet and one lacks an item: the service excludes an end of a range. */
  endLeftOut: TimeRange | undefined;
}

/** A whole list in its largest pages; `windows` for one with dates. */
export const wholePlan = (
  list: List | undefined,
  windows: readonly TimeRange[] | undefined,
  ahead: number,
): ListPlan => ({ windows, paged: list?.style !== 'single', pageSize: LARGEST_PAGE, lastPage: list?.lastPage, ahead });

export function newReport(): ListReport {
  return { shown: 0, total: 0, more: false, unproven: [], endLeftOut: undefined };
}

/**
 * Reads a list page by page and yields each page's new items. Ids are unique within a window and against its neighbour,
 * which shares a second with it. A window whose unique ids do not match its `total_count` is read once more; a
 * remaining difference is reported, never hidden (command-line.md#lists).
 */
export async function* readList(plan: ListPlan, fetch: FetchPage, report: ListReport): AsyncGenerator<Page> {
  const reading: Reading = { plan, fetch, report };
  const windows: readonly (TimeRange | undefined)[] = plan.windows ?? [undefined];
  let neighbour = new Set<string>();
  let beside: Edges | undefined;
  const newest = plan.onlyPage === undefined ? newestOf(plan.windows) : undefined;
  for (const [index, window] of windows.entries()) {
    const seen = new Set<string>();
    const state = newState(plan, window, { neighbour, seen });
    let finished = true;
    for await (const page of readWindow(reading, state)) {
      const kept = keptOf(page, reading);
      if (kept.items.length > 0 || plan.onlyPage !== undefined || page.items.length === 0) yield kept;
      if (plan.limit !== undefined && report.shown >= plan.limit) {
        finished = false;
        // Without a count, only a full page suggests that there are more.
        const full = state.pages.total === undefined && page.items.length >= plan.pageSize;
        report.more ||= kept.items.length < page.items.length || full;
        break;
      }
    }
    const { total } = state.pages;
    const twice = finished ? [...seen].filter((key) => neighbour.has(key)).length : 0;
    addTotal(report, total === undefined ? undefined : total - twice);
    if (plan.onlyPage !== undefined) return;
    if (!finished) {
      report.more ||= total !== undefined && total > seen.size;
      await countRest(reading, windows, index);
      report.more ||= report.total !== undefined && report.total > report.shown;
      return;
    }
    yield* proven(reading, state);
    if (beside && state.edges) report.endLeftOut ??= endLeftOut([beside, state.edges]);
    beside = state.edges;
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
  /** Ids of the neighbouring window, which may reappear here. */
  readonly neighbour: ReadonlySet<string>;
  /** Ids already yielded or skipped in this window, over all readings. */
  readonly seen: Set<string>;
  /** Ids of the current reading; the same set as `seen` during the first. */
  found: Set<string>;
  pages: WindowReading;
  /** The service's clock at the last page that revealed it, in unix seconds. */
  callUnix?: number | undefined;
  /** The items it may share with its neighbours; undefined if that is not checked. */
  readonly edges: Edges | undefined;
  /** Our clock when the first page came, in milliseconds; only for a range up to now. */
  began?: number | undefined;
}

function newState(
  { paged, pageSize, lastPage, endsIn, windows }: ListPlan,
  window: TimeRange | undefined,
  { neighbour, seen }: Pick<WindowState, 'neighbour' | 'seen'>,
): WindowState {
  const rules = { paged, pageSize, lastPage, readings: MOST_READINGS, againForRepeats: false };
  const edges = endsIn && window && (windows?.length ?? 0) > 1 ? new Edges(window) : undefined;
  return { window, neighbour, seen, found: seen, edges, pages: new WindowReading(rules) };
}

function newestOf(windows: readonly TimeRange[] | undefined): TimeRange | undefined {
  return windows?.reduce((newest, window) => (window.to > newest.to ? window : newest));
}

/** All pages of a window in order, each with its new items; requests the next few in advance. */
async function* readWindow({ plan, fetch }: Reading, state: WindowState): AsyncGenerator<Page> {
  const { pages } = state;
  const enough = plan.limit === undefined ? Number.POSITIVE_INFINITY : Math.ceil(plan.limit / plan.pageSize);
  const wanted = Math.max(1, Math.min(plan.ahead, enough - 1));
  // Pages requested in advance but no longer needed must not be retried, which would delay the end.
  const unwanted = new AbortController();
  const flying: { readonly page: number; readonly answer: Promise<Page> }[] = [];
  const ask = (page: number): void => {
    const paging = plan.paged ? { limit: plan.pageSize, page: plan.onlyPage ?? page } : {};
    const answer = fetch({ range: state.window, ...paging }, unwanted.signal);
    // A failure is handled when the page's turn comes; until then it must not count as unhandled.
    answer.catch(() => {});
    flying.push({ page, answer });
  };
  try {
    do {
      // Requests pages beyond the limit only if earlier ones did not fill it.
      while (flying.length < wanted && (pages.following <= enough || flying.length === 0)) {
        const page = pages.next();
        if (page === undefined) break;
        ask(page);
      }
      const coming = flying.shift();
      if (!coming) return;
      const page = await coming.answer;
      state.callUnix = page.callUnix ?? state.callUnix;
      state.began ??= plan.now?.();
      yield freshOf(page, coming.page, state);
    } while (plan.onlyPage === undefined && !pages.isOver);
  } finally {
    unwanted.abort();
  }
}

/** A page reduced to the items that no earlier page had. */
function freshOf(page: Page, number: number, state: WindowState): Page {
  const { seen, found, neighbour, pages } = state;
  const items: PageItem[] = [];
  let fresh = 0;
  let odd = 0;
  for (const item of page.items) {
    const key = item.id ?? item.raw;
    if (!isObject(item)) odd++;
    const isNew = !seen.has(key);
    if (found === seen ? isNew : !found.has(key)) fresh++;
    found.add(key);
    if (!isNew) continue;
    seen.add(key);
    state.edges?.note(key, item.raw);
    if (!neighbour.has(key)) items.push(item);
  }
  const { totalCount, totalPages } = page;
  pages.take(number, { totalCount, totalPages, count: page.items.length, fresh, odd });
  return { ...page, items };
}

/** Reads a window again while its counts disagree and another reading may help, then reports what is still unproven. */
async function* proven(reading: Reading, state: WindowState): AsyncGenerator<Page> {
  const { report } = reading;
  let verdict = state.pages.verdict();
  while (verdict === 'again') {
    const before = state.pages.total ?? 0;
    state.pages = state.pages.again();
    state.found = new Set();
    for await (const page of readWindow(reading, state)) {
      const kept = keptOf(page, reading);
      report.more ||= kept.items.length < page.items.length;
      if (kept.items.length > 0) yield kept;
    }
    const { total } = state.pages;
    if (report.total !== undefined && total !== undefined) report.total += total - before;
    verdict = state.pages.verdict();
  }
  if (verdict.length > 0) report.unproven.push(`${describe(state.window)}: ${doubtText(verdict)}.`);
}

/** Adds items that entered a window up to now after its first page. The window's own count was proven before. */
async function* readLate(reading: Reading, window: TimeRange, state: WindowState): AsyncGenerator<Page> {
  const { plan, report } = reading;
  const { began, callUnix: serviceUnix } = state;
  const ended = plan.now?.();
  if (began === undefined || ended === undefined) return;
  const range = lateRange(window, { began, ended, serviceUnix });
  if (!range) return;
  const late: WindowState = { ...newState(plan, range, state), found: new Set() };
  for await (const page of readWindow(reading, late)) {
    if (page.items.length === 0) continue;
    const kept = keptOf(page, reading);
    if (report.total !== undefined) report.total += page.items.length;
    report.more ||= kept.items.length < page.items.length;
    if (kept.items.length > 0) yield kept;
  }
}

/** The part of a page within the limit, counted as shown. */
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
 * Counts the items in the windows after the one at `index`, and how many of its own its newer neighbour also has. Where
 * that would take many requests, a single one finds out whether there are more at all.
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

/** True when one of the windows holds an item, or when ruling that out takes too many requests. */
async function anyIn(windows: readonly (TimeRange | undefined)[], fetch: FetchPage): Promise<boolean> {
  for (const [index, window] of windows.entries()) {
    if (index >= COUNTED_AT_MOST) return true;
    const page = await fetch({ range: window, limit: 1, page: 1 });
    if (page.items.length > 0) return true;
  }
  return false;
}

function describe(window: TimeRange | undefined): string {
  if (!window) return 'The list';
  return `Window ${isoTime(window.from)} to ${isoTime(window.to)}`;
}
