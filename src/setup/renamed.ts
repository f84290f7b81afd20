import { replaced, type TreeObject } from '../items/json/tree.js';
import { addressOf } from './families.js';
import { refOf } from './shape-references.js';
import type { FileObject, Remote, Snapshot } from './types.js';

type Objects = ReadonlyMap<string, FileObject>;

/** Files whose references name a renamed object by its new name: the old one stands for it while `_was` does. */
export function namedAnew(objects: Objects): ReadonlyMap<string, FileObject> {
  const renames = new Map(
    [...objects.values()].flatMap(({ address, managed, was }): [string, string][] => {
      const old = was === undefined ? address : addressOf(managed.name, was);
      // A name that another file has is that file's.
      return objects.has(old) ? [] : [[old, address]];
    }),
  );
  if (renames.size === 0) return objects;
  return new Map([...objects].map(([address, one]) => [address, { ...one, shape: renamedIn(one.shape, renames) }]));
}

/** What an environment holds, with its objects called as the files call them: a rename is no change of what refers to it. */
export function seenRenamed(snapshot: Snapshot, objects: Objects): Snapshot {
  const renames = new Map<string, string>();
  const addresses = new Map(snapshot.addresses);
  const ids = new Map(snapshot.ids);
  for (const file of objects.values()) {
    const old = oldAddress(file, snapshot);
    if (old === undefined || objects.has(old) || ids.has(file.address)) continue;
    const [id, ...others] = ids.get(old) ?? [];
    // Of two with one name what refers to the one cannot be told from what refers to the other.
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

/** The address that an environment has for the object of a file, where that is another than the file's. */
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
