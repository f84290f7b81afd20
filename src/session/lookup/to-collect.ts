import Big from 'big.js';
import { cops } from '../../base/text/command-line.js';
import { MOST_HITS } from '../../catalogue/terms.js';
import { idsAt, type Lossless, parseLossless } from '../../items/json/lossless.js';
import { minorDigits } from '../../items/schema/types.js';
import { ownerOf } from '../names/people.js';
import type { Found, Look } from './ask.js';
import { type Known, readNamed } from './one.js';
import { madeOf, textAt } from './sheet.js';

/** Most hits of a search to read one by one. */
export const MOST_SINGLE = 20;

/**
 * A customer's amounts still to be collected. `open`: newest first. `items`: their exact texts. `isWhole`: false if an
 * item that may name one was not read.
 */
export type ToCollect = Awaited<ReturnType<typeof toCollectOf>>;

const named = (raws: readonly string[]): string[] => [
  ...new Set(raws.flatMap((raw) => idsAt(parseLossless(raw), 'salvage_transactions'))),
];

const asNamed = (ids: readonly string[]) => ids.map((id) => ({ family: 'salvage_transactions', id }));

/** Reads the amounts to collect that items name, as far as requests are left; the rest is read later. */
export async function readFirst(look: Look, raws: readonly string[]): Promise<void> {
  await readNamed(look, asNamed(named(raws).slice(0, Math.max(0, look.left))));
}

/**
 * The amounts still to be collected: no list shows them by customer, so they are found through subscriptions, orders,
 * trials and payments.
 * @param raws all items that may name one
 * @param isAll false where not all of these items could be read
 * @param most requests at most
 */
export async function toCollectOf(
  look: Look,
  raws: readonly string[],
  isAll: boolean,
  most = Number.POSITIVE_INFINITY,
) {
  const ids = named(raws);
  const read = await readNamed(look, asNamed(ids), most);
  const open = read.filter(isOpen).sort((a, b) => madeOf(b) - madeOf(a));
  return { open, items: open.map(({ raw }) => raw), isWhole: isAll && read.length === ids.length };
}

/** A hit of a search shows only when it was created: reads each if requests are left for all. */
export async function readHits(look: Look, family: string, hits: Found): Promise<Found> {
  const ids = hits.items.map((raw) => textAt(parseLossless(raw), 'id'));
  const isRoom = ids.length <= Math.min(look.mostSingle(MOST_SINGLE), look.left);
  const read = isRoom
    ? await readNamed(
        look,
        ids.map((id) => ({ family, id })),
      )
    : [];
  return read.length === ids.length ? { ...hits, items: read.map(({ raw }) => raw) } : { ...hits, isWhole: false };
}

/** Whether an amount is still to be collected. */
export function isOpen({ item }: Known): boolean {
  const state = textAt(item, 'status').toLowerCase();
  const isEnded = state === 'processed' || state === 'disabled' || textAt(item, 'enabled') === 'false';
  return !isEnded && Number(textAt(item, 'amount_remaining')) > 0;
}

/** Requests reserved to explain one failure. */
const KEPT = 4;

/** What a customer still has to pay now, however long ago it failed. */
export interface OpenNow {
  /** Subscriptions that are overdue, among those that were read. */
  readonly subscriptions: readonly Known[];
  /** Reads the other subscriptions, while requests are left. */
  readonly rest: () => Promise<Pick<OpenNow, 'subscriptions' | 'isWhole' | 'raws'>>;
  /** How many of the customer's subscriptions were not read. */
  readonly unread: () => number;
  /** Amounts to collect, as far as they were read first. */
  readonly salvages: readonly Known[];
  /** False where not all subscriptions were looked at. */
  readonly isWhole: boolean;
  /** Items that may name amounts to collect. */
  readonly raws: readonly string[];
}

/**
 * Reads a customer's subscriptions, found by e-mail address, and the first amounts still to be collected.
 * @param lists payments and renewals, which name what is to collect too
 */
export async function openNow(look: Look, person: Lossless, lists: Promise<readonly Found[]>): Promise<OpenNow> {
  const { named, isFound } = await subscriptionsOf(look, person);
  const own = await ownOf(look, person, named, Math.max(1, look.left - KEPT - 1));
  const unread = (): number => named.filter(({ family, id: one }) => !look.hasRead(family, one)).length;
  const isWhole = isFound && unread() === 0;
  const listed = (await lists).flatMap(({ items }) => items);
  const rawsWith = (known: readonly Known[]): string[] => [...listed, ...known.map(({ raw }) => raw)];
  const rest = async () => {
    const all = await ownOf(look, person, named);
    return { subscriptions: all.filter(isOverdue), isWhole: isFound && unread() === 0, raws: rawsWith(all) };
  };
  const raws = rawsWith(own);
  const { open } = await toCollectOf(look, raws, isWhole, Math.max(1, look.left - KEPT));
  return { subscriptions: own.filter(isOverdue), rest, unread, salvages: open, isWhole, raws };
}

const isOverdue = ({ item }: Known): boolean => textAt(item, 'status').toLowerCase() === 'overdue';

/** Everything still to be collected, with the remaining requests; says if there may be more. */
export async function allToCollect(
  look: Look,
  person: Lossless,
  { raws, isWhole }: OpenNow,
  around: readonly Known[],
): Promise<ToCollect> {
  const known = [...raws, ...around.map(({ raw }) => raw)];
  await readFirst(look, known);
  const further = await furtherOf(look, person);
  const found = await toCollectOf(look, [...known, ...further.items], isWhole && further.isWhole === true);
  if (!found.isWhole)
    look.skip(
      'further amounts to collect',
      'orders or trials that were not read may name them',
      cops`salvage-transactions list --all-time --customer ${textAt(person, 'id')}`,
    );
  return found;
}

type Named = Parameters<typeof readNamed>[1];

/** The subscriptions that a search finds; `isFound` is false if there may be more. */
async function subscriptionsOf(
  look: Look,
  person: Lossless,
): Promise<{ readonly named: Named; readonly isFound: boolean }> {
  const rest = cops`subscriptions list --customer ${textAt(person, 'id')}`;
  const email = textAt(person, 'email');
  if (email === '') {
    look.skip('subscriptions', 'the customer has no e-mail address to search by', rest);
    return { named: [], isFound: false };
  }
  const before = look.notRead.length;
  const hits = await look.read('subscriptions', rest, () => look.search('subscriptions', email));
  if ((hits.total ?? hits.items.length) >= MOST_HITS)
    look.skip('further subscriptions', 'a search shows at most ten', rest);
  look.tellEarlier(person, rest);
  const named = hits.items.map((raw) => ({ family: 'subscriptions', id: textAt(parseLossless(raw), 'id') }));
  return { named, isFound: look.notRead.length === before };
}

/** The person's own subscriptions: a search may also find other people's. */
async function ownOf(look: Look, person: Lossless, named: Named, most?: number): Promise<readonly Known[]> {
  const read = await readNamed(look, named, most);
  return read.filter(({ item }) => [undefined, textAt(person, 'id')].includes(ownerOf(item)));
}

/** Trials and orders: nothing else names their failures from before the start of the lists. */
async function furtherOf(look: Look, person: Lossless): Promise<Found> {
  const items: string[] = [];
  let isWhole = true;
  const count = textAt(person, 'sales_count');
  if (count === '0') return { items, isWhole };
  for (const [what, family] of [
    ['trials', 'trials'],
    ['orders', 'sales'],
  ] as const) {
    // The search itself and at least one hit.
    if (textAt(person, 'email') === '' || look.left < 2) return { items, isWhole: false };
    const hits = await look.byPerson(what, family, person);
    const read = await readHits(look, family, hits);
    items.push(...read.items);
    isWhole &&= read.isWhole === true && (family === 'trials' || read.items.length >= Number(count || 0));
  }
  return { items, isWhole };
}

/** The most recently tried open renewal, by id; undefined if no request is left, or none is named. */
export async function lastRenewalOf(look: Look, { subscriptions, salvages }: OpenNow): Promise<Known | undefined> {
  const ids = [...salvages, ...subscriptions].flatMap(({ item }) => idsAt(item, 'subscription_renewals').slice(-1));
  const wanted = [...new Set(ids)].slice(0, 2).map((id) => ({ family: 'subscription_renewals', id }));
  const read = await readNamed(look, wanted, Math.max(0, look.left - KEPT + 1));
  const failed = read.filter(({ item }) => textAt(item, 'is_overdue') === 'true');
  return failed.sort((a, b) => madeOf(b) - madeOf(a))[0];
}

/** The amounts to collect, by currency; '' if there are none. */
export function toCollect(salvages: readonly Known[], isWhole: boolean): string {
  const sums = new Map<string, Big>();
  for (const { item } of salvages) {
    const currency = textAt(item, 'iso_currency');
    sums.set(currency, new Big(textAt(item, 'amount_remaining')).plus(sums.get(currency) ?? 0));
  }
  if (sums.size === 0) return '';
  const digits = (currency: string, sum: Big): string => sum.toFixed(minorDigits(currency));
  const told = [...sums].map(([currency, sum]) => `${digits(currency, sum)} ${currency}`.trim()).join(' and ');
  const count = salvages.length === 1 ? '' : ` (${salvages.length} amounts)`;
  return `${isWhole ? '' : 'at least '}${told} to collect${count}`;
}
