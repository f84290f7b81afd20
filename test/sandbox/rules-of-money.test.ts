/** @module-tag thorough */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Embedded } from './embedded.js';
import type { Json } from './service.js';

/* The rules about money of service.md#subscription-profiles, service.md#payments, service.md#shipping-rates and of the lifecycle; the books are checked after every write. */

let service: Embedded;
let count = 0;
beforeAll(async () => {
  service = await Embedded.start('2026-01-31T10:00:00Z');
});
afterAll(() => service.stop());

const post = (path: string, body: Json = {}) => service.post(path, body);
const get = (path: string) => service.get(path);
const made = async (path: string, body: Json): Promise<string> => {
  const answer = await post(path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  const name = Object.keys(answer.body).find((one) => one.endsWith('_id') && one !== 'api_call_id');
  return answer.body[name as string];
};
const card = (card_number = '4111111111111111') => ({ card_number, exp_month: 1, exp_year: 30, card_code: '123' });
const product = (more: Json = {}) => made('/products', { name: `P${count++}`, price: 10, ...more });
const profile = (more: Json = {}) =>
  made('/subscription_profiles', {
    name: `S${count++}`,
    frequency: 'unit',
    frequency_unit: { unit: 'months', value: 1 },
    ...more,
  });
const order = (products: Json[], more: Json = {}) => ({
  campaign: service.all('campaigns')[0]?.id,
  payment_profile: service.all('payment_profiles')[0]?.id,
  credit_card: card(),
  customer: { first_name: 'A', last_name: 'B', email: `m${count++}@example.com`, country: 'USA' },
  products,
  ...more,
});
const sell = async (products: Json[], more: Json = {}): Promise<Json> => {
  const sold = await post('/sales', order(products, more));
  expect(sold.status, JSON.stringify(sold.body)).toBe(200);
  return get(`/sales/${sold.body.sale_id}`);
};
const subscribe = async (more: Json = {}, sale: Json = {}): Promise<Json> => {
  const id = await product({ price_subscription: 20, subscription_profile: await profile(more) });
  const sold = await sell([{ id }], sale);
  return get(`/subscriptions/${sold.subscriptions[0]}`);
};
const renew = async (id: string): Promise<Json> => {
  const renewed = await post(`/subscriptions/${id}/renew`);
  expect(renewed.status, JSON.stringify(renewed.body)).toBe(200);
  return get(`/subscription_renewals/${renewed.body.subscription_renewal_id}`);
};

describe('one ledger', () => {
  it.each([
    ['wallet', 'wallet_transactions', { wallet_transaction_id: 'W-1' }],
    ['check_direct', 'check_directs', {}],
    ['offline_payment', 'offline_payments', {}],
  ])(
    'takes the refund of a sale paid by %s to its payment (service.md#payments, relation 2)',
    async (word, family, more) => {
      const sale = await sell([{ id: await product(), quantity: 2 }], { payment_type: word, ...more });
      const refunded = await post(`/product_sales/${sale.product_sales[0]}/refund`, { amount: 7.5 });
      expect(refunded.body).toMatchObject({ amount: 7.5, pending_refund: [expect.any(String)] });
      for (const path of [`/${family}/${sale[family][0]}`, `/sales/${sale.id}`])
        expect(await get(path)).toMatchObject({ amount_refunded: 7.5, amount_gross: 12.5 });
      const pending = await get(`/pending_refunds/${refunded.body.pending_refund[0]}`);
      expect(pending).toMatchObject({ amount: 7.5, [family]: sale[family], transaction_id: null });
      await post(`/sales/${sale.id}/void`);
      expect(await get(`/${family}/${sale[family][0]}`)).toMatchObject({ amount_refunded: 20, amount_gross: 0 });
    },
  );

  it('spreads a discount so that the lines add up, also with a trial last', async () => {
    const ids = [await product({ price: 10.01 }), await product({ price: 10 }), await product({ trial_days: 7 })];
    const sale = await sell(
      ids.map((id) => ({ id })),
      { discount_amount: 0.01 },
    );
    const lines = await Promise.all(sale.product_sales.map((id: string) => get(`/product_sales/${id}`)));
    const cents = lines.map((line) => Math.round(line.amount_total * 100));
    expect(cents.reduce((sum, one) => sum + one, 0)).toBe(2000);
    expect(sale.amount_total).toBe(20);
  });

  it('turns the invoice when the sale that paid it is voided', async () => {
    const invoice = await post('/invoices', order([{ id: await product() }]));
    const paid = { payment_profile: service.all('payment_profiles')[0]?.id, credit_card: card() };
    expect((await post(`/sales/pending/${invoice.body.sale_id}/process`, paid)).status).toBe(200);
    expect((await get(`/invoices/${invoice.body.invoice_id}`)).status).toBe('paid');
    await post(`/sales/${invoice.body.sale_id}/void`);
    expect(await get(`/invoices/${invoice.body.invoice_id}`)).toMatchObject({ status: 'void', amount_refunded: 10 });
  });

  it('leaves a cancelled subscription alone when its salvage is collected', async () => {
    const subscription = await subscribe();
    const customer = subscription.customer.id;
    const bad = await post(`/customers/${customer}/payment_methods`, {
      payment: { credit_card: card('4000000000000002') },
    });
    await post(`/customers/${customer}/payment_methods/${bad.body.customer_card_id}/set_default`);
    expect((await post(`/subscriptions/${subscription.id}/renew`)).status).toBe(402);
    expect(await get(`/subscriptions/${subscription.id}`)).toMatchObject({ status: 'overdue', is_overdue: true });
    await post(`/subscriptions/${subscription.id}/cancel`);
    const salvage = (await get(`/subscriptions/${subscription.id}`)).salvage_transactions[0];
    const collected = await post(`/salvage_transactions/${salvage}/process`, { payment: { credit_card: card() } });
    expect(collected.status).toBe(200);
    const after = await get(`/subscriptions/${subscription.id}`);
    expect(after).toMatchObject({ status: 'cancelled', is_overdue: false, overdue_count: 0 });
  });
});

describe('gateways', () => {
  const gateways = () => service.all('user_gateways').map(({ id }) => id as string);
  const flow = (ids: string[]) => [
    {
      id: 'a',
      type: 'start_payment_request',
      outputs: { output_1: { connections: [{ node: 'b', output: 'input_1' }] } },
    },
    { id: 'b', type: 'action_choose_gateway', settings: { user_gateway: ids } },
    { id: 'c', type: 'action_process_payment' },
  ];
  const routed = (ids: string[]) => made('/payment_profiles', { name: `F${count++}`, payment_flow: flow(ids) });
  const used = async (renewal: Json) => (await get(`/transactions/${renewal.transactions[0]}`)).gateway_id;

  it('are chosen by the flow of the payment profile, the next one when the first is off', async () => {
    const [main = '', backup = ''] = gateways();
    const payment_profile = await routed([backup, main]);
    const item = { id: await product() };
    expect(await used(await sell([item], { payment_profile }))).toBe(backup);
    await post(`/user_gateways/${backup}`, { enabled: false });
    expect(await used(await sell([item], { payment_profile }))).toBe(main);
    const only = await routed([backup]);
    expect((await post('/sales', order([item], { payment_profile: only }))).body).toMatchObject({ code: 3 });
    expect(service.all('sales').at(-1)).toMatchObject({ status: 'failed', failed_reason: 'no_gateway' });
    await post(`/user_gateways/${backup}`, { enabled: true });
  });

  it('follow the payment profile on renewals, and prefer_gateway up to its max (service.md#subscription-profiles)', async () => {
    const [main = '', backup = ''] = gateways();
    const payment_profile = await routed([backup]);
    const first = { payment_profile: await routed([main]) };
    const plain = await subscribe({ payment_profile }, first);
    expect(await used(await renew(plain.id))).toBe(backup);
    const prefer_gateway = { enabled: true, lock_gateway: false, max: 1 };
    const preferring = await subscribe({ payment_profile, prefer_gateway }, first);
    expect(await used(await renew(preferring.id))).toBe(main);
    expect(await used(await renew(preferring.id))).toBe(backup);
    const locked = await subscribe(
      { payment_profile, prefer_gateway: { ...prefer_gateway, lock_gateway: true, max: 0 } },
      first,
    );
    for (let turn = 0; turn < 3; turn++) expect(await used(await renew(locked.id))).toBe(main);
  });
});

describe('coupons', () => {
  it('lower renewals while they may be used', async () => {
    const coupon = await made('/coupons', {
      coupon_code: 'TENTH',
      discount_type: 'percent',
      discount_value: 10,
      max_uses: 1,
    });
    const subscription = await subscribe();
    expect((await post(`/subscriptions/${subscription.id}`, { coupon: [coupon] })).status).toBe(200);
    const renewal = await renew(subscription.id);
    expect(renewal).toMatchObject({ amount_original_total: 20, amount_total: 18, amount_captured: 18 });
    expect(await get(`/discounts/${renewal.discounts[0]}`)).toMatchObject({ amount: 2 });
    expect(await get(`/coupons/${coupon}`)).toMatchObject({ num_use: 1 });
    expect((await renew(subscription.id)).amount_total).toBe(20);
    expect((await post('/sales', order([{ id: await product() }], { coupon_code: 'TENTH' }))).status).toBe(400);
  });

  it('keep to the limit of their profile', async () => {
    const coupon_profile = await made('/coupon_profiles', { name: 'Twice', max_uses: 1 });
    await made('/coupons', { coupon_code: 'ONCE', coupon_profile, discount_type: 'amount', discount_value: 2 });
    const sale = await sell([{ id: await product() }], { coupon_code: 'once' });
    expect(sale.amount_total).toBe(8);
    expect((await post('/sales', order([{ id: await product() }], { coupon_code: 'ONCE' }))).status).toBe(400);
  });

  it('keep their code taken when they are gone', async () => {
    const id = await made('/coupons', { coupon_code: 'GONE' });
    await post(`/coupons/${id}/delete`);
    expect((await post('/coupons', { coupon_code: 'gone' })).status).toBe(400);
  });
});

describe('shipping rates (service.md#shipping-rates)', () => {
  const rate = async (charge: number, qualifiers: Json) => {
    const [carrier] = (await get('/site_shipping_providers?limit=25&page=1')).results;
    const none = { products: [], product_groups: [], countries: [], revenue_rules: [] };
    const rates = [
      {
        rate: charge,
        provider: carrier.id,
        provider_method: carrier.methods[0].id,
        qualifiers: { ...none, ...qualifiers },
      },
    ];
    return made('/shipping_profiles', { name: `R${count++}`, rates });
  };
  const shipped = async (item: Json, more: Json) => {
    const sale = await sell([item], more);
    return (await get(`/shipping/${sale.shipping[0]}`)).amount;
  };

  it('qualify by country, product, quantity and revenue', async () => {
    const id = await product({ is_shippable: true });
    const other = await product({ is_shippable: true });
    const inGermany = await rate(11, { countries: [{ iso_code: 'DEU', enabled: true }] });
    const german = { customer: { first_name: 'A', last_name: 'B', email: 'de@example.com', country: 'DEU' } };
    expect(await shipped({ id }, { shipping_profile: inGermany, ...german })).toBe(11);
    expect(await shipped({ id }, { shipping_profile: inGermany })).toBe(0);
    const many = await rate(3, { products: [{ id, enabled: true, quantity_rule: 'greater_than', quantity_value: 2 }] });
    expect(await shipped({ id, quantity: 3 }, { shipping_profile: many })).toBe(3);
    expect(await shipped({ id, quantity: 2 }, { shipping_profile: many })).toBe(0);
    expect(await shipped({ id: other, quantity: 3 }, { shipping_profile: many })).toBe(0);
    const group = await made('/product_groups', { name: 'Heavy', products: [other] });
    const heavy = await rate(9, { product_groups: [{ id: group, enabled: true }] });
    expect(await shipped({ id: other }, { shipping_profile: heavy })).toBe(9);
    expect(await shipped({ id }, { shipping_profile: heavy })).toBe(0);
    const rule = { enabled: true, source: 'shippable_products', rule: 'less_than', rule_value: 20 };
    const small = await rate(2, { revenue_rules: [rule] });
    expect(await shipped({ id }, { shipping_profile: small })).toBe(2);
    expect(await shipped({ id, quantity: 2 }, { shipping_profile: small })).toBe(0);
  });

  it('charge renewals with the first rate of the profile, its rules ignored (service.md#subscription-profiles, rule 4)', async () => {
    const nowhere = await rate(6.5, { countries: [{ iso_code: 'ATA', enabled: true }] });
    const profileId = await profile({ shipping_profile: nowhere });
    const id = await product({ is_shippable: true, price_subscription: 20, subscription_profile: profileId });
    const sale = await sell([{ id }]);
    const renewal = await renew(sale.subscriptions[0]);
    expect(renewal).toMatchObject({ amount_total: 26.5, amount_captured: 26.5 });
    expect(await get(`/shipping/${renewal.shipping[0]}`)).toMatchObject({ amount: 6.5, shipping_profile: nowhere });
  });
});

describe('schedules', () => {
  const dateOf = (unix: number) => new Date(unix * 1000).toISOString().slice(0, 10);
  const dates = async (id: string) => {
    const { subscription_renewals: ids } = await get(`/subscriptions/${id}`);
    return Promise.all(
      ids.map(async (one: string) => dateOf((await get(`/subscription_renewals/${one}`)).created_date_unix)),
    );
  };

  it('stand on the last day of a short month and return to the 31st', async () => {
    const monthly = await subscribe();
    const calendar = await subscribe({
      frequency: 'calendar',
      frequency_calendar: { unit: 'day', value: 31, parent: 'month' },
    });
    expect(dateOf(monthly.billing.next_renewal_date_unix)).toBe('2026-02-28');
    await service.at('2026-06-02T00:00:00Z');
    expect(await dates(monthly.id)).toEqual(['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']);
    expect((await dates(calendar.id)).slice(0, 4)).toEqual(['2026-02-28', '2026-03-31', '2026-04-30', '2026-05-31']);
  });
});

describe('tax', () => {
  it('is worked out by a profile with an integration, for its campaigns', async () => {
    const [campaign, other] = service.all('campaigns').map(({ id }) => id);
    const third_party_integration = service
      .all('user_third_party_integrations')
      .find((one) => one.name === 'Tax service')?.id;
    const id = await made('/tax_profiles', { name: 'By service', third_party_integration, campaign_filter: [other] });
    expect((await sell([{ id: await product() }])).tax).toEqual([]);
    const sale = await sell([{ id: await product({ price: 20 }) }], { campaign: other, discount_amount: 2 });
    expect(sale.amount_total).toBe(19.49);
    expect(await get(`/tax/${sale.tax[0]}`)).toMatchObject({ amount: 1.49, rate: 8.25, tax_profile: { id } });
    const refunded = await post(`/tax/${sale.tax[0]}/refund`);
    expect(refunded.body).toMatchObject({ amount: 1.49 });
    await post(`/tax_profiles/${id}`, { campaign_filter: [campaign], enabled: false });
    expect((await sell([{ id: await product() }])).tax).toEqual([]);
  });
});
