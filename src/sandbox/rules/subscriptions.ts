import { dayOfMonth, nextRenewal } from '../../catalogue/payment-schedule.js';
import type { Stored } from '../store/item-store.js';
import { idsUnder, type Value } from '../store/item-values.js';
import { undated } from './builders.js';
import { type Call, newItemHead, type Rules, type Scene } from './call.js';
import { checkUnique, done, edit, ready, required, requireItem } from './generic.js';
import { refer } from './item-references.js';
import { checkActive, customerNow } from './new-customer.js';
import { chargeRefusal } from './payments.js';
import { invalid } from './refusals.js';
import { attemptRenewal, profileOf, rememberRenewal } from './renewals.js';
import { NO_PREFERENCE, SUBSCRIPTION_PROFILE } from './shapes.js';
import { faultOf } from './usable-coupon.js';

const NOT_OVERDUE = { is_overdue: false, overdue_count: 0 };

/** Rules for subscriptions: the transitions of the lifecycle, and renewals. */
export const SUBSCRIPTION_RULES: Rules = {
  'POST /subscriptions/{}/activate': (call) => {
    const item = ready(call);
    const billing = item.value.billing as Value;
    // When the stored date has passed, the next renewal is one period from today. reading: activate-late
    const stored = Number(billing.next_renewal_date_unix);
    const next = stored > call.now ? stored : nextRenewal(profileOf(call, item), call.now);
    if (next !== stored) rememberRenewal(call, item.id, { anchor: dayOfMonth(call.now) });
    const changes = { status: 'active', ...NOT_OVERDUE, billing: { ...billing, next_renewal_date_unix: next } };
    call.store.update(item, changes, call.now);
    call.store.schedule('renew', item.id, next);
  },

  'POST /subscriptions/{}/suspend': (call) => {
    const item = ready(call);
    call.store.update(item, { status: 'suspended' }, call.now);
    call.store.schedule('renew', item.id, undefined);
  },

  'POST /subscriptions/{}/cancel': (call) => cancelSubscription(call, ready(call)),

  'POST /subscriptions/{}/renew': (call) => {
    const item = ready(call);
    checkActive(customerNow(call, item.value));
    const attempt = attemptRenewal(call, item, true);
    if (attempt.charge && attempt.charge.outcome !== 'approved') throw chargeRefusal(attempt.charge);
    return {
      subscription_id: item.id,
      subscription_renewal_id: attempt.renewalId,
      transaction_id: attempt.charge?.transactionId,
      result: 'success',
    };
  },

  'POST /subscriptions/{}': (call) => {
    const item = ready(call);
    return done(call, editSubscription(call, item).id);
  },

  'POST /subscription_profiles': (call) => {
    const body = profileChanges(call, {});
    const value: Value = {
      ...newItemHead(call),
      enabled: true,
      ...SUBSCRIPTION_PROFILE,
      ...(body.frequency === undefined ? {} : { frequency_unit: undefined }),
      ...body,
    };
    if (typeof value.name !== 'string' || value.name === '') throw invalid('name is required.');
    checkUnique(call, 'subscription_profiles', value);
    return done(call, call.store.insert('subscription_profiles', value, { live: call.live }).id);
  },

  'POST /subscription_profiles/{}': (call) => {
    const item = required(call);
    const changes = profileChanges(call, item.value);
    checkUnique(call, 'subscription_profiles', changes, item.id);
    const after = call.store.update(item, changes, call.now);
    // Shows a change of a profile on every product and subscription that has it (service.md#subscription-profiles, rule
    // 3).
    call.store.show(item.id, undated(after.value));
  },

  'POST /subscription_profiles/{}/delete': (call) => {
    const item = required(call);
    const inUse = call.store.pages.countOf('subscriptions', call.live, [
      { name: 'subscription_profile_filter', holds: (ids) => ids.includes(item.id) },
      { name: 'status_filter', holds: ([status]) => status !== 'cancelled' && status !== 'occurrence_limit' },
    ]);
    if (inUse > 0) throw invalid('The subscription profile is in use by subscriptions and cannot be deleted.');
    call.store.remove(item);
  },
};

/** Cancels permanently; also used by voiding a sale and cancelling a trial. */
export function cancelSubscription(scene: Scene, item: Stored): undefined {
  const changes = { status: 'cancelled', ...NOT_OVERDUE, cancelled_date_unix: scene.now };
  scene.store.update(item, changes, scene.now);
  scene.store.schedule('renew', item.id, undefined);
}

function editSubscription(call: Call, item: Stored): Stored {
  const { next_renewal_date: when, subscription_profile: profileId, coupon, ...rest } = call.body;
  const extra: Value = {};
  if (typeof profileId === 'string') {
    const { id } = refer(call, 'subscription_profiles', profileId);
    extra.subscription_profile = undated(requireItem(call, 'subscription_profiles', id).value);
  }
  if (Array.isArray(coupon)) extra.coupons = attachable(call, item, coupon as string[]);
  if (typeof when === 'string') {
    const next = Math.floor(Date.parse(when) / 1000);
    if (next <= call.now) throw invalid('next_renewal_date must lie in the future.');
    extra.billing = { ...(item.value.billing as Value), next_renewal_date_unix: next };
    rememberRenewal(call, item.id, { anchor: dayOfMonth(next) });
    if (['active', 'overdue'].includes(String(item.value.status))) call.store.schedule('renew', item.id, next);
  }
  return edit({ ...call, body: rest }, item, extra);
}

/** Newly added coupons must be usable; existing ones may stay. reading: coupons-on-subscriptions */
function attachable(call: Call, item: Stored, ids: readonly string[]): string[] {
  const before = idsUnder(item.value, 'coupons');
  for (const id of ids.filter((one) => !before.includes(one))) {
    const { value } = requireItem(call, 'coupons', id);
    const fault = faultOf(call, value);
    if (fault) throw invalid(`The coupon ${String(value.coupon_code)} ${fault}.`);
  }
  return [...new Set(ids)];
}

/** The writable fields of a profile in the form that reads show (service.md#subscription-profiles). */
function profileChanges(call: Call, before: Value): Value {
  const { idempotency_key: _, ...body } = call.body;
  const changes: Value = { ...body };
  const frequency = body.frequency;
  for (const kind of ['unit', 'calendar', 'fiscal']) {
    const name = `frequency_${kind}`;
    const settings = body[name] as Value | undefined;
    if (frequency === kind && settings === undefined)
      throw invalid(`frequency ${kind} needs ${name} in the same body.`);
    // Rule 2: a settings object is ignored unless the body also sets its frequency.
    if (frequency === kind)
      changes[name] = kind === 'unit' ? { unit_value: settings?.value, unit: settings?.unit } : settings;
    else if (frequency !== undefined && before[name] !== undefined) changes[name] = undefined;
    else delete changes[name];
  }
  if (body.prefer_gateway !== undefined)
    changes.prefer_gateway = {
      ...NO_PREFERENCE,
      ...(before.prefer_gateway as Value),
      ...(body.prefer_gateway as Value),
    };
  if (body.shipping_profile === null || body.shipping_profile === '') changes.shipping_profile = '';
  else if (typeof body.shipping_profile === 'string') refer(call, 'shipping_profiles', body.shipping_profile);
  if (typeof body.payment_profile === 'string') refer(call, 'payment_profiles', body.payment_profile);
  if (body.occurrences === 'specific' && body.occurrences_value === undefined && before.occurrences_value === undefined)
    throw invalid('occurrences specific needs occurrences_value.');
  return changes;
}
