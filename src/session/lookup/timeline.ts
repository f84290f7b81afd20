import { cops } from '../../base/text/command-line.js';
import { isoDay } from '../../base/time/units.js';
import { MOST_HITS } from '../../catalogue/terms.js';
import { get, type Lossless, parseLossless, plain } from '../../items/json/lossless.js';
import { labelOf } from '../names/natural-keys.js';
import { ownerOf } from '../names/people.js';
import type { Found, Look } from './ask.js';
import { productNames, purposeOf } from './charges.js';
import {
  belonging,
  type Known,
  keyOf,
  knownOf,
  type NamedItem,
  namedBy,
  PARTS,
  payerOf,
  readNamed,
  uniqueOf,
} from './one.js';
import { commandOf, madeOf, textAt } from './sheet.js';

/** One thing that happened, or is due. */
export interface Event {
  /** Unix seconds. */
  readonly time: number;
  readonly family: string;
  readonly id: string;
  /** `created`, `processed`, `next renewal`, ... */
  readonly what: string;
  readonly about: string;
  /** `cancelled` or `suspended`, if the item is so now and does not show since when. */
  readonly undated?: string;
}

/**
 * What happened, and the items to which it did. `items`: the family of each item by id, including parts of orders,
 * whose dates are those of their order.
 */
export type Life = Awaited<ReturnType<typeof lifeOf>>;

async function lifeOf(known: readonly Known[], events: readonly Event[]) {
  const parts = (await Promise.all(known.map(namedBy))).flat().filter(({ family }) => PARTS.has(family));
  return { events, items: new Map([...parts, ...events].map(({ id, family }) => [id, family])) };
}

/** Lists that take a customer: they use the id, whatever the customer's address was. */
const LISTS =
  `transactions subscription_renewals pending_refunds chargebacks wallet_transactions offline_payments`.split(/\s+/);
/** Families searched by the current address; the lists' items name those under another address. */
const SEARCHES = ['subscriptions', 'trials', 'sales', 'shipping'];
/** Families that others' items name; amounts to collect have neither a list by customer nor a search. */
const NAMED = [...SEARCHES, 'salvage_transactions'];
/** The same, only used if the number of requests does not matter. */
const MORE_LISTS = ['customer_cards', 'smtp_messages'];
const MORE_SEARCHES = ['fraud_detections'];

/** A customer's events, from all families that can be asked about a customer. */
export async function lifeOfPerson(look: Look, customer: string): Promise<Life> {
  const person = parseLossless(customer);
  const id = textAt(person, 'id');
  const email = textAt(person, 'email');
  const lists = [...LISTS, ...(look.isWhole ? MORE_LISTS : [])];
  const searches = [...SEARCHES, ...(look.isWhole ? MORE_SEARCHES : [])];
  const listed = lists.map((family) => look.listed(commandOf(family), family, id));
  const searched = searches.map((family) => look.byPerson(commandOf(family), family, person));
  const [inLists, hits] = await Promise.all([Promise.all(listed), Promise.all(searched)]);
  if (!look.isWhole) {
    const rest = [...MORE_LISTS, ...MORE_SEARCHES].map(commandOf).join(', ');
    look.skip(rest, 'left for --all', cops`timeline ${id} --all`);
    tellOlder(look, id, inLists);
  }
  look.tellEarlier(person, cops`timeline ${id} --all`);
  for (const [at, family] of lists.entries()) tellCutList(look, family, inLists[at], id);
  for (const [at, family] of searches.entries()) tellCutSearch(look, family, hits[at], email);
  const known = lists.flatMap((family, at) => (inLists[at]?.items ?? []).map((raw) => knownOf(family, raw)));
  const found = searches.flatMap((family, at) => ownHits(hits[at], email).map((raw) => knownOf(family, raw)));
  const whole = await readWhole(look, known, found, id);
  const all = [...known, ...whole];
  const names = productNames(all);
  const told = all.flatMap(({ family, raw }) => eventsOf(family, raw, look.now, false, names));
  return lifeOf(all, [...eventsOf('customers', customer, look.now), ...told]);
}

/** A search also finds similar words: hits with another address are somebody else's. */
const ownHits = (found: Found | undefined, email: string): string[] =>
  (found?.items ?? []).filter((raw) => {
    const shown = plain(get(parseLossless(raw), 'email'));
    return shown === undefined || shown === '' || shown.toLowerCase() === email.toLowerCase();
  });

/**
 * The whole items of hits, and of items that the lists' items name: a hit shows only one date, and no search finds
 * items under an earlier address. If an item cannot be read, its hit is all that is known.
 */
async function readWhole(
  look: Look,
  known: readonly Known[],
  hits: readonly Known[],
  customer: string,
): Promise<readonly Known[]> {
  const named = (await Promise.all(known.map(namedBy))).flat().filter(({ family }) => NAMED.includes(family));
  const first = await readEach(look, [...hits, ...named]);
  // Sales name the parcels and trials that no payment names.
  const further = (await Promise.all(first.map(namedBy))).flat().filter(({ family }) => NAMED.includes(family));
  const have = new Set(first.map(keyOf));
  const second = await readEach(
    look,
    further.filter((one) => !have.has(keyOf(one))),
  );
  const read = [...first, ...second].filter(({ id, item }) => id !== '' && plain(get(item, 'id')) === id);
  const own = read.filter(({ item }) => [undefined, customer].includes(ownerOf(item)));
  const got = new Set(read.map(keyOf));
  return [...own, ...hits.filter((hit) => !got.has(keyOf(hit)))];
}

/** Reads each item once, those that explain most first. */
function readEach(look: Look, wanted: readonly NamedItem[]): Promise<Known[]> {
  const unique = uniqueOf(wanted);
  return readNamed(
    look,
    NAMED.flatMap((family) => unique.filter((one) => one.family === family)),
  );
}

/** Says how far back the lists were read. */
function tellOlder(look: Look, id: string, lists: readonly Found[], but = ''): void {
  const since = lists.find((found) => found.since !== undefined)?.since;
  if (since !== undefined)
    look.skip(
      `${LISTS.map(commandOf).join(', ')} older than ${isoDay(since)}${but}`,
      'left for --all',
      cops`timeline ${id} --all`,
    );
}

/** Says so if a page is not the whole list. */
function tellCutList(look: Look, family: string, found: Found | undefined, id: string): void {
  const count = found?.items.length ?? 0;
  if ((found?.total ?? count) > count)
    look.skip(commandOf(family), `the newest ${count} of ${found?.total} were read`, look.listLine(family, id));
}

/** A search with the maximum number of hits may have more. */
function tellCutSearch(look: Look, family: string, found: Found | undefined, email: string): void {
  const command = commandOf(family);
  if ((found?.items.length ?? 0) >= MOST_HITS)
    look.skip(command, 'a search shows at most ten', cops`${command} list --all-time --customer ${email}`);
}

/** What happened around an item: its own dates, and those of everything that it names or is paid through. */
export async function lifeAround(look: Look, known: Known): Promise<Life> {
  const payer = payerOf(known);
  const named = await namedBy(known);
  const around = payer === undefined ? await readNamed(look, named) : await paidAround(look, known, payer, named);
  const all = [known, ...around];
  // The customer has a separate row: the others need not repeat it.
  const whom = !all.some(({ family }) => family === 'customers');
  const names = productNames(all);
  return lifeOf(
    all,
    all.flatMap(({ family, raw }) => eventsOf(family, raw, look.now, whom, names)),
  );
}

/** What an item names, and what its customer's lists show of it, newest first, while requests are left. */
async function paidAround(look: Look, known: Known, payer: string, named: readonly NamedItem[]): Promise<Known[]> {
  const lists = await Promise.all(LISTS.map((family) => look.listed(commandOf(family), family, payer)));
  const listed = lists.flatMap(({ items }, at) => items.map((raw) => knownOf(LISTS[at] ?? '', raw)));
  // A refund may name only the payment, and the payment only the renewal.
  const paid = await belonging([known], listed);
  const own = await belonging([known, ...paid], listed);
  for (const [at, family] of LISTS.entries()) tellCutList(look, family, lists[at], payer);
  const have = new Set([...own, known].map(keyOf));
  const isListed = ({ family }: NamedItem): boolean => LISTS.includes(family);
  const further = [...named, ...(await Promise.all(own.map(namedBy))).flat().filter(({ family }) => MONEY.has(family))];
  const others = await readNamed(look, uniqueOf(further.filter((one) => !isListed(one))));
  const older = named.filter((one) => isListed(one) && !have.has(keyOf(one))).toReversed();
  const isAll = lists.every(({ since = 0, isCut }) => since <= madeOf(known) && isCut !== true);
  if (look.isWhole)
    return [...own, ...others, ...(isAll || lists.some(({ isCut }) => isCut) ? await readNamed(look, older) : [])];
  if (!isAll) tellOlder(look, known.id, lists, ', except those shown');
  const read = await readNamed(look, older.slice(0, Math.ceil(look.left / 2)));
  const payments = (await Promise.all(read.map(namedBy)))
    .flat()
    .filter((one) => isListed(one) && !have.has(keyOf(one)));
  return [...own, ...others, ...read, ...(await readNamed(look, uniqueOf(payments).slice(0, look.left)))];
}

/** Money taken or paid back for something else, which a reader should see. */
const MONEY: ReadonlySet<string> = new Set([...LISTS, 'salvage_transactions', 'shipping']);

/** States in which planned events no longer happen. */
const ENDED = /^(?:cancelled|expired|voided?|suspended|occurrence_limit)$/i;

/**
 * The dated facts of one item, each as an event, with its notes. An update at the moment of creation is not an event,
 * nor is the future of an ended item.
 * @param now unix seconds
 * @param whom false if the customer is named elsewhere
 * @param names what items are called that a payment may be for
 */
export function eventsOf(
  family: string,
  raw: string,
  now: number,
  whom = true,
  names: ReadonlyMap<string, string> = new Map(),
): Event[] {
  const known = knownOf(family, raw);
  const { item, id } = known;
  const purpose = MONEY.has(family) ? purposeOf(known, names) : undefined;
  const label = [labelOf(item, whom || family === 'customers'), purpose && `for ${purpose}`].filter(Boolean).join(', ');
  const about = [stateOf(item), label].filter((part) => part !== '').join(' ');
  const created = momentAt(item, 'created_date_unix');
  const status = textAt(item, 'status').toLowerCase();
  const dates = datesOf(item, '').filter(({ time }) => !(ENDED.test(status) && time > now));
  const isStopped = status === 'cancelled' || status === 'suspended';
  const undated = isStopped && !dates.some(({ path }) => path === `${status}_date_unix`) ? { undated: status } : {};
  const told = dates.flatMap(({ path, time }): Event[] => {
    const name = path.split('.').at(-1) ?? path;
    if (/^(customer|ship_to|product|subscription_profile)\./.test(path)) return [];
    // A renewal repeats its subscription's schedule, which the subscription itself shows.
    if (family === 'subscription_renewals' && path.startsWith('billing.')) return [];
    if (name.startsWith('updated_') && time === created) return [];
    const what = name.replace(/_date_unix$|_unix$/, '').replaceAll('_', ' ');
    return [{ time, family, id, what, about, ...undated }];
  });
  return [...told, ...notesOn(item)];
}

/** The notes on an item; a note on two items has the same id. */
function notesOn(item: Lossless): Event[] {
  const notes = get(item, 'notes');
  return (Array.isArray(notes) ? notes : []).flatMap((note): Event[] => {
    const time = momentAt(note, 'created_date_unix');
    const about = textAt(note, 'text');
    return time === undefined ? [] : [{ time, family: 'notes', id: textAt(note, 'id'), what: 'note', about }];
  });
}

function stateOf(item: Lossless): string {
  const isSaid = textAt(item, 'status').toLowerCase() === 'overdue';
  return plain(get(item, 'is_overdue')) === 'true' && !isSaid ? 'overdue,' : '';
}

function datesOf(item: Lossless, prefix: string): { readonly path: string; readonly time: number }[] {
  if (!(item instanceof Map)) return [];
  return [...item].flatMap(([name, value]) => {
    const path = prefix + name;
    if (value instanceof Map && prefix === '') return datesOf(value, `${name}.`);
    const time = /_unix$/.test(name) ? momentAt(item, name) : undefined;
    return time === undefined ? [] : [{ path, time }];
  });
}

function momentAt(item: Lossless, name: string): number | undefined {
  const text = plain(get(item, name));
  return text !== undefined && /^\d{1,12}$/.test(text) && Number(text) > 0 ? Number(text) : undefined;
}

/** In order of time; each once, even if several items name it. */
export function ordered(events: readonly Event[]): Event[] {
  const unique = new Map(
    events.map((event) => [JSON.stringify([event.family, event.id, event.what, event.time]), event]),
  );
  return [...unique.values()].sort((a, b) => a.time - b.time || a.family.localeCompare(b.family));
}
