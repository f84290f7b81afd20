import type { TimeRange } from '../../base/time/range.js';
import { DAY } from '../../base/time/units.js';
import type { ServiceRequest } from '../../base/transport.js';
import { pathParameters } from '../../catalogue/index.js';
import { LARGEST_PAGE } from '../../catalogue/terms.js';
import type { Family, Operation } from '../../catalogue/types.js';
import type { FetchPage, Page } from '../../service/lists/growing-lists.js';
import { type ListPlan, newReport, readList, wholePlan } from '../../service/lists/read-list.js';
import { cutWindows } from '../../service/lists/windows.js';
import { pager } from '../../service/request/pager.js';
import { planRequest } from '../../service/request/request-plan.js';
import type { Context } from '../context/context.js';
import { settledDates } from '../context/settled-dates.js';
import { type Beginning, beginningOf } from '../read/first-day.js';
import type { Reader } from '../read/reading.js';

const PAGES_AHEAD = 4;

/** The rows of a list, as received, and what could not be proven about it. */
interface ListRows {
  readonly rows: readonly string[];
  readonly unproven: readonly string[];
}

/** A family's whole list, from the account's first day or a later one: first the cost, then the rest. */
export class FamilyList {
  readonly #first = new Map<string, Page>();
  #requests = 0;
  #left: number | undefined;
  #looked: readonly string[] | undefined;

  private constructor(
    readonly family: Family,
    readonly operation: Operation,
    readonly ranges: readonly TimeRange[] | undefined,
    readonly reader: Reader,
    readonly query: readonly (readonly [string, string])[],
  ) {}

  /** Undefined if the family has no list of its own. */
  static async open(
    context: Context,
    reader: Reader,
    family: Family,
    { from, first: firstDay }: { readonly from: number | undefined; readonly first: () => Promise<Beginning> },
  ): Promise<FamilyList | undefined> {
    const found = family.operations.find(({ action, list }) => action === 'list' && list !== undefined);
    if (!found || pathParameters(found).length > 0) return undefined;
    const operation = await settledDates(context, found);
    if (operation.list?.style === 'search') return undefined;
    if (operation.list?.style !== 'windowed') return new FamilyList(family, operation, undefined, reader, []);
    const to = Math.floor((await context.now()) / 1000);
    const first = await firstDay();
    if (first.isProven === false && (from ?? 0) < first.from)
      context.notes.warn(`${family.name.replaceAll('_', ' ')} are looked at from ${first.told}.`);
    const { keepsDays, spanDays = 90 } = operation.list;
    const kept = keepsDays === undefined ? 0 : to - keepsDays * DAY;
    const begin = Math.max(from ?? 0, beginningOf(family.nature, first.from), kept);
    const range = { from: Math.min(begin, to), to };
    return new FamilyList(family, operation, cutWindows(range, spanDays), reader, []);
  }

  /** Requests that the first look takes. */
  get windows(): number {
    return this.ranges?.length ?? 1;
  }

  /** Requests for the rest, once its first pages are read; undefined if the service gives no count. */
  get left(): number | undefined {
    return this.#left;
  }

  /** True if the list has the parameter. */
  takes(filter: string): boolean {
    return Object.hasOwn(this.operation.query ?? {}, filter);
  }

  /** The same list, limited by a parameter. */
  filtered(name: string, value: string): FamilyList {
    return new FamilyList(this.family, this.operation, this.ranges, this.reader, [[name, value]]);
  }

  /** Requests sent since the last call. */
  asked(): number {
    const requests = this.#requests;
    this.#requests = 0;
    return requests;
  }

  /** Reads the first page of each window once: their counts show how many requests the rest takes. */
  async look(): Promise<readonly string[]> {
    if (this.#looked) return this.#looked;
    const fetch = this.#fetch();
    const { paged } = this.#plan();
    let left: number | undefined = 0;
    const rows: string[] = [];
    for (const range of this.ranges ?? [undefined]) {
      const page = await fetch(paged ? { range, limit: LARGEST_PAGE, page: this.#firstPage } : { range });
      this.#first.set(keyOf(range), page);
      rows.push(...page.items.map(({ raw }) => raw));
      const { totalCount } = page;
      if (left !== undefined) left = totalCount === undefined ? undefined : left + pagesBehind(totalCount);
    }
    this.#left = left;
    this.#looked = rows;
    return rows;
  }

  /** All rows; pages of the first look are not requested again. */
  async rest(onPage?: () => void): Promise<ListRows> {
    const fetch = this.#fetch();
    const once: FetchPage = async (query, signal) => {
      const key = keyOf(query.range);
      const known = (query.page ?? this.#firstPage) === this.#firstPage ? this.#first.get(key) : undefined;
      this.#first.delete(key);
      if (known) return known;
      const page = await fetch(query, signal);
      onPage?.();
      return page;
    };
    const report = newReport();
    const rows: string[] = [];
    for await (const page of readList(this.#plan(), once, report)) rows.push(...page.items.map(({ raw }) => raw));
    return { rows, unproven: report.unproven };
  }

  get #firstPage(): number {
    return this.operation.list?.lastPage === undefined ? 1 : 0;
  }

  #plan(): ListPlan {
    return wholePlan(this.operation.list, this.ranges, PAGES_AHEAD);
  }

  #fetch(): FetchPage {
    const base: ServiceRequest = planRequest(this.family, this.operation, { ids: [], query: this.query });
    const fetch = pager(this.reader, base, this.family.idField);
    return (query, signal) => {
      this.#requests++;
      return fetch(query, signal);
    };
  }
}

const pagesBehind = (count: number): number => Math.max(0, Math.ceil(count / LARGEST_PAGE) - 1);

const keyOf = (range: TimeRange | undefined): string => (range ? `${range.from}-${range.to}` : '');
