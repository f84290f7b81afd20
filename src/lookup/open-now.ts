import Big from 'big.js';
import { type Lossless, parseLossless } from '../json/lossless.js';
import { minorDigits } from '../schema/minor-units.js';
import { customerOf, type Look, MOST_HITS } from './ask.js';
import { idsAt, madeOf, textAt } from './item.js';
import { type Known, readNamed } from './one.js';

/** Requests that are kept for the explanation of one failure. */
const KEPT = 4;

/** What of a customer waits to be paid now, however long ago it failed. */
export interface OpenNow {
  /** Subscriptions that are overdue. */
  readonly subscriptions: readonly Known[];
  /** Amounts that are still to collect. */
  readonly salvages: readonly Known[];
  /** False where not all of it was looked at. */
  readonly isWhole: boolean;
}

/** Reads a customer's subscriptions, found by the e-mail address, and what they name as still to collect. */
export async function openNow(look: Look, person: Lossless): Promise<OpenNow> {
  const [id, email] = [textAt(person, 'id'), textAt(person, 'email')];
  const rest = `cops subscriptions list --customer ${id}`;
  if (email === '') {
    look.skip('subscriptions', 'the customer has no e-mail address to search by', rest);
    return { subscriptions: [], salvages: [], isWhole: false };
  }
  const before = look.notRead.length;
  const hits = await look.read('subscriptions', rest, () => look.search('subscriptions', email));
  if ((hits.total ?? hits.items.length) >= MOST_HITS)
    look.skip('further subscriptions', 'a search shows ten at most', rest);
  look.tellEarlier(person, rest);
  const named = hits.items.map((raw) => ({ family: 'subscriptions', id: textAt(parseLossless(raw), 'id') }));
  const read = await readNamed(look, named, Math.max(1, look.left - KEPT - 1));
  const own = read.filter(({ item }) => [undefined, id].includes(customerOf(item)));
  const subscriptions = own.filter(({ item }) => textAt(item, 'status').toLowerCase() === 'overdue');
  const ids = [...new Set(own.flatMap(({ item }) => idsAt(item, 'salvage_transactions')))];
  const salvages = await readNamed(
    look,
    ids.reverse().map((one) => ({ family: 'salvage_transactions', id: one })),
    Math.max(1, look.left - KEPT),
  );
  return { subscriptions, salvages: salvages.filter(isOpen), isWhole: look.notRead.length === before };
}

/** The renewal that was tried last of what is open, by its id; undefined where no request is left, or none is named. */
export async function lastRenewalOf(look: Look, { subscriptions, salvages }: OpenNow): Promise<Known | undefined> {
  const ids = [...salvages, ...subscriptions].flatMap(({ item }) => idsAt(item, 'subscription_renewals').slice(-1));
  const wanted = [...new Set(ids)].slice(0, 2).map((id) => ({ family: 'subscription_renewals', id }));
  const read = await readNamed(look, wanted, Math.max(0, look.left - KEPT + 1));
  const failed = read.filter(({ item }) => textAt(item, 'is_overdue') === 'true');
  return failed.sort((a, b) => madeOf(b) - madeOf(a))[0];
}

/** What is to collect, added up by currency; '' where nothing is. What was not read may come on top. */
export function toCollect(salvages: readonly Known[]): string {
  const [first, ...others] = salvages.map(({ item }) => item);
  if (first !== undefined && others.length === 0)
    return `at least ${textAt(first, 'amount_remaining')} ${textAt(first, 'iso_currency')}`
      .trim()
      .concat(' to collect');
  const sums = new Map<string, Big>();
  for (const { item } of salvages) {
    const currency = textAt(item, 'iso_currency');
    sums.set(currency, new Big(textAt(item, 'amount_remaining')).plus(sums.get(currency) ?? 0));
  }
  if (sums.size === 0) return '';
  const digits = (currency: string, sum: Big): string => sum.toFixed(minorDigits(currency));
  const told = [...sums].map(([currency, sum]) => `${digits(currency, sum)} ${currency}`.trim()).join(' and ');
  return `at least ${told} to collect (${salvages.length} amounts)`;
}

/** Whether an amount is still to collect. */
export function isOpen({ item }: Known): boolean {
  const state = textAt(item, 'status').toLowerCase();
  const isEnded = state === 'processed' || state === 'disabled' || textAt(item, 'enabled') === 'false';
  return !isEnded && Number(textAt(item, 'amount_remaining')) > 0;
}
