import { usage } from '../../../base/errors/errors.js';
import { cops, say } from '../../../base/text/command-line.js';
import { FAMILY_INDEX, loadFamily } from '../../../catalogue/index.js';
import type { FamilyOperation, Operation } from '../../../catalogue/types.js';

/** An operation of the catalogue that a path names, with its ids. */
export interface KnownPath extends FamilyOperation {
  /** Values of the path's placeholders. */
  readonly ids: readonly string[];
}

/** Characters that every server reads the same way; ids, keys, table names and path words have no others. */
const PLAIN_WORD = /^[\w.~$-]+$/;

/**
 * A path in its one plain spelling: decodes escaped letters and removes doubled and trailing slashes, since a server
 * may read them as the same path. The guards judge this string, and this string is sent.
 * @throws CopsError usage (2) for a path that different servers may read differently
 */
export function plainPath(given: string): string {
  const bad = (why: string) =>
    usage(
      `"${given}" is not a plain path below the base URL: ${why}.`,
      'Write words and ids with single slashes between them: /transactions/<id>/refund.',
    );
  if (/^[a-z][a-z0-9+.-]*:/i.test(given))
    throw usage("Give a path below the base URL, not an address: the key is sent to the profile's service only.");
  if (given.startsWith('//')) throw bad('two slashes in front name another host');
  return `/${plainWords(given, bad).join('/')}`;
}

/** The words of a path, without escapes. @throws the error from `bad` for a word that servers may read differently */
function plainWords(path: string, bad: (why: string) => Error): string[] {
  const decoded = path.replace(/%([0-9a-f]{2})/gi, (code, hex: string) => {
    const letter = String.fromCharCode(Number.parseInt(hex, 16));
    return /[A-Za-z0-9._~$-]/.test(letter) ? letter : code;
  });
  const words = decoded.split('/').filter((word) => word !== '');
  for (const word of words) {
    if (/^\.+$/.test(word)) throw bad(`"${word}" cannot be part of a path`);
    const strange = [...word].find((letter) => !PLAIN_WORD.test(letter));
    if (strange !== undefined)
      throw bad(strange === '%' ? 'it contains a code' : `it contains ${JSON.stringify(strange)}`);
  }
  return words;
}

/**
 * The operation of the catalogue that a plain path means, so that it is guarded and recorded like its own command;
 * undefined for a path the catalogue does not know.
 * @throws CopsError usage (2) for a path that a forgiving server takes for an operation although it is spelled
 * otherwise: different case, an extension, or extra words in front
 */
export async function knownOperation(method: string, path: string): Promise<KnownPath | undefined> {
  const words = path.split('/').slice(1);
  const found = await operationsLike(method, words);
  // `/sales/pending` also matches `/sales/{sale_id}`: the path with fewer placeholders wins.
  const [best] = found.sort((one, other) => one.ids.length - other.ids.length);
  if (!best) return undefined;
  const plain = pathOf(best);
  if (plain === path) return best;
  throw usage(
    `"${path}" looks like ${method} ${plain}, but is spelled differently: it could get past the checks of that operation.`,
    say`Nothing was sent. Write it as: ${cops`api ${method} ${plain}`}`,
  );
}

/**
 * A base URL that ends with words of an operation's path, in any spelling, leaves a remainder that no guard recognises.
 * @throws CopsError usage (2) if base URL and path together name an operation that begins in the base URL, or if servers
 * may read the base URL's own path differently
 */
export async function refuseSplit(method: string, baseUrl: string, path: string): Promise<void> {
  const front = plainWords(new URL(baseUrl).pathname, (why) =>
    usage(
      `The base URL ${baseUrl} has no plain path: ${why}. A request below it could get past the checks of an operation.`,
      'Nothing was sent. Write the base URL with plain words: https://api.example.com/v2.',
    ),
  );
  for (const at of front.keys()) {
    if (!FAMILIES.has(looseWord(front[at] ?? ''))) continue;
    const [found] = await operationsLike(method, [...front.slice(at), ...path.split('/').slice(1)]);
    if (!found) continue;
    throw usage(
      `${baseUrl} and "${path}" together are ${method} ${pathOf(found)}: the request could get past the checks of that operation.`,
      `Nothing was sent. End the base URL before /${front[at]}.`,
    );
  }
}

/** The operations a forgiving server may read the words as. */
async function operationsLike(method: string, given: readonly string[]): Promise<KnownPath[]> {
  // A word that is only an extension (`/.json`) says nothing about the path.
  const words = given.filter((word) => looseWord(word) !== '');
  const loose = words.map(looseWord);
  const start = loose.findIndex((word) => FAMILIES.has(word));
  if (start < 0) return [];
  // Words after a family are its own; words in front of it are the end of a base URL.
  const family = await loadFamily(FAMILIES.get(loose[start] as string) as string);
  return family.operations.flatMap((operation): KnownPath[] => {
    const ids = operation.method === method ? idsIn(operation, words.slice(start), loose.slice(start)) : undefined;
    return ids ? [{ family, operation, ids }] : [];
  });
}

/** Families by the loose spelling of their paths' first word. */
const FAMILIES: ReadonlyMap<string, string> = new Map(FAMILY_INDEX.map(({ name }) => [looseWord(name), name]));

/** The loose spelling of a word: a forgiving server may ignore case, dashes, and an extension such as `.json`. */
function looseWord(word: string): string {
  return word
    .toLowerCase()
    .replace(/\..*$/, '')
    .replaceAll(/[^a-z0-9]/g, '');
}

/** The values of an operation's placeholders, if the words match its path. */
function idsIn({ path }: Operation, words: readonly string[], loose: readonly string[]): readonly string[] | undefined {
  const form = path.split('/').slice(1);
  if (form.length !== words.length) return undefined;
  const isPlace = (at: number): boolean => form[at]?.startsWith('{') === true;
  const fits = form.every((word, at) => isPlace(at) || looseWord(word) === loose[at]);
  return fits ? words.filter((_, at) => isPlace(at)) : undefined;
}

/** The plain path of an operation with its ids. */
function pathOf({ operation, ids }: KnownPath): string {
  const left = [...ids];
  return operation.path.replace(/\{[^}]+\}/g, () => left.shift() ?? '');
}
