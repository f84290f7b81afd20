import type { Answer, Call, Rules } from '../call.js';
import { ASSISTANT_RULES } from './assistants.js';
import { AUTOMATION_RULES } from './automation.js';
import { BIGQUERY_RULES, runQuery } from './bigquery.js';
import { CUSTOMER_RULES } from './customers.js';
import { PRODUCT_RULES } from './products.js';
import { RECORD_RULES } from './records.js';
import { REFUND_RULES } from './refunds.js';
import { SALE_RULES } from './sales.js';
import { SALVAGE_RULES } from './salvage.js';
import { SETUP_RULES } from './setup.js';
import { SUBSCRIPTION_RULES } from './subscriptions.js';
import { TRIAL_RULES } from './trials.js';

/** Every operation that does more than the naming convention says. */
export const RULES: Rules = {
  ...SUBSCRIPTION_RULES,
  ...TRIAL_RULES,
  ...SALE_RULES,
  ...REFUND_RULES,
  ...SALVAGE_RULES,
  ...CUSTOMER_RULES,
  ...PRODUCT_RULES,
  ...RECORD_RULES,
  ...ASSISTANT_RULES,
  ...AUTOMATION_RULES,
  ...SETUP_RULES,
  ...BIGQUERY_RULES,
};

/** Operations whose work takes its time and therefore runs outside the transaction. */
export const ASYNC_RULES: Readonly<Record<string, (call: Call) => Promise<Answer>>> = {
  'POST /bigquery': runQuery,
};
