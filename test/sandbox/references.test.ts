import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Embedded } from './embedded.js';
import type { Json } from './service.js';

/* Ids in bodies are looked up, names are taken once, what only the service writes is refused by name, shapes. */

let service: Embedded;
let count = 0;
beforeAll(async () => {
  service = await Embedded.start('2026-03-10T10:00:00Z');
  await service.post('/fraud_detections', { source_id: service.all('sales')[0]?.id });
});
afterAll(() => service.stop());

const NOBODY = '00000000000000000000';
const post = (path: string, body: Json = {}) => service.post(path, body);
const get = (path: string) => service.get(path);
const first = (family: string, fits: (one: Json) => boolean = () => true) => service.all(family).find(fits) as Json;
const made = async (path: string, body: Json): Promise<string> => {
  const answer = await post(path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body[Object.keys(answer.body).find((one) => one.endsWith('_id') && one !== 'api_call_id') as string];
};

describe('an id in a body', () => {
  it.each([
    ['user_shops', { payment_profile_id: NOBODY }, 'E0037'],
    ['user_shops', { campaign_id: NOBODY }, 'E0001'],
    ['user_shops', { site_shop_id: NOBODY }, 'E0001'],
    ['subscriptions', { coupon: [NOBODY] }, 'E0001'],
    ['subscription_profiles', { payment_profile: NOBODY }, 'E0037'],
    ['subscription_profiles', { shipping_profile: NOBODY }, 'E0001'],
    ['product_groups', { products: [NOBODY] }, 'E0001'],
    ['gateway_groups', { user_gateway: [NOBODY] }, 'E0001'],
    ['products', { product_group: [NOBODY] }, 'E0001'],
    ['products', { project: NOBODY }, 'E0001'],
    ['wallet_accounts', { third_party_shop: [NOBODY] }, 'E0001'],
    ['tracking_domains', { url_parameter_sets: [NOBODY] }, 'E0001'],
    ['customer_portals', { customer_filters: { campaign: [NOBODY], third_party_shop: [] } }, 'E0001'],
    ['ai_voice_agents', { pre_agent_function: NOBODY }, 'E0001'],
    ['functions', { account_event_filters: { campaign_filter: [NOBODY] } }, 'E0001'],
  ])('of %s is refused when it names nothing: %j', async (family, body, code) => {
    const { id } = first(family);
    const before = await get(`/${family}/${id}`);
    const answer = await post(`/${family}/${id}`, body);
    expect([answer.status, answer.body.error_code]).toEqual([400, code]);
    expect({ ...(await get(`/${family}/${id}`)), api_call_id: '' }).toEqual({ ...before, api_call_id: '' });
  });

  it('is read back under the one name that the item has for it', async () => {
    const { id } = first('user_shops');
    const site = (await get('/site_shops?limit=25&page=1')).results[1];
    const campaign = first('campaigns');
    await post(`/user_shops/${id}`, { site_shop_id: site.id, campaign_id: campaign.id });
    const shop = await get(`/user_shops/${id}`);
    expect(shop).toMatchObject({ site_shop: { id: site.id, name: site.name }, campaign: { id: campaign.id } });
    for (const name of ['site_shop_id', 'campaign_id']) expect(shop).not.toHaveProperty(name);
  });

  it('of a parent in the path is 404 when it names nothing', async () => {
    for (const path of [`/customers/${NOBODY}/payment_methods`, `/products/${NOBODY}/images?limit=25&page=1`])
      expect((await service.send('GET', path)).status, path).toBe(404);
  });
});

describe('a name', () => {
  it.each([
    ['gateway_groups', {}],
    ['payment_profiles', {}],
    ['url_parameter_sets', {}],
    ['user_shops', {}],
    ['wallet_accounts', {}],
    ['subscription_profiles', {}],
  ])('of %s is taken once', async (family, more) => {
    const name = `Taken ${count++}`;
    await made(`/${family}`, { name, ...more });
    expect((await post(`/${family}`, { name, ...more })).status).toBe(400);
    const other = await made(`/${family}`, { name: `Free ${count++}`, ...more });
    expect((await post(`/${family}/${other}`, { name })).status).toBe(400);
    expect((await post(`/${family}/${other}`, { name: `Free ${count++}` })).status).toBe(200);
  });

  it('of accounts, gateways and integrations is taken once', async () => {
    const one = async (path: string) => (await get(`${path}?limit=1&page=1`)).results[0].id as string;
    const bodies: [string, Json][] = [
      ['/fulfillment_accounts', { name: 'Twice', fulfillment_center: await one('/site_fulfillment_centers') }],
      ['/user_gateways', { name: 'Twice', site_gateway_id: await one('/site_gateways') }],
      [
        '/user_third_party_integrations',
        { name: 'Twice', site_third_party_integration: await one('/site_third_party_integrations') },
      ],
    ];
    for (const [path, body] of bodies) {
      await made(path, body);
      expect((await post(path, body)).status, path).toBe(400);
    }
  });
});

describe('what only the service writes', () => {
  it.each([
    ['subscriptions', ['status', 'billing', 'renewal_count', 'iso_currency', 'is_overdue', 'product', 'customer']],
    ['shipping', ['amount', 'iso_currency', 'customer', 'sales', 'fulfillment_account', 'products']],
    ['chargebacks', ['status', 'transaction_id', 'gateway_id', 'first_6', 'iso_currency']],
    ['fraud_detections', ['status', 'source', 'customer', 'method', 'iso_currency']],
    ['tracking_domains', ['ssl', 'dns', 'a_records', 'ssl_status']],
    ['user_third_party_integrations', ['site_third_party_integration', 'third_party_credentials_saved']],
    ['coupons', ['num_use', 'live_mode', 'id']],
    ['wallet_accounts', ['wallet_account_app_id']],
  ])('of %s is refused by name', async (family, names) => {
    const { id } = first(family);
    const before = await get(`/${family}/${id}`);
    for (const name of names) {
      const answer = await post(`/${family}/${id}`, { [name]: 'cancelled' });
      expect([answer.status, answer.body.message], name).toEqual([400, expect.stringContaining(name)]);
    }
    expect({ ...(await get(`/${family}/${id}`)), api_call_id: '' }).toEqual({ ...before, api_call_id: '' });
  });
});

describe('shapes', () => {
  it('of products say their groups and projects, and are found by them', async () => {
    const id = await made('/products', { name: 'Grouped', price: 3 });
    const group = await made('/product_groups', { name: 'G', products: [id] });
    const project = await made('/projects', { name: 'J' });
    await post(`/projects/${project}/associate_entity`, { entity_type: 'product', entity_id: id });
    const range = `date_start=${service.now - 86_400}&date_end=${service.now}&limit=25&page=1`;
    for (const filter of [`product_group_filter=${group}`, `project_filter=${project}`])
      expect((await get(`/products?${range}&${filter}`)).results.map((one: Json) => one.id)).toEqual([id]);
    await post(`/product_groups/${group}`, { products: [] });
    expect((await get(`/products?${range}&product_group_filter=${group}`)).total_count).toBe(0);
  });

  it('of portals have twelve permissions and both mails (service.md#customer-portals)', async () => {
    const id = await made('/customer_portals', {
      name: 'Bare',
      tracking_domain: first('tracking_domains', (one) => one.ssl.status === 'active').id,
      smtp_profile: first('smtp_profiles').id,
      recaptcha: { site_key: 'k', secret_key: 'hush' },
      customer_permissions: { trial_cancel: true },
    });
    const portal = await get(`/customer_portals/${id}`);
    expect(Object.keys(portal.customer_permissions)).toHaveLength(12);
    expect(portal.customer_permissions).toMatchObject({ trial_cancel: true, contact_modify: false });
    for (const mail of Object.values(portal.customer_emails) as Json[]) expect(mail.html).toContain('{{email_code}}');
  });

  it('of domains show their records on the way to SSL and DNS', async () => {
    const created = await post('/tracking_domains', { domain_name: 'new.example.com' });
    const path = `/tracking_domains/${created.body.tracking_domain_id}`;
    expect(created.body.a_records).toEqual((await get(path)).a_records);
    expect((await post(`${path}/initialize_dns`)).status).toBe(400);
    expect((await post(`${path}/initialize_ssl`)).body.ssl.cname_records).toHaveLength(1);
    await post(`${path}/initialize_dns`);
    expect(await get(path)).toMatchObject({ ssl: { status: 'active' }, dns: { status: 'active' } });
  });

  it('of a profile after an edit are seen on its subscriptions', async () => {
    const subscription = first('subscriptions');
    const path = `/subscription_profiles/${subscription.subscription_profile.id}`;
    await post(path, { description: 'New words', prefer_gateway: { enabled: true } });
    const shown = (await get(`/subscriptions/${subscription.id}`)).subscription_profile;
    expect(shown).toMatchObject({ description: 'New words', prefer_gateway: { enabled: true, lock_gateway: false } });
  });

  it('of a shop hold what was asked of it, of a document its id, of a call what it made', async () => {
    const shop = await get(`/user_shops/${first('user_shops').id}?remote_data=shipping_methods&remote_data=products`);
    expect(Object.keys(shop.remote_data)).toEqual(['shipping_methods', 'products']);
    const sale = first('sales');
    const document = await post('/documents', { item_type: 'sale', item_value: sale.id });
    expect(document.body).toMatchObject({ document_id: expect.any(String), document_json: expect.any(Object) });
    const note = await post('/notes', { item_type: 'sale', item_id: sale.id, text: 'Seen' });
    expect(note.body).toMatchObject({ item_type: 'sale', item_id: sale.id });
    const call = await get(`/api_calls/${note.body.api_call_id}`);
    expect(call.related_ids).toEqual(expect.arrayContaining([sale.id, note.body.note_id]));
  });

  it('of schedules know only time zones that there are (service.md#other-items, service.md#assistants)', async () => {
    const { id } = first('functions', (one) => one.event_source === 'schedule');
    for (const cron_timezone of ['Mars/Olympus', '+02:00', 'nowhere'])
      expect((await post(`/functions/${id}`, { cron_timezone })).status, cron_timezone).toBe(400);
    expect((await post(`/functions/${id}`, { cron_timezone: 'America/New_York' })).status).toBe(200);
    const delay = { timing: 'delay', time_unit: 'hours', time_value: 0 };
    expect((await post(`/functions/${id}`, { timing_options: delay })).status).toBe(400);
  });
});
