import type { Stored } from '../store/item-store.js';
import { idsUnder, type Value } from '../store/item-values.js';
import { purchaseFacts } from './builders.js';
import { addCard } from './buyers.js';
import type { Call, Rules, Scene } from './call.js';
import { outcomeOf } from './cards.js';
import { done, ready, requireItem } from './generic.js';
import { refer } from './item-references.js';
import { ledgerOf, toCents } from './money.js';
import { groundNow } from './new-customer.js';
import { again, bookPayment, giveUpSalvage, linesOf, linked, refreshRemaining } from './payment-ledger.js';
import { type Charge, charge, chargeRefusal, defaultCard } from './payments.js';
import { invalid } from './refusals.js';
import { completeRenewal } from './renewals.js';
import { type Gateway, gatewayOf, routeBy } from './routing.js';
import { completeTrial } from './trials.js';

/** Rules for salvage transactions: collecting what a declined payment left open. */
export const SALVAGE_RULES: Rules = {
  'POST /salvage_transactions/{}/process': (call) => {
    const item = ready(call);
    const cents = toCents(item.value.amount_remaining);
    const result = collect(call, item, cents);
    const success = result.outcome === 'approved';
    const changes = {
      status: success ? 'success' : 'failed',
      attempts: Number(item.value.attempts ?? 0) + 1,
      transactions: [...idsUnder(item.value, 'transactions'), result.transactionId],
      ...(success ? { amount_remaining: 0, processed_date_unix: call.now } : {}),
    };
    call.store.update(item, changes, call.now);
    if (!success) throw chargeRefusal(result);
    collected(call, item, cents, result.transactionId);
    return done(call, item.id, { transaction_id: result.transactionId });
  },

  'POST /salvage_transactions/{}/disable': (call) => giveUpSalvage(call, ready(call)),
};

function collect(call: Call, item: Stored, cents: number): Charge {
  const { customer_card_id: cardId, payment, gateway } = call.body;
  const ground = groundNow(call, item.value);
  const customerId = String(ground.customer.id);
  const given = (payment as Value | undefined)?.credit_card as Value | undefined;
  const card = given
    ? addCard(call, ground.customer, given)
    : typeof cardId === 'string'
      ? cardOf(call, customerId, cardId)
      : defaultCard(call, customerId)?.value;
  const { subscription_renewals: renewals, trials, subscriptions, sales } = item.value as Record<string, string[]>;
  return charge(call, {
    ground,
    cents,
    method: 'salvage_transaction_process',
    card,
    gateway: gatewayFor(call, item, gateway),
    links: { salvage_transactions: [item.id], subscription_renewals: renewals, trials, subscriptions, sales } as Value,
    outcome: typeof given?.card_number === 'string' ? outcomeOf(given.card_number) : undefined,
  });
}

/** The gateway in the body, else the one of the declined payment (published). */
function gatewayFor(call: Call, item: Stored, wanted: unknown): Gateway | undefined {
  if (typeof wanted === 'string') {
    refer(call, 'user_gateways', wanted);
    const gateway = gatewayOf(call, wanted);
    if (!gateway) throw invalid(`The gateway ${wanted} is disabled.`);
    return gateway;
  }
  const original = linked(call, item, ['transactions'])[0]?.value.gateway_id;
  return (typeof original === 'string' ? gatewayOf(call, original) : undefined) ?? routeBy(call, undefined);
}

/** A stored card; never another customer's. */
function cardOf(scene: Scene, customerId: string, cardId: string): Value {
  const card = scene.store.get('customer_cards', cardId, scene.live);
  if (!card) throw invalid(`The customer card ${cardId} does not exist.`);
  const { value } = card;
  if (value.customer_id !== customerId) throw invalid('customer_card_id names a card of another customer.');
  if (value.enabled === false) throw invalid('customer_card_id names a disabled card.');
  return value;
}

/** Books a collection on the renewal or trial that owed it, and ends the overdue state of the subscription. */
function collected(scene: Scene, item: Stored, cents: number, transactionId: string): void {
  const payment = requireItem(scene, 'transactions', transactionId);
  for (const other of linked(scene, item, ['subscription_renewals', 'trials'])) {
    const isRenewal = other.family === 'subscription_renewals';
    bookPayment(scene, other, payment, cents, isRenewal ? { is_overdue: false } : { expired_result: 'success' });
    const fresh = again(scene, other);
    if (isRenewal) completeRenewal(scene, fresh, purchaseFacts(fresh.value));
    else completeTrial(scene, fresh);
    refreshRemaining(scene, other);
  }
  if (item.value.method === 'sale_create') {
    for (const sale of linked(scene, item, ['sales'])) bookPayment(scene, sale, payment, cents);
    for (const line of linesOf(scene, item)) bookPayment(scene, line, payment, ledgerOf(line.value).remaining);
  }
  // A subscription that has ended stays ended, even if a late payment for it succeeds.
  for (const subscription of linked(scene, item, ['subscriptions'])) {
    if (!['active', 'overdue', 'suspended'].includes(String(subscription.value.status))) continue;
    const overdue = Math.max(0, Number(subscription.value.overdue_count ?? 0) - 1);
    const status = subscription.value.status === 'overdue' && overdue === 0 ? 'active' : subscription.value.status;
    scene.store.update(subscription, { overdue_count: overdue, is_overdue: overdue > 0, status }, scene.now);
  }
}
