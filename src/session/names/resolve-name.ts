import { CopsError, type ErrorKind, usage } from '../../base/errors/errors.js';
import { type CommandLine, cops, say, type Text } from '../../base/text/command-line.js';
import { isoDay } from '../../base/time/units.js';
import { loadFamily } from '../../catalogue/index.js';
import { LARGEST_PAGE } from '../../catalogue/terms.js';
import type { Family, Operation } from '../../catalogue/types.js';
import { looksLikeId } from '../../catalogue/value-formats.js';
import { get, type Lossless, parseLossless, plain } from '../../items/json/lossless.js';
import type { Narrowing } from '../../items/select/made-filters.js';
import { pager } from '../../service/request/pager.js';
import { planRequest } from '../../service/request/request-plan.js';
import { bySearch, type SearchFound, type SearchOptions } from './by-search.js';
import {
  areOfSeveral,
  type Candidate,
  candidateOf,
  inLines,
  MOST_LISTED,
  nearLines,
  newestOf,
  type Ready,
  withOwners,
} from './candidates.js';
import { eachFamilyItem } from './family-items.js';
import { canName, isMistypedId, labelOf, mayBeNumber } from './natural-keys.js';
import { orderPartIn, partsOfOrders } from './order-parts.js';
import { isOfPerson, type ListAsker, type People, peopleOf, wereEdited } from './people.js';
import { type Sought, soughtBy } from './sought.js';

/** The meaning of a name. */
export interface Named extends Candidate {
  /** As it was typed. */
  readonly typed: string;
  /** True if others have the name but the action is no longer possible for them: a person must confirm it. */
  readonly isChosen?: boolean;
  /** The family of the item, by the name of its path. */
  readonly family: string;
  /** The word and the options that told it together. */
  readonly told?: { readonly word: string; readonly options: readonly string[] } | undefined;
}

export interface ResolveOptions extends SearchOptions {
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
  /** True where a person is asked about the only one of several that what is wanted can still be done to. */
  readonly choosesOpen?: boolean | undefined;
  /** Asks a person which of several is meant; absent without a person. @throws CopsError `usage` for none */
  readonly pick?: ((family: Family, candidates: readonly Candidate[]) => Promise<Candidate>) | undefined;
  readonly line?: Ready | undefined;
  /** The line that does the wanted action to all of several ids; absent where one line means one item. */
  readonly lineOfAll?: ((ids: readonly string[]) => CommandLine | undefined) | undefined;
  /** What to do instead for somebody who has nothing of the family, if that is known. */
  readonly elsewhere?: ((family: Family, people: ReadonlySet<string>) => Promise<Text | undefined>) | undefined;
  /** When the wanted action is possible: `activate is possible while suspended.` */
  readonly possible?: string | undefined;
  /** What tells apart those who are called alike. */
  readonly narrowed?: readonly Narrowing[] | undefined;
  /** Is told how far a long reading is. */
  readonly progress?: (text: string) => void;
  /** Receives what the answer leaves open. */
  readonly warn?: (text: string) => void;
}

/** So many items are read too soon to tell of it. */
const SOON_READ = 100;

/**
 * The one item of a family that a word names: an e-mail address, an order number, an internal id, an exact name.
 *
 * @throws CopsError `usage` (2) when it means none or several, with the candidates; when a family has no names; when
 * uniqueness could not be proven
 */
export const resolveName = async (family: Family, word: string, options: ResolveOptions): Promise<Named> =>
  judged(family, word, await lookForOwner(family, word, options), options);

/**
 * As `resolveName`; undefined if nothing has that name.
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
  const isKnown = part !== undefined && looksLikeId(part.number);
  const found: Found = part && (isKnown || !canName(family, word)) ? NOTHING : await lookFor(family, word, options);
  const isOwner = family.name === 'customers' && mayBeNumber(word);
  if (!(part || isOwner) || found.candidates.length + found.loose.length > 0) return found;
  const sales = await loadFamily('sales');
  const orders = isKnown ? NOTHING : await lookFor(sales, part?.number ?? word, { ...options, fits: undefined });
  const { candidates, doubt } = orders;
  if (part) {
    const ids = isKnown ? [part.number] : candidates.map(({ id }) => id);
    const { asker, fits } = options;
    const parts = ids.length === 0 ? NOTHING : await partsOfOrders(family, ids, part, { asker, sales, fits });
    return { ...found, ...parts, doubt };
  }
  const owners = new Map<string, Candidate>();
  for (const { id, label, customer } of candidates)
    if (customer !== undefined)
      owners.set(customer, { id: customer, label: `customer of the order ${id}, ${label}`, order: id });
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
  const sought = soughtBy(family, word, options.narrowed);
  const people = isOfPerson(family, sought.term) ? await peopleOf(sought.term, options.asker) : undefined;
  if (search && (!list || !options.prove) && !(list && people && (await wereEdited(people, options.asker))))
    return { ...(await searched(family, search, sought, options)), people };
  return byList(family, list as Operation, { word, sought, people }, options);
}

async function searched(family: Family, search: Operation, sought: Sought, options: ResolveOptions): Promise<Found> {
  const found = await bySearch(family, search, sought, options);
  const isNone = found.candidates.length + found.loose.length === 0;
  const isSetUp = isNone && found.near.length === 0 && family.nature === 'set-up';
  const names = isSetUp ? await firstNames(family, options.asker) : undefined;
  return names ? { ...found, others: othersOf(family, names) } : found;
}

interface Found extends SearchFound {
  /** What there is instead, if no name is the same or similar. */
  readonly others?: Text | undefined;
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
    if (doubt === undefined && people && near.length === 0)
      throw nothingOf(family, soughtBy(family, word).term, people, await options.elsewhere?.(family, people.ids));
    // What is theirs but is not the one that was said is listed, never put into a line.
    const line = soughtBy(family, word, options.narrowed).isOneOfTheirs ? undefined : options.line;
    const hint =
      near.length > 0
        ? say`Near it:\n${nearLines(near, word, line)}`
        : (found.others ?? say`Look for it with: ${cops`find ${word}`}`);
    const fitting = (options.narrowed ?? []).map(({ option, value }) => `--${option} ${quoted(value)}`).join(' ');
    const what =
      fitting === '' ? `is called "${word}", and it is not an id (20 characters)` : `of "${word}" fits ${fitting}`;
    throw unsettled('usage', `No item of ${command} ${what}${unsent(options)}.`, hint, near, { isUnknown: true });
  }
  const named = (one: Candidate) => ({ ...one, label: labelAmong(one, people), typed: word, family: family.name });
  const ofSeveral = areOfSeveral(candidates, people?.ids.size ?? 0);
  const possible = candidates.filter(({ fits }) => fits !== false);
  // Only a typed id settles which of several people a live write is for.
  const pick = possible.length > 1 && !(ofSeveral && options.isLive) ? options.pick : undefined;
  if (ofSeveral && pick) return named(await pick(family, withOwners(possible)));
  if (ofSeveral && (options.latest === true || options.choosesOpen))
    throw severalPeople(family, word, candidates, options);
  if (candidates.length > 1 && options.latest === true && doubt === undefined)
    return named(newestOf(family, word, candidates, options.line));
  if (options.choosesOpen && candidates.length > 1 && possible.length === 1 && doubt === undefined) {
    const [one] = possible as [Candidate];
    const label = `${one.label}, the only one of ${candidates.length} for which this is still possible`;
    return { ...named({ ...one, label }), isChosen: true };
  }
  if (candidates.length > 1 && pick) return named(await pick(family, possible));
  if (candidates.length > 1) {
    const none = possible.length === 0 ? ', and this is possible for none of them' : '';
    const who = ofSeveral ? ', of more than one person' : '';
    const asked = none === '' ? 'Give the id of the one you mean:' : (options.possible ?? 'They are:');
    const all = ofSeveral || possible.length < 2 ? undefined : options.lineOfAll?.(possible.map(({ id }) => id));
    const latest = options.latest === false && none === '' && !ofSeveral ? '\nOr add --latest for the newest.' : '';
    throw unsettled(
      'usage',
      `"${word}" means ${candidates.length} items of ${command}${who}${none}${unsent(options)}.`,
      say`${asked}\n${inLines(ofSeveral ? withOwners(candidates) : candidates, options.line)}${latest}${all && say`\nOr all ${possible.length} that are possible: ${all}`}`,
      candidates,
    );
  }
  if (doubt !== undefined) {
    if (options.prove) {
      const hint = `Nothing was sent. Give the id: ${only.id} (${only.label}).`;
      throw unsettled('usage', `Another item may also be called "${word}": ${doubt}`, hint, [only]);
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
  const hint = say`Give the id of the one you mean:\n${inLines(loose, line)}`;
  return unsettled('stopped', `${what}: nothing was sent.`, hint, loose);
}

/** The error for a name that matches no single item, with the candidates that its hint shows. */
const unsettled = (
  kind: ErrorKind,
  message: string,
  hint: Text,
  candidates: readonly Candidate[],
  more: { readonly isUnknown?: true } = {},
): CopsError =>
  new CopsError(kind, message, {
    hint,
    more: { candidates: candidates.slice(0, MOST_LISTED) },
    moreIsSaid: true,
    ...more,
  });

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
  const hint = say`Give the id of the one you mean:\n${inLines(shown, line)}`;
  return unsettled(isLive ? 'stopped' : 'usage', what, hint, shown);
}

type Names = NonNullable<Awaited<ReturnType<typeof firstNames>>>;

/** The names of set-up items on the first page of their list, and how many items there are. */
export async function firstNames(family: Family, asker: Pick<ListAsker, 'page'>) {
  const list = family.operations.find(({ action }) => action === 'list');
  if (!list || list.list?.style === 'windowed') return undefined;
  const isPaged = list.list?.style !== 'single';
  const fetch = pager(asker, planRequest(family, list, { ids: [] }), family.idField);
  const { items, totalCount } = await fetch(isPaged ? { limit: LARGEST_PAGE, page: 1 } : {});
  const names = items.map(({ raw }) => nameOf(family, parseLossless(raw)));
  return { names, count: Math.max(totalCount ?? 0, names.length) };
}

/** The name of a set-up item on a line: its unique key, otherwise its name. */
function nameOf({ keys }: Family, item: Lossless): string {
  const own = keys.find(({ unique }) => unique)?.field;
  return (own && plain(get(item, own))) || (labelOf(item).split(', ')[0] ?? '');
}

/** The existing set-up if a name was not found: lists it if it is short. */
function othersOf(family: Family, { names, count }: Names): Text {
  const command = commandOf(family);
  if (count === 0) return `There are no ${command.replaceAll('-', ' ')} yet.`;
  const shown = names.filter((name) => name !== '').slice(0, MOST_LISTED);
  const more = count > shown.length ? `, and ${count - shown.length} more` : '';
  return say`There are: ${shown.map(quoted).join(', ')}${more}. All of them: ${cops`${command} list`}`;
}

/** Says that a known person has nothing of the family. */
const nothingOf = (family: Family, word: string, { who }: People, elsewhere: Text | undefined): CopsError =>
  usage(
    `${who} has no ${commandOf(family).replaceAll('-', ' ')}.`,
    elsewhere ?? say`All there is: ${cops`customers show ${word.trim()}`}`,
  );

/**
 * All items of the family, over all windows and pages, whose name is the word. If people have it as their current
 * address, the items are theirs, whatever address these show; an item that somebody else made under it is not.
 */
async function byList(
  family: Family,
  list: Operation,
  { word, sought, people }: { readonly word: string; readonly sought: Sought; readonly people: People | undefined },
  options: ResolveOptions,
): Promise<Found> {
  const [candidates, loose, near]: [Candidate[], Candidate[], Candidate[]] = [[], [], []];
  const names: string[] = [];
  const progress = (count: number): void => {
    if (count > SOON_READ) options.progress?.(`Looking for "${word}" in ${commandOf(family)}: ${count} read so far`);
  };
  const { count, doubt } = await eachFamilyItem(family, list, { ...options, onPage: progress }, ({ id, item, raw }) => {
    if (names.length < MOST_LISTED) names.push(nameOf(family, item));
    const answer = sought.answers(item, people);
    if (answer) (answer === 'exact' ? candidates : loose).push(candidateOf(family, id, item, raw, options.fits));
    else if (near.length < MOST_LISTED && sought.isNear(item, people))
      near.push(candidateOf(family, id, item, raw, options.fits));
  });
  const others = family.nature === 'set-up' ? othersOf(family, { names, count }) : undefined;
  return { candidates, loose, near, others, doubt, people };
}

const commandOf = (family: Family): string => family.name.replaceAll('_', '-');

/** A word as a line has it: quoted if a shell would split it. */
export const quoted = (word: string): string => (/^[\w@.+-]+$/.test(word) ? word : JSON.stringify(word));
