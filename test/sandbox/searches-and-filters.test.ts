/** @module-tag thorough */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, LIVE_KEY, type Service, startService } from './service.js';

/* What was just written is found at once: by filters, searches, names and ids of others (service.md#lists, service.md#subscription-profiles). */

let service: Service;
let campaign: Json;
let profile: Json;
let now = 0;
const DAY = 86_400;
const PAGE = { limit: 25, page: 1 };

beforeAll(async () => {
  service = await startService();
  now = await service.now();
  campaign = (await service.get('/campaigns', PAGE)).body.results[0];
  profile = (await service.get('/payment_profiles', PAGE)).body.results[0];
});
afterAll(() => service.stop());

const window = () => ({ date_start: now - 80 * DAY, date_end: now + DAY, ...PAGE });
const ids = (answer: { body: Json }): string[] => answer.body.results.map(({ id }: Json) => id);
const search = (family: string, term: string) => service.get(`/${family}/search`, { search_term: term });

async function sell(product: string, email: string, more: Json = {}) {
  return service.post('/sales', {
    campaign: campaign.id,
    payment_type: 'credit_card',
    payment_profile: profile.id,
    iso_currency: 'USD',
    customer: { email, first_name: 'Ann', last_name: 'Other' },
    credit_card: { card_number: '4111111111111111', exp_month: 12, exp_year: 30, card_code: '123' },
    products: [{ id: product }],
    ...more,
  });
}

async function product(body: Json = {}): Promise<string> {
  const made = await service.post('/products', { name: 'Found', price: 20, ...body });
  expect(made.body.message ?? made.body.result).toBe('success');
  return made.body.product_id;
}

describe('a search', () => {
  it('finds a buyer by each word of the name, by the address, in any case, and its sales', async () => {
    // No other test sells to this name: a search shows ten.
    const buyer = { email: 'zoe.quist@sought.example', first_name: 'Zoë', last_name: "O'Hara-Quist" };
    const sold = await sell(await product(), buyer.email, { customer: buyer });
    const { sale_id: sale, customer_id: customer } = sold.body;
    for (const term of ['ZOË', "o'hara", 'quist', "zoë o'hara", 'ZOE.QUIST@sought.example', 'sought.example', customer])
      expect(ids(await search('customers', term)), term).toContain(customer);
    for (const term of ['quist', buyer.email, sale]) expect(ids(await search('sales', term)), term).toContain(sale);
    expect(ids(await search('customers', 'quistx'))).toEqual([]);
    expect(ids(await search('customers', '%'))).toEqual([]);
    const inLive = await service.get('/customers/search', { search_term: 'quist' }, LIVE_KEY);
    expect(inLive.body.results).toEqual([]);
  });

  it('puts the whole word first and shows ten at most', async () => {
    const exact = await product({ name: 'Kettle', sku: 'kettle' });
    for (let turn = 0; turn < 12; turn++) await product({ name: `Kettle number ${turn}`, sku: `K${turn}` });
    const { results, total_count: total } = (await search('products', 'kettle')).body;
    expect(results[0].id).toBe(exact);
    expect(results).toHaveLength(10);
    expect(total).toBe(10);
  });

  it('follows edits, keeps finding what was sold under the old name, and forgets what is deleted', async () => {
    const id = await product({ name: 'Oldname', sku: 'S-1' });
    const { sale_id: sale, customer_id: customer } = (await sell(id, 'before@found.example')).body;
    await service.post(`/products/${id}`, { name: 'Newname' });
    expect(ids(await search('products', 'oldname'))).toEqual([]);
    expect(ids(await search('products', 'newname'))).toEqual([id]);
    await service.post(`/customers/${customer}`, { customer: { email: 'after@found.example' } });
    expect(ids(await search('customers', 'before@found.example'))).toEqual([]);
    expect(ids(await search('customers', 'after@found.example'))).toEqual([customer]);
    expect(ids(await search('sales', 'before@found.example'))).toEqual([sale]);
    const other = await product({ name: 'Goes away' });
    await service.post(`/products/${other}/delete`);
    expect(ids(await search('products', 'goes away'))).toEqual([]);
  });

  it("finds payments by the gateway's id and by the card", async () => {
    const { sale_id: sale } = (await sell(await product(), 'card@found.example')).body;
    const { transactions } = (await service.get(`/sales/${sale}`)).body;
    const payment = (await service.get(`/transactions/${transactions[0]}`)).body;
    expect(ids(await search('transactions', payment.gateway_transaction_id))).toEqual([payment.id]);
    expect(ids(await search('transactions', payment.id))).toEqual([payment.id]);
    const byCard = (await search('transactions', '411111')).body.results;
    expect(byCard).toHaveLength(10);
    for (const hit of byCard) expect(hit.highlights['customer_card.first_6']).toBe('411111');
    const claim = { gateway_transaction_id: payment.gateway_transaction_id, amount: 1 };
    const made = await service.post('/chargebacks', {
      ...claim,
      case_number: 'CASE-9',
      chargeback_date: now,
      reason_code: '1',
    });
    if (made.status === 200) expect(ids(await search('chargebacks', 'case-9'))).toEqual([made.body.chargeback_id]);
    else expect(made.body.message).not.toMatch(/gateway's id/);
  });
});

describe('a buyer', () => {
  it('is known again by the address it has now, in any case', async () => {
    const id = await product();
    const { customer_id: first } = (await sell(id, 'Same@Found.example')).body;
    expect((await sell(id, 'same@found.EXAMPLE')).body.customer_id).toBe(first);
    await service.post(`/customers/${first}`, { customer: { email: 'moved@found.example' } });
    expect((await sell(id, 'moved@found.example')).body.customer_id).toBe(first);
    expect((await sell(id, 'same@found.example')).body.customer_id).not.toBe(first);
  });
});

describe('a filter', () => {
  it('finds customers by the group they are in, while they are in it', async () => {
    const group = (await service.post('/customer_groups', { name: 'Found' })).body.customer_group_id;
    const { customer_id: customer } = (await sell(await product(), 'group@found.example')).body;
    const inGroup = async () => ids(await service.get('/customers', { ...window(), customer_group_filter: group }));
    expect(await inGroup()).toEqual([]);
    await service.post(`/customers/${customer}/add_to_group`, { customer_group: [group] });
    expect(await inGroup()).toEqual([customer]);
    await service.post(`/customers/${customer}/remove_from_group`, { customer_group: [group] });
    expect(await inGroup()).toEqual([]);
  });

  it('takes several values as alternatives, and different filters together', async () => {
    const total = async (query: readonly (readonly [string, string | number])[]) =>
      (await service.get('/sales', [...Object.entries(window()), ...query])).body.total_count as number;
    const campaigns: Json[] = (await service.get('/campaigns', PAGE)).body.results;
    const each = await Promise.all(campaigns.map(({ id }) => total([['campaign_filter', id]])));
    expect(await total(campaigns.map(({ id }) => ['campaign_filter', id]))).toBe(each.reduce((sum, n) => sum + n, 0));
    expect(each.reduce((sum, n) => sum + n, 0)).toBe(await total([]));
    const [usd, gbp] = [await total([['currency_filter', 'USD']]), await total([['currency_filter', 'GBP']])];
    expect(
      await total([
        ['currency_filter', 'USD'],
        ['currency_filter', 'GBP'],
      ]),
    ).toBe(usd + gbp);
    const both = await total([
      ['campaign_filter', campaigns[0]?.id],
      ['currency_filter', 'USD'],
    ]);
    expect(both).toBeGreaterThan(0);
    expect(both).toBeLessThan(Math.min(usd, each[0] as number));
  });

  it('finds products by type, group and profile as they change', async () => {
    const plan = (await service.get('/subscription_profiles', PAGE)).body.results[0].id;
    const id = await product({ subscription_profile: plan });
    const has = async (query: Json) => ids(await service.get('/products', { ...window(), ...query })).includes(id);
    expect(await has({ product_type_filter: 'subscription' })).toBe(true);
    expect(await has({ product_type_filter: 'subscription_only' })).toBe(true);
    expect(await has({ product_type_filter: 'trial' })).toBe(false);
    expect(await has({ subscription_profile_filter: plan })).toBe(true);
    await service.post(`/products/${id}`, { trial_days: 5 });
    expect(await has({ product_type_filter: 'subscription_only' })).toBe(false);
    expect(await has({ product_type_filter: 'trial' })).toBe(true);
    const group = (await service.post('/product_groups', { name: 'Found', products: [id] })).body.product_group_id;
    expect(await has({ product_group_filter: group })).toBe(true);
  });
});

describe('a metadata filter', () => {
  it('finds renewals by pairs that were just added, in both of its forms (service.md#lists, service.md#assistants)', async () => {
    const renewal = (await service.get('/subscription_renewals', window())).body.results[0].id;
    const has = async (query: Json) => {
      return ids(await service.get('/subscription_renewals', { ...window(), ...query })).includes(renewal);
    };
    const pair = (name: string, value: string) => ({ metadata_filter: JSON.stringify({ name, value }) });
    expect(await has(pair('shelf', 'a 1'))).toBe(false);
    const metadata = [{ name: 'shelf', value: 'a 1' }];
    const added = await service.post('/metadata', { item_type: 'subscription_renewal', item_id: renewal, metadata });
    expect(added.status).toBe(200);
    expect(await has(pair('shelf', 'a 1'))).toBe(true);
    expect(await has(pair('shelf', 'a'))).toBe(false);
    expect(await has(pair('shel', 'f a 1'))).toBe(false);
    expect(await has({ 'metadata_filter[0][name]': 'shelf', 'metadata_filter[0][value]': 'a 1' })).toBe(true);
    const mixed = { ...pair('shelf', 'a 1'), 'metadata_filter[0][name]': 'x', 'metadata_filter[0][value]': 'y' };
    expect((await service.get('/subscription_renewals', { ...window(), ...mixed })).status).toBe(400);
  });
});

describe('a subscription profile', () => {
  it('is shown as it is now by all that carry it, and cannot go while they run', async () => {
    const made = await service.post('/subscription_profiles', {
      name: 'Found monthly',
      frequency: 'unit',
      frequency_unit: { unit: 'months', value: 1 },
      occurrences: 'indefinite',
      payment_profile: profile.id,
    });
    expect(made.body.message ?? made.body.result).toBe('success');
    const plan = made.body.subscription_profile_id;
    const item = await product({ subscription_profile: plan });
    const { sale_id: sale } = (await sell(item, 'plan@found.example')).body;
    const [subscription] = (await service.get(`/sales/${sale}`)).body.subscriptions;
    const edited = await service.post(`/subscription_profiles/${plan}`, { name: 'Found yearly', overdue_limit: 3 });
    expect(edited.status).toBe(200);
    const shown = { id: plan, name: 'Found yearly', overdue_limit: 3 };
    expect((await service.get(`/subscriptions/${subscription}`)).body.subscription_profile).toMatchObject(shown);
    expect((await service.get(`/products/${item}`)).body.subscription_profile).toMatchObject(shown);
    const listed = (await service.get('/subscriptions', window())).body.results.find(
      (one: Json) => one.id === subscription,
    );
    expect(listed.subscription_profile).toMatchObject(shown);
    const sql = `SELECT json_extract(subscription_profile, '$.name') AS n FROM subscription WHERE id = '${subscription}'`;
    expect((await service.post('/bigquery', { bigquery_sql: sql })).body.query_results).toEqual([
      { n: 'Found yearly' },
    ]);
    expect((await service.post(`/subscription_profiles/${plan}/delete`)).status).toBe(400);
    await service.post(`/subscriptions/${subscription}/cancel`);
    expect((await service.post(`/subscription_profiles/${plan}/delete`)).status).toBe(200);
  });
});
