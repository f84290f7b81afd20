import { cops, say, type Text } from '../../base/text/command-line.js';
import { isoDay } from '../../base/time/units.js';
import { loadFamily } from '../../catalogue/index.js';
import type { Family, Operation } from '../../catalogue/types.js';
import { looksLikeId } from '../../catalogue/value-formats.js';
import type { Lossless } from '../../items/json/lossless.js';
import { asMeant } from '../../items/text/typed-value.js';
import { areOfSeveral, type Candidate, candidateOf, type Fits, fitsOf, newestAmong } from './candidates.js';
import { eachFamilyItem, type FamilyItem, type FamilyItemsOptions } from './family-items.js';
import { canName, isPhoneKept, mayBeNumber, nameKeysOf, nameKeysOfWord } from './natural-keys.js';
import { orderPartIn, partsOfOrders } from './order-parts.js';
import { isOfPerson, ownerOf, peopleOf } from './people.js';
import type { Named } from './resolve-name.js';

/** The meaning of one of many words. */
export type MeantByWord =
  | { readonly named: Named }
  /** What it may mean, why that settles nothing, and whether a person must settle it (12) or the line is wrong (2). */
  | { readonly candidates: readonly Candidate[]; readonly why: string; readonly stops: boolean };

export interface ManyOptions extends FamilyItemsOptions {
  /** True for a write in live mode: similar names and phone numbers settle nothing. */
  readonly isLive: boolean;
  /** The operation for which each person's newest item is meant (`--latest`). */
  readonly latest?: Operation | undefined;
  /** An operation: if it is still possible for only one of a person's items, that one is meant. */
  readonly openFor?: Operation | undefined;
  readonly progress?: (text: string) => void;
}

/** Up to this many people are searched for one by one; for more, the list is read once. */
const FEW_PEOPLE = 25;
/** Families whose numbers also identify a customer, in the order in which they are asked. */
const NUMBERS_OF_CUSTOMERS = ['sales'] as const;

/** Words by their search keys. */
class Wanted {
  readonly #exact = new Map<string, string[]>();
  readonly #loose = new Map<string, string[]>();

  constructor(words: Iterable<string>) {
    for (const word of words) {
      const { exact, loose } = nameKeysOfWord(word);
      for (const key of exact) add(this.#exact, key, word);
      for (const key of loose) add(this.#loose, key, word);
    }
  }

  /** The words that are exactly an item's name. */
  exactly(family: Family, item: Lossless): Set<string> {
    return new Set(nameKeysOf(family, item).exact.flatMap((key) => this.#exact.get(key) ?? []));
  }

  /** The words that people would take for its name. */
  loosely(family: Family, item: Lossless): Set<string> {
    const keys = nameKeysOf(family, item).loose;
    return new Set(keys.flatMap((key) => (this.#loose.get(key) ?? []).filter((word) => isPhoneKept(key, item, word))));
  }
}

function add<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

/**
 * The meanings of many words in one family. Reads each list that can tell once and to its end, which proves for all of
 * them that no other item has the name. An order number also identifies a customer.
 */
export async function resolveMany(
  family: Family,
  words: ReadonlySet<string>,
  options: ManyOptions,
): Promise<ReadonlyMap<string, MeantByWord>> {
  const found = new Map<string, MeantByWord>();
  const asked = [...words].filter((word) => canName(family, word));
  const parts = await byOrders(family, words, options);
  const list = family.operations.find(({ action }) => action === 'list');
  if (!list || asked.length === 0) return parts;
  const people = await ownersOf(family, asked, options);
  const wanted = new Wanted(asked.filter((word) => !people.has(word)));
  const wordsOfOwner = new Map<string, string[]>();
  for (const [word, ids] of people) for (const id of ids) add(wordsOfOwner, id, word);
  const [exact, loose] = [new Map<string, Candidate[]>(), new Map<string, Candidate[]>()];
  const fits = stateFits(family, options);
  const { doubt } = await readThrough(family, list, asked.length, options, ({ id, item, raw }) => {
    const owner = people.size > 0 ? ownerOf(item) : undefined;
    const called = [...wanted.exactly(family, item), ...((owner && wordsOfOwner.get(owner)) || [])];
    const nearly = [...wanted.loosely(family, item)].filter((word) => !called.includes(word));
    if (called.length + nearly.length === 0) return;
    const one = candidateOf(family, id, item, raw, fits);
    for (const word of called) add(exact, word, one);
    for (const word of nearly) add(loose, word, one);
  });
  for (const word of asked) {
    const called = { exact: exact.get(word) ?? [], loose: loose.get(word) ?? [] };
    found.set(word, judgedOne(family, word, { ...called, doubt, people: people.get(word)?.size }, options));
  }
  if (family.name === 'customers') await byNumbers(found, family, options);
  // Words that name nothing themselves are taken as order numbers.
  for (const [word, meant] of parts) if (!('named' in (found.get(word) ?? {}))) found.set(word, meant);
  return found;
}

/** The parts of orders that words name, reading the orders once: `O-264`, `O-264 Ceramic Mug`. */
async function byOrders(
  family: Family,
  words: ReadonlySet<string>,
  options: ManyOptions,
): Promise<Map<string, MeantByWord>> {
  const found = new Map<string, MeantByWord>();
  const wanted = new Map(
    [...words].flatMap((word) => {
      const part = orderPartIn(family, word);
      return part ? [[word, part] as const] : [];
    }),
  );
  const sales = await loadFamily('sales');
  const list = sales.operations.find(({ action }) => action === 'list');
  if (wanted.size === 0 || !list) return found;
  const numbers = new Wanted(new Set([...wanted.values()].map(({ number }) => number)));
  const orders = new Map<string, string[]>();
  const { doubt } = await readThrough(sales, list, wanted.size, options, ({ id, item }) => {
    for (const number of numbers.exactly(sales, item)) add(orders, number, id);
  });
  const { asker } = options;
  const fits = stateFits(family, options);
  for (const [word, part] of wanted) {
    const ids = orders.get(part.number) ?? [];
    const { candidates, loose } = await partsOfOrders(family, ids, part, { asker, sales, fits });
    found.set(word, judgedOne(family, word, { exact: candidates, loose, doubt }, options));
  }
  return found;
}

function readThrough(
  family: Family,
  list: Family['operations'][number],
  count: number,
  options: ManyOptions,
  take: (one: FamilyItem) => void,
) {
  const where = family.name.replaceAll('_', '-');
  const onPage = (read: number): void =>
    options.progress?.(`Looking for ${count} ${count === 1 ? 'name' : 'names'} in ${where}: ${read} read so far`);
  return eachFamilyItem(family, list, { ...options, onPage }, take);
}

interface OfWord {
  readonly exact: readonly Candidate[];
  readonly loose: readonly Candidate[];
  readonly doubt: string | undefined;
  /** How many people have it as their e-mail address. */
  readonly people?: number | undefined;
}

function judgedOne(family: Family, word: string, of: OfWord, options: ManyOptions): MeantByWord {
  const { exact, loose, doubt } = of;
  const where = family.name.replaceAll('_', '-');
  const nearly = exact.length === 0;
  const candidates = nearly ? loose : exact;
  const [only] = candidates;
  const unsettled = (why: string, stops = nearly && candidates.length > 0): MeantByWord => ({ candidates, why, stops });
  if (!only) return unsettled(`names no item of ${where}`);
  if (nearly && options.isLive) return unsettled('is the name of nothing letter by letter, which a live write needs');
  if (candidates.length > 1) {
    const newest = doubt === undefined && options.latest ? newestOfOne(family, candidates, of.people) : undefined;
    if (newest && !('why' in newest)) return { named: { ...newest, typed: word, family: family.name } };
    if (newest) return unsettled(newest.why, newest.isOfSeveral && options.isLive);
    const mayTell = options.openFor && doubt === undefined && !areOfSeveral(candidates, of.people ?? 0);
    const [open, ...others] = mayTell ? candidates.filter(({ fits }) => fits !== false) : [];
    if (open && others.length === 0) {
      const label = `${open.label}, the only one of ${candidates.length} for which this is still possible`;
      return { named: { ...open, label, typed: word, family: family.name } };
    }
    return unsettled(`means ${candidates.length} items of ${where}`);
  }
  if (doubt !== undefined) return unsettled(`may mean others as well: ${doubt}`);
  const day = family.nature === 'event' && only.made !== undefined ? `made ${isoDay(only.made)}` : '';
  const label = [only.label, day].filter(Boolean).join(', ');
  return { named: { ...only, label, typed: word, family: family.name } };
}

function stateFits(family: Family, { latest, openFor }: ManyOptions): Fits | undefined {
  const operation = latest ?? openFor;
  return operation && fitsOf(family, operation);
}

/** The newest candidate, if all belong to one person: a date does not say which of several people is meant. */
function newestOfOne(
  family: Family,
  candidates: readonly Candidate[],
  people = 0,
): Candidate | { readonly why: string; readonly isOfSeveral: boolean } {
  if (areOfSeveral(candidates, people)) {
    const all = `${candidates.length} items of ${family.name.replaceAll('_', '-')}`;
    const why = `means ${all}, of more than one person, and --latest does not tell which of them is meant`;
    return { why, isOfSeveral: true };
  }
  const newest = newestAmong(family, candidates);
  return 'why' in newest ? { why: newest.why, isOfSeveral: false } : newest;
}

/** The customers who have the e-mail addresses among the words now: items keep the one that was theirs. */
async function ownersOf(
  family: Family,
  words: readonly string[],
  options: ManyOptions,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const owners = new Map<string, Set<string>>();
  const addresses = words.filter((word) => isOfPerson(family, word));
  if (addresses.length === 0) return owners;
  if (addresses.length <= FEW_PEOPLE) {
    for (const word of addresses) {
      const people = await peopleOf(word, options.asker);
      if (people) owners.set(word, new Set(people.ids));
    }
    return owners;
  }
  const customers = await loadFamily('customers');
  const list = customers.operations.find(({ action }) => action === 'list');
  const wanted = new Wanted(addresses);
  if (list)
    await readThrough(customers, list, addresses.length, options, ({ id, item }) => {
      for (const word of wanted.exactly(customers, item)) owners.set(word, (owners.get(word) ?? new Set()).add(id));
    });
  return owners;
}

/** Customers by the numbers of their purchases, for words that name no customer directly. */
async function byNumbers(found: Map<string, MeantByWord>, customers: Family, options: ManyOptions): Promise<void> {
  const left = [...found].flatMap(([word, meant]) =>
    'candidates' in meant && meant.candidates.length === 0 && mayBeNumber(word) ? word : [],
  );
  for (const name of left.length === 0 ? [] : NUMBERS_OF_CUSTOMERS) {
    const family = await loadFamily(name);
    const list = family.operations.find(({ action }) => action === 'list');
    if (!list) continue;
    const wanted = new Wanted(left);
    const of = new Map<string, Candidate[]>();
    const { doubt } = await readThrough(family, list, left.length, options, ({ id, item, raw }) => {
      const owner = ownerOf(item);
      if (owner === undefined) return;
      const { label } = candidateOf(family, id, item, raw);
      for (const word of wanted.exactly(family, item))
        add(of, word, { id: owner, label: [`customer of ${name} ${id}`, label].filter(Boolean).join(', ') });
    });
    for (const [word, candidates] of of)
      found.set(word, judgedOne(customers, word, { exact: oneEach(candidates), loose: [], doubt }, options));
  }
}

function oneEach(candidates: readonly Candidate[]): Candidate[] {
  return [...new Map(candidates.map((one) => [one.id, one])).values()];
}

/** The id in a word, without surrounding characters; undefined if it contains none. */
export function idIn(word: string): string | undefined {
  const meant = asMeant(word);
  return looksLikeId(meant) ? meant : undefined;
}

/** The possible meanings of a word that settled nothing, in one line. */
export function unsettledLine(word: string, { candidates, why }: Extract<MeantByWord, { why: string }>): Text {
  const some = candidates.slice(0, 3).map(({ id, label }) => (label === '' ? id : `${id} (${label})`));
  const more = candidates.length > some.length ? `, and ${candidates.length - some.length} more` : '';
  const may = some.length === 0 ? say`; ${cops`find ${word}`} looks everywhere` : `: ${some.join('; ')}${more}`;
  return say`"${word}" ${why}${may}`;
}
