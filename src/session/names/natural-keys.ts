import type { Family } from '../../catalogue/types.js';
import { looksLikeId } from '../../catalogue/value-formats.js';
import { get, type Lossless, plain } from '../../items/json/lossless.js';
import { fold } from '../../items/select/fold.js';
import { asMeant, foldedWords, isSamePhone, phoneIn } from '../../items/text/typed-value.js';

/** What other systems call an item, wherever an item shows it. */
const FOREIGN = ['internal_id', 'order_number', 'third_party_order_id'] as const;

/** True for an id with one character too few or too many: no name looks like it, so nothing needs to be looked up. */
export const isMistypedId = (word: string): boolean =>
  /^[A-Za-z0-9]{17,23}$/.test(word) &&
  word.length !== 20 &&
  /[a-z]/.test(word) &&
  /[A-Z]/.test(word) &&
  /\d/.test(word);

/** True for a word that may be a number: it contains a digit, and is not an address. */
export const mayBeNumber = (word: string): boolean =>
  /\d/.test(word) && !word.includes('@') && phoneIn(asMeant(word)) === '';

/** The paths of an item that hold its names: its natural keys, and its customer's e-mail address. */
export function namePaths(family: Family): readonly string[] {
  const paths = family.keys.map(({ field }) => field);
  const own: string[] = FOREIGN.filter(
    (field) => (family.item?.[field] ?? family.assumed?.[field]) !== undefined && !paths.includes(field),
  );
  // People call set-up by its name, whatever its key is.
  if (family.nature === 'set-up' && paths.length > 0 && !paths.includes('name')) own.push('name');
  const customers = family.item?.customer?.fields?.email === undefined ? [] : ['customer.email'];
  return [...paths, ...own, ...customers];
}

/**
 * True for a word that an item of the family may be called: an e-mail address or a person's name if items show one,
 * anything if they have their own keys. Never a word that would change a path, or starts like an option.
 */
export function canName(family: Family, word: string): boolean {
  const meant = asMeant(word);
  if (looksLikeId(meant) || isMistypedId(meant) || /^[-.]|[/\\\u0000-\u001f\u007f]/.test(meant)) return false;
  const paths = namePaths(family);
  if (paths.some((path) => path !== 'customer.email')) return meant !== '';
  return paths.length > 0 && /\S[@ ]\S/.test(meant);
}

/** The names of something for comparison: exact, and as people take them for the same. */
export interface NameKeys {
  readonly exact: readonly string[];
  /** Folded, with its words in any order, or a phone number: never enough for a live write. */
  readonly loose: readonly string[];
}

const isAddressPath = (path: string): boolean => /(^|\.)email$|_email$/.test(path);
/** A number is the same with and without the country code: compares the end that both have. */
const endOf = (phone: string): string => phone.replace(/\D/g, '').slice(-7);
const inAnyOrder = (words: readonly string[]): string[] => (words.length > 1 ? [[...words].sort().join(' ')] : []);

/** Words that join a person and a thing: `the Weekly Tea Box of Jonas Okafor`. */
const JOINING: ReadonlySet<string> = new Set(['by', 'for', 'from', 'of', 'the']);
const spokenWords = (text: string): string[] =>
  foldedWords(text.replace(/['\u2019]s(?=\s|$)/gi, '')).filter((word) => !JOINING.has(word));

/** What tells the items of one person apart, as people say it: products and the state. */
export function tellingOf(item: Lossless): string[] {
  const products = get(item, 'products');
  const own = [...(Array.isArray(products) ? products : []).map((one) => get(one, 'name')), get(item, 'product.name')];
  const all = [...own, get(item, 'status'), get(item, 'result')].flatMap((value) => plain(value) || []);
  return [...new Set(all)];
}

/** What an item of a family is called; one of a person also by that person and what tells it apart. */
export function nameKeysOf(family: Family, item: Lossless): NameKeys {
  const person = family.name === 'customers' ? item : get(item, 'customer');
  const full = person === undefined ? '' : fullName(person);
  const phone = endOf((family.name === 'customers' && plain(get(item, 'phone'))) || '');
  const [exact, loose]: [string[], string[]] = [[], []];
  for (const path of namePaths(family)) {
    const value = plain(get(item, path));
    if (value === undefined || value === '') continue;
    exact.push(isAddressPath(path) ? `@${value.toLowerCase()}` : `=${value}`);
    if (!isAddressPath(path)) loose.push(`~${fold(value)}`);
  }
  if (full !== '') exact.push(`=${full}`);
  loose.push(...inAnyOrder(foldedWords(full)).map((words) => `w${words}`));
  for (const one of full === '' || family.name === 'customers' ? [] : tellingOf(item)) {
    exact.push(`=${full} ${one}`, `=${one} ${full}`);
    loose.push(...inAnyOrder(spokenWords(`${full} ${one}`)).map((words) => `s${words}`));
  }
  if (phone.length === 7) loose.push(`p${phone}`);
  return { exact, loose };
}

/** The keys to search for a typed word. */
export function nameKeysOfWord(word: string): NameKeys {
  const [typed, meant] = [word.trim(), asMeant(word)];
  const phone = phoneIn(meant);
  return {
    exact: [...new Set([typed, meant])].flatMap((text) => [
      `=${text}`,
      ...(text.includes('@') ? [`@${text.toLowerCase()}`] : []),
    ]),
    loose: [
      `~${fold(meant)}`,
      ...inAnyOrder(foldedWords(meant)).map((words) => `w${words}`),
      ...inAnyOrder(spokenWords(meant)).map((words) => `s${words}`),
      ...(phone === '' ? [] : [`p${endOf(phone)}`]),
    ],
  };
}

/** True for a word that is exactly an item's name; e-mail addresses in any case. */
export function isCalled(family: Family, item: Lossless, word: string): boolean {
  const { exact } = nameKeysOf(family, item);
  return nameKeysOfWord(word).exact.some((key) => exact.includes(key));
}

/** True for a word that people take for the item's name although it is written differently, or for its phone number. */
export function isCalledLoosely(family: Family, item: Lossless, word: string): boolean {
  const { loose } = nameKeysOf(family, item);
  return nameKeysOfWord(word).loose.some((key) => loose.includes(key) && isPhoneKept(key, item, word));
}

/** The end of a number is not the whole number. */
export const isPhoneKept = (key: string, item: Lossless, word: string): boolean =>
  !key.startsWith('p') || isSamePhone(plain(get(item, 'phone')) ?? '', asMeant(word));

/** A customer's first and last name; empty if there is none. */
export function fullName(person: Lossless): string {
  const parts = ['first_name', 'last_name'].map((field) => plain(get(person, field)));
  return parts.filter((part) => part !== undefined && part !== '').join(' ');
}

/** The products of an order, the first two by name. */
export function productsIn(item: Lossless): string | undefined {
  const list = get(item, 'products');
  const names = (Array.isArray(list) ? list : []).flatMap((one) => plain(get(one, 'name')) || []);
  const more = names.length > 2 ? [`${names.length - 2} more`] : [];
  return names.length === 0 ? undefined : [...names.slice(0, 2), ...more].join(' + ');
}

/**
 * What a person recognises an item by, in a few words; empty where it has nothing of the kind.
 * @param whom false where the customer is known already
 */
export function labelOf(item: Lossless, whom = true): string {
  const at = (path: string) => plain(get(item, path)) || undefined;
  const own = at('name') ?? at('title') ?? at('coupon_code') ?? at('domain_name') ?? (fullName(item) || undefined);
  const product = at('product.name') ?? productsIn(item);
  const person = get(item, 'customer');
  const refunded = at('amount_refunded');
  const given = refunded === undefined || /^-?0*(?:\.0*)?$/.test(refunded) ? undefined : `refunded ${refunded}`;
  // A total decreases with refunds: people know the amount they paid.
  const total = at('amount_total') ?? at('amount');
  const amount = given === undefined ? total : (at('amount_original_total') ?? at('amount') ?? total);
  const money = amount === undefined ? undefined : [amount, at('iso_currency')].filter(Boolean).join(' ');
  const whose = whom && person instanceof Map ? fullName(person) || undefined : undefined;
  const email = at('email') ?? (whom ? at('customer.email') : undefined);
  const parts = [own, product, at('status') ?? at('result'), money, given, whose, email];
  return parts.filter((part) => part !== undefined).join(', ');
}
