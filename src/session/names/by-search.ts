import { MOST_HITS } from '../../catalogue/terms.js';
import type { Family, Operation } from '../../catalogue/types.js';
import { stripEnvelope } from '../../items/json/item-json.js';
import { get, type Lossless, parseLossless, plain } from '../../items/json/lossless.js';
import { otherSpellings } from '../../items/text/typed-value.js';
import { planRequest, searchRequest } from '../../service/request/request-plan.js';
import { type Candidate, candidateOf, type Fits } from './candidates.js';
import { addressesOf, type ListAsker } from './people.js';
import type { Sought } from './sought.js';

/** Searches under other spellings, where the word as it is finds nothing. */
const MOST_SPELLINGS = 3;

/** Items that a search did not find. */
interface FurtherItems {
  readonly items: readonly string[];
  readonly near: readonly string[];
  readonly isWhole: boolean;
}

export interface SearchOptions {
  readonly asker: ListAsker;
  /** False for an item that what is wanted cannot be done to any more. */
  readonly fits?: Fits | undefined;
  /** Looks for what a search did not find in the newest of the list, as far as a few requests go. */
  readonly further?: ((family: Family, word: string) => Promise<FurtherItems | undefined>) | undefined;
}

/** What a search came to. */
export interface SearchFound {
  readonly candidates: readonly Candidate[];
  /** Items that the word names in another spelling, or by phone number. */
  readonly loose: readonly Candidate[];
  /** Near misses: what else the search found. */
  readonly near: readonly Candidate[];
  /** Why there may be more; undefined if the answer is proven complete. */
  readonly doubt?: string | undefined;
}

/**
 * The items found by searching for the word, for the addresses of people of that name, and in the newest part of the
 * list.
 */
export async function bySearch(
  family: Family,
  search: Operation,
  sought: Sought,
  options: SearchOptions,
): Promise<SearchFound> {
  const isNone = (found: SearchFound): boolean => found.candidates.length + found.loose.length === 0;
  const first = await byTerms(family, search, [sought.term, ...spellingsOf(sought.term)], sought, options);
  if (!isNone(first) || sought.term.includes('@'))
    return isNone(first) ? further(family, sought, first, options) : first;
  const isPersons = family.name !== 'customers' && family.item?.customer?.fields?.email !== undefined;
  for (const address of isPersons ? await addressesOf(sought.term, options.asker) : []) {
    const found = await byTerms(family, search, [address], sought, options);
    if (!isNone(found)) return { ...found, doubt: 'others of that name were not looked for.' };
  }
  return further(family, sought, first, options);
}

const spellingsOf = (term: string): string[] => otherSpellings(term).slice(0, MOST_SPELLINGS);

/** The hits of the first of some searches that has any; what a hit does not show is read from the item itself. */
async function byTerms(
  family: Family,
  search: Operation,
  terms: readonly string[],
  sought: Sought,
  options: SearchOptions,
): Promise<SearchFound> {
  const { asker } = options;
  const pageOf = (term: string) => asker.page(searchRequest(family, search, term), family.idField);
  let page = await pageOf(terms[0] ?? '');
  for (const term of terms.slice(1)) if (page.items.length === 0) page = await pageOf(term);
  const [candidates, loose, near]: [Candidate[], Candidate[], Candidate[]] = [[], [], []];
  const unclear: string[] = [];
  for (const { raw } of page.items) {
    const hit = parseLossless(raw);
    const id = plain(get(hit, family.idField));
    if (id === undefined) continue;
    const isKnown = sought.answers(hit) === 'exact' || hitOfPerson(family, hit, sought.term);
    if (isKnown && !sought.isOneOfTheirs) candidates.push(candidateOf(family, id, hit, raw, options.fits));
    else unclear.push(id);
  }
  const read = family.operations.find(({ action, method }) => action === 'get' && method === 'GET');
  const readAll = (ids: readonly string[]) =>
    Promise.all(
      (read ? ids.slice(0, MOST_HITS) : []).map(async (id) => {
        const text = stripEnvelope(await asker.answer(planRequest(family, read as Operation, { ids: [id] })));
        return { id, item: parseLossless(text), text };
      }),
    );
  for (const { id, item, text } of await readAll(unclear)) {
    const one = candidateOf(family, id, item, text, options.fits);
    const answer = sought.answers(item);
    (answer === 'exact' ? candidates : answer === 'loose' ? loose : near).push(one);
  }
  // Several hits show only what they share: the items show their differences.
  const several = candidates.length > 1 ? await readAll(candidates.map(({ id }) => id)) : [];
  for (const [at, { id, item, text }] of several.entries())
    candidates[at] = candidateOf(family, id, item, text, options.fits);
  const all = page.totalCount === undefined || page.totalCount <= page.items.length;
  const doubt =
    all && page.items.length < MOST_HITS ? undefined : 'the search shows its best hits only, others may have the name.';
  return { candidates, loose, near, doubt };
}

/** What a search did not find, looked for in the newest of the list. */
async function further(
  family: Family,
  sought: Sought,
  found: SearchFound,
  options: SearchOptions,
): Promise<SearchFound> {
  const more = await options.further?.(family, sought.term);
  const [candidates, loose]: [Candidate[], Candidate[]] = [[], []];
  const asCandidate = (raw: string, item = parseLossless(raw)): Candidate =>
    candidateOf(family, plain(get(item, family.idField)) ?? '', item, raw, options.fits);
  for (const raw of more?.items ?? []) {
    const answer = sought.answers(parseLossless(raw));
    if (answer) (answer === 'exact' ? candidates : loose).push(asCandidate(raw));
  }
  if (candidates.length + loose.length === 0)
    return found.near.length > 0 ? found : { ...found, near: (more?.near ?? []).map((raw) => asCandidate(raw)) };
  return { ...found, candidates, loose, doubt: more?.isWhole ? undefined : 'not all of the list was read.' };
}

/** A hit shows its customer's address as its own. */
function hitOfPerson(family: Family, hit: Lossless, term: string): boolean {
  if (family.item?.customer?.fields?.email === undefined) return false;
  return plain(get(hit, 'email'))?.toLowerCase() === term.toLowerCase();
}
