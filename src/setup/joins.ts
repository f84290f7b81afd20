import { isObject, ownMember, type Tree } from '../items/json/tree.js';
import { partsOfAddress } from './families.js';
import { refOf, refsIn } from './shape-references.js';
import type { FileObject, Remote, Snapshot } from './types.js';

/** A place in another object's list: a product's place in its group. */
interface Place {
  readonly group: string;
  readonly list: string;
}

/** The places that an item's field gives it; the item's ids must be addresses. */
export function placesOf({ managed, item }: Pick<FileObject, 'managed' | 'item'>, field: string): readonly Place[] {
  const join = managed.family.joins?.[field];
  if (!join || item === undefined) return [];
  const name = join.family.replaceAll('_', '-');
  const groups = refsIn(ownMember(item, field) ?? null).filter(({ address }) => partsOfAddress(address).name === name);
  return groups.map(({ address }) => ({ group: address, list: join.field }));
}

/** Whether the files put an object into every place that its item's field gives it. */
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
 * The objects whose lists contain the chosen ones, as files that add them to the existing lists. For an object that
 * does not exist in the target, its settings come along, but not the rest of its list.
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
    // Two objects of this name are ambiguous: nothing is added, and the plan names what it leaves out.
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

/** The elements of a list; an element that shares its name with another object is given by its id. */
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
