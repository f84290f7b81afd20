import { usage } from '../base/errors/errors.js';
import { inParallel } from '../base/in-parallel.js';
import { SendSlots } from '../bulk/send-slots.js';
import type { Family, Operation } from '../catalogue/types.js';
import { ownMember, type TreeObject } from '../items/json/tree.js';
import { addressOf, type External, type Families, type Managed, ONLY } from './families.js';
import { hashOf } from './hash.js';
import { keyOfItem, shapeOf, withRefs } from './shape-references.js';
import type { Remote, Snapshot } from './types.js';

/** How to read an account; every call is a GET. */
export interface AccountReader {
  /** All items of a list; with `whole` also those older than the account's first day. */
  list(
    family: Family,
    list: Operation,
    options?: { readonly whole?: boolean },
  ): Promise<{ readonly items: readonly TreeObject[]; readonly unproven: readonly string[] }>;
  /** One whole item; undefined where none exists. */
  item(family: Family, get: Operation, id: string | undefined): Promise<TreeObject | undefined>;
}

export interface SnapshotOptions {
  readonly families: Families;
  /** Families whose objects are read whole; of the others only ids and names are read. */
  readonly wanted: ReadonlySet<string>;
  readonly concurrency: number;
  progress?(done: number, all: number): void;
}

interface Found {
  readonly managed: Managed;
  readonly id: string;
  readonly item: TreeObject;
  whole?: TreeObject | undefined;
}

/** Reads the contents of an environment: the lists of all families, and the wanted objects one by one. */
export async function readSnapshot(reader: AccountReader, options: SnapshotOptions): Promise<Snapshot> {
  const { families, wanted, concurrency } = options;
  const addresses = new Map<string, string>();
  const ids = new Map<string, string[]>();
  const unproven: string[] = [];
  const nameless: string[] = [];
  const found: Found[] = [];
  const slots = new SendSlots(concurrency);
  const reading: Promise<void>[] = [];
  const failures: unknown[] = [];
  let done = 0;
  const take = async (one: Found): Promise<void> => {
    found.push(one);
    // Items are requested while other lists are still being read.
    await slots.take();
    try {
      const { managed, id } = one;
      if (failures.length === 0) one.whole = await reader.item(managed.family, managed.get, managed.list && id);
      options.progress?.(++done, found.length);
    } catch (error) {
      failures.push(error);
    } finally {
      slots.give();
    }
  };
  const note = (name: string, family: External | Managed, item: TreeObject): void => {
    const id = idOf(family.family, item);
    const key = keyOfItem(family, item);
    if (id === undefined) return;
    if (key === undefined) nameless.push(`${name} ${id}`);
    else {
      // Only ids are references anywhere; a key that is a word could be any string.
      if (family.family.idField === 'id') addresses.set(id, addressOf(name, key));
      ids.set(addressOf(name, key), [...(ids.get(addressOf(name, key)) ?? []), id]);
    }
    const managed = families.managed.get(name);
    if (managed && wanted.has(name) && key !== undefined) reading.push(take({ managed, id, item }));
  };
  const all = [...families.managed.entries(), ...families.external.entries()];
  await inParallel(all, concurrency, async ([name, family]) => {
    if (!family.list) {
      if (wanted.has(name)) reading.push(take({ managed: family as Managed, id: ONLY, item: {} }));
      return;
    }
    const listed = await reader.list(family.family, family.list);
    unproven.push(...listed.unproven.map((text) => `${name}: ${text}`));
    for (const item of listed.items) note(name, family, item);
  });
  await Promise.all(reading);
  if (failures.length > 0) throw failures[0];
  const objects = new Map<string, Remote>();
  const byId = new Map<string, Remote>();
  for (const { managed, id, whole } of found) {
    if (!whole) continue;
    const remote = remoteOf(managed, id, whole, (known) => addresses.get(known));
    byId.set(id, remote);
    const twin = objects.get(remote.address);
    // Of two objects with one name, the one with the smaller id is listed; code that uses the name checks `ids`.
    if (!twin || remote.id < twin.id) objects.set(remote.address, remote);
  }
  const sorted = new Map([...objects].sort(([a], [b]) => (a < b ? -1 : 1)));
  return { objects: sorted, byId, addresses, ids, unproven, nameless: nameless.sort() };
}

/**
 * Refuses names that several objects share: picking one would silently ignore the others.
 * @throws CopsError usage (2)
 */
export function refuseTwins({ ids }: Pick<Snapshot, 'ids'>, isMeant: (address: string) => boolean, hint: string): void {
  const twins = [...ids].filter(([address, own]) => own.length > 1 && isMeant(address));
  if (twins.length === 0) return;
  const lines = twins.map(([address, own]) => `  ${address}: ${own.join(', ')}`);
  throw usage(`Objects with the same name cannot be distinguished, nothing was written:\n${lines.join('\n')}`, hint);
}

/** Whether an address belongs to one of these families. */
export function isOfFamily(families: ReadonlySet<string>, address: string): boolean {
  return families.has(address.split('/')[0] ?? '');
}

/** An item as files would hold it. */
export function remoteOf(
  managed: Managed,
  id: string,
  item: TreeObject,
  addressOfId: (id: string) => string | undefined,
): Remote {
  const key = keyOfItem(managed, item) ?? id;
  const own = addressOf(managed.name, key);
  const shape = withRefs(shapeOf(managed, item), (known) => addressOfId(known)) as TreeObject;
  return { address: own, managed, key, id, item, shape, hash: hashOf(shape) };
}

/** Whether a string can only be an id of the service. */
export function isId(text: string): boolean {
  return /^[A-Za-z0-9]{20}$/.test(text);
}

export function idOf(family: Pick<Family, 'idField'>, item: TreeObject): string | undefined {
  const id = ownMember(item, family.idField);
  return typeof id === 'string' ? id : undefined;
}
