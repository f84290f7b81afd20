import type { Scene } from './call.js';
import { modeOf, singular } from './kinds.js';
import { invalid } from './refusal.js';
import type { Value } from './text.js';

/** Body properties that name items of another family by id, and whether reads show `{id, name}` or the bare id. */
const REFERENCES: Readonly<Record<string, { family: string; shown: 'named' | 'id' }>> = {
  campaign: { family: 'campaigns', shown: 'named' },
  campaign_filter: { family: 'campaigns', shown: 'named' },
  create_non_existing_customer_campaign: { family: 'campaigns', shown: 'named' },
  tracking_domain: { family: 'tracking_domains', shown: 'named' },
  smtp_profile: { family: 'smtp_profiles', shown: 'named' },
  third_party_integration: { family: 'user_third_party_integrations', shown: 'named' },
  fulfillment_account: { family: 'fulfillment_accounts', shown: 'named' },
  subscription_profile: { family: 'subscription_profiles', shown: 'named' },
  payment_profile: { family: 'payment_profiles', shown: 'id' },
  shipping_profile: { family: 'shipping_profiles', shown: 'id' },
  product_group: { family: 'product_groups', shown: 'id' },
  customer_group: { family: 'customer_groups', shown: 'id' },
  user_gateway: { family: 'user_gateways', shown: 'named' },
  site_gateway: { family: 'site_gateways', shown: 'named' },
  site_fulfillment_center: { family: 'site_fulfillment_centers', shown: 'named' },
  fulfillment_center: { family: 'site_fulfillment_centers', shown: 'named' },
  site_shop: { family: 'site_shops', shown: 'named' },
  site_third_party_integration: { family: 'site_third_party_integrations', shown: 'named' },
  project: { family: 'projects', shown: 'named' },
  coupon_profile: { family: 'coupon_profiles', shown: 'named' },
  tax_profile: { family: 'tax_profiles', shown: 'named' },
};

/** Families whose reads show a reference otherwise than the rest do. */
const SHOWN_AS_ID: ReadonlySet<string> = new Set(['wallet_accounts.campaign', 'wallet_accounts.third_party_shop']);

/**
 * What reads show for a reference in a body: `{id, name}` objects, or the ids themselves; undefined when the
 * property is none. An empty string or null takes the reference away.
 * @throws Refusal 400 when it names an item that does not exist (E0037 for a payment profile, spec 7.3).
 */
export function link(scene: Scene & { family?: { name: string } }, name: string, content: unknown): unknown {
  const reference = Object.hasOwn(REFERENCES, name) ? REFERENCES[name] : undefined;
  if (!reference) return undefined;
  const bare = reference.shown === 'id' || SHOWN_AS_ID.has(`${scene.family?.name}.${name}`);
  if (content === null || content === '') return bare ? '' : null;
  if (Array.isArray(content)) {
    if (!content.every((element) => typeof element === 'string')) return undefined;
    return content.map((id) => (bare ? refer(scene, reference.family, id).id : refer(scene, reference.family, id)));
  }
  if (typeof content !== 'string') return undefined;
  const target = refer(scene, reference.family, content);
  return bare ? target.id : target;
}

/** The `{id, name}` of an item that must exist. */
export function refer(scene: Scene, family: string, id: string): { id: string; name: string } {
  const item = scene.store.get(family, id, modeOf(family, scene.live));
  if (!item) {
    const code = family === 'payment_profiles' ? 'E0037' : 'E0001';
    throw invalid(`The ${singular(family).replaceAll('_', ' ')} ${id} does not exist.`, code);
  }
  return { id: item.id, name: String(item.value.name ?? '') };
}

/** Sets a value at a dotted path, making the objects on the way. */
export function unfold(target: Value, path: string, content: unknown): void {
  const names = path.split('.');
  const last = names.pop() as string;
  let place = target;
  for (const name of names) {
    const inner = place[name];
    const next = typeof inner === 'object' && inner !== null ? (inner as Value) : {};
    place[name] = next;
    place = next;
  }
  place[last] = content;
}
