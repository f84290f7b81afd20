import { findOperation, pathParameters } from '../catalogue/index.js';
import type { Family, FamilyOperation } from '../catalogue/types.js';
import { NumberText, serialise, type Tree } from '../items/json/tree.js';
import { minorDigits } from '../items/schema/types.js';
import type { RowRecord, RowSubject } from './types.js';

/** The family of the one item that each row is about; undefined where it is about none, or about a part of one. */
export function itemFamily({
  family,
  operation,
  subject,
}: FamilyOperation & { readonly subject?: RowSubject | undefined }): Family | undefined {
  if (subject) return subject.family;
  const [only = '', ...others] = pathParameters(operation);
  const isOwn = operation.path.startsWith(`/${family.name}/{`) && (operation.params?.[only] ?? 'id') === 'id';
  const canRead = findOperation(family, 'get') ?? findOperation(family, 'list');
  return isOwn && others.length === 0 && canRead ? family : undefined;
}

/** The columns of a row with their values, without some of them. */
export function* valuesOf(record: RowRecord, except: readonly string[]): Iterable<readonly [string, Tree | undefined]> {
  for (const name of Object.keys(record.cells ?? record.object ?? {}))
    if (!except.includes(name)) yield [name, memberOf(record, name)];
}

/** True where a row has a column, even an empty one. */
export function hasMember(record: RowRecord, name: string): boolean {
  return Object.hasOwn(record.cells ?? record.object ?? {}, name);
}

/** A cell or member; an empty cell is none. */
export function memberOf(record: RowRecord, name: string): Tree | undefined {
  if (!hasMember(record, name)) return undefined;
  if (record.cells) return record.cells[name]?.trim() === '' ? undefined : record.cells[name];
  return record.object?.[name];
}

/** The digits of the currency that a row names in a column of its own, or that its item is in. */
export function digitsOf(record: RowRecord): number | undefined {
  const code = ['iso_currency', 'currency']
    .map((name) => memberOf(record, name))
    .find((one) => typeof one === 'string');
  const known = typeof code === 'string' ? code : record.item?.currency;
  return known === undefined ? undefined : minorDigits(known.trim().toUpperCase());
}

/** A value as text; `null` is none. */
export function rowText(value: Tree | undefined): string | undefined {
  if (value === undefined || typeof value === 'string') return value;
  if (value instanceof NumberText) return value.text;
  return value === null ? undefined : serialise(value);
}
