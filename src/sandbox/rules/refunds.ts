import type { OperationRule, Rules } from './call.js';
import { done, required } from './generic.js';
import { fromCents } from './money.js';
import { refundItem } from './payment-ledger.js';
import { invalid } from './refusals.js';

const refund: OperationRule = (call) => {
  const item = required(call);
  const { amount, refunded_offsite: offsite } = call.body;
  if (item.family === 'transactions' && item.value.result !== 'approved')
    throw invalid('Only an approved transaction can be refunded.');
  const { ids, cents } = refundItem(call, item, { amount, offsite: offsite === true });
  const more = item.family === 'subscription_renewals' ? { subscription_id: item.value.subscription_id } : {};
  // The published answer of a shipment's refund lacks the amount; the others have it.
  const told = item.family === 'shipping' ? {} : { amount: fromCents(cents) };
  return done(call, item.id, { ...told, ...more, pending_refund: ids });
};

/** The refunds of single items (service.md#paths; money rules of the lifecycle). */
export const REFUND_RULES: Rules = {
  'POST /product_sales/{}/refund': refund,
  'POST /shipping/{}/refund': refund,
  'POST /tax/{}/refund': refund,
  'POST /subscription_renewals/{}/refund': refund,
  'POST /transactions/{}/refund': refund,
};
