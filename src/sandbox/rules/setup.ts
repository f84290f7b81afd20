import type { Answer, Call, Rules } from '../call.js';
import { create, done, edit, required, requireItem } from '../generic.js';
import { refer } from '../references.js';
import { invalid } from '../refusal.js';
import type { Stored } from '../store.js';
import type { Value } from '../text.js';
import { ITEM_FAMILIES, itemAbout } from './automation.js';

/** Set-up of an account and the data that hangs on items: gateways, shops, domains, keys, metadata, notes, mail. */
export const SETUP_RULES: Rules = {
  'POST /user_gateways': (call) => {
    const { site_gateway_id: siteId, fields, ...body } = call.body;
    const site = refer(call, 'site_gateways', String(siteId));
    const item = create({ ...call, body }, { site_gateway: site });
    if (fields) call.store.keepSecret(`${item.id}.fields`, { fields });
    return done(call, item.id);
  },
  'POST /gateway_groups/{}/add_user_gateway': (call) => changeMembers(call, true),
  'POST /gateway_groups/{}/remove_user_gateway': (call) => changeMembers(call, false),

  'POST /fulfillment_accounts': (call) => {
    const { fields, ...body } = call.body;
    const item = create({ ...call, body }, { cancel_on_void: false });
    if (fields) call.store.keepSecret(`${item.id}.fields`, { fields });
    return done(call, item.id);
  },

  'POST /user_shops': (call) => done(call, create(call, { connection_valid: false }).id),
  'POST /user_shops/{}/validate': (call) => {
    const item = required(call);
    call.store.update(item, { connection_valid: true }, call.now);
    return done(call, item.id, { valid: true, errors: [] });
  },
  'POST /user_shops/{}/fix': (call) => {
    const item = required(call);
    call.store.update(item, { connection_valid: true }, call.now);
    return done(call, item.id);
  },

  'POST /user_third_party_integrations': (call) => {
    const { site_third_party_integration: siteId, ...body } = call.body;
    const site = requireItem(call, 'site_third_party_integrations', String(siteId));
    const { created_date_unix: _created, updated_date_unix: _updated, ...shown } = site.value;
    const extra = {
      third_party_credentials_saved: [],
      third_party_options_saved: [],
      site_third_party_integration: shown,
    };
    return done(call, create({ ...call, body }, extra).id);
  },
  'POST /user_third_party_integrations/{}': (call) => {
    const item = required(call);
    const { third_party_credentials: credentials, ...body } = call.body;
    const id = (credentials as Value | undefined)?.id;
    if (credentials) call.store.keepSecret(`${item.id}.credentials`, credentials as Value);
    const saved = (item.value.third_party_credentials_saved as string[]) ?? [];
    return done(
      call,
      edit(
        { ...call, body },
        item,
        typeof id === 'string' ? { third_party_credentials_saved: [...new Set([...saved, id])] } : {},
      ).id,
    );
  },

  'POST /customer_portals': (call) => {
    const extra = { logo: '', portal_urls: { main: '', register: '', login: '', account: '' } };
    const base = {
      description: '',
      display_name: '',
      footer_html: '',
      customer_filters: { campaign: [], third_party_shop: [] },
      customer_permissions: {},
      create_non_existing_customer: false,
    };
    checkPortal(call.body);
    return done(call, create(call, { ...extra, ...domainOf(call) }, base).id);
  },
  'POST /customer_portals/{}': (call) => {
    const item = required(call);
    checkPortal(call.body);
    return done(call, edit(call, item, domainOf(call)).id);
  },

  'POST /sites/{}/add_tracking_domain': (call) => changeDomains(call, true),
  'POST /sites/{}/remove_tracking_domain': (call) => changeDomains(call, false),
  'POST /tracking_domains': (call) => done(call, create(call, { ssl_status: 'none', dns_status: 'none' }).id),
  'POST /tracking_domains/{}/initialize_ssl': (call) => {
    const item = required(call);
    call.store.update(item, { ssl_status: 'active' }, call.now);
    return done(call, item.id);
  },
  'POST /tracking_domains/{}/initialize_dns': (call) => {
    const item = required(call);
    call.store.update(item, { dns_status: 'active' }, call.now);
    return done(call, item.id);
  },

  'POST /key_values': (call) => {
    const key = call.body.key;
    if (typeof key !== 'string' || !/^[A-Za-z]+(?:_[A-Za-z]+)*$/.test(key) || key.length < 2 || key.length > 100) {
      throw invalid('key must have 2 to 100 letters with single underscores between them.');
    }
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
    return { key: item.id, result: 'success' };
  },

  'POST /metadata': (call) => {
    const item = itemOf(call);
    const pairs = (call.body.metadata as Value[]).map(({ name, value }) => ({
      name: String(name),
      value: String(value),
    }));
    const targets = [item, ...customerOf(call, item)];
    if (call.body.cascade === true) targets.push(...belowOf(call, item));
    for (const target of targets) addPairs(call, target, pairs);
    for (const pair of pairs) fileName(call, pair);
    return { item_type: call.body.item_type, item_id: item.id, result: 'success' };
  },

  'POST /notes': (call) => {
    const item = itemOf(call);
    const text = String(call.body.text);
    if (text.length < 1 || text.length > 255) throw invalid('text must have 1 to 255 characters.');
    const id = call.newId();
    const note = { id, created_date_unix: call.now, text };
    for (const target of [item, ...customerOf(call, item)]) {
      call.store.update(target, { notes: [...((target.value.notes as Value[]) ?? []), note] }, call.now);
    }
    call.store.insert(
      'notes',
      { ...note, live_mode: call.live, item_type: call.body.item_type, item_id: item.id },
      { live: call.live },
    );
    return { note_id: id, result: 'success' };
  },

  'POST /smtp_messages': (call) => {
    const template = requireItem(call, 'email_templates', String(call.body.email_template_id));
    if (template.value.template_trigger !== 'api_direct')
      throw invalid('Only a template with trigger api_direct can be sent.');
    const id = call.newId();
    const to = [...((template.value.template_to as string[]) ?? []), ...((call.body.to as string[]) ?? [])];
    if (to.length === 0) throw invalid('The message has no recipient.');
    const item = itemAbout(call);
    const customer = item?.family === 'customers' ? item.id : item?.customer;
    const value: Value = {
      id,
      created_date_unix: call.now,
      updated_date_unix: call.now,
      live_mode: call.live,
      status: 'sent',
      email_template: { id: template.id, name: template.value.name },
      subject: template.value.template_subject,
      from: template.value.template_from,
      to,
      ...(item ? { item_type: call.body.item_type, item_id: item.id } : {}),
      ...(customer ? { customer_id: customer } : {}),
    };
    call.store.insert('smtp_messages', value, { live: call.live, ...(customer ? { customer } : {}) });
    return { smtp_message_id: id, result: 'success' };
  },
};

/** Spec 2.6: the mails of a portal carry the code that they are about. */
function checkPortal(body: Value): void {
  for (const [name, mail] of Object.entries((body.customer_emails ?? {}) as Record<string, Value>)) {
    if (!String(mail.html).includes('{{email_code}}'))
      throw invalid(`customer_emails.${name}.html must contain the shortcode {{email_code}}.`);
  }
}

/** Spec 2.6: a portal's domain has active SSL, and reads show its own name too. */
function domainOf(call: Call): Value {
  const id = call.body.tracking_domain;
  if (typeof id !== 'string') return {};
  const { name } = refer(call, 'tracking_domains', id);
  const domain = requireItem(call, 'tracking_domains', id).value;
  if (domain.ssl_status !== 'active') throw invalid('tracking_domain must have active SSL.');
  return { tracking_domain: { id, name, domain_name: domain.domain_name ?? name } };
}

function changeMembers(call: Call, add: boolean): Answer {
  const item = required(call);
  const given = call.body.user_gateway ?? call.body.user_gateway_id;
  const ids = (Array.isArray(given) ? given : [given]).filter((id): id is string => typeof id === 'string');
  if (ids.length === 0) throw invalid('user_gateway is required.');
  const others = ((item.value.user_gateway as Value[]) ?? []).filter((one) => !ids.includes(String(one.id)));
  const added = add ? ids.map((id) => refer(call, 'user_gateways', id)) : [];
  call.store.update(item, { user_gateway: [...others, ...added] }, call.now);
  return done(call, item.id);
}

function changeDomains(call: Call, add: boolean): Answer {
  const item = required(call);
  const id = call.body.tracking_domain ?? call.body.tracking_domain_id;
  if (typeof id !== 'string') throw invalid('tracking_domain is required.');
  const others = ((item.value.tracking_domains as Value[]) ?? []).filter((one) => one.id !== id);
  call.store.update(
    item,
    { tracking_domains: add ? [...others, refer(call, 'tracking_domains', id)] : others },
    call.now,
  );
  return done(call, item.id);
}

function checkKeyValue(call: Call, value: Value): void {
  if (value.key_type !== undefined && !['string', 'pointer'].includes(String(value.key_type)))
    throw invalid('key_type must be string or pointer.');
  if (value.key_type !== 'pointer') return;
  if (value.pointer_type !== 'payment_profile') throw invalid('A pointer needs pointer_type payment_profile.');
  for (const { id, value: profile } of call.store.scan('payment_profiles', call.live)) {
    if (id === value.value || profile.name === value.value) return;
  }
  throw invalid('The value of a pointer must be the id or name of a payment profile.', 'E0037');
}

function itemOf(call: Call): Stored {
  const type = String(call.body.item_type);
  const family = Object.hasOwn(ITEM_FAMILIES, type) ? ITEM_FAMILIES[type] : undefined;
  if (!family) throw invalid(`item_type must be one of ${Object.keys(ITEM_FAMILIES).join(', ')}.`);
  return requireItem(call, family, String(call.body.item_id));
}

/** The customer of an item, which metadata and notes also go to; the item itself may be one. */
function customerOf(call: Call, item: Stored): Stored[] {
  if (item.family === 'customers' || !item.customer) return [];
  const customer = call.store.get('customers', item.customer, call.live);
  return customer ? [customer] : [];
}

function belowOf(call: Call, item: Stored): Stored[] {
  return ['product_sales', 'shipping', 'tax', 'subscriptions', 'trials', 'subscription_renewals'].flatMap((family) =>
    ((item.value[family] as string[] | undefined) ?? [])
      .map((id) => call.store.get(family, id, call.live))
      .filter((found) => found !== undefined),
  );
}

function addPairs(call: Call, item: Stored, pairs: readonly { name: string; value: string }[]): void {
  const before = (item.value.metadata as { name: string; value: string }[] | undefined) ?? [];
  const fresh = pairs.filter((pair) => !before.some((one) => one.name === pair.name && one.value === pair.value));
  call.store.update(item, { metadata: [...before, ...fresh] }, call.now);
}

/** Keeps the list of names in use; one name shows at most 500 values (spec 2.8). */
function fileName(call: Call, pair: { name: string; value: string }): void {
  for (const entry of call.store.scan('metadata', call.live)) {
    if (entry.value.name !== pair.name) continue;
    const values = new Set([...((entry.value.values as string[]) ?? []), pair.value]);
    call.store.update(entry, { values: [...values].slice(0, 500) }, call.now);
    return;
  }
  const id = call.newId();
  const value = {
    id,
    created_date_unix: call.now,
    updated_date_unix: call.now,
    name: pair.name,
    enabled: true,
    values: [pair.value],
  };
  call.store.insert('metadata', value, { live: call.live });
}
