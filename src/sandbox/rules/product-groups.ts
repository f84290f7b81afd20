import type { Call, Rules, Scene } from '../call.js';
import { create, done, edit, required } from '../generic.js';
import type { Stored } from '../store.js';

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
  return (group.value.products ?? []) as string[];
}

/** Products show the groups they are in (spec 2.2), and are found by them. */
function showMembers(call: Call, groupId: string, before: readonly string[], after: readonly string[]): void {
  for (const id of new Set([...before, ...after])) {
    const product = call.store.get('products', id, call.live);
    if (!product) continue;
    const others = ((product.value.product_group ?? []) as string[]).filter((one) => one !== groupId);
    const groups = after.includes(id) ? [...others, groupId] : others;
    call.store.update(product, { product_group: groups }, call.now);
  }
}

/** Makes the groups say what a product says of itself: `groups` are those it is in from now on. */
export function joinGroups(
  scene: Scene,
  productId: string,
  before: readonly string[],
  groups: readonly string[],
): void {
  for (const id of new Set([...before, ...groups])) {
    const group = scene.store.get('product_groups', id, scene.live);
    if (!group) continue;
    const others = membersOf(group).filter((one) => one !== productId);
    const products = groups.includes(id) ? [...others, productId] : others;
    scene.store.update(group, { products }, scene.now);
  }
}
