import type { Rules } from './call.js';
import { create, done, edit, required } from './generic.js';
import { invalid } from './refusals.js';
import { checkPaymentFlow } from './routing.js';

/** Rules for payment profiles, the flows that choose gateways. */
export const PAYMENT_PROFILE_RULES: Rules = {
  'POST /payment_profiles': (call) => {
    if (typeof call.body.name !== 'string' || call.body.name === '') throw invalid('name is required.');
    checkPaymentFlow(call, call.body.payment_flow);
    return done(call, create(call).id);
  },
  'POST /payment_profiles/{}': (call) => {
    const item = required(call);
    checkPaymentFlow(call, call.body.payment_flow);
    return done(call, edit(call, item).id);
  },
};
