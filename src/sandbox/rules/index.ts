import type { Answer, Call, Rules } from '../call.js';
import { SUBSCRIPTION_RULES } from './subscriptions.js';
import { TRIAL_RULES } from './trials.js';

/** Every operation that does more than the naming convention says. */
export const RULES: Rules = {
  ...SUBSCRIPTION_RULES,
  ...TRIAL_RULES,
};

/** Operations whose work takes its time and therefore runs outside the transaction. */
export const ASYNC_RULES: Readonly<Record<string, (call: Call) => Promise<Answer>>> = {};
