import { isoTime } from '../../base/time/units.js';

/*
 * How to read one window of a list, whoever reads it: which page to request next, when there are no more, and whether
 * the result is proven complete. Holds only numbers. Items, their ids, and the number of pages in flight are up to its
 * drivers: `readList` (in order, as a stream) and the reader of exports (many windows in parallel, as bytes).
 */

/** The rules for reading a window. */
export interface ReadingRules {
  /** False for a list without `limit` and `page`: its single answer is everything. */
  readonly paged: boolean;
  readonly pageSize: number;
  /** The last page the service serves. */
  readonly lastPage?: number | undefined;
  /** How often to read the window before reporting it as unproven. */
  readonly readings: number;
  /** A repeated item is reason enough to read the window again, even if the counts agree. */
  readonly againForRepeats: boolean;
}

/** The counts on a page, and how many of its rows are new. */
export interface PageCounts {
  readonly totalCount: number | undefined;
  readonly totalPages: number | undefined;
  /** Its rows, and how many of them this reading had not seen. */
  readonly count: number;
  readonly fresh: number;
  /** Rows that are not objects. */
  readonly odd: number;
}

/** A change of a window's count from one page to another; undefined for a page without one. */
interface Move {
  readonly from: number | undefined;
  readonly to: number | undefined;
}

/** Why a window is not proven complete. */
export type Doubt =
  | { readonly kind: 'uncounted'; readonly found: number }
  | { readonly kind: 'capped'; readonly found: number; readonly total: number; readonly lastPage: number }
  | { readonly kind: 'differs'; readonly found: number; readonly total: number; readonly readings: number }
  | { readonly kind: 'moved'; readonly move: Move; readonly found: number; readonly readings: number }
  | { readonly kind: 'odd'; readonly rows: number }
  | { readonly kind: 'clock'; readonly unix: number };

/** The result of a whole reading: read again, or done, with all remaining doubts (none if proven). */
export type Verdict = 'again' | readonly Doubt[];

/** Stop after this many pages in a row without a new item: a service may serve the same page forever. */
const REPEATED_PAGES = 3;

/** The state of one window while its pages are read, in any order. */
export class WindowReading {
  /** The service's count; undefined where no page gave one. */
  total: number | undefined;
  /** Distinct items in this reading. */
  unique = 0;
  /** Rows that this reading had already seen. */
  repeats = 0;
  /** Nothing follows, whatever the counts say: no need to wait for pages in flight. */
  isOver = false;
  #odd = 0;
  #move: Move | undefined;
  #isBegun = false;
  #next = 1;
  #pages = 1;
  /** Number of pages still missing. */
  #left = 1;
  /** The page count is unknown: whenever the last page is full, the next one is requested. */
  #open = false;
  #firstCount = 0;
  #idle = 0;

  constructor(
    private readonly rules: ReadingRules,
    /** Number of readings begun. */
    readonly readings = 1,
  ) {}

  /** The page to request now; undefined at the end, and while a page in flight must arrive first. */
  next(): number | undefined {
    return this.#next <= this.#pages ? this.#next++ : undefined;
  }

  /** The page that `next` would return, if any. */
  get following(): number {
    return this.#next;
  }

  /** The last known page. */
  get last(): number {
    return this.#pages;
  }

  /** Undoes the request for the first page: its answer does not count. */
  unask(): void {
    this.#next = 1;
  }

  /** True when no page is missing. */
  get isWhole(): boolean {
    return this.#left === 0;
  }

  /** Records the counts of a page; the first page of a reading must come first. */
  take(page: number, counts: PageCounts): void {
    const { count, fresh, odd } = counts;
    if (!this.#isBegun) this.#firstCount = count;
    this.#compare(counts);
    this.unique += fresh;
    this.repeats += count - fresh;
    this.#odd += odd;
    this.#idle = fresh > 0 ? 0 : this.#idle + 1;
    this.#left--;
    if (this.rules.paged && !this.isOver) this.#extend(page, counts);
  }

  /**
   * The result of the reading once it is whole.
   * @param isFutile true when another reading cannot prove more
   */
  verdict(isFutile = false): Verdict {
    const { rules, unique, total, readings } = this;
    const { lastPage } = rules;
    const isLast = isFutile || readings >= rules.readings;
    const agrees = (total === undefined || unique === total) && this.#move === undefined;
    // If rows repeat in every reading, the service always does that, and the count of unique ones is the proof.
    const stands = agrees && (this.repeats === 0 || isLast || !rules.againForRepeats);
    const isCapped = lastPage !== undefined && total !== undefined && total > lastPage * rules.pageSize;
    if (!stands && !isCapped && !isLast) return 'again';
    const doubts: Doubt[] = [];
    if (!agrees && isCapped) doubts.push({ kind: 'capped', found: unique, total, lastPage });
    else if (total !== undefined && unique !== total) doubts.push({ kind: 'differs', found: unique, total, readings });
    if (this.#move && !isCapped) doubts.push({ kind: 'moved', move: this.#move, found: unique, readings });
    if (total === undefined) doubts.push({ kind: 'uncounted', found: unique });
    if (this.#odd > 0) doubts.push({ kind: 'odd', rows: this.#odd });
    return doubts;
  }

  /** Another reading of the same window, from its first page. */
  again(): WindowReading {
    return new WindowReading(this.rules, this.readings + 1);
  }

  #compare({ totalCount, count }: PageCounts): void {
    if (!this.#isBegun) {
      this.#isBegun = true;
      this.total = totalCount;
    } else if (totalCount !== this.total && (totalCount !== undefined || count > 0)) {
      this.#move ??= { from: this.total, to: totalCount };
      this.total ??= totalCount;
    }
  }

  #extend(page: number, counts: PageCounts): void {
    const { count, totalCount } = counts;
    const extent = extentOf(counts, this.rules.pageSize, this.#firstCount);
    this.#open ||= extent.open && count > 0;
    const isBeyond = !this.#open && totalCount !== undefined && this.unique > totalCount + 2 * this.rules.pageSize;
    if (count === 0 || this.#idle >= REPEATED_PAGES || isBeyond) {
      this.isOver = true;
      // Drops the pages not yet requested.
      this.#left -= this.#pages - (this.#next - 1);
      this.#pages = this.#next - 1;
    } else if (!this.#open) this.#grow(extent.pages);
    else if (page === this.#pages && this.#idle === 0 && count >= this.#firstCount) this.#grow(page + 1);
  }

  #grow(pages: number): void {
    const more = Math.min(pages, this.rules.lastPage ?? pages) - this.#pages;
    if (more <= 0) return;
    this.#pages += more;
    this.#left += more;
  }
}

/** The pages that an answer implies; `open` when its counts are missing or contradict each other. */
interface Extent {
  readonly pages: number;
  readonly open: boolean;
}

function extentOf({ totalCount, totalPages, count }: PageCounts, pageSize: number, firstCount: number): Extent {
  // Without a count, only a page that is not full and is called the only one is certain to be the last.
  if (totalCount === undefined)
    return { pages: 1, open: !(totalPages !== undefined && totalPages <= 1 && count < pageSize) };
  // A full page with more rows than the total: its counts say nothing.
  if (totalCount < count && count >= pageSize) return { pages: 1, open: true };
  const pages = Math.ceil(totalCount / pageSize);
  if (totalPages === undefined || totalPages === pages || (totalCount === 0 && totalPages <= 1))
    return { pages, open: false };
  // A service with smaller pages than requested: its first page shows their size.
  const isSmaller = firstCount > 0 && firstCount < pageSize && Math.ceil(totalCount / firstCount) === totalPages;
  return isSmaller ? { pages: totalPages, open: false } : { pages, open: true };
}

/** All doubts as one clause, without a full stop, to follow the window's name. */
export function doubtText(doubts: readonly Doubt[]): string {
  return doubts.map(textOf).join('; ');
}

function textOf(doubt: Doubt): string {
  switch (doubt.kind) {
    case 'uncounted':
      return `the service gave no usable total_count; ${doubt.found} items were read`;
    case 'capped':
      return `the service serves only ${doubt.lastPage} pages of this list: ${doubt.found} of ${doubt.total} items were read`;
    case 'differs':
      return `the service counts ${doubt.total} items, ${doubt.found} distinct ones were read${times(doubt.readings)}`;
    case 'moved': {
      const { from = 'none', to = 'none' } = doubt.move;
      return `the count went from ${from} to ${to} while it was read${times(doubt.readings)}`;
    }
    case 'odd':
      return `${doubt.rows} rows are not items (null or bare values)`;
    case 'clock':
      return `the service's clock (${isoTime(doubt.unix)}) is behind its end: rows may still come into it`;
  }
}

function times(readings: number): string {
  return readings === 1 ? '' : ` (read ${readings === 2 ? 'twice' : `${readings} times`})`;
}
