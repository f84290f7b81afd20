import { groundFields, groundOf } from './builders.js';
import type { Scene } from './call.js';
import { amounts, fromCents, ledgerOf } from './money.js';
import { invalid } from './refusal.js';
import type { Stored } from './store.js';
import type { Value } from './text.js';

/** No refund leaves the processor before the charged transaction is this old (published help page), hours. */
const REFUND_HOURS = 72;

export interface RefundFacts {
  /** What kind of item is refunded, in the words of the events (spec 6.1). */
  readonly type: 'product_sale' | 'shipping' | 'tax' | 'subscription_renewal' | 'transaction' | 'trial';
  /** The part to refund; all that is left when undefined. */
  readonly amount?: unknown;
  /** Books the refund without asking the gateway. */
  readonly offsite?: boolean;
}

/**
 * Refunds an item, wholly or in part: books it on the item, on the card transaction that paid it and on its
 * sale, and makes the pending refund. Limits are ours (not seen): above zero, whole cents, at most what is left.
 * @throws Refusal 400.
 */
export function refundItem(scene: Scene, item: Stored, facts: RefundFacts): { id: string; cents: number } {
  const payments = linked(scene, item, facts.type === 'transaction' ? [] : ['transactions']);
  const transactions = payments.filter(({ value }) => value.result === 'approved');
  const above = paidFor(scene, item, facts.type);
  const left = Math.min(...[item, ...transactions, ...above].map(leftOf));
  if (left <= 0) throw invalid('Nothing is left to refund.');
  const cents = facts.amount === undefined ? left : wanted(facts.amount, left);
  const whole = cents === ledgerOf(item.value).paid;
  for (const one of [item, ...transactions, ...above]) book(scene, one, cents);
  const offsite = facts.offsite === true;
  const id = scene.newId();
  const payment = facts.type === 'transaction' ? item : transactions[0];
  const value: Value = {
    id,
    created_date_unix: scene.now,
    updated_date_unix: scene.now,
    status: offsite ? 'processed' : 'pending',
    ...(offsite ? { processed_date_unix: scene.now } : {}),
    type: facts.type,
    full: whole,
    source_id: item.id,
    transaction_id: payment?.id ?? null,
    refunded_offsite: offsite,
    amount: fromCents(cents),
    ...groundFields(groundOf(item.value)),
    sales: item.family === 'sales' ? [item.id] : (item.value.sales ?? []),
    metadata: [],
  };
  scene.store.insert('pending_refunds', value, {
    live: scene.live,
    ...(item.customer ? { customer: item.customer } : {}),
  });
  if (!offsite)
    scene.store.schedule('refund', id, Math.max(scene.now + 3600, (payment?.created ?? 0) + REFUND_HOURS * 3600));
  return { id, cents };
}

/** Where else a refund is booked: the renewal or trial that a transaction paid, else the sale that the item is of. */
function paidFor(scene: Scene, item: Stored, type: RefundFacts['type']): Stored[] {
  if (type === 'subscription_renewal' || type === 'trial') return [];
  const recurring = type === 'transaction' ? linked(scene, item, ['subscription_renewals', 'trials']) : [];
  return recurring.length > 0 ? recurring : linked(scene, item, ['sales']);
}

/** What of an item's payments has not been refunded yet, cents. */
export function leftOf(item: Stored): number {
  const { paid, refunded } = ledgerOf(item.value);
  return paid - refunded;
}

function wanted(amount: unknown, left: number): number {
  if (typeof amount !== 'number' || !(amount > 0)) throw invalid('amount must be above zero.');
  const cents = Math.round(amount * 100);
  if (Math.abs(amount * 100 - cents) > 1e-6) throw invalid('amount must not have more than two decimals.');
  if (cents > left) throw invalid(`amount must not be above what is left to refund (${(left / 100).toFixed(2)}).`);
  return cents;
}

function book(scene: Scene, item: Stored, cents: number): void {
  const fresh = scene.store.get(item.family, item.id, scene.live) ?? item;
  const ledger = ledgerOf(fresh.value);
  const refunded = ledger.refunded + cents;
  const changes: Value = { ...amounts({ ...ledger, refunded }) };
  if (['product_sales', 'tax'].includes(item.family))
    changes.status = refunded >= ledger.paid ? 'refunded' : 'partially_refunded';
  scene.store.update(fresh, changes, scene.now);
}

/** The items that this one names under some of its related-id arrays. */
export function linked(scene: Scene, item: Stored, families: readonly string[]): Stored[] {
  return families.flatMap((family) =>
    ((item.value[family] as string[] | undefined) ?? [])
      .map((id) => scene.store.get(family, id, scene.live))
      .filter((found) => found !== undefined),
  );
}

/** Keeps relation 5 of spec 2.4 for sales: what remains is what their trials still wait for or failed to collect. */
export function refreshRemaining(scene: Scene, item: Stored): void {
  for (const sale of linked(scene, item, ['sales'])) {
    const remaining = linked(scene, sale, ['trials']).reduce((sum, trial) => sum + ledgerOf(trial.value).remaining, 0);
    const ledger = ledgerOf(sale.value);
    if (ledger.remaining !== remaining) scene.store.update(sale, { ...amounts({ ...ledger, remaining }) }, scene.now);
  }
}
