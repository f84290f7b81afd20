import type { Value } from '../store/item-values.js';
import { card, type Good, orderBody, orderBy, part } from './goods.js';
import { CARDS, type Recipe, type Tools } from './trigger-tools.js';

/** A sale by a given card; `--item` is the buying customer. */
const paidBy =
  (number: string, good: Good = 'plain', more: Value = {}): Recipe =>
  async (tools) => {
    await tools.post('/sales', await orderBody(tools, good, { credit_card: card(number), ...more }));
  };

const otherwise =
  (word: string): Recipe =>
  async (tools) => {
    await tools.post('/sales', await orderBy(tools, word));
  };

const pending =
  (more: Value = {}): Recipe =>
  async (tools) => {
    await tools.post('/sales/pending', await orderBody(tools, 'plain', more));
  };

/** A sale whose payment profile leads to a disabled gateway. */
const unrouted: Recipe = async (tools) => {
  const gateway = await tools.post('/user_gateways', {
    name: tools.word(),
    site_gateway_id: tools.store.all('site_gateways', null)[0]?.id,
    enabled: false,
  });
  const flow = [
    { id: 'start', type: 'start_payment_request', node_settings: { user_gateway: gateway.user_gateway_id } },
  ];
  const routing = await tools.post('/payment_profiles', { name: tools.word(), payment_flow: flow });
  await tools.post('/sales', await orderBody(tools, 'plain', { payment_profile: routing.payment_profile_id }));
  // Removes it again, so that other sales do not use it.
  await tools.post(`/payment_profiles/${String(routing.payment_profile_id)}`, { enabled: false });
};

const firewall: Recipe = async (tools) => {
  const body = await orderBody(tools, 'plain', { credit_card: card(CARDS.fraud) });
  await tools.post('/sales', body);
  await tools.post('/sales', body);
};

const alert =
  (on: boolean): Recipe =>
  async (tools) => {
    const sale = await tools.subject(
      'sales',
      () => true,
      () => part(tools, 'sales', 'plain'),
    );
    // Start from the opposite state, so that the event is a real change.
    if ((sale.value.fraud_alert === true) === on)
      await tools.post(`/sales/${sale.id}/${on ? 'remove' : 'add'}_fraud_alert`);
    await tools.post(`/sales/${sale.id}/${on ? 'add' : 'remove'}_fraud_alert`);
  };

/** A refund of an item from a new sale, or of the one named on the command line. */
const refund =
  (family: string, make: (tools: Tools) => ReturnType<typeof part>, amount?: number): Recipe =>
  async (tools) => {
    const item = await tools.subject(
      family,
      (one) => Number(one.amount_gross) > 0,
      () => make(tools),
      'has something to refund',
    );
    await tools.post(`/${family}/${item.id}/refund`, amount === undefined ? {} : { amount });
  };
const line = (tools: Tools) => part(tools, 'product_sales', 'plain');
const parcel = (good: Good) => (tools: Tools) => part(tools, 'shipping', good, { shipping_amount: 7 });
const taxed = (tools: Tools) => part(tools, 'tax', 'plain', { tax_amount: 2 });
const renewed = async (tools: Tools) => {
  const subscription = await part(tools, 'subscriptions', 'subscription');
  const { subscription_renewal_id: id } = await tools.post(`/subscriptions/${subscription.id}/renew`);
  return tools.get('subscription_renewals', id);
};

const created = 'pending_refund.created';

/** How to make sales and their consequences happen, by the longest notation. */
export const SALE_RECIPES: Readonly<Record<string, Recipe>> = {
  'sale.created.success.paid': paidBy(CARDS.approved),
  'sale.created.success.has_salvage': paidBy(CARDS.partly),
  'sale.created.success.paid.has_salvage': paidBy(CARDS.partly),
  'sale.created.success.is_upsell': paidBy(CARDS.approved, 'plain', { is_upsell: true }),
  'sale.created.success.paid.is_upsell': paidBy(CARDS.approved, 'plain', { is_upsell: true }),
  'sale.created.success.pending': pending(),
  'sale.created.success.pending.is_upsell': pending({ is_upsell: true }),
  'sale.created.failed.declined': paidBy(CARDS.declined),
  'sale.created.failed.error': paidBy(CARDS.error),
  'sale.created.failed.no_gateway': unrouted,
  'sale.created.failed.fraud_detected': paidBy(CARDS.fraud),
  'sale.created.failed.merchant_error': paidBy(CARDS.merchant),
  'sale.created.failed.merchant_hold': paidBy(CARDS.held),
  'sale.updated.fraud_alert.added': alert(true),
  'sale.updated.fraud_alert.removed': alert(false),
  'product_sale.created': paidBy(CARDS.approved),
  'transaction.created': paidBy(CARDS.approved),
  'discount.created': paidBy(CARDS.approved, 'plain', { discount_amount: 1 }),
  'tax.created': paidBy(CARDS.approved, 'plain', { tax_amount: 2 }),
  'check_direct.created': otherwise('check_direct'),
  'offline_payment.created': otherwise('offline_payment'),
  'wallet_transaction.created': otherwise('wallet'),
  'invoice.created': async (tools) => {
    const { credit_card: _card, payment_profile: _profile, ...body } = await orderBody(tools);
    await tools.post('/invoices', body);
  },
  'sentinel.alert.fraud_detected': paidBy(CARDS.fraud),
  'sentinel.alert.firewall_block': firewall,
  'shipping.created.has_fulfillment': paidBy(CARDS.approved, 'sent'),
  'shipping.created.no_fulfillment': paidBy(CARDS.approved, 'shelved'),
  [`${created}.product_sale.full`]: refund('product_sales', line),
  [`${created}.product_sale.partial`]: refund('product_sales', line, 1),
  [`${created}.shipping.full.has_fulfillment`]: refund('shipping', parcel('sent')),
  [`${created}.shipping.full.no_fulfillment`]: refund('shipping', parcel('shelved')),
  [`${created}.shipping.has_fulfillment`]: refund('shipping', parcel('sent')),
  [`${created}.shipping.no_fulfillment`]: refund('shipping', parcel('shelved')),
  [`${created}.shipping.partial.has_fulfillment`]: refund('shipping', parcel('sent'), 1),
  [`${created}.shipping.partial.no_fulfillment`]: refund('shipping', parcel('shelved'), 1),
  [`${created}.subscription_renewal.full`]: refund('subscription_renewals', renewed),
  [`${created}.subscription_renewal.partial`]: refund('subscription_renewals', renewed, 1),
  [`${created}.tax.full`]: refund('tax', taxed),
  [`${created}.tax.partial`]: refund('tax', taxed, 1),
};
