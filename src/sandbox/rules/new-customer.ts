import type { Stored } from '../store/item-store.js';
import type { Value } from '../store/item-values.js';
import { CONTACT, type PurchaseFacts, purchaseFacts } from './builders.js';
import { newItemHead, type Scene } from './call.js';
import { invalid } from './refusals.js';

/** Makes a new customer from contact fields. */
export function addCustomer(scene: Scene, contact: Value, campaign: { id: string; name: string }, more: Value): Stored {
  const value: Value = {
    ...newItemHead(scene),
    live_mode: scene.live,
    enabled: true,
    blocked: false,
    internal_id: '',
    ...contactFields(contact, true),
    campaign_id: campaign.id,
    campaign_name: campaign.name,
    customer_group: [],
    metadata: [],
    sales_count: 0,
    ...more,
  };
  return scene.store.insert('customers', value, { live: scene.live, customer: String(value.id) });
}

/** The contact fields of a body; with `whole`, missing ones are empty. */
export function contactFields(contact: Value, whole = false): Value {
  return Object.fromEntries(
    CONTACT.filter((name) => whole || contact[name] !== undefined).map((name) => [name, contact[name] ?? '']),
  );
}

/**
 * A disabled customer cannot buy and is not charged (published: disable stops normal activity).
 * reading: disabled-customer
 */
export function checkActive({ enabled, id }: Value): void {
  if (enabled === false) throw invalid(`The customer ${String(id)} is disabled; no gateway was asked.`);
}

/** Counts a paid sale and its products for the customer. reading: customer-counts */
export function countSale(scene: Scene, customerId: string, products: readonly string[]): void {
  const customer = scene.store.get('customers', customerId, scene.live);
  if (!customer) return;
  const { sales_count: count, products_bought: bought } = customer.value;
  const all = new Set([...((bought ?? []) as string[]), ...products]);
  scene.store.update(customer, { sales_count: Number(count ?? 0) + 1, products_bought: [...all] }, scene.now);
}

/** The current state of an item's customer. */
export function customerNow(scene: Scene, item: Value): Value {
  const embedded = item.customer as Value;
  return scene.store.get('customers', String(embedded.id), scene.live)?.value ?? embedded;
}

/** The shared fields of an item, with the current state of its customer. */
export function groundNow(scene: Scene, item: Value): PurchaseFacts {
  return { ...purchaseFacts(item), customer: customerNow(scene, item) };
}
