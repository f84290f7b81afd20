import { dayOfMonth, isMonthEnd, nextRenewal } from '../../catalogue/payment-schedule.js';
import type { Stored } from '../store/item-store.js';
import { idsUnder, joined, objectUnder, type Value } from '../store/item-values.js';
import { customerView, groundFields, moneyItem, type PurchaseFacts, paid, unpaid } from './builders.js';
import type { Scene } from './call.js';
import { insertSalvage } from './left-to-collect.js';
import { type Cents, toCents } from './money.js';
import { customerNow, groundNow } from './new-customer.js';
import { type Charge, charge, defaultCard } from './payments.js';
import { firstRate } from './rates.js';
import { routeRenewal } from './routing.js';
import { parcelOf, ship } from './shipments.js';
import { fileTax, taxOn } from './taxes.js';
import { couponsOn, fileDiscount, useCoupon } from './usable-coupon.js';

/** `charge`: absent when there was nothing to charge. */
export type Attempt = ReturnType<typeof attemptRenewal>;

/** The amounts of one renewal. */
type Due = ReturnType<typeof dueOf>;

/** The current profile of a subscription, whose own copy may be older. */
export function profileOf(scene: Scene, subscription: Stored): Value {
  const embedded = objectUnder(subscription.value, 'subscription_profile');
  return scene.store.get('subscription_profiles', String(embedded.id), scene.live)?.value ?? embedded;
}

/** Stores what no read shows about a subscription: the day that its months are counted from, and preferred renewals. */
export function rememberRenewal(scene: Scene, id: string, changes: { anchor?: number; preferred?: number }): void {
  scene.store.keepSecret(`${id}.renewing`, { ...scene.store.secret(`${id}.renewing`), ...changes });
}

/** The day of the month on which a subscription renews, in months that have it. reading: month-end */
export function anchorOf(scene: Scene, subscription: Stored): number {
  const known = scene.store.secret(`${subscription.id}.renewing`)?.anchor;
  if (typeof known === 'number') return known;
  const next = Number((subscription.value.billing as Value).next_renewal_date_unix);
  const begun = dayOfMonth(subscription.created);
  return isMonthEnd(next) && begun > dayOfMonth(next) ? begun : dayOfMonth(next);
}

/**
 * One renewal attempt (lifecycle: made by the schedule or by `renew`). Charges the customer's card with the amount less
 * coupons, plus tax and shipping. Leaves a renewal and a transaction, and a salvage transaction if it fails. Advances
 * the next date, the occurrence and the overdue counts.
 */
export function attemptRenewal(scene: Scene, subscription: Stored, manual: boolean) {
  const { store, now, live } = scene;
  const item = subscription.value;
  const profile = profileOf(scene, subscription);
  const ground = groundNow(scene, item);
  const due = dueOf(scene, subscription, profile, ground);
  const total = due.original - due.discount;
  const renewalId = scene.newId();
  const result =
    total === 0 ? undefined : take(scene, subscription, { ground, profile, total, discount: due.discount, renewalId });
  const success = result === undefined || result.outcome === 'approved';
  const salvageId = success ? undefined : scene.newId();
  const billing = billingAfter(scene, subscription, profile, { success, manual, renewalId });
  const links = {
    subscriptions: [subscription.id],
    sales: item.sales as string[],
    transactions: result ? [result.transactionId] : [],
  };
  const renewal = joined(
    moneyItem(
      renewalId,
      now,
      success ? paid(due.original, total === 0, due.discount) : unpaid(due.original, due.discount),
      { ...links, salvage_transactions: salvageId ? [salvageId] : [] },
      {
        product: item.product,
        billing,
        is_overdue: !success,
        subscription_profile: profile,
        subscription_id: subscription.id,
      },
    ),
    // The customer's current data; the rest as on the subscription.
    { ...groundFields(ground), ship_to: item.ship_to },
  );
  const filed = store.insert('subscription_renewals', renewal, { live, customer: String(ground.customer.id) });
  store.keepSecret(`${renewalId}.due`, due as unknown as Value);
  if (success) completeRenewal(scene, filed, ground);
  if (salvageId && result)
    insertSalvage(scene, salvageId, ground, total, 'subscription_renew', {
      sales: (item.sales as string[] | undefined)?.slice(0, 1),
      subscription_renewals: [renewalId],
      subscriptions: [subscription.id],
      transactions: [result.transactionId],
    });
  settleState(scene, subscription, profile, { success, renewalId, billing, charge: result, salvageId });
  return { renewalId, charge: result, salvageId };
}

/**
 * The amounts of a renewal: the price, its coupons, tax, and the first rate of the shipping profile that its profile
 * names (service.md#subscription-profiles, rule 4). reading: shipping-charges
 */
function dueOf(scene: Scene, subscription: Stored, profile: Value, ground: PurchaseFacts) {
  const base = toCents(subscription.value.amount);
  const discounts = couponsOn(scene, subscription, base).map(({ coupon, cents }) => ({
    coupon: String(coupon.id),
    name: String(coupon.coupon_code ?? 'Discount'),
    cents,
  }));
  const discount = discounts.reduce((sum, one) => sum + one.cents, 0);
  const tax = taxOn(scene, ground.campaign.id, base - discount);
  const rate = parcelOf(scene, subscription.value).length > 0 ? firstRate(scene, profile.shipping_profile) : undefined;
  return { base, discounts, discount, tax, rate, original: base + tax.cents + (rate?.cents ?? 0) };
}

/** Makes the discounts, tax and shipment of a paid renewal; also when it is collected later. */
export function completeRenewal(scene: Scene, renewal: Stored, ground: PurchaseFacts): void {
  const due = scene.store.secret(`${renewal.id}.due`) as unknown as Due | undefined;
  const { sales, subscriptions, transactions } = renewal.value as Record<string, string[]>;
  const links = { sales, subscriptions, transactions, subscription_renewals: [renewal.id] } as Value;
  const discounts = (due?.discounts ?? []).map(({ coupon, name, cents }) => {
    useCoupon(scene, coupon);
    return fileDiscount(scene, { ground, cents, name, coupon, links });
  });
  const tax = due ? fileTax(scene, { ground, tax: due.tax, links, settled: false }) : [];
  const parcels = parcelOf(scene, renewal.value);
  const cents = due?.rate?.cents ?? 0;
  const shipping =
    parcels.length > 0 ? [ship(scene, { ground, parcels, links, cents, settled: false, rate: due?.rate })] : [];
  if (discounts.length + tax.length + shipping.length > 0)
    scene.store.update(renewal, { discounts, tax, shipping }, scene.now);
}

function take(
  scene: Scene,
  subscription: Stored,
  facts: { ground: PurchaseFacts; profile: Value; total: Cents; discount: Cents; renewalId: string },
): Charge {
  const { customer } = facts.ground;
  const card = defaultCard(scene, String(customer.id));
  const route = routeRenewal(scene, subscription, facts.profile);
  const result = charge(scene, {
    ground: facts.ground,
    cents: facts.total,
    discount: facts.discount,
    method: 'subscription_renew',
    card: card?.value,
    gateway: route.gateway,
    profile: typeof facts.profile.payment_profile === 'string' ? facts.profile.payment_profile : undefined,
    links: {
      subscriptions: [subscription.id],
      subscription_renewals: [facts.renewalId],
      sales: subscription.value.sales as string[],
    },
  });
  if (route.isPreferred && result.outcome === 'approved') {
    const used = Number(scene.store.secret(`${subscription.id}.renewing`)?.preferred ?? 0);
    rememberRenewal(scene, subscription.id, { preferred: used + 1 });
  }
  return result;
}

/**
 * A failed manual attempt does not change the schedule; a failed scheduled one waits for the next date.
 * reading: failed-renewal
 */
function billingAfter(
  scene: Scene,
  subscription: Stored,
  profile: Value,
  facts: { success: boolean; manual: boolean; renewalId: string },
): Value {
  const billing = subscription.value.billing as Value;
  const anchor = facts.manual ? dayOfMonth(scene.now) : anchorOf(scene, subscription);
  const moves = facts.success || !facts.manual;
  if (moves) rememberRenewal(scene, subscription.id, { anchor });
  return {
    next_renewal_date_unix: moves ? nextRenewal(profile, scene.now, anchor) : Number(billing.next_renewal_date_unix),
    last_renewal_date_unix: facts.success ? scene.now : billing.last_renewal_date_unix,
    last_renewal_id: facts.success ? facts.renewalId : billing.last_renewal_id,
  };
}

function settleState(
  scene: Scene,
  subscription: Stored,
  profile: Value,
  facts: Attempt & { success: boolean; billing: Value },
): void {
  const item = subscription.value;
  const count = Number(item.renewal_count ?? 0) + (facts.success ? 1 : 0);
  const overdue = facts.success ? 0 : Number(item.overdue_count ?? 0) + 1;
  const limit = Number(profile.overdue_limit ?? 0);
  const usedUp = profile.occurrences === 'specific' && count >= Number(profile.occurrences_value ?? 0);
  let status = String(item.status);
  if (facts.success) status = usedUp ? 'occurrence_limit' : 'active';
  else if (status === 'active' || status === 'overdue') status = overdue > limit ? 'suspended' : 'overdue';
  const add = (name: string, id: string | undefined) => [...idsUnder(item, name), ...(id ? [id] : [])];
  const changes = {
    status,
    is_overdue: !facts.success,
    overdue_count: overdue,
    renewal_count: count,
    billing: facts.billing,
    customer: customerView(customerNow(scene, item)),
    subscription_renewals: add('subscription_renewals', facts.renewalId),
    transactions: add('transactions', facts.charge?.transactionId),
    salvage_transactions: add('salvage_transactions', facts.salvageId),
  };
  scene.store.update(subscription, changes, scene.now);
  const runs = status === 'active' || status === 'overdue';
  scene.store.schedule('renew', subscription.id, runs ? Number(facts.billing.next_renewal_date_unix) : undefined);
}
