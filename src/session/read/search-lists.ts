import { CopsError } from '../../base/errors/errors.js';
import { type CommandLine, cops, joinedTexts, say, type Text } from '../../base/text/command-line.js';
import { isoDay } from '../../base/time/units.js';
import { pathParameters } from '../../catalogue/index.js';
import { LARGEST_PAGE, MOST_HITS } from '../../catalogue/terms.js';
import type { Family } from '../../catalogue/types.js';
import { get, type Lossless, parseLossless, plain } from '../../items/json/lossless.js';
import { foldedWords, isSamePhone, otherSpellings, phoneIn } from '../../items/text/typed-value.js';
import type { FetchPage } from '../../service/lists/growing-lists.js';
import { newReport, readList } from '../../service/lists/list.js';
import { cutWindows } from '../../service/lists/windows.js';
import type { PageFetch } from '../../service/request/pager.js';
import { planRequest } from '../../service/request/request-plan.js';
import type { Context } from '../context/context.js';
import { settledDates } from '../context/settled-dates.js';
import { beginningOf, firstDayOf } from './first-day.js';
import { pager } from './reading.js';

/** Requests of a search in all, including the service's own search. */
const MOST_REQUESTS = 12;
const MOST_SEARCHES = 3;
/** Days of a window if a list states none (service.md#limits). */
const SPAN_DAYS = 90;
/** The fields by which people know a person or a company. */
const KNOWN_BY = ['company', 'last_name', 'first_name', 'name', 'email', 'phone'] as const;

/** What was searched after a search that found nothing. */
export interface LookedThrough {
  readonly items: readonly string[];
  /** One sentence that says where, what was not read, and the lines that read it. */
  readonly says: Text;
  /** True if the whole list was read. */
  readonly isWhole: boolean;
}

/** Paths of a family's items by which people know them; a list without any is not searched. */
function pathsOf({ item }: Family): string[] {
  const own = KNOWN_BY.filter((name) => item?.[name] !== undefined);
  const customer = KNOWN_BY.filter((name) => item?.customer?.fields?.[name] !== undefined);
  return [...own, ...customer.map((name) => `customer.${name}`)];
}

/** Tells whether an item is what a term means: all its words in any order, or the same phone number. */
function meantBy(term: string, paths: readonly string[]): (item: Lossless) => boolean {
  const phone = phoneIn(term);
  if (phone !== '')
    return (item) =>
      paths.filter((path) => path.endsWith('phone')).some((path) => isSamePhone(plain(get(item, path)) ?? '', phone));
  const words = foldedWords(term);
  return (item) => {
    const has = paths.flatMap((path) => foldedWords(plain(get(item, path)) ?? ''));
    return words.length > 0 && words.every((word) => has.some((one) => one.startsWith(word)));
  };
}

/** True for a name of a person or company. The service itself searches for an address, an id or a number. */
function isName(term: string): boolean {
  if (phoneIn(term) !== '') return true;
  return !term.includes('@') && foldedWords(term).some((word) => /^\p{L}{2,}$/u.test(word));
}

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
  const paths = pathsOf(family);
  const list = family.operations.find(({ action }) => action === 'list');
  if (paths.length === 0 || !list?.list || pathParameters(list).length > 0 || !isName(term)) return undefined;
  const isMeant = meantBy(term, paths);
  const found = new Map<string, string>();
  const keep = (id: string | undefined, raw: string): void => {
    if (isMeant(parseLossless(raw))) found.set(id ?? raw, raw);
  };
  let left = most;
  let isCut = false;
  const search = family.operations.find(({ action }) => action === 'search');
  for (const spelling of search ? otherSpellings(term).slice(0, MOST_SEARCHES) : []) {
    const name = Object.entries(search?.query ?? {}).find(([, field]) => field.positional)?.[0] ?? 'search_term';
    left -= 1;
    const request = planRequest(family, search as typeof list, { ids: [], query: [[name, spelling]] });
    const { items } = await reader.page(request, family.idField);
    for (const { id, raw } of items) keep(id, raw);
    // A full answer leaves others out, who may be meant as well.
    isCut ||= items.length >= MOST_HITS;
    if (found.size > 0 && !isCut)
      return {
        items: [...found.values()],
        says: `The search finds it with the spelling "${spelling}".`,
        isWhole: false,
      };
  }
  const read = await readNewest(context, { family, operation: list }, reader, { left, keep });
  const none = found.size === 0 ? 'none of them matches' : `${found.size} ${found.size === 1 ? 'is' : 'are'} meant`;
  const rest = read.rest === undefined ? '' : say` Not read: ${read.rest}. ${linesFor(family, paths, term)}`;
  const name = family.name.replaceAll('_', ' ');
  const looked = `The list was searched by name, company and phone: ${read.count} ${name}, ${none}.`;
  return { items: [...found.values()], says: say`${looked}${rest}`, isWhole: read.rest === undefined };
}

type ListOperation = { readonly family: Family; readonly operation: Family['operations'][number] };

/** Reads a list from its newest item on; `rest` says what was not read, undefined if all was. */
async function readNewest(
  context: Context,
  { family, operation }: ListOperation,
  reader: PageFetch,
  { left, keep }: { left: number; keep: (id: string | undefined, raw: string) => void },
): Promise<{ readonly count: number; readonly rest: string | undefined }> {
  const name = family.name.replaceAll('_', ' ');
  const { list } = await settledDates(context, operation);
  const beginning = await firstDayOf(context, undefined, { isDry: true });
  const now = Math.floor((await context.now()) / 1000);
  const from = beginningOf(family.nature, beginning.from);
  const dated = list?.style === 'windowed';
  const fetchPage = pager(reader, planRequest(family, operation, { ids: [], query: [] }), family.idField);
  let requests = 0;
  const fetch: FetchPage = (query, signal) => {
    if (++requests > left) throw new NoRequestLeft();
    return fetchPage(query, signal);
  };
  const plan = {
    windows: dated ? cutWindows({ from, to: now }, list.spanDays ?? SPAN_DAYS) : undefined,
    paged: list?.style !== 'single',
    pageSize: LARGEST_PAGE,
    lastPage: list?.lastPage,
    ahead: 1,
  };
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
    if (error instanceof NoRequestLeft) return { count, rest: `${name} created before ${isoDay(oldest)}` };
    if (!(error instanceof CopsError) || error.kind === 'stopped' || error.kind === 'interrupted') throw error;
    return { count, rest: `the rest of the list (${error.message})` };
  }
  if (report.unproven.length > 0) return { count, rest: report.unproven.join(' ') };
  return { count, rest: dated && beginning.isProven !== true ? `${name} created before ${isoDay(from)}` : undefined };
}

/** The lines that search the whole list for a term. */
function linesFor(family: Family, paths: readonly string[], term: string): Text {
  const command = family.name.replaceAll('_', '-');
  const path = (name: string): string | undefined => paths.find((one) => one === name || one.endsWith(`.${name}`));
  const line = (where: string | undefined, text: string): CommandLine[] =>
    where === undefined ? [] : [cops`${command} list --all-time --where ${`${where}~${text}`}`];
  const phone = phoneIn(term);
  const last = term.trim().split(/\s+/).at(-1) ?? term;
  const lines =
    phone !== ''
      ? line(path('phone'), phone.slice(-4))
      : [...line(path('company'), term.trim()), ...line(path('last_name') ?? path('name'), last)];
  return lines.length === 0 ? '' : say`All of it: ${joinedTexts(lines, ' ; ')}`;
}
