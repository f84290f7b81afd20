/** @module-tag thorough */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Json, range, readAll, type Service, startService } from './service.js';

/* Account events (service.md#events): raised where the rules make them happen, in order, and read as site events. */

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

const CARDS = { good: '4111111111111111', declined: '4000000000000002', fraud: '4100000000000019' };

async function events(): Promise<Json[]> {
  const all = await readAll(service, '/site_events', 1);
  return all.filter(({ type }) => type === 'account_event').reverse();
}

/** What some work raises, as `notation item_id`. */
async function raisedBy(work: () => Promise<unknown>): Promise<Json[]> {
  const before = new Set((await events()).map(({ id }) => id));
  await work();
  return (await events()).filter(({ id }) => !before.has(id));
}

async function order(number: string, name = 'Ceramic Mug'): Promise<Json> {
  const { body: campaigns } = await service.get('/campaigns', { limit: 25, page: 1 });
  const { body: profiles } = await service.get('/payment_profiles', { limit: 25, page: 1 });
  const { body: found } = await service.get('/products/search', { search_term: name });
  return {
    campaign: campaigns.results[0].id,
    payment_profile: profiles.results[0].id,
    customer: { first_name: 'Ann', last_name: 'Event', email: `ann-${Math.random()}@example.com`, country: 'USA' },
    credit_card: { card_number: number, exp_month: 1, exp_year: 30, card_code: '123' },
    products: [{ id: found.results[0].id, quantity: 1 }],
  };
}
const notations = (raised: readonly Json[]) => raised.map(({ notation }) => notation);

describe('events of a sale', () => {
  it('are raised in the order they happen, general before specific, with mode, item and customer', async () => {
    let sale: Json = {};
    const raised = await raisedBy(async () => {
      sale = (await service.post('/sales', await order(CARDS.good))).body;
    });
    const said = notations(raised);
    expect(said.slice(0, 3)).toEqual(['customer.created', 'customer.updated', 'customer.updated.add_card']);
    expect(said.filter((one) => one.startsWith('sale.'))).toEqual([
      'sale.created',
      'sale.created.success',
      'sale.created.success.paid',
    ]);
    expect(said.indexOf('transaction.created')).toBeLessThan(said.indexOf('sale.created'));
    expect(said).toContain('product_sale.created');
    const made = raised.find(({ notation }) => notation === 'sale.created.success.paid');
    expect(made).toMatchObject({
      live_mode: false,
      item_type: 'sale',
      item_id: sale.sale_id,
      customer_id: sale.customer_id,
    });
  });

  it('tell why it failed, and of the alert that a fraud decision is', async () => {
    const declined = await raisedBy(async () => service.post('/sales', await order(CARDS.declined)));
    expect(notations(declined)).toContain('sale.created.failed.declined');
    expect(notations(declined)).not.toContain('sale.created.success');
    const body = await order(CARDS.fraud);
    const fraud = notations(await raisedBy(() => service.post('/sales', body)));
    expect(fraud).toEqual(
      expect.arrayContaining(['sentinel.alert.fraud_detected', 'sale.created.failed.fraud_detected']),
    );
    const again = notations(await raisedBy(() => service.post('/sales', body)));
    expect(again).toContain('sentinel.alert.firewall_block');
    expect(again).not.toContain('sentinel.alert.fraud_detected');
  });

  it('of a pending one are raised when it is made, and paid alone when it is paid', async () => {
    let id = '';
    const made = await raisedBy(async () => {
      id = (await service.post('/sales/pending', await order(CARDS.good))).body.sale_id;
    });
    expect(notations(made)).toContain('sale.created.success.pending');
    const { payment_profile } = await order(CARDS.good);
    const paid = notations(await raisedBy(() => service.post(`/sales/pending/${id}/process`, { payment_profile })));
    expect(paid.filter((one) => one.startsWith('sale.'))).toEqual(['sale.created.success.paid']);
  });

  it('that was refused are none', async () => {
    const raised = await raisedBy(async () => service.post('/sales', { ...(await order(CARDS.good)), products: [] }));
    expect(raised).toEqual([]);
  });
});

describe('events of what goes on', () => {
  it('a subscription and its renewals raise outcomes and states', async () => {
    const sale = (await service.post('/sales', await order(CARDS.good, 'Coffee Club'))).body.sale_id;
    const [id] = (await service.get(`/sales/${sale}`)).body.subscriptions;
    const suspended = notations(await raisedBy(() => service.post(`/subscriptions/${id}/suspend`)));
    expect(suspended).toEqual([
      'subscription.updated',
      'subscription.updated.status',
      'subscription.updated.status.suspended',
    ]);
    await service.post(`/subscriptions/${id}/activate`);
    const renewed = notations(await raisedBy(() => service.post(`/subscriptions/${id}/renew`)));
    expect(renewed).toEqual(
      expect.arrayContaining(['subscription_renewal.updated.success', 'subscription.updated.renewed.success']),
    );
    expect(new Set(renewed).size).toBe(renewed.length);
  });

  it('a refund says of what, and whether of all of it', async () => {
    const sale = (await service.post('/sales', await order(CARDS.good))).body.sale_id;
    const line = (await service.get(`/sales/${sale}`)).body.product_sales[0];
    const part = notations(await raisedBy(() => service.post(`/product_sales/${line}/refund`, { amount: 0.5 })));
    expect(part).toContain('pending_refund.created.product_sale.partial');
  });

  it('the passing of time raises them as well', async () => {
    await service.advance(20);
    const all = notations(await events());
    expect(all.filter((one) => one === 'subscription.updated.renewed').length).toBeGreaterThan(0);
    const now = await service.now();
    const { status } = await service.get('/site_events', range(now, 1));
    expect(status).toBe(200);
  });

  it('a customer: address, groups, switched off and on', async () => {
    const id = (await service.post('/sales', await order(CARDS.good))).body.customer_id;
    const group = (await service.get('/customer_groups', { limit: 25, page: 1 })).body.results[0].id;
    const said = async (path: string, body: Json = {}) =>
      notations(await raisedBy(() => service.post(`/customers/${id}${path}`, body))).at(-1);
    expect(await said('', { customer: { city: 'Berlin' } })).toBe('customer.updated.address');
    expect(await said('', { customer: { first_name: 'Eve' } })).toBe('customer.updated');
    expect(await said('/add_to_group', { customer_group: [group] })).toBe('customer.updated.customer_group.added');
    expect(await said('/remove_from_group', { customer_group: [group] })).toBe(
      'customer.updated.customer_group.removed',
    );
    expect(await said('/disable')).toBe('customer.updated.disabled');
    expect(await said('/enable')).toBe('customer.updated.enabled');
    expect(await said('', { customer: { first_name: 'Eve' } })).toBeUndefined();
  });
});
