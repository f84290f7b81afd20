import { readBought } from './buyers.js';
import type { Rules } from './call.js';
import { done } from './generic.js';
import { keepOrder, PENDING } from './sales.js';
import { described, unpaidItem } from './sell.js';

/** Rules for invoices, which are made together with the pending sale that pays them. */
export const INVOICE_RULES: Rules = {
  'POST /invoices': (call) => {
    const bought = readBought(call, call.body);
    const id = call.newId();
    const saleId = call.newId();
    const facts = described(call, bought);
    keepOrder(call, saleId);
    const filing = { live: call.live, customer: bought.buyer.id };
    call.store.insert('sales', unpaidItem(saleId, call.now, facts, { invoices: [id] }, PENDING), filing);
    const invoice = unpaidItem(id, call.now, facts, { sales: [saleId] }, { status: 'unpaid' });
    call.store.insert('invoices', invoice, filing);
    return done(call, id, { sale_id: saleId });
  },
};
