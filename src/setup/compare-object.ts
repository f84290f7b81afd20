import { editEffect } from '../catalogue/body-fields.js';
import type { Field } from '../catalogue/types.js';
import {
  isEmpty,
  isObject,
  ownMember,
  sameTree,
  type Tree,
  type TreeObject,
  withoutParts,
} from '../items/json/tree.js';
import type { Managed } from './families.js';
import { hashOf } from './hash.js';
import type { FileObject, PlannedChange, Remote } from './types.js';
import { isSecretVariable } from './variables.js';

/** An object as it was last applied or pulled: one hash per field. */
export type Base = Readonly<Record<string, string>>;

export function baseOf(shape: TreeObject): Base {
  return Object.fromEntries(Object.entries(shape).map(([name, value]) => [name, hashOf(value)]));
}

/**
 * Compares a file with the service, field by field, against the last known state of the object. Only fields that the
 * file names count; secrets never differ here. @param base undefined where nothing is recorded: every difference is
 * then drift. `changes`: changes made in the file. `drift`: differences that the file alone did not make. `kept`:
 * Variables that only the service has: an edit cannot remove them. `late`: fields that only a create can carry (a
 * picture) and that are missing or different.
 */
export function compareObject(
  file: Pick<FileObject, 'shape' | 'managed' | 'adds'>,
  remote: Remote,
  base: Base | undefined,
) {
  const changes: PlannedChange[] = [];
  const drift: PlannedChange[] = [];
  const kept: string[] = [];
  const late: string[] = [];
  for (const [name, wanted] of Object.entries(file.shape)) {
    const field = file.managed.fields[name];
    if (field?.movesFrom !== undefined && !isHostedAs(wanted, ownMember(remote.shape, name), base?.[name]))
      late.push(name);
    if (field?.unread || isSecretVariable(wanted)) continue;
    const to = withoutSecrets(wanted) as Tree;
    const from = ownMember(remote.shape, name);
    if (isUpserted(field)) kept.push(...surplus(name, to, from));
    if (covered(field, to, from)) continue;
    const isFilesOwn = file.adds?.has(name) === true || (base !== undefined && base[name] === hashOf(from));
    (isFilesOwn ? changes : drift).push({ field: name, from, to });
  }
  return { changes, drift, kept, late };
}

/**
 * Whether the file fetched from one address is the one at another. Each account hosts its own copy, so equal file names
 * count, and so does an address that was applied or pulled here.
 */
function isHostedAs(wanted: Tree, found: Tree | undefined, known: string | undefined): boolean {
  const nameOf = (address: Tree | undefined) => /[^/]*$/.exec(String(address).replace(/[?#].*$/, ''))?.[0];
  if (isEmpty(found)) return isEmpty(wanted);
  return nameOf(wanted) === nameOf(found) || known === hashOf(wanted);
}

/** Removes the secret variables. */
export function withoutSecrets(value: Tree): Tree | undefined {
  return withoutParts(value, isSecretVariable);
}

/** Whether the service has everything that the file names. */
function covered(field: Field | undefined, wanted: Tree, found: Tree | undefined): boolean {
  if (isUpserted(field) && Array.isArray(wanted)) {
    const there = Array.isArray(found) ? found : [];
    return wanted.every((one) =>
      there.some((other) => isObject(one) && isObject(other) && one.name === other.name && sameTree(one, other)),
    );
  }
  if (isObject(wanted) && isObject(found) && !isRefObject(wanted))
    return Object.entries(wanted).every(([name, member]) =>
      covered(field?.fields?.[name], member, ownMember(found, name)),
    );
  // A field that is not shown counts as empty.
  if (found === undefined && isEmpty(wanted)) return true;
  return sameTree(wanted, found);
}

/** Fields of a body that the service does not show as they were sent, except secrets and fields that no read shows. */
export function notTaken(managed: Managed, body: TreeObject, shape: TreeObject): readonly string[] {
  return Object.entries(body)
    .filter(([name, value]) => {
      const field = managed.fields[name];
      const plain = field?.unread ? undefined : withoutSecrets(value);
      return plain !== undefined && !covered(field, plain, ownMember(shape, name));
    })
    .map(([name]) => name);
}

/** A reference or a file name in place of a value. */
export function isRefObject(value: TreeObject): boolean {
  return Object.keys(value).length === 1 && Object.hasOwn(value, 'ref');
}

function isUpserted(field: Field | undefined): boolean {
  return field?.type === 'array' && field.onEdit === 'upserts';
}

function surplus(field: string, wanted: Tree, found: Tree | undefined): string[] {
  const names = (list: Tree | undefined) =>
    (Array.isArray(list) ? list : []).flatMap((one) =>
      isObject(one) && typeof one.name === 'string' ? [one.name] : [],
    );
  const own = new Set(names(wanted));
  return names(found)
    .filter((name) => !own.has(name))
    .map((name) => `${field}.${name}`);
}

/**
 * The value an edit sends for a field: the file's, merged over the service's where the service replaces objects whole.
 */
export function editValue(field: Field | undefined, wanted: Tree, found: Tree | undefined): Tree {
  const replaces = field !== undefined && editEffect(field) === 'replaces';
  return replaces && isObject(wanted) && isObject(found) && !isRefObject(wanted) ? { ...found, ...wanted } : wanted;
}
