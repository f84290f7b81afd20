import { unless } from '../../base/errors/errors.js';
import type { ServiceRequest } from '../../base/transport.js';
import { findOperation, loadFamily } from '../../catalogue/index.js';
import type { Family, Operation } from '../../catalogue/types.js';
import { stripEnvelope } from '../../items/json/item-json.js';
import { get, type Lossless, parseLossless, plain } from '../../items/json/lossless.js';
import { asMeant, foldedWords } from '../../items/text/typed-value.js';
import type { PageFetch } from '../../service/request/pager.js';
import { planRequest, searchRequest } from '../../service/request/request-plan.js';
import { fullName } from './natural-keys.js';

/** Sends the requests: the reader of a run. */
export interface ListAsker extends PageFetch {
  /** The whole answer of a read. */
  answer(request: ServiceRequest): Promise<string>;
  /** True for a request that local data answers at no cost. */
  isKept?(request: ServiceRequest): boolean;
}

/**
 * The customers who have an e-mail address now. Items keep the address that their customer had at their creation.
 * `who`: the first one's name.
 */
export type People = NonNullable<Awaited<ReturnType<typeof peopleOf>>>;

/** Whether a word may mean an item of the family by its customer's e-mail address. */
export function isOfPerson(family: Family, word: string): boolean {
  const isPersons = family.item?.customer?.fields?.email !== undefined && family.name !== 'customers';
  return isPersons && /^[^\s@]+@[^\s@]+$/.test(asMeant(word));
}

/** If a key may not search, or the service does not know how, only the items are searched. */
const unlessUnknown = unless('not_authorised', 'not_found', 'refused');

/** The customers whom one search finds; none if the key may not search. */
async function customersFound(term: string, asker: ListAsker): Promise<Lossless[]> {
  const customers = await loadFamily('customers');
  const search = findOperation(customers, 'search') as Operation;
  const hits = await asker.page(searchRequest(customers, search, term), customers.idField).catch(unlessUnknown);
  return (hits?.items ?? []).map(({ raw }) => parseLossless(raw));
}

/** One search; undefined if nobody has the address, or the key may not search. */
export async function peopleOf(word: string, asker: ListAsker) {
  const people = (await customersFound(asMeant(word), asker)).filter(
    (one) => plain(get(one, 'email'))?.toLowerCase() === asMeant(word).toLowerCase(),
  );
  const ids = people.flatMap((one) => plain(get(one, 'id')) ?? []);
  const [first] = people;
  if (first === undefined || ids.length === 0) return undefined;
  return { ids: new Set(ids), who: [fullName(first), `(${asMeant(word)})`].filter(Boolean).join(' ') };
}

/** People to search for items of, by their addresses. */
const MOST_PEOPLE = 3;

/** The addresses of people whose first and last name are in some words: `Jonas Okafor Weekly Tea Box`. */
export async function addressesOf(words: string, asker: ListAsker): Promise<readonly string[]> {
  const said = words.replace(/['\u2019]s(?=\s|$)/gi, '').split(/\s+/);
  const all = new Set(foldedWords(said.join(' ')));
  if (said.length < 2) return [];
  const found = new Set<string>();
  for (const name of new Set([said.slice(0, 2).join(' '), said.slice(-2).join(' ')])) {
    for (const one of await customersFound(name, asker)) {
      const own = foldedWords(fullName(one));
      const address = plain(get(one, 'email'));
      if (address !== undefined && own.length > 1 && own.every((word) => all.has(word))) found.add(address);
    }
  }
  return [...found].slice(0, MOST_PEOPLE);
}

/** Whether somebody's details were ever changed: their items may then carry an earlier address. Takes one read for each person. */
export async function wereEdited({ ids }: People, asker: ListAsker): Promise<boolean> {
  const customers = await loadFamily('customers');
  const read = findOperation(customers, 'get') as Operation;
  const texts = await Promise.all(
    [...ids].map((id) => asker.answer(planRequest(customers, read, { ids: [id] })).catch(unlessUnknown)),
  );
  return texts.some((text) => text !== undefined && wasEdited(parseLossless(stripEnvelope(text))));
}

/** Whether a customer was changed since the first day: the e-mail address may have been different. */
export function wasEdited(person: Lossless): boolean {
  const at = (path: string) => Number(plain(get(person, path)) ?? 0);
  return at('updated_date_unix') > at('created_date_unix');
}

/** The id of the customer to whom an item belongs. */
export const ownerOf = (item: Lossless): string | undefined =>
  plain(get(item, 'customer.id')) ?? plain(get(item, 'customer_id'));
