import { DAY } from '../../time/units.js';
import {
  dated,
  type Ground,
  groundFields,
  type Links,
  moneyItem,
  open,
  paid,
  priceOf,
  productView,
  related,
  subscriptionItem,
  transaction,
  undated,
  unpaid,
} from '../builders.js';
import { outcomeOfStored } from '../cards.js';
import { amounts, type Ledger } from '../money.js';
import { salvageItem } from '../salvage.js';
import { nextRenewal } from '../schedule.js';
import type { Value } from '../text.js';
import type { AccountData, SeedScene } from './account.js';
import type { Person } from './people.js';

/** What the seeding of one mode has made so far, for the parts that build on it. */
export interface Made {
  renewals: number;
  readonly sales: Value[];
  readonly transactions: { id: string; customer: Value; at: number; cents: number; sale: string }[];
}

/** A trial in the state that its dates have brought it to, with its payment. */
export function seedTrial(
  scene: SeedScene,
  account: AccountData,
  facts: {
    ids: { trial: string; sale: string; subscription: string | undefined };
    at: number;
    end: number;
    open: boolean;
    cancelled: boolean;
    failed: boolean;
    due: number;
    fields: Value;
    filing: { customer: string; part: number };
    ground: Ground;
    line: Value;
    card: Value;
  },
): void {
  const { writer, chance } = scene;
  const { live } = account;
  const { cancelled, failed } = facts;
  const transactionId = !facts.open && !cancelled ? chance.id() : undefined;
  const salvageId = failed ? chance.id() : undefined;
  const status = cancelled ? 'cancelled' : facts.open ? 'active' : 'expired';
  const owed = status === 'active' || failed ? unpaid(facts.due) : open(facts.due);
  const ledger = status === 'expired' && !failed ? paid(facts.due, true) : owed;
  const links = {
    sales: [facts.ids.sale],
    subscriptions: facts.ids.subscription ? [facts.ids.subscription] : [],
    transactions: transactionId ? [transactionId] : [],
    salvage_transactions: salvageId ? [salvageId] : [],
  };
  // The day of the reset itself stays free of events, so that the same seed and day give the same data.
  const end = facts.open ? Math.max(facts.end, scene.day + DAY + (facts.end % DAY)) : facts.end;
  writer.add(
    'trials',
    live,
    {
      ...moneyItem(facts.ids.trial, facts.at, ledger, links),
      status,
      ...(status === 'expired' ? { expired_result: failed ? 'failed' : 'success' } : {}),
      extended: false,
      shortened: false,
      expiration_date_unix: end,
      product: facts.line,
    },
    facts.filing,
  );
  if (status === 'active') writer.schedule('expire', facts.ids.trial, end);
  if (!transactionId) return;
  const made = transaction({
    id: transactionId,
    at: facts.end,
    ground: facts.ground,
    cents: facts.due,
    result: failed ? failure(facts.card) : 'approved',
    method: 'trial_expire',
    gateway: account.gateway,
    card: facts.card,
    settled: true,
    links: { ...links, transactions: [], trials: [facts.ids.trial] },
  });
  writer.add('transactions', live, { ...made.own, ...made.fixed }, facts.filing);
  if (salvageId) {
    const value = salvageItem({
      id: salvageId,
      at: facts.end,
      cents: facts.due,
      method: 'trial_expire',
      shared: facts.fields,
      links: { sales: [facts.ids.sale], trials: [facts.ids.trial], transactions: [transactionId] },
    });
    writer.add('salvage_transactions', live, value, { customer: facts.filing.customer });
  }
}

/** A subscription with every renewal of its life so far. */
export function seedSubscription(
  scene: SeedScene,
  account: AccountData,
  person: Person,
  ids: { subscription: string; sale: string; line: string; trial: string | undefined; transaction: string | undefined },
  facts: {
    product: Value;
    ground: Ground;
    at: number;
    first: number;
    trialOpen: boolean;
    cancelled: boolean;
    made: Made;
    wanted: number;
  },
): void {
  const { writer, chance, day } = scene;
  const { live } = account;
  const { product, ground, made } = facts;
  const customerId = String(ground.customer.id);
  const profile = product.subscription_profile as Value;
  const cents = priceOf(product, 'price_subscription');
  const limit = profile.occurrences === 'specific' ? Number(profile.occurrences_value) : Number.POSITIVE_INFINITY;
  const fate = chance.int(100);
  const stops = fate < 14 ? facts.first + chance.int(Math.max(DAY, day - facts.first)) : Number.POSITIVE_INFINITY;
  const line = productView(product, 1, cents / 100);
  const fields = groundFields(ground);
  const shared = writer.part({
    product: line,
    subscription_profile: undated(profile),
    subscription_id: ids.subscription,
    ...fields,
    ...constantLinks({ sales: [ids.sale], subscriptions: [ids.subscription] }),
  });
  let sharedPayment: number | undefined;
  const renewals: string[] = [];
  const salvages: string[] = [];
  let last = facts.first;
  let lastId = '';
  const billing = (next: number) => ({
    next_renewal_date_unix: next,
    last_renewal_date_unix: lastId ? last : null,
    last_renewal_id: lastId || null,
  });
  let count = 0;
  let overdue = 0;
  let next = facts.trialOpen ? Math.max(facts.first, day + DAY) + DAY : nextRenewal(profile, facts.first);
  const schedule: number[] = [];
  for (
    let when = next;
    when < Math.min(day, stops) && schedule.length < limit && !facts.cancelled;
    when = nextRenewal(profile, when)
  )
    schedule.push(when);
  const failsFrom = person.failing ? schedule.length - 1 - chance.int(3) : Number.POSITIVE_INFINITY;
  for (const [index, when] of schedule.entries()) {
    if (made.renewals >= facts.wanted) break;
    const fails = index >= failsFrom;
    const id = chance.id();
    const transactionId = chance.id();
    const salvageId = fails ? chance.id() : undefined;
    const settled = day - when > 3 * DAY;
    const refunded =
      !fails && settled && chance.happens(0.02) ? (chance.happens(0.5) ? cents : Math.round(cents / 3)) : 0;
    const ledger: Ledger = fails ? unpaid(cents) : { ...paid(cents, settled), refunded };
    next = nextRenewal(profile, when);
    if (!fails) {
      last = when;
      lastId = id;
      count++;
    } else overdue++;
    writer.add(
      'subscription_renewals',
      live,
      {
        ...dated(id, when),
        ...amounts(ledger),
        billing: billing(next),
        is_overdue: fails,
        metadata: index % 7 === 3 ? [{ name: 'note', value: 'loyal' }] : [],
        transactions: [transactionId],
        salvage_transactions: salvageId ? [salvageId] : [],
      },
      { part: shared, customer: customerId },
    );
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
      links: { sales: [ids.sale], subscriptions: [ids.subscription], subscription_renewals: [id] },
    });
    sharedPayment ??= writer.part({ ...payment.fixed, ...fields });
    const own = refunded > 0 ? { ...payment.own, ...amounts({ ...paid(cents, settled), refunded }) } : payment.own;
    writer.add('transactions', live, own, { part: sharedPayment, customer: customerId });
    if (refunded > 0)
      seedRefund(scene, live, {
        at: when + 2 * DAY,
        cents: refunded,
        whole: refunded === cents,
        transaction: transactionId,
        renewal: id,
        fields,
        customer: customerId,
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
          subscriptions: [ids.subscription],
          subscription_renewals: [id],
          transactions: [transactionId],
        },
      });
      writer.add('salvage_transactions', live, value, { customer: customerId });
    }
    if (!settled && !fails) writer.schedule('settle', transactionId, day + DAY + (when % DAY));
    renewals.push(id);
    if (salvageId) salvages.push(salvageId);
    made.renewals++;
  }
  let status = fate < 8 || facts.cancelled ? 'cancelled' : fate < 14 ? 'suspended' : 'active';
  if (status === 'active' && count >= limit) status = 'occurrence_limit';
  else if (status === 'active' && overdue > 0)
    status = overdue > Number(profile.overdue_limit) ? 'suspended' : 'overdue';
  // The next date lies after the day of the reset, as above.
  while (next < day + DAY) next = Math.max(nextRenewal(profile, next), day + DAY);
  writer.add(
    'subscriptions',
    live,
    {
      ...subscriptionItem({
        id: ids.subscription,
        at: facts.at,
        cents,
        next,
        product: line,
        profile,
        shared: fields,
        links: {
          sales: [ids.sale],
          product_sales: [ids.line],
          trials: ids.trial ? [ids.trial] : [],
          transactions: ids.transaction ? [ids.transaction] : [],
        },
      }),
      // Without a renewal `last` is when the first one is due.
      updated_date_unix: lastId ? Math.max(facts.at, last) : facts.at,
      status,
      is_overdue: overdue > 0 && status !== 'cancelled',
      overdue_count: overdue,
      renewal_count: count,
      billing: billing(next),
      subscription_renewals: renewals,
      salvage_transactions: salvages,
      metadata: chance.happens(0.25) ? [{ name: 'plan', value: chance.pick(['basic', 'gold']) }] : [],
    },
    { customer: customerId },
  );
  if (status === 'active' || status === 'overdue') writer.schedule('renew', ids.subscription, next);
}

function seedRefund(
  scene: SeedScene,
  live: boolean,
  facts: {
    at: number;
    cents: number;
    whole: boolean;
    transaction: string;
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
      transaction_id: facts.transaction,
      refunded_offsite: false,
      amount: facts.cents / 100,
      processed_date_unix: processed ? at + DAY : undefined,
      ...facts.fields,
      metadata: [],
    },
    { customer: facts.customer },
  );
  if (!processed) scene.writer.schedule('refund', id, scene.day + 2 * DAY);
}

/** How a payment with a card that no longer pays ends. */
function failure(card: Value): 'declined' | 'error' | 'held' {
  const outcome = outcomeOfStored(card);
  return outcome === 'error' || outcome === 'held' ? outcome : 'declined';
}

/** The related ids that all renewals of a subscription share; each has its own transactions and salvage. */
function constantLinks(links: Links): Value {
  const { transactions: _transactions, salvage_transactions: _salvages, ...rest } = related(links);
  return rest;
}
