import { usage } from '../../base/errors/errors.js';
import { Digits, type Lossless } from '../json/lossless.js';
import { compareTexts } from './condition.js';
import { compareNumbers, isNumber } from './decimals.js';
import { pathOf, type Vocabulary } from './names.js';
import { scalarAt } from './values.js';

/** What items are put in order by. */
export interface SortKey {
  readonly path: string;
  readonly descending: boolean;
}

/** Reads `--sort -amount,created`: the first counts most, a dash in front puts the largest first. */
export function parseSort(texts: readonly string[], vocabulary: Vocabulary): SortKey[] {
  return names(texts, '--sort').map((name) => {
    const descending = name.startsWith('-');
    return { path: pathOf(vocabulary, name.replace(/^[-+]/, ''), 'heading'), descending };
  });
}

/** The names of an option that takes several, with commas between or repeated. */
export function names(texts: readonly string[], option: string): string[] {
  const all = texts.flatMap((text) => text.split(',')).map((name) => name.trim());
  if (all.some((name) => name.replace(/^[-+]/, '') === '')) throw usage(`${option} has an empty name.`);
  return all;
}

export type Scalar = ReturnType<typeof scalarAt>;

/** The values that an item is ordered by. */
export function keysOf(item: Lossless, keys: readonly SortKey[]): Scalar[] {
  return keys.map((key) => scalarAt(item, key.path));
}

/** The order of two items by their keys; what has no value comes last, whichever way the others go. */
export function compareKeys(a: readonly Scalar[], b: readonly Scalar[], keys: readonly SortKey[]): number {
  for (const [index, { descending }] of keys.entries()) {
    const [left, right] = [a[index] ?? null, b[index] ?? null];
    if (isEmpty(left) || isEmpty(right)) {
      if (isEmpty(left) !== isEmpty(right)) return isEmpty(left) ? 1 : -1;
      continue;
    }
    const order = compareScalars(left, right);
    if (order !== 0) return descending ? -order : order;
  }
  return 0;
}

function isEmpty(value: Scalar): boolean {
  return value === null || value === '';
}

/** Numbers by their value, before texts; texts by their letters. */
export function compareScalars(a: Scalar, b: Scalar): number {
  const [left, right] = [numberOf(a), numberOf(b)];
  if (left !== undefined && right !== undefined) return compareNumbers(left, right);
  if (left !== undefined) return -1;
  if (right !== undefined) return 1;
  return compareTexts(String(a), String(b));
}

function numberOf(value: Scalar): string | undefined {
  if (value instanceof Digits) return isNumber(value.text) ? value.text : undefined;
  return typeof value === 'string' && /^-?\d{1,30}\.\d{1,10}$/.test(value) ? value : undefined;
}
