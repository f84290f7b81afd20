import type { Operation } from '../../catalogue/types.js';
import { FORMATS, fieldSchema } from '../serve/description-fields.js';
import type { Value } from '../store/text.js';
import { CONTACT, related } from './builders.js';
import { ruleName } from './call.js';
import { ORDER_PROPERTIES } from './orders.js';
import { invalid } from './refusal.js';

/** What an order's body may say beyond what the catalogue has seen of it (`orders.ts`). */
const ORDER: readonly string[] = [
  ...ORDER_PROPERTIES,
  ...['ip_address', 'payment_profile', 'wallet_transaction_id', 'bill_to', 'coupon_code', 'metadata'],
];

const CLAIM = [
  ...['arn', 'case_number', 'third_party_integration_id', 'third_party_order_id', 'event_date'],
  ...['fraud_detection_date', 'third_party_fraud_detection_id'],
];

/**
 * Operations of which the writable properties are known to the end, though the published schema was not seen to its
 * end: those of the catalogue and these. Everything else is refused by name. reading: not-writable
 */
const ALL_WRITABLE: Readonly<Record<string, readonly string[]>> = {
  'POST /subscriptions/{}': [],
  'POST /shipping/{}': [
    ...['status', 'shipped', 'delivered', 'tracking_number', 'provider_tracking', 'tracking_url'],
    ...['provider_tracking_url', 'provider', 'provider_method', 'ship_to'],
  ],
  'POST /chargebacks': ['received_date', 'metadata', 'representment'],
  'POST /chargebacks/{}': [
    ...['third_party_integration_id', 'third_party_chargeback_id', 'third_party_order_id', 'chargeback_date'],
    ...['received_date', 'metadata'],
  ],
  'POST /fraud_detections': ['metadata'],
  'POST /fraud_detections/{}': [...CLAIM, 'false_positive', 'metadata'],
  'POST /tracking_domains': ['name', 'description', 'domain_name', 'root_domain', 'domain', 'url_parameter_sets'],
  'POST /tracking_domains/{}': [],
  'POST /user_third_party_integrations': ['third_party_credentials', 'third_party_options', 'secure_form_id'],
  'POST /user_third_party_integrations/{}': ['third_party_options', 'secure_form_id'],
  'POST /customers': [],
  'POST /customers/{}': ['bill_to', 'internal_customer_id'],
  'POST /projects': [],
  'POST /projects/{}': [],
};

/** Writable beyond the catalogue, in bodies that may hold still more. */
const ALSO_WRITABLE: Readonly<Record<string, readonly string[]>> = {
  'POST /sales': ORDER,
  'POST /sales/pending': ORDER,
  'POST /sales/pending/{}': [...ORDER, 'pending_options'],
  'POST /sales/pending/{}/process': ORDER,
  'POST /sales/estimate': ORDER,
  'POST /invoices': ORDER,
  'POST /products': ['third_party_shop'],
  'POST /products/{}': [
    ...['third_party_shop', 'additional_id', 'bundle_settings', 'is_bundle_product', 'product_group'],
    ...['shipping_attributes', 'subscription_profile'],
  ],
  'POST /products/{}/images': ['featured', 'full_url', 'image_url', 'url'],
  'POST /coupons': ['code', 'name', 'max_uses'],
  'POST /coupons/{}': ['code', 'name', 'max_uses'],
  'POST /coupon_profiles': ['max_uses'],
  'POST /coupon_profiles/{}': ['max_uses'],
  'POST /email_templates/{}': ['enabled'],
  'POST /smtp_profiles': ['host', 'port'],
  'POST /smtp_profiles/{}': ['host', 'port'],
  'POST /user_gateways': ['name', 'processor_fee_percentage'],
  'POST /user_gateways/{}': ['name', 'processor_fee_percentage'],
  'POST /user_shops/{}': ['enabled'],
};

/** Named as not accepted by the pages of the service. */
const NOT_ACCEPTED: Readonly<Record<string, readonly string[]>> = {
  'POST /products/{}': ['image', 'image_file', 'inventory_policy', 'warehouse_id', 'category_name'],
};

/** What every answer begins with (service.md#envelopes); an item cannot have fields of these names. */
const ENVELOPE: ReadonlySet<string> = new Set(['api_call_id', 'api_call_unix', 'code']);

/** What the service itself writes on items, whatever their family. */
const OWN: ReadonlySet<string> = new Set([
  ...Object.keys(related({})),
  ...['id', 'created_date_unix', 'updated_date_unix', 'live_mode', 'customer', 'metadata', 'notes', 'status'],
  ...['billing', 'renewal_count', 'overdue_count', 'is_overdue', 'iso_currency', 'campaign_id', 'campaign_name'],
  ...['payment_type', 'product', 'third_party_shop', 'subscription_id', 'expiration_date_unix', 'expired_result'],
  ...['extended', 'shortened', 'cancelled_date_unix', 'processed_date_unix', 'fraud_alert', 'failed_reason'],
  ...['result', 'approved', 'declined', 'held', 'error', 'captured', 'settled', 'void', 'fraud_detected'],
  ...['gateway_id', 'gateway_name', 'gateway_transaction_id', 'gateway_auth_code', 'customer_card', 'attempts'],
  ...[
    'transaction_id',
    'source_type',
    'sales_count',
    'products_bought',
    'blocked',
    'is_default',
    'first_6',
    'last_4',
    'num_use',
  ],
  ...['ssl', 'dns', 'a_records', 'ssl_status', 'dns_status', 'connection_valid', 'fulfillment_cancelled'],
  ...['third_party_credentials_saved', 'third_party_options_saved', 'third_party', 'portal_urls', 'logo'],
  ...['images', 'images_url', 'wallet_account_app_id', 'function_url', 'webhook_url', 'entities', 'messages'],
  ...['ai_assistant', 'ai_assistant_id', 'cancel_on_void', 'customer_group', 'completed', 'form_url', 'pending_refund'],
]);
const AMOUNT = /^amount(?:_.*)?$/;

const writable = new WeakMap<Operation, ReadonlySet<string>>();

/** The properties that are known to be writable by an operation: those of the catalogue and those above. */
function writableBy(operation: Operation): ReadonlySet<string> {
  const seen = writable.get(operation);
  if (seen) return seen;
  const name = ruleName(operation);
  const known = new Set(['idempotency_key', ...Object.keys({ ...operation.body?.fields, ...operation.assumed })]);
  for (const one of ALL_WRITABLE[name] ?? ALSO_WRITABLE[name] ?? []) known.add(one);
  writable.set(operation, known);
  return known;
}

/**
 * Refuses what a create or edit cannot write: what only the service writes, what reads show of a property that is
 * written under another name, and where the whole list is known everything that is not on it.
 * @throws Refusal 400 that names every such property.
 */
export function checkWritable(operation: Operation, body: Value): void {
  const name = ruleName(operation);
  const known = writableBy(operation);
  const faults = Object.keys(body).flatMap((property) => {
    if (known.has(property)) return [];
    if (ENVELOPE.has(property)) return [`${property} belongs to the envelope`];
    const other = writtenAs(operation, property);
    if (other !== undefined) return [`${property} is written as ${other}`];
    if (OWN.has(property) || AMOUNT.test(property)) return [`${property} is set by the service alone`];
    const refused = ALL_WRITABLE[name] !== undefined || NOT_ACCEPTED[name]?.includes(property);
    return refused ? [`${property} cannot be written here`] : [];
  });
  if (faults.length > 0) throw invalid(`The request is invalid: ${faults.join('; ')}.`);
}

/**
 * Refuses of an edit what the item shows and no list has as writable: a body of which the end was not seen may hold
 * more, but not what reads show of it. reading: not-writable
 * @throws Refusal 400 that names every such property.
 */
export function checkShown(operation: Operation, body: Value, item: Value): void {
  const known = writableBy(operation);
  const faults = Object.keys(body).filter((property) => Object.hasOwn(item, property) && !known.has(property));
  if (faults.length > 0)
    throw invalid(`The request is invalid: ${faults.map((one) => `${one} cannot be written here`).join('; ')}.`);
}

/** The property by which what reads show under this name is written. */
function writtenAs(operation: Operation, property: string): string | undefined {
  const fields = Object.entries(operation.body?.fields ?? {});
  return fields.find(([, { readFrom }]) => readFrom?.split('.')[0] === property)?.[0];
}

const AMOUNT_SCHEMA: Value = { type: 'number', minimum: 0, maximum: 10_000_000 };
/** Contact fields, as bodies take them (service.md#new-customers). */
const CONTACT_SCHEMAS: Value = Object.fromEntries(
  CONTACT.map((name) => [name, { type: 'string', ...(name === 'country' ? FORMATS.country : {}) }]),
);
const ADDRESS: Value = { type: 'object', properties: CONTACT_SCHEMAS, additionalProperties: { type: 'string' } };

/** What the sandbox takes an order's properties for. reading: order-names */
const ORDER_SCHEMAS: Readonly<Record<string, Value>> = {
  campaign: { type: 'string', description: 'Id or name of a campaign.' },
  customer_id: { type: 'string' },
  customer: {
    ...ADDRESS,
    properties: { ...CONTACT_SCHEMAS, email: { type: 'string', format: 'email' } },
    required: ['email'],
  },
  bill_to: ADDRESS,
  ship_to: ADDRESS,
  products: {
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      required: ['id'],
      properties: {
        id: { type: 'string' },
        quantity: { type: 'integer', minimum: 1, maximum: 10_000, default: 1 },
        price: AMOUNT_SCHEMA,
      },
    },
  },
  shipping_amount: AMOUNT_SCHEMA,
  shipping_profile: { type: 'string' },
  tax_amount: AMOUNT_SCHEMA,
  discount_amount: AMOUNT_SCHEMA,
  coupon_code: { type: 'string' },
  metadata: {
    type: 'array',
    items: {
      type: 'object',
      required: ['name', 'value'],
      properties: { name: { type: 'string' }, value: { type: 'string' } },
    },
  },
};

/**
 * The properties of a body that the sandbox takes and that no description names, as JSON Schema marked `x-reading`:
 * those of orders, those of `writable.ts`, and what the catalogue assumes from reads. reading: assumed-fields
 */
export function assumedFields(operation: Operation): Record<string, Value> {
  const name = ruleName(operation);
  const isOrder = ALSO_WRITABLE[name]?.includes('products') === true;
  const named = [...(ALL_WRITABLE[name] ?? []), ...(ALSO_WRITABLE[name] ?? [])];
  return {
    ...Object.fromEntries(
      named.map((field) => [
        field,
        { ...(isOrder ? ORDER_SCHEMAS[field] : {}), 'x-reading': isOrder ? 'order-names' : 'not-writable' },
      ]),
    ),
    // What the catalogue knows of it says its type, too.
    ...Object.fromEntries(
      Object.entries(operation.assumed ?? {}).map(([field, facts]) => [
        field,
        { ...fieldSchema(facts), 'x-reading': 'assumed-fields' },
      ]),
    ),
  };
}
