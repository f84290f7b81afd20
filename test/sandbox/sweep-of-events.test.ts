/** @module-tag thorough */
import { describe } from 'vitest';
import { askTogether, DECLINED, type Merchant, type Question } from './merchant.js';
import type { Json } from './service.js';

/*
 * Sentences of the published description about account events: what raises which, and which filters let a run begin.
 * The answers were written before the sandbox was asked.
 */

const FRAUD = '4100000000000019';
const HALF = '4000000000000341';

const events = (m: Merchant): Json[] => m.all('site_events').filter(({ type }) => type === 'account_event');

type Deed = (m: Merchant) => Promise<unknown>;

/** What a deed raises; what it stands on is done before. */
async function raised(m: Merchant, deed: Deed): Promise<Set<string>> {
  const before = new Set(events(m).map(({ id }) => id));
  await deed(m);
  return new Set(
    events(m)
      .filter(({ id }) => !before.has(id))
      .map(({ notation }) => notation),
  );
}

const buy =
  (number: string, more: Json = {}): Deed =>
  async (m) =>
    m.post('/sales', m.order([{ id: await m.product() }], { credit_card: m.card(number), ...more }));
const shippable = async (m: Merchant) =>
  m.sold({ shipping_amount: 5 }, [{ id: await m.product({ is_shippable: true }) }]);
const taxed = (m: Merchant) => m.sold({ tax_amount: 2 });
const first = (found: Promise<Json>, family: string) => found.then((item) => item[family][0]);

async function customer(m: Merchant): Promise<string> {
  return m.made('/customers', {
    campaign: m.all('campaigns')[0]?.id,
    customer: { first_name: 'A', last_name: 'B', email: `${m.name()}@example.com` },
  });
}
async function group(m: Merchant): Promise<string> {
  return m.made('/customer_groups', { name: m.name() });
}

/** A subscription whose next payment is declined. */
async function failing(m: Merchant, profile: Json = { overdue_limit: 1 }): Promise<string> {
  const id = await m.subscribed(profile);
  await m.payWith(id, DECLINED);
  return id;
}
async function salvaged(m: Merchant): Promise<string> {
  const id = await failing(m);
  await m.post(`/subscriptions/${id}/renew`);
  return (await m.subscription(id)).salvage_transactions[0];
}

const refund =
  (path: string, find: (m: Merchant) => Promise<string>, body: Json = {}): Deed =>
  async (m) =>
    m.done(`/${path}/${await find(m)}/refund`, body);
const renewal = async (m: Merchant) => (await m.renewed(await m.subscribed())).id;
const trial = async (m: Merchant, word: string, body: Json = {}) =>
  m.done(`/trials/${(await m.tried()).trial}/${word}`, body);

/** What a deed raises (6.1): the notations that are among what it raises. */
const RAISED: readonly (readonly [deed: string, notations: string, deed: Deed])[] = [
  [
    'a memo',
    'ai_memo.created',
    (m) => m.done('/ai_memos', { ai_thread_id: m.all('ai_threads').at(-1)?.id, subject: 'S', message: 'M' }),
  ],
  [
    'a chargeback',
    'chargeback.created',
    async (m) => m.done('/chargebacks', { transaction_id: await first(m.sold(), 'transactions'), amount: 20 }),
  ],
  [
    'a sale by check',
    'check_direct.created sale.created.success.paid',
    (m) => m.sold({ payment_type: 'check_direct', credit_card: undefined }),
  ],
  [
    'a sale taken offline',
    'offline_payment.created sale.created.success.paid',
    (m) => m.sold({ payment_type: 'offline_payment', credit_card: undefined }),
  ],
  [
    'a sale by wallet',
    'wallet_transaction.created',
    (m) => m.sold({ payment_type: 'wallet', credit_card: undefined, wallet_transaction_id: 'W-9' }),
  ],
  ['a customer', 'customer.created', customer],
  [
    'a card of a customer',
    'customer.updated customer.updated.add_card',
    async (m) => m.done(`/customers/${await customer(m)}/payment_methods`, { payment: { credit_card: m.card() } }),
  ],
  [
    'an address of a customer',
    'customer.updated customer.updated.address',
    async (m) => m.done(`/customers/${await customer(m)}`, { customer: { city: 'Bonn' } }),
  ],
  [
    'a customer that is disabled',
    'customer.updated customer.updated.disabled',
    async (m) => m.done(`/customers/${await customer(m)}/disable`),
  ],
  [
    'a customer that is enabled again',
    'customer.updated.enabled',
    async (m) => {
      const id = await customer(m);
      await m.done(`/customers/${id}/disable`);
      await m.done(`/customers/${id}/enable`);
    },
  ],
  [
    'a customer that joins a group',
    'customer.updated.customer_group customer.updated.customer_group.added',
    async (m) => m.done(`/customers/${await customer(m)}/add_to_group`, { customer_group: [await group(m)] }),
  ],
  [
    'a customer that leaves a group',
    'customer.updated.customer_group customer.updated.customer_group.removed',
    async (m) => {
      const [id, of] = [await customer(m), await group(m)];
      await m.done(`/customers/${id}/add_to_group`, { customer_group: [of] });
      await m.done(`/customers/${id}/remove_from_group`, { customer_group: [of] });
    },
  ],
  ['a discount', 'discount.created', (m) => m.sold({ discount_amount: 3 })],
  [
    'a fraud detection',
    'fraud_detection.created',
    async (m) => m.done('/fraud_detections', { source_id: (await m.sold()).id }),
  ],
  [
    'a note',
    'note.created',
    async (m) => m.done('/notes', { item_type: 'customer', item_id: await customer(m), text: 'Hi' }),
  ],
  ['a product', 'product product.created', (m) => m.product()],
  [
    'a product that is edited',
    'product product.updated',
    async (m) => m.done(`/products/${await m.product()}`, { price: 4 }),
  ],
  [
    'a product that is deleted',
    'product product.deleted',
    async (m) => m.done(`/products/${await m.product()}/delete`),
  ],
  [
    'a sale',
    'sale.created sale.created.success sale.created.success.paid product_sale.created transaction.created',
    (m) => m.sold(),
  ],
  [
    'a declined sale',
    'sale.created sale.created.failed sale.created.failed.declined transaction.created',
    buy(DECLINED),
  ],
  ['a sale and an error of the gateway', 'sale.created.failed.error', buy('4000000000000119')],
  ['a sale and a fault of the merchant', 'sale.created.failed.merchant_error', buy('4000000000000127')],
  [
    'a sale that is fraud',
    'sale.created.failed.fraud_detected sentinel.alert sentinel.alert.fraud_detected fraud_detection.created',
    buy(FRAUD),
  ],
  [
    'half a sale',
    'sale.created.success.has_salvage sale.created.success.paid.has_salvage salvage_transaction salvage_transaction.created',
    buy(HALF),
  ],
  [
    'a pending sale',
    'sale.created.success.pending',
    async (m) => m.done('/sales/pending', m.order([{ id: await m.product() }])),
  ],
  [
    'a fraud alert',
    'sale.updated.fraud_alert sale.updated.fraud_alert.added',
    async (m) => m.done(`/sales/${(await m.sold()).id}/add_fraud_alert`),
  ],
  [
    'a fraud alert that is taken off',
    'sale.updated.fraud_alert.removed',
    async (m) => {
      const { id } = await m.sold();
      await m.done(`/sales/${id}/add_fraud_alert`);
      await m.done(`/sales/${id}/remove_fraud_alert`);
    },
  ],
  [
    'a salvage that is collected',
    'salvage_transaction salvage_transaction.updated.processed salvage_transaction.updated.processed.success',
    async (m) => m.done(`/salvage_transactions/${await salvaged(m)}/process`, { payment: { credit_card: m.card() } }),
  ],
  [
    'a salvage that fails again',
    'salvage_transaction.updated.processed.failed',
    async (m) => m.post(`/salvage_transactions/${await salvaged(m)}/process`),
  ],
  ['a shipment without fulfillment', 'shipping.created shipping.created.no_fulfillment', shippable],
  [
    'a shipment that is shipped',
    'shipping.updated shipping.updated.shipped',
    async (m) => m.done(`/shipping/${await first(shippable(m), 'shipping')}`, { status: 'shipped' }),
  ],
  [
    'a shipment that is delivered',
    'shipping.updated.delivered',
    async (m) => m.done(`/shipping/${await first(shippable(m), 'shipping')}`, { status: 'delivered' }),
  ],
  [
    'a shipment that goes elsewhere',
    'shipping.updated.ship_to',
    async (m) => m.done(`/shipping/${await first(shippable(m), 'shipping')}`, { ship_to: { city: 'Bonn' } }),
  ],
  ['a subscription', 'subscription.created', (m) => m.subscribed()],
  [
    'a renewal',
    'subscription.updated subscription.updated.renewed subscription.updated.renewed.success subscription_renewal.updated.success',
    renewal,
  ],
  [
    'a renewal that fails',
    'subscription.updated.renewed.failed subscription_renewal.updated subscription_renewal.updated.failed subscription.updated.status subscription.updated.status.overdue',
    async (m) => m.post(`/subscriptions/${await failing(m)}/renew`),
  ],
  [
    'a renewal above the limit of overdue ones',
    'subscription.updated.status.suspended',
    async (m) => {
      const id = await failing(m, { overdue_limit: 0 });
      await m.post(`/subscriptions/${id}/renew`);
    },
  ],
  [
    'the last renewal',
    'subscription.updated.status.occurrence_limit',
    async (m) => m.renewed(await m.subscribed({ occurrences: 'specific', occurrences_value: 1 })),
  ],
  [
    'a subscription that is suspended, and active again',
    'subscription.updated.status.suspended subscription.updated.status.active',
    async (m) => {
      const id = await m.subscribed();
      await m.done(`/subscriptions/${id}/suspend`);
      await m.done(`/subscriptions/${id}/activate`);
    },
  ],
  [
    'a subscription that is cancelled',
    'subscription.updated.status.cancelled',
    async (m) => m.done(`/subscriptions/${await m.subscribed()}/cancel`),
  ],
  ['a tax', 'tax.created', taxed],
  ['a trial', 'trial.created subscription.created', (m) => m.tried()],
  ['a trial that is extended', 'trial.updated trial.updated.extended', (m) => trial(m, 'extend', { days: 2 })],
  ['a trial that is shortened', 'trial.updated.shortened', (m) => trial(m, 'shorten', { days: 2 })],
  [
    'a trial that is cancelled',
    'trial.updated.cancelled subscription.updated.status.cancelled',
    (m) => trial(m, 'cancel'),
  ],
  ['a trial that ends', 'trial.updated.expired trial.updated.expired.success', (m) => trial(m, 'expire')],
  [
    'a trial whose payment fails',
    'trial.updated.expired.failed salvage_transaction.created',
    async (m) => {
      const { trial: id, subscription } = await m.tried();
      await m.payWith(subscription, DECLINED);
      await m.post(`/trials/${id}/expire`);
    },
  ],
  [
    'a refund of a line',
    'pending_refund.created pending_refund.created.product_sale pending_refund.created.product_sale.full',
    refund('product_sales', (m) => first(m.sold(), 'product_sales')),
  ],
  [
    'a part of a line',
    'pending_refund.created.product_sale.partial',
    refund('product_sales', (m) => first(m.sold(), 'product_sales'), { amount: 1 }),
  ],
  [
    'a refund of a shipment',
    'pending_refund.created.shipping pending_refund.created.shipping.full pending_refund.created.shipping.no_fulfillment pending_refund.created.shipping.full.no_fulfillment',
    refund('shipping', (m) => first(shippable(m), 'shipping')),
  ],
  [
    'a part of a shipment',
    'pending_refund.created.shipping.partial pending_refund.created.shipping.partial.no_fulfillment',
    refund('shipping', (m) => first(shippable(m), 'shipping'), { amount: 1 }),
  ],
  [
    'a refund of a renewal',
    'pending_refund.created.subscription_renewal.full',
    refund('subscription_renewals', renewal),
  ],
  [
    'a part of a renewal',
    'pending_refund.created.subscription_renewal.partial',
    refund('subscription_renewals', renewal, { amount: 1 }),
  ],
  ['a refund of a tax', 'pending_refund.created.tax.full', refund('tax', (m) => first(taxed(m), 'tax'))],
  [
    'a part of a tax',
    'pending_refund.created.tax.partial',
    refund('tax', (m) => first(taxed(m), 'tax'), { amount: 1 }),
  ],
];

const RAISE: Question[] = RAISED.map(([name, notations, deed]) => [
  `${name}: which of its events does it not raise?`,
  [],
  async (m) => {
    const said = await raised(m, deed);
    return notations.split(' ').filter((one) => !said.has(one));
  },
]);

const NOT: Question[] = (
  [
    [
      'an edit of a customer alone',
      ['customer.created', 'customer.updated.add_card'],
      async (m) => m.done(`/customers/${await customer(m)}`, { customer: { phone: '1' } }),
    ],
    [
      'an estimate',
      ['sale.created', 'transaction.created'],
      async (m) => m.done('/sales/estimate', m.order([{ id: await m.product() }])),
    ],
    [
      'a part of a line',
      ['pending_refund.created.product_sale.full'],
      refund('product_sales', (m) => first(m.sold(), 'product_sales'), { amount: 1 }),
    ],
    ['a declined sale', ['sale.created.success', 'subscription.created'], buy(DECLINED)],
  ] as readonly (readonly [string, string[], Deed])[]
).map(([name, notations, deed]) => [
  `${name}: which of these does it raise after all? (${notations.join(' ')})`,
  name === 'an edit of a customer alone' ? ['customer.created'] : [],
  async (m) => {
    const said = await raised(m, deed);
    return notations.filter((one) => said.has(one));
  },
]);
describe('what raises which event', () => askTogether([...RAISE, ...NOT]));
