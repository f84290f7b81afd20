import type { Rules } from '../call.js';
import { done, required } from '../generic.js';
import { refundItem } from '../ledger.js';
import { fromCents } from '../money.js';
import { invalid } from '../refusal.js';

/** The refunds of single items (spec 4.2; money rules of the lifecycle). */
export const REFUND_RULES: Rules = {
  'POST /product_sales/{}/refund': (call) => {
    const item = required(call);
    const { ids, cents } = refundItem(call, item, {
      type: 'product_sale',
      amount: call.body.amount,
      offsite: call.body.refunded_offsite === true,
    });
    return done(call, item.id, { amount: fromCents(cents), pending_refund: ids });
  },

  'POST /shipping/{}/refund': (call) => {
    const item = required(call);
    const { ids, cents } = refundItem(call, item, { type: 'shipping', amount: call.body.amount });
    return done(call, item.id, { amount: fromCents(cents), pending_refund: ids });
  },

  'POST /tax/{}/refund': (call) => {
    const item = required(call);
    const { ids, cents } = refundItem(call, item, { type: 'tax', amount: call.body.amount });
    return done(call, item.id, { amount: fromCents(cents), pending_refund: ids });
  },

  'POST /subscription_renewals/{}/refund': (call) => {
    const item = required(call);
    const { ids, cents } = refundItem(call, item, { type: 'subscription_renewal', amount: call.body.amount });
    return done(call, item.id, {
      amount: fromCents(cents),
      subscription_id: item.value.subscription_id,
      pending_refund: ids,
    });
  },

  'POST /transactions/{}/refund': (call) => {
    const item = required(call);
    if (item.value.result !== 'approved') throw invalid('Only an approved transaction can be refunded.');
    const { ids, cents } = refundItem(call, item, {
      type: 'transaction',
      amount: call.body.amount,
      offsite: call.body.refunded_offsite === true,
    });
    return { transaction_id: item.id, amount: fromCents(cents), pending_refund: ids, result: 'success' };
  },
};
