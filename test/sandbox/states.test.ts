/** @module-tag thorough */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { find, type Json, readAll, type Service, startService } from './service.js';

let service: Service;
beforeAll(async () => {
  service = await startService({ schedules: false });
});
afterAll(() => service.stop());

const DAY = 86_400;
const get = async (path: string): Promise<Json> => (await service.get(path)).body;
const act = (path: string, body: unknown = {}) => service.post(path, body);
const CARDS = {
  approved: '4111111111111111',
  declined: '4000000000000002',
  error: '4000000000000119',
  held: '4000000000003220',
  fraud: '4100000000000019',
};

/** Buys one of a product with a card and answers what the service said. */
async function buy(
  productName: string,
  card: string,
  email = `buyer.${Math.random()}@example.com`,
): Promise<{ status: number; body: Json }> {
  const campaign = (await service.get('/campaigns', { limit: 1, page: 1 })).body.results[0];
  const profile = (await service.get('/payment_profiles', { limit: 1, page: 1 })).body.results[0];
  const hit = (await service.get('/products/search', { search_term: productName })).body.results[0];
  return act('/sales', {
    campaign: campaign.id,
    iso_currency: 'USD',
    payment_type: 'credit_card',
    payment_profile: profile.id,
    credit_card: { card_number: card, exp_month: 12, exp_year: 30, card_code: '123' },
    customer: { first_name: 'Test', last_name: 'Buyer', email, country: 'USA' },
    products: [{ id: hit.id, quantity: 1 }],
    tax_amount: 1.23,
  });
}

describe('subscriptions (service.md#states, service.md#paths)', () => {
  it('suspends, activates again and cancels for good', async () => {
    const one = await find(service, '/subscriptions', (item) => item.status === 'active');
    const path = `/subscriptions/${one.id}`;
    expect((await act(`${path}/activate`)).status).toBe(400);
    expect((await act(`${path}/suspend`)).body).toMatchObject({ code: 1, subscription_id: one.id });
    expect((await get(path)).status).toBe('suspended');
    expect((await act(`${path}/activate`)).status).toBe(200);
    expect((await get(path)).status).toBe('active');
    expect((await act(`${path}/cancel`)).status).toBe(200);
    expect((await get(path)).status).toBe('cancelled');
    for (const action of ['activate', 'suspend', 'renew', 'cancel']) {
      const refused = await act(`${path}/${action}`);
      expect(refused.status).toBe(400);
      expect(refused.body.message).toContain('cancelled');
    }
  });

  it('renews now: charges, leaves a renewal, counts the next date from today', async () => {
    const sold = await buy('Coffee Club', CARDS.approved);
    expect(sold.status).toBe(200);
    const sale = await get(`/sales/${sold.body.sale_id}`);
    const path = `/subscriptions/${sale.subscriptions[0]}`;
    const before = await get(path);
    await service.advance(5);
    const renewed = await act(`${path}/renew`);
    expect(renewed.status).toBe(200);
    const after = await get(path);
    expect(after.billing.next_renewal_date_unix).toBeGreaterThan(before.billing.next_renewal_date_unix);
    const renewal = await get(`/subscription_renewals/${renewed.body.subscription_renewal_id}`);
    expect(renewal).toMatchObject({
      subscription_id: before.id,
      is_overdue: false,
      amount_total: before.amount,
      live_mode: false,
    });
    expect((await get(`/transactions/${renewal.transactions[0]}`)).result).toBe('approved');
  });

  it('refuses unknown ids with 404', async () => {
    expect((await act('/subscriptions/00000000000000000000/suspend')).status).toBe(404);
  });

  it('edits attributes, never the status', async () => {
    const one = await find(service, '/subscriptions', (item) => item.status === 'active');
    const next = new Date(((await service.now()) + 50 * DAY) * 1000).toISOString();
    expect((await act(`/subscriptions/${one.id}`, { amount: 12.34, next_renewal_date: next })).status).toBe(200);
    const after = await get(`/subscriptions/${one.id}`);
    expect(after.amount).toBe(12.34);
    expect(after.billing.next_renewal_date_unix).toBe(Math.floor(Date.parse(next) / 1000));
    expect(after.status).toBe('active');
  });
});

describe('subscription profiles (service.md#subscription-profiles)', () => {
  const path = async () =>
    `/subscription_profiles/${(await service.get('/subscription_profiles', { limit: 1, page: 1 })).body.results[0].id}`;

  it('needs the matching settings in the same body when the frequency changes', async () => {
    expect((await act(await path(), { frequency: 'calendar' })).status).toBe(400);
    const settings = { unit: 'day', value: 15, parent: 'month' };
    expect((await act(await path(), { frequency: 'calendar', frequency_calendar: settings })).status).toBe(200);
    expect(await get(await path())).toMatchObject({ frequency: 'calendar', frequency_calendar: settings });
  });

  it('ignores settings without their frequency, and shows a unit as unit_value', async () => {
    await act(await path(), { frequency: 'unit', frequency_unit: { unit: 'months', value: 2 } });
    expect((await get(await path())).frequency_unit).toEqual({ unit_value: 2, unit: 'months' });
    await act(await path(), { frequency_unit: { unit: 'days', value: 9 } });
    expect((await get(await path())).frequency_unit).toEqual({ unit_value: 2, unit: 'months' });
  });

  it('removes the shipping profile by null or an empty string', async () => {
    const shipping = (await service.get('/shipping_profiles', { limit: 1, page: 1 })).body.results[0];
    await act(await path(), { shipping_profile: shipping.id });
    expect((await get(await path())).shipping_profile).toBe(shipping.id);
    await act(await path(), { shipping_profile: null });
    expect((await get(await path())).shipping_profile).toBe('');
  });

  it('accepts no other property, and no name twice', async () => {
    expect((await act(await path(), { colour: 'red' })).status).toBe(400);
    const [one, two] = (await service.get('/subscription_profiles', { limit: 2, page: 1 })).body.results;
    expect((await act(`/subscription_profiles/${one.id}`, { name: two.name })).status).toBe(400);
  });
});

describe('trials (service.md#products, service.md#states)', () => {
  const start = async (card = CARDS.approved) => {
    const sold = await buy('Streaming Plus', card);
    const sale = await get(`/sales/${sold.body.sale_id}`);
    return { sale, path: `/trials/${sale.trials[0]}`, subscription: `/subscriptions/${sale.subscriptions[0]}` };
  };

  it('extends and shortens by days, counted from the current end, and moves the subscription along', async () => {
    const { path, subscription } = await start();
    const trial = await get(path);
    const next = (await get(subscription)).billing.next_renewal_date_unix;
    expect((await act(`${path}/extend`, { days: 7 })).status).toBe(200);
    expect((await get(path)).expiration_date_unix).toBe(trial.expiration_date_unix + 7 * DAY);
    expect((await get(subscription)).billing.next_renewal_date_unix).toBe(next + 7 * DAY);
    expect((await act(`${path}/shorten`, { days: 2 })).status).toBe(200);
    expect((await get(path)).expiration_date_unix).toBe(trial.expiration_date_unix + 5 * DAY);
    expect((await act(`${path}/shorten`, { days: 400 })).status).toBe(400);
    expect((await act(`${path}/extend`, { days: 0 })).status).toBe(400);
  });

  it('charges what is due when it is expired, once', async () => {
    const { path, sale } = await start();
    expect(sale.amount_remaining).toBe((await get(path)).amount_remaining);
    expect((await act(`${path}/expire`)).status).toBe(200);
    const trial = await get(path);
    expect(trial).toMatchObject({ status: 'expired', expired_result: 'success', amount_remaining: 0 });
    expect(trial.amount_captured).toBe(trial.amount_original_total);
    expect((await get(`/sales/${sale.id}`)).amount_remaining).toBe(0);
    expect((await act(`${path}/expire`)).status).toBe(400);
    expect((await act(`${path}/extend`, { days: 1 })).status).toBe(400);
  });

  it('cancels the subscription with it', async () => {
    const { path, subscription } = await start();
    expect((await act(`${path}/cancel`)).status).toBe(200);
    expect((await get(path)).status).toBe('cancelled');
    expect((await get(subscription)).status).toBe('cancelled');
    expect((await act(`${path}/cancel`)).status).toBe(400);
  });
});

describe('sales (service.md#states, service.md#errors)', () => {
  it('makes a paid sale with its lines, shipment, tax and payment', async () => {
    const sold = await buy('Ceramic Mug', CARDS.approved);
    expect(sold.status).toBe(200);
    const sale = await get(`/sales/${sold.body.sale_id}`);
    expect(sale).toMatchObject({ status: 'paid', live_mode: false });
    for (const family of ['product_sales', 'shipping', 'tax', 'transactions']) {
      expect(sale[family]).toHaveLength(1);
      expect((await get(`/${family}/${sale[family][0]}`)).sales).toContain(sale.id);
    }
    expect((await get(`/customers/${sold.body.customer_id}`)).email).toBe(sale.customer.email);
  });

  it.each([
    ['declined', 2],
    ['error', 3],
    ['held', 4],
  ] as const)('answers a card that is %s with 402 and code %i', async (kind, code) => {
    const sold = await buy('Ceramic Mug', CARDS[kind]);
    expect(sold.status).toBe(402);
    expect(sold.body).toMatchObject({
      code,
      message: expect.any(String),
      gateway_raw_response: expect.any(Object),
      result: expect.any(String),
    });
  });

  it('answers fraud with 402, code 5 and the detections, and blocks the source from then on', async () => {
    const email = `fraud.${Math.random()}@example.com`;
    const sold = await buy('Ceramic Mug', CARDS.fraud, email);
    expect(sold.status).toBe(402);
    const told = async ({ body }: typeof sold) => {
      const { customer, rule } = await get(`/fraud_detections/${body.fraud_detection_created[0]}`);
      return { code: body.code, said: body.fraud_detection_response.rule, kept: rule, of: customer.email };
    };
    expect(await told(sold)).toEqual({ code: 5, said: 'third_party', kept: 'third_party', of: email });
    const again = await buy('Ceramic Mug', CARDS.approved, email);
    expect(await told(again)).toEqual({ code: 5, said: 'firewall', kept: 'firewall', of: email });
  });

  it('keeps a pending sale unpaid until it is processed', async () => {
    const campaign = (await service.get('/campaigns', { limit: 1, page: 1 })).body.results[0];
    const profile = (await service.get('/payment_profiles', { limit: 1, page: 1 })).body.results[0];
    const product = (await service.get('/products/search', { search_term: 'Brew Scale' })).body.results[0];
    const made = await act('/sales/pending', {
      campaign: campaign.id,
      iso_currency: 'USD',
      customer: { first_name: 'P', last_name: 'Q', email: `pending.${Math.random()}@example.com` },
      products: [{ id: product.id, quantity: 2 }],
    });
    expect(made.status).toBe(200);
    const path = `/sales/pending/${made.body.sale_id}`;
    const sale = () => get(`/sales/${made.body.sale_id}`);
    expect(await sale()).toMatchObject({ status: 'pending', amount_captured: 0 });
    expect((await act(path, { products: [{ id: product.id, quantity: 1 }] })).status).toBe(200);
    const estimate = await act('/sales/estimate', { sale_id: made.body.sale_id });
    expect(estimate.body.amount_total).toBe((await sale()).amount_total);
    const card = { card_number: CARDS.declined, exp_month: 1, exp_year: 30, card_code: '123' };
    expect((await act(`${path}/process`, { payment_profile: profile.id, credit_card: card })).body.code).toBe(2);
    expect((await sale()).status).toBe('pending');
    const good = { ...card, card_number: CARDS.approved };
    expect((await act(`${path}/process`, { payment_profile: profile.id, credit_card: good })).status).toBe(200);
    expect(await get(`/sales/${made.body.sale_id}`)).toMatchObject({
      status: 'paid',
      amount_captured: estimate.body.amount_total,
    });
    expect((await act(`${path}/process`, { payment_profile: profile.id })).status).toBe(400);
  });

  it('sets and clears a fraud alert without moving money', async () => {
    const [sale] = await readAll(service, '/sales');
    await act(`/sales/${sale?.id}/add_fraud_alert`);
    const flagged = await get(`/sales/${sale?.id}`);
    expect(flagged).toMatchObject({ fraud_alert: true, amount_total: sale?.amount_total });
    await act(`/sales/${sale?.id}/remove_fraud_alert`);
    expect((await get(`/sales/${sale?.id}`)).fraud_alert).toBe(false);
  });
});

describe('money (service.md#payments, service.md#paths)', () => {
  it('refunds a product sale in parts, never above what is left, each with a pending refund', async () => {
    const sold = await buy('Ceramic Mug', CARDS.approved);
    const sale = await get(`/sales/${sold.body.sale_id}`);
    const path = `/product_sales/${sale.product_sales[0]}`;
    const part = await act(`${path}/refund`, { amount: 4.5 });
    expect(part.body).toMatchObject({ code: 1, amount: 4.5, product_sale_id: sale.product_sales[0] });
    expect(await get(`/pending_refunds/${part.body.pending_refund[0]}`)).toMatchObject({
      status: 'pending',
      amount: 4.5,
      full: false,
    });
    expect((await get(path)).amount_refunded).toBe(4.5);
    expect((await get(`/sales/${sale.id}`)).amount_refunded).toBe(4.5);
    expect((await act(`${path}/refund`, { amount: 10.01 })).status).toBe(400);
    expect((await act(`${path}/refund`, { amount: 0 })).status).toBe(400);
    expect((await act(`${path}/refund`, { amount: -1 })).status).toBe(400);
    const rest = await act(`${path}/refund`, {});
    expect(rest.body.amount).toBe(10);
    expect((await act(`${path}/refund`, {})).status).toBe(400);
  });

  it('books an offsite refund at once', async () => {
    const sold = await buy('Ceramic Mug', CARDS.approved);
    const sale = await get(`/sales/${sold.body.sale_id}`);
    const done = await act(`/product_sales/${sale.product_sales[0]}/refund`, { refunded_offsite: true });
    expect((await get(`/pending_refunds/${done.body.pending_refund[0]}`)).refunded_offsite).toBe(true);
    const renewal = await find(service, '/subscription_renewals', (item) => item.amount_gross > 0);
    expect((await act(`/subscription_renewals/${renewal.id}/refund`, { refunded_offsite: true })).status).toBe(400);
  });

  it('refunds renewals, shipments, tax and bare transactions', async () => {
    const renewal = await find(
      service,
      '/subscription_renewals',
      (item) => item.amount_gross > 0 && item.amount_refunded === 0,
    );
    const answer = await act(`/subscription_renewals/${renewal.id}/refund`, {});
    expect(answer.body).toMatchObject({ amount: renewal.amount_total, subscription_id: renewal.subscription_id });
    expect((await get(`/subscription_renewals/${renewal.id}`)).amount_gross).toBe(0);
    expect((await get(`/transactions/${renewal.transactions[0]}`)).amount_refunded).toBe(renewal.amount_total);
    const sold = await buy('Ceramic Mug', CARDS.approved);
    const sale = await get(`/sales/${sold.body.sale_id}`);
    expect((await act(`/shipping/${sale.shipping[0]}/refund`, {})).status).toBe(200);
    expect((await act(`/tax/${sale.tax[0]}/refund`, { amount: 0.23 })).status).toBe(200);
    expect((await act(`/transactions/${sale.transactions[0]}/refund`, {})).status).toBe(200);
    expect((await get(`/sales/${sale.id}`)).amount_gross).toBe(0);
  });

  it('voids a sale: refunds everything, cancels what hangs on it', async () => {
    const sold = await buy('Coffee Club', CARDS.approved);
    const sale = await get(`/sales/${sold.body.sale_id}`);
    const done = await act(`/sales/${sale.id}/void`);
    expect(done.body).toMatchObject({ sale_id: sale.id, customer_id: sale.customer.id });
    expect(done.body.pending_refund).toHaveLength(3);
    expect(await get(`/sales/${sale.id}`)).toMatchObject({ status: 'voided', amount_total: 0, amount_gross: 0 });
    expect((await get(`/subscriptions/${sale.subscriptions[0]}`)).status).toBe('cancelled');
    expect((await act(`/sales/${sale.id}/void`)).status).toBe(400);
  });

  it('processes a pending refund by itself, not before the payment is 72 hours old', async () => {
    const sold = await buy('Gift Card', CARDS.approved);
    const sale = await get(`/sales/${sold.body.sale_id}`);
    const done = await act(`/product_sales/${sale.product_sales[0]}/refund`, {});
    const path = `/pending_refunds/${done.body.pending_refund[0]}`;
    await service.advance(2);
    expect((await get(path)).status).toBe('pending');
    await service.advance(1.5);
    expect((await get(path)).status).toBe('processed');
  });

  it('collects a salvage transaction and heals the renewal', async () => {
    const open = (await readAll(service, '/salvage_transactions')).filter(
      (item) => item.status === 'created' && item.subscription_renewals.length > 0,
    );
    // A card that was without money once may have some by now: one that still has none is meant.
    const declined = async () => {
      for (const item of open) if ((await act(`/salvage_transactions/${item.id}/process`)).status === 402) return item;
      throw new Error('every card is good for its salvage');
    };
    const salvage = await declined();
    const path = `/salvage_transactions/${salvage.id}/process`;
    const card = { card_number: CARDS.approved, exp_month: 1, exp_year: 30, card_code: '123' };
    expect((await act(path, { payment: { credit_card: card } })).status).toBe(200);
    expect(await get(`/salvage_transactions/${salvage.id}`)).toMatchObject({ status: 'success', amount_remaining: 0 });
    const renewal = await get(`/subscription_renewals/${salvage.subscription_renewals[0]}`);
    expect(renewal).toMatchObject({ is_overdue: false, amount_remaining: 0, amount_captured: salvage.amount });
    expect((await act(`/subscription_renewals/${renewal.id}/refund`, {})).status).toBe(200);
    expect((await act(path)).status).toBe(400);
  });
});
