import { mailData, sendMail } from '../automation/mail.js';
import type { Occasion } from '../automation/occasions.js';
import { UnfilledError } from '../automation/shortcodes.js';
import type { Stored } from '../store/item-store.js';
import { idsUnder, listUnder, objectUnder, type Value } from '../store/item-values.js';
import { argumentsFor, itemAbout } from './automation-rules.js';
import { undated } from './builders.js';
import type { Call, Rules } from './call.js';
import {
  changeMembers,
  checkIntegration,
  checking,
  create,
  done,
  edit,
  given,
  required,
  requireItem,
} from './generic.js';
import { linked } from './payment-ledger.js';
import { invalid } from './refusals.js';
import { checkPaymentFlow } from './routing.js';

/** Rules for an account's set-up and the data attached to items: gateways, keys, metadata, notes, mail. */
export const SETUP_RULES: Rules = {
  'POST /user_gateways': (call) => {
    const { fields, ...body } = call.body;
    const item = create({ ...call, body });
    if (fields) call.store.keepSecret(`${item.id}.fields`, { fields });
    return done(call, item.id);
  },
  'POST /gateway_groups/{}/add_user_gateway': (call) => changeMembers(call, 'user_gateway', 'user_gateways', true),
  'POST /gateway_groups/{}/remove_user_gateway': (call) => changeMembers(call, 'user_gateway', 'user_gateways', false),

  ...checking('tax_profiles', (call) => checkIntegration(call, 'tax')),
  ...checking('payment_profiles', (call) => {
    const { name, payment_flow: flow } = call.body;
    if (call.ids.length === 0 && (typeof name !== 'string' || name === '')) throw invalid('name is required.');
    checkPaymentFlow(call, flow);
  }),

  'POST /fulfillment_accounts': (call) => {
    const { fields, ...body } = call.body;
    checkCenterFields(call, fields);
    const item = create({ ...call, body }, { cancel_on_void: false });
    if (fields) call.store.keepSecret(`${item.id}.fields`, { fields });
    return done(call, item.id);
  },
  'POST /fulfillment_accounts/{}': (call) => {
    const item = required(call);
    const { fields, ...body } = call.body;
    const changed =
      body.fulfillment_center !== undefined && body.fulfillment_center !== (item.value.fulfillment_center as Value).id;
    if (changed && fields === undefined) throw invalid('A new fulfillment_center needs its fields in the same body.');
    if (fields) call.store.keepSecret(`${item.id}.fields`, { fields });
    return done(call, edit({ ...call, body }, item).id);
  },

  'POST /user_third_party_integrations': (call) => {
    const { site_third_party_integration: siteId, ...body } = call.body;
    if (typeof siteId !== 'string') throw invalid('site_third_party_integration is required.');
    const site = requireItem(call, 'site_third_party_integrations', siteId);
    const extra = {
      third_party_credentials_saved: [],
      third_party_options_saved: [],
      site_third_party_integration: undated(site.value),
    };
    return done(call, create({ ...call, body }, extra).id);
  },
  'POST /user_third_party_integrations/{}': (call) => {
    const item = required(call);
    const { third_party_credentials: credentials, third_party_options: options, ...body } = call.body;
    const id = (credentials as Value | undefined)?.id;
    const site = item.value.site_third_party_integration as Value;
    if (id !== undefined && id !== objectUnder(site, 'third_party_credentials').id)
      throw invalid(`third_party_credentials.id: the integration knows no ${String(id)}.`);
    if (credentials) call.store.keepSecret(`${item.id}.credentials`, credentials as Value);
    const saved = idsUnder(item.value, 'third_party_credentials_saved');
    return done(
      call,
      edit(
        { ...call, body },
        item,
        given({
          third_party_credentials_saved: typeof id === 'string' ? [...new Set([...saved, id])] : undefined,
          third_party_options_saved: Array.isArray(options) ? savedOptions(options as Value[]) : undefined,
        }),
      ).id,
    );
  },

  'POST /key_values': (call) => {
    const key = call.body.key;
    if (typeof key !== 'string' || !/^[A-Za-z]+(?:_[A-Za-z]+)*$/.test(key) || key.length < 2 || key.length > 100)
      throw invalid('key must have 2 to 100 letters with single underscores between them.');
    checkKeyValue(call, call.body);
    const { idempotency_key: _, ...body } = call.body;
    const value = {
      created_date_unix: call.now,
      updated_date_unix: call.now,
      key,
      value: '',
      description: '',
      key_type: 'string',
      ...body,
    };
    if (call.store.get('key_values', key, call.live)) throw invalid(`The key ${key} is already in use.`);
    call.store.insert('key_values', value, { live: call.live, id: key });
    return { key, result: 'success' };
  },
  'POST /key_values/{}': (call) => {
    const item = required(call);
    checkKeyValue(call, { ...item.value, ...call.body });
    edit(call, item);
    return { key: item.id, result: 'success' };
  },
  'POST /key_values/{}/delete': (call) => {
    const item = required(call);
    call.store.remove(item);
    return { result: 'success' };
  },

  'POST /metadata': (call) => {
    const item = itemAbout(call) as Stored;
    const pairs = (call.body.metadata as Value[]).map(({ name, value }) => ({
      name: String(name),
      value: String(value),
    }));
    const targets = [item, ...customerOf(call, item)];
    if (call.body.cascade === true) targets.push(...linked(call, item, BELOW));
    for (const target of targets) addPairs(call, target, pairs);
    return { item_type: call.body.item_type, item_id: item.id, result: 'success' };
  },

  'POST /notes': (call) => {
    const item = itemAbout(call) as Stored;
    const text = String(call.body.text);
    const id = call.newId();
    const note = { id, created_date_unix: call.now, text };
    const about = { item_type: call.body.item_type, item_id: item.id };
    for (const target of [item, ...customerOf(call, item)])
      call.store.update(target, { notes: [...listUnder(target.value, 'notes'), note] }, call.now);
    const customer = item.family === 'customers' ? item.id : item.customer;
    call.store.insert('notes', { ...note, live_mode: call.live, ...about }, { live: call.live, customer });
    return { ...about, note_id: id, result: 'success' };
  },

  'POST /smtp_messages': (call) => {
    const template = requireItem(call, 'email_templates', String(call.body.email_template_id));
    if (template.value.template_trigger !== 'api_direct')
      throw invalid('Only a template with trigger api_direct can be sent.');
    const id = call.newId();
    const item = itemAbout(call);
    const occasion: Occasion = {
      what: template.id,
      live: call.live,
      source: 'api_direct',
      ...(item ? { itemType: String(call.body.item_type), itemId: item.id } : {}),
      arguments: argumentsFor(call, template),
    };
    try {
      const to = idsUnder(call.body, 'to');
      sendMail(call, template, { id, occasion, data: mailData(call, occasion), to });
    } catch (error) {
      throw error instanceof UnfilledError ? invalid(error.message) : error;
    }
    return { smtp_message_id: id, result: 'success' };
  },
};

/** The largest value of a key (published: 5 MB), bytes. reading: key-size */
const LARGEST_VALUE = 5 * 1024 * 1024;

/** The items that metadata of a sale cascade to. */
const BELOW = ['product_sales', 'shipping', 'tax', 'subscriptions', 'trials', 'subscription_renewals'];

/** The site integration's own fields with values, always as lists (service.md#integrations). */
function savedOptions(options: readonly Value[]): Value[] {
  return options.map((option) => ({
    id: option.id,
    fields: listUnder(option, 'fields').map(({ id, value }) => ({
      id,
      value: (Array.isArray(value) ? value : [value]).map(String),
    })),
  }));
}

/** One element for each field that the centre requires (published). */
function checkCenterFields(call: Call, fields: unknown): void {
  if (fields === undefined) return;
  const center = call.store.get('site_fulfillment_centers', String(call.body.fulfillment_center), null)?.value;
  const known = ((center?.required_fields ?? []) as Value[]).map(({ id }) => id);
  const strange = (fields as Value[]).find(({ id }) => !known.includes(id));
  if (strange) throw invalid(`fields: the fulfillment center knows no ${String(strange.id)}.`);
}

function checkKeyValue(call: Call, value: Value): void {
  if (typeof value.value === 'string' && Buffer.byteLength(value.value) > LARGEST_VALUE)
    throw invalid('value must not be larger than 5 MB.');
  if (value.key_type !== undefined && !['string', 'pointer'].includes(String(value.key_type)))
    throw invalid('key_type must be string or pointer.');
  if (value.key_type !== 'pointer') return;
  if (value.pointer_type !== 'payment_profile') throw invalid('A pointer needs pointer_type payment_profile.');
  const wanted = String(value.value);
  const named = call.store.named('payment_profiles', call.live, 'name', wanted);
  if (named.some(({ value: profile }) => profile.name === wanted)) return;
  if (call.store.get('payment_profiles', wanted, call.live)) return;
  throw invalid('The value of a pointer must be the id or name of a payment profile.', 'E0037');
}

/** The customer of an item, which also gets metadata and notes; the item itself may be a customer. */
function customerOf(call: Call, item: Stored): Stored[] {
  if (item.family === 'customers' || !item.customer) return [];
  const customer = call.store.get('customers', item.customer, call.live);
  return customer ? [customer] : [];
}

function addPairs(call: Call, item: Stored, pairs: readonly { name: string; value: string }[]): void {
  // An older sandbox did not check the value, so it may not be a list.
  const before = Array.isArray(item.value.metadata) ? (item.value.metadata as Value[]) : [];
  const fresh = pairs.filter((pair) => !before.some((one) => one?.name === pair.name && one.value === pair.value));
  call.store.update(item, { metadata: [...before, ...fresh] }, call.now);
}
