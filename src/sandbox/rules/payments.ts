import { DAY } from '../../base/time/units.js';
import type { CardOutcome } from '../../catalogue/terms.js';
import type { Stored } from '../store/item-store.js';
import type { Value } from '../store/item-values.js';
import { groundFields, type Links, onGround, open, type PurchaseFacts, paid, transaction } from './builders.js';
import { newItemHead, type Scene } from './call.js';
import { declinesBy, isExpired, outcomeOfStored } from './cards.js';
import { amountsOf } from './money.js';
import { fraudDetected, paymentFailed, type Refusal } from './refusals.js';
import type { Gateway } from './routing.js';

/** Days until the processor has settled a captured payment. reading: settlement */
const SETTLE_DAYS = 2;

export interface Charge {
  readonly outcome: CardOutcome;
  readonly transactionId: string;
  readonly message: string;
  readonly raw: Value;
  readonly fraud?: { readonly id: string; readonly rule: string };
  /** Whether no gateway was left to try. */
  readonly isUnrouted?: boolean;
}

const MESSAGES: Readonly<Record<CardOutcome, string>> = {
  approved: 'The transaction was approved.',
  declined: 'The payment was declined by the gateway.',
  error: 'The gateway returned an error.',
  held: 'The gateway holds the transaction.',
  fraud: 'Fraud was detected.',
};

/** The card to try for a customer: the default one of the enabled cards. */
export function defaultCard(scene: Scene, customer: string): Stored | undefined {
  const cards = scene.store
    .ofCustomer('customer_cards', customer, scene.live)
    .filter(({ value }) => value.enabled !== false);
  return cards.find(({ value }) => value.is_default === true) ?? cards[0];
}

/**
 * Tries to charge a card and leaves a transaction, whatever the outcome. A fraud decision also leaves a fraud detection
 * and never reaches a gateway (service.md#errors).
 */
export function charge(
  scene: Scene,
  facts: {
    ground: PurchaseFacts;
    cents: number;
    /** The discounts taken off, cents. */
    discount?: number | undefined;
    /** The address the payment comes from, if the request names one. */
    address?: unknown;
    method: string;
    card: Value | undefined;
    links: Links;
    /** The gateway that processes it; undefined when the routing found none. */
    gateway: Gateway | undefined;
    /** Id of the payment profile that routed it. */
    profile?: string | undefined;
    outcome?: CardOutcome | undefined;
  },
): Charge {
  const card = facts.card ?? {};
  const customer = String(facts.ground.customer.id ?? '');
  // After fraud, later attempts from the same source do not reach a gateway (service.md#errors).
  const blocked = facts.ground.customer.blocked === true || isBlocked(scene, facts.address);
  const isUnrouted = !blocked && facts.gateway === undefined;
  const usual = facts.outcome ?? (facts.card ? outcomeOfStored(card) : 'declined');
  const isRefused = isExpired(card, scene.now) || declinesBy(scene.store.database, card, scene.now);
  const tried = usual === 'approved' && isRefused ? 'declined' : usual;
  const outcome = blocked ? 'fraud' : isUnrouted ? 'error' : tried;
  const transactionId = scene.newId();
  const isAsked = outcome !== 'fraud' && facts.card !== undefined && facts.gateway !== undefined;
  const gateway = isAsked ? (facts.gateway as Gateway) : { id: '', name: '' };
  const made = transaction({
    id: transactionId,
    at: scene.now,
    ground: facts.ground,
    cents: facts.cents,
    discount: facts.discount,
    result: outcome === 'fraud' ? 'declined' : outcome,
    method: facts.method,
    gateway,
    card,
    settled: false,
    links: facts.links,
  });
  const value = onGround(Object.assign(made.own, made.fixed), facts.ground);
  if (facts.profile) value.payment_profile = facts.profile;
  value.fraud_detected = outcome === 'fraud';
  scene.store.insert('transactions', value, { live: scene.live, customer });
  if (outcome === 'approved') scene.store.schedule('settle', transactionId, scene.now + SETTLE_DAYS * DAY);
  const result: Charge = {
    outcome,
    transactionId,
    message: messageOf(outcome, isUnrouted, facts.card !== undefined),
    isUnrouted,
    raw: {
      response: outcome,
      response_text: MESSAGES[outcome],
      gateway: gateway.name,
      reference: value.gateway_transaction_id,
    },
  };
  return outcome === 'fraud' ? { ...result, fraud: detectFraud(scene, { ...facts, blocked }, transactionId) } : result;
}

function messageOf(outcome: CardOutcome, isUnrouted: boolean, hasCard: boolean): string {
  if (isUnrouted) return 'No gateway is enabled for this payment.';
  return hasCard || outcome === 'fraud' ? MESSAGES[outcome] : NO_CARD;
}

const NO_CARD = 'The customer has no card that can be charged; no gateway was contacted.';

/** Blocks an address: its payments no longer reach a gateway (service.md#errors). reading: fraud-blocks */
export function blockAddress(scene: Scene, address: unknown, detection: string): void {
  const name = addressName(scene, address);
  if (name) scene.store.keepSecret(name, { fraud_detection: detection });
}

/** Lets an address pay again after the detection that blocked it has turned out wrong. */
export function unblockAddress(scene: Scene, address: unknown, detection: string): void {
  const name = addressName(scene, address);
  if (name && scene.store.secret(name)?.fraud_detection === detection) scene.store.forgetSecret(name);
}

function isBlocked(scene: Scene, address: unknown): boolean {
  const name = addressName(scene, address);
  return name !== undefined && scene.store.secret(name) !== undefined;
}

function addressName({ live }: Scene, address: unknown): string | undefined {
  if (typeof address !== 'string' || address.trim() === '') return undefined;
  return `blocked.${live ? 'live' : 'test'}.${address.trim().toLowerCase()}`;
}

/** A fraud decision blocks the customer and leaves a detection. reading: fraud-blocks */
function detectFraud(
  scene: Scene,
  facts: { ground: PurchaseFacts; method: string; links: Links; address?: unknown; blocked: boolean },
  transactionId: string,
): { id: string; rule: string } {
  const { ground } = facts;
  // The firewall stops a customer or address that was blocked before; otherwise this payment itself is the fraud.
  const rule = facts.blocked ? 'firewall' : 'third_party';
  const customer = String(ground.customer.id ?? '');
  const buyer = scene.store.get('customers', customer, scene.live);
  if (buyer && buyer.value.blocked !== true) scene.store.update(buyer, { blocked: true }, scene.now);
  const value = {
    ...newItemHead(scene),
    live_mode: scene.live,
    status: 'detected',
    method: facts.method,
    source: 'sentinel',
    rule,
    ip_address: typeof facts.address === 'string' ? facts.address : undefined,
    source_id: transactionId,
    iso_currency: ground.currency,
    campaign_id: ground.campaign.id,
    campaign_name: ground.campaign.name,
    customer: groundFields(ground).customer,
    false_positive: false,
    transactions: [transactionId],
    sales: facts.links.sales ?? [],
    metadata: [],
  };
  const { id } = scene.store.insert('fraud_detections', value, { live: scene.live, customer });
  if (!facts.blocked) blockAddress(scene, facts.address, id);
  return { id, rule };
}

/** The families of payments other than by card. */
export const OTHER_FAMILIES = {
  wallet: 'wallet_transactions',
  check_direct: 'check_directs',
  offline_payment: 'offline_payments',
} as const;

/** A payment by another means than a card counts as completed and settled. reading: other-payments */
export function recordPayment(
  scene: Scene,
  facts: {
    ground: PurchaseFacts;
    word: keyof typeof OTHER_FAMILIES;
    cents: number;
    discount: number;
    saleId: string;
    walletTransaction: string | undefined;
    wallet: Stored | undefined;
    /** Whether the wallet brand has yet to confirm it. */
    isWaiting: boolean;
  },
): { family: (typeof OTHER_FAMILIES)[keyof typeof OTHER_FAMILIES]; id: string } {
  const family = OTHER_FAMILIES[facts.word];
  const value = {
    ...newItemHead(scene),
    status: facts.isWaiting ? 'pending' : 'completed',
    ...amountsOf((facts.isWaiting ? unconfirmed : confirmed)(facts.cents, facts.discount)),
    ...groundFields(facts.ground),
    wallet_transaction_id: facts.walletTransaction,
    ...(facts.wallet ? { wallet_account: { id: facts.wallet.id, name: facts.wallet.value.name } } : {}),
    sales: [facts.saleId],
    metadata: [],
  };
  scene.store.insert(family, value, { live: scene.live, customer: String(facts.ground.customer.id) });
  return { family, id: value.id };
}

const confirmed = (cents: number, discount: number) => paid(cents + discount, true, discount);
const unconfirmed = (cents: number, discount: number) => open(cents + discount, discount);

/** The 402 of a failed payment (service.md#errors); its records stay. */
export function chargeRefusal(result: Charge): Refusal {
  if (result.outcome === 'fraud') {
    const { id, rule } = result.fraud ?? {};
    return fraudDetected(result.message, id === undefined ? [] : [id], { source: 'sentinel', rule });
  }
  const code = result.outcome === 'declined' ? 2 : result.outcome === 'error' ? 3 : 4;
  return paymentFailed(code, result.message, result.raw);
}
