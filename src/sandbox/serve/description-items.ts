import type { Family, Field } from '../../catalogue/types.js';
import type { Value } from '../store/item-values.js';
import { KINDS_OF_ITEMS, singular } from '../store/kinds.js';
import { shownSchema } from './description-fields.js';

/** Families whose items carry the fields that service.md#payments lists for a purchase; renewals name all of them. */
const OF_PURCHASES: ReadonlySet<string> = new Set([
  ...['sales', 'product_sales', 'trials', 'subscriptions', 'tax', 'shipping', 'discounts', 'invoices'],
  ...['transactions', 'salvage_transactions', 'wallet_transactions', 'check_directs', 'offline_payments'],
  ...['pending_refunds', 'chargebacks', 'fraud_detections', 'wallet_disputes'],
]);
const SHARED =
  /^(?:amount.*|metadata|payment_type|third_party_shop|ship_to|customer|campaign_id|campaign_name|iso_currency|live_mode|updated_date_unix|sales|product_sales|shipping|tax|discounts|trials|subscriptions|subscription_renewals|invoices|transactions|ai_threads|ai_assistants|wallet_transactions|offline_payments|check_directs|salvage_transactions)$/;

const text: Value = { type: 'string' };
const whole: Value = { type: 'integer' };
const flag: Value = { type: 'boolean' };
const open: Value = { type: ['object', 'null'], additionalProperties: true };
const list: Value = { type: 'array', items: {} };
const any: Value = {};

/** Fields that the sandbox shows but no description has, under its own names. reading: item-fields */
const OURS: Readonly<Record<string, Value>> = {
  ai_memos: { ai_assistant_id: text, ai_assistant: open },
  ai_threads: { ai_assistant_id: text, ai_assistant: open, item_type: any, item_id: any },
  ai_voice_calls: { status: text, ai_voice_agent: any },
  chargebacks: { status: text, representment: open },
  coupon_profiles: { max_uses: { type: ['integer', 'null'] } },
  coupons: { name: any, coupon_profile: open, max_uses: { type: ['integer', 'null'] } },
  customer_cards: { metadata: list },
  customer_groups: { qualifier_method: text, qualifiers: list },
  customers: {
    campaign_id: text,
    campaign_name: text,
    customer_group: list,
    products_bought: list,
    sales_count: whole,
  },
  discounts: { name: text, coupon_id: { type: ['string', 'null'] } },
  documentation: { text },
  email_templates: { custom_arguments: list },
  fraud_detections: {
    status: text,
    method: text,
    source_type: any,
    false_positive: flag,
    rule: text,
    ip_address: text,
  },
  functions: { function_code: text },
  metadata: { values: list },
  pending_refunds: {
    ...{ type: any, full: flag, source_id: text, transaction_id: text, refunded_offsite: any },
    processed_date_unix: { type: ['integer', 'null'] },
  },
  product_sales: { status: text },
  product_syncs: { status: text, message: text, third_party_shop: any },
  sales: { fraud_alert: flag, internal_id: any, products: list },
  salvage_transactions: { enabled: flag, method: text, attempts: any },
  shipping: { provider: any, provider_method: any, tracking_number: any, fulfillment_account: any, products: list },
  site_events: { type: text, message: any, notation: text, item_type: text, item_id: text, customer_id: any },
  site_gateways: { credentials: any },
  site_logs: { level: text, message: text },
  site_shipping_providers: { methods: list },
  sites: { tracking_domains: list },
  smtp_messages: { email_template: any, from: any, to: any },
  smtp_profiles: { host: text, port: whole },
  subscriptions: { is_overdue: flag, overdue_count: whole, renewal_count: whole, coupons: list },
  tax: { tax_rate: any, tax_profile: any, status: text },
  tracking_domains: { url_parameter_sets: list },
  tracking_visitors: { tracking_domain: any, ip_address: text, visits: whole },
  transactions: { method: text, customer_card: open, payment_profile: text },
  trials: { expired_result: any, extended: flag, shortened: flag },
  user_gateways: { iso_currency: list, processor_fee_percentage: any },
  user_shops: { campaign: any, payment_profile: text, shipping_methods: list, offline_payment_methods: list },
  wallet_disputes: { reason: text, wallet_account: any },
  wallet_transactions: { wallet_transaction_id: text, wallet_account: any },
};

/** Fields of items of any family (service.md#envelopes). */
const COMMON: Value = { id: text, created_date_unix: whole, updated_date_unix: whole, live_mode: flag };

/** The name of a family's items in the description. */
export function itemName(family: string): string {
  return `${singular(family)}_item`;
}

/** The item of each family. No field is required: a list leaves some out, and more may be added. */
export function itemSchemas(families: readonly Family[]): Value {
  const byName = new Map(families.map((family) => [family.name, family]));
  const shared = Object.entries(byName.get('subscription_renewals')?.item ?? {}).filter(([name]) => SHARED.test(name));
  return Object.fromEntries(
    KINDS_OF_ITEMS.map((name) => {
      const fields: [string, Field][] = [
        ...(OF_PURCHASES.has(name) ? shared : []),
        ...Object.entries(byName.get(name)?.item ?? {}),
      ];
      const known = Object.fromEntries(fields.map(([field, facts]) => [field, shownSchema(field, facts)]));
      const beyond = Object.entries((OURS[name] ?? {}) as Record<string, Value>)
        .filter(([field]) => !(field in known))
        .map(([field, schema]) => [field, { ...schema, 'x-reading': 'item-fields' }]);
      const properties = { ...COMMON, ...known, ...Object.fromEntries(beyond) };
      return [itemName(name), { type: 'object', properties, additionalProperties: true }];
    }),
  );
}
