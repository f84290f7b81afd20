/** @module-tag thorough */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { find, type Json, type Service, startService } from './service.js';

/* What was paid, for whom, and with which card: each refund and charge lands where it belongs (service.md#payments, lifecycle). */

let service: Service;
let shop: { campaign: string; payment_profile: string };
beforeAll(async () => {
  service = await startService({ schedules: false });
  const first = async (path: string) => (await service.get(path, { limit: 1, page: 1 })).body.results[0].id as string;
  shop = { campaign: await first('/campaigns'), payment_profile: await first('/payment_profiles') };
});
afterAll(() => service.stop());

const DAY = 86_400;
const get = async (path: string): Promise<Json> => (await service.get(path)).body;
const act = (path: string, body: unknown = {}) => service.post(path, body);
const card = (card_number: string) => ({ card_number, exp_month: 12, exp_year: 30, card_code: '123' });
const product = async (name: string) =>
  (await service.get('/products/search', { search_term: name })).body.results[0].id as string;

async function order(name: string, more: Json = {}) {
  const customer = { first_name: 'Money', last_name: 'Test', email: `money.${Math.random()}@example.com` };
  return { ...shop, iso_currency: 'USD', customer, products: [{ id: await product(name) }], ...more };
}

async function buy(name: string): Promise<Json> {
  const sold = await act('/sales', await order(name, { credit_card: card('4111111111111111') }));
  return get(`/sales/${sold.body.sale_id}`);
}

describe('a bare transaction refund', () => {
  it('is booked on the renewal that the transaction paid, never on the first sale', async () => {
    const sale = await buy('Coffee Club');
    const renewed = await act(`/subscriptions/${sale.subscriptions[0]}/renew`);
    const path = `/subscription_renewals/${renewed.body.subscription_renewal_id}`;
    const renewal = await get(path);
    expect((await act(`/transactions/${renewal.transactions[0]}/refund`, { amount: 1 })).status).toBe(200);
    expect((await get(path)).amount_refunded).toBe(1);
    expect((await get(`/sales/${sale.id}`)).amount_refunded).toBe(0);
    expect((await act(`${path}/refund`, {})).body.amount).toBe(Number((renewal.amount_total - 1).toFixed(2)));
  });

  it('is booked on the trial that it paid', async () => {
    const sale = await buy('Trial Sampler');
    await act(`/trials/${sale.trials[0]}/expire`);
    const trial = await get(`/trials/${sale.trials[0]}`);
    expect((await act(`/transactions/${trial.transactions.at(-1)}/refund`, {})).status).toBe(200);
    expect(await get(`/trials/${trial.id}`)).toMatchObject({ amount_refunded: trial.amount_captured, amount_gross: 0 });
  });
});

describe('cards', () => {
  it('declines a number that is no card number, and leaves a failed sale', async () => {
    const sold = await act('/sales', await order('Ceramic Mug', { credit_card: card('4111111111111112') }));
    expect([sold.status, sold.body.code]).toEqual([402, 2]);
    const failed = await find(service, '/sales', (one) => one.status === 'failed');
    expect(failed).toMatchObject({ failed_reason: 'declined', amount_captured: 0, amount_gross: 0 });
  });

  it('of another customer, or disabled, are not charged for a salvage transaction', async () => {
    const salvage = await find(service, '/salvage_transactions', (one) => one.status === 'created');
    const customers = (await service.get('/customers/search', { search_term: '@' })).body.results as Json[];
    const other = customers.find((one) => one.id !== salvage.customer.id)?.id;
    const path = `/salvage_transactions/${salvage.id}/process`;
    const added = await act(`/customers/${other}/payment_methods`, {
      payment: { credit_card: card('4111111111111111') },
    });
    expect((await act(path, { customer_card_id: added.body.customer_card_id })).status).toBe(400);
    const own = await act(`/customers/${salvage.customer.id}/payment_methods`, {
      payment: { credit_card: card('5555555555554444') },
    });
    const method = `/customers/${salvage.customer.id}/payment_methods/${own.body.customer_card_id}`;
    await act(`${method}/disable`);
    expect((await act(path, { customer_card_id: own.body.customer_card_id })).status).toBe(400);
    expect(await get(`/salvage_transactions/${salvage.id}`)).toMatchObject({ status: 'created', attempts: 0 });
    await act(`${method}/enable`);
    expect((await act(path, { customer_card_id: own.body.customer_card_id })).status).toBe(200);
  });
});

describe('an invoice', () => {
  const invoice = async (): Promise<{ path: string; sale: string }> => {
    const made = await act('/invoices', await order('Ceramic Mug'));
    expect(made.status).toBe(200);
    return { path: `/invoices/${made.body.invoice_id}`, sale: made.body.sale_id };
  };

  it('is paid when its pending sale is', async () => {
    const { path, sale } = await invoice();
    expect((await get(path)).status).toBe('unpaid');
    const paid = { payment_profile: shop.payment_profile, credit_card: card('4111111111111111') };
    expect((await act(`/sales/pending/${sale}/process`, paid)).status).toBe(200);
    const after = await get(path);
    expect(after).toMatchObject({ status: 'paid', amount_captured: after.amount_total });
    expect((await get(`/sales/${sale}`)).invoices).toEqual([after.id]);
  });

  it('is void when its pending sale is', async () => {
    const { path, sale } = await invoice();
    expect((await act(`/sales/${sale}/void`)).body.pending_refund).toEqual([]);
    expect((await get(path)).status).toBe('void');
    expect((await get(`/sales/${sale}`)).status).toBe('cancelled');
  });
});

describe('a fraud detection', () => {
  it('voids no sale that failed', async () => {
    const failed = await find(service, '/sales', (one) => one.status === 'failed');
    expect((await act('/fraud_detections', { source_id: failed.id, void_sale: true })).status).toBe(200);
    expect((await get(`/sales/${failed.id}`)).status).toBe('failed');
  });
});

describe('a shipment', () => {
  it('is made by a renewal with a shippable product, for the first rate of the profile', async () => {
    const sale = await buy('Coffee Club');
    const { subscription_profile: profile } = await get(`/subscriptions/${sale.subscriptions[0]}`);
    const course = await buy('Course, six parts');
    const { subscription_profile: other } = await get(`/subscriptions/${course.subscriptions[0]}`);
    const renew = () => act(`/subscriptions/${sale.subscriptions[0]}/renew`);
    const { body: free } = await renew();
    const parcel = await get(`/subscription_renewals/${free.subscription_renewal_id}`);
    expect(await get(`/shipping/${parcel.shipping[0]}`)).toMatchObject({ amount_total: 0 });
    await act(`/subscription_profiles/${profile.id}`, { shipping_profile: other.shipping_profile });
    const renewed = await renew();
    const renewal = await get(`/subscription_renewals/${renewed.body.subscription_renewal_id}`);
    expect(renewal.shipping).toHaveLength(1);
    const shipment = await get(`/shipping/${renewal.shipping[0]}`);
    expect(shipment).toMatchObject({ status: 'notshipped', amount_total: 4.95, subscription_renewals: [renewal.id] });
    expect(shipment.products).toMatchObject([{ id: renewal.product.id }]);
    expect(shipment.fulfillment_account).toMatchObject({ name: 'Warehouse' });
    const before = (await get(`/sales/${sale.id}`)).amount_refunded;
    expect((await act(`/shipping/${shipment.id}/refund`)).status).toBe(200);
    // It was paid with the renewal, never with the first sale.
    expect((await get(`/subscription_renewals/${renewal.id}`)).amount_refunded).toBe(4.95);
    expect((await get(`/sales/${sale.id}`)).amount_refunded).toBe(before);
  });

  it.each([
    ['trial_expiration', 0, 1],
    ['trial_creation', 1, 0],
    ['both_trial_expiration_creation', 1, 1],
  ])('of a trial product is made as %s says (service.md#products)', async (trial_shipping_setting, atSale, atEnd) => {
    const made = await act('/products', {
      name: `Trial ${trial_shipping_setting}`,
      price: 20,
      trial_days: 7,
      is_shippable: true,
      trial_shipping_setting,
    });
    const body = await order('Ceramic Mug', { credit_card: card('4111111111111111') });
    const sold = await act('/sales', { ...body, products: [{ id: made.body.product_id }] });
    const sale = await get(`/sales/${sold.body.sale_id}`);
    expect(sale.shipping).toHaveLength(atSale);
    await act(`/trials/${sale.trials[0]}/expire`);
    expect((await get(`/trials/${sale.trials[0]}`)).shipping).toHaveLength(atEnd);
  });

  it('goes forward only, as cops reference sandbox says', async () => {
    const sale = await buy('Ceramic Mug');
    const path = `/shipping/${sale.shipping[0]}`;
    expect((await act(path, { status: 'shipped', tracking_number: '1Z' })).status).toBe(200);
    for (const status of ['notshipped', 'merged', 'gone']) expect((await act(path, { status })).status).toBe(400);
    expect((await act(path, { status: 'delivered' })).status).toBe(200);
    expect((await act(path, { status: 'error' })).status).toBe(400);
    expect(await get(path)).toMatchObject({ status: 'delivered', tracking_number: '1Z' });
  });

  it('keeps its amounts whatever a body says', async () => {
    const sale = await buy('Ceramic Mug');
    const path = `/shipping/${sale.shipping[0]}`;
    for (const body of [{ amount_refunded: 5 }, { amount_captured: 0 }, { sales: [] }, { live_mode: true }])
      expect((await act(path, body)).status).toBe(400);
    expect((await get(path)).amount_refunded).toBe(0);
  });
});

describe('time and money', () => {
  it('renews once for each period that passed, each at its own date', async () => {
    const sale = await buy('Coffee Club');
    const path = `/subscriptions/${sale.subscriptions[0]}`;
    const before = await get(path);
    await service.advance(100);
    const after = await get(path);
    const dates = await Promise.all(
      after.subscription_renewals.map(
        async (id: string) => (await get(`/subscription_renewals/${id}`)).created_date_unix,
      ),
    );
    expect(dates[0]).toBe(before.billing.next_renewal_date_unix);
    expect(dates).toHaveLength(after.renewal_count);
    for (const [index, at] of dates.entries()) if (index > 0) expect(at - dates[index - 1]).toBeGreaterThan(27 * DAY);
    expect(after.billing.next_renewal_date_unix).toBeGreaterThan(await service.now());
  });
});

describe('a sale that is collected in part', () => {
  const half = async () => {
    const sold = await act(
      '/sales',
      await order('Ceramic Mug', { tax_amount: 0, shipping_amount: 0, credit_card: card('4000000000000341') }),
    );
    return get(`/sales/${sold.body.sale_id}`);
  };

  it('shows what remains, and is whole once its salvage transaction is collected', async () => {
    const sale = await half();
    const rest = sale.amount_remaining;
    expect(rest).toBeGreaterThan(0);
    expect(sale).toMatchObject({ status: 'paid', amount_captured: Number((sale.amount - rest).toFixed(2)) });
    const [id] = sale.salvage_transactions;
    expect(await get(`/salvage_transactions/${id}`)).toMatchObject({ status: 'created', amount_remaining: rest });
    const paid = await act(`/salvage_transactions/${id}/process`, {
      payment: { credit_card: card('4111111111111111') },
    });
    expect(paid.status).toBe(200);
    expect(await get(`/sales/${sale.id}`)).toMatchObject({ amount_captured: sale.amount, amount_remaining: 0 });
    expect(await get(`/product_sales/${sale.product_sales[0]}`)).toMatchObject({
      amount_captured: sale.amount,
      amount_remaining: 0,
    });
    expect((await act(`/product_sales/${sale.product_sales[0]}/refund`)).body.amount).toBe(sale.amount);
  });

  it('gives back what was collected and asks for no more when it is void', async () => {
    const sale = await half();
    expect((await act(`/sales/${sale.id}/void`)).body.pending_refund).toHaveLength(1);
    expect(await get(`/sales/${sale.id}`)).toMatchObject({
      status: 'voided',
      amount_refunded: sale.amount_captured,
      amount_remaining: 0,
    });
    expect(await get(`/salvage_transactions/${sale.salvage_transactions[0]}`)).toMatchObject({
      status: 'disabled',
      amount_remaining: 0,
    });
  });

  it('owes nothing more once its salvage transaction is disabled, and settles to the cent', async () => {
    const sale = await half();
    await act(`/salvage_transactions/${sale.salvage_transactions[0]}/disable`);
    await service.advance(3);
    expect(await get(`/sales/${sale.id}`)).toMatchObject({ amount_remaining: 0, amount_settled: sale.amount_captured });
  });
});
