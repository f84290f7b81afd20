import { orElse } from '../../base/errors/errors.js';
import { looksLikeId } from '../../catalogue/value-formats.js';
import { hideCards } from '../secrets/redact.js';
import { fold } from '../select/fold.js';

/** Zero-width characters, which often come along when text is copied. */
const UNSEEN = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;
const QUOTE = '["\'`\u00b4\u2018-\u201f\u00ab\u00bb\u2039\u203a\u300c\u300d]';
/** Decoration around a value; each pattern captures the value in its first group. */
const AROUND: readonly RegExp[] = [
  new RegExp(`^${QUOTE}(.*)${QUOTE}$`, 'u'),
  /^\((.*)\)$/u,
  /^\[(.*)\]$/u,
  /^<(.*)>$/u,
  /^[^<>]*<([^<>\s]+@[^<>\s]+)>$/u,
  /^(?:mailto|tel):([^?]+)(?:\?.*)?$/iu,
  /^(.*\S)\s*[,;]$/u,
  /^#\s*([\p{L}\p{N}].*)$/u,
];

/** A phone number has at least this many digits, and so does a part of one that is used for a search. */
const FEWEST_DIGITS = 7;
const MOST_DIGITS = 15;
const APOSTROPHE = /'/g;

/**
 * A value as meant, wherever it was copied from: without its decoration (white space, quotes, brackets, `mailto:`, the
 * `#` of an order number, the URL of a page that shows it). Letters and digits stay as they are.
 */
export function asMeant(typed: string): string {
  // An id has nothing around it, and the patterns take the engine a while to make.
  if (/^\w+$/.test(typed)) return typed;
  let text = typed.replace(UNSEEN, '').replace(/\s+/g, ' ').trim();
  for (;;) {
    const inside = insideOf(text).trim();
    if (inside === text || inside === '') return text;
    text = inside;
  }
}

function insideOf(text: string): string {
  for (const around of AROUND) {
    const inside = around.exec(text)?.[1];
    // `(a) or (b)` is not one pair of brackets.
    if (inside !== undefined && !(/^[([]/.test(text) && /[()[\]]/.test(inside))) return inside;
  }
  return /^https?:\/\//i.test(text) ? inAddress(text) : text;
}

/** The only id or e-mail address in a URL; the URL itself if there is none, or several. */
function inAddress(text: string): string {
  if (!URL.canParse(text)) return text;
  const { pathname, search, hash } = new URL(text);
  const parts = `${pathname}${search}${hash}`.split(/[/?&=#]/).map((part) => {
    return orElse(() => decodeURIComponent(part), part);
  });
  const ids = new Set(parts.filter((part) => /^[A-Za-z0-9]+$/.test(part) && looksLikeId(part)));
  const addresses = new Set(parts.filter((part) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(part)));
  const [only = text, ...others] = ids.size > 0 ? ids : addresses;
  return others.length > 0 ? text : only;
}

/** The words of a text normalised for comparison: folded, `O'Brien` and `OBrien` equal. */
export function foldedWords(text: string): string[] {
  return fold(text)
    .replace(APOSTROPHE, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** The words of a name as people may type them: `O'Brien's` is `obriens`, and `o`, `brien`, `s`. */
export function wordsOfName(text: string): string[] {
  return [...new Set([...foldedWords(text), ...foldedWords(fold(text).replace(APOSTROPHE, ' '))])];
}

/** A folded word without what is written for an umlaut: `mueller` and `muller` are one, as `bjoern` and `bjorn`. */
export function spokenAs(word: string): string {
  return word.replace(/([aou])e/g, '$1').replaceAll('aa', 'a');
}

/** The last four digits of a card and the month it expires in, `12/28`, as people read them out together. */
export function cardIn(text: string): { readonly last4: string; readonly expiry: string } | undefined {
  const [, last4 = '', month = '', year = ''] =
    /^\D*(\d{4})\D+(0?[1-9]|1[0-2])\s?[/.-]\s?(?:20)?(\d{2})$/.exec(text.trim()) ?? [];
  return last4 === '' ? undefined : { last4, expiry: `${month.padStart(2, '0')}/${year}` };
}

/** What follows the number of a line in an office. */
const EXTENSION = /[\s,;]*(?:ext(?:ension)?|extn|x|dw|poste)[\s.:]*\d{1,6}\s*$/i;

/** Leading zeros belong to a dialling code, and one in brackets is left out after a country's: `+44 (0)161`. */
const phoneDigits = (text: string): string =>
  text
    .replace(EXTENSION, '')
    .replace(/(?<=\d\s*)\(0\)/g, '')
    .replace(/\D/g, '')
    .replace(/^0+/, '');

/** The digits of a text that can only be a phone number, or ''. */
export function phoneIn(text: string): string {
  const digits = phoneDigits(text);
  // A possible card number is never repeated.
  const isPhone =
    /^[\d\s()+./-]+$/.test(text.replace(EXTENSION, '').trim()) &&
    cardIn(text) === undefined &&
    hideCards(text) === text &&
    hideCards(digits) === digits;
  return isPhone && digits.length >= FEWEST_DIGITS && digits.length <= MOST_DIGITS ? digits : '';
}

/** True if two phone numbers are the same, with or without a country code. */
export function isSamePhone(one: string, other: string): boolean {
  const [a, b] = [one, other].map(phoneDigits) as [string, string];
  return Math.min(a.length, b.length) >= FEWEST_DIGITS && (a.endsWith(b) || b.endsWith(a));
}

const VOWELS: readonly (readonly [RegExp, string])[] = [
  [/ae/g, '\u00e4'],
  [/oe/g, '\u00f6'],
  [/ue/g, '\u00fc'],
];

/**
 * Other spellings to try in the service's search: the words reversed, another apostrophe, an umlaut, a single word, the
 * last digits of a phone number, the part of an address before the @.
 */
export function otherSpellings(term: string): string[] {
  const phone = phoneIn(term);
  if (phone !== '') return [phone, phone.slice(-4)];
  if (term.includes('@')) return [term.slice(0, term.indexOf('@'))].filter((one) => one.length > 2);
  const plain = fold(term);
  const other = plain.includes("'") ? [plain.replace(APOSTROPHE, '\u2019'), plain.replace(APOSTROPHE, '')] : [];
  const words = term.split(/\s+/).filter((word) => /^[\p{L}\p{N}]{3,}$/u.test(word));
  const umlauts = VOWELS.reduce((text, [from, to]) => text.replace(from, to), plain);
  const turned = words.length === 2 && /^\S+\s+\S+$/.test(term.trim()) ? [[...words].reverse().join(' ')] : [];
  const longest = [...words].sort((one, two) => two.length - one.length);
  const marked = umlauts === plain ? [plain] : [umlauts, umlauts.replaceAll('\u00f6', '\u00f8')];
  const typed = term.trim().toLowerCase();
  return [...new Set([...turned, ...other, ...marked, ...longest])].filter((one) => one.toLowerCase() !== typed);
}

/** The words of a name, or of the part of an address before the @. */
export function ownWords(term: string): string[] {
  const words = term.includes('@') ? term.slice(0, term.indexOf('@')).split(/[^\p{L}]+/u) : foldedWords(term);
  return words.filter((word) => /^\p{L}{3,}$/u.test(word));
}

/** The first letters of each word of a name: a search for them finds similar names. */
export function beginningsOf(term: string): string[] {
  return [...new Set(ownWords(term).map((word) => word.slice(0, 3)))];
}
