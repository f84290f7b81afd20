import { METADATA_NAME_EXISTS } from '../../catalogue/value-formats.js';
import { paymentTypeOf } from '../rules/payment-types.js';
import { invalid } from '../rules/refusals.js';
import { objectUnder, type Value } from './item-values.js';
import { every, type QueryFields, readMetadataFilter } from './query-fields.js';

/** The condition of one filter on the values that an item has for it (`filterValues`). */
export interface FilterCondition {
  readonly name: string;
  holds(values: readonly string[]): boolean;
}

/** The combined conditions of a list's filters. */
export type Filters = NonNullable<ReturnType<typeof readFilters>>;

/** The paths that a filter looks at; any of them may match. */
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
  customer_group_filter: ['customer_group', 'customer_group.id', 'customer.customer_group'],
  fulfillment_account_filter: ['shipping_attributes.fulfillment_account.id', 'fulfillment_account.id'],
  subscription_profile_filter: ['subscription_profile.id', 'subscription_profile'],
  project_filter: ['project.id', 'project_id', 'project'],
  payment_profile_filter: ['payment_profile.id', 'payment_profile'],
  payment_type_filter: ['payment_type.id'],
  wallet_account_filter: ['wallet_account.id', 'wallet_account'],
  wallet_dispute_status_filter: ['status'],
  wallet_dispute_reason_filter: ['reason'],
  shipping_status_filter: ['status'],
  shipping_provider_filter: ['provider.id', 'provider.name', 'provider'],
  ai_assistant_filter: ['ai_assistant_id', 'ai_assistant.id'],
  api_account_filter: ['api_account.id'],
  api_call_source_filter: ['source'],
};

const STEPS: Readonly<Record<string, readonly (readonly string[])[]>> = Object.fromEntries(
  Object.entries(PATHS).map(([name, paths]) => [name, paths.map((path) => path.split('.'))]),
);

/** The properties of an item that a filter looks at. */
export function filterRoots(name: string): readonly string[] {
  if (name === 'product_type_filter') return ['subscription_profile', 'trial_days'];
  return name === 'metadata_filter' ? ['metadata'] : (STEPS[name] ?? []).map(([root]) => root as string);
}

/** Separates name and value of a metadata pair. */
const BETWEEN = '\u0000';

/** The values that an item has for a filter. */
export function itemFilterValues(name: string, item: Value): string[] {
  if (name === 'product_type_filter') return productTypes(item);
  if (name === 'metadata_filter') {
    const pairs = Array.isArray(item.metadata) ? (item.metadata as { name?: string; value?: string }[]) : [];
    return pairs.map((pair) => `${pair.name}${BETWEEN}${pair.value}`);
  }
  const values: string[] = [];
  for (const steps of STEPS[name] ?? []) gather(item, steps, 0, values);
  return values.length > 1 ? [...new Set(values)] : values;
}

/** The strings and numbers at a path, through arrays on the way. */
function gather(value: unknown, steps: readonly string[], depth: number, into: string[]): void {
  if (Array.isArray(value)) {
    for (const one of value) gather(one, steps, depth, into);
  } else if (depth === steps.length) {
    if (typeof value === 'string' || typeof value === 'number') into.push(String(value));
  } else if (typeof value === 'object' && value !== null) {
    gather((value as Value)[steps[depth] as string], steps, depth + 1, into);
  }
}

/**
 * The combined conditions of a list's filters, or undefined without any. Several values of one filter are alternatives;
 * different filters must all match (service.md#lists).
 * @throws Refusal 400 for an unknown filter or a value of the wrong form.
 */
export function readFilters(query: QueryFields) {
  const names = new Set(query.map(([name]) => name.replace(/\[.*$/s, '')).filter((name) => name.endsWith('_filter')));
  const conditions = [...names]
    .sort()
    .map((name) => readFilter(name, query))
    .filter((condition) => condition !== undefined);
  // service.md#lists: one value only; further occurrences are ignored.
  const customer = query.find(([name]) => name === 'customer_id')?.[1] || undefined;
  if (conditions.length === 0 && customer === undefined) return undefined;
  const key = query
    .filter(([name]) => names.has(name.replace(/\[.*$/s, '')) || name === 'customer_id')
    .map((pair) => pair.join('='))
    .join('&');
  return {
    /** A key that is equal for equal filters. */
    key,
    conditions,
    customer,
    /** Whether an item passes all of it. */
    passes: (item: Value) =>
      (customer === undefined || (objectUnder(item, 'customer').id ?? item.customer_id) === customer) &&
      conditions.every(({ name, holds }) => holds(itemFilterValues(name, item))),
  };
}

function readFilter(name: string, query: QueryFields): FilterCondition | undefined {
  if (name === 'metadata_filter') return metadataCondition(query);
  const values = every(query, name).filter((value) => value !== '');
  if (values.length === 0) return undefined;
  if (name !== 'product_type_filter' && !PATHS[name]) throw invalid(`The filter ${name} is not known.`);
  if (name === 'payment_type_filter') {
    const ids = new Set<string | undefined>(values.map((value) => paymentTypeOf(value)?.id));
    return { name, holds: (found) => found.some((id) => ids.has(id)) };
  }
  // Words of the service match in any case; ids do not.
  const isWord = /^(status|result|method|api_call_source|shipping_status|product_type)/.test(name);
  const wanted = new Set(isWord ? values.map((value) => value.toLowerCase()) : values);
  return { name, holds: (found) => found.some((value) => wanted.has(isWord ? value.toLowerCase() : value)) };
}

function metadataCondition(query: QueryFields): FilterCondition | undefined {
  const entries = readMetadataFilter(query);
  if (entries.length === 0) return undefined;
  const names = new Map<string, Set<string>>();
  for (const { name, value } of entries) names.set(name, (names.get(name) ?? new Set()).add(value));
  return {
    name: 'metadata_filter',
    // service.md#assistants: every distinct name must match; several values of one name are alternatives.
    holds: (found) => {
      const pairs = found.map((pair) => pair.split(BETWEEN) as [string, string]);
      return [...names].every(([name, values]) =>
        pairs.some((pair) => pair[0] === name && (values.has(METADATA_NAME_EXISTS) || values.has(pair[1]))),
      );
    },
  };
}

/** The product types (service.md#products) of a product. */
export function productTypes(item: Value): string[] {
  const subscribes = item.subscription_profile !== null && item.subscription_profile !== undefined;
  const tries = typeof item.trial_days === 'number' && item.trial_days > 0;
  if (!subscribes && !tries) return ['basic'];
  const types: string[] = [];
  if (subscribes) types.push('subscription', ...(tries ? [] : ['subscription_only']));
  if (tries) types.push('trial', ...(subscribes ? [] : ['trial_only']));
  return types;
}
