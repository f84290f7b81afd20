import type { Value } from '../store/item-values.js';
import { dated, groundFields, type Links, type PurchaseFacts } from './builders.js';
import type { Scene } from './call.js';
import { fromCents } from './money.js';

/** The amount left to collect after a declined payment (lifecycle: salvage transaction). */
export function salvageItem(facts: {
  readonly id: string;
  readonly at: number;
  readonly cents: number;
  readonly method: string;
  /** The fields of its ground. */
  readonly shared: Value;
  readonly links: Links;
}): Value {
  const { id, at, links } = facts;
  const amount = fromCents(facts.cents);
  return {
    ...dated(id, at),
    status: 'created',
    enabled: true,
    method: facts.method,
    attempts: 0,
    amount,
    amount_remaining: amount,
    ...facts.shared,
    metadata: [],
    sales: links.sales ?? [],
    trials: links.trials ?? [],
    subscriptions: links.subscriptions ?? [],
    subscription_renewals: links.subscription_renewals ?? [],
    transactions: links.transactions ?? [],
  };
}

export function insertSalvage(
  scene: Scene,
  id: string,
  ground: PurchaseFacts,
  cents: number,
  method: string,
  links: Links,
): void {
  const value = salvageItem({ id, at: scene.now, cents, method, shared: groundFields(ground), links });
  scene.store.insert('salvage_transactions', value, { live: scene.live, customer: String(ground.customer.id) });
}
