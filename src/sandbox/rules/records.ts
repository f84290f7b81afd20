import { groundFields, groundOf, moneyItem } from '../builders.js';
import type { Call, Rules } from '../call.js';
import { create, done, edit, required, requireItem } from '../generic.js';
import { singular } from '../kinds.js';
import type { Ledger } from '../money.js';
import { findCoupon, readOrder } from '../orders.js';
import { first } from '../query.js';
import { invalid, notFound } from '../refusal.js';
import { findBuyer, views } from '../sell.js';
import type { Stored } from '../store.js';

import { toText, type Value } from '../text.js';
import { voidSale } from './sales.js';

/** Coupons, disputes, fraud, invoices, documents and secure forms. */
export const RECORD_RULES: Rules = {
  'GET /coupons/validate': (call) => toText(findCoupon(call, first(call.query, 'coupon_code') ?? '')),
  'POST /coupons': (call) => {
    const body = couponBody(call.body);
    const code = body.coupon_code;
    if (typeof code !== 'string' || !/^[A-Za-z0-9]{1,50}$/.test(code)) {
      throw invalid('coupon_code must be letters and digits without spaces.');
    }
    return done(call, create({ ...call, body }, { uses: 0 }).id);
  },
  'POST /coupons/{}': (call) => done(call, edit({ ...call, body: couponBody(call.body) }, required(call)).id),

  'POST /chargebacks': (call) => {
    const { transaction_id: id, gateway_transaction_id: gatewayId } = call.body;
    if ((id === undefined) === (gatewayId === undefined))
      throw invalid('Exactly one of transaction_id and gateway_transaction_id is needed.');
    const payment =
      typeof id === 'string' ? requireItem(call, 'transactions', id) : byGatewayId(call, String(gatewayId));
    const amount = call.body.amount ?? payment.value.amount_total;
    const ground = groundOf(payment.value);
    const item = create(call, {
      live_mode: call.live,
      status: 'open',
      transaction_id: payment.id,
      gateway_transaction_id: payment.value.gateway_transaction_id,
      gateway_id: payment.value.gateway_id,
      amount,
      first_6: (payment.value.customer_card as Value | undefined)?.first_6,
      last_4: (payment.value.customer_card as Value | undefined)?.last_4,
      representment: { status: 'none', outcome: null },
      ...groundFields(ground),
      sales: payment.value.sales ?? [],
      transactions: [payment.id],
      metadata: call.body.metadata ?? [],
    });
    return done(call, item.id);
  },

  'POST /fraud_detections': (call) => {
    const { source_id: sourceId, void_sale: voids, flag_similar_sale: flags } = call.body;
    if (typeof sourceId !== 'string') throw invalid('source_id is required.');
    const source = ['sales', 'transactions', 'wallet_transactions', 'check_directs', 'offline_payments', 'api_calls']
      .map((family) => call.store.get(family, sourceId, call.live))
      .find((found) => found !== undefined);
    if (!source) throw invalid(`source_id ${sourceId} names no API call, sale or payment.`);
    if (voids === true && source.family !== 'sales') throw invalid('void_sale needs a sale as source_id.');
    const customerId = (source.value.customer as Value | undefined)?.id;
    const refunds =
      voids === true && ['paid', 'pending'].includes(String(source.value.status)) ? voidSale(call, source) : [];
    if (flags === true && typeof customerId === 'string') {
      for (const sale of call.store.ofCustomer('sales', customerId, call.live)) {
        if (sale.id !== source.id) call.store.update(sale, { fraud_alert: true }, call.now);
      }
    }
    const customer = typeof customerId === 'string' ? call.store.get('customers', customerId, call.live) : undefined;
    if (customer) call.store.update(customer, { blocked: true }, call.now);
    const item = create(call, {
      live_mode: call.live,
      status: 'detected',
      method: singular(source.family),
      source_type: singular(source.family),
      false_positive: false,
      customer: source.value.customer ?? null,
      sales: source.family === 'sales' ? [source.id] : (source.value.sales ?? []),
      metadata: [],
    });
    return done(call, item.id, { pending_refund: refunds });
  },
  'POST /fraud_detections/{}': (call) => {
    const item = required(call);
    const cleared = call.body.false_positive === true;
    return done(call, edit(call, item, cleared ? { status: 'false_positive', false_positive: true } : {}).id);
  },

  'GET /sentinel': (call) => toText(sentinel(call).value),
  'POST /sentinel': (call) => {
    edit(call, sentinel(call));
    return { result: 'success' };
  },

  'POST /invoices': (call) => {
    const order = readOrder(call, call.body);
    const buyer = findBuyer(call, call.body, order);
    const id = call.newId();
    const saleId = call.newId();
    const ledger: Ledger = {
      original: order.total + order.discount,
      discount: order.discount,
      refunded: 0,
      paid: 0,
      settled: false,
      remaining: 0,
    };
    const ground = {
      ...groundOf({ customer: buyer.value }),
      live: call.live,
      campaign: order.campaign,
      currency: order.currency,
    };
    const fields = { products: views(order), ...groundFields(ground) };
    const filing = { live: call.live, customer: buyer.id };
    const { idempotency_key: _, ...kept } = call.body;
    call.store.keepSecret(`${saleId}.order`, kept);
    call.store.insert(
      'sales',
      {
        ...moneyItem(saleId, call.now, ledger, { invoices: [id] }, { status: 'pending', fraud_alert: false }),
        ...fields,
      },
      filing,
    );
    call.store.insert(
      'invoices',
      { ...moneyItem(id, call.now, ledger, { sales: [saleId] }, { status: 'unpaid' }), ...fields },
      filing,
    );
    return done(call, id, { sale_id: saleId });
  },

  'POST /documents': (call) => {
    const value = String(call.body.item_value ?? call.body.item_id ?? '');
    const source = ['sales', 'transactions', 'shipping', 'fraud_detections', 'chargebacks']
      .map((family) => call.store.get(family, value, call.live))
      .find((found) => found !== undefined);
    if (!source) throw notFound(`No item ${value} was found.`);
    const saleId =
      source.family === 'sales' ? source.id : String((source.value.sales as string[] | undefined)?.[0] ?? '');
    const sale = call.store.get('sales', saleId, call.live);
    if (!sale) throw invalid('The item has no sale.');
    return {
      document: { sale: sale.value, source: { item_type: singular(source.family), id: source.id } },
      document_url: `https://documents.example.com/${call.newId()}.zip`,
      expiration_date_unix: call.now + 86_400,
      result: 'success',
    };
  },

  'POST /secure_forms': (call) => {
    const id = call.newId();
    const { form_source: source, form_source_id: sourceId } = call.body;
    if (typeof source !== 'string') throw invalid('form_source is required.');
    const bare = source === 'smtp_profile' || source === 'wallet_account';
    if (!bare && typeof sourceId !== 'string') throw invalid(`form_source ${source} needs form_source_id.`);
    const value: Value = {
      id,
      created_date_unix: call.now,
      updated_date_unix: call.now,
      completed: false,
      form_source: source,
      ...(typeof sourceId === 'string' ? { form_source_id: sourceId } : {}),
      form_url: `https://forms.example.com/${id}`,
      expiration_date_unix: call.now + 3600,
    };
    call.store.insert('secure_forms', value, { live: call.live });
    call.store.schedule('forget_form', id, call.now + 3600);
    return {
      secure_form_id: id,
      form_url: value.form_url,
      expiration_date_unix: value.expiration_date_unix,
      completed: false,
      result: 'success',
    };
  },
};

/** `code` stands for the envelope's own code in every answer, so a coupon's is called `coupon_code`. */
function couponBody({ code, ...body }: Value): Value {
  return code === undefined ? body : { coupon_code: code, ...body };
}

function byGatewayId(call: Call, gatewayId: string): Stored {
  for (const item of call.store.scan('transactions', call.live))
    if (item.value.gateway_transaction_id === gatewayId) return item;
  throw invalid(`No transaction has the gateway's id ${gatewayId}.`);
}

/** The account's one settings object; made when first asked for. */
function sentinel(call: Call): Stored {
  return (
    call.store.get('sentinel', 'sentinel', call.live) ??
    call.store.insert(
      'sentinel',
      {
        enabled: true,
        tracking_visitor_validator: { enabled: false, reject_non_existing: false },
        updated_date_unix: call.now,
      },
      { live: call.live, id: 'sentinel', created: call.now },
    )
  );
}
