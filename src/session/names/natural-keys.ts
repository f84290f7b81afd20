import type { Family } from '../../catalogue/types.js';
import { looksLikeId } from '../../catalogue/value-formats.js';
import { get, type Lossless, plain } from '../../items/json/lossless.js';

/** What other systems call an item by, wherever an item carries it. */
const FOREIGN = ['internal_id', 'order_number', 'third_party_order_id'] as const;

/** True for an id with a character too few or too many: no name looks like it, and nothing is worth asking. */
export function isMistypedId(word: string): boolean {
  return (
    /^[A-Za-z0-9]{17,23}$/.test(word) &&
    word.length !== 20 &&
    /[a-z]/.test(word) &&
    /[A-Z]/.test(word) &&
    /\d/.test(word)
  );
}

/** The paths of an item that hold what people call it by: its natural keys, and its customer's e-mail address. */
export function namePaths(family: Family): readonly string[] {
  const paths = family.keys.map(({ field }) => field);
  const own: string[] = FOREIGN.filter((field) => family.item?.[field] !== undefined && !paths.includes(field));
  // People call what is set up by its name, whatever its key is.
  if (family.nature === 'set-up' && paths.length > 0 && !paths.includes('name')) own.push('name');
  const customers = family.item?.customer?.fields?.email === undefined ? [] : ['customer.email'];
  return [...paths, ...own, ...customers];
}

/**
 * True for a word that an item of the family may be called by: an e-mail address or a person's name where items carry
 * such, anything where they have keys of their own. A word that would change a path, or begins like an option, is none.
 */
export function canName(family: Family, word: string): boolean {
  if (looksLikeId(word) || isMistypedId(word) || /^[-.]|[/\\\u0000-\u001f\u007f]/.test(word)) return false;
  const paths = namePaths(family);
  if (paths.some((path) => path !== 'customer.email')) return word.trim() !== '';
  return paths.length > 0 && /\S[@ ]\S/.test(word);
}

/** The path by which a word names an item, or undefined. E-mail addresses in any case, all else letter by letter. */
export function matchedBy(family: Family, item: Lossless, word: string): string | undefined {
  const wanted = word.trim();
  for (const path of namePaths(family)) {
    const value = plain(get(item, path));
    if (value !== undefined && same(path, value, wanted)) return path;
  }
  const person = family.name === 'customers' ? item : get(item, 'customer');
  if (person !== undefined && fullName(person) === wanted) return 'name';
  return undefined;
}

/** The first and last name of a customer; empty where it has none. */
export function fullName(person: Lossless): string {
  const parts = ['first_name', 'last_name'].map((field) => plain(get(person, field)));
  return parts.filter((part) => part !== undefined && part !== '').join(' ');
}

function same(path: string, value: string, wanted: string): boolean {
  return /(^|\.)email$|_email$/.test(path) ? value.toLowerCase() === wanted.toLowerCase() : value === wanted;
}

function isZero(amount: string | undefined): boolean {
  return amount === undefined || /^-?0*(?:\.0*)?$/.test(amount);
}

/** The products of an order, the first two by name. */
function productsIn(item: Lossless): string | undefined {
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
  const given = isZero(refunded) ? undefined : `refunded ${refunded}`;
  // A total goes down with what is paid back: what was paid is what people know it by.
  const total = at('amount_total') ?? at('amount');
  const amount = given === undefined ? total : (at('amount_original_total') ?? at('amount') ?? total);
  const money = amount === undefined ? undefined : [amount, at('iso_currency')].filter(Boolean).join(' ');
  const whose = whom && person instanceof Map ? fullName(person) || undefined : undefined;
  const email = at('email') ?? (whom ? at('customer.email') : undefined);
  const parts = [own, product, at('status') ?? at('result'), money, given, whose, email];
  return parts.filter((part) => part !== undefined).join(', ');
}
