import { METADATA_NAME_EXISTS } from '../catalogue/metadata.js';
import { PAYMENT_TYPES } from './payment-types.js';
import { every, type Query, readMetadataFilter } from './query.js';
import { invalid } from './refusal.js';
import type { Value } from './text.js';

/** True for the items that a filtered list holds. */
export type Predicate = (item: Value) => boolean;

/** Where an item holds what a filter asks for; any of the paths may match. */
const PATHS: Readonly<Record<string, readonly string[]>> = {
  campaign_filter: ['campaign_id', 'campaign.id', 'campaign'],
  currency_filter: ['iso_currency'],
  shop_filter: ['third_party_shop.id', 'third_party_shop', 'shop_id'],
  gateway_filter: ['gateway_id', 'user_gateway.id'],
  method_filter: ['method'],
  status_filter: ['status'],
  result_filter: ['result'],
  product_filter: ['product.id', 'products.id', 'products_bought'],
  product_group_filter: ['product_group', 'product_group.id'],
  customer_group_filter: ['customer_group', 'customer_group.id'],
  fulfillment_account_filter: ['shipping_attributes.fulfillment_account.id', 'fulfillment_account.id'],
  subscription_profile_filter: ['subscription_profile.id', 'subscription_profile'],
  project_filter: ['project.id', 'project_id'],
  payment_profile_filter: ['payment_profile.id', 'payment_profile'],
  wallet_account_filter: ['wallet_account.id', 'wallet_account'],
  wallet_dispute_status_filter: ['status'],
  wallet_dispute_reason_filter: ['reason'],
  shipping_status_filter: ['status'],
  shipping_provider_filter: ['provider.id', 'provider.name', 'provider'],
  ai_assistant_filter: ['ai_assistant_id', 'ai_assistant.id'],
  api_account_filter: ['api_account.id'],
  api_call_source_filter: ['source'],
};

/**
 * The condition that a list's filters make together, or undefined when there is none. Several values of one
 * filter are alternatives; different filters must all hold (spec 4.1).
 */
export function readFilters(query: Query): { predicate: Predicate; key: string } | undefined {
  const conditions: Predicate[] = [];
  const names = new Set(query.map(([name]) => name.replace(/\[.*$/s, '')).filter((name) => name.endsWith('_filter')));
  for (const name of [...names].sort()) {
    const condition = readFilter(name, query);
    if (condition) conditions.push(condition);
  }
  // Spec 4.1: one value only; further occurrences are ignored.
  const customer = query.find(([name]) => name === 'customer_id')?.[1];
  if (customer) conditions.push((item) => reach(item, 'customer.id').has(customer) || item.customer_id === customer);
  if (conditions.length === 0) return undefined;
  const key = query
    .filter(([name]) => names.has(name.replace(/\[.*$/s, '')) || name === 'customer_id')
    .map((pair) => pair.join('='))
    .join('&');
  return { key, predicate: (item) => conditions.every((condition) => condition(item)) };
}

function readFilter(name: string, query: Query): Predicate | undefined {
  if (name === 'metadata_filter') return metadataCondition(query);
  const values = every(query, name).filter((value) => value !== '');
  if (values.length === 0) return undefined;
  if (name === 'payment_type_filter') {
    const ids = values.map((value) => PAYMENT_TYPES.find((type) => type.filter === value)?.id);
    return (item) => ids.some((id) => id !== undefined && reach(item, 'payment_type.id').has(id));
  }
  if (name === 'product_type_filter') return (item) => values.some((value) => productTypes(item).includes(value));
  const paths = PATHS[name];
  if (!paths) throw invalid(`The filter ${name} is not known.`);
  const wanted = values.map((value) => value.toLowerCase());
  const exact = /^(status|result|method|api_call_source|shipping_status)/.test(name);
  return (item) =>
    paths.some((path) => {
      const found = reach(item, path);
      return exact
        ? [...found].some((value) => wanted.includes(String(value).toLowerCase()))
        : values.some((value) => found.has(value));
    });
}

function metadataCondition(query: Query): Predicate | undefined {
  const entries = readMetadataFilter(query);
  if (entries.length === 0) return undefined;
  const names = new Map<string, Set<string>>();
  for (const { name, value } of entries) names.set(name, (names.get(name) ?? new Set()).add(value));
  return (item) => {
    const pairs = Array.isArray(item.metadata) ? (item.metadata as { name?: string; value?: string }[]) : [];
    // Spec 4.12: every distinct name must match, several values of one name are alternatives.
    return [...names].every(([name, values]) =>
      pairs.some((pair) => pair.name === name && (values.has(METADATA_NAME_EXISTS) || values.has(String(pair.value)))),
    );
  };
}

/** The product types of spec 2.2 that a product is. */
export function productTypes(item: Value): string[] {
  const subscribes = item.subscription_profile !== null && item.subscription_profile !== undefined;
  const tries = typeof item.trial_days === 'number' && item.trial_days > 0;
  if (!subscribes && !tries) return ['basic'];
  const types: string[] = [];
  if (subscribes) types.push('subscription', ...(tries ? [] : ['subscription_only']));
  if (tries) types.push('trial', ...(subscribes ? [] : ['trial_only']));
  return types;
}

/** All values at a dotted path; arrays on the way are walked through. */
export function reach(item: unknown, path: string): Set<unknown> {
  let values: unknown[] = [item];
  for (const name of path.split('.')) {
    values = values.flatMap((value) => {
      const inner = typeof value === 'object' && value !== null ? (value as Value)[name] : undefined;
      return Array.isArray(inner) ? inner : [inner];
    });
  }
  return new Set(values.filter((value) => value !== undefined && value !== null));
}
