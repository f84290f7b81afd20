/** @module-tag sweep */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { find, type Json, LIVE_KEY, readAll, type Service, startService } from './service.js';

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const get = async (path: string, query: Record<string, string | number> = {}): Promise<Json> =>
  (await service.get(path, query)).body;
const first = async (path: string): Promise<Json> => (await get(path, { limit: 1, page: 1 })).results[0];
const NOBODY = '00000000000000000000';

describe('every operation of the description', () => {
  it('is answered, never with an unexpected error', { tags: ['thorough'] }, async () => {
    const { paths } = await get('/openapi.json');
    const strange: string[] = [];
    for (const [path, methods] of Object.entries(paths as Record<string, Json>)) {
      for (const method of Object.keys(methods)) {
        const real = path.replace(/\{[^}]*\}/g, NOBODY);
        const { status, body } = method === 'get' ? await service.get(real) : await service.post(real);
        const parameters = (methods[method].parameters as Json[]).filter((one) => one.in === 'query' && one.required);
        const known = method === 'post' || path.includes('{') || parameters.length > 0;
        const fine =
          status < 500 && ['object'].includes(typeof body) && !String(body.message).includes('does not know');
        if (!fine || (known && status === 405)) strange.push(`${method} ${path}: ${status} ${body.message}`);
      }
    }
    expect(strange).toEqual([]);
  });

  it('has a list for every family that says so', async () => {
    const { paths } = await get('/openapi.json');
    const now = await service.now();
    for (const [path, methods] of Object.entries(paths as Record<string, Json>)) {
      const names = ((methods.get?.parameters ?? []) as Json[]).map((one) => one.name);
      if (path.includes('{') || !names.includes('limit')) continue;
      const span = path === '/ai_memos' ? 7 : 90;
      const dates: Record<string, number> = names.includes('date_start')
        ? { date_start: now - span * 86_400, date_end: now }
        : {};
      const { status, body } = await service.get(path, { ...dates, limit: 25, page: 1 });
      expect([path, status, Array.isArray(body.results)]).toEqual([path, 200, true]);
    }
  });
});

describe('customers (service.md#new-customers)', () => {
  const customer = { first_name: 'New', last_name: 'Person', email: 'new.person@example.com' };

  it('takes a campaign by id or name, and needs names and an e-mail address', async () => {
    const campaign = await first('/campaigns');
    expect((await service.post('/customers', { campaign: campaign.id, customer })).status).toBe(200);
    expect((await service.post('/customers', { campaign: campaign.name, customer })).status).toBe(200);
    expect((await service.post('/customers', { campaign: 'Unknown', customer })).status).toBe(400);
    expect((await service.post('/customers', { customer })).status).toBe(400);
    const { email: _email, ...nameless } = customer;
    const refused = await service.post('/customers', { campaign: campaign.id, customer: nameless });
    expect([refused.status, refused.body.message]).toEqual([400, expect.stringContaining('email')]);
  });

  it('changes only what an edit names, switches enabled, and joins groups', async () => {
    const campaign = await first('/campaigns');
    const group = await first('/customer_groups');
    const { body } = await service.post('/customers', { campaign: campaign.id, customer });
    const path = `/customers/${body.customer_id}`;
    await service.post(path, { customer: { city: 'Oslo' } });
    expect(await get(path)).toMatchObject({ city: 'Oslo', first_name: 'New' });
    await service.post(`${path}/disable`);
    expect((await get(path)).enabled).toBe(false);
    await service.post(`${path}/enable`);
    expect((await get(path)).enabled).toBe(true);
    await service.post(`${path}/add_to_group`, { customer_group: [group.id] });
    expect((await get(path)).customer_group).toEqual([group.id]);
    await service.post(`${path}/remove_from_group`, { customer_group: [group.id] });
    expect((await get(path)).customer_group).toEqual([]);
  });

  it('keeps payment methods with one default among them', async () => {
    const campaign = await first('/campaigns');
    const { body } = await service.post('/customers', { campaign: campaign.id, customer });
    const path = `/customers/${body.customer_id}/payment_methods`;
    const card = (card_number: string) => ({
      payment: { credit_card: { card_number, exp_month: 2, exp_year: 31, card_code: '111' } },
    });
    const one = await service.post(path, card('4111111111111111'));
    const two = await service.post(path, card('5555555555554444'));
    await service.post(`${path}/${two.body.customer_card_id}/set_default`);
    expect((await get(`${path}/${one.body.customer_card_id}`)).is_default).toBe(false);
    expect(await get(`${path}/${two.body.customer_card_id}`)).toMatchObject({
      is_default: true,
      last_4: '4444',
      expiry_date: '02/31',
    });
    await service.post(`${path}/${two.body.customer_card_id}/delete`);
    expect((await service.get(`${path}/${two.body.customer_card_id}`)).status).toBe(404);
  });
});

describe('products (service.md#products, service.md#lists)', () => {
  it('are made with the shape of the spec, edited, switched and deleted', async () => {
    const made = await service.post('/products', {
      name: 'Lamp',
      price: 12.5,
      image_url: 'https://example.com/lamp.png',
    });
    const path = `/products/${made.body.product_id}`;
    expect(await get(path)).toMatchObject({
      name: 'Lamp',
      price: 12.5,
      enabled: true,
      is_shippable: false,
      trial_days: 0,
      metadata: [],
    });
    expect((await get(path)).images[0]).toMatchObject({ full_url: 'https://example.com/lamp.png', file_ext: 'png' });
    await service.post(path, { price: 13 });
    expect(await get(path)).toMatchObject({ name: 'Lamp', price: 13 });
    await service.post(`${path}/disable`);
    expect((await get(path)).enabled).toBe(false);
    await service.post(`${path}/delete`);
    expect((await service.get(path)).status).toBe(404);
  });

  it('are filtered by their type', async () => {
    const now = await service.now();
    const trials = await service.get('/products', {
      date_start: now - 90 * 86_400,
      date_end: now,
      limit: 25,
      page: 1,
      product_type_filter: 'trial_only',
    });
    for (const item of trials.body.results) expect(item.trial_days).toBeGreaterThan(0);
    const wrong = await service.get('/products', {
      date_start: now - 86_400,
      date_end: now,
      limit: 25,
      page: 1,
      product_type_filter: 'unknown',
    });
    expect(wrong.status).toBe(400);
  });

  it('are synchronised with a shop, one job at a time', async () => {
    const shop = await first('/user_shops');
    const started = await service.post('/products/sync', { third_party_shop: shop.id });
    expect((await get(`/products/sync/${started.body.product_sync_id}`)).status).toBe('pending');
    expect((await service.post('/products/sync', { third_party_shop: shop.id })).status).toBe(400);
    await service.advance(0.01);
    expect((await get(`/products/sync/${started.body.product_sync_id}`)).status).toBe('completed');
  });
});

describe('shipping profiles (service.md#shipping-rates)', () => {
  it('need an enabled qualifier in each rate', async () => {
    const [carrier] = (await get('/site_shipping_providers', { limit: 1, page: 1 })).results;
    const rate = (enabled: boolean) => ({
      rate: 4.5,
      provider: carrier.id,
      provider_method: carrier.methods[0].id,
      qualifiers: { products: [], product_groups: [], countries: [{ iso_code: 'USA', enabled }], revenue_rules: [] },
    });
    const made = await service.post('/shipping_profiles', { name: 'A', rates: [rate(true)] });
    expect(made.body).toMatchObject({ code: 1, shipping_profile_id: expect.any(String) });
    expect((await service.post('/shipping_profiles', { name: 'B', rates: [rate(false)] })).status).toBe(400);
    expect((await service.post('/shipping_profiles', { name: 'C', rates: [] })).status).toBe(400);
  });
});

describe('AI assistants (service.md#assistants)', () => {
  const flow = (settings: Json = { step_message: 'Go' }) => [
    { id: 'a', type: 'start_thread', outputs: { output_1: { connections: [{ node: 'b', output: 'input_1' }] } } },
    {
      id: 'b',
      type: 'action_step',
      node_settings: settings,
      inputs: { input_1: { connections: [{ node: 'a', input: 'output_1' }] } },
    },
  ];
  const create = async (nodes: unknown, trigger = 'on_demand') => {
    const integration = (await get('/user_third_party_integrations')).results.find(
      (one: Json) => one.site_third_party_integration.integration_type === 'ai',
    );
    const settings = { assistant_instructions: '', trigger_settings: { trigger } };
    return service.post('/ai_assistants', {
      name: 'A',
      settings,
      third_party_integration: integration.id,
      flow: nodes,
    });
  };

  it('are made, triggered on demand, and leave a thread that can be cancelled once', async () => {
    const made = await create(flow());
    const run = await service.post(`/ai_assistants/${made.body.ai_assistant_id}/trigger`);
    expect(run.body.ai_thread_id).toHaveLength(20);
    expect((await get(`/ai_threads/${run.body.ai_thread_id}`)).status).toBe('Running');
    expect((await service.post(`/ai_threads/${run.body.ai_thread_id}/cancel`)).status).toBe(200);
    expect((await service.post(`/ai_threads/${run.body.ai_thread_id}/cancel`)).status).toBe(400);
    const other = await create(flow(), 'account_event');
    expect((await service.post(`/ai_assistants/${other.body.ai_assistant_id}/trigger`)).status).toBe(400);
  });

  it.each([
    ['a blank message', flow({ step_message: '   ' }), 'b', 'step_message'],
    ['two starts', [...flow(), { id: 'c', type: 'start_thread' }], 'c', 'type'],
    [
      'an edge to nowhere',
      [{ id: 'a', type: 'start_thread', outputs: { output_1: { connections: [{ node: 'x', output: 'input_1' }] } } }],
      'a',
      'outputs.output_1.connections[0]',
    ],
    [
      'an edge declared at one end only',
      [flow()[0], { id: 'b', type: 'action_step', node_settings: { step_message: 'x' } }],
      'a',
      'outputs.output_1.connections[0]',
    ],
    [
      'a delay of four days',
      [...flow(), { id: 'd', type: 'action_time_delay', node_settings: { time_unit: 'days', time_value: '4' } }],
      'd',
      'time_value',
    ],
    ['a place too far off', [{ ...flow()[0], position: { x_axis: 100_001 } }, flow()[1]], 'a', 'position.x_axis'],
    [
      'a word for a connection',
      [{ ...flow()[0], outputs: { output_1: { connections: ['b'] } } }, flow()[1]],
      'a',
      'outputs.output_1.connections[0]',
    ],
    [
      'a port of another name',
      [flow()[0], { ...flow()[1], inputs: { input_1: { links: [] } } }],
      'b',
      'inputs.input_1.links',
    ],
  ])('refuse %s and name the node and the place in it', async (_name, nodes, node, place) => {
    const { status, body } = await create(nodes);
    expect([status, body.error_code]).toEqual([400, expect.stringMatching(/^E095[89]$/)]);
    expect(body).toMatchObject({ node_id: node, invalid_setting: place, explanation: expect.any(String) });
  });

  it.each([[null], ['x'], [[null]]])('refuse %j in place of a node and name its place', async (node) => {
    const { status, body } = await create([flow()[0], node]);
    expect([status, body.error_code, body.invalid_setting]).toEqual([400, 'E0959', 'flow[1]']);
  });
});

describe('functions (service.md#other-items, service.md#other-families)', () => {
  it('keep their code out of lists, hide encrypted variables, and are triggered with their arguments', async () => {
    const made = await service.post('/functions', { name: 'F' });
    const path = `/functions/${made.body.function_id}`;
    await service.post(path, {
      function_code: 'callback();',
      environment_variables: [{ name: 'A', value: '1', encrypted: true }],
      custom_arguments: [{ name: 'x', description: 'a number' }],
    });
    expect((await get(path)).function_code).toBe('callback();');
    expect(JSON.stringify(await get(path))).not.toContain('"value":"1"');
    const listed = (await get('/functions', { limit: 25, page: 1 })).results;
    expect(listed.every((one: Json) => one.function_code === undefined)).toBe(true);
    expect((await service.post(`${path}/trigger`, {})).status).toBe(400);
    expect((await service.post(`${path}/trigger`, { custom_arguments: [{ name: 'x', value: '5' }] })).status).toBe(200);
    await service.post(path, { event_source: 'function_url' });
    expect((await service.post(`${path}/trigger`, { custom_arguments: [{ name: 'x', value: '5' }] })).status).toBe(400);
  });
});

describe('data on items (service.md#other-families)', () => {
  it('inserts metadata on an item and its customer, and lists names only', async () => {
    const sale = (await readAll(service, '/sales'))[0] as Json;
    const pair = { name: 'gift', value: 'yes' };
    expect((await service.post('/metadata', { item_type: 'sale', item_id: sale.id, metadata: [pair] })).status).toBe(
      200,
    );
    expect((await get(`/sales/${sale.id}`)).metadata).toContainEqual(pair);
    expect((await get(`/customers/${sale.customer.id}`)).metadata).toContainEqual(pair);
    const entry = (await get('/metadata', { limit: 25, page: 1 })).results.find((one: Json) => one.name === 'gift');
    expect(entry.values).toBeUndefined();
    expect((await get(`/metadata/${entry.id}`)).values).toEqual(['yes']);
  });

  it('creates notes on an item and its customer', async () => {
    const sale = (await readAll(service, '/sales'))[1] as Json;
    const { body } = await service.post('/notes', { item_type: 'sale', item_id: sale.id, text: 'Call back' });
    expect(body.note_id).toHaveLength(20);
    expect((await get(`/customers/${sale.customer.id}`)).notes[0]).toMatchObject({
      id: body.note_id,
      text: 'Call back',
    });
  });

  it('identifies key values by their key', async () => {
    expect((await service.post('/key_values', { key: 'my_key', value: '1' })).status).toBe(200);
    await service.post('/key_values/my_key', { value: '2' });
    expect(await get('/key_values/my_key')).toMatchObject({ key: 'my_key', value: '2' });
    expect((await service.post('/key_values', { key: 'bad__key', value: '1' })).status).toBe(400);
    await service.post('/key_values/my_key/delete');
    expect((await service.get('/key_values/my_key')).status).toBe(404);
  });

  it('lists prompts by name only', async () => {
    const [prompt] = (await get('/ai_prompts', { limit: 1, page: 1 })).results;
    expect(prompt.prompt).toBeUndefined();
    expect((await get(`/ai_prompts/${prompt.id}`)).prompt).toEqual(expect.any(String));
  });
});

describe('disputes and fraud', () => {
  it('files a chargeback on one card transaction', async () => {
    const payment = await find(service, '/transactions', (item) => item.result === 'approved');
    const made = await service.post('/chargebacks', { transaction_id: payment.id, case_number: 'C-1' });
    expect(await get(`/chargebacks/${made.body.chargeback_id}`)).toMatchObject({
      transaction_id: payment.id,
      amount: payment.amount_total,
    });
    const now = Math.floor(Date.now() / 1000);
    const paging = { date_start: now - 86_400, date_end: now + 86_400, limit: 25, page: 1 };
    const own = await get('/chargebacks', { ...paging, customer_id: payment.customer.id });
    expect(own.results.map((one: { id: string }) => one.id)).toContain(made.body.chargeback_id);
    expect((await service.post('/chargebacks', {})).status).toBe(400);
    expect(
      (await service.post('/chargebacks', { transaction_id: payment.id, gateway_transaction_id: '1' })).status,
    ).toBe(400);
  });

  it('voids a sale with a fraud detection on it', async () => {
    const sale = await find(service, '/sales', (item) => item.status === 'paid' && item.amount_gross > 0);
    const made = await service.post('/fraud_detections', { source_id: sale.id, void_sale: true });
    expect(made.body.fraud_detection_id).toHaveLength(20);
    expect((await get(`/sales/${sale.id}`)).status).toBe('voided');
    expect((await get(`/customers/${sale.customer.id}`)).blocked).toBe(true);
  });

  it('keeps one settings object for sentinel', async () => {
    expect((await get('/sentinel')).enabled).toBe(true);
    await service.post('/sentinel', { tracking_visitor_validator: { enabled: true } });
    expect((await get('/sentinel')).tracking_visitor_validator).toEqual({ enabled: true, reject_non_existing: false });
  });
});

describe('other operations', () => {
  it('validates coupons with their reasons', async () => {
    expect(await get('/coupons/validate', { coupon_code: 'SAVE10' })).toMatchObject({
      code: 1,
      coupon_code: 'SAVE10',
      discount_value: 10,
    });
    const old = await service.get('/coupons/validate', { coupon_code: 'OLD2020' });
    expect([old.status, old.body.message]).toEqual([400, expect.stringContaining('expired')]);
  });

  it('runs SQL that reads, over its own tables and mode only', { tags: ['thorough'] }, async () => {
    const count = async (key?: string) =>
      (await service.post('/bigquery', { bigquery_sql: 'SELECT count(*) AS n FROM `project.user.sale`' }, key)).body
        .query_results[0].n;
    const now = await service.now();
    const listed = await service.get('/sales', { date_start: now - 86_400, date_end: now, limit: 1, page: 1 });
    expect(listed.status).toBe(200);
    expect(Number(await count())).toBeGreaterThan(0);
    expect(await count(LIVE_KEY)).not.toBe(await count());
    const tables = await get('/bigquery_tables');
    expect(tables.results.map((one: Json) => one.table_name)).toContain('subscription_renewal');
    for (const bigquery_sql of [
      'DELETE FROM sale',
      'SELECT 1; SELECT 2',
      'SELECT * FROM main.secrets',
      'SELECT * FROM sqlite_master',
      'nonsense',
      `SELECT "'", body FROM main.secrets --'`,
      `SELECT '"' || body FROM "main".secrets`,
      "SELECT /* ' */ body FROM main.secrets --'",
      'SELECT * FROM [main].secrets',
      'SELECT * FROM `a.b.main`.secrets',
      'WITH x AS (SELECT 1) INSERT INTO sale SELECT 1',
      'WITH x AS (SELECT 1) DELETE FROM sale',
      'PRAGMA query_only = OFF',
      "ATTACH 'x.sqlite' AS x",
      'SELECT * FROM pragma_database_list',
      "SELECT 'open",
      'WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n',
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT printf('%100000d', i) FROM n",
    ]) {
      expect((await service.post('/bigquery', { bigquery_sql })).status, bigquery_sql).toBe(400);
    }
    expect((await service.post('/bigquery', { bigquery_sql: 'SELECT * FROM secrets' })).body.query_results).toEqual([]);
    const quoted = `SELECT 'it''s; main' AS "a", -1 AS b, 4 / 2 AS c /* main; */ FROM sale LIMIT 1 -- main;`;
    const { body } = await service.post('/bigquery', { bigquery_sql: quoted });
    expect(body.query_results).toEqual([{ a: "it's; main", b: '-1', c: '2' }]);
  });

  it('lets a secure form go after an hour', async () => {
    const made = await service.post('/secure_forms', { form_source: 'smtp_profile' });
    expect((await get(`/secure_forms/${made.body.secure_form_id}`)).completed).toBe(false);
    await service.advance(0.05);
    expect((await service.get(`/secure_forms/${made.body.secure_form_id}`)).status).toBe(404);
  });

  it('edits a portal: only named properties, none unknown, the secret hidden', async () => {
    const portal = await first('/customer_portals');
    const path = `/customer_portals/${portal.id}`;
    const done = await service.post(path, { display_name: 'Shop', recaptcha: { site_key: 'a', secret_key: 'hush' } });
    expect(done.body).toMatchObject({ code: 1, customer_portal_id: portal.id });
    expect(await get(path)).toMatchObject({ display_name: 'Shop', name: portal.name, recaptcha: { site_key: 'a' } });
    expect(JSON.stringify(await get(path))).not.toContain('hush');
    expect((await service.post(path, { colour: 'red' })).status).toBe(400);
  });

  it('associates entities with projects and lets them go', async () => {
    const project = await first('/projects');
    const product = (await service.get('/products/search', { search_term: 'Ceramic Mug' })).body.results[0];
    const entity = { entity_type: 'product', entity_id: product.id };
    const unknown = { entity_type: 'product', entity_id: NOBODY };
    expect((await service.post(`/projects/${project.id}/associate_entity`, unknown)).status).toBe(400);
    await service.post(`/projects/${project.id}/associate_entity`, entity);
    expect((await get(`/projects/${project.id}`)).entities).toEqual({ product: [{ id: product.id }] });
    const listed = await readAll(service, '/products', 90, { project_filter: project.id });
    const old = await get(`/products/${product.id}`);
    expect(old.project).toEqual([{ id: project.id, name: project.name }]);
    expect(listed.every((one) => one.project.some((held: Json) => held.id === project.id))).toBe(true);
    await service.post(`/projects/${project.id}/disassociate_entity`, entity);
    expect((await get(`/projects/${project.id}`)).entities).toEqual({});
    expect((await get(`/products/${product.id}`)).project).toEqual([]);
  });

  it('finds items by one term', async () => {
    const sale = (await readAll(service, '/sales'))[0] as Json;
    const { body } = await service.get('/sales/search', { search_term: sale.customer.email });
    expect(body.results.length).toBeGreaterThan(0);
    expect(body.results.length).toBeLessThanOrEqual(10);
    expect(body.results[0]).toMatchObject({
      id: expect.any(String),
      score: expect.any(Number),
      highlights: expect.any(Object),
    });
    expect((await service.get('/sales/search')).status).toBe(400);
  });
});
