import { ASSISTANT_RULES } from './assistants.js';
import { AUTOMATION_RULES } from './automation-rules.js';
import { BIGQUERY_RULES, runQuery } from './bigquery.js';
import type { Call, OperationAnswer, Rules } from './call.js';
import { COUPON_RULES } from './coupons.js';
import { CUSTOMER_RULES } from './customers.js';
import { DISPUTE_RULES } from './disputes.js';
import { FORM_RULES } from './forms.js';
import { INVOICE_RULES } from './invoices.js';
import { PORTAL_RULES } from './portals.js';
import { PRODUCT_GROUP_RULES } from './product-groups.js';
import { PRODUCT_RULES } from './products.js';
import { PROJECT_RULES } from './projects.js';
import { REFUND_RULES } from './refunds.js';
import { SALE_RULES } from './sales.js';
import { SALVAGE_RULES } from './salvage.js';
import { SETUP_RULES } from './setup-rules.js';
import { SHIPPING_RULES } from './shipping.js';
import { SHOP_RULES } from './shops.js';
import { SUBSCRIPTION_RULES } from './subscriptions.js';
import { TRIAL_RULES } from './trials.js';

/** Every operation that does more than the naming convention implies. */
export const RULES: Rules = {
  ...SUBSCRIPTION_RULES,
  ...TRIAL_RULES,
  ...SALE_RULES,
  ...REFUND_RULES,
  ...SALVAGE_RULES,
  ...CUSTOMER_RULES,
  ...PRODUCT_RULES,
  ...PRODUCT_GROUP_RULES,
  ...PROJECT_RULES,
  ...SHIPPING_RULES,
  ...PORTAL_RULES,
  ...SHOP_RULES,
  ...COUPON_RULES,
  ...DISPUTE_RULES,
  ...INVOICE_RULES,
  ...FORM_RULES,
  ...ASSISTANT_RULES,
  ...AUTOMATION_RULES,
  ...SETUP_RULES,
  ...BIGQUERY_RULES,
};

/** Operations that take time and therefore run outside the transaction. */
export const ASYNC_RULES: Readonly<Record<string, (call: Call) => Promise<OperationAnswer>>> = {
  'POST /bigquery': runQuery,
};
