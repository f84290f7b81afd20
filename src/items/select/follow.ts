import { pathSteps } from '../../catalogue/leaf-types.js';
import type { ByField, FamilyRelation } from '../../catalogue/relations.js';
import type { Lossless } from '../json/lossless.js';

/** What an item shows about a relation: the ids it names, that there are none, or that this is unknown. */
export type Linked =
  | { readonly state: 'known'; readonly ids: readonly string[] }
  | { readonly state: 'none' }
  | { readonly state: 'unknown'; readonly why: string };

const NONE: Linked = { state: 'none' };

/**
 * The ids that an item names through a relation held by a field. Several ids in a to-one relation mean unknown.
 * @throws RangeError for a relation not held by a field of the item
 */
export function followRelation(item: Lossless, relation: FamilyRelation): Linked {
  const { by, many } = relation;
  if (by.kind !== 'field') throw new RangeError(`no field holds ${relation.word}`);
  const kind = by.when && kindOf(item, by.when);
  if (kind && kind.state !== 'known') return kind;
  const found = readIds(item, by);
  if (found.state !== 'known' || many || found.ids.length === 1) return found;
  return { state: 'unknown', why: `${by.path} names several` };
}

/** Whether the field next to an id says that the id belongs to this family. */
function kindOf(item: Lossless, { path, values }: NonNullable<ByField['when']>): Linked {
  const [said, ...more] = leavesAt(item, pathSteps(path));
  if (typeof said !== 'string' || said === '' || more.length > 0) return unknown(path);
  return values.includes(said) ? { state: 'known', ids: [] } : NONE;
}

const unknown = (path: string): Linked => ({ state: 'unknown', why: `${path} is not shown` });

function readIds(item: Lossless, { path, or = [] }: ByField): Linked {
  for (const one of [path, ...or]) {
    const leaves = leavesAt(item, pathSteps(one));
    // In a list of mixed kinds only some elements have the member; if none has it, the next path counts.
    const shown = leaves.filter((leaf) => leaf !== undefined);
    if (shown.length === 0 && leaves.length > 0) continue;
    const ids: string[] = [];
    for (const leaf of shown) {
      const id = leaf instanceof Map ? leaf.get('id') : leaf;
      if (id === null || id === '') continue;
      if (typeof id !== 'string') return { state: 'unknown', why: `${one} holds no id` };
      ids.push(id);
    }
    return ids.length === 0 ? NONE : { state: 'known', ids: [...new Set(ids)] };
  }
  return unknown(path);
}

/** Everything at a path, with list elements individually; undefined where the item does not show it. */
function leavesAt(value: Lossless | undefined, steps: readonly string[]): (Lossless | undefined)[] {
  if (Array.isArray(value)) return value.flatMap((one) => leavesAt(one, steps));
  const [step, ...rest] = steps;
  if (step === undefined || value === null) return [value];
  return value instanceof Map ? leavesAt(value.get(step), rest) : [undefined];
}
