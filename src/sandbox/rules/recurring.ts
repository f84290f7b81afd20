import { DAY } from '../../base/time/units.js';
import { dayOfMonth, nextRenewal } from '../../catalogue/payment-schedule.js';
import { objectUnder, type Value } from '../store/item-values.js';
import {
  groundFields,
  moneyItem,
  type PurchaseFacts,
  priceOf,
  productView,
  subscriptionItem,
  unpaid,
} from './builders.js';
import type { Scene } from './call.js';
import type { OrderLine } from './order-lines.js';

/** The trial and the subscription that a line starts. */
export function startRecurring(
  scene: Scene,
  ground: PurchaseFacts,
  line: OrderLine,
  ids: { sale: string; line: string },
): { trials: string[]; subscriptions: string[]; due: number } {
  const { product } = line;
  const days = Number(product.trial_days ?? 0);
  const profileId = objectUnder(product, 'subscription_profile').id;
  const profile = profileId
    ? (scene.store.get('subscription_profiles', String(profileId), scene.live)?.value ??
      (product.subscription_profile as Value))
    : undefined;
  const trials = days > 0 ? [scene.newId()] : [];
  const subscriptions = profile ? [scene.newId()] : [];
  const end = scene.now + days * DAY;
  const due = days > 0 ? priceOf(product, 'price_trial') * line.quantity : 0;
  if (trials[0]) startTrial(scene, ground, line, { ...ids, trial: trials[0], subscriptions, end, due });
  if (subscriptions[0] && profile)
    startSubscription(scene, ground, line, { ...ids, subscription: subscriptions[0], trials, end, profile });
  return { trials, subscriptions, due };
}

function startTrial(
  scene: Scene,
  ground: PurchaseFacts,
  line: OrderLine,
  facts: { sale: string; line: string; trial: string; subscriptions: string[]; end: number; due: number },
): void {
  const { due } = facts;
  const links = { sales: [facts.sale], product_sales: [facts.line], subscriptions: facts.subscriptions };
  const value: Value = {
    ...moneyItem(facts.trial, scene.now, unpaid(due), links),
    status: 'active',
    extended: false,
    shortened: false,
    expiration_date_unix: facts.end,
    product: productView(line.product, line.quantity, due / line.quantity / 100),
    ...groundFields(ground),
  };
  scene.store.insert('trials', value, { live: scene.live, customer: String(ground.customer.id) });
  scene.store.schedule('expire', facts.trial, facts.end);
}

function startSubscription(
  scene: Scene,
  ground: PurchaseFacts,
  line: OrderLine,
  facts: { sale: string; line: string; subscription: string; trials: string[]; end: number; profile: Value },
): void {
  const { store } = scene;
  const { subscription: id, profile } = facts;
  const next = nextRenewal(profile, facts.end);
  const amount = priceOf(line.product, 'price_subscription') * line.quantity;
  const value = subscriptionItem({
    id,
    at: scene.now,
    cents: amount,
    next,
    product: productView(line.product, line.quantity, amount / line.quantity / 100),
    profile,
    shared: groundFields(ground),
    links: { sales: [facts.sale], product_sales: [facts.line], trials: facts.trials },
  });
  store.insert('subscriptions', value, { live: scene.live, customer: String(ground.customer.id) });
  store.keepSecret(`${id}.renewing`, { anchor: dayOfMonth(facts.end) });
  store.schedule('renew', id, next);
}
