import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FAMILY_INDEX, loadFamily } from '../../../src/catalogue/index.js';
import type { Family, Field, Operation } from '../../../src/catalogue/types.js';
import { assumedFields } from '../../../src/sandbox/rules/accepted-fields.js';
import { resetStore } from '../../../src/sandbox/serve/index.js';
import { createService } from '../../../src/sandbox/serve/service.js';
import { bodyBytes } from '../../../src/sandbox/store/prebuilt-json.js';

/*
 * Every field that a create or edit of the catalogue takes is kept and given back, or refused by name; every other
 * operation is known to the sandbox.
 */

// biome-ignore lint/suspicious/noExplicitAny: answers of any shape
type Json = any;

const families = await Promise.all(FAMILY_INDEX.map(({ name }) => loadFamily(name)));
const dataDir = mkdtempSync(join(tmpdir(), 'sweep-'));
const KEY = 'sandbox-key-no-secret-0000000001-test';
const NOW = Date.UTC(2026, 4, 20, 9) / 1000;
let service: ReturnType<typeof createService>;
let opened: Awaited<ReturnType<typeof resetStore>>;

beforeAll(async () => {
  opened = await resetStore({ dataDir, now: () => NOW * 1000, seed: 3, renewals: 60 });
  const { store, moment, isReady } = opened;
  service = createService({ store, moment, isReady });
});
afterAll(() => {
  opened.database.close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function send(method: string, path: string, body?: Json, query: [string, string][] = []) {
  const text = body === undefined ? undefined : JSON.stringify(body);
  const answer = await service.handle({ method, path, query, key: KEY, body: text });
  return { status: answer.status, body: JSON.parse(bodyBytes(answer.body).toString('utf8')) as Json };
}

const items = (family: string) => [...opened.store.all(family, false), ...opened.store.all(family, null)];
const firstId = (family: string, fits: (value: Json) => boolean = () => true): string =>
  items(family).find(({ value }) => fits(value))?.id ?? '';
let count = 0;

/** Values that rules ask for, where the form alone does not make a fitting one; by operation or name. */
const VALUES: Readonly<Record<string, () => Json>> = {
  key: () => `k${'abcdefghij'[count++ % 10]}${'abcdefghij'[Math.floor(count / 10) % 10]}`,
  cron_expression: () => '0 4 * * *',
  cron_timezone: () => 'Europe/Berlin',
  qualifier_method: () => 'rules',
  qualifiers: () => [{ rule: 'any' }],
  representment: () => ({ status: 'initiated', outcome: 'pending' }),
  template_trigger: () => 'api_direct',
  bin_6: () => ['400000'],
  next_renewal_date: () => '2027-01-31T10:00:00Z',
  payment_type: () => 'offline_payment',
  wallet_transaction_id: () => 'W-1',
  account_event_notations: () => ['sale.created'],
  timing_options: () => ({ timing: 'delay', time_unit: 'hours', time_value: 3 }),
  trial_days: () => 9,
  dependencies: () => [{ name: 'lodash', version: '4' }],
  environment_variables: () => [{ name: 'PLAIN', value: 'seen', encrypted: false }],
  transaction_id: () => firstId('transactions', (one) => one.result === 'approved'),
  customer: () => ({ first_name: 'Ann', last_name: 'Swept', email: `s${count++}@example.com`, city: 'Ulm' }),
  recaptcha: () => ({ site_key: 'key', secret_key: 'hush' }),
  flow: () => [{ id: 'a', type: 'start_thread' }],
  'ai_assistants.settings': () => ({ assistant_instructions: 'Be brief.' }),
  gateway_transaction_id: () =>
    items('transactions').find(({ value }) => value.result === 'approved')?.value.gateway_transaction_id,
  customer_filters: () => ({ campaign: [firstId('campaigns')], third_party_shop: [firstId('user_shops')] }),
  tracking_domain: () => firstId('tracking_domains', (one) => one.ssl.status === 'active'),
  payment: () => ({ credit_card: { card_number: '4111111111111111', exp_month: 1, exp_year: 30, card_code: '123' } }),
  item_value: () => firstId('sales'),
  item_id: () => firstId('sales'),
  item_type: () => 'sale',
  email_template_id: () => firstId('email_templates', (one) => one.template_trigger === 'api_direct'),
  // A value for every argument that the template declares.
  'smtp_messages.custom_arguments': () => {
    const template = items('email_templates').find(({ id }) => id === VALUES.email_template_id?.())?.value as Json;
    const names = (template?.custom_arguments ?? []).map((one: Json) => (typeof one === 'string' ? one : one.name));
    return names.map((name: string) => ({ name, value: 'Hello' }));
  },
  form_source_id: () => firstId('site_gateways'),
  'ai_voice_agents.settings': () => ({ voice: 'calm' }),
  'ai_voice_snippets.name': () => `swept${count++}`,
  payment_flow: () => [{ id: 'a', type: 'start_payment_request' }],
  rates: () => {
    const carrier = items('site_shipping_providers')[0]?.value as Json;
    const countries = [{ iso_code: 'DEU', enabled: true }];
    const qualifiers = { products: [], product_groups: [], countries, revenue_rules: [] };
    return [{ rate: 3.5, provider: carrier.id, provider_method: carrier.methods[0].id, qualifiers }];
  },
  third_party_integration: () => firstId('user_third_party_integrations', (one) => one.name === 'Language model'),
  'tax_profiles.third_party_integration': () =>
    firstId('user_third_party_integrations', (one) => one.name === 'Tax service'),
  fields: () => [],
  third_party_credentials: () => ({ id: 'default', fields: [{ id: 'api_key', value: 'hush' }] }),
  customer_emails: () => {
    const mail = { from: 'a@b.c', from_name: 'A', subject: 'S', html: '{{email_code}}', to_cc: [], to_bcc: ['x@y.z'] };
    return { customer_account_confirm_email: mail, customer_account_password_reset: mail };
  },
  frequency: () => 'unit',
  frequency_unit: () => ({ unit: 'days', value: 5 }),
  pre_agent_function: () => firstId('functions', (one) => one.event_source === 'api_direct'),
  form_source: () => 'smtp_profile',
  source_id: () => firstId('sales', (one) => one.status === 'paid'),
  void_sale: () => false,
  campaign: () => firstId('campaigns'),
};

function sample(family: string, name: string, field: Field): Json {
  const made = VALUES[`${family}.${name}`] ?? VALUES[name];
  if (made) return made();
  if (field.enum) return field.enum.find((word) => word !== '') ?? '';
  const [referred] = field.refers ?? [];
  if (field.type === 'array') {
    const [of] = field.refers ?? field.items?.refers ?? [];
    return of ? [firstId(of)] : field.items ? [sample(family, '', field.items)] : [];
  }
  if (referred) return firstId(referred);
  if (field.type === 'object') {
    const inner = Object.entries(field.fields ?? {});
    return Object.fromEntries(inner.map(([word, part]) => [word, sample(family, word, part)]));
  }
  if (field.type === 'integer' || field.type === 'number') return Math.max(field.min ?? 1, Math.min(field.max ?? 2, 2));
  if (field.type === 'boolean') return true;
  if (field.format === 'email') return `swept${count++}@example.com`;
  if (field.format === 'date-time') return '2026-05-01T00:00:00Z';
  if (field.format === 'country') return 'USA';
  if (field.format === 'currency') return 'EUR';
  if (field.format === 'ipv4') return '203.0.113.9';
  if (field.format === 'digits') return '123456';
  if (field.format === 'url') return 'https://example.com/a.png';
  return `Swept${count++}`;
}

/** Where reads show what was written under another name. */
const READ: Readonly<Record<string, (item: Json) => Json>> = {
  'customers.customer': (item) => item,
  'customers.campaign': (item) => item.campaign_id,
  'functions.environment_variables': (item) => item.environment_variables.slice(-1),
  'smtp_messages.to': (item) => item.to.slice(-1),
  'smtp_messages.email_template_id': (item) => item.email_template.id,
  'customers.internal_customer_id': (item) => item.internal_id,
  'sales.campaign': (item) => item.campaign_id,
  'sales.payment_type': (item) => (item.payment_type.name === 'Offline Payment' ? 'offline_payment' : undefined),
  'subscriptions.coupon': (item) => item.coupons,
  'subscriptions.next_renewal_date': (item) =>
    new Date(item.billing.next_renewal_date_unix * 1000).toISOString().replace('.000', ''),
  'user_shops.payment_profile_id': (item) => item.payment_profile,
  'user_shops.campaign_id': (item) => item.campaign,
  'user_shops.site_shop_id': (item) => item.site_shop,
  'user_gateways.site_gateway_id': (item) => item.site_gateway,
  'subscription_profiles.frequency_unit': ({ frequency_unit: unit }) => ({ unit: unit.unit, value: unit.unit_value }),
  'user_third_party_integrations.third_party_credentials': (item) => ({
    id: item.third_party_credentials_saved[0],
    fields: VALUES.third_party_credentials?.().fields,
  }),
  'fulfillment_accounts.fields': () => [],
  'user_gateways.fields': () => [],
};

/** Used up by the call itself, or put aside: no read shows them, and none may. */
const UNSEEN = new Set(['payment', 'credit_card', 'pending_options', 'image_url', 'secure_form_id', 'idempotency_key']);

function holds(shown: Json, written: Json, field?: Field): boolean {
  if (field?.secret) return true;
  if (Array.isArray(written)) {
    const list = Array.isArray(shown) ? shown : [];
    return written.every((one, index) => holds(list[index], one, field?.items));
  }
  if (typeof written === 'object' && written !== null)
    return Object.entries(written).every(
      ([name, value]) => /secret|card_|value/.test(name) || holds(shown?.[name], value, field?.fields?.[name]),
    );
  return shown === written || (typeof shown === 'object' && shown !== null && shown.id === written);
}

const writes = families.flatMap((family) =>
  family.operations
    .filter(({ method, action, body }) => method === 'POST' && /(?:^|\s)(?:create|edit)$/.test(action) && body)
    .map((operation) => [`${operation.method} ${operation.path}`, family, operation] as const),
);

/** What an operation does not keep for good though it takes it, by the service's own rules; all are refused by name. */
const NOT_KEPT = new Set(['fraud_detections.void_sale']);

function pathOf(family: Family, operation: Operation): string {
  const path = operation.path.startsWith('/sales/pending/') ? 'sales' : family.name;
  const fits =
    path === 'sales' && operation.path.includes('pending') ? (one: Json) => one.status === 'pending' : undefined;
  const active = family.name === 'subscriptions' ? (one: Json) => one.status === 'active' : fits;
  return operation.path.replace(/\{[^}]*\}/, firstId(path, active));
}

function completeBody(family: Family, operation: Operation): Json {
  const fields = Object.entries(operation.body?.fields ?? {});
  const needed = fields.filter(([, field]) => field.required);
  const body = Object.fromEntries(needed.map(([name, field]) => [name, sample(family.name, name, field)]));
  if (/^\/(?:sales|invoices)/.test(operation.path)) {
    Object.assign(body, {
      campaign: firstId('campaigns'),
      products: [{ id: firstId('products', (one) => one.name === 'Gift Card') }],
    });
    Object.assign(body, {
      customer_id: firstId('customers', (one) => one.blocked !== true),
      payment_type: 'offline_payment',
    });
  }
  if (operation.path.startsWith('/customers/{customer_id}/')) body.payment = VALUES.payment?.();
  if (operation.path === '/ai_voice_snippets') body.name = `swept${count++}`;
  if (operation.path === '/key_values') body.key = VALUES.key?.();
  if (operation.path === '/shipping_profiles') body.rates = VALUES.rates?.();
  if (operation.path === '/user_third_party_integrations')
    body.site_third_party_integration = firstId('site_third_party_integrations');
  if (operation.path === '/coupons') body.coupon_code = `SWEPT${count++}`;
  if (operation.path === '/payment_profiles' || operation.path === '/subscription_profiles')
    body.name = `Swept${count++}`;
  if (operation.path === '/chargebacks') body.transaction_id = VALUES.transaction_id?.();
  if (operation.path === '/fraud_detections') body.source_id = VALUES.source_id?.();
  if (operation.path === '/smtp_messages') {
    body.to = ['jane@example.com'];
    body.custom_arguments = VALUES['smtp_messages.custom_arguments']?.();
  }
  if (operation.path === '/secure_forms') body.form_source = 'smtp_profile';
  return body;
}

/** What must come along for a field to mean anything. */
const WITH: Readonly<Record<string, () => Json>> = {
  'subscription_profiles.frequency': () => ({ frequency_unit: { unit: 'days', value: 5 } }),
  'subscription_profiles.frequency_unit': () => ({ frequency: 'unit' }),
  'subscription_profiles.frequency_calendar': () => ({ frequency: 'calendar' }),
  'subscription_profiles.frequency_fiscal': () => ({ frequency: 'fiscal' }),
  'subscription_profiles.occurrences': () => ({ occurrences_value: 4 }),
  'functions.event_source': () => ({ event_source: 'api_direct' }),
  'fulfillment_accounts.fulfillment_center': () => ({ fields: [] }),
  'secure_forms.form_source_id': () => ({ form_source: 'gateway' }),
  'key_values.pointer_type': () => ({ key_type: 'pointer', value: firstId('payment_profiles') }),
  'chargebacks.gateway_transaction_id': () => ({ transaction_id: undefined }),
  'smtp_messages.item_type': () => ({ item_type: 'sale', item_id: firstId('sales') }),
  'smtp_messages.item_id': () => ({ item_type: 'sale', item_id: firstId('sales') }),
};

describe('what a create or edit takes', () => {
  it('is said by the catalogue for many operations', () => expect(writes.length).toBeGreaterThan(60));

  it.each(writes)('%s is kept and given back, or refused by name', async (_name, family, operation) => {
    const get = family.operations.find(({ method, path }) => method === 'GET' && /^\/[a-z_]+\/\{[^}]*\}$/.test(path));
    const lost: string[] = [];
    for (const [name, field] of Object.entries(operation.body?.fields ?? {})) {
      const word = `${family.name}.${name}`;
      const path = pathOf(family, operation);
      const body = { ...completeBody(family, operation), [name]: sample(family.name, name, field), ...WITH[word]?.() };
      const answer = await send('POST', path, body);
      if (answer.status === 400 && String(answer.body.message).includes(name)) {
        lost.push(`${word}: refused, ${answer.body.message}`);
        continue;
      }
      expect(answer.status, `${path} ${JSON.stringify(body)} ${JSON.stringify(answer.body)}`).toBe(200);
      if (
        !get ||
        operation.path.includes('}/') ||
        UNSEEN.has(name) ||
        field.secret ||
        field.unread ||
        NOT_KEPT.has(word)
      )
        continue;
      const id =
        answer.body[operation.answerId ?? ''] ??
        answer.body.key ??
        answer.body.smtp_message_id ??
        path.split('/').at(-1);
      const read = await send('GET', get.path.replace(/\{[^}]*\}/, id));
      expect(read.status, `${get.path} ${id}`).toBe(200);
      const from = field.readFrom?.replace(/\.id$/, '');
      const shown = READ[word]
        ? READ[word]?.(read.body)
        : from
          ? from.split('.').reduce((one, part) => one?.[part], read.body)
          : read.body[name];
      if (!holds(shown, body[name], field))
        lost.push(`${word}: wrote ${JSON.stringify(body[name])}, read ${JSON.stringify(shown)}`);
    }
    expect(lost).toEqual([]);
  });
});

/** Another value of the same kind, so that a write that is taken can be seen. */
function otherThan(value: Json): Json {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  if (typeof value === 'string') return /^[0-9A-Za-z]{20}$/.test(value) ? `${value.slice(0, 19)}!` : `${value}x`;
  if (Array.isArray(value)) return [...value, 'x'];
  return typeof value === 'object' && value !== null ? { ...value, swept: 1 } : 'x';
}

const edits = writes.filter(([, , { action, path }]) => /edit$/.test(action) && /\}$/.test(path));

describe('what only the service writes', () => {
  it('is met by the edits of most families', () => expect(edits.length).toBeGreaterThan(25));

  it.each(edits)('%s changes nothing of it', async (_name, family, operation) => {
    let path = pathOf(family, operation);
    if (path.endsWith('{product_image_id}')) {
      const made = await send('POST', path.replace(/\/[^/]*$/, ''), { image_url: 'https://example.com/a.png' });
      path = path.replace('{product_image_id}', made.body.product_image_id);
    }
    const id = path.split('/').at(-1) as string;
    const kept = path.includes('/images/') ? 'product_images' : family.name;
    const stored = () => opened.store.get(kept, id, false) ?? opened.store.get(kept, id, null);
    const before = stored()?.value as Json;
    const writable = new Set(Object.keys({ ...operation.body?.fields, ...assumedFields(operation) }));
    const taken: string[] = [];
    for (const name of Object.keys(before).filter((one) => !writable.has(one))) {
      const needed = family.name === 'customers' ? { customer: VALUES.customer?.() } : {};
      const answer = await send('POST', path, { ...needed, [name]: otherThan(before[name]) });
      const after = stored()?.value as Json;
      const isSame = JSON.stringify(after?.[name]) === JSON.stringify(before[name]);
      // Refused, and by name; never taken over.
      if (!isSame || answer.status !== 400 || !String(answer.body.message).includes(name))
        taken.push(
          `${name}: ${answer.status} ${JSON.stringify(before[name])} -> ${JSON.stringify(after?.[name])} ${answer.body.message ?? ''}`,
        );
    }
    expect(taken).toEqual([]);
  });
});

describe('every other operation', () => {
  it('is known to the sandbox', async () => {
    let seen = 0;
    for (const family of families) {
      for (const operation of family.operations) {
        seen++;
        if (operation.path === '/bigquery') continue;
        const path = operation.path.replace(/\{[^}]*\}/g, '00000000000000000000');
        const answer = await send(operation.method, path, operation.method === 'POST' ? {} : undefined);
        expect([200, 400, 402, 404], `${operation.method} ${path}`).toContain(answer.status);
        expect(String(answer.body.message ?? ''), path).not.toMatch(/does not know (?:GET|POST)|no operation/i);
      }
    }
    expect(seen).toBe(315);
  });
});
