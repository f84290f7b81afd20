import { CopsError } from '../../base/errors/errors.js';
import { type CommandLine, cops, joinedTexts, say, type Text } from '../../base/text/command-line.js';
import { isoDay } from '../../base/time/units.js';
import { pathParameters } from '../../catalogue/index.js';
import { MOST_HITS } from '../../catalogue/terms.js';
import type { Family } from '../../catalogue/types.js';
import { get, parseLossless, plain } from '../../items/json/lossless.js';
import { beginningsOf, otherSpellings, ownWords } from '../../items/text/typed-value.js';
import type { FetchPage } from '../../service/lists/growing-lists.js';
import { newReport, readList, wholePlan } from '../../service/lists/read-list.js';
import { windowsOfList } from '../../service/lists/windows.js';
import type { PageFetch } from '../../service/request/pager.js';
import { planRequest, searchRequest } from '../../service/request/request-plan.js';
import type { Context } from '../context/context.js';
import { settledDates } from '../context/settled-dates.js';
import { beginningOf, firstDayOf } from './first-day.js';
import { Nearest, type TermMeaning, termMeaning } from './meant-by.js';
import { pager } from './reading.js';

/** Requests of a search in all, including the service's own search. */
const MOST_REQUESTS = 12;
const MOST_SEARCHES = 3;

/** What was not read, and the error if reading it failed. */
interface Rest {
  readonly what: string;
  readonly fault?: CopsError | undefined;
}

/** What was searched after a search that found nothing. */
export interface LookedThrough {
  readonly items: readonly string[];
  /** If nothing is meant: what comes near it, the nearest first. */
  readonly near: readonly string[];
  /** One sentence that says where. */
  readonly says: string;
  /** What was not read; undefined if the whole list was. */
  readonly rest?: (Rest & { readonly why: string; readonly lines: readonly CommandLine[] }) | undefined;
  /** True if the whole list was read. */
  readonly isWhole: boolean;
}

/** Why a list was not read to its end. */
const LIMITED = 'this command sends a limited number of requests';

class NoRequestLeft extends Error {}

/**
 * Searches for what the service's search did not find: under other spellings, then in the family's own list, newest
 * first, as far as requests are left. Undefined for a family whose items have no names.
 */
export async function lookThrough(
  context: Context,
  family: Family,
  reader: PageFetch,
  term: string,
  most: number = MOST_REQUESTS - 1,
): Promise<LookedThrough | undefined> {
  const meaning = termMeaning(family, term);
  const list = family.operations.find(({ action }) => action === 'list');
  if (!meaning || !list?.list || pathParameters(list).length > 0) return undefined;
  const found = new Map<string, string>();
  const near = new Nearest(meaning);
  const keep = (id: string | undefined, raw: string): void => {
    const item = parseLossless(raw);
    if (meaning.isMeant(item)) found.set(id ?? raw, raw);
    else near.keep(id ?? raw, raw, item);
  };
  let left = most;
  let unsearched: Rest | undefined;
  /** Beginnings of words that the search knows as they are. */
  const known = new Set<string>();
  const search = family.operations.find(({ action }) => action === 'search');
  /** True for a full answer: it leaves others out, who may be meant as well. */
  const searchFor = async (spelling: string): Promise<boolean> => {
    left -= 1;
    const request = searchRequest(family, search as typeof list, spelling);
    const page = await reader.page(request, family.idField).catch((error: unknown) => {
      unsearched ??= unreadOf(`what the search finds as "${spelling}"`, error);
    });
    const items = page?.items ?? [];
    for (const { id, raw } of items) keep(id, raw);
    if (items.length > 0) known.add(spelling.toLowerCase().slice(0, 3));
    return items.length >= MOST_HITS;
  };
  const limited = meaning.unsearched ? `the service does not search ${meaning.unsearched}, and ${LIMITED}` : LIMITED;
  const why = Number.isFinite(most) ? limited : 'the first day of the account is not known';
  const told = (rest: Rest | undefined) => rest && { why, lines: linesFor(family, meaning), ...rest };
  let isCut = false;
  for (const spelling of search ? otherSpellings(term).slice(0, Math.min(MOST_SEARCHES, left)) : []) {
    isCut = (await searchFor(spelling)) || isCut;
    if (found.size > 0 && !isCut) {
      const says = `The search finds it with the spelling "${spelling}".`;
      return { items: [...found.values()], near: [], says, isWhole: false, rest: told(unsearched) };
    }
  }
  const beginnings = search ? beginningsOf(term).filter((one) => !known.has(one)) : [];
  const kept = Number.isFinite(left) ? Math.max(0, Math.min(beginnings.length + 1, left - 1)) : 0;
  const read = await readNewest(context, { family, operation: list }, reader, { left: left - kept, keep });
  left = Number.isFinite(left) ? Math.max(kept, left - read.requests) : 0;
  if (found.size === 0 && left > 0) {
    for (const beginning of beginnings.slice(0, left)) await searchFor(beginning);
    // The right spelling of all words together is a name that a search finds.
    const spelled = near.spelling(search ? ownWords(term) : []);
    if (left > 0 && spelled !== undefined) await searchFor(spelled);
  }
  const none = found.size === 0 ? 'none of them matches' : `${found.size} ${found.size === 1 ? 'is' : 'are'} meant`;
  return {
    items: [...found.values()],
    near: found.size > 0 ? [] : near.items,
    says: `The list was searched by ${meaning.by}: ${read.count} ${family.name.replaceAll('_', ' ')}, ${none}.`,
    rest: told(read.rest && (unsearched ?? read.rest)),
    isWhole: read.rest === undefined,
  };
}

/** Where was searched, what was not read, and the lines that read it. */
export const lookedText = ({ says, rest }: LookedThrough): Text =>
  rest ? say`${says} Not read: ${rest.what}. All of it: ${joinedTexts(rest.lines, ' ; ')}` : says;

type ListOperation = { readonly family: Family; readonly operation: Family['operations'][number] };

/** Reads a list from its newest item on; `rest` says what was not read, undefined if all was. */
async function readNewest(
  context: Context,
  { family, operation }: ListOperation,
  reader: PageFetch,
  { left, keep }: { left: number; keep: (id: string | undefined, raw: string) => void },
): Promise<{ readonly count: number; readonly rest: Rest | undefined; readonly requests: number }> {
  const name = family.name.replaceAll('_', ' ');
  const { list } = await settledDates(context, operation);
  const beginning = await firstDayOf(context, undefined, { isDry: Number.isFinite(left) });
  const now = Math.floor((await context.now()) / 1000);
  const from = beginningOf(family.nature, beginning.from);
  const dated = list?.style === 'windowed';
  const fetchPage = pager(reader, planRequest(family, operation, { ids: [], query: [] }), family.idField);
  let requests = 0;
  const fetch: FetchPage = (query, signal) => {
    if (++requests > left) throw new NoRequestLeft();
    return fetchPage(query, signal);
  };
  const plan = wholePlan(list, windowsOfList(list, { from, to: now }), 1);
  const report = newReport();
  let [count, oldest] = [0, now];
  try {
    for await (const page of readList(plan, fetch, report)) {
      for (const { id, raw } of page.items) {
        count += 1;
        keep(id, raw);
        oldest = Math.min(oldest, Number(plain(get(parseLossless(raw), 'created_date_unix')) ?? oldest));
      }
    }
  } catch (error) {
    const isEnd = error instanceof NoRequestLeft;
    const rest = isEnd ? { what: `${name} created before ${isoDay(oldest)}` } : unreadOf('the rest of the list', error);
    return { count, requests, rest };
  }
  const [what] = report.unproven;
  if (what !== undefined) return { count, requests, rest: { what, fault: new CopsError('incomplete', what) } };
  const isOpen = dated && beginning.isProven !== true;
  return { count, requests, rest: isOpen ? { what: `${name} created before ${isoDay(from)}` } : undefined };
}

/** What could not be read, and the error. @throws the error itself if nothing more may be read after it */
function unreadOf(what: string, error: unknown): Rest {
  if (!(error instanceof CopsError) || error.kind === 'stopped' || error.kind === 'interrupted') throw error;
  return { what: `${what} (${error.message})`, fault: error };
}

/** The lines that search the whole list for what is meant. */
const linesFor = ({ name }: Family, { conditions }: TermMeaning): CommandLine[] =>
  conditions.map((all) => cops`${name.replaceAll('_', '-')} list --all-time ${all.flatMap((one) => ['--where', one])}`);
