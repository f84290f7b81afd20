import type { Stored } from '../store/item-store.js';
import { idsUnder, objectUnder, type Value } from '../store/item-values.js';
import { readBought, readPayment, usableProfile } from './buyers.js';
import type { Call, OperationAnswer, Rules, Scene } from './call.js';
import { done, ready, required, requireItem } from './generic.js';
import { fromCents } from './money.js';
import { checkActive } from './new-customer.js';
import { readOrder } from './order-lines.js';
import { again, giveUpSalvage, LINE_FAMILIES, linked, openSalvages, refundable, refundItem } from './payment-ledger.js';
import { invalid, notFound } from './refusals.js';
import { routeBy } from './routing.js';
import { described, sell, unpaidItem } from './sell.js';
import { cancelSubscription } from './subscriptions.js';
import { cancelTrial } from './trials.js';

/** The state of a sale that waits for payment. */
export const PENDING: Value = { status: 'pending', fraud_alert: false };

/** Rules for sales: create, pending sales, void, fraud alerts, estimates. */
export const SALE_RULES: Rules = {
  'POST /sales': (call) => {
    const bought = readBought(call, call.body);
    const id = sell(call, bought, readPayment(call, call.body, bought.buyer));
    return { sale_id: id, customer_id: bought.buyer.id, result: 'success' };
  },

  'POST /sales/pending': (call) => {
    const bought = readBought(call, call.body);
    const id = call.newId();
    keepOrder(call, id);
    const sale = unpaidItem(id, call.now, described(call, bought), {}, PENDING);
    call.store.insert('sales', sale, { live: call.live, customer: bought.buyer.id });
    return { sale_id: id, customer_id: bought.buyer.id, result: 'success' };
  },

  'POST /sales/pending/{}': (call) => {
    const sale = pendingSale(call);
    const body = { ...orderOf(call, sale.id), ...call.body };
    const bought = readBought(call, body);
    keepOrder({ ...call, body }, sale.id);
    call.store.update(sale, unpaidItem(sale.id, sale.created, described(call, bought), {}, PENDING), call.now);
    return done(call, sale.id);
  },

  'POST /sales/pending/{}/process': (call) => {
    const sale = pendingSale(call);
    const kept = orderOf(call, sale.id) ?? {};
    const body = { ...kept, ...call.body };
    const buyer = requireItem(call, 'customers', String((sale.value.customer as Value).id));
    checkActive(buyer.value);
    const order = readOrder(call, { customer_id: buyer.id, ...body });
    const { card_number: number } = objectUnder(kept, 'credit_card');
    const payment = readPayment(call, body, buyer, typeof number === 'string' ? number : undefined);
    sell(call, { order, buyer, body }, payment, sale);
    return done(call, sale.id, { customer_id: buyer.id });
  },

  'POST /sales/estimate': (call) => {
    const { sale_id: saleId } = call.body;
    const kept = typeof saleId === 'string' ? orderOf(call, requireItem(call, 'sales', saleId).id) : undefined;
    if (saleId !== undefined && !kept) throw invalid('sale_id must name a pending sale.');
    const order = readOrder(call, { ...kept, ...call.body });
    const wantsGateway = call.body.include_gateway === true;
    if (wantsGateway && (call.body.payment_type !== 'credit_card' || typeof call.body.payment_profile !== 'string'))
      throw invalid('include_gateway needs payment_type credit_card and a payment_profile.');
    return {
      iso_currency: order.currency,
      products: order.lines.map((line) => ({
        id: line.product.id,
        name: line.product.name,
        quantity: line.quantity,
        amount: fromCents(line.cents),
        amount_discounted: fromCents(line.discount),
      })),
      amount_products: fromCents(order.lines.reduce((sum, line) => sum + line.cents, 0)),
      amount_shipping: fromCents(order.shipping),
      amount_tax: fromCents(order.tax.cents),
      amount_discounted: fromCents(order.discount),
      amount_total: fromCents(order.total),
      gateway: wantsGateway ? gatewayFor(call) : undefined,
      result: 'success',
    };
  },

  'POST /sales/{}/void': (call) => {
    const sale = ready(call);
    return answer(sale, { pending_refund: voidSale(call, sale) });
  },

  'POST /sales/{}/add_fraud_alert': (call) => fraudAlert(call, true),
  'POST /sales/{}/remove_fraud_alert': (call) => fraudAlert(call, false),
};

/**
 * Voids a sale. A pending sale is cancelled; for any other, all payments are refunded and dependent items cancelled.
 */
export function voidSale(scene: Scene, sale: Stored): string[] {
  if (sale.value.status === 'pending') {
    scene.store.update(sale, { status: 'cancelled' }, scene.now);
    for (const payment of linked(scene, sale, ['wallet_transactions']))
      scene.store.update(payment, { status: 'cancelled' }, scene.now);
    for (const invoice of linked(scene, sale, ['invoices'])) scene.store.update(invoice, { status: 'void' }, scene.now);
    return [];
  }
  const refunds: string[] = [];
  const refund = (item: Stored) => {
    if (refundable(scene, item) > 0) refunds.push(...refundItem(scene, item).ids);
  };
  for (const family of LINE_FAMILIES) linked(scene, sale, [family]).forEach(refund);
  for (const salvage of openSalvages(scene, sale)) giveUpSalvage(scene, salvage);
  for (const trial of linked(scene, sale, ['trials'])) {
    if (trial.value.status === 'active') cancelTrial(scene, trial);
    else refund(trial);
  }
  for (const subscription of linked(scene, sale, ['subscriptions']))
    if (subscription.value.status !== 'cancelled') cancelSubscription(scene, subscription);
  for (const shipment of linked(scene, sale, ['shipping']))
    if (shipment.value.status === 'notshipped')
      scene.store.update(shipment, { fulfillment_cancelled: true }, scene.now);
  for (const invoice of linked(scene, sale, ['invoices'])) scene.store.update(invoice, { status: 'void' }, scene.now);
  scene.store.update(again(scene, sale), { status: 'voided' }, scene.now);
  return refunds;
}

function fraudAlert(call: Call, on: boolean): OperationAnswer {
  const sale = required(call);
  call.store.update(sale, { fraud_alert: on }, call.now);
  return answer(sale);
}

function answer(sale: Stored, more: Value = {}): OperationAnswer {
  return { sale_id: sale.id, customer_id: (sale.value.customer as Value).id, ...more, result: 'success' };
}

function pendingSale(call: Call): Stored {
  const sale = call.store.get('sales', call.ids[0] as string, call.live);
  if (!sale) throw notFound(`Sale ${call.ids[0]} does not exist.`);
  if (sale.value.status !== 'pending')
    throw invalid(`Sale ${sale.id} is not pending; its status is ${String(sale.value.status)}.`);
  if (idsUnder(sale.value, 'wallet_transactions').length > 0)
    throw invalid(`Sale ${sale.id} waits for its wallet payment to be confirmed.`);
  return sale;
}

/** The request of a pending sale is kept apart, because it may contain a card. */
export function keepOrder(call: Call, id: string): void {
  const { idempotency_key: _key, pending_options: _options, ...order } = call.body;
  call.store.keepSecret(`${id}.order`, order);
}

function orderOf(call: Call, id: string): Value | undefined {
  return call.store.secret(`${id}.order`);
}

/** The gateway that would process a sale with this profile. */
function gatewayFor(call: Call): Value {
  const { payment_profile: profile } = call.body;
  if (typeof profile === 'string') usableProfile(call, profile);
  return { ...(routeBy(call, typeof profile === 'string' ? profile : undefined) ?? { id: '', name: '' }) };
}
