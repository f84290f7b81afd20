import { toText, type Value } from '../store/item-values.js';
import { first } from '../store/query-fields.js';
import type { Call, Rules } from './call.js';
import { create, done, edit, given, required } from './generic.js';
import { invalid } from './refusals.js';
import { COUPON } from './shapes.js';
import { findCoupon } from './usable-coupon.js';

/** Rules for coupons and their profiles: codes, dates, limits. */
export const COUPON_RULES: Rules = {
  'GET /coupons/validate': (call) => toText(findCoupon(call, first(call.query, 'coupon_code') ?? '')),
  'POST /coupons': (call) => {
    const body = couponBody(call);
    if (body.coupon_code === undefined) throw invalid('coupon_code is required.');
    const item = create({ ...call, body }, { num_use: 0 }, COUPON);
    call.store.keepSecret(codeKey(call, body.coupon_code), {});
    return done(call, item.id);
  },
  'POST /coupons/{}': (call) => {
    const item = required(call);
    const body = couponBody(call, item.value);
    checkDates({ ...item.value, ...body });
    if (body.coupon_code !== undefined) call.store.keepSecret(codeKey(call, body.coupon_code), {});
    return done(call, edit({ ...call, body }, item).id);
  },
};

/** A code stays taken after its coupon is gone (published), so it is kept apart from the items. */
function codeKey(call: Call, code: unknown): string {
  return `coupon_code.${call.live}.${String(code).toLowerCase()}`;
}

/**
 * Every answer uses `code` for the envelope, so a coupon's code is called `coupon_code`; dates may be unix seconds or
 * texts. reading: coupon-fields
 */
function couponBody(call: Call, before?: Value): Value {
  const { code, start_date: start, end_date: end, ...rest } = call.body;
  const body: Value = { ...given({ coupon_code: code }), ...dates(start, end), ...rest };
  const wanted = body.coupon_code;
  if (wanted !== undefined && (typeof wanted !== 'string' || !/^[A-Za-z0-9]{1,50}$/.test(wanted)))
    throw invalid('coupon_code must be letters and digits without spaces.');
  const same = String(before?.coupon_code).toLowerCase() === String(wanted).toLowerCase();
  if (wanted !== undefined && !same && isTaken(call, wanted))
    throw invalid(`Coupon: the coupon_code ${JSON.stringify(wanted)} is already in use.`);
  checkDiscount({ ...before, ...body });
  if (!before) checkDates(body);
  return body;
}

function isTaken(call: Call, code: unknown): boolean {
  if (call.store.secret(codeKey(call, code))) return true;
  const wanted = String(code).toLowerCase();
  return call.store.named('coupons', call.live, 'coupon_code', wanted).length > 0;
}

function checkDiscount({ discount_type: type, discount_value: value = 0 }: Value): void {
  if (Number(value) < 0) throw invalid('discount_value must be a number of 0 or more.');
  if (type === 'percent' && Number(value) > 100) throw invalid('discount_value must not be above 100 percent.');
}

function checkDates(after: Value): void {
  const { start_date_unix: start, end_date_unix: end } = after;
  if (typeof start === 'number' && typeof end === 'number' && end < start)
    throw invalid('end_date_unix must not be before start_date_unix.');
}

function dates(start: unknown, end: unknown): Value {
  const moment = (name: string, value: unknown): Value => {
    if (value === undefined) return {};
    const at = typeof value === 'string' ? Date.parse(value) / 1000 : typeof value === 'number' ? value : Number.NaN;
    if (!Number.isFinite(at)) throw invalid(`${name} must be a date and time.`);
    return { [`${name}_unix`]: Math.floor(at) };
  };
  return { ...moment('start_date', start), ...moment('end_date', end) };
}
