import { slipsBetween } from '../../base/errors/nearest.js';
import type { Family } from '../../catalogue/types.js';
import { get, type Lossless, plain } from '../../items/json/lossless.js';
import { cardIn, foldedWords, isSamePhone, phoneIn, spokenAs, wordsOfName } from '../../items/text/typed-value.js';

/** How many near items are kept. */
const MOST_NEAR = 8;

/** What a term means among the items of a family. */
export interface TermMeaning {
  /** What the term may name that the service's own search leaves out. */
  readonly unsearched?: string | undefined;
  /** By what it was compared, in words. */
  readonly by: string;
  isMeant(item: Lossless): boolean;
  /** The distance of an item from it: smaller is nearer, undefined is too far. */
  farFrom(item: Lossless): number | undefined;
  /** Conditions of a list that keep what is meant; several alternatives. */
  readonly conditions: readonly (readonly string[])[];
}

/** The fields by which people know a person or a company. */
const KNOWN_BY = ['company', 'last_name', 'first_name', 'name', 'email', 'phone'] as const;

/** Paths of a family's items by which people know them. */
function pathsOf({ item }: Family): string[] {
  const own = KNOWN_BY.filter((name) => item?.[name] !== undefined);
  const customer = KNOWN_BY.filter((name) => item?.customer?.fields?.[name] !== undefined);
  return [...own, ...customer.map((name) => `customer.${name}`)];
}

/** A hit of a search shows some fields only among what it highlights. */
const textAt = (item: Lossless, path: string): string =>
  plain(get(item, path)) || plain(get(item, `highlights.${path}`)) || '';

/** Undefined for a family whose items have no such names, and for a term that the service itself searches for. */
export function termMeaning(family: Family, term: string): TermMeaning | undefined {
  const card = cardIn(term);
  if (card) return family.item?.expiry_date && family.item.last_4 ? byCard(card) : undefined;
  const paths = pathsOf(family);
  if (paths.length === 0) return undefined;
  const path = (name: string): string | undefined => paths.find((one) => one === name || one.endsWith(`.${name}`));
  const textsAt = (item: Lossless): string[] => paths.flatMap((one) => textAt(item, one) || []);
  const phone = phoneIn(term);
  if (phone !== '') {
    const numbers = paths.filter((one) => one.endsWith('phone'));
    return {
      by: 'phone',
      isMeant: (item) => numbers.some((one) => isSamePhone(textAt(item, one), phone)),
      farFrom: () => undefined,
      conditions: numbers.slice(0, 1).map((one) => [`${one}~${phone.slice(-4)}`]),
    };
  }
  if (term.includes('@')) return byAddress(term, path('email'));
  const words = foldedWords(term);
  if (!words.some((word) => /^\p{L}{2,}$/u.test(word))) return undefined;
  const typed = term.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
  const last = path('last_name') ?? path('name');
  const company = path('company');
  return {
    by: 'name, company and phone',
    unsearched: company && 'companies',
    isMeant: (item) => {
      const has = textsAt(item).flatMap(wordsOfName);
      const is = (one: string, word: string): boolean =>
        one.startsWith(word) || spokenAs(one).startsWith(spokenAs(word));
      return words.every((word) => has.some((one) => is(one, word)));
    },
    farFrom: (item) => {
      const texts = textsAt(item).filter((text) => !text.includes('@'));
      return farBetween(words, texts.flatMap(wordsOfName), wordsOfName((last && textAt(item, last)) ?? ''));
    },
    conditions: [
      ...(last === undefined ? [] : [[`${last}~${typed.at(-1)}`]]),
      ...(company === undefined ? [] : [typed.map((word) => `${company}~${word}`)]),
    ],
  };
}

const byCard = ({ last4, expiry }: NonNullable<ReturnType<typeof cardIn>>): TermMeaning => ({
  by: 'last four digits and expiry',
  isMeant: (item) => {
    const until = plain(get(item, 'expiry_date')) ?? '';
    return plain(get(item, 'last_4')) === last4 && until.replace(/\/20(?=\d\d$)/, '/') === expiry;
  },
  farFrom: () => undefined,
  conditions: [[`last_4=${last4}`, `expiry_date=${expiry}`]],
});

/** Slips that people make in an address. */
const MOST_SLIPS = 3;

function byAddress(term: string, path: string | undefined): TermMeaning | undefined {
  if (path === undefined) return undefined;
  const wanted = term.toLowerCase();
  const own = wanted.slice(0, wanted.indexOf('@'));
  return {
    by: 'e-mail address',
    isMeant: (item) => plain(get(item, path))?.toLowerCase() === wanted,
    farFrom: (item) => {
      const other = plain(get(item, path))?.toLowerCase() ?? '';
      const slips = slipsBetween(wanted, other, MOST_SLIPS);
      return slips <= MOST_SLIPS ? slips : other.startsWith(`${own}@`) ? MOST_SLIPS : undefined;
    },
    conditions: [[`${path}~${own}`]],
  };
}

/** Unmatched words weigh more than any slips in others. */
const UNMATCHED = 10;

/** The last word is seldom a first name. */
const MISPLACED = 0.5;

/** The slips between words and the nearest of others; undefined if fewer than half of them are near. */
function farBetween(words: readonly string[], has: readonly string[], last: readonly string[]): number | undefined {
  const slips = words.map((word, at) => {
    const isPlaced = (one: string): boolean => words.length < 2 || last.includes(one) === (at === words.length - 1);
    const all = has.map((one) => {
      const [a, b] = [spokenAs(word), spokenAs(one)];
      const limit = Math.floor(Math.max(a.length, b.length) / 3);
      const count = b.startsWith(a) ? 0 : slipsBetween(a, b, limit);
      return count > limit ? UNMATCHED : isPlaced(one) ? count : count + MISPLACED;
    });
    return Math.min(UNMATCHED, ...all);
  });
  const missed = slips.filter((count) => count === UNMATCHED).length;
  return missed * 2 > words.length || missed === words.length ? undefined : slips.reduce((sum, one) => sum + one, 0);
}

/** The items nearest to a term among those that are not meant. */
export class Nearest {
  readonly #all = new Map<string, { readonly raw: string; readonly far: number }>();
  /** All names seen. */
  readonly #names = new Set<string>();

  constructor(private readonly meaning: TermMeaning) {}

  keep(id: string, raw: string, item: Lossless): void {
    const far = this.meaning.farFrom(item);
    if (far !== undefined) this.#all.set(id, { raw, far });
    for (const path of ['first_name', 'last_name']) this.#names.add(textAt(item, path));
  }

  get items(): readonly string[] {
    const sorted = [...this.#all.values()].sort((one, two) => one.far - two.far);
    // If one name is near, another that only shares a word with the term is not.
    const most = Math.floor((sorted[0]?.far ?? 0) / UNMATCHED) * UNMATCHED + UNMATCHED;
    return sorted
      .filter(({ far }) => far < most)
      .slice(0, MOST_NEAR)
      .map(({ raw }) => raw);
  }

  /** The words as the nearest names spell them; undefined if they are spelled that way already. */
  spelling(words: readonly string[]): string | undefined {
    const spelled = words.map((word) => {
      const best = [...this.#names]
        .map((name) => ({ name, far: farBetween([word], wordsOfName(name), []) ?? UNMATCHED }))
        .sort((one, two) => one.far - two.far)[0];
      return best && best.far < UNMATCHED ? best.name : word;
    });
    const isSame = spelled.every((name, at) => name.toLowerCase() === words[at]);
    return words.length < 2 || isSame ? undefined : spelled.join(' ');
  }
}
