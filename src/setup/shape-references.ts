import type { Field } from '../catalogue/types.js';
import { plainTree } from '../items/checks/body-faults.js';
import { faultsOfBody } from '../items/checks/validate.js';
import { copy, isEmpty, isObject, ownMember, replaced, type Tree, type TreeObject } from '../items/json/tree.js';
import { isSecretByNames } from '../items/secrets/secret-fields.js';
import { follow, readValue } from '../service/body/body-changes.js';
import { addressOf, type Managed, ONLY, partsOfAddress } from './families.js';

type Parts = readonly (string | number)[];

/** The address that a value refers to; undefined if it is not a reference. */
export function refOf(value: Tree | undefined): string | undefined {
  if (!isObject(value)) return undefined;
  const { ref, ...rest } = value;
  if (typeof ref !== 'string' || !ref.includes('/') || Object.keys(rest).length > 0) return undefined;
  const { name, key } = partsOfAddress(ref);
  return addressOf(name, key);
}

/** Every address that a tree refers to, with the path of the reference. */
export function refsIn(tree: Tree, parts: Parts = []): { readonly address: string; readonly parts: Parts }[] {
  const address = refOf(tree);
  if (address !== undefined) return [{ address, parts }];
  if (Array.isArray(tree)) return tree.flatMap((element, index) => refsIn(element, [...parts, index]));
  if (!isObject(tree)) return [];
  return Object.entries(tree).flatMap(([name, value]) => refsIn(value, [...parts, name]));
}

/** The tree with every reference replaced by the result of `idOf` for its address. */
export function withIds(tree: Tree, idOf: (address: string) => Tree): Tree {
  return replaced(tree, (part) => {
    const address = refOf(part);
    return address === undefined ? undefined : idOf(address);
  });
}

/** The tree with every known id replaced by a reference. */
export function withRefs(tree: Tree, addressOfId: (id: string) => string | undefined): Tree {
  return replaced(tree, (part) => {
    const address = typeof part === 'string' ? addressOfId(part) : undefined;
    return address === undefined ? undefined : { ref: address };
  });
}

/**
 * The body that would write an item as it is: the fields that a create or edit takes, without secrets and fields that
 * no read shows. Leaves out empty values that the service shows but does not accept.
 */
export function shapeOf(managed: Managed, item: TreeObject): TreeObject {
  const shape = members(managed.fields, item, item, []);
  // The name of an object is never a secret, even if its field is called `key`.
  const name = managed.keyField === undefined ? undefined : ownMember(item, managed.keyField);
  if (managed.keyField !== undefined && managed.fields[managed.keyField] && name !== undefined)
    shape[managed.keyField] = name;
  for (const { place } of faultsOfBody(managed.body, plainTree(shape))) dropEmpty(shape, place);
  return shape;
}

function members(fields: Readonly<Record<string, Field>>, source: TreeObject, item: TreeObject, parts: Parts) {
  const body: TreeObject = {};
  for (const [name, field] of Object.entries(fields)) {
    const place = [...parts, name];
    if (name === 'idempotency_key' || (field.unread && !field.movesFrom) || isHidden(field, name, source, place))
      continue;
    const { movesFrom } = field;
    const read = movesFrom === undefined ? readValue(field, name, source, item) : follow(item, movesFrom.split('.'));
    const value = written(field, read, item, place);
    if (value !== undefined) body[name] = value;
  }
  return body;
}

/** A secret; the value of a variable is one only if the variable is marked as encrypted (service.md#other-items). */
function isHidden(field: Field, name: string, beside: TreeObject, parts: Parts): boolean {
  if (name === 'value' && typeof beside.encrypted === 'boolean') return beside.encrypted;
  return field.secret === true || isSecretByNames(parts);
}

function written(field: Field, value: Tree | undefined, item: TreeObject, parts: Parts): Tree | undefined {
  if (value === undefined) return undefined;
  if (value === null) return field.nullable ? null : undefined;
  if (isObject(value) && (field.type === 'string' || (field.type === 'any' && field.refers)))
    return ownMember(value, 'id');
  if (Array.isArray(value)) {
    const { items } = field;
    if (!items) return value.map((element) => bareId(field, element));
    return value
      .map((element, index) => written(items, bareId(field, element, items), item, [...parts, index]))
      .filter((element) => element !== undefined);
  }
  if (field.type !== 'object' || !isObject(value) || Object.keys(field.fields ?? {}).length === 0)
    return withoutSecrets(value, parts);
  const known = members(field.fields ?? {}, value, item, parts);
  if (!field.open) return Object.keys(known).length === 0 && Object.keys(value).length > 0 ? undefined : known;
  const rest = Object.entries(value).filter(([name]) => !Object.hasOwn(field.fields ?? {}, name));
  return { ...known, ...(withoutSecrets(Object.fromEntries(rest), parts) as TreeObject) };
}

/** Lists of references are read as `{id, name}` and written as ids, unless their elements have more fields. */
function bareId(field: Field, element: Tree, items?: Field): Tree {
  if (items?.fields || !field.refers || !isObject(element)) return element;
  return ownMember(element, 'id') ?? copy(element);
}

function withoutSecrets(value: Tree, parts: Parts): Tree {
  if (Array.isArray(value)) return value.map((element, index) => withoutSecrets(element, [...parts, index]));
  if (!isObject(value)) return value;
  const kept = Object.entries(value).filter(([name]) => !isSecretByNames([...parts, name]));
  return Object.fromEntries(kept.map(([name, member]) => [name, withoutSecrets(member, [...parts, name])]));
}

/** Removes an empty value at a place; keeps any other value, whatever the catalogue says about it. */
function dropEmpty(root: TreeObject, place: Parts): void {
  let parent: unknown = root;
  for (const part of place.slice(0, -1)) parent = (parent as Record<string | number, unknown> | undefined)?.[part];
  const name = place.at(-1);
  if (!isObject(parent) || typeof name !== 'string') return;
  const value = ownMember(parent, name);
  if (isEmpty(value) && !isObject(value)) delete parent[name];
}

/** The name of an item or a file; undefined where it has none. */
export function keyOfItem(managed: Pick<Managed, 'family' | 'keyField'>, item: TreeObject): string | undefined {
  if (managed.family.keys.length === 0) return ONLY;
  for (const { field } of managed.family.keys) {
    const value = ownMember(item, field);
    if (typeof value === 'string' && value !== '') return value;
  }
  return undefined;
}
