import { CopsError, usage } from '../../base/errors/errors.js';
import { cops, say, type Text } from '../../base/text/command-line.js';
import { isoDay } from '../../base/time/units.js';
import { loadFamily } from '../../catalogue/index.js';
import type { Family, Operation } from '../../catalogue/types.js';
import { stripEnvelope } from '../../items/json/item-json.js';
import { get, type Lossless, parseLossless, plain } from '../../items/json/lossless.js';
import { asMeant, otherSpellings } from '../../items/text/typed-value.js';
import { planRequest } from '../../service/request/request-plan.js';
import {
  areOfSeveral,
  type Candidate,
  candidateOf,
  type Fits,
  inLines,
  MOST_LISTED,
  nearLines,
  newestOf,
  type Ready,
  withOwners,
} from './candidates.js';
import { eachFamilyItem } from './family-items.js';
import { canName, isCalled, isCalledLoosely, isMistypedId, labelOf, mayBeNumber } from './natural-keys.js';
import { orderPartIn, partsOfOrders } from './order-parts.js';
import { isOfPerson, type ListAsker, ownerOf, type People, peopleOf, wereEdited } from './people.js';

/** The meaning of a name. */
export interface Named extends Candidate {
  /** As it was typed. */
  readonly typed: string;
  /** True if others have the name but the action is no longer possible for them: a person must confirm it. */
  readonly isChosen?: boolean;
  /** The family of the item, by the name of its path. */
  readonly family: string;
}

export interface ResolveOptions {
  readonly asker: ListAsker;
  /** Unix seconds. */
  readonly now: number;
  /** True before a write: proves that no other item has the name by reading all items, over all windows. */
  readonly prove: boolean;
  /** No item of the family is older, unix seconds; undefined if unknown. */
  readonly beginning?: number | undefined;
  /** True if the line explicitly requests the newest of several; undefined if no option says so. */
  readonly latest?: boolean | undefined;
  /** True for a write in live mode, which any doubt stops. */
  readonly isLive?: boolean | undefined;
  /** False for an item for which the wanted action is no longer possible. */
  readonly fits?: Fits | undefined;
  /** True if a person must confirm the only one of several for which the action is still possible. */
  readonly choosesOpen?: boolean | undefined;
  /** Asks a person which of several is meant; absent without a person. @throws CopsError `usage` for none */
  readonly pick?: ((family: Family, candidates: readonly Candidate[]) => Promise<Candidate>) | undefined;
  readonly line?: Ready | undefined;
  /** When the wanted action is possible: `activate is possible while suspended.` */
  readonly possible?: string | undefined;
  /** Searches the newest items of the list, with a few requests, for what a search did not find. */
  readonly further?: ((family: Family, word: string) => Promise<FurtherItems | undefined>) | undefined;
  /** Receives how far a long reading is. */
  readonly progress?: (text: string) => void;
  /** Receives what the answer leaves open. */
  readonly warn?: (text: string) => void;
}

/** Items that a search did not find. */
export interface FurtherItems {
  readonly items: readonly string[];
  readonly isWhole: boolean;
}

/** The most hits of a search (service.md#paths). */
const MOST_HITS = 10;
/** How many other spellings to search if the word as it is finds nothing. */
const MOST_SPELLINGS = 3;
/** This many items are read too quickly for a progress line. */
const SOON_READ = 100;

/**
 * The one item of a family that a word names: an e-mail address, an order number, an internal id, an exact name.
 *
 * @throws CopsError `usage` (2) when it means none or several, with the candidates; when a family has no names; when
 * uniqueness could not be proven
 */
export async function resolveName(family: Family, word: string, options: ResolveOptions): Promise<Named> {
  return judged(family, word, await lookForOwner(family, word, options), options);
}

/**
 * As `resolveName`; undefined where nothing is called so.
 *
 * @throws CopsError `usage` (2) when it means several
 */
export async function findName(family: Family, word: string, options: ResolveOptions): Promise<Named | undefined> {
  const found = await lookForOwner(family, word, options);
  return found.candidates.length + found.loose.length === 0 ? undefined : judged(family, word, found, options);
}

/** As `lookFor`; if nothing else matches, uses the number of an order: its customer, or its part. */
async function lookForOwner(family: Family, word: string, options: ResolveOptions): Promise<Found> {
  const part = orderPartIn(family, word);
  const found: Found = part && !canName(family, word) ? NOTHING : await lookFor(family, word, options);
  const isOwner = family.name === 'customers' && mayBeNumber(word);
  if (!(part || isOwner) || found.candidates.length + found.loose.length > 0) return found;
  const sales = await loadFamily('sales');
  const orders = await lookFor(sales, part?.number ?? word, { ...options, fits: undefined });
  const { candidates, doubt } = orders;
  if (part) {
    const ids = candidates.map(({ id }) => id);
    const { asker, fits } = options;
    const parts = ids.length === 0 ? NOTHING : await partsOfOrders(family, ids, part, { asker, sales, fits });
    return { ...found, ...parts, doubt };
  }
  const owners = new Map<string, Candidate>();
  for (const { id, label, customer } of candidates)
    if (customer !== undefined) owners.set(customer, { id: customer, label: `customer of the order ${id}, ${label}` });
  return owners.size === 0 ? found : { ...found, candidates: [...owners.values()], doubt };
}

async function lookFor(family: Family, word: string, options: ResolveOptions): Promise<Found> {
  const command = commandOf(family);
  if (isMistypedId(word))
    throw usage(`"${word}" is not an id: an id has 20 characters, this has ${word.length}.`, 'Nothing was sent.');
  const list = family.operations.find(({ action }) => action === 'list');
  const search = family.operations.find(({ action }) => action === 'search');
  if (!canName(family, word) || (!list && !search)) {
    const why = list || search ? `nothing of ${command} can have that name` : `${command} has no list to search`;
    throw usage(`"${word}" is neither an id (20 characters) nor a name: ${why}.`);
  }
  const people = isOfPerson(family, word) ? await peopleOf(word, options.asker) : undefined;
  if (search && (!list || !options.prove) && !(list && people && (await wereEdited(people, options.asker))))
    return { ...(await further(family, word, await bySearch(family, search, word, options), options)), people };
  return byList(family, list as Operation, word, options, people);
}

interface Found {
  readonly candidates: readonly Candidate[];
  /** Items that people call the word although it is written differently, or whose phone number it is. */
  readonly loose: readonly Candidate[];
  /** Near misses: what a search found besides. */
  readonly near: readonly Candidate[];
  /** What there is instead, if no name is the same or similar. */
  readonly others?: Text | undefined;
  /** Why there may be more of them; undefined for a proven answer. */
  readonly doubt?: string | undefined;
  /** The people with this e-mail address. */
  readonly people?: People | undefined;
}

const NOTHING: Found = { candidates: [], loose: [], near: [] };

async function judged(family: Family, word: string, found: Found, options: ResolveOptions): Promise<Named> {
  const { candidates, loose, near, doubt, people } = found;
  const [only] = candidates;
  const command = commandOf(family);
  if (!only && loose.length > 0) {
    if (options.isLive) throw onlyLoose(family, word, loose, options);
    const meant = loose.map((one) => ({ ...one, isLoose: true }));
    return judged(family, word, { ...found, candidates: meant, loose: [] }, options);
  }
  if (!only) {
    if (doubt === undefined && people) throw nothingOf(family, word, people);
    const hint =
      near.length > 0
        ? say`Near it:\n${nearLines(near, word, options.line)}`
        : (found.others ?? say`Look for it with: ${cops`find ${word}`}`);
    throw new CopsError('usage', `No item of ${command} is called "${word}", and it is not an id (20 characters).`, {
      hint,
      more: { candidates: near.slice(0, MOST_LISTED) },
      moreIsSaid: true,
      isUnknown: true,
    });
  }
  const named = (one: Candidate) => ({ ...one, label: labelAmong(one, people), typed: word, family: family.name });
  const ofSeveral = areOfSeveral(candidates, people?.ids.size ?? 0);
  const open = candidates.filter(({ fits }) => fits !== false);
  // Only a typed id settles which of several people a live write is for.
  const pick = open.length > 1 && !(ofSeveral && options.isLive) ? options.pick : undefined;
  if (ofSeveral && pick) return named(await pick(family, withOwners(open)));
  if (ofSeveral && (options.latest === true || options.choosesOpen))
    throw severalPeople(family, word, candidates, options);
  if (candidates.length > 1 && options.latest === true && doubt === undefined)
    return named(newestOf(family, word, candidates, options.line));
  if (options.choosesOpen && candidates.length > 1 && open.length === 1 && doubt === undefined) {
    const [one] = open as [Candidate];
    const label = `${one.label}, the only one of ${candidates.length} for which this is still possible`;
    return { ...named({ ...one, label }), isChosen: true };
  }
  if (candidates.length > 1 && pick) return named(await pick(family, open));
  if (candidates.length > 1) {
    const none = open.length === 0 ? ', and this is possible for none of them' : '';
    const asked = none === '' ? 'Give the id of the one you mean:' : (options.possible ?? 'They are:');
    const latest = options.latest === false && none === '' && !ofSeveral ? '\nOr add --latest for the newest.' : '';
    throw new CopsError('usage', `"${word}" means ${candidates.length} items of ${command}${none}${unsent(options)}.`, {
      hint: say`${asked}\n${inLines(candidates, options.line)}${latest}`,
      more: { candidates: candidates.slice(0, MOST_LISTED) },
      moreIsSaid: true,
    });
  }
  if (doubt !== undefined) {
    if (options.prove) {
      throw new CopsError('usage', `Another item may also be called "${word}": ${doubt}`, {
        hint: `Nothing was sent. Give the id: ${only.id} (${only.label}).`,
        more: { candidates: [only] },
        moreIsSaid: true,
      });
    }
    options.warn?.(`"${word}" was taken for ${only.id} (${only.label}): ${doubt}`);
  }
  // An event that a person has in hand may be an old one: its day tells.
  const day = family.nature === 'event' && only.made !== undefined ? `made ${isoDay(only.made)}` : '';
  const label = [only.label, day].filter(Boolean).join(', ');
  return named({ ...only, label });
}

/** What is known of an item, with its owner if several people have the address: another one may be meant. */
function labelAmong({ label, customer }: Candidate, people: People | undefined): string {
  const count = people?.ids.size ?? 0;
  if (count < 2) return label;
  return [label, `customer ${customer ?? 'not shown'}, one of ${count} with this address`].filter(Boolean).join(', ');
}

/** A live write never goes to an item found by phone number or by a name written differently. */
function onlyLoose(family: Family, word: string, loose: readonly Candidate[], { line }: ResolveOptions): CopsError {
  const what = `"${word}" is not the exact name of an item of ${commandOf(family)}, and a live write needs that`;
  return new CopsError('stopped', `${what}: nothing was sent.`, {
    hint: say`Give the id of the one you mean:\n${inLines(loose, line)}`,
    more: { candidates: loose.slice(0, MOST_LISTED) },
    moreIsSaid: true,
  });
}

/** A read that asks which one is meant had nothing to send. */
const unsent = ({ prove }: ResolveOptions): string => (prove ? ': nothing was sent' : '');

/** Only an id settles which person is meant. */
function severalPeople(
  family: Family,
  word: string,
  candidates: readonly Candidate[],
  options: ResolveOptions,
): CopsError {
  const { latest, line, isLive } = options;
  const shown = withOwners(candidates);
  const why = latest === true ? ', and --latest does not say which person is meant' : '';
  const what = `"${word}" means ${candidates.length} items of ${commandOf(family)}, of more than one person${why}${unsent(options)}.`;
  return new CopsError(isLive ? 'stopped' : 'usage', what, {
    hint: say`Give the id of the one you mean:\n${inLines(shown, line)}`,
    more: { candidates: shown.slice(0, MOST_LISTED) },
    moreIsSaid: true,
  });
}

/** A search's hits whose name is the word; reads from the item what a hit does not show. */
async function bySearch(family: Family, search: Operation, word: string, options: ResolveOptions): Promise<Found> {
  const { asker } = options;
  const name = Object.entries(search.query ?? {}).find(([, field]) => field.positional)?.[0] ?? 'search_term';
  const pageOf = (term: string) =>
    asker.page(planRequest(family, search, { ids: [], query: [[name, term]] }), family.idField);
  let page = await pageOf(asMeant(word));
  for (const spelling of otherSpellings(asMeant(word)).slice(0, MOST_SPELLINGS))
    if (page.items.length === 0) page = await pageOf(spelling);
  const [candidates, loose, near]: [Candidate[], Candidate[], Candidate[]] = [[], [], []];
  const unclear: string[] = [];
  for (const { raw } of page.items) {
    const hit = parseLossless(raw);
    const id = plain(get(hit, family.idField));
    if (id === undefined) continue;
    if (isCalled(family, hit, word) || hitOfPerson(family, hit, word))
      candidates.push(candidateOf(family, id, hit, raw, options.fits));
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
    if (isCalled(family, item, word)) candidates.push(one);
    else (isCalledLoosely(family, item, word) ? loose : near).push(one);
  }
  // With several, the hits show what they share: the items show what tells them apart.
  const several = candidates.length > 1 ? await readAll(candidates.map(({ id }) => id)) : [];
  for (const [at, { id, item, text }] of several.entries())
    candidates[at] = candidateOf(family, id, item, text, options.fits);
  const all = page.totalCount === undefined || page.totalCount <= page.items.length;
  const doubt =
    all && page.items.length < MOST_HITS ? undefined : 'the search shows only its best hits; others may have the name.';
  const isSetUp = family.nature === 'set-up' && candidates.length + loose.length + near.length === 0;
  return { candidates, loose, near, doubt, others: isSetUp ? await firstNames(family, asker) : undefined };
}

/** What a search did not find, searched for in the newest items of the list. */
async function further(family: Family, word: string, found: Found, options: ResolveOptions): Promise<Found> {
  if (found.candidates.length + found.loose.length + found.near.length > 0) return found;
  const more = await options.further?.(family, asMeant(word));
  const [candidates, loose]: [Candidate[], Candidate[]] = [[], []];
  for (const raw of more?.items ?? []) {
    const item = parseLossless(raw);
    const into = isCalled(family, item, word) ? candidates : isCalledLoosely(family, item, word) && loose;
    if (into) into.push(candidateOf(family, plain(get(item, family.idField)) ?? '', item, raw, options.fits));
  }
  if (candidates.length + loose.length === 0) return found;
  return { ...found, candidates, loose, doubt: more?.isWhole ? undefined : 'not all of the list was read.' };
}

/** The existing set-up of a family, from the first page of its list. */
async function firstNames(family: Family, asker: ListAsker): Promise<Text | undefined> {
  const list = family.operations.find(({ action }) => action === 'list');
  if (!list || list.list?.style === 'windowed') return undefined;
  const { items, totalCount } = await asker.page(planRequest(family, list, { ids: [] }), family.idField);
  const names = items.map(({ raw }) => nameOf(family, parseLossless(raw)));
  return othersOf(family, names, Math.max(totalCount ?? 0, names.length));
}

/** The name of a set-up item on a line: its unique key, otherwise its name. */
function nameOf({ keys }: Family, item: Lossless): string {
  const own = keys.find(({ unique }) => unique)?.field;
  return (own && plain(get(item, own))) || (labelOf(item).split(', ')[0] ?? '');
}

/** The existing set-up if a name was not found: lists it if it is short. */
function othersOf(family: Family, names: readonly string[], count: number): Text {
  const command = commandOf(family);
  if (count === 0) return `There are no ${command.replaceAll('-', ' ')} yet.`;
  const shown = names.filter((name) => name !== '').slice(0, MOST_LISTED);
  const more = count > shown.length ? `, and ${count - shown.length} more` : '';
  return say`There are: ${shown.map(quoted).join(', ')}${more}. All of them: ${cops`${command} list`}`;
}

/** Says that a known person has nothing of the family. */
function nothingOf(family: Family, word: string, { who }: People): CopsError {
  return usage(
    `${who} has no ${commandOf(family).replaceAll('-', ' ')}.`,
    say`All there is: ${cops`customers show ${word.trim()}`}`,
  );
}

/** A hit shows its customer's address as its own. */
function hitOfPerson(family: Family, hit: Lossless, word: string): boolean {
  if (family.item?.customer?.fields?.email === undefined) return false;
  return plain(get(hit, 'email'))?.toLowerCase() === asMeant(word).toLowerCase();
}

/**
 * All items of the family, over all windows and pages, whose name is the word. If people have it as their current
 * address, the items are theirs, whatever address these show; an item that somebody else made under it is not.
 */
async function byList(
  family: Family,
  list: Operation,
  word: string,
  options: ResolveOptions,
  people: People | undefined,
): Promise<Found> {
  const [candidates, loose, near]: [Candidate[], Candidate[], Candidate[]] = [[], [], []];
  const names: string[] = [];
  const progress = (count: number): void => {
    if (count > SOON_READ) options.progress?.(`Looking for "${word}" in ${commandOf(family)}: ${count} read so far`);
  };
  const { count, doubt } = await eachFamilyItem(family, list, { ...options, onPage: progress }, ({ id, item, raw }) => {
    if (names.length < MOST_LISTED) names.push(nameOf(family, item));
    const owner = people && ownerOf(item);
    const into =
      owner !== undefined
        ? people?.ids.has(owner) && candidates
        : isCalled(family, item, word)
          ? candidates
          : isCalledLoosely(family, item, word) && loose;
    if (into) into.push(candidateOf(family, id, item, raw, options.fits));
    else if (near.length < MOST_LISTED && isNear(item, word))
      near.push(candidateOf(family, id, item, raw, options.fits));
  });
  const others = family.nature === 'set-up' ? othersOf(family, names, count) : undefined;
  return { candidates, loose, near, others, doubt, people };
}

function isNear(item: Lossless, word: string): boolean {
  return word.trim().length > 2 && labelOf(item).toLowerCase().includes(word.trim().toLowerCase());
}

function commandOf(family: Family): string {
  return family.name.replaceAll('_', '-');
}

/** A word as a line has it: quoted if a shell would split it. */
export function quoted(word: string): string {
  return /^[\w@.+-]+$/.test(word) ? word : JSON.stringify(word);
}
