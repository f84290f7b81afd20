import { checkedBody } from '../../catalogue/body-fields.js';
import type { Field, Operation } from '../../catalogue/types.js';
import { fieldSchema } from '../serve/description-fields.js';
import type { Value } from '../store/item-values.js';
import { related } from './builders.js';
import { ruleName } from './call.js';
import { invalid } from './refusals.js';

/** Properties that the service's pages say are not accepted. */
const NOT_ACCEPTED: Readonly<Record<string, readonly string[]>> = {
  'POST /products/{}': ['image', 'image_file', 'inventory_policy', 'warehouse_id', 'category_name'],
};

/** The first fields of every answer (service.md#envelopes); an item cannot have fields with these names. */
const ENVELOPE: ReadonlySet<string> = new Set(['api_call_id', 'api_call_unix', 'code']);

/** Properties that only the service writes, in any family. */
const OWN: ReadonlySet<string> = new Set([
  ...Object.keys(related({})),
  ...['id', 'created_date_unix', 'updated_date_unix', 'live_mode', 'customer', 'metadata', 'notes', 'status'],
  ...['billing', 'renewal_count', 'overdue_count', 'is_overdue', 'iso_currency', 'campaign_id', 'campaign_name'],
  ...['payment_type', 'product', 'third_party_shop', 'subscription_id', 'expiration_date_unix', 'expired_result'],
  ...['extended', 'shortened', 'cancelled_date_unix', 'processed_date_unix', 'fraud_alert', 'failed_reason'],
  ...['result', 'approved', 'declined', 'held', 'error', 'captured', 'settled', 'void', 'fraud_detected'],
  ...['gateway_id', 'gateway_name', 'gateway_transaction_id', 'gateway_auth_code', 'customer_card', 'attempts'],
  ...'transaction_id source_type sales_count products_bought blocked is_default first_6 last_4 num_use'.split(' '),
  ...['ssl', 'dns', 'a_records', 'ssl_status', 'dns_status', 'connection_valid', 'fulfillment_cancelled'],
  ...['third_party_credentials_saved', 'third_party_options_saved', 'third_party', 'portal_urls', 'logo'],
  ...['images', 'images_url', 'wallet_account_app_id', 'function_url', 'webhook_url', 'entities', 'messages'],
  ...['ai_assistant', 'ai_assistant_id', 'cancel_on_void', 'customer_group', 'completed', 'form_url', 'pending_refund'],
]);
const AMOUNT = /^amount(?:_.*)?$/;

/** Whether an operation is known to write a property. */
function isWritable(operation: Operation, property: string): boolean {
  return property === 'idempotency_key' || Object.hasOwn(checkedBody(operation).fields, property);
}

/**
 * Refuses properties that a create or edit cannot write: those that only the service sets, those written under another
 * name, and, where the list of properties is complete, all others.
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
 * Refuses properties of an edit that the item shows and no description calls writable. A body whose end was not seen
 * may hold more properties, but not those that reads show. reading: not-writable
 * @throws Refusal 400 that names every such property.
 */
export function checkShown(operation: Operation, body: Value, item: Value): void {
  const faults = Object.keys(body).filter((one) => Object.hasOwn(item, one) && !isWritable(operation, one));
  if (faults.length > 0)
    throw invalid(`The request is invalid: ${faults.map((one) => `${one} cannot be written here`).join('; ')}.`);
}

/** The property that writes what reads show under this name. */
function writtenAs(operation: Operation, property: string): string | undefined {
  const fields = Object.entries(operation.body?.fields ?? {});
  return fields.find(([, { readFrom }]) => readFrom?.split('.')[0] === property)?.[0];
}

/**
 * Accepted properties that no description names, as JSON Schema marked `x-reading`: those of orders, those named by the
 * sandbox, and those that the catalogue assumes from reads. reading: assumed-fields
 */
export function assumedFields({ assumed = {}, further = {} }: Operation): Record<string, Value> {
  const named = 'products' in further ? 'order-names' : 'not-writable';
  const marked = (fields: Readonly<Record<string, Field>>, mark: string) =>
    Object.entries(fields).map(([name, field]) => [name, { ...fieldSchema(field, name), 'x-reading': mark }]);
  return Object.fromEntries([...marked(further, named), ...marked(assumed, 'assumed-fields')]);
}
