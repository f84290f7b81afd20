import type { Family, Operation } from '../../catalogue/types.js';
import { get, type Lossless, parseLossless, plain } from '../../items/json/lossless.js';
import { newReport, readList, wholePlan } from '../../service/lists/read-list.js';
import { windowsOfList } from '../../service/lists/windows.js';
import { pager } from '../../service/request/pager.js';
import { planRequest } from '../../service/request/request-plan.js';
import type { ListAsker } from './people.js';

/** Start of "all windows" while the account's first day is unknown: nothing is older. Unix seconds. */
const BEGINNING = Date.UTC(2010, 0, 1) / 1000;

/** One item of a list that is searched for names. */
export interface FamilyItem {
  readonly id: string;
  readonly item: Lossless;
  readonly raw: string;
}

export interface FamilyItemsOptions {
  readonly asker: ListAsker;
  /** Unix seconds. */
  readonly now: number;
  /** No item is older, unix seconds; undefined if unknown. */
  readonly beginning?: number | undefined;
  readonly query?: readonly (readonly [string, string])[];
  /** Receives how many were read so far. */
  readonly onPage?: (count: number) => void;
}

/**
 * Passes on all items of a family, over all windows and pages. `doubt`: why there may be more; undefined for a proven
 * end.
 */
export async function eachFamilyItem(
  family: Family,
  list: Operation,
  { asker, now, beginning, onPage, query = [] }: FamilyItemsOptions,
  take: (one: FamilyItem) => void,
) {
  const from = Math.min(beginning ?? BEGINNING, now);
  const report = newReport();
  const plan = wholePlan(list.list, windowsOfList(list.list, { from, to: now }), 4);
  const base = planRequest(family, list, { ids: [], query });
  for await (const page of readList(plan, pager(asker, base, family.idField), report)) {
    for (const { raw } of page.items) {
      const item = parseLossless(raw);
      const id = plain(get(item, family.idField));
      if (id !== undefined) take({ id, item, raw });
    }
    onPage?.(report.shown);
  }
  return { count: report.shown, doubt: report.unproven.length > 0 ? report.unproven.join(' ') : undefined };
}
