import { cops, say, type Text } from '../../base/text/command-line.js';
import { loadFamily } from '../../catalogue/index.js';
import { MOST_HITS } from '../../catalogue/terms.js';
import type { Family } from '../../catalogue/types.js';
import { get, parseLossless, plain } from '../../items/json/lossless.js';
import { cardIn, foldedWords, phoneIn } from '../../items/text/typed-value.js';
import type { LookedThrough } from '../read/search-lists.js';
import type { Look } from './ask.js';
import { readNamed } from './one.js';
import { columnsOf, type Section, textAt } from './sheet.js';

/** Searches a family's list for what a search did not find, with the remaining requests. */
export type LookFurther = (family: Family, term: string, most: number) => Promise<LookedThrough | undefined>;

/** People, and the sentence that says where the search looked. */
export interface PeopleMeant {
  readonly section: Section;
  /** People called nearly so, if nobody is called so. */
  readonly near?: Section | undefined;
  readonly says: Text;
}

const COLUMNS = columnsOf('id', 'first_name', 'last_name', 'email', 'company', 'phone');
/** Digits that may be the last four of a card. */
export const LAST_FOUR = /^\d{4}$/;
/** Requests reserved for people whom no search finds; with cards, each person takes one. */
const FOR_PEOPLE = 6;
/** The same for a single word. */
const FOR_WORD = 3;
const FOR_ADDRESSES = 5;
const FOR_CARDS = 7;
/** Requests for the owners of cards, who are read one by one. */
const FOR_HOLDERS = 4;

/** Card digits among other words. */
function digitsIn(term: string): string | undefined {
  const words = term.split(/\s+/);
  const [digits, ...others] = words.length > 1 ? words.filter((word) => LAST_FOUR.test(word)) : [];
  return others.length > 0 || phoneIn(term) !== '' ? undefined : digits;
}

/** How many requests a word may need besides those for the families. */
export function requestsKept(term: string): number {
  if (digitsIn(term) !== undefined) return FOR_CARDS;
  if (term.includes('@')) return FOR_ADDRESSES;
  if (!mayMeanPeople(term) || /^\S*\d\S*$/.test(term)) return 0;
  return /\s/.test(term) ? FOR_PEOPLE : FOR_WORD;
}

/** True for words that can name people and companies, and for phone numbers. */
export function mayMeanPeople(term: string): boolean {
  if (cardIn(term) || /^[^\s@]+@[^\s@]+$/.test(term)) return true;
  return phoneIn(term) !== '' || foldedWords(term).filter((word) => /\p{L}{2}/u.test(word)).length > 0;
}

/** A number written like a phone number: bare digits can be any number. */
export const isSpelledPhone = (term: string): boolean => phoneIn(term) !== '' && !/^\d+$/.test(term);

/**
 * People whom no search for the whole term finds: by its words in any order and spelling, by a phone number, and by the
 * name plus the last four digits of a card (`novak 4242`).
 */
export async function peopleMeant(look: Look, term: string, further: LookFurther): Promise<PeopleMeant | undefined> {
  const family = await loadFamily('customers');
  if (cardIn(term)) return byExpiry(look, term, further);
  const digits = digitsIn(term);
  if (digits !== undefined) {
    const name = term
      .split(/\s+/)
      .filter((word) => word !== digits)
      .join(' ');
    return byCard(look, family, name, digits, further);
  }
  const found = look.left > 0 ? await further(family, term, look.left) : undefined;
  if (!found) return undefined;
  tellRest(look, found);
  const command = cops`customers search ${term}`;
  const near =
    found.near.length > 0 ? { ...sectionOf(found.near, ''), ...NEAR, total: undefined, isCut: true } : undefined;
  return { section: sectionOf(found.items, command), near, says: found.says };
}

const NEAR = { word: 'near_customers', family: 'customers', title: 'customers called nearly so' } as const;

function tellRest(look: Look, { rest }: LookedThrough): void {
  if (rest?.fault) look.fail(rest.what, rest.fault, rest.lines[0] ?? '');
  else if (rest) look.skip(rest.what, rest.why, ...rest.lines);
}

/** The owners of the cards that end with these digits and expire in this month. */
async function byExpiry(look: Look, term: string, further: LookFurther): Promise<PeopleMeant | undefined> {
  const found = await further(await loadFamily('customer_cards'), term, look.mostSingle(look.left - FOR_HOLDERS));
  if (!found) return undefined;
  tellRest(look, found);
  const ids = new Set(found.items.map((raw) => textAt(parseLossless(raw), 'customer_id')));
  const wanted = [...ids].filter((id) => id !== '').map((id) => ({ family: 'customers', id }));
  const people = await readNamed(look, wanted, look.mostSingle(FOR_HOLDERS));
  const section = sectionOf(
    people.map(({ raw }) => raw),
    '',
  );
  return { section: { ...section, word: 'cardholders', family: 'customers', total: ids.size }, says: found.says };
}

async function byCard(
  look: Look,
  family: Family,
  name: string,
  digits: string,
  further: LookFurther,
): Promise<PeopleMeant | undefined> {
  const words = foldedWords(name);
  const cards = cops`customer-cards list --all-time --where ${`last_4=${digits}`}`;
  const hits = await look.read('customers', cops`customers search ${name}`, () => look.search('customers', name));
  if (hits.isWhole === false)
    look.skip(`more people called ${JSON.stringify(name)}`, `a search shows at most ${MOST_HITS}`, cards);
  const called = hits.items.filter((raw) => {
    const item = parseLossless(raw);
    const has = ['first_name', 'last_name', 'company', 'email'].flatMap((path) =>
      foldedWords(plain(get(item, path)) ?? ''),
    );
    return words.every((word) => has.some((one) => one.startsWith(word)));
  });
  // Cards take one request per person: half of the remaining requests go to finding the people.
  const through = called.length > 0 ? undefined : await further(family, name, Math.floor(look.left / 2));
  const all = called.length > 0 ? called : (through?.items ?? []);
  // All of them are asked at once: each would see that a request is left.
  const people = all.slice(0, look.mostSingle(all.length));
  if (people.length < all.length)
    look.skip(`cards of ${all.length - people.length} of ${all.length} people`, 'no request was left for them', cards);
  const holders = await Promise.all(
    people.map(async (raw) => {
      const id = textAt(parseLossless(raw), 'id');
      const found = await look.read(`cards of ${id}`, cops`customers payment-methods list ${id}`, () =>
        look.list('customers', [], 'payment-methods list', [id]),
      );
      return found.items.some((card) => textAt(parseLossless(card), 'last_4') === digits) ? [raw] : [];
    }),
  );
  const items = holders.flat();
  if (items.length === 0) return undefined;
  const says = say`Of ${people.length} called ${JSON.stringify(name)} ${items.length} ${items.length === 1 ? 'has' : 'have'} a card that ends with ${digits}.`;
  return { section: sectionOf(items, cops`customers search ${name}`), says };
}

function sectionOf(items: readonly string[], command: Text): Section {
  const filled = COLUMNS.filter(({ path }) => items.some((raw) => plain(get(parseLossless(raw), path))));
  return { word: 'customers', columns: filled, items, total: items.length, command };
}
