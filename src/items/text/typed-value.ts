import { looksLikeId } from '../../catalogue/value-formats.js';
import { hideCards } from '../secrets/redact.js';
import { fold } from '../select/fold.js';

/** Signs without a width of their own, which come along when something is copied. */
const UNSEEN = /[\u00ad\u200b-\u200f\u2060\ufeff]/g;
const QUOTE = '["\'`\u00b4\u2018-\u201f\u00ab\u00bb\u2039\u203a\u300c\u300d]';
/** What stands around a value and is none of it: each gives the value in its first group. */
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

/** A phone number has more digits than this, a part of one that finds somebody too. */
const FEWEST_DIGITS = 7;
const MOST_DIGITS = 15;
const APOSTROPHE = /'/g;

/**
 * A value as it is meant, whatever it was copied from: without what stands around it (white space, quotes, brackets,
 * `mailto:`, the `#` of an order number, the address of a page that shows it). Letters and digits stay as they are.
 */
export function asMeant(typed: string): string {
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
    // `(a) or (b)` is not in brackets.
    if (inside !== undefined && !(/^[([]/.test(text) && /[()[\]]/.test(inside))) return inside;
  }
  return /^https?:\/\//i.test(text) ? inAddress(text) : text;
}

/** The one id or e-mail address that the address of a page holds; the text itself where it holds none, or several. */
function inAddress(text: string): string {
  if (!URL.canParse(text)) return text;
  const { pathname, search, hash } = new URL(text);
  const parts = `${pathname}${search}${hash}`.split(/[/?&=#]/).map((part) => {
    try {
      return decodeURIComponent(part);
    } catch {
      return part;
    }
  });
  const ids = new Set(parts.filter((part) => /^[A-Za-z0-9]+$/.test(part) && looksLikeId(part)));
  const addresses = new Set(parts.filter((part) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(part)));
  const [only = text, ...others] = ids.size > 0 ? ids : addresses;
  return others.length > 0 ? text : only;
}

/** The words of a text as they are compared: folded, `O'Brien` and `OBrien` one. */
export function foldedWords(text: string): string[] {
  return fold(text)
    .replace(APOSTROPHE, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}

/** The digits of a text that can only be a phone number, or ''. */
export function phoneIn(text: string): string {
  // Zeros in front are those of a dialling code.
  const digits = text.replace(/\D/g, '').replace(/^0+/, '');
  // What may be the number of a card is repeated nowhere.
  const isPhone = /^[\d\s()+./-]+$/.test(text.trim()) && hideCards(text) === text && hideCards(digits) === digits;
  return isPhone && digits.length >= FEWEST_DIGITS && digits.length <= MOST_DIGITS ? digits : '';
}

/** True where two numbers are of one line, with the code of its country or without. */
export function isSamePhone(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) => text.replace(/\D/g, '').replace(/^0+/, '')) as [string, string];
  return Math.min(a.length, b.length) >= FEWEST_DIGITS && (a.endsWith(b) || b.endsWith(a));
}

/** Other spellings that the service's search may know: another apostrophe, a single word, digits alone. */
export function otherSpellings(term: string): string[] {
  const phone = phoneIn(term);
  if (phone !== '') return [phone];
  const plain = fold(term);
  const other = plain.includes("'") ? [plain.replace(APOSTROPHE, '\u2019'), plain.replace(APOSTROPHE, '')] : [];
  const words = term.split(/\s+/).filter((word) => /^[\p{L}\p{N}]{3,}$/u.test(word));
  const longest = [...words].sort((one, two) => two.length - one.length);
  return [...new Set([...other, ...longest])].filter((one) => one !== term.trim());
}
