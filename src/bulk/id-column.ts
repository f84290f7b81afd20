import { usage } from '../base/errors/errors.js';
import { type CommandLine, cops, say } from '../base/text/command-line.js';
import { bodyFieldAt } from '../catalogue/body-fields.js';
import { familyByCommand, pathParameters } from '../catalogue/index.js';
import { synonymOf } from '../catalogue/synonyms.js';
import type { Family, Operation } from '../catalogue/types.js';
import { isEmail, looksLikeId } from '../catalogue/value-formats.js';
import { asMeant } from '../items/text/typed-value.js';
import { canName, namePaths } from '../session/names/natural-keys.js';
import { mayName, orderPartIn } from '../session/names/order-parts.js';
import type { RowRecord } from './types.js';

/**
 * The one column of a row that gives an id though it is not called as the path says it: by the same words
 * (`Subscription ID`, `subscription`), or by what people call the family (`sub`). It must hold an id, and be no field of the
 * body. Undefined where there is none, or several.
 * @param family the family whose own id it is
 */
export function columnCalled(
  { cells, object }: RowRecord,
  parameter: string,
  operation: Operation,
  family?: Family,
): string | undefined {
  const wanted = new Set([plain(parameter), stem(parameter), ...(family ? ['id', stem(family.idField)] : [])]);
  const columns = Object.entries(cells ?? object ?? {}).filter(
    ([column, value]) =>
      isIdLike(value) &&
      bodyFieldAt(operation, [column]).field === undefined &&
      plain(column) !== '' &&
      (wanted.has(plain(column)) || wanted.has(stem(column)) || (family && familyCalled(column) === family.name)),
  );
  return columns.length === 1 ? columns[0]?.[0] : undefined;
}

/**
 * The only column of a row that names its item: called like the family, or like its natural keys (`E-mail address`,
 * `internal ID`), otherwise the only one with an e-mail address. Never a field of the body, nor a column used for one.
 * Undefined if there is none, or several.
 */
export function columnOfNames(
  { cells, object }: RowRecord,
  operation: Operation,
  family: Family,
  used: ReadonlySet<string>,
): string | undefined {
  const columns = Object.entries(cells ?? object ?? {}).filter(
    ([column]) => bodyFieldAt(operation, [column]).field === undefined && !used.has(column) && plain(column) !== '',
  );
  const names = namePaths(family).map((path) => plain(path.split('.').at(-1) ?? ''));
  const isPart = orderPartIn(family, 'O-1') !== undefined;
  const kinds: readonly ((cell: readonly [string, unknown]) => boolean)[] = [
    ([column]) => familyCalled(column) === family.name,
    ([column]) => names.some((name) => plain(column).startsWith(name)),
    // An order's id is not the id of any of its parts.
    ([column, value]) => isPart && familyCalled(column) === 'sales' && !isIdLike(value),
    ([, value]) => typeof value === 'string' && isEmail(asMeant(value)),
    // An order number or an internal id, whatever the column's name; then people by their names.
    ([, value]) => typeof value === 'string' && /^[A-Za-z]{1,4}-\d+$/.test(asMeant(value)) && mayName(family, value),
    ([column]) => canName(family, 'Jane Doe') && /^(?:full|customer|client|buyer|person)?name$/.test(plain(column)),
  ];
  const found = kinds.map((isOne) => columns.filter(isOne)).find(({ length }) => length > 0);
  return found?.length === 1 ? found[0]?.[0] : undefined;
}

/** What is known about the command and its action if a column is missing. */
interface IdColumnOptions {
  readonly operation: Operation;
  readonly idColumn?: string | undefined;
  lineWith?(...words: readonly string[]): CommandLine;
}

/** The family whose name a column has, with or without "id" after it. */
export function familyCalled(column: string): string | undefined {
  const words = column.trim().replace(/([a-z])([A-Z])/g, '$1 $2');
  const word = words
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/-(?:id|no|nr|num|number|ref|reference)?-?$/, '');
  const meant = synonymOf('command', word);
  return (familyByCommand(word) ?? (meant?.same ? familyByCommand(meant.means ?? '') : undefined))?.name;
}

export function isIdLike(value: unknown): value is string {
  return typeof value === 'string' && looksLikeId(value.trim());
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
const stem = (name: string): string => plain(name).replace(/id$/, '');

/** One error for the whole table, not one per row. */
export function noIdColumn(
  { cells = {} }: RowRecord,
  name: string,
  { operation, idColumn, lineWith }: IdColumnOptions,
): Error {
  const columns = Object.keys(cells);
  const missing = idColumn === undefined ? `for the ${name}` : `"${idColumn}"`;
  // A column named after another family holds ids of that family.
  const like = columns.filter((column) => isIdLike(cells[column]) && familyCalled(column) === undefined);
  const [ready, ...others] = idColumn === undefined && pathParameters(operation).length === 1 ? like : [];
  const offered =
    ready === undefined || others.length > 0 || lineWith === undefined
      ? `Rename the column with the ids or names to "id" or "${name}"`
      : say`If ${ready} holds them: ${lineWith('--id-column', ready)}\nOtherwise rename the column that does to "id" or "${name}"`;
  return usage(
    `The rows have no column ${missing}: their columns are ${columns.slice(0, 12).join(', ')}.`,
    say`${offered}; ${idsListed(operation)} has ids and names. Nothing was sent.`,
  );
}

/** The list that shows the ids of an operation's family beside the items' names. */
export function idsListed({ path }: Operation): CommandLine {
  return cops`${(path.split('/')[1] ?? '').replaceAll('_', '-')} list -o csv`;
}
