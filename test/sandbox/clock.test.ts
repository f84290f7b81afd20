/** @module-tag thorough */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { find, type Json, readAll, type Service, startService } from './service.js';

const DAY = 86_400;
let service: Service;
beforeAll(async () => {
  service = await startService({ schedules: false });
});
afterAll(() => service.stop());

const get = async (path: string): Promise<Json> => (await service.get(path)).body;

describe('the passing of time', () => {
  it('forgets idempotency keys after 24 hours (service.md#idempotency)', async () => {
    const idempotency_key = 'a key of this test';
    await service.post('/projects', { name: 'A', idempotency_key });
    await service.advance(0.95);
    expect((await service.post('/projects', { name: 'A', idempotency_key })).body.error_code).toBe('E0583');
    await service.advance(1.01);
    expect((await service.post('/projects', { name: 'A', idempotency_key })).status).toBe(200);
  });

  it('renews subscriptions that fall due, at their date (service.md#subscription-profiles)', async () => {
    const now = await service.now();
    const soon = await find(
      service,
      '/subscriptions',
      (item) =>
        item.status === 'active' &&
        item.billing.next_renewal_date_unix < now + 6 * DAY &&
        item.subscription_profile.occurrences === 'indefinite',
    );
    await service.advance(7);
    const after = await get(`/subscriptions/${soon.id}`);
    const fresh = after.subscription_renewals.filter((id: string) => !soon.subscription_renewals.includes(id));
    expect(fresh.length).toBeGreaterThan(0);
    const renewal = await get(`/subscription_renewals/${fresh[0]}`);
    expect(renewal.created_date_unix).toBe(soon.billing.next_renewal_date_unix);
    expect(renewal.billing.next_renewal_date_unix).toBeGreaterThan(renewal.created_date_unix);
  });

  it('does not renew what is suspended', async () => {
    const one = await find(service, '/subscriptions', (item) => item.status === 'active');
    await service.post(`/subscriptions/${one.id}/suspend`);
    await service.advance(40);
    expect((await get(`/subscriptions/${one.id}`)).subscription_renewals).toEqual(one.subscription_renewals);
  });

  it('makes a failing subscription overdue, and suspends it above its overdue_limit (service.md#subscription-profiles)', async () => {
    const one = await find(
      service,
      '/subscriptions',
      (item) => item.status === 'active' && item.subscription_profile.occurrences === 'indefinite',
    );
    const cards = `/customers/${one.customer.id}/payment_methods`;
    const declined = { card_number: '4000000000000002', exp_month: 1, exp_year: 60, card_code: '123' };
    const { body: card } = await service.post(cards, { payment: { credit_card: declined } });
    await service.post(`${cards}/${card.customer_card_id}/set_default`);
    const toNextRenewal = async (): Promise<string> => {
      const { billing } = await get(`/subscriptions/${one.id}`);
      await service.advance((billing.next_renewal_date_unix + 60 - (await service.now())) / DAY);
      return (await get(`/subscriptions/${one.id}`)).status;
    };
    expect(await toNextRenewal()).toBe('overdue');
    const limit = one.subscription_profile.overdue_limit;
    for (let turn = 1; turn < limit; turn++) expect(await toNextRenewal()).toBe('overdue');
    await toNextRenewal();
    const after = await get(`/subscriptions/${one.id}`);
    expect(after.status).toBe('suspended');
    expect(after.overdue_count).toBe(limit + 1);
    const failed = await get(`/subscription_renewals/${after.subscription_renewals.at(-1)}`);
    expect(failed).toMatchObject({ is_overdue: true, amount_gross: 0 });
    expect(failed.salvage_transactions).toHaveLength(1);
  });

  it('stops at the number of occurrences (service.md#subscription-profiles)', async () => {
    const items = await readAll(service, '/subscriptions', 90);
    const used = items.filter((item) => item.status === 'occurrence_limit');
    for (const item of used) expect(item.renewal_count).toBe(item.subscription_profile.occurrences_value);
  });

  it('lets memos vanish after 7 days (service.md#limits)', async () => {
    const thread = (await readAll(service, '/ai_threads', 90))[0];
    const assistants = (await service.get('/ai_assistants', { limit: 25, page: 1 })).body.results as Json[];
    const onDemand = assistants.find((item) => item.settings.trigger_settings.trigger === 'on_demand');
    const started = await service.post(`/ai_assistants/${onDemand?.id}/trigger`);
    const memo = await service.post('/ai_memos', {
      ai_thread_id: thread?.id ?? started.body.ai_thread_id,
      subject: 'S',
      message: 'M',
    });
    expect(memo.status).toBe(200);
    expect((await service.post(`/ai_memos/${memo.body.ai_memo_id}/mark_as_read`)).status).toBe(200);
    await service.advance(6.9);
    expect((await get(`/ai_memos/${memo.body.ai_memo_id}`)).status).toBe('read');
    await service.advance(0.2);
    expect((await service.get(`/ai_memos/${memo.body.ai_memo_id}`)).status).toBe(404);
    expect((await get(`/ai_threads/${started.body.ai_thread_id}`)).status).toBe('Complete');
  });

  it('declines what a card is to pay after the end of its month', async () => {
    const campaign = (await service.get('/campaigns', { limit: 1, page: 1 })).body.results[0];
    const profile = (await service.get('/payment_profiles', { limit: 1, page: 1 })).body.results[0];
    const club = (await service.get('/products/search', { search_term: 'Coffee Club' })).body.results[0];
    const today = new Date((await service.now()) * 1000);
    const order = {
      campaign: campaign.id,
      payment_profile: profile.id,
      credit_card: {
        card_number: '4111111111111111',
        exp_month: today.getUTCMonth() + 1,
        exp_year: today.getUTCFullYear() % 100,
        card_code: '123',
      },
      products: [{ id: club.id, quantity: 1 }],
    };
    const customer = { first_name: 'C', last_name: 'E', email: 'expired@example.com' };
    const sold = await service.post('/sales', { ...order, customer });
    expect(sold.status).toBe(200);
    const { subscriptions } = await get(`/sales/${sold.body.sale_id}`);
    await service.advance(35);
    expect(await get(`/subscriptions/${subscriptions[0]}`)).toMatchObject({ status: 'overdue', overdue_count: 1 });
    const other = await service.post('/sales', { ...order, customer: { ...customer, email: 'late@example.com' } });
    expect([other.status, other.body.code]).toEqual([402, 2]);
  });

  it('expires trials on their end date', async () => {
    const hit = (await service.get('/products/search', { search_term: 'Trial Sampler' })).body.results[0];
    const campaign = (await service.get('/campaigns', { limit: 1, page: 1 })).body.results[0];
    const profile = (await service.get('/payment_profiles', { limit: 1, page: 1 })).body.results[0];
    const sold = await service.post('/sales', {
      campaign: campaign.id,
      payment_profile: profile.id,
      credit_card: { card_number: '4111111111111111', exp_month: 1, exp_year: 30, card_code: '123' },
      customer: { first_name: 'T', last_name: 'U', email: 'trial@example.com' },
      products: [{ id: hit.id }],
    });
    const sale = await get(`/sales/${sold.body.sale_id}`);
    await service.advance(9.9);
    expect((await get(`/trials/${sale.trials[0]}`)).status).toBe('active');
    await service.advance(0.2);
    expect(await get(`/trials/${sale.trials[0]}`)).toMatchObject({ status: 'expired', expired_result: 'success' });
  });
});
