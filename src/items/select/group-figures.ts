import { usage } from '../../base/errors/errors.js';
import { LEAF_TYPES, type LeafType } from '../../catalogue/leaf-types.js';
import { type Lossless, textOf } from '../json/lossless.js';
import { learntType } from '../schema/leaf-type.js';
import { averageOf, compareNumbers, plainNumber, timesNumber } from './decimals.js';
import { fieldPath, isMoney, nameOf, typeAt, type Vocabulary } from './names.js';
import { compareScalars } from './order.js';
import { type Scalar, UNKNOWN, valuesAt } from './values.js';

/** A figure of a group. */
export interface GroupMember {
  readonly name: string;
  readonly path: string;
  readonly type: LeafType | undefined;
}

/** A figure other than a sum: how many distinct values a field has, its smallest, largest or average one, or all ids. */
export interface GroupFigure extends GroupMember {
  readonly tells: 'count' | 'min' | 'max' | 'avg' | 'ids';
  /** True if the figure is an amount of money. */
  readonly isMoney: boolean;
}

/** A figure by its name: `max(created)`; `ids` lists a group's members. */
const OF_FIELD = /^(min|max|avg)\((.+)\)$/i;
export const IDS = 'ids';

/** The field in `max(field)`, `min(field)` or `avg(field)`. */
export const fieldInFigure = (name: string): string | undefined => OF_FIELD.exec(name)?.[2];

/**
 * The options with which a list shows a figure: `--sum amount --sort '-avg(amount)'`. For values that cannot be added up,
 * the smallest or largest is the first row in their order.
 * @param isGrouped true for a line that already has rows of groups
 */
export function figureOptions(name: string, vocabulary: Vocabulary, isGrouped: boolean): string[] {
  const [, word, field = ''] = OF_FIELD.exec(name) ?? [];
  if (isGrouped) return [`--sort=-${name}`];
  const type = typeAt(vocabulary, fieldPath(vocabulary, field, 'heading'));
  return type !== undefined && !LEAF_TYPES[type].sums && word !== 'avg'
    ? [`--sort=${word === 'max' ? '-' : ''}${field}`, '--limit', '1']
    : ['--sum', field, `--sort=-${name}`];
}

/** @throws CopsError `usage` for `min` or `max` of values that have no order, and `avg` of what cannot be added up */
export function groupFigure([name, typed]: readonly [string, string], vocabulary: Vocabulary): GroupFigure {
  const word = OF_FIELD.exec(name)?.[1]?.toLowerCase();
  const tells = word === 'min' || word === 'max' || word === 'avg' ? word : name === IDS ? IDS : 'count';
  const path = fieldPath(vocabulary, typed, tells === 'count' ? 'path' : 'heading');
  const type = typeAt(vocabulary, path);
  if (word && type && !LEAF_TYPES[type].ordered)
    throw usage(`${name}: ${path} holds ${LEAF_TYPES[type].takes.replace(/[:,].*/, '')}, which has no order.`);
  if (word === 'avg' && type && type !== 'text' && !LEAF_TYPES[type].sums)
    throw usage(`${name}: ${path} holds ${LEAF_TYPES[type].takes.replace(/[:,].*/, '')}, which has no average.`);
  return { name, path, type, tells, isMoney: tells !== 'count' && isMoney(vocabulary, path) };
}

/** Keeps an item's value if it is the smallest, or the largest, so far. */
export function takeEnd(ends: Scalar[], at: number, item: Lossless, { path, type, tells }: GroupFigure): void {
  for (const value of valuesAt(item, path)) {
    if (value === null || value === '' || value === UNKNOWN || value instanceof Map || Array.isArray(value)) continue;
    const best = ends[at] ?? null;
    const order = best === null ? 0 : compareScalars(value, best, type ?? learntType(nameOf(path), value));
    if (best === null || (tells === 'max' ? order > 0 : order < 0)) ends[at] = value;
  }
}

/** What an average is computed from; items without a value do not count. */
export interface Added {
  readonly sum: string;
  readonly count: number;
}

/** A figure as JSON. @param digits the fewest decimals of an average */
export function toldOf(
  { tells }: GroupFigure,
  values: ReadonlySet<string> | undefined,
  end: Scalar | undefined,
  added: Added | undefined,
  digits: number | undefined,
): string {
  if (tells === 'avg') return added === undefined ? 'null' : averageOf(added.sum, added.count, digits);
  if (tells === 'count') return String(values?.size ?? 0);
  return tells === IDS ? `[${[...(values ?? [])].join(',')}]` : textOf(end ?? null);
}

/** True if an average was rounded to be shown. */
export const isRounded = (told: string, added: Added | undefined): boolean =>
  added !== undefined && compareNumbers(timesNumber(told, String(added.count)), plainNumber(added.sum)) !== 0;
