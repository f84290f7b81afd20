import type { Field, SpanUnit } from './types.js';

/** The kind of value in a leaf, independent of its JSON type. */
export type LeafType =
  | 'money'
  | 'instant'
  | 'day'
  | 'month'
  | 'span'
  | 'count'
  | 'share'
  | 'country'
  | 'flag'
  | 'id'
  | 'text';

/** The comparisons that make sense for values of a type. */
export type LeafTraits = ReturnType<typeof traits>;

const traits = (takes: string, may: '' | 'order' | 'order sum' | 'contain' | 'order contain') => ({
  /** The description of the right-hand side of a comparison, for errors. */
  takes,
  /** `<` and `>` make sense. */
  ordered: may.includes('order'),
  /** `~` makes sense: the values are words, or read as words. */
  contains: may.includes('contain'),
  /** The values can be added up. */
  sums: may.includes('sum'),
});

const MOMENTS = '2026-01-31, 2026-01, today, 90d (ago) or +7d';

export const LEAF_TYPES: Readonly<Record<LeafType, LeafTraits>> = {
  money: traits('an amount', 'order sum'),
  instant: traits(`a moment: ${MOMENTS}`, 'order'),
  day: traits(`a day: ${MOMENTS}`, 'order'),
  month: traits(`a month or a moment: 12/28, 2028-12, ${MOMENTS}`, 'order'),
  span: traits('a length of time: 14d, 2w, 12h, or the bare number', 'order sum'),
  count: traits('a number: 3, 0.5', 'order sum'),
  share: traits('a number, as the items show it', 'order'),
  country: traits('a country: USA, US or United States', 'contain'),
  flag: traits('true or false', ''),
  id: traits('an id', 'contain'),
  text: traits('a text', 'order contain'),
};

const BY_FORMAT: Readonly<Partial<Record<NonNullable<Field['format']>, LeafType>>> = {
  unix: 'instant',
  'date-time': 'instant',
  id: 'id',
  country: 'country',
};

const BY_JSON: Readonly<Partial<Record<Field['type'], LeafType>>> = {
  boolean: 'flag',
  integer: 'count',
  number: 'count',
  string: 'text',
};

/**
 * The type of a field's values, or of a list's elements; undefined for an object, and for a value whose shape was never
 * seen.
 */
export function leafTypeOf(field: Field): LeafType | undefined {
  if (field.type === 'array') return field.items && leafTypeOf(field.items);
  if (field.means !== undefined && field.means !== 'status') return field.means;
  return (field.format && BY_FORMAT[field.format]) ?? BY_JSON[field.type];
}

/** Length in seconds of each unit that a span can count in. */
export const SPAN_SECONDS: Readonly<Record<SpanUnit, number>> = { ms: 0.001, s: 1, d: 86_400 };

/** The steps of a dotted path: `customer.email`, `rates[0].rate`, `rates.0.rate`. */
export function pathSteps(path: string): string[] {
  return path
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .split('.')
    .filter((step) => step !== '');
}
