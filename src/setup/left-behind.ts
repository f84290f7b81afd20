import { get, isObject, type Tree, type TreeObject } from '../json/tree.js';
import type { Families, Managed } from './families.js';
import type { FileObject } from './types.js';

/** What items of a family show and no file can hold, with where it comes from instead. */
export function leftOf(managed: Managed): readonly (readonly [field: string, why: string])[] {
  return Object.entries(managed.family.left ?? {});
}

function wordsFor(field: string): string {
  return field.replace(/\[1:\]$/, ' beyond the first');
}

/**
 * What does not move with the objects that are made: of objects that were read elsewhere only what they have, of files
 * all that their family might have.
 */
export function leftBehind(created: Iterable<FileObject>): readonly string[] {
  const families = new Map<Managed, FileObject[]>();
  for (const file of created) families.set(file.managed, [...(families.get(file.managed) ?? []), file]);
  const lines: string[] = [];
  for (const [managed, files] of families) {
    if (files.some(({ item }) => item === undefined) && leftOf(managed).length > 0) {
      // A file that a person wrote may leave behind what nobody here has seen.
      const fields = leftOf(managed).map(([field]) => wordsFor(field));
      lines.push(`${managed.name}: in no file: ${fields.join(', ')} (cops setup graph says why)`);
      continue;
    }
    for (const [field, why] of leftOf(managed)) {
      const having = files.filter(({ item }) => item !== undefined && has(item, field));
      if (having.length > 0)
        lines.push(`${managed.name}: ${wordsFor(field)} of ${namesOf(having)}: left behind: ${why}`);
    }
  }
  return lines;
}

/** The same of every family that has such fields, for the graph. */
export function leftEverywhere(families: Families): readonly { readonly name: string; readonly why: string }[] {
  return [...families.managed.values()].flatMap((managed) =>
    leftOf(managed).map(([field, why]) => ({ name: `${managed.name}: ${wordsFor(field)}`, why })),
  );
}

/** Whether an item has a value there; `images[1:]` is the list without its first element. */
function has(item: TreeObject, field: string): boolean {
  const rest = /^(.+)\[(\d+):\]$/.exec(field);
  const value = get(item, rest?.[1] ?? field);
  return !isEmpty(rest && Array.isArray(value) ? value.slice(Number(rest[2])) : value);
}

function isEmpty(value: Tree | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  // An object of empty parts says nothing (`bundle_settings` of what is no bundle).
  return isObject(value) && Object.entries(value).every(([name, part]) => name.endsWith('method') || isEmpty(part));
}

function namesOf(files: readonly FileObject[]): string {
  const names = files.slice(0, 3).map(({ key }) => key);
  const more = files.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
