import type { Stored } from '../store/item-store.js';
import { objectUnder, type Value } from '../store/item-values.js';
import { customerView } from './builders.js';
import { addCard } from './buyers.js';
import type { Call, OperationAnswer, Rules } from './call.js';
import { change, done, given, required, requireItem } from './generic.js';
import { refer } from './item-references.js';
import { addCustomer, contactFields } from './new-customer.js';
import { readCampaign } from './order-lines.js';
import { invalid, notFound } from './refusals.js';

/** Rules for customers, their groups and their cards. */
export const CUSTOMER_RULES: Rules = {
  'POST /customers': (call) => {
    const { body } = call;
    const campaign = readCampaign(call, body.campaign);
    const customer = addCustomer(call, body.customer as Value, campaign, {
      internal_id: body.internal_customer_id ?? '',
      ...given({
        metadata: Array.isArray(body.metadata) ? body.metadata : undefined,
        bill_to: body.bill_to ? contactFields(body.bill_to as Value) : undefined,
      }),
    });
    const card = objectUnder(body, 'payment').credit_card as Value | undefined;
    if (card) addCard(call, customer.value, checkCard(card));
    return done(call, customer.id);
  },

  'POST /customers/{}': (call) => {
    const item = required(call);
    const { customer, bill_to: billTo, internal_customer_id: internal } = call.body;
    const changes = {
      ...contactFields((customer ?? {}) as Value),
      ...given({
        bill_to: billTo === undefined ? undefined : { ...(item.value.bill_to as Value), ...(billTo as Value) },
        internal_id: internal,
      }),
    };
    const after = call.store.update(item, changes, call.now);
    showCustomer(call, after);
  },

  'POST /customers/{}/enable': (call) => {
    const item = required(call);
    if (item.value.enabled === false) resume(call, item.id);
    return change(call, { enabled: true, blocked: false });
  },
  'POST /customers/{}/add_to_group': (call) => changeGroups(call, (has, wanted) => [...new Set([...has, ...wanted])]),
  'POST /customers/{}/remove_from_group': (call) =>
    changeGroups(call, (has, wanted) => has.filter((id) => !wanted.includes(id))),

  'POST /customers/{}/add_card': newCard,
  'POST /customers/{}/payment_methods': newCard,
  'GET /customers/{}/payment_methods/{}': (call) =>
    call.store.text('customer_cards', cardOf(call).id, call.live) as string,
  'POST /customers/{}/payment_methods/{}/delete': (call) => dropCard(call, cardOf(call)),
  'POST /customers/{}/payment_methods/{}/disable': (call) => switchCard(call, cardOf(call), false),
  'POST /customers/{}/payment_methods/{}/enable': (call) => switchCard(call, cardOf(call), true),
  'POST /customers/{}/payment_methods/{}/set_default': (call) => setDefault(call, cardOf(call)),

  'POST /customer_cards/{}/delete': (call) => dropCard(call, required(call)),
  'POST /customer_cards/{}/disable': (call) => switchCard(call, required(call), false),
  'POST /customer_cards/{}/enable': (call) => switchCard(call, required(call), true),
  'POST /customer_cards/{}/set_default': (call) => setDefault(call, required(call)),
};

/** Subscriptions show their customer's current data; past sales stay as they were. */
function showCustomer(call: Call, customer: Stored): void {
  for (const item of call.store.ofCustomer('subscriptions', customer.id, call.live))
    call.store.update(item, { customer: customerView(customer.value) }, call.now);
}

/** Tasks that fell due while the customer was disabled are due now. reading: disabled-customer */
function resume({ store, live, now }: Call, customer: string): void {
  for (const { id, value } of store.ofCustomer('subscriptions', customer, live)) {
    const next = Number(objectUnder(value, 'billing').next_renewal_date_unix);
    if (['active', 'overdue'].includes(String(value.status)) && next <= now) store.schedule('renew', id, now);
  }
  for (const { id, value } of store.ofCustomer('trials', customer, live))
    if (value.status === 'active' && Number(value.expiration_date_unix) <= now) store.schedule('expire', id, now);
}

function changeGroups(call: Call, regroup: (has: string[], wanted: string[]) => string[]): OperationAnswer {
  const has = (required(call).value.customer_group as string[]) ?? [];
  const wanted = call.body.customer_group as string[];
  for (const id of wanted) refer(call, 'customer_groups', id);
  return change(call, { customer_group: regroup(has, wanted) });
}

function newCard(call: Call): OperationAnswer {
  const customer = requireItem(call, 'customers', call.ids[0] as string);
  const card = objectUnder(call.body, 'payment').credit_card as Value | undefined;
  if (!card) throw invalid('payment.credit_card is required.');
  const billTo = call.body.bill_to as Value | undefined;
  const view = addCard(call, customer.value, checkCard(card), billTo ?? contactFields(customer.value, true));
  return { customer_id: customer.id, customer_card_id: view.id, result: 'success' };
}

function checkCard(card: Value): Value {
  if (typeof card.card_number !== 'string' || !/^\d{12,19}$/.test(card.card_number))
    throw invalid('card_number must have 12 to 19 digits.');
  return card;
}

function cardOf(call: Call): Stored {
  requireItem(call, 'customers', call.ids[0] as string);
  const card = requireItem(call, 'customer_cards', call.ids[1] as string);
  if (card.value.customer_id !== call.ids[0])
    throw notFound(`Payment method ${card.id} does not exist for this customer.`);
  return card;
}

function answer(card: Stored): OperationAnswer {
  return { customer_id: card.value.customer_id, customer_card_id: card.id, result: 'success' };
}

function dropCard(call: Call, card: Stored): OperationAnswer {
  call.store.remove(card);
  return answer(card);
}

function switchCard(call: Call, card: Stored, enabled: boolean): OperationAnswer {
  call.store.update(card, { enabled }, call.now);
  return answer(card);
}

function setDefault(call: Call, card: Stored): OperationAnswer {
  if (card.value.enabled === false) throw invalid('A disabled payment method cannot be the default.');
  for (const other of call.store.ofCustomer('customer_cards', String(card.value.customer_id), call.live))
    if (other.value.is_default === true && other.id !== card.id)
      call.store.update(other, { is_default: false }, call.now);
  call.store.update(card, { is_default: true }, call.now);
  return answer(card);
}
