import { findBuyer, groundOfOrder } from '../buyers.js';
import type { Rules } from '../call.js';
import { done } from '../generic.js';
import { readOrder } from '../orders.js';
import { unpaidItem } from '../sell.js';
import { extrasOf, keepOrder } from './sales.js';

/** Invoices: made with the pending sale that pays them. */
export const INVOICE_RULES: Rules = {
  'POST /invoices': (call) => {
    const order = readOrder(call, call.body);
    const buyer = findBuyer(call, call.body, order);
    const id = call.newId();
    const saleId = call.newId();
    const facts = {
      extras: extrasOf(call.body),
      order,
      ground: groundOfOrder(call, { order, buyer, body: call.body }),
    };
    keepOrder(call, saleId);
    const filing = { live: call.live, customer: buyer.id };
    const state = { status: 'pending', fraud_alert: false };
    call.store.insert('sales', unpaidItem(saleId, call.now, facts, { invoices: [id] }, state), filing);
    const invoice = unpaidItem(id, call.now, facts, { sales: [saleId] }, { status: 'unpaid' });
    call.store.insert('invoices', invoice, filing);
    return done(call, id, { sale_id: saleId });
  },
};
