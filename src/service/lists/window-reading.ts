import { isoTime } from '../../base/time/units.js';

/*
 * How one window of a list is read, whoever reads it: which page is asked for next, when there are no more, and whether
 * what came is proven complete. It holds numbers only. The items, their ids, and how many pages are under way at once
 * are the business of its drivers: `readList` (in order, as a stream) and the reader of exports (many windows at once,
 * as bytes).
 */

/** What decides how a window is read. */
export interface ReadingRules {
  /** False for a list that takes no `limit` and `page`: its one answer is everything. */
  readonly paged: boolean;
  readonly pageSize: number;
  /** The service serves no page after this one. */
  readonly lastPage?: number | undefined;
  /** How often the window is read before it is reported as unproven. */
  readonly readings: number;
  /** An item that came twice is reason enough to read the window again, even where the counts agree. */
  readonly againForRepeats: boolean;
}

/** What a page says of itself, and what of it is new. */
export interface PageCounts {
  readonly totalCount: number | undefined;
  readonly totalPages: number | undefined;
  /** Its rows, and how many of them this reading had not seen. */
  readonly count: number;
  readonly fresh: number;
  /** Rows that are no objects. */
  readonly odd: number;
}

/** The count of a window changed from one page to another; undefined for a page without one. */
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

/** What a whole reading comes to: to be read again, or done, with every doubt that is left (none for a proven one). */
export type Verdict = 'again' | readonly Doubt[];

/** Pages in a row without a new item after which a window is not read on: a service may serve the same page for ever. */
const REPEATED_PAGES = 3;

/** The state of one window while its pages are read, in whatever order they come. */
export class WindowReading {
  /** The service's count; undefined where no page gave one. */
  total: number | undefined;
  /** Different items of this reading. */
  unique = 0;
  /** Rows that this reading had seen before. */
  repeats = 0;
  /** Nothing follows, whatever the counts say: pages still under way need not be waited for. */
  isOver = false;
  #odd = 0;
  #move: Move | undefined;
  #isBegun = false;
  #next = 1;
  #pages = 1;
  /** Pages that have not come. */
  #left = 1;
  /** The counts do not tell how many pages there are: each full last page asks for the one after it. */
  #open = false;
  #firstCount = 0;
  #idle = 0;

  constructor(
    private readonly rules: ReadingRules,
    /** Readings begun. */
    readonly readings = 1,
  ) {}

  /** The page to ask for now; undefined while a page under way must come first, and at the end. */
  next(): number | undefined {
    return this.#next <= this.#pages ? this.#next++ : undefined;
  }

  /** What `next` would give, if anything. */
  get following(): number {
    return this.#next;
  }

  /** The last page that is known of. */
  get last(): number {
    return this.#pages;
  }

  /** Forgets that the first page was asked for: its answer does not count. */
  unask(): void {
    this.#next = 1;
  }

  /** True when no page is missing. */
  get isWhole(): boolean {
    return this.#left === 0;
  }

  /** Takes over what a page held; the first page of a reading comes first. */
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
   * What the reading comes to once it is whole.
   * @param isFutile another reading proves no more
   */
  verdict(isFutile = false): Verdict {
    const { rules, unique, total, readings } = this;
    const { lastPage } = rules;
    const isLast = isFutile || readings >= rules.readings;
    const agrees = (total === undefined || unique === total) && this.#move === undefined;
    // Rows that are repeated in every reading are a habit of the service: the count of unique ones is what proves.
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
      // What was not asked for yet is not asked for.
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

/** The pages that an answer speaks of; `open` when its counts are missing or contradict each other. */
interface Extent {
  readonly pages: number;
  readonly open: boolean;
}

function extentOf({ totalCount, totalPages, count }: PageCounts, pageSize: number, firstCount: number): Extent {
  // Without a count only a page that is not even full, and called the only one, is sure to be it.
  if (totalCount === undefined) {
    return { pages: 1, open: !(totalPages !== undefined && totalPages <= 1 && count < pageSize) };
  }
  // A full page that holds more than all there is: nothing can be said from these counts.
  if (totalCount < count && count >= pageSize) return { pages: 1, open: true };
  const pages = Math.ceil(totalCount / pageSize);
  if (totalPages === undefined || totalPages === pages || (totalCount === 0 && totalPages <= 1)) {
    return { pages, open: false };
  }
  // A service with smaller pages than were asked for: its first one tells their size.
  const isSmaller = firstCount > 0 && firstCount < pageSize && Math.ceil(totalCount / firstCount) === totalPages;
  return isSmaller ? { pages: totalPages, open: false } : { pages, open: true };
}

/** All doubts as one text, without a full stop; the window's name stands before it. */
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
      return `the service counts ${doubt.total} items, ${doubt.found} different ones were read${times(doubt.readings)}`;
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
