import { bodyFieldAt } from '../catalogue/body-fields.js';
import { familyByCommand } from '../catalogue/index.js';
import { synonymOf } from '../catalogue/synonyms.js';
import type { Family, Operation } from '../catalogue/types.js';
import { looksLikeId } from '../catalogue/value-formats.js';
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

/** The family that a column is called like, with or without "id" behind its name. */
export function familyCalled(column: string): string | undefined {
  const words = column.trim().replace(/([a-z])([A-Z])/g, '$1 $2');
  const word = words
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/-id$/, '');
  const meant = synonymOf('command', word);
  return (familyByCommand(word) ?? (meant?.same ? familyByCommand(meant.means ?? '') : undefined))?.name;
}

export function isIdLike(value: unknown): value is string {
  return typeof value === 'string' && looksLikeId(value.trim());
}

const plain = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
const stem = (name: string): string => plain(name).replace(/id$/, '');
