import { type Ground, groundFields, type Links, transaction } from './builders.js';
import type { Scene } from './call.js';
import { type CardOutcome, outcomeOfStored } from './cards.js';
import { fraudDetected, paymentFailed, type Refusal } from './refusal.js';
import type { Stored } from './store.js';
import type { Value } from './text.js';

/** Days until the processor has settled a captured payment; ours, the spec does not say. */
export const SETTLE_DAYS = 2;

export interface Charge {
  readonly outcome: CardOutcome;
  readonly transactionId: string;
  readonly message: string;
  readonly raw: Value;
  readonly fraudId?: string;
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

/** The gateway that payments run through; the first of the account's own. */
export function gatewayOf(scene: Scene): { id: string; name: string } {
  for (const { id, value } of scene.store.scan('user_gateways', scene.live)) {
    if (value.enabled !== false) return { id, name: String(value.name) };
  }
  return { id: '', name: '' };
}

/**
 * Tries to take money from a card and leaves a transaction, whatever comes of it. A fraud decision leaves a
 * fraud detection as well and never reaches a gateway (spec 7.2).
 */
export function charge(
  scene: Scene,
  facts: {
    ground: Ground;
    cents: number;
    method: string;
    card: Value | undefined;
    links: Links;
    outcome?: CardOutcome;
  },
): Charge {
  const card = facts.card ?? {};
  const customer = String(facts.ground.customer.id ?? '');
  // After fraud, further attempts from the same source never reach a gateway (spec 7.2).
  const blocked = facts.ground.customer.blocked === true;
  const outcome = blocked ? 'fraud' : (facts.outcome ?? (facts.card ? outcomeOfStored(card) : 'declined'));
  const transactionId = scene.newId();
  const gateway = gatewayOf(scene);
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
  const value: Value = {
    ...made.own,
    ...made.fixed,
    ...groundFields(facts.ground),
    fraud_detected: outcome === 'fraud',
  };
  scene.store.insert('transactions', value, { live: scene.live, customer });
  if (outcome === 'approved') scene.store.schedule('settle', transactionId, scene.now + SETTLE_DAYS * 86_400);
  const result: Charge = {
    outcome,
    transactionId,
    message: MESSAGES[outcome],
    raw: {
      response: outcome,
      response_text: MESSAGES[outcome],
      gateway: gateway.name,
      reference: value.gateway_transaction_id,
    },
  };
  if (outcome !== 'fraud') return result;
  const fraudId = scene.newId();
  const buyer = scene.store.get('customers', customer, scene.live);
  if (buyer && !blocked) scene.store.update(buyer, { blocked: true }, scene.now);
  scene.store.insert(
    'fraud_detections',
    {
      id: fraudId,
      created_date_unix: scene.now,
      updated_date_unix: scene.now,
      live_mode: scene.live,
      status: 'detected',
      method: facts.method,
      source: 'sentinel',
      source_id: transactionId,
      iso_currency: facts.ground.currency,
      campaign_id: facts.ground.campaign.id,
      campaign_name: facts.ground.campaign.name,
      customer: value.customer,
      false_positive: false,
      transactions: [transactionId],
      sales: facts.links.sales ?? [],
      metadata: [],
    },
    { live: scene.live, customer },
  );
  return { ...result, fraudId };
}

/** The 402 of a payment that failed (spec 7.2); what it left stays on record. */
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
