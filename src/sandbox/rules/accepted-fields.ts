import { checkedBody } from '../../catalogue/body-fields.js';
import type { Field, Operation } from '../../catalogue/types.js';
import { fieldSchema } from '../serve/description-fields.js';
import type { Value } from '../store/item-values.js';
import { related } from './builders.js';
import { ruleName } from './call.js';
import { invalid } from './refusals.js';

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

/** Whether a property is known to be writable by an operation. */
function isWritable(operation: Operation, property: string): boolean {
  return property === 'idempotency_key' || Object.hasOwn(checkedBody(operation).fields, property);
}

/**
 * Refuses what a create or edit cannot write: what only the service writes, what reads show of a property that is
 * written under another name, and where the whole list is known everything that is not on it.
 * @throws Refusal 400 that names every such property.
 */
export function checkWritable(operation: Operation, body: Value): void {
  const faults = Object.keys(body).flatMap((property) => {
    if (isWritable(operation, property)) return [];
    if (ENVELOPE.has(property)) return [`${property} belongs to the envelope`];
    const other = writtenAs(operation, property);
    if (other !== undefined) return [`${property} is written as ${other}`];
    if (OWN.has(property) || AMOUNT.test(property)) return [`${property} is set by the service alone`];
    const refused = operation.noOther || NOT_ACCEPTED[ruleName(operation)]?.includes(property);
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
  const faults = Object.keys(body).filter((one) => Object.hasOwn(item, one) && !isWritable(operation, one));
  if (faults.length > 0)
    throw invalid(`The request is invalid: ${faults.map((one) => `${one} cannot be written here`).join('; ')}.`);
}

/** The property by which what reads show under this name is written. */
function writtenAs(operation: Operation, property: string): string | undefined {
  const fields = Object.entries(operation.body?.fields ?? {});
  return fields.find(([, { readFrom }]) => readFrom?.split('.')[0] === property)?.[0];
}

/**
 * The properties of a body that are taken and that no description names, as JSON Schema marked `x-reading`: those of
 * orders, those whose names are ours, and what the catalogue assumes from reads. reading: assumed-fields
 */
export function assumedFields({ assumed = {}, further = {} }: Operation): Record<string, Value> {
  const named = 'products' in further ? 'order-names' : 'not-writable';
  const marked = (fields: Readonly<Record<string, Field>>, mark: string) =>
    Object.entries(fields).map(([name, field]) => [name, { ...fieldSchema(field, name), 'x-reading': mark }]);
  return Object.fromEntries([...marked(further, named), ...marked(assumed, 'assumed-fields')]);
}
