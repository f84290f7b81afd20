import type { Range } from '../time/range.js';

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
  /** The whole answer, for `--raw`. */
  readonly envelope: string;
}

/** The paging parameters of one request (spec 4.1); a missing one is not sent. */
export interface PageQuery {
  readonly range?: Range;
  readonly limit?: number;
  readonly page?: number;
}

/** Asks for one page; the signal says that nobody waits for it any more. */
export type FetchPage = (query: PageQuery, signal?: AbortSignal) => Promise<Page>;

/** What is to be read. */
export interface ListPlan {
  /** Windows in reading order; undefined for a list without dates. */
  readonly windows: readonly Range[] | undefined;
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
 * once more; what still disagrees is reported, never hidden (command line, section 4).
 */
export async function* readList(plan: ListPlan, fetch: FetchPage, report: ListReport): AsyncGenerator<Page> {
  const windows: readonly (Range | undefined)[] = plan.windows ?? [undefined];
  let neighbour = new Set<string>();
  for (const [index, window] of windows.entries()) {
    const seen = new Set<string>();
    const state = { neighbour, seen, found: new Set<string>(), total: undefined as number | undefined, moved: false };
    let finished = true;
    for await (const page of readWindow(plan, window, fetch, state)) {
      const kept = withinLimit(page, plan, report);
      report.shown += kept.items.length;
      if (kept.items.length > 0 || plan.onlyPage !== undefined || page.items.length === 0) yield kept;
      if (plan.limit !== undefined && report.shown >= plan.limit) {
        finished = false;
        report.more ||= kept.items.length < page.items.length;
        break;
      }
    }
    addTotal(report, state.total);
    if (plan.onlyPage !== undefined) return;
    if (!finished) {
      report.more ||= state.total !== undefined && state.total > seen.size;
      await countRest(windows.slice(index + 1), fetch, report);
      report.more ||= report.total !== undefined && report.total > report.shown;
      return;
    }
    const capped = cappedBy(plan, state.total);
    if (capped) {
      report.unproven.push(capped);
    } else if (!agrees(state)) {
      yield* readAgain(plan, window, fetch, state, report);
    }
    neighbour = seen;
  }
}

interface WindowState {
  /** Ids of the neighbouring window, which may come again here. */
  readonly neighbour: ReadonlySet<string>;
  /** Ids that were yielded or skipped in this window, over all readings. */
  readonly seen: Set<string>;
  /** Unique ids of the reading that runs. */
  found: Set<string>;
  total: number | undefined;
  /** The count changed from one page to the next: an item may have slipped between them, whatever the sum. */
  moved: boolean;
}

function agrees({ total, found, moved }: WindowState): boolean {
  return total === undefined || (found.size === total && !moved);
}

async function* readWindow(
  plan: ListPlan,
  window: Range | undefined,
  fetch: FetchPage,
  state: WindowState,
): AsyncGenerator<Page> {
  let told: number | undefined;
  state.moved = false;
  for await (const page of pagesOf(plan, window, fetch)) {
    if (told !== undefined && page.totalCount !== undefined && page.totalCount !== told) state.moved = true;
    told = page.totalCount ?? told;
    state.total = told ?? state.total;
    const fresh: PageItem[] = [];
    for (const item of page.items) {
      const key = item.id ?? item.raw;
      state.found.add(key);
      if (state.seen.has(key)) continue;
      state.seen.add(key);
      if (!state.neighbour.has(key)) fresh.push(item);
    }
    yield { ...page, items: fresh };
  }
}

/** All pages of a window in order, the next few already on their way. */
async function* pagesOf(plan: ListPlan, window: Range | undefined, fetch: FetchPage): AsyncGenerator<Page> {
  // Pages that were asked for ahead and are not wanted any more must not be tried again: that holds up the end.
  const unwanted = new AbortController();
  const ask = (page: number): Promise<Page> =>
    fetch(
      { ...(window ? { range: window } : {}), ...(plan.paged ? { limit: plan.pageSize, page } : {}) },
      unwanted.signal,
    );
  try {
    const first = plan.onlyPage ?? 1;
    const page = await ask(first);
    yield page;
    if (plan.paged && plan.onlyPage === undefined) yield* followingPages(plan, first, page, ask);
  } finally {
    unwanted.abort();
  }
}

async function* followingPages(
  plan: ListPlan,
  first: number,
  page: Page,
  ask: (page: number) => Promise<Page>,
): AsyncGenerator<Page> {
  let last = lastPageOf(page, plan);
  const flying: Promise<Page>[] = [];
  let next = first + 1;
  const wanted =
    plan.limit === undefined ? plan.ahead : Math.min(plan.ahead, Math.ceil(plan.limit / plan.pageSize) - 1);
  while (next <= last || flying.length > 0) {
    while (next <= last && flying.length < Math.max(1, wanted)) {
      const asked = ask(next++);
      // A failure is met when the page's turn comes; until then it must not count as unhandled.
      asked.catch(() => {});
      flying.push(asked);
    }
    const current = await flying.shift();
    if (!current) return;
    last = Math.max(last, lastPageOf(current, plan));
    yield current;
    if (current.items.length === 0) return;
  }
}

function lastPageOf(page: Page, plan: ListPlan): number {
  const told = page.totalPages ?? (page.totalCount === undefined ? 1 : Math.ceil(page.totalCount / plan.pageSize));
  return Math.min(told, plan.lastPage ?? told);
}

async function* readAgain(
  plan: ListPlan,
  window: Range | undefined,
  fetch: FetchPage,
  state: WindowState,
  report: ListReport,
): AsyncGenerator<Page> {
  const firstTotal = state.total ?? 0;
  state.found = new Set();
  for await (const page of readWindow(plan, window, fetch, state)) {
    report.shown += page.items.length;
    if (page.items.length > 0) yield page;
  }
  if (report.total !== undefined && state.total !== undefined) report.total += state.total - firstTotal;
  if (!agrees(state)) {
    report.unproven.push(
      state.moved
        ? `${describe(window)}: it changed while it was read, twice; ${state.found.size} of ${state.total} items were read.`
        : `${describe(window)}: the service counts ${state.total} items, ${state.found.size} different ones were read, twice.`,
    );
  }
}

function withinLimit(page: Page, plan: ListPlan, report: ListReport): Page {
  if (plan.limit === undefined) return page;
  const room = Math.max(0, plan.limit - report.shown);
  return page.items.length <= room ? page : { ...page, items: page.items.slice(0, room) };
}

function addTotal(report: ListReport, total: number | undefined): void {
  if (report.total === undefined || total === undefined) report.total = undefined;
  else report.total += total;
}

/** Asks the windows that were not read how many items they hold, one small page each. */
async function countRest(windows: readonly (Range | undefined)[], fetch: FetchPage, report: ListReport): Promise<void> {
  const COUNTED_AT_MOST = 40;
  if (windows.length > COUNTED_AT_MOST) {
    report.total = undefined;
    report.more = true;
    return;
  }
  for (const window of windows) {
    const page = await fetch({ ...(window ? { range: window } : {}), limit: 1, page: 1 });
    addTotal(report, page.totalCount);
    if (page.items.length > 0) report.more = true;
  }
}

function cappedBy(plan: ListPlan, total: number | undefined): string | undefined {
  if (plan.lastPage === undefined || total === undefined) return undefined;
  const reachable = plan.lastPage * plan.pageSize;
  if (total <= reachable) return undefined;
  return `The service serves only ${plan.lastPage} pages of this list: ${reachable} of ${total} items can be read.`;
}

function describe(window: Range | undefined): string {
  if (!window) return 'The list';
  const iso = (unix: number): string => new Date(unix * 1000).toISOString().replace('.000Z', 'Z');
  return `Window ${iso(window.from)} to ${iso(window.to)}`;
}
