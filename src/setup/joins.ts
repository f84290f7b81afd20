import { isObject, ownMember, type Tree } from '../items/json/tree.js';
import { partsOfAddress } from './families.js';
import { refOf, refsIn } from './shape-references.js';
import type { FileObject, Remote, Snapshot } from './types.js';

/** A place in the list of another object: a product's in its group. */
interface Place {
  readonly group: string;
  readonly list: string;
}

/** The places that an item has, by its field; its ids must be addresses. */
export function placesOf({ managed, item }: Pick<FileObject, 'managed' | 'item'>, field: string): readonly Place[] {
  const join = managed.family.joins?.[field];
  if (!join || item === undefined) return [];
  const name = join.family.replaceAll('_', '-');
  const groups = refsIn(ownMember(item, field) ?? null).filter(({ address }) => partsOfAddress(address).name === name);
  return groups.map(({ address }) => ({ group: address, list: join.field }));
}

/** Whether files put an object into every place that its item has by a field. */
export function isJoined(
  file: Pick<FileObject, 'managed' | 'item' | 'address'>,
  field: string,
  files: ReadonlyMap<string, Pick<FileObject, 'shape'>>,
): boolean {
  return placesOf(file, field).every(({ group, list }) =>
    refsIn(ownMember(files.get(group)?.shape ?? {}, list) ?? null).some(({ address }) => address === file.address),
  );
}

/**
 * The objects in whose lists the chosen ones stand, as files that add them to what is there: of an object that is not
 * there only its settings come along, not what else is in its list.
 */
export function joinedFiles(
  files: ReadonlyMap<string, FileObject>,
  source: Snapshot,
  target: Snapshot,
): readonly FileObject[] {
  const joining = new Map<string, { readonly list: string; readonly members: string[] }>();
  for (const file of files.values()) {
    for (const field of Object.keys(file.managed.family.joins ?? {})) {
      for (const { group, list } of placesOf(file, field)) {
        const known = joining.get(group);
        if (known) known.members.push(file.address);
        else joining.set(group, { list, members: [file.address] });
      }
    }
  }
  return [...joining].flatMap(([address, { list, members }]) => {
    const group = source.objects.get(address);
    // Of two with one name nobody knows which is meant: what is not done is named.
    if (!group || files.has(address) || (target.ids.get(address)?.length ?? 0) > 1) return [];
    return [joinedFile(group, list, members, target)];
  });
}

function joinedFile(group: Remote, list: string, members: readonly string[], target: Snapshot): FileObject {
  const { address, managed, key } = group;
  const there = target.objects.get(address);
  const present = there ? listed(there, list, target) : [];
  const missing = members.filter((member) => !present.some((one) => refOf(one) === member));
  const value: Tree = [...present, ...missing.map((ref) => ({ ref }))];
  const own = there && managed.keyField ? { [managed.keyField]: key } : group.shape;
  return {
    address,
    managed,
    key,
    file: address,
    shape: { ...own, [list]: value },
    adds: new Set([list]),
    placeOf: () => ({ file: address, line: 1, column: 1 }),
  };
}

/** What a list holds; an element whose name another object has as well by its id. */
function listed(there: Remote, list: string, { ids }: Snapshot): readonly Tree[] {
  const shown = ownMember(there.shape, list);
  const read = ownMember(there.item, list);
  if (!Array.isArray(shown)) return [];
  return shown.map((one, index) => {
    const address = refOf(one);
    const raw = Array.isArray(read) && read.length === shown.length ? read[index] : undefined;
    const id = isObject(raw) ? ownMember(raw, 'id') : raw;
    return address !== undefined && (ids.get(address)?.length ?? 0) > 1 && id !== undefined ? id : one;
  });
}
