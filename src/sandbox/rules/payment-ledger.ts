import type { Stored } from '../store/item-store.js';
import { idsUnder, type Value } from '../store/item-values.js';
import { singular } from '../store/kinds.js';
import { hasRefundTransactions } from '../store/store-tables.js';
import { groundFields, purchaseFacts, refundTransaction } from './builders.js';
import { newItemHead, type Scene } from './call.js';
import { type AmountBasis, amountsOf, type Cents, fromCents, ledgerOf, spread, toCents } from './money.js';
import { invalid } from './refusals.js';

/*
 * The ledger of all payments. Whatever its kind, a payment is booked here: on the payment, on the item it pays for and
 * on the items which that item counts into. After every booking: lines = sale, captured = settled + pending, refunded
 * <= captured.
 */

/** The minimum age of a charged transaction before the processor sends a refund (published help page), hours. */
const REFUND_HOURS = 72;
/** The shortest delay until the processor sends a refund, seconds. reading: refund-delay */
const SOONEST_REFUND = 3600;

/** Families that hold payments, which are all booked the same way. */
export const PAYMENT_FAMILIES = ['transactions', 'wallet_transactions', 'check_directs', 'offline_payments'] as const;
/** Families whose items add up to a sale. */
export const LINE_FAMILIES = ['product_sales', 'shipping', 'tax'] as const;

interface RefundFacts {
  /** The amount to refund; everything left when undefined. */
  readonly amount?: unknown;
  /** Books the refund without asking the gateway. */
  readonly offsite?: boolean;
}

/** The items that this item links to in its related-id arrays of some families. */
export function linked(scene: Scene, item: Stored, families: readonly string[]): Stored[] {
  return families.flatMap((family) =>
    idsUnder(item.value, family)
      .map((id) => scene.store.get(family, id, scene.live))
      .filter((found) => found !== undefined),
  );
}

/** The successful payments for an item, of any kind; a payment is its own. */
export function paymentsOf(scene: Scene, item: Stored): Stored[] {
  if ((PAYMENT_FAMILIES as readonly string[]).includes(item.family)) return [item];
  return linked(scene, item, PAYMENT_FAMILIES).filter(({ value }) => ledgerOf(value).paid > 0);
}

/**
 * The other items that a payment for an item is booked on: what a payment pays for, what a shipment or tax belongs to,
 * the sale of a line, and the invoices of that sale. A renewal or trial has none.
 */
export function ownersOf(scene: Scene, item: Stored): Stored[] {
  if (item.family === 'subscription_renewals' || item.family === 'trials' || item.family === 'sales')
    return item.family === 'sales' ? linked(scene, item, ['invoices']) : [];
  const recurring = linked(scene, item, ['subscription_renewals', 'trials']);
  const isOfSale = item.family === 'product_sales' || recurring.length === 0;
  if (!isOfSale) return recurring;
  const sales = linked(scene, item, ['sales']);
  return [...sales, ...sales.flatMap((sale) => linked(scene, sale, ['invoices']))];
}

/** The part of an item's payments that is not refunded yet, cents. */
export function refundableCents(item: Stored): Cents {
  const { paid, refunded } = ledgerOf(item.value);
  return paid - refunded;
}

/**
 * The most that can be refunded for an item: limited by what is left of it, of its payments and of the items it counts
 * into.
 */
export function refundable(scene: Scene, item: Stored): Cents {
  const payments = paymentsOf(scene, item).reduce((sum, payment) => sum + refundableCents(payment), 0);
  return Math.max(0, Math.min(refundableCents(item), payments, ...ownersOf(scene, item).map(refundableCents)));
}

/**
 * Refunds an item fully or in part: books the refund on the item, on the payments that paid it and on the items it
 * counts into, and makes a pending refund for each payment.
 * @throws Refusal 400 for an amount that is not above zero, not whole cents or above what is left.
 * reading: refund-limits
 */
export function refundItem(scene: Scene, item: Stored, facts: RefundFacts = {}): { ids: string[]; cents: Cents } {
  const left = refundable(scene, item);
  if (left <= 0) throw invalid('Nothing is left to refund.');
  const cents = facts.amount === undefined ? left : wanted(facts.amount, left);
  const payments = paymentsOf(scene, item);
  const shares = spread(cents, payments.map(refundableCents));
  const whole = cents === ledgerOf(item.value).paid;
  const ids: string[] = [];
  for (const [index, payment] of payments.entries()) {
    const share = shares[index] as Cents;
    if (share === 0) continue;
    bookRefund(scene, payment, share);
    ids.push(pendingRefund(scene, item, payment, { ...facts, cents: share, whole }));
  }
  for (const one of ownersOf(scene, item)) bookRefund(scene, one, cents);
  if (!payments.some(({ id }) => id === item.id)) bookRefund(scene, item, cents);
  return { ids, cents };
}

function pendingRefund(
  scene: Scene,
  item: Stored,
  payment: Stored,
  facts: RefundFacts & { cents: Cents; whole: boolean },
): string {
  const offsite = facts.offsite === true;
  const kinds = Object.fromEntries(
    PAYMENT_FAMILIES.map((family) => [family, payment.family === family ? [payment.id] : []]),
  );
  const value = {
    ...newItemHead(scene),
    status: offsite ? 'processed' : 'pending',
    processed_date_unix: offsite ? scene.now : undefined,
    // In the terms of the events (service.md#events).
    type: singular(item.family),
    full: facts.whole,
    source_id: item.id,
    transaction_id: payment.family === 'transactions' ? payment.id : null,
    refunded_offsite: offsite,
    amount: fromCents(facts.cents),
    ...groundFields(purchaseFacts(item.value)),
    sales: item.value.sales ?? [],
    ...kinds,
    metadata: [],
  };
  scene.store.insert('pending_refunds', value, { live: scene.live, customer: item.customer });
  const earliest = payment.created + REFUND_HOURS * 3600;
  if (offsite) recordRefund(scene, value, item.customer);
  else scene.store.schedule('refund', value.id, Math.max(scene.now + SOONEST_REFUND, earliest));
  return value.id;
}

/** Leaves a transaction for a refund that reached the processor, if this sandbox keeps such transactions. */
export function recordRefund(scene: Scene, refund: Value, customer: string | null): void {
  const id = refund.transaction_id;
  if (typeof id !== 'string' || !hasRefundTransactions(scene.store.database)) return;
  const payment = scene.store.get('transactions', id, scene.live);
  if (!payment) return;
  const kind = refund.refunded_offsite === true ? 'offsite' : refund.full === true ? 'full' : 'partial';
  const facts = { id: String(refund.id), at: scene.now, cents: toCents(refund.amount), kind } as const;
  scene.store.insert('transactions', refundTransaction(payment.value, facts), { live: scene.live, customer });
}

function wanted(amount: unknown, left: Cents): Cents {
  if (typeof amount !== 'number' || !(amount > 0)) throw invalid('amount must be above zero.');
  const cents = Math.round(amount * 100);
  if (Math.abs(amount * 100 - cents) > 1e-6) throw invalid('amount must not have more than two decimals.');
  if (cents > left) throw invalid(`amount must not be above what is left to refund (${(left / 100).toFixed(2)}).`);
  return cents;
}

/** Changes some figures of an item's ledger. */
export function rebook(scene: Scene, item: Stored, figures: Partial<AmountBasis>, more: Value = {}): Stored {
  return scene.store.update(item, { ...amountsOf({ ...ledgerOf(item.value), ...figures }), ...more }, scene.now);
}

function bookRefund(scene: Scene, item: Stored, cents: Cents): void {
  const fresh = again(scene, item);
  const ledger = ledgerOf(fresh.value);
  const refunded = ledger.refunded + cents;
  const status = refunded >= ledger.paid ? 'refunded' : 'partially_refunded';
  rebook(scene, fresh, { refunded }, ['product_sales', 'tax'].includes(item.family) ? { status } : {});
}

/** Books a late collection on the item that owed it: a renewal or a trial, with its shipment and tax. */
export function bookPayment(scene: Scene, item: Stored, payment: Stored, cents: Cents, more: Value = {}): void {
  const { paid, remaining } = ledgerOf(item.value);
  const earlier = idsUnder(item.value, payment.family).filter((id) => id !== payment.id);
  const figures = { paid: paid + cents, remaining: Math.max(0, remaining - cents) };
  rebook(scene, item, figures, { ...more, [payment.family]: [...earlier, payment.id] });
}

/** Books the settlement of a payment on it and on the items it paid for, each by its pending amount. */
export function settlePayment(scene: Scene, payment: Stored): void {
  const { paid } = ledgerOf(payment.value);
  const direct = ownersOf(scene, payment);
  const lines = direct.flatMap((one) => linked(scene, one, LINE_FAMILIES));
  for (const one of new Map([...direct, ...lines].map((item) => [item.id, item])).values()) {
    const isInvoice = one.family === 'invoices';
    const names = idsUnder(one.value, payment.family).includes(payment.id);
    if (!isInvoice && !names) continue;
    const ledger = ledgerOf(one.value);
    rebook(scene, one, { settled: Math.min(ledger.paid, ledger.settled + paid) });
  }
  rebook(scene, payment, { settled: paid }, { settled: true });
}

/** The salvage transactions still open for a sale of which only a part was collected. */
export function openSalvages(scene: Scene, sale: Stored): Stored[] {
  return linked(scene, sale, ['salvage_transactions']).filter(
    ({ value }) => value.method === 'sale_create' && ['created', 'failed'].includes(String(value.status)),
  );
}

/** Gives a salvage transaction up: nothing more is collected, and the items that owed it have nothing remaining. */
export function giveUpSalvage(scene: Scene, salvage: Stored): undefined {
  scene.store.update(salvage, { status: 'disabled', enabled: false, amount_remaining: 0 }, scene.now);
  const owing =
    salvage.value.method === 'sale_create'
      ? linesOf(scene, salvage)
      : linked(scene, salvage, ['subscription_renewals', 'trials']);
  for (const other of owing) rebook(scene, other, { remaining: 0 });
  refreshRemaining(scene, salvage);
}

/** The lines of a salvage transaction's sale. */
export function linesOf(scene: Scene, salvage: Stored): Stored[] {
  return linked(scene, salvage, ['sales']).flatMap((sale) => linked(scene, sale, ['product_sales']));
}

/**
 * Keeps relation 5 of service.md#payments for sales: the remaining amount is what their trials still wait for or failed
 * to collect.
 */
export function refreshRemaining(scene: Scene, item: Stored): void {
  for (const sale of linked(scene, item, ['sales'])) {
    const waiting = linked(scene, sale, ['trials']).reduce((sum, trial) => sum + ledgerOf(trial.value).remaining, 0);
    const remaining =
      waiting + openSalvages(scene, sale).reduce((sum, { value }) => sum + toCents(value.amount_remaining), 0);
    if (ledgerOf(sale.value).remaining !== remaining) rebook(scene, sale, { remaining });
  }
}

/** The current state of an item. */
export function again(scene: Scene, item: Stored): Stored {
  return scene.store.get(item.family, item.id, scene.live) ?? item;
}
