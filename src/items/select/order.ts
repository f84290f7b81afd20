import { usage } from '../../base/errors/errors.js';
import type { LeafType } from '../../catalogue/leaf-types.js';
import type { Lossless } from '../json/lossless.js';
import { learntTypeOfAll } from '../schema/leaf-type.js';
import { compareAs, foldedWord } from './compare.js';
import { fieldPath, nameOf, typeAt, type Vocabulary } from './names.js';
import { isNothing, type Scalar, scalarAt } from './values.js';

/** A key to sort items by. */
export interface SortKey {
  readonly path: string;
  readonly descending: boolean;
  /** As the catalogue defines it; otherwise the values show it. */
  readonly type: LeafType | undefined;
}

/** Parses `--sort -amount,created`: the first key counts most, a leading dash sorts descending. */
export const parseSort = (texts: readonly string[], vocabulary: Vocabulary): SortKey[] =>
  splitNames(texts, '--sort').map((name) => {
    const descending = name.startsWith('-');
    const path = fieldPath(vocabulary, name.replace(/^[-+]/, ''), 'heading');
    return { path, descending, type: typeAt(vocabulary, path) };
  });

/** The names given to an option that takes several, comma-separated or repeated. */
export function splitNames(texts: readonly string[], option: string): string[] {
  const all = texts.flatMap((text) => text.split(',')).map((name) => name.trim());
  if (all.some((name) => name.replace(/^[-+]/, '') === '')) throw usage(`${option} has an empty name.`);
  return all;
}

/** The values to sort an item by. */
export const keysOf = (item: Lossless, keys: readonly SortKey[]): Scalar[] =>
  keys.map((key) => scalarAt(item, key.path));

/** The keys, with types inferred from all values where the catalogue has none. */
export const settledKeys = (keys: readonly SortKey[], all: readonly (readonly Scalar[])[]): SortKey[] =>
  keys.map((key, at) => ({
    ...key,
    type: key.type ?? learntTypeOfAll(nameOf(key.path), column(all, at)),
  }));

function* column(all: readonly (readonly Scalar[])[], at: number): Generator<Scalar> {
  for (const values of all) yield values[at] ?? null;
}

/** Compares two items by their keys; missing values come last in either direction. */
export function compareKeys(a: readonly Scalar[], b: readonly Scalar[], keys: readonly SortKey[]): number {
  for (const [index, { descending, type }] of keys.entries()) {
    const [left = null, right = null] = [a[index], b[index]];
    const order = compareScalars(left, right, type);
    // Missing values come last in either direction.
    if (isNothing(left) !== isNothing(right)) return order;
    // Texts that differ only in case and accents are equal: the next key decides.
    if (order !== 0 && index < keys.length - 1 && areOneWord(left, right, type)) continue;
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}

function areOneWord(a: Scalar, b: Scalar, type: LeafType | undefined): boolean {
  const isText = type === 'text' || type === undefined;
  return isText && typeof a === 'string' && typeof b === 'string' && foldedWord(a) === foldedWord(b);
}

/** Compares two values of a type; empty values come last. */
export function compareScalars(a: Scalar, b: Scalar, type: LeafType | undefined): number {
  if (isNothing(a) || isNothing(b)) return Number(isNothing(a)) - Number(isNothing(b));
  return compareAs(type, a, b);
}
