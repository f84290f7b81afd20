import { listUnder, objectUnder, type Value } from '../store/item-values.js';
import type { Scene } from './call.js';
import { type Cents, toCents } from './money.js';

/** An item to ship: a product and its quantity. */
export interface Parcel {
  readonly product: Value;
  readonly quantity: number;
}

/** A shipping charge and its carrier. */
export type Rate = ReturnType<typeof shown>;

/** The facts that qualify a shipment for a rate (service.md#shipping-rates). */
export interface Shipment {
  readonly parcels: readonly Parcel[];
  /** ISO 3166-1 alpha-3; empty when unknown. */
  readonly country: string;
  /** The total of the whole order. */
  readonly total: Cents;
  /** The amount charged now. */
  readonly charged: Cents;
  /** The total of the shipped products. */
  readonly shippable: Cents;
}

const RULES: Readonly<Record<string, (value: number, limit: number) => boolean>> = {
  any: () => true,
  equal_to: (value, limit) => value === limit,
  greater_than: (value, limit) => value > limit,
  greater_than_equal_to: (value, limit) => value >= limit,
  less_than: (value, limit) => value < limit,
  less_than_equal_to: (value, limit) => value <= limit,
};

/**
 * The first rate that qualifies, profile by profile in the order of creation (or only within `profileId`). A list of
 * qualifiers without an enabled element is always met. reading: shipping-rates
 */
export function matchingRate(scene: Scene, shipment: Shipment, profileId?: string): Rate | undefined {
  for (const { id, value } of scene.store.each('shipping_profiles', scene.live)) {
    if (value.enabled === false || (profileId !== undefined && id !== profileId)) continue;
    for (const rate of listUnder(value, 'rates'))
      if (qualifies(scene, objectUnder(rate, 'qualifiers'), shipment)) return shown(rate, id);
  }
  return undefined;
}

/** The first rate of a profile, ignoring its rules (service.md#subscription-profiles, rule 4). */
export function firstRate(scene: Scene, profileId: unknown): Rate | undefined {
  if (typeof profileId !== 'string' || profileId === '') return undefined;
  const profile = scene.store.get('shipping_profiles', profileId, scene.live)?.value;
  const rate = (profile?.rates as Value[] | undefined)?.[0];
  return rate && profile?.enabled !== false ? shown(rate, profileId) : undefined;
}

function shown(rate: Value, profile: string) {
  return {
    cents: toCents(rate.rate),
    profile,
    provider: typeof rate.provider === 'string' ? rate.provider : undefined,
    method: typeof rate.provider_method === 'string' ? rate.provider_method : undefined,
  };
}

function qualifies(scene: Scene, qualifiers: Value, shipment: Shipment): boolean {
  const countries = enabled(qualifiers.countries);
  if (countries.length > 0 && !countries.some((one) => one.iso_code === shipment.country)) return false;
  const revenue = enabled(qualifiers.revenue_rules);
  if (!revenue.every((rule) => holds(rule.rule, revenueOf(rule.source, shipment), toCents(rule.rule_value))))
    return false;
  const products = enabled(qualifiers.products);
  const groups = enabled(qualifiers.product_groups);
  if (products.length + groups.length === 0) return true;
  return shipment.parcels.some(
    ({ product, quantity }) =>
      products.some((one) => one.id === product.id && holds(one.quantity_rule, quantity, Number(one.quantity_value))) ||
      groups.some((one) => inGroup(scene, String(one.id), product)),
  );
}

function enabled(list: unknown): Value[] {
  return Array.isArray(list) ? (list as Value[]).filter((one) => one.enabled === true) : [];
}

function holds(rule: unknown, value: number, limit: number): boolean {
  return RULES[String(rule)]?.(value, limit) ?? false;
}

function revenueOf(source: unknown, shipment: Shipment): Cents {
  if (source === 'shippable_products') return shipment.shippable;
  return source === 'transaction_amount' ? shipment.charged : shipment.total;
}

function inGroup(scene: Scene, groupId: string, product: Value): boolean {
  const members = scene.store.get('product_groups', groupId, scene.live)?.value.products;
  return Array.isArray(members) && members.some((one) => (typeof one === 'string' ? one : one?.id) === product.id);
}
