import { isObject, ownMember, sameTree, serialise, type Tree, type TreeObject } from '../items/json/tree.js';
import { isRefObject } from './compare-object.js';
import type { Families, Managed } from './families.js';
import { isJoined } from './joins.js';
import { isId } from './snapshot.js';
import type { FileObject } from './types.js';

/** Fields that items of a family show and files cannot hold, each with where its value comes from instead. */
export function leftOf(managed: Managed): readonly (readonly [field: string, why: string])[] {
  return Object.entries(managed.family.left ?? {});
}

type Files = ReadonlyMap<string, Pick<FileObject, 'shape'>>;
type Read = Pick<FileObject, 'managed' | 'key' | 'address'> & { readonly item: TreeObject };

/** Those fields of one object that count, and its places in other objects' lists that no file provides. */
function findings(file: Read, files: Files, counts: (field: string) => boolean, lead = ''): Finding[] {
  const joins = Object.entries(file.managed.family.joins ?? {}).filter(([field]) => !isJoined(file, field, files));
  const left = [
    ...leftOf(file.managed),
    ...unseenOf(file).map((field) => [field, UNSEEN] as const),
    ...joins.map(([field, { family }]) => [field, `put there with cops ${family.replaceAll('_', '-')} edit`] as const),
  ];
  return left.filter(([field]) => counts(field)).map(([field, why]) => ({ file, field, why: `${lead}${why}` }));
}

/** The reason given for a field that the catalogue does not describe. */
const UNSEEN = 'it is unknown whether a write takes it';
/** Fields that a service keeps on every item, and fields that only repeat what another place shows. */
const HEAD = /^(?:id|live_mode|status|enabled|metadata|api_call_id)$|(?:_unix|_count|url|urls)$/;

/** Fields that an item shows, the catalogue does not know and no file holds. */
function unseenOf({ managed, item, shape }: Read & Partial<Pick<FileObject, 'shape'>>): string[] {
  const known = new Set([...Object.keys(managed.family.item ?? {}), ...Object.keys(managed.family.left ?? {})]);
  return Object.keys(item).filter((name) => !known.has(name) && shape?.[name] === undefined && !HEAD.test(name));
}

/** `images[1:]` becomes `images`. */
function wholeOf(field: string): string {
  return field.replace(REST, '$1');
}

const REST = /^(.+)\[(\d+):\]$/;

function wordsFor(field: string): string {
  return field.replace(/\[1:\]$/, ' beyond the first');
}

/**
 * What does not move with the created objects. An object read from another environment lists the fields it has; a file
 * lists all that its family might have.
 * @param files all files that take part
 */
export function leftBehind(created: Iterable<FileObject>, files: Files): readonly string[] {
  const found: Finding[] = [];
  const unread = new Set<Managed>();
  for (const file of created) {
    const { item, managed } = file;
    if (item === undefined) unread.add(managed);
    else {
      found.push(...findings({ ...file, item }, files, (field) => has(item, field), 'left behind: '));
    }
  }
  // Nobody here has seen the original of a hand-written file, so any field of the family may be missing.
  const unseen = [...unread].filter((managed) => leftOf(managed).length > 0);
  return [
    ...unseen.map((managed) => {
      const fields = leftOf(managed).map(([field]) => wordsFor(field));
      return `${managed.name}: in no file: ${fields.join(', ')} (cops setup graph says why)`;
    }),
    ...grouped(found),
  ];
}

/** An object that exists on both sides. */
export interface Pair {
  readonly file: FileObject;
  /** The object as the target shows it, with addresses in place of ids. */
  readonly there: TreeObject;
  /** The same as files would hold it. */
  readonly thereShape: TreeObject;
}

/** Differences in existing objects that no write can remove, as far as both sides have been read. */
export function differingForGood(pairs: Iterable<Pair>, files: Files): readonly string[] {
  return grouped(
    [...pairs].flatMap(({ file, there, thereShape }) => {
      const { item } = file;
      if (item === undefined) return [];
      // Only a create carries the first picture, so for an existing object the whole list counts.
      const isOther = (field: string): boolean => !isAlike(at(item, wholeOf(field)), at(there, wholeOf(field)));
      const lead = 'differs, and stays so: ';
      const switched = 'enabled' in item && file.shape.enabled === undefined && isOther('enabled');
      const found = findings({ ...file, item }, files, isOther, lead).map((one) => ({
        ...one,
        field: wholeOf(one.field),
      }));
      const beyond = onlyThere(file.shape, thereShape).filter((field) => field !== 'enabled');
      found.push(...beyond.map((field) => ({ file, field, why: `${lead}${ONLY_THERE}` })));
      return switched ? [...found, { file, field: 'enabled', why: `${lead}no file holds it` }] : found;
    }),
  );
}

const ONLY_THERE = 'only there, and fields that one side does not name stay unchanged';

/** Paths that the second shape has and the first does not name. */
function onlyThere(here: TreeObject, there: TreeObject, lead = ''): string[] {
  return Object.entries(there).flatMap(([name, value]) => {
    const own = ownMember(here, name);
    if (own === undefined) return isEmpty(value) ? [] : [`${lead}${name}`];
    return isObject(own) && isObject(value) && !isRefObject(own) ? onlyThere(own, value, `${lead}${name}.`) : [];
  });
}

/** Fields of objects that their files do not hold. */
export function notInFiles(objects: readonly (Read & Pick<FileObject, 'shape'>)[]): readonly string[] {
  const files = new Map(objects.map((one) => [one.address, one]));
  return grouped(objects.flatMap((file) => findings(file, files, (field) => has(file.item, field))));
}

interface Finding {
  readonly file: Pick<FileObject, 'managed' | 'key'>;
  readonly field: string;
  readonly why: string;
}

/** One line per field of a family, with the names of the objects. */
function grouped(found: readonly Finding[]): string[] {
  const groups = new Map<string, Finding[]>();
  for (const one of found) {
    const group = [one.file.managed.name, one.field, one.why].join('\0');
    groups.set(group, [...(groups.get(group) ?? []), one]);
  }
  return [...groups.values()].map((all) => {
    const { file, field, why } = all[0] as Finding;
    return `${file.managed.name}: ${wordsFor(field)} of ${namesOf(all.map((one) => one.file))}: ${why}`;
  });
}

/** The part of a value that means the same in any account: no ids, times, picture addresses or empty values. */
function said(value: Tree | undefined): Tree | undefined {
  if (isEmpty(value) || (typeof value === 'string' && isId(value))) return undefined;
  if (Array.isArray(value)) {
    const all = value.map(said).filter((one): one is Tree => one !== undefined);
    return all.sort((a, b) => (serialise(a) < serialise(b) ? -1 : 1));
  }
  if (!isObject(value)) return value;
  const members = Object.entries(value).filter(([name]) => name !== 'id' && !/(_unix|url)$/.test(name));
  return Object.fromEntries(
    members.flatMap(([name, member]): [string, Tree][] => {
      const plain = said(member);
      return plain === undefined ? [] : [[name, plain]];
    }),
  );
}

function isAlike(one: Tree | undefined, other: Tree | undefined): boolean {
  const [a, b] = [said(one), said(other)];
  return a === undefined || b === undefined ? a === b : sameTree(a, b);
}

/** The fields that files cannot hold, for every family that has some; for the graph. */
export function leftEverywhere(families: Families): readonly { readonly name: string; readonly why: string }[] {
  return [...families.managed.values()].flatMap((managed) =>
    leftOf(managed).map(([field, why]) => ({ name: `${managed.name}: ${wordsFor(field)}`, why })),
  );
}

const has = (item: TreeObject, field: string): boolean => !isEmpty(at(item, field));

/** The value of an item at a place; `images[1:]` is the list without its first element. */
function at(item: TreeObject, field: string): Tree | undefined {
  const rest = REST.exec(field);
  const value = ownMember(item, rest?.[1] ?? field);
  return rest && Array.isArray(value) ? value.slice(Number(rest[2])) : value;
}

function isEmpty(value: Tree | undefined): boolean {
  if (value === undefined || value === null || value === '' || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  // An object with only empty parts says nothing (`bundle_settings` of a product that is not a bundle).
  return isObject(value) && Object.entries(value).every(([name, part]) => name.endsWith('method') || isEmpty(part));
}

function namesOf(files: readonly Pick<FileObject, 'key'>[]): string {
  const names = files.slice(0, 3).map(({ key }) => key);
  const more = files.length - names.length;
  return `${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
