import { bodyFields } from '../../catalogue/body-fields.js';
import type { Field, Operation } from '../../catalogue/types.js';
import { copy, isObject, ownMember, sameTree, type Tree, type TreeObject } from '../../items/json/tree.js';
import { isSecretPath } from '../../items/secrets/secret-fields.js';

/**
 * The body that would write an item as it is now: where `edit --editor` starts. Reads and writes differ (`{id, name}`
 * is read where an id is written, `unit_value` where `value` is), so each field says where to read its value. Leaves
 * out what the item lacks, secrets, and lists whose elements hold secrets: sending such a list back without them could
 * clear them.
 */
export function itemToBody(operation: Operation, item: Tree): TreeObject {
  if (!isObject(item)) return {};
  return members({ operation, item }, bodyFields(operation), item, []);
}

type Parts = readonly (string | number)[];
type Fields = Readonly<Record<string, Field>>;

/** The operation to build a body for, and the item to read from. */
interface Rewriting {
  readonly operation: Operation;
  readonly item: TreeObject;
}

function members(of: Rewriting, fields: Fields, source: TreeObject, parts: Parts): TreeObject {
  const { operation, item } = of;
  const body: TreeObject = {};
  for (const [name, field] of Object.entries(fields)) {
    const place = [...parts, name];
    if (name === 'idempotency_key' || isSecretPath(operation, place) || holdsSecrets(operation, field, place)) continue;
    const read = readValue(field, name, source, item) ?? wholeItem(operation, field, place, item);
    const value = written(of, field, read, place);
    if (value !== undefined) body[name] = value;
  }
  return body;
}

/**
 * The item's value for a field: at the field's `readFrom` path, counted from the item, else under the same name in
 * `source`.
 */
export function readValue(field: Field, name: string, source: TreeObject, item: TreeObject): Tree | undefined {
  const beside = ownMember(source, name);
  if (field.readFrom === undefined) return beside;
  const steps = field.readFrom.split('.');
  const direct = follow(item, steps);
  if (direct !== undefined) return direct;
  // `x.id` on a list of objects means the list of their ids; on a bare id it means that id.
  return steps.at(-1) === 'id' ? follow(item, steps.slice(0, -1)) : beside;
}

/** For an edit that nests its fields under the family's own word (`customer`): the item's own values. */
function wholeItem(operation: Operation, field: Field, place: Parts, item: TreeObject): Tree | undefined {
  const isOwnWord = place.length === 1 && operation.path.includes(`{${place[0]}_id}`);
  return isOwnWord && field.type === 'object' && field.fields && !field.open ? item : undefined;
}

/** The value at a path; undefined where the path ends early. */
export function follow(item: Tree, steps: readonly string[]): Tree | undefined {
  let place: Tree | undefined = item;
  for (const step of steps)
    place = Array.isArray(place) ? place[Number(step)] : isObject(place) ? ownMember(place, step) : undefined;
  return place;
}

function written(of: Rewriting, field: Field, value: Tree | undefined, parts: Parts): Tree | undefined {
  if (value === undefined) return undefined;
  if (value === null) return field.nullable ? null : undefined;
  if (field.type === 'string' && isObject(value)) return ownMember(value, 'id') ?? undefined;
  if (field.type === 'array' && Array.isArray(value)) {
    const { items } = field;
    if (!items) return copy(value);
    return value
      .map((element, index) => written(of, items, element, [...parts, index]))
      .filter((element) => element !== undefined);
  }
  if (field.type === 'object' && isObject(value) && field.fields && Object.keys(field.fields).length > 0) {
    const known = members(of, field.fields, value, parts);
    if (!field.open) return known;
    const rest = Object.entries(value).filter(
      ([name]) => !Object.hasOwn(field.fields ?? {}, name) && !isSecretPath(of.operation, [...parts, name]),
    );
    return { ...known, ...(copy(Object.fromEntries(rest)) as TreeObject) };
  }
  return copy(value);
}

function holdsSecrets(operation: Operation, field: Field, parts: Parts): boolean {
  if (field.type !== 'array' || !field.items) return false;
  const names = Object.keys(field.items.fields ?? {});
  return names.some((name) => isSecretPath(operation, [...parts, 0, name]));
}

const FREQUENCY_SETTINGS = /^frequency_(unit|calendar|fiscal)$/;

/**
 * What an edit must send: the top-level properties that differ, each in full unless the service merges it. A frequency
 * and its settings object go together, since the service ignores one without the other
 * (service.md#subscription-profiles). Properties deleted from the text are not sent, see {@link removedFrom}.
 */
export function bodyChanges(before: TreeObject, after: TreeObject, fields: Fields = {}): TreeObject {
  const changes: TreeObject = {};
  for (const [name, value] of Object.entries(after)) {
    const stored = ownMember(before, name);
    if (name === 'idempotency_key' || sameTree(stored, value)) continue;
    const merges = fields[name]?.onEdit === 'merges' && isObject(stored) && isObject(value);
    changes[name] = merges ? bodyChanges(stored, value, fields[name]?.fields) : value;
  }
  const frequency = ownMember(after, 'frequency');
  if (typeof frequency !== 'string') return changes;
  const settings = `frequency_${frequency}`;
  const touched = Object.hasOwn(changes, 'frequency') || Object.hasOwn(changes, settings);
  const value = ownMember(after, settings);
  if (!touched || !FREQUENCY_SETTINGS.test(settings) || value === undefined) return changes;
  return { ...changes, frequency, [settings]: value };
}

/** Names deleted from the text. An edit cannot delete a field, so the operator gets a warning. */
export function removedFrom(before: TreeObject, after: TreeObject): string[] {
  return Object.keys(before).filter((name) => !Object.hasOwn(after, name));
}

/**
 * The intention of an edit, whatever else a list now holds: for a list that is sent in full, the elements it gains and
 * loses. The guard against repeats treats two edits that ask for the same as the same write.
 */
export function askedFields(before: TreeObject, changes: TreeObject): TreeObject {
  return Object.fromEntries(
    Object.entries(changes).map(([name, after]): [string, Tree] => {
      const stored = ownMember(before, name);
      // Lists of strings only: other lists may hold a secret, which is masked by its place in the body.
      if (!isTexts(after) || !isTexts(stored)) return [name, after];
      const gains = after.filter((one) => !stored.includes(one));
      const loses = stored.filter((one) => !after.includes(one));
      // Only the order changed, or one of two equal elements is gone: the list itself is what was asked for.
      return [name, gains.length + loses.length === 0 ? after : { gains, loses }];
    }),
  );
}

function isTexts(value: Tree | undefined): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}
