import { decimal, type Ground, groundFields } from './builders.js';
import type { Scene } from './call.js';
import type { Value } from './text.js';

/** What is left to collect after a declined payment (lifecycle: salvage transaction). */
export function insertSalvage(
  scene: Scene,
  id: string,
  ground: Ground,
  cents: number,
  source: string,
  links: {
    renewal?: string;
    subscription?: string | undefined;
    trial?: string;
    sale?: string | undefined;
    transaction: string;
  },
): void {
  const value: Value = {
    id,
    created_date_unix: scene.now,
    updated_date_unix: scene.now,
    status: 'created',
    enabled: true,
    method: source,
    attempts: 0,
    amount: decimal(cents),
    amount_remaining: decimal(cents),
    ...groundFields(ground),
    metadata: [],
    sales: links.sale ? [links.sale] : [],
    trials: links.trial ? [links.trial] : [],
    subscriptions: links.subscription ? [links.subscription] : [],
    subscription_renewals: links.renewal ? [links.renewal] : [],
    transactions: [links.transaction],
  };
  scene.store.insert('salvage_transactions', value, { live: scene.live, customer: String(ground.customer.id) });
}
