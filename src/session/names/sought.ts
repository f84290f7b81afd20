import type { Family } from '../../catalogue/types.js';
import { get, idsAt, type Lossless } from '../../items/json/lossless.js';
import { fold } from '../../items/select/fold.js';
import type { Narrowing } from '../../items/select/made-filters.js';
import { asMeant, foldedWords } from '../../items/text/typed-value.js';
import { fullName, isCalled, isCalledLoosely, labelOf, tellingOf } from './natural-keys.js';
import { isOfPerson, ownerOf, type People } from './people.js';

/** How an item answers to what is looked for: letter by letter, or as people take it for the same. */
export type Answering = 'exact' | 'loose' | undefined;

/** What is looked for in a family. */
export type Sought = ReturnType<typeof soughtBy>;

/**
 * What a word means in a family: a name, or a person and what tells the items of that person apart, in one
 * (`jane@example.com Weekly Tea Box`) or with options.
 */
export function soughtBy(family: Family, word: string, narrowed: readonly Narrowing[] = []) {
  const part = ofAddress(family, word);
  const name = part?.address ?? word;
  const named = (item: Lossless, people?: People): Answering => {
    const owner = people && ownerOf(item);
    if (owner !== undefined) return people?.ids.has(owner) ? 'exact' : undefined;
    return isCalled(family, item, name) ? 'exact' : isCalledLoosely(family, item, name) ? 'loose' : undefined;
  };
  const told = (item: Lossless): Answering[] => [
    ...(part ? [tells(item, part.rest)] : []),
    ...narrowed.map((one) => holds(item, one)),
  ];
  return {
    /** The words to search for. */
    term: asMeant(name),
    /** True where a hit that shows the person alone does not tell which of their items is meant. */
    isOneOfTheirs: part !== undefined || narrowed.length > 0,
    answers: (item: Lossless, people?: People) => weakest([named(item, people), ...told(item)]),
    /** True for an item that comes near it. */
    isNear: (item: Lossless, people?: People) =>
      people && ownerOf(item) !== undefined
        ? named(item, people) !== undefined
        : named(item) !== undefined || isNearly(family, item, word),
  };
}

const weakest = (all: readonly Answering[]): Answering =>
  all.includes(undefined) ? undefined : all.includes('loose') ? 'loose' : 'exact';

/** An address and the words before or after it. */
export function ofAddress(family: Family, word: string): { address: string; rest: string } | undefined {
  const parts = asMeant(word).split(' ');
  const at = parts.findIndex((one) => one.includes('@'));
  const address = asMeant(parts[at] ?? '');
  if (parts.length < 2 || (at !== 0 && at !== parts.length - 1) || !isOfPerson(family, address)) return undefined;
  return { address, rest: asMeant(parts.toSpliced(at, 1).join(' ')) };
}

function tells(item: Lossless, text: string): Answering {
  const all = tellingOf(item);
  if (all.includes(text)) return 'exact';
  const words = foldedWords(text).join(' ');
  return all.some((one) => foldedWords(one).join(' ') === words) ? 'loose' : undefined;
}

function holds(item: Lossless, { paths, value, enum: values }: Narrowing): Answering {
  const wanted = asMeant(value);
  const own = paths.flatMap((path) => idsAt(item, path));
  if (own.includes(wanted)) return 'exact';
  if (!own.some((one) => fold(one) === fold(wanted))) return undefined;
  return values ? 'exact' : 'loose';
}

/** True for an item whose label has the text in it, or all of its words; or whose person is named in it. */
function isNearly(family: Family, item: Lossless, word: string): boolean {
  const typed = word.trim().toLowerCase();
  if (typed.length <= 2) return false;
  const label = labelOf(item);
  if (label.toLowerCase().includes(typed)) return true;
  const [said, own] = [foldedWords(word), foldedWords(label)];
  if (said.length < 2) return false;
  const who = family.name === 'customers' ? [] : foldedWords(fullName(get(item, 'customer') ?? null));
  return said.every((one) => own.includes(one)) || (who.length > 1 && who.every((one) => said.includes(one)));
}
