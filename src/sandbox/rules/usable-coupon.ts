import type { Stored } from '../store/item-store.js';
import { objectUnder, type Value } from '../store/item-values.js';
import { groundFields, type Links, moneyItem, type PurchaseFacts, paid } from './builders.js';
import type { Scene } from './call.js';
import { type Cents, fromCents, toCents } from './money.js';
import { invalid } from './refusals.js';

/** The coupon with a code, and the reason if it cannot be used now. */
export function findCoupon(scene: Scene, code: string): Value {
  const coupon = scene.store.named('coupons', scene.live, 'coupon_code', code)[0]?.value;
  if (!coupon) throw invalid(`There is no coupon ${code}.`);
  const fault = faultOf(scene, coupon);
  if (fault) throw invalid(`The coupon ${code} ${fault}.`);
  return coupon;
}

/** Why a coupon cannot be used now; the limits of its profile also count (published). */
export function faultOf(scene: Scene, coupon: Value): string | undefined {
  const profileId = objectUnder(coupon, 'coupon_profile').id;
  const profile = profileId ? scene.store.get('coupon_profiles', String(profileId), scene.live)?.value : undefined;
  if (coupon.enabled === false || profile?.enabled === false) return 'is disabled';
  if (Number(coupon.start_date_unix ?? 0) > scene.now) return 'is not valid yet';
  if (Number(coupon.end_date_unix ?? Number.MAX_SAFE_INTEGER) < scene.now) return 'has expired';
  const most = [coupon.max_uses, profile?.max_uses].map(Number).filter((limit) => limit > 0);
  if (most.some((limit) => Number(coupon.num_use ?? 0) >= limit)) return 'is used up';
  return undefined;
}

/** The discount of a coupon on an amount; a value that is not a number gives none. */
export function couponCents(coupon: Value, sum: Cents): Cents {
  const value = typeof coupon.discount_value === 'number' ? coupon.discount_value : 0;
  return Math.min(sum, coupon.discount_type === 'percent' ? Math.round((sum * value) / 100) : toCents(value));
}

/** Counts a use: a sale, or a renewal that the coupon lowers. reading: coupon-uses */
export function useCoupon(scene: Scene, couponId: string): void {
  const coupon = scene.store.get('coupons', couponId, scene.live);
  if (coupon) scene.store.update(coupon, { num_use: Number(coupon.value.num_use ?? 0) + 1 }, scene.now);
}

/** The usable coupons of a subscription, with the discount of each on its amount. */
export function couponsOn(scene: Scene, subscription: Stored, sum: Cents): { coupon: Value; cents: Cents }[] {
  let left = sum;
  const ids = ((subscription.value.coupons ?? []) as (string | Value)[]).map((one) =>
    String(typeof one === 'string' ? one : one.id),
  );
  return ids.flatMap((id) => {
    const coupon = scene.store.get('coupons', id, scene.live)?.value;
    if (!coupon || faultOf(scene, coupon)) return [];
    const cents = Math.min(left, couponCents(coupon, sum));
    left -= cents;
    return cents > 0 ? [{ coupon, cents }] : [];
  });
}

/** Records the discount of a sale or renewal; returns its id. */
export function fileDiscount(
  scene: Scene,
  facts: { ground: PurchaseFacts; cents: Cents; name: string; coupon?: string; links: Links },
): string {
  const id = scene.newId();
  const value: Value = {
    ...moneyItem(id, scene.now, paid(0, true), facts.links),
    amount: fromCents(facts.cents),
    name: facts.name,
    coupon_id: facts.coupon ?? null,
    ...groundFields(facts.ground),
  };
  scene.store.insert('discounts', value, { live: scene.live, customer: String(facts.ground.customer.id) });
  return id;
}
