import { replaced, type TreeObject } from '../items/json/tree.js';
import { addressOf } from './families.js';
import { refOf } from './shape-references.js';
import type { FileObject, Remote, Snapshot } from './types.js';

type Objects = ReadonlyMap<string, FileObject>;

/** Makes references use the new name of a renamed object: its old name stays valid as long as `_was` is there. */
export function namedAnew(objects: Objects): ReadonlyMap<string, FileObject> {
  const renames = new Map(
    [...objects.values()].flatMap(({ address, managed, was }): [string, string][] => {
      const old = was === undefined ? address : addressOf(managed.name, was);
      // A name that another file has belongs to that file.
      return objects.has(old) ? [] : [[old, address]];
    }),
  );
  if (renames.size === 0) return objects;
  return new Map([...objects].map(([address, one]) => [address, { ...one, shape: renamedIn(one.shape, renames) }]));
}

/**
 * A snapshot whose objects have the names that the files use, so that a rename does not show as a change of the objects
 * that refer to it.
 */
export function seenRenamed(snapshot: Snapshot, objects: Objects): Snapshot {
  const renames = new Map<string, string>();
  const addresses = new Map(snapshot.addresses);
  const ids = new Map(snapshot.ids);
  for (const file of objects.values()) {
    const old = oldAddress(file, snapshot);
    if (old === undefined || objects.has(old) || ids.has(file.address)) continue;
    const [id, ...others] = ids.get(old) ?? [];
    // Two objects share the name, so the references to one cannot be told from those to the other.
    if (id === undefined || others.length > 0) continue;
    renames.set(old, file.address);
    ids.set(file.address, [id]);
    ids.delete(old);
    if (addresses.has(id)) addresses.set(id, file.address);
  }
  if (renames.size === 0) return snapshot;
  const seen = (remote: Remote): Remote => ({ ...remote, shape: renamedIn(remote.shape, renames) });
  const all = <Key>(map: ReadonlyMap<Key, Remote>) => new Map([...map].map(([key, one]) => [key, seen(one)]));
  return { ...snapshot, objects: all(snapshot.objects), byId: all(snapshot.byId), addresses, ids };
}

/** The address of a file's object in the environment, where it differs from the file's. */
function oldAddress({ address, managed, was, pinned }: FileObject, { byId }: Snapshot): string | undefined {
  const remote = pinned === undefined ? undefined : byId.get(pinned);
  const old = pinned === undefined ? was && addressOf(managed.name, was) : remote?.address;
  return old === address ? undefined : old;
}

function renamedIn(shape: TreeObject, renames: ReadonlyMap<string, string>): TreeObject {
  return replaced(shape, (part) => {
    const anew = renames.get(refOf(part) ?? '');
    return anew === undefined ? undefined : { ref: anew };
  }) as TreeObject;
}
