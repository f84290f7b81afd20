import { parameterFault } from '../../catalogue/value-formats.js';
import { fault, isSet, listBelow, needs, note, textBelow, valueBelow } from './body-values.js';
import type { Check } from './types.js';

/** `item_type` and `item_id` name one item together. */
export const itemPair: Check = function* (body) {
  const [type, id] = [isSet(valueBelow(body, 'item_type')), isSet(valueBelow(body, 'item_id'))];
  if (type && !id) yield fault('item_id', 'needs item_type: give both');
  if (id && !type) yield fault('item_type', 'needs item_id: give both');
};

/** A run of an assistant or agent accepts one item, an earlier thread, or messages. */
export const assistantTrigger: Check = async function* (body, context) {
  yield* itemPair(body, context);
  const item = isSet(valueBelow(body, 'item_type')) || isSet(valueBelow(body, 'item_id'));
  const source = textBelow(body, 'source_type');
  if (item && source !== 'item') yield fault('source_type', 'a run about one item needs source_type=item');
  if (!item && source === 'item') yield fault('item_type', 'source_type=item needs item_type and item_id');
  if (isSet(valueBelow(body, 'previous_ai_thread')) && isSet(valueBelow(body, 'messages')))
    yield fault('messages', 'give previous_ai_thread or messages, not both');
};

const MAX_VALUE_BYTES = 5 * 1024 * 1024;

/** A key must be well formed; a pointer needs its type and target. */
export const keyValue: Check = function* (body, context) {
  const key = textBelow(body, 'key');
  const keyFault = key === undefined ? undefined : parameterFault('key', key);
  if (keyFault) yield fault('key', keyFault);
  const type = textBelow(body, 'key_type') ?? textBelow(context.current, 'key_type');
  if (textBelow(body, 'key_type') === 'pointer') {
    yield* needs(body, context, ['pointer_type'], 'key_type pointer needs pointer_type');
    yield* needs(body, context, ['value'], 'key_type pointer needs the id or name of its target as value');
  }
  if (isSet(valueBelow(body, 'pointer_type')) && type !== undefined && type !== 'pointer')
    yield fault('pointer_type', 'is used only with key_type=pointer');
  const value = textBelow(body, 'value');
  if (value !== undefined && Buffer.byteLength(value) > MAX_VALUE_BYTES) yield fault('value', 'is larger than 5 MB');
};

/** Card prefixes have six digits: a longer number may be a card number, which must not be stored here. */
export const binPrefixes: Check = function* (body) {
  const prefixes = listBelow(body, 'bin_6');
  for (const [index, prefix] of prefixes.entries()) {
    if (typeof prefix !== 'string' || /^\d{6}$/.test(prefix)) continue;
    const long = prefix.replace(/\D/g, '').length > 6;
    const message = long ? 'only the first six digits belong here, never a card number' : 'must be six digits';
    yield fault(`bin_6[${index}]`, message);
  }
  if (prefixes.length > 5000)
    yield note('bin_6', `a profile holds at most 5000 prefixes, these are ${prefixes.length}`);
};

const WITH_ID: ReadonlySet<string> = new Set([
  'third_party_integration',
  'third_party_shop',
  'gateway',
  'fulfillment_center',
]);
const WITHOUT_ID: ReadonlySet<string> = new Set(['smtp_profile', 'wallet_account']);

/** Four of the six form sources require the id of the site-level entry. */
export const secureForm: Check = function* (body) {
  const source = textBelow(body, 'form_source');
  if (source === undefined) return;
  const given = isSet(valueBelow(body, 'form_source_id'));
  if (WITH_ID.has(source) && !given)
    yield fault('form_source_id', `form_source ${source} needs the id of its site-level entry`);
  if (WITHOUT_ID.has(source) && given) yield fault('form_source_id', `is not used with form_source ${source}`);
};

/** A new fulfillment center needs its own credentials. */
export const fulfillmentCenter: Check = function* (body, context) {
  const center = textBelow(body, 'fulfillment_center');
  const same = center !== undefined && center === textBelow(context.current, 'fulfillment_center', 'id');
  if (center === undefined || same || isSet(valueBelow(body, 'fields'))) return;
  yield fault('fields', 'another fulfillment center needs its credential fields in the same body');
};
