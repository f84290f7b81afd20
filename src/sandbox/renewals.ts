import { customerView, decimal, type Ground, groundFields, groundOf, moneyItem, paid, unpaid } from './builders.js';
import type { Scene } from './call.js';
import { toCents } from './money.js';
import { type Charge, charge, defaultCard } from './payments.js';
import { nextRenewal } from './schedule.js';
import { parcelOf, ship } from './shipments.js';
import type { Stored } from './store.js';
import type { Value } from './text.js';

export interface Attempt {
  readonly renewalId: string;
  readonly charge: Charge;
  readonly salvageId?: string;
}

/** The profile that a subscription follows now: its own copy may be older. */
export function profileOf(scene: Scene, subscription: Stored): Value {
  const embedded = (subscription.value.subscription_profile ?? {}) as Value;
  return scene.store.get('subscription_profiles', String(embedded.id), scene.live)?.value ?? embedded;
}

/**
 * One renewal attempt (lifecycle: made by the schedule or by `renew`): charges the customer's card, leaves a
 * renewal and a transaction, and when it failed a salvage transaction; moves the next date, the occurrence
 * and the overdue counts on.
 */
export function attemptRenewal(scene: Scene, subscription: Stored, manual: boolean): Attempt {
  const { store, now, live } = scene;
  const item = subscription.value;
  const profile = profileOf(scene, subscription);
  const customerId = String((item.customer as Value).id);
  const customer = store.get('customers', customerId, live)?.value ?? (item.customer as Value);
  const ground: Ground = { ...groundOf(item), customer };
  const cents = toCents(item.amount);
  const renewalId = scene.newId();
  const card = defaultCard(scene, customerId);
  const result = charge(scene, {
    ground,
    cents,
    method: 'subscription_renew',
    card: customer.enabled === false || customer.blocked === true ? undefined : card?.value,
    links: { subscriptions: [subscription.id], subscription_renewals: [renewalId], sales: item.sales as string[] },
  });
  const success = result.outcome === 'approved';
  const salvageId = success ? undefined : scene.newId();
  const billing = item.billing as Value;
  // A failed manual attempt leaves the schedule alone; a failed scheduled one waits for the next date.
  const next = success || !manual ? nextRenewal(profile, now) : Number(billing.next_renewal_date_unix);
  const newBilling = {
    next_renewal_date_unix: next,
    last_renewal_date_unix: success ? now : billing.last_renewal_date_unix,
    last_renewal_id: success ? renewalId : billing.last_renewal_id,
  };
  const links = {
    subscriptions: [subscription.id],
    sales: item.sales as string[],
    transactions: [result.transactionId],
  };
  const parcels = success ? parcelOf(scene, item) : [];
  const shipment = parcels.map(() =>
    ship(scene, { ground, parcels, links: { ...links, subscription_renewals: [renewalId] }, cents: 0, settled: true }),
  );
  const renewal: Value = {
    ...moneyItem(
      renewalId,
      now,
      success ? paid(cents, false) : unpaid(cents),
      {
        ...links,
        shipping: shipment,
        salvage_transactions: salvageId ? [salvageId] : [],
      },
      {
        product: item.product,
        billing: newBilling,
        is_overdue: !success,
        subscription_profile: profile,
        subscription_id: subscription.id,
      },
    ),
    ...groundFields(ground),
  };
  store.insert('subscription_renewals', renewal, { live, customer: customerId });
  if (salvageId)
    insertSalvage(scene, salvageId, ground, cents, 'subscription_renew', {
      renewal: renewalId,
      subscription: subscription.id,
      transaction: result.transactionId,
    });
  settleState(scene, subscription, profile, {
    success,
    renewalId,
    billing: newBilling,
    transactionId: result.transactionId,
    salvageId,
  });
  return { renewalId, charge: result, ...(salvageId ? { salvageId } : {}) };
}

function settleState(
  scene: Scene,
  subscription: Stored,
  profile: Value,
  facts: { success: boolean; renewalId: string; billing: Value; transactionId: string; salvageId: string | undefined },
): void {
  const item = subscription.value;
  const count = Number(item.renewal_count ?? 0) + (facts.success ? 1 : 0);
  const overdue = facts.success ? 0 : Number(item.overdue_count ?? 0) + 1;
  const limit = Number(profile.overdue_limit ?? 0);
  const usedUp = profile.occurrences === 'specific' && count >= Number(profile.occurrences_value ?? 0);
  let status = String(item.status);
  if (facts.success) status = usedUp ? 'occurrence_limit' : 'active';
  else if (status === 'active' || status === 'overdue') status = overdue > limit ? 'suspended' : 'overdue';
  scene.store.update(
    subscription,
    {
      status,
      is_overdue: !facts.success,
      overdue_count: overdue,
      renewal_count: count,
      billing: facts.billing,
      customer: customerView(
        scene.store.get('customers', String((item.customer as Value).id), scene.live)?.value ??
          (item.customer as Value),
      ),
      subscription_renewals: [...((item.subscription_renewals as string[]) ?? []), facts.renewalId],
      transactions: [...((item.transactions as string[]) ?? []), facts.transactionId],
      salvage_transactions: [
        ...((item.salvage_transactions as string[]) ?? []),
        ...(facts.salvageId ? [facts.salvageId] : []),
      ],
    },
    scene.now,
  );
  const runs = status === 'active' || status === 'overdue';
  scene.store.schedule('renew', subscription.id, runs ? Number(facts.billing.next_renewal_date_unix) : undefined);
}

/** What is left to collect after a declined payment (lifecycle: salvage transaction). */
export function insertSalvage(
  scene: Scene,
  id: string,
  ground: Ground,
  cents: number,
  source: string,
  links: { renewal?: string; subscription?: string; trial?: string; sale?: string; transaction: string },
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
