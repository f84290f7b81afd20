import { DAY } from '../../base/time/units.js';
import type { Stored } from '../store/store.js';
import type { Value } from '../store/text.js';
import { type Ground, groundFields, type Links, onGround, paid, transaction } from './builders.js';
import { head, type Scene } from './call.js';
import { type CardOutcome, outcomeOfStored } from './cards.js';
import { amounts } from './money.js';
import { fraudDetected, paymentFailed, type Refusal } from './refusal.js';
import type { Gateway } from './routing.js';

/** Days until the processor has settled a captured payment. reading: settlement */
const SETTLE_DAYS = 2;

export interface Charge {
  readonly outcome: CardOutcome;
  readonly transactionId: string;
  readonly message: string;
  readonly raw: Value;
  readonly fraudId?: string;
  /** True when no gateway was left to try. */
  readonly isUnrouted?: boolean;
}

const MESSAGES: Readonly<Record<CardOutcome, string>> = {
  approved: 'The transaction was approved.',
  declined: 'The payment was declined by the gateway.',
  error: 'The gateway returned an error.',
  held: 'The gateway holds the transaction.',
  fraud: 'Fraud was detected.',
};

/** The card that is tried for a customer: the default one among those that are enabled. */
export function defaultCard(scene: Scene, customer: string): Stored | undefined {
  const cards = scene.store
    .ofCustomer('customer_cards', customer, scene.live)
    .filter(({ value }) => value.enabled !== false);
  return cards.find(({ value }) => value.is_default === true) ?? cards[0];
}

/**
 * Tries to take money from a card and leaves a transaction, whatever comes of it. A fraud decision leaves a
 * fraud detection as well and never reaches a gateway (service.md#errors).
 */
export function charge(
  scene: Scene,
  facts: {
    ground: Ground;
    cents: number;
    method: string;
    card: Value | undefined;
    links: Links;
    /** The gateway it runs through; undefined when the routing found none. */
    gateway: Gateway | undefined;
    /** Id of the payment profile that routed it. */
    profile?: string | undefined;
    outcome?: CardOutcome | undefined;
  },
): Charge {
  const card = facts.card ?? {};
  const customer = String(facts.ground.customer.id ?? '');
  // After fraud, further attempts from the same source never reach a gateway (service.md#errors).
  const blocked = facts.ground.customer.blocked === true;
  const isUnrouted = !blocked && facts.gateway === undefined;
  const tried = facts.outcome ?? (facts.card ? outcomeOfStored(card) : 'declined');
  const outcome = blocked ? 'fraud' : isUnrouted ? 'error' : tried;
  const transactionId = scene.newId();
  const gateway = facts.gateway ?? { id: '', name: '' };
  const made = transaction({
    id: transactionId,
    at: scene.now,
    ground: facts.ground,
    cents: facts.cents,
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
    message: isUnrouted ? 'No gateway is enabled for this payment.' : MESSAGES[outcome],
    isUnrouted,
    raw: {
      response: outcome,
      response_text: MESSAGES[outcome],
      gateway: gateway.name,
      reference: value.gateway_transaction_id,
    },
  };
  return outcome === 'fraud' ? { ...result, fraudId: detectFraud(scene, facts, transactionId) } : result;
}

/** A fraud decision blocks the customer and leaves a detection. reading: fraud-blocks */
function detectFraud(
  scene: Scene,
  facts: { ground: Ground; method: string; links: Links },
  transactionId: string,
): string {
  const { ground } = facts;
  const customer = String(ground.customer.id ?? '');
  const buyer = scene.store.get('customers', customer, scene.live);
  if (buyer && buyer.value.blocked !== true) scene.store.update(buyer, { blocked: true }, scene.now);
  const value = {
    ...head(scene),
    live_mode: scene.live,
    status: 'detected',
    method: facts.method,
    source: 'sentinel',
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
  return scene.store.insert('fraud_detections', value, { live: scene.live, customer }).id;
}

/** Where payments by anything but a card are kept. */
export const OTHER_FAMILIES = {
  wallet: 'wallet_transactions',
  check_direct: 'check_directs',
  offline_payment: 'offline_payments',
} as const;

/** A payment by anything but a card: it is taken as completed and settled. reading: other-payments */
export function recordPayment(
  scene: Scene,
  facts: {
    ground: Ground;
    word: keyof typeof OTHER_FAMILIES;
    cents: number;
    saleId: string;
    walletTransaction: string | undefined;
  },
): { family: (typeof OTHER_FAMILIES)[keyof typeof OTHER_FAMILIES]; id: string } {
  const family = OTHER_FAMILIES[facts.word];
  const value = {
    ...head(scene),
    status: 'completed',
    ...amounts(paid(facts.cents, true)),
    ...groundFields(facts.ground),
    wallet_transaction_id: facts.walletTransaction,
    sales: [facts.saleId],
    metadata: [],
  };
  scene.store.insert(family, value, { live: scene.live, customer: String(facts.ground.customer.id) });
  return { family, id: value.id };
}

/** The 402 of a payment that failed (service.md#errors); what it left stays on record. */
export function refusalOf(result: Charge): Refusal {
  if (result.outcome === 'fraud') {
    return fraudDetected(result.message, result.fraudId ? [result.fraudId] : [], {
      source: 'sentinel',
      rule: 'test card',
    });
  }
  const code = result.outcome === 'declined' ? 2 : result.outcome === 'error' ? 3 : 4;
  return paymentFailed(code, result.message, result.raw);
}
