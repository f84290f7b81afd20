import { newItemHead, type Scene } from '../rules/call.js';
import { idsUnder, listUnder, type Value } from '../store/item-values.js';
import type { ItemChange } from './item-changes.js';

/** How many values are shown for a name (service.md#limits). */
const MOST_VALUES = 500;

/** Updates the list of metadata names with the items, however an item got its metadata. reading: metadata-names */
export function fileNames(scene: Scene, { before, after }: ItemChange): void {
  if (!after || after.metadata === before?.metadata) return;
  const had = before ? pairsOf(before) : [];
  for (const [name, value] of pairsOf(after))
    if (!had.some((pair) => pair[0] === name && pair[1] === value)) fileName(scene, name, value);
}

function pairsOf(item: Value): [name: string, value: string][] {
  return listUnder(item, 'metadata')
    .filter(({ name }) => typeof name === 'string' && name !== '')
    .map(({ name, value }) => [String(name), String(value)]);
}

function fileName(scene: Scene, name: string, content: string): void {
  const { store, live, now } = scene;
  const known = store.named('metadata', live, 'name', name).find(({ value }) => value.name === name);
  if (!known) {
    store.insert('metadata', { ...newItemHead(scene), name, enabled: true, values: [content] }, { live });
    return;
  }
  const values = idsUnder(known.value, 'values');
  if (values.length >= MOST_VALUES || values.includes(content)) return;
  store.update(known, { values: [...values, content] }, now);
}
