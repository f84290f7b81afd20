import { DAY } from '../../base/time/units.js';
import { nextRenewal } from '../../catalogue/payment-schedule.js';
import {
  dated,
  type Links,
  moneyItem,
  open,
  type PurchaseFacts,
  paid,
  priceOf,
  productView,
  refundTransaction,
  related,
  subscriptionItem,
  transaction,
  undated,
  unpaid,
  withAmounts,
} from '../rules/builders.js';
import { outcomeOfStored } from '../rules/cards.js';
import { salvageItem } from '../rules/left-to-collect.js';
import { type AmountBasis, amountsOf } from '../rules/money.js';
import { joined, type Value } from '../store/item-values.js';
import type { AccountData, SeedScene } from './seed-account.js';
import type { Person } from './seed-people.js';

/** What the seeding of one mode has made so far, for the steps that build on it. */
export interface Made {
  renewals: number;
  /** Number of sales ever made, including those no longer kept in memory. */
  sold: number;
  /** How many sales used each coupon. */
  readonly coupons: Record<keyof AccountData['coupons'], number>;
  /** Ids. */
  readonly sales: string[];
  readonly transactions: {
    id: string;
    customer: Value;
    at: number;
    cents: number;
    sale: string;
  }[];
}

/** The facts of a purchase that its trial and its subscription build on. */
export interface Purchase {
  readonly ids: {
    readonly sale: string;
    readonly line: string;
    readonly transaction: string | undefined;
    readonly trial: string | undefined;
    readonly subscription: string | undefined;
  };
  readonly person: Person;
  readonly product: Value;
  /** The product as the sale shows it. */
  readonly line: Value;
  readonly ground: PurchaseFacts;
  /** The fields of its ground. */
  readonly fields: Value;
  readonly filing: { readonly customer: string; readonly part: number };
  /** Unix seconds. */
  readonly at: number;
  /** The state of a trial, given its dates. */
  readonly trial: 'none' | 'active' | 'cancelled' | 'failed' | 'paid';
  /** When the trial ends and the first period begins, unix seconds. */
  readonly trialEnd: number;
  /** The price charged when the trial ends, cents. */
  readonly trialDue: number;
}

/** A list with the id, or an empty one without. */
export function list(id: string | undefined): string[] {
  return id === undefined ? [] : [id];
}

/** A trial in the state that follows from its dates, with its payment. */
export function seedTrial(scene: SeedScene, account: AccountData, purchase: Purchase, id: string): void {
  const { writer, chance } = scene;
  const { live } = account;
  const { ids, trial, trialEnd, trialDue, ground, filing } = purchase;
  const { card } = purchase.person;
  const isExpired = trial === 'paid' || trial === 'failed';
  const transactionId = isExpired ? chance.id() : undefined;
  const salvageId = trial === 'failed' ? chance.id() : undefined;
  const owed = trial === 'cancelled' ? open(trialDue) : unpaid(trialDue);
  const links = {
    sales: [ids.sale],
    subscriptions: list(ids.subscription),
    transactions: list(transactionId),
    salvage_transactions: list(salvageId),
  };
  const value = {
    ...moneyItem(id, purchase.at, trial === 'paid' ? paid(trialDue, true) : owed, links),
    status: isExpired ? 'expired' : trial,
    ...(isExpired ? { expired_result: trial === 'failed' ? 'failed' : 'success' } : {}),
    extended: false,
    shortened: false,
    expiration_date_unix: trialEnd,
    product: purchase.line,
  };
  writer.add('trials', live, value, filing);
  if (trial === 'active') writer.schedule('expire', id, trialEnd);
  if (!transactionId) return;
  const made = transaction({
    id: transactionId,
    at: trialEnd,
    ground,
    cents: trialDue,
    result: salvageId ? failure(card) : 'approved',
    method: 'trial_expire',
    gateway: account.gateway,
    card,
    settled: true,
    links: { ...links, transactions: [], trials: [id] },
  });
  writer.add('transactions', live, Object.assign(made.own, made.fixed), filing);
  if (!salvageId) return;
  const salvage = salvageItem({
    id: salvageId,
    at: trialEnd,
    cents: trialDue,
    method: 'trial_expire',
    shared: purchase.fields,
    links: { sales: [ids.sale], trials: [id], transactions: [transactionId] },
  });
  writer.add('salvage_transactions', live, salvage, { customer: filing.customer });
}

/** A subscription with every renewal of its life so far, up to the wanted number of renewals. */
export function seedSubscription(
  scene: SeedScene,
  account: AccountData,
  purchase: Purchase,
  id: string,
  made: Made,
  wanted: number,
): void {
  const { writer, chance, day } = scene;
  const { live } = account;
  const { ids, product, ground, fields, person, trialEnd: first } = purchase;
  const { customer } = purchase.filing;
  const profile = product.subscription_profile as Value;
  const cents = priceOf(product, 'price_subscription');
  const limit = profile.occurrences === 'specific' ? Number(profile.occurrences_value) : Number.POSITIVE_INFINITY;
  const fate = chance.int(100);
  const stops = fate < 14 ? first + chance.int(Math.max(DAY, day - first)) : Number.POSITIVE_INFINITY;
  const line = productView(product, 1, cents / 100);
  const shared = writer.part({
    product: line,
    subscription_profile: undated(profile),
    subscription_id: id,
    ...fields,
    ...constantLinks({ sales: [ids.sale], subscriptions: [id] }),
  });
  const ofRenewals = { part: shared, customer };
  let ofPayments: { part: number; customer: string } | undefined;
  const renewals: string[] = [];
  const salvages: string[] = [];
  let last = first;
  let lastId = '';
  const billing = (next: number) => ({
    next_renewal_date_unix: next,
    last_renewal_date_unix: lastId ? last : null,
    last_renewal_id: lastId || null,
  });
  let count = 0;
  let overdue = 0;
  let next = nextRenewal(profile, first);
  const schedule: number[] = [];
  for (
    let when = next;
    when < Math.min(day, stops) && schedule.length < limit && purchase.trial !== 'cancelled';
    when = nextRenewal(profile, when)
  )
    schedule.push(when);
  const failsFrom = person.failing ? schedule.length - 1 - chance.int(3) : Number.POSITIVE_INFINITY;
  for (const [index, when] of schedule.entries()) {
    if (made.renewals >= wanted) break;
    const fails = index >= failsFrom;
    const renewal = chance.id();
    const transactionId = chance.id();
    const salvageId = fails ? chance.id() : undefined;
    const settled = day - when > 3 * DAY;
    const refunded =
      !fails && settled && chance.happens(0.02) ? (chance.happens(0.5) ? cents : Math.round(cents / 3)) : 0;
    const ledger: AmountBasis = fails ? unpaid(cents) : { ...paid(cents, settled), refunded };
    next = nextRenewal(profile, when);
    if (!fails) {
      last = when;
      lastId = renewal;
      count++;
    } else overdue++;
    const item = withAmounts(renewal, when, ledger);
    item.billing = billing(next);
    item.is_overdue = fails;
    item.metadata = index % 7 === 3 ? [{ name: 'note', value: 'loyal' }] : [];
    item.transactions = [transactionId];
    item.salvage_transactions = list(salvageId);
    writer.add('subscription_renewals', live, item, ofRenewals);
    const payment = transaction({
      id: transactionId,
      at: when,
      ground,
      cents,
      result: fails ? failure(person.card) : 'approved',
      method: 'subscription_renew',
      gateway: account.gateway,
      card: person.card,
      settled,
      links: { sales: [ids.sale], subscriptions: [id], subscription_renewals: [renewal] },
    });
    ofPayments ??= { part: writer.part(Object.assign(payment.fixed, fields)), customer };
    if (refunded > 0) Object.assign(payment.own, amountsOf(ledger));
    writer.add('transactions', live, payment.own, ofPayments);
    if (refunded > 0)
      seedRefund(scene, live, {
        at: when + 2 * DAY,
        cents: refunded,
        whole: refunded === cents,
        transaction: joined(payment.own, payment.fixed, fields),
        renewal,
        fields,
        customer,
      });
    if (salvageId) {
      const value = salvageItem({
        id: salvageId,
        at: when,
        cents,
        method: 'subscription_renew',
        shared: fields,
        links: {
          sales: [ids.sale],
          subscriptions: [id],
          subscription_renewals: [renewal],
          transactions: [transactionId],
        },
      });
      writer.add('salvage_transactions', live, value, { customer });
    }
    if (!settled && !fails) writer.schedule('settle', transactionId, day + DAY + (when % DAY));
    renewals.push(renewal);
    if (salvageId) salvages.push(salvageId);
    made.renewals++;
  }
  let status = fate < 8 || purchase.trial === 'cancelled' ? 'cancelled' : fate < 14 ? 'suspended' : 'active';
  if (status === 'active' && count >= limit) status = 'occurrence_limit';
  else if (status === 'active' && overdue > 0)
    status = overdue > Number(profile.overdue_limit) ? 'suspended' : 'overdue';
  // The next date comes after the day of the reset, as above; one that has ended keeps the date it had.
  const hasEnded = status === 'cancelled' || status === 'occurrence_limit';
  while (!hasEnded && next < day + DAY) next = Math.max(nextRenewal(profile, next), day + DAY);
  const item = subscriptionItem({
    id,
    at: purchase.at,
    cents,
    next,
    product: line,
    profile,
    shared: fields,
    links: {
      sales: [ids.sale],
      product_sales: [ids.line],
      trials: list(ids.trial),
      transactions: list(ids.transaction),
    },
  });
  // Without a renewal, `last` is when the first one is due.
  item.updated_date_unix = lastId ? Math.max(purchase.at, last) : purchase.at;
  item.status = status;
  item.is_overdue = overdue > 0 && status !== 'cancelled';
  item.overdue_count = overdue;
  item.renewal_count = count;
  item.billing = billing(next);
  item.subscription_renewals = renewals;
  item.salvage_transactions = salvages;
  item.metadata = chance.happens(0.25) ? [{ name: 'plan', value: chance.pick(['basic', 'gold']) }] : [];
  writer.add('subscriptions', live, item, { customer });
  if (status === 'active' || status === 'overdue') writer.schedule('renew', id, next);
}

function seedRefund(
  scene: SeedScene,
  live: boolean,
  facts: {
    at: number;
    cents: number;
    whole: boolean;
    transaction: Value;
    renewal: string;
    fields: Value;
    customer: string;
  },
): void {
  const id = scene.chance.id();
  const at = Math.min(facts.at, scene.day - 1);
  const processed = scene.day - at > 3 * DAY;
  scene.writer.add(
    'pending_refunds',
    live,
    {
      ...dated(id, at),
      status: processed ? 'processed' : 'pending',
      type: 'subscription_renewal',
      full: facts.whole,
      source_id: facts.renewal,
      transaction_id: facts.transaction.id,
      refunded_offsite: false,
      amount: facts.cents / 100,
      processed_date_unix: processed ? at + DAY : undefined,
      ...facts.fields,
      metadata: [],
    },
    { customer: facts.customer },
  );
  if (!processed) scene.writer.schedule('refund', id, scene.day + 2 * DAY);
  else if (scene.refunds) {
    const kind = facts.whole ? 'full' : 'partial';
    const refund = refundTransaction(facts.transaction, { id, at: at + DAY, cents: facts.cents, kind });
    scene.writer.add('transactions', live, refund, { customer: facts.customer });
  }
}

/** The outcome of a payment with a card that no longer pays. */
function failure(card: Value): 'declined' | 'error' | 'held' {
  const outcome = outcomeOfStored(card);
  return outcome === 'error' || outcome === 'held' ? outcome : 'declined';
}

/** The related ids that all renewals of a subscription share; each has its own transactions and salvage. */
function constantLinks(links: Links): Value {
  const { transactions: _transactions, salvage_transactions: _salvages, ...rest } = related(links);
  return rest;
}
