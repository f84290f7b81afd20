import { isObject, numberOf, ownMember, type Tree, type TreeObject } from '../json/tree.js';
import type { BodyFinding, BodyFindings, CheckContext } from './types.js';

/* Reads bodies that may hold anything: a value of another type than requested counts as missing. */

/** The value under a chain of names, or undefined. */
export function valueBelow(value: Tree | undefined, ...names: readonly string[]): Tree | undefined {
  let place = value;
  for (const name of names) {
    if (!isObject(place)) return undefined;
    place = ownMember(place, name);
  }
  return place;
}

export function textBelow(value: Tree | undefined, ...names: readonly string[]): string | undefined {
  const found = valueBelow(value, ...names);
  return typeof found === 'string' ? found : undefined;
}

export const numberAt = (value: Tree | undefined, ...names: readonly string[]): number | undefined =>
  numberOf(valueBelow(value, ...names));

export function objectBelow(value: Tree | undefined, ...names: readonly string[]): TreeObject | undefined {
  const found = valueBelow(value, ...names);
  return isObject(found) ? found : undefined;
}

export function listBelow(value: Tree | undefined, ...names: readonly string[]): readonly Tree[] {
  const found = valueBelow(value, ...names);
  return Array.isArray(found) ? found : [];
}

/** True for a meaningful value: not null, not false, not empty. */
export function isSet(value: Tree | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '') return false;
  if (Array.isArray(value)) return value.length > 0;
  return !isObject(value) || Object.keys(value).length > 0;
}

export const isBlank = (text: string): boolean => text.trim() === '';

export const fault = (path: string, message: string): BodyFinding => ({ path, message });

export const note = (path: string, message: string): BodyFinding => ({ path, message, note: true });

/**
 * Requires the fields that a setting needs: nothing when the body or the item has them, a fault when they cannot be
 * there, and a note when the item's values are unknown.
 */
export function* needs(
  body: TreeObject,
  context: CheckContext,
  names: readonly string[],
  message: string,
): BodyFindings {
  const given = valueBelow(body, ...names);
  if (isSet(given) || (given === undefined && isSet(valueBelow(context.current, ...names)))) return;
  const isCertain = given !== undefined || context.whole || context.current;
  const path = names.join('.');
  yield isCertain ? fault(path, message) : note(path, `${message}, unless the item has it already`);
}
