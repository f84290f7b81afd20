import { DAY } from '../../base/time/units.js';
import type { Stored } from '../store/item-store.js';
import { objectUnder, toText } from '../store/item-values.js';
import { familyOfItem, singular } from '../store/kinds.js';
import { groundFields, purchaseFacts } from './builders.js';
import type { Call, Rules } from './call.js';
import { create, done, edit, required, requireItem } from './generic.js';
import { blockAddress, unblockAddress } from './payments.js';
import { invalid, notFound } from './refusals.js';
import { voidSale } from './sales.js';
import { SENTINEL } from './shapes.js';

/** Rules for chargebacks, fraud detections, the sentinel, and the documents that answer disputes. */
export const DISPUTE_RULES: Rules = {
  'POST /chargebacks': (call) => {
    const { transaction_id: id, gateway_transaction_id: gatewayId } = call.body;
    if ((id === undefined) === (gatewayId === undefined))
      throw invalid('Exactly one of transaction_id and gateway_transaction_id is needed.');
    const payment =
      typeof id === 'string' ? requireItem(call, 'transactions', id) : byGatewayId(call, String(gatewayId));
    const card = objectUnder(payment.value, 'customer_card');
    const item = create(call, {
      live_mode: call.live,
      status: 'open',
      transaction_id: payment.id,
      gateway_transaction_id: payment.value.gateway_transaction_id,
      gateway_id: payment.value.gateway_id,
      amount: call.body.amount ?? payment.value.amount_total,
      first_6: card.first_6,
      last_4: card.last_4,
      representment: { status: 'none', outcome: null },
      ...groundFields(purchaseFacts(payment.value)),
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
    const customerId = objectUnder(source.value, 'customer').id;
    const refunds =
      voids === true && ['paid', 'pending'].includes(String(source.value.status)) ? voidSale(call, source) : [];
    if (flags === true && typeof customerId === 'string') {
      for (const sale of call.store.ofCustomer('sales', customerId, call.live))
        if (sale.id !== source.id) call.store.update(sale, { fraud_alert: true }, call.now);
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
      ip_address: source.value.ip_address,
    });
    blockAddress(call, source.value.ip_address, item.id);
    return done(call, item.id, { pending_refund: refunds });
  },
  'POST /fraud_detections/{}': (call) => {
    const item = required(call);
    const cleared = call.body.false_positive === true;
    if (cleared) unblockAddress(call, item.value.ip_address, item.id);
    return done(call, edit(call, item, cleared ? { status: 'false_positive', false_positive: true } : {}).id);
  },

  'GET /sentinel': (call) => toText(sentinel(call).value),
  'POST /sentinel': (call) => {
    edit(call, sentinel(call));
    return { result: 'success' };
  },

  'POST /documents': (call) => {
    const value = String(call.body.item_value ?? '');
    const source = sourceOf(call, String(call.body.item_type), value);
    if (!source) throw notFound(`No item ${value} was found.`);
    const saleId =
      source.family === 'sales' ? source.id : String((source.value.sales as string[] | undefined)?.[0] ?? '');
    const sale = call.store.get('sales', saleId, call.live);
    if (!sale) throw invalid('The item has no sale.');
    const id = call.newId();
    return {
      document_id: id,
      document_url: `https://documents.example.com/${id}.zip`,
      expiration_date_unix: call.now + DAY,
      document_json: { sale: sale.value, source: { item_type: singular(source.family), id: source.id } },
      result: 'success',
    };
  },
};

/** The items that a document can be about, and what finds them besides an id. */
const DOCUMENT_SOURCES: Readonly<Record<string, readonly string[]>> = {
  sale: [],
  transaction: ['gateway_transaction_id'],
  shipping: ['tracking_number', 'provider_tracking'],
  fraud_detection: [],
  chargeback: [],
};

/**
 * The item of a document: found by its id, a transaction also by the gateway's id, a shipment by its tracking number
 * (published).
 */
function sourceOf(call: Call, type: string, value: string): Stored | undefined {
  const names = Object.hasOwn(DOCUMENT_SOURCES, type) ? DOCUMENT_SOURCES[type] : undefined;
  if (!names) return undefined;
  const family = familyOfItem(type) as string;
  const known = call.store.get(family, value, call.live);
  if (known || value === '') return known;
  const named = (name: string) => call.store.named(family, call.live, name, value);
  return names.flatMap((name) => named(name).filter((item) => item.value[name] === value))[0];
}

function byGatewayId(call: Call, gatewayId: string): Stored {
  const found = call.store
    .named('transactions', call.live, 'gateway_transaction_id', gatewayId)
    .find(({ value }) => value.gateway_transaction_id === gatewayId);
  if (found) return found;
  throw invalid(`No transaction has the gateway's id ${gatewayId}.`);
}

/** The account's only settings object; made on first use. */
function sentinel(call: Call): Stored {
  const value = { ...SENTINEL, updated_date_unix: call.now };
  const filing = { live: call.live, id: 'sentinel', created: call.now };
  return call.store.get('sentinel', filing.id, call.live) ?? call.store.insert('sentinel', value, filing);
}
