import type { Stored } from '../store/item-store.js';
import { idsUnder } from '../store/item-values.js';
import type { Call, Rules, Scene } from './call.js';
import { create, done, edit, required } from './generic.js';

/** Rules for product groups: a list of products, visible from both sides. */
export const PRODUCT_GROUP_RULES: Rules = {
  'POST /product_groups': (call) => {
    const item = create(call);
    showMembers(call, item.id, [], membersOf(item));
    return done(call, item.id);
  },
  'POST /product_groups/{}': (call) => {
    const item = required(call);
    const after = edit(call, item);
    showMembers(call, item.id, membersOf(item), membersOf(after));
  },
  'POST /product_groups/{}/delete': (call) => {
    const item = required(call);
    showMembers(call, item.id, membersOf(item), []);
    call.store.remove(item);
  },
};

function membersOf(group: Stored): string[] {
  return idsUnder(group.value, 'products');
}

/** Products show their groups (service.md#products), which can also be used to find them. */
function showMembers(call: Call, groupId: string, before: readonly string[], after: readonly string[]): void {
  keepInStep(call, { family: 'products', property: 'product_group', id: groupId }, before, after);
}

/** Puts a product into the groups in `groups`, and takes it out of the others in `before`. */
export function joinGroups(
  scene: Scene,
  productId: string,
  before: readonly string[],
  groups: readonly string[],
): void {
  keepInStep(scene, { family: 'product_groups', property: 'products', id: productId }, before, groups);
}

/** Makes a list of ids contain `id` on the items in `after`, and no longer on the others in `before`. */
function keepInStep(
  scene: Scene,
  { family, property, id }: { family: string; property: string; id: string },
  before: readonly string[],
  after: readonly string[],
): void {
  for (const one of new Set([...before, ...after])) {
    const item = scene.store.get(family, one, scene.live);
    if (!item) continue;
    const others = idsUnder(item.value, property).filter((other) => other !== id);
    scene.store.update(item, { [property]: after.includes(one) ? [...others, id] : others }, scene.now);
  }
}
