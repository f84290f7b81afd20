import { FAMILY_INDEX } from '../../catalogue/index.js';
import { wordList } from '../../catalogue/references.js';

/** Every family of items that the sandbox keeps: the catalogue's, and those that belong to them. */
export const KINDS_OF_ITEMS: readonly string[] = [
  ...FAMILY_INDEX.map(({ name }) => name),
  'product_images',
  'product_syncs',
  'function_runs',
];

/** Families that both modes see: the service's own lists. */
export const SHARED_FAMILIES: ReadonlySet<string> = new Set(
  wordList(
    'site_gateways site_fulfillment_centers site_shipping_providers site_shops site_third_party_integrations documentation',
  ),
);

/** Families whose items are kept by another family. */
const KEPT_AS: Readonly<Record<string, string>> = { payment_methods: 'customer_cards' };

/** The mode that a family's items are stored under. */
export function modeOf(family: string, live: boolean): boolean | null {
  return SHARED_FAMILIES.has(family) ? null : live;
}

/** The family that keeps the items of a path such as `/customers/{}/payment_methods`. */
export function keptAs(path: string, family: string): string {
  if (path.startsWith('/products/sync')) return 'product_syncs';
  if (/^\/products\/\{[^}]*\}\/images/.test(path)) return 'product_images';
  const nested = /^\/[a-z_]+\/\{[^}]*\}\/([a-z_]+)/.exec(path)?.[1];
  return (nested && KEPT_AS[nested]) ?? family;
}

/** `subscription_profiles` → `subscription_profile`, the name of one item in permissions, answers and messages. */
export function singular(family: string): string {
  return family.endsWith('ies') ? `${family.slice(0, -3)}y` : family.replace(/s$/, '');
}

const FAMILIES: ReadonlyMap<string, string> = new Map(KINDS_OF_ITEMS.map((family) => [singular(family), family]));

/** `subscription_profile` → `subscription_profiles`; undefined for a name of no item. */
export function familyOfItem(item: string): string | undefined {
  return FAMILIES.get(item);
}

/** `subscription_profile` → `Subscription profile`, for messages. */
export function spoken(family: string): string {
  const words = singular(family).replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Properties that lists leave out (service.md#other-items, service.md#other-families); single retrieval shows them. */
export const LEFT_OUT_OF_LISTS: Readonly<Record<string, readonly string[]>> = {
  ai_prompts: ['prompt'],
  functions: ['function_code'],
  metadata: ['values'],
  payment_profiles: ['payment_flow'],
  email_templates: ['template_html'],
  project_notes: ['content'],
  ai_threads: ['messages'],
};
