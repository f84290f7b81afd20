import type { Rule, Rules } from '../call.js';
import { done, required } from '../generic.js';
import { type RefundFacts, refundItem } from '../ledger.js';
import { fromCents } from '../money.js';
import { invalid } from '../refusal.js';

/** The refunds of single items (spec 4.2; money rules of the lifecycle). */
export const REFUND_RULES: Rules = {
  'POST /product_sales/{}/refund': refunding('product_sale'),
  'POST /shipping/{}/refund': refunding('shipping'),
  'POST /tax/{}/refund': refunding('tax'),
  'POST /subscription_renewals/{}/refund': refunding('subscription_renewal'),
  'POST /transactions/{}/refund': refunding('transaction'),
};

function refunding(type: RefundFacts['type']): Rule {
  return (call) => {
    const item = required(call);
    const { amount, refunded_offsite: offsite } = call.body;
    if (type === 'transaction' && item.value.result !== 'approved')
      throw invalid('Only an approved transaction can be refunded.');
    const { ids, cents } = refundItem(call, item, { type, amount, offsite: offsite === true });
    const more = type === 'subscription_renewal' ? { subscription_id: item.value.subscription_id } : {};
    return done(call, item.id, { amount: fromCents(cents), ...more, pending_refund: ids });
  };
}
