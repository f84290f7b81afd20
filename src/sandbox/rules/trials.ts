import { DAY } from '../../base/time/units.js';
import { dayOfMonth } from '../../catalogue/payment-schedule.js';
import type { Stored } from '../store/item-store.js';
import { idsUnder, objectUnder, type Value } from '../store/item-values.js';
import type { PurchaseFacts } from './builders.js';
import type { Rules, Scene } from './call.js';
import { done, ready } from './generic.js';
import { insertSalvage } from './left-to-collect.js';
import { ledgerOf, toCents } from './money.js';
import { checkActive, customerNow, groundNow } from './new-customer.js';
import { linked, rebook, refreshRemaining } from './payment-ledger.js';
import { type Charge, charge, chargeRefusal, defaultCard } from './payments.js';
import { invalid } from './refusals.js';
import { rememberRenewal } from './renewals.js';
import { routeBy } from './routing.js';
import { parcelOf, ship } from './shipments.js';
import { cancelSubscription } from './subscriptions.js';
import { fileTax, type Taxed, taxOn } from './taxes.js';

/** Rules for trials: expire, extend, shorten and cancel, each only while the trial is active. */
export const TRIAL_RULES: Rules = {
  'POST /trials/{}/expire': (call) => {
    const item = ready(call);
    checkActive(customerNow(call, item.value));
    const result = expireTrial(call, item);
    if (result && result.outcome !== 'approved') throw chargeRefusal(result);
    return done(call, item.id, result ? { transaction_id: result.transactionId } : {});
  },

  'POST /trials/{}/extend': (call) => {
    const item = ready(call);
    move(call, item, days(call.body), 'extended');
  },

  'POST /trials/{}/shorten': (call) => {
    const item = ready(call);
    const by = days(call.body);
    if (Number(item.value.expiration_date_unix) - by * DAY <= call.now)
      throw invalid('The trial would end in the past; use expire to end it now.');
    move(call, item, -by, 'shortened');
  },

  'POST /trials/{}/cancel': (call) => cancelTrial(call, ready(call)),
};

function days(body: Value): number {
  const value = body.days;
  if (!Number.isInteger(value) || Number(value) < 1 || Number(value) > 3650)
    throw invalid('days must be an integer from 1 to 3650.');
  return Number(value);
}

/** Moves the end of a trial, and the first renewal of its subscription. */
function move(scene: Scene, item: Stored, by: number, flag: 'extended' | 'shortened'): void {
  const end = Number(item.value.expiration_date_unix) + by * DAY;
  scene.store.update(item, { expiration_date_unix: end, [flag]: true }, scene.now);
  scene.store.schedule('expire', item.id, end);
  moveSubscriptions(scene, item, by * DAY);
}

/** Moves the first renewal of a trial's subscription by as many seconds as the trial's end (published). */
function moveSubscriptions(scene: Scene, item: Stored, by: number): void {
  if (by === 0) return;
  for (const subscription of linked(scene, item, ['subscriptions'])) {
    const billing = subscription.value.billing as Value;
    const next = Number(billing.next_renewal_date_unix) + by;
    scene.store.update(subscription, { billing: { ...billing, next_renewal_date_unix: next } }, scene.now);
    rememberRenewal(scene, subscription.id, { anchor: dayOfMonth(next) });
    if (subscription.value.status === 'active') scene.store.schedule('renew', subscription.id, next);
  }
}

/** Cancels a trial and its subscription (published); nothing more is charged. */
export function cancelTrial(scene: Scene, item: Stored): undefined {
  rebook(scene, item, { remaining: 0 }, { status: 'cancelled', cancelled_date_unix: scene.now });
  scene.store.schedule('expire', item.id, undefined);
  refreshRemaining(scene, item);
  for (const subscription of linked(scene, item, ['subscriptions']))
    if (subscription.value.status !== 'cancelled') cancelSubscription(scene, subscription);
}

/** Ends a trial: charges the amount due and its tax, and leaves a salvage transaction if that fails. */
export function expireTrial(scene: Scene, item: Stored): Charge | undefined {
  const { store, now } = scene;
  const ledger = ledgerOf(item.value);
  const ground = groundNow(scene, item.value);
  const due = toCents(item.value.amount_remaining);
  store.schedule('expire', item.id, undefined);
  moveSubscriptions(scene, item, now - Number(item.value.expiration_date_unix));
  if (due === 0) {
    const changes = { status: 'expired', expired_result: 'success', expiration_date_unix: now };
    store.update(item, { ...changes, ...shipped(scene, item, ground, []) }, now);
    return undefined;
  }
  const tax = taxOn(scene, ground.campaign.id, due);
  const total = due + tax.cents;
  const result = chargeTrial(scene, item, ground, total);
  const success = result.outcome === 'approved';
  const changes: Value = {
    status: 'expired',
    expired_result: success ? 'success' : 'failed',
    expiration_date_unix: now,
    transactions: [...idsUnder(item.value, 'transactions'), result.transactionId],
  };
  store.keepSecret(`${item.id}.due`, { tax });
  if (!success) {
    const salvage = scene.newId();
    changes.salvage_transactions = [...idsUnder(item.value, 'salvage_transactions'), salvage];
    insertSalvage(scene, salvage, ground, total, 'trial_expire', {
      sales: (item.value.sales as string[]).slice(0, 1),
      trials: [item.id],
      transactions: [result.transactionId],
    });
  }
  const figures = { original: ledger.original + tax.cents, remaining: success ? 0 : total };
  const after = rebook(scene, item, { ...figures, paid: ledger.paid + (success ? total : 0) }, changes);
  if (success) completeTrial(scene, after);
  refreshRemaining(scene, item);
  return result;
}

/** Makes the tax and the shipment of a paid trial; also when it is collected later. */
export function completeTrial(scene: Scene, item: Stored): void {
  const ground = groundNow(scene, item.value);
  const tax = scene.store.secret(`${item.id}.due`)?.tax as Taxed | undefined;
  const transactions = item.value.transactions as string[];
  const links = { trials: [item.id], sales: item.value.sales as string[], transactions };
  const filed = tax ? fileTax(scene, { ground, tax, links, settled: false }) : [];
  scene.store.update(item, { tax: filed, ...shipped(scene, item, ground, transactions) }, scene.now);
}

/**
 * A trial is charged through the payment profile of its subscription, else through the first gateway.
 * reading: trial-gateway
 */
function chargeTrial(scene: Scene, item: Stored, ground: PurchaseFacts, cents: number): Charge {
  const customerId = String(ground.customer.id);
  const profile = linked(scene, item, ['subscriptions'])
    .map(({ value }) => objectUnder(value, 'subscription_profile').payment_profile)
    .find((id) => typeof id === 'string' && id !== '') as string | undefined;
  return charge(scene, {
    ground,
    cents,
    method: 'trial_expire',
    card: defaultCard(scene, customerId)?.value,
    gateway: routeBy(scene, profile),
    profile,
    links: {
      trials: [item.id],
      sales: item.value.sales as string[],
      subscriptions: item.value.subscriptions as string[],
    },
  });
}

/** Ships the product of an ended trial, unless it was shipped when the trial began (service.md#products). */
function shipped(scene: Scene, item: Stored, ground: PurchaseFacts, transactions: readonly string[]): Value {
  const before = idsUnder(item.value, 'shipping');
  const parcels = parcelOf(scene, item.value).filter(
    ({ product }) => product.trial_shipping_setting !== 'trial_creation',
  );
  if (parcels.length === 0) return {};
  const links = { trials: [item.id], sales: item.value.sales as string[], transactions };
  return { shipping: [...before, ship(scene, { ground, parcels, links, cents: 0, settled: false })] };
}
