import { groundFields, groundOf, moneyItem, open } from '../builders.js';
import { addressOf, findBuyer } from '../buyers.js';
import type { Rules } from '../call.js';
import { done } from '../generic.js';
import { readOrder } from '../orders.js';
import { views } from '../sell.js';
import { extrasOf } from './sales.js';

/** Invoices: made with the pending sale that pays them. */
export const INVOICE_RULES: Rules = {
  'POST /invoices': (call) => {
    const order = readOrder(call, call.body);
    const buyer = findBuyer(call, call.body, order);
    const id = call.newId();
    const saleId = call.newId();
    const ledger = open(order.total + order.discount, order.discount);
    const ground = {
      ...groundOf({ customer: buyer.value }),
      live: call.live,
      campaign: order.campaign,
      currency: order.currency,
      shipTo: addressOf(call.body, buyer),
    };
    const fields = { ...extrasOf(call.body), products: views(order), ...groundFields(ground) };
    const filing = { live: call.live, customer: buyer.id };
    const { idempotency_key: _, ...kept } = call.body;
    call.store.keepSecret(`${saleId}.order`, kept);
    const sale = moneyItem(saleId, call.now, ledger, { invoices: [id] }, { status: 'pending', fraud_alert: false });
    call.store.insert('sales', { ...sale, ...fields }, filing);
    const invoice = moneyItem(id, call.now, ledger, { sales: [saleId] }, { status: 'unpaid' });
    call.store.insert('invoices', { ...invoice, ...fields }, filing);
    return done(call, id, { sale_id: saleId });
  },
};
