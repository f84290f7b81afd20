import { parameterFault } from '../../request/plan.js';
import { at, fault, isSet, listAt, needs, note, textAt } from './read.js';
import type { Check, Finding } from './types.js';

/** `item_type` and `item_id` name one item together. */
export const itemPair: Check = (body) => {
  const [type, id] = [isSet(at(body, 'item_type')), isSet(at(body, 'item_id'))];
  if (type === id) return [];
  return [
    type ? fault('item_id', 'goes with item_type: give both') : fault('item_type', 'goes with item_id: give both'),
  ];
};

/** What a run of an assistant or agent takes: one item, or an earlier thread, or messages. */
export const assistantTrigger: Check = (body, context) => {
  const found = [...((itemPair(body, context) as Finding[]) ?? [])];
  const item = isSet(at(body, 'item_type')) || isSet(at(body, 'item_id'));
  const source = textAt(body, 'source_type');
  if (item && source !== 'item') found.push(fault('source_type', 'a run about one item needs source_type=item'));
  if (!item && source === 'item') found.push(fault('item_type', 'source_type=item needs item_type and item_id'));
  if (isSet(at(body, 'previous_ai_thread')) && isSet(at(body, 'messages'))) {
    found.push(fault('messages', 'give previous_ai_thread or messages, not both'));
  }
  return found;
};

const MAX_VALUE_BYTES = 5 * 1024 * 1024;

/** A key has its form, and a pointer its type and target. */
export const keyValue: Check = (body, context) => {
  const found: Finding[] = [];
  const key = textAt(body, 'key');
  const keyFault = key === undefined ? undefined : parameterFault('key', key);
  if (keyFault) found.push(fault('key', keyFault));
  const type = textAt(body, 'key_type') ?? textAt(context.current, 'key_type');
  if (textAt(body, 'key_type') === 'pointer') {
    found.push(...needs(body, context, ['pointer_type'], 'pointer_type', 'key_type pointer needs pointer_type'));
    found.push(
      ...needs(body, context, ['value'], 'value', 'key_type pointer needs the id or name of its target as value'),
    );
  }
  if (isSet(at(body, 'pointer_type')) && type !== undefined && type !== 'pointer') {
    found.push(fault('pointer_type', 'goes only with key_type=pointer'));
  }
  const value = textAt(body, 'value');
  if (value !== undefined && Buffer.byteLength(value) > MAX_VALUE_BYTES)
    found.push(fault('value', 'is larger than 5 MB'));
  return found;
};

/** Card prefixes are six digits: a longer number may be a card, which must not be stored here. */
export const binPrefixes: Check = (body) => {
  const found: Finding[] = [];
  const prefixes = listAt(body, 'bin_6');
  for (const [index, prefix] of prefixes.entries()) {
    if (typeof prefix !== 'string' || /^\d{6}$/.test(prefix)) continue;
    const long = prefix.replace(/\D/g, '').length > 6;
    found.push(
      fault(
        `bin_6[${index}]`,
        long ? 'only the first six digits belong here, never a card number' : 'must be six digits',
      ),
    );
  }
  if (prefixes.length > 5000)
    found.push(note('bin_6', `a profile holds at most 5000 prefixes, these are ${prefixes.length}`));
  return found;
};

const WITH_ID: ReadonlySet<string> = new Set([
  'third_party_integration',
  'third_party_shop',
  'gateway',
  'fulfillment_center',
]);
const WITHOUT_ID: ReadonlySet<string> = new Set(['smtp_profile', 'wallet_account']);

/** Four of the six form sources name which site-level entry is meant. */
export const secureForm: Check = (body) => {
  const source = textAt(body, 'form_source');
  if (source === undefined) return [];
  const given = isSet(at(body, 'form_source_id'));
  if (WITH_ID.has(source) && !given)
    return [fault('form_source_id', `form_source ${source} needs the id of its site-level entry`)];
  if (WITHOUT_ID.has(source) && given) return [fault('form_source_id', `does not go with form_source ${source}`)];
  return [];
};

/** A new fulfillment center needs the credentials of that center. */
export const fulfillmentCenter: Check = (body, context) => {
  const center = textAt(body, 'fulfillment_center');
  const same = center !== undefined && center === textAt(context.current, 'fulfillment_center', 'id');
  if (center === undefined || same || isSet(at(body, 'fields'))) return [];
  return [fault('fields', 'another fulfillment center needs its credential fields in the same body')];
};
