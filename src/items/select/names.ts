import { nearest } from '../../base/errors/nearest.js';
import { cops, say, type Text } from '../../base/text/command-line.js';
import { type LeafType, leafTypeOf, pathSteps } from '../../catalogue/leaf-types.js';
import type { Column, Family, Field, Operation } from '../../catalogue/types.js';

const MADE = 'created_date_unix';

/** What is known about a list's items: the columns of its table, and the fields in the catalogue. */
export interface Vocabulary {
  /** The command that lists the items: `customers list`. */
  readonly list?: string | undefined;
  readonly columns: readonly Column[];
  readonly fields: Readonly<Record<string, Field>>;
  /** Other fields that items are assumed to have. */
  readonly assumed?: Readonly<Record<string, Field>> | undefined;
  /** Paths on the command line that lead to rows of other families: as typed, and as resolved. */
  readonly related?: ReadonlyMap<string, RelatedField> | undefined;
  /** Paths on the command line that lead to many rows, each with the error to use if no item carries it. */
  readonly many?: ReadonlyMap<string, Error> | undefined;
}

/** What is known about a field of a related row. */
export interface RelatedField {
  /** The resolved path. */
  readonly path: string;
  readonly field: Field | undefined;
  readonly type: LeafType | undefined;
}

/**
 * The vocabulary of an operation: of the family's items, or of things that belong to them (payment methods, images).
 */
export function vocabularyOf(family: Family, operation: Operation): Vocabulary {
  if (operation.columns) return { columns: operation.columns, fields: {} };
  return {
    list: family.operations.some(({ action }) => action === 'list')
      ? `${family.name.replaceAll('_', '-')} list`
      : undefined,
    columns: family.columns,
    fields: { ...family.item, ...stateFields(family.columns) },
    assumed: family.assumed,
  };
}

/** The catalogue's field at a dotted path, or undefined. */
export function fieldAt(vocabulary: Vocabulary, path: string): Field | undefined {
  const related = vocabulary.related?.get(path);
  if (related) return related.field;
  let fields: Readonly<Record<string, Field>> | undefined = vocabulary.fields;
  let field: Field | undefined;
  for (const step of pathSteps(path)) {
    if (/^\d+$/.test(step)) continue;
    field = fields && Object.hasOwn(fields, step) ? fields[step] : undefined;
    if (!field) return undefined;
    fields = field.fields ?? field.items?.fields;
  }
  return field;
}

/** True where the catalogue or a column has exactly this path. */
export function isKnown(vocabulary: Vocabulary, path: string): boolean {
  const { columns, related } = vocabulary;
  return (
    columns.some((column) => column.path === path) ||
    related?.has(path) === true ||
    fieldAt(vocabulary, path) !== undefined
  );
}

/**
 * Whether an item may have what a name means, as far as the catalogue says: it has the name, leaves its parent open, or
 * says nothing about the items at all. Used when there is no item to show it.
 */
export function mayHave(known: Vocabulary, typed: string): boolean {
  if (Object.keys(known.fields).length === 0) return true;
  const vocabulary = { ...known, fields: { ...known.assumed, ...known.fields } };
  const { fields, columns } = vocabulary;
  const path = fieldPath(vocabulary, typed, 'path');
  if (isKnown(vocabulary, path)) return true;
  const steps = pathSteps(path);
  // Data that an account adds itself.
  if (steps[0] === 'metadata') return true;
  for (let length = steps.length - 1; length > 0; length--) {
    const above = fieldAt(vocabulary, steps.slice(0, length).join('.'));
    if (above) return isOpen(above);
  }
  if (steps.length > 1) return columns.some((column) => pathSteps(column.path)[0] === steps[0]);
  const said = asSaid(typed);
  return leafNames(fields).some((name) => asSaid(name) === said || asSaid(name).endsWith(` ${said}`));
}

/** True for a field whose members the catalogue does not list. */
const isOpen = ({ type, fields, items }: Field): boolean =>
  (type === undefined || type === 'object' || type === 'array') && fields === undefined && items?.fields === undefined;

/** The names of all fields, nested ones as full paths. */
function leafNames(fields: Readonly<Record<string, Field>>): string[] {
  return Object.entries(fields).flatMap(([name, field]) => [
    name,
    ...leafNames(field.fields ?? field.items?.fields ?? {}).map((below) => `${name}_${below}`),
  ]);
}

/** A normalised name: `Last name`, `last_name` and `last-name` are the same. */
export function asSaid(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();
}

/**
 * The path that a typed name means: a path, a column as the table heads it, in any case, or the last word of one known
 * path (`email` for `customer.email`). An unknown name is taken as a path, which the items may have.
 *
 * @param prefer `heading` where the user types what a table shows, `path` where whole objects count
 */
export function fieldPath(vocabulary: Vocabulary, typed: string, prefer: 'heading' | 'path'): string {
  const { columns, fields, related } = vocabulary;
  const far = related?.get(typed);
  if (far) return far.path;
  const above = columns.find((column) => asSaid(column.title ?? column.path) === asSaid(typed));
  const headed = above?.state ? above.title : above?.path;
  if (prefer === 'heading' && headed !== undefined) return headed;
  if (isKnown(vocabulary, typed)) return typed;
  if (headed !== undefined) return headed;
  const cased = [...columns.map((column) => column.path), ...Object.keys(fields)].find(
    (path) => asSaid(path) === asSaid(typed),
  );
  if (cased !== undefined) return cased;
  const called = fieldCalled(vocabulary, typed);
  if (called !== undefined) return called;
  const whole = spelledOut(Object.keys(fields), typed);
  if (whole !== undefined) return whole;
  // Items without a status of their own use the one that a table computes.
  const computed = columns.find(({ state }) => state !== undefined)?.title;
  if (computed !== undefined && asSaid(typed) === 'status') return computed;
  const [mark, another] = columns.filter((column) => column.as === 'status');
  if (mark !== undefined && another === undefined && asSaid(typed) === 'status') return mark.path;
  const [told, other] = Object.keys(fields).filter((name) => fields[name]?.spoken !== undefined);
  if (told !== undefined && other === undefined && asSaid(typed) === 'status') return told;
  if (CUSTOMERS.has(typed.toLowerCase()) && Object.hasOwn(fields, 'customer')) return `customer.${typed.toLowerCase()}`;
  const ends = new Set(columns.map((column) => column.path).filter((path) => pathSteps(path).at(-1) === typed));
  const [only] = ends;
  if (ends.size === 1 && only !== undefined) return only;
  // Few items have a field of this name, but all have a creation date.
  return asSaid(typed) === 'date' && isKnown(vocabulary, MADE) ? MADE : typed;
}

/** The path of a column that is named by neither its path nor a heading: `updated`, `fees`; undefined for any other name. */
export function columnMeant(vocabulary: Vocabulary, typed: string): string | undefined {
  const { columns } = vocabulary;
  const isHeaded = columns.some(({ path, title }) => asSaid(title ?? path) === asSaid(typed));
  if (isHeaded || isKnown(vocabulary, typed)) return fieldCalled(vocabulary, typed);
  const path = fieldPath(vocabulary, typed, 'path');
  const isComputed = columns.some(({ state, title }) => state !== undefined && title === path);
  return path === typed || isComputed ? undefined : path;
}

/** The field that people know under another name. */
function fieldCalled({ fields }: Vocabulary, typed: string): string | undefined {
  return Object.keys(fields).find((name) => fields[name]?.called?.includes(asSaid(typed)));
}

/**
 * The only field whose name contains this as its distinctive part: `fees` for `amount_fees`, `gateway` for
 * `gateway_name`, `updated` and `updated_date` for `updated_date_unix`.
 */
export function spelledOut(known: readonly string[], typed: string): string | undefined {
  if (known.includes(typed)) return undefined;
  const word = typed.toLowerCase().replaceAll('-', '_');
  const [only, other] = [`amount_${word}`, `${word}_name`, `${word}_date_unix`, `${word}_unix`].filter((name) =>
    known.includes(name),
  );
  return other === undefined ? only : undefined;
}

/** Customer fields that are known wherever an item names its customer. */
const CUSTOMERS: ReadonlySet<string> = new Set(['country', 'city', 'state', 'zip', 'phone', 'company']);

/** Names that a person may use: headings first, then other fields. */
export function knownNames(vocabulary: Vocabulary): string[] {
  return [...new Set([...vocabulary.columns.map((column) => column.path), ...Object.keys(vocabulary.fields)])];
}

/** The number of fields that a hint names. */
const HINTED = 3;

/** The fields nearest to an unknown name: by a shared word, else by their letters, else the first ones. */
export function fieldsNear(typed: string, known: readonly string[]): string {
  const words = asSaid(typed).split(/[ .]/);
  const alike = known.filter((name) =>
    asSaid(name)
      .split(/[ .]/)
      .some((word) => word.length > 2 && words.includes(word)),
  );
  const near = [...new Set([...nearest(typed, known, HINTED), ...alike])].slice(0, HINTED);
  return near.length > 0
    ? `The nearest ${near.length === 1 ? 'is' : 'are'} ${near.join(', ')}.`
    : `It has ${known.slice(0, HINTED).join(', ')} and others.`;
}

/** The fields near a name that no listed item has, and how to see all of them. */
export function fieldsOfItems(typed: string, known: readonly string[], list: string | undefined): Text {
  const near = fieldsNear(typed, known);
  return list === undefined
    ? near
    : say`${near} One item with all its fields: ${cops`${list.split(' ')} --limit 1 -o json`}`;
}

/** What tables show by a form of their own. */
const SHOWN_AS: Readonly<Partial<Record<NonNullable<Column['as']>, LeafType>>> = {
  time: 'instant',
  money: 'money',
  flag: 'flag',
};

/** The type of the values at a path, where the catalogue has one; otherwise the values show it. */
export function typeAt(vocabulary: Vocabulary, path: string): LeafType | undefined {
  const related = vocabulary.related?.get(path);
  if (related) return related.type;
  const field = fieldAt(vocabulary, path);
  const column = vocabulary.columns.find((one) => one.path === path);
  const said = field && leafTypeOf(field);
  if (said !== undefined && said !== 'count') return said;
  if (column?.means !== undefined && column.means !== 'status') return column.means;
  const shown = column?.as && SHOWN_AS[column.as];
  if (shown !== undefined) return shown;
  const last = nameOf(path);
  if (/_unix$/.test(last)) return 'instant';
  return /^(?:amount|price)(?:_|$)/.test(last) && said !== undefined ? 'money' : said;
}

/** The field's own name, without its path. */
export function nameOf(path: string): string {
  return pathSteps(path).at(-1) ?? path;
}

/** True where the values at a path are moments, in unix seconds or ISO text. */
export function isTime(vocabulary: Vocabulary, path: string): boolean {
  return typeAt(vocabulary, path) === 'instant';
}

/** True where the values at a path are amounts of money. */
export function isMoney(vocabulary: Vocabulary, path: string): boolean {
  return typeAt(vocabulary, path) === 'money' || /^(?:amount|price)(?:_|$)/.test(nameOf(path));
}

/** The possible words of each state. */
const WORDS: Readonly<Record<NonNullable<Column['state']>, readonly string[]>> = {
  renewal: ['paid', 'failed', 'due'],
  buyer: [],
};

/** The fields that tables compute, by heading: conditions can use them as if items had them. */
function stateFields(columns: readonly Column[]): Readonly<Record<string, Field>> {
  const computed = columns.flatMap(({ state, title }): [string, Field][] =>
    state && title !== undefined ? [[title, { type: 'string', enum: WORDS[state] }]] : [],
  );
  return Object.fromEntries(computed);
}
