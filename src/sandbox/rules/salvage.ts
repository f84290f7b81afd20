import { groundOf } from '../builders.js';
import type { Rules, Scene } from '../call.js';
import { outcomeOf } from '../cards.js';
import { done, required, requireItem } from '../generic.js';
import { amounts, ledgerOf, toCents } from '../money.js';
import { charge, defaultCard, refusalOf } from '../payments.js';
import { refer } from '../references.js';
import { linked, refreshRemaining } from '../refunds.js';
import { invalid } from '../refusal.js';
import { addCard } from '../sell.js';
import type { Stored } from '../store.js';
import type { Value } from '../text.js';
import { checkTransition } from '../transitions.js';

/** Salvage transactions: collecting what a declined payment left. */
export const SALVAGE_RULES: Rules = {
  'POST /salvage_transactions/{}/process': (call) => {
    const item = required(call);
    checkTransition('salvage_transaction', item.value.status, 'process');
    const { customer_card_id: cardId, payment, gateway } = call.body;
    if (typeof gateway === 'string') refer(call, 'user_gateways', gateway);
    const customerId = String((item.value.customer as Value).id);
    const customer = call.store.get('customers', customerId, call.live)?.value ?? (item.value.customer as Value);
    const given = (payment as Value | undefined)?.credit_card as Value | undefined;
    const card = given
      ? addCard(call, customer, given)
      : typeof cardId === 'string'
        ? cardOf(call, customerId, cardId)
        : defaultCard(call, customerId)?.value;
    const cents = toCents(item.value.amount_remaining);
    const result = charge(call, {
      ground: { ...groundOf(item.value), customer },
      cents,
      method: 'salvage_transaction_process',
      card,
      links: {
        salvage_transactions: [item.id],
        subscription_renewals: item.value.subscription_renewals as string[],
        trials: item.value.trials as string[],
      },
      ...(typeof given?.card_number === 'string' ? { outcome: outcomeOf(given.card_number) } : {}),
    });
    const success = result.outcome === 'approved';
    call.store.update(
      item,
      {
        status: success ? 'success' : 'failed',
        attempts: Number(item.value.attempts ?? 0) + 1,
        transactions: [...((item.value.transactions as string[]) ?? []), result.transactionId],
        ...(success ? { amount_remaining: 0, processed_date_unix: call.now } : {}),
      },
      call.now,
    );
    if (!success) throw refusalOf(result);
    collected(call, item, cents, result.transactionId);
    return done(call, item.id, { transaction_id: result.transactionId });
  },

  'POST /salvage_transactions/{}/disable': (call) => {
    const item = required(call);
    checkTransition('salvage_transaction', item.value.status, 'disable');
    call.store.update(item, { status: 'disabled', enabled: false, amount_remaining: 0 }, call.now);
    for (const other of linked(call, item, ['subscription_renewals', 'trials'])) {
      call.store.update(other, { ...amounts({ ...ledgerOf(other.value), remaining: 0 }) }, call.now);
      refreshRemaining(call, other);
    }
    return done(call, item.id);
  },
};

/** A card on file; another customer's is never charged. */
function cardOf(scene: Scene, customerId: string, cardId: string): Value {
  const { value } = requireItem(scene, 'customer_cards', cardId);
  if (value.customer_id !== customerId) throw invalid('customer_card_id names a card of another customer.');
  if (value.enabled === false) throw invalid('customer_card_id names a disabled card.');
  return value;
}

/** Books what was collected on the renewal or trial it was owed for, and heals the subscription. */
function collected(scene: Scene, item: Stored, cents: number, transactionId: string): void {
  for (const other of linked(scene, item, ['subscription_renewals', 'trials'])) {
    const ledger = ledgerOf(other.value);
    scene.store.update(
      other,
      {
        ...amounts({
          ...ledger,
          paid: ledger.paid + cents,
          remaining: Math.max(0, ledger.remaining - cents),
          settled: false,
        }),
        ...(other.family === 'subscription_renewals' ? { is_overdue: false } : { expired_result: 'success' }),
        // The transaction that paid comes first: a refund goes back over it.
        transactions: [
          transactionId,
          ...((other.value.transactions as string[]) ?? []).filter((id) => approved(scene, id)),
        ],
      },
      scene.now,
    );
    refreshRemaining(scene, other);
  }
  for (const subscription of linked(scene, item, ['subscriptions'])) {
    const overdue = Math.max(0, Number(subscription.value.overdue_count ?? 0) - 1);
    const status = subscription.value.status === 'overdue' && overdue === 0 ? 'active' : subscription.value.status;
    scene.store.update(subscription, { overdue_count: overdue, is_overdue: overdue > 0, status }, scene.now);
  }
}

function approved(scene: Scene, id: string): boolean {
  return scene.store.get('transactions', id, scene.live)?.value.result === 'approved';
}
