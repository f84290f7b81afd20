import { PAYMENT_TYPES } from '../payment-types.js';
import type { Value } from '../text.js';

/** Where an item holds what an event filter asks for (spec 6.2); any of the paths may match. */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  campaign_filter: ['campaign_id'],
  currency_filter: ['iso_currency'],
  gateway_filter: ['gateway_id'],
  method_filter: ['method'],
  shop_filter: ['third_party_shop.id', 'third_party_shop'],
  status_filter: ['status'],
  result_filter: ['result'],
  ai_assistant_filter: ['ai_assistant_id'],
  customer_group_filter: ['customer_group', 'customer.customer_group'],
  product_filter: ['product.id', 'products.id'],
  product_group_filter: ['product_group'],
  project_filter: ['project.id'],
  wallet_account_filter: ['wallet_account.id', 'wallet_account'],
  wallet_dispute_status_filter: ['status'],
  wallet_dispute_reason_filter: ['reason'],
  fulfillment_account_filter: ['fulfillment_account.id', 'shipping_attributes.fulfillment_account.id'],
  subscription_profile_filter: ['subscription_profile.id'],
  payment_profile_filter: ['payment_profile.id', 'payment_profile'],
  payment_type_filter: ['payment_type.id'],
  shipping_status_filter: ['status'],
  shipping_provider_filter: ['provider.name', 'provider.id'],
};

/**
 * Whether an item passes all filters of an event; an empty one asks for nothing. A filter that the item has nothing for
 * is not passed. reading: event-filters
 */
export function passes(item: Value, filters: Value): boolean {
  return Object.entries(filters).every(([name, wanted]) => {
    if (!Array.isArray(wanted) || wanted.length === 0) return true;
    if (name === 'metadata_filter') return passesMetadata(item, wanted as Value[]);
    const words = wanted.map((one) => String((one as Value | null)?.id ?? one));
    if (name === 'product_type_filter') return words.some((word) => isOfType(item, word));
    const asked = name === 'payment_type_filter' ? words.map(paymentTypeId) : words;
    const held = (PATHS[name] ?? []).flatMap((path) => valuesAt(item, path.split('.')));
    return held.some((value) => asked.includes(value));
  });
}

/** Every distinct name must match, several values of one name are alternatives (spec 4.12). */
function passesMetadata(item: Value, wanted: readonly Value[]): boolean {
  const pairs = (item.metadata as Value[] | undefined) ?? [];
  const names = new Set(wanted.map(({ name }) => String(name)));
  return [...names].every((name) => {
    const values = wanted.filter((one) => one.name === name).map(({ value }) => String(value).trim());
    return pairs.some((pair) => pair.name === name && values.includes(String(pair.value).trim()));
  });
}

function paymentTypeId(word: string): string {
  return PAYMENT_TYPES.find(({ filter }) => filter === word)?.id ?? word;
}

function isOfType(product: Value, type: string): boolean {
  const subscribes = product.subscription_profile !== null && product.subscription_profile !== undefined;
  const tries = Number(product.trial_days ?? 0) > 0;
  if (type === 'subscription') return subscribes;
  if (type === 'subscription_only') return subscribes && !tries;
  if (type === 'trial') return tries;
  return type === 'trial_only' ? tries && !subscribes : !tries && !subscribes;
}

function valuesAt(value: unknown, path: readonly string[]): string[] {
  if (Array.isArray(value)) return value.flatMap((one) => valuesAt(one, path));
  if (path.length === 0) return typeof value === 'string' || typeof value === 'number' ? [String(value)] : [];
  const [name, ...rest] = path as [string, ...string[]];
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? valuesAt((value as Value)[name], rest)
    : [];
}
