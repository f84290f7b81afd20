import type { Stored } from '../store/item-store.js';
import { idsUnder } from '../store/item-values.js';
import type { Call, Rules, Scene } from './call.js';
import { create, done, edit, required } from './generic.js';

/** Product groups: a list of products, seen from both of its sides. */
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
    return done(call, item.id);
  },
  'POST /product_groups/{}/delete': (call) => {
    const item = required(call);
    showMembers(call, item.id, membersOf(item), []);
    call.store.remove(item);
    return done(call, item.id);
  },
};

function membersOf(group: Stored): string[] {
  return idsUnder(group.value, 'products');
}

/** Products show the groups they are in (service.md#products), and are found by them. */
function showMembers(call: Call, groupId: string, before: readonly string[], after: readonly string[]): void {
  keepInStep(call, { family: 'products', property: 'product_group', id: groupId }, before, after);
}

/** Makes the groups say what a product says of itself: `groups` are those it is in from now on. */
export function joinGroups(
  scene: Scene,
  productId: string,
  before: readonly string[],
  groups: readonly string[],
): void {
  keepInStep(scene, { family: 'product_groups', property: 'products', id: productId }, before, groups);
}

/** Has a list of ids name `id` on the items of `after`, and no longer on what else is in `before`. */
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
