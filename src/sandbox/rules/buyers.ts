import type { Stored } from '../store/item-store.js';
import { objectUnder, type Value } from '../store/item-values.js';
import { type PurchaseFacts, shipToOf } from './builders.js';
import type { Scene } from './call.js';
import { cardView } from './cards.js';
import { addCustomer, checkActive } from './new-customer.js';
import { type Order, readCampaign, readOrder } from './order-lines.js';
import { type PaymentWord, paymentType } from './payment-types.js';
import { defaultCard } from './payments.js';
import { invalid } from './refusals.js';

/** The order in a body, and its buyer. */
export interface Bought {
  readonly order: Order;
  readonly buyer: Stored;
  readonly body: Value;
}

/** Reads the order and the buyer from a sale's body. */
export function readBought(scene: Scene, body: Value): Bought {
  const order = readOrder(scene, body);
  const buyer = findBuyer(scene, body, order);
  checkActive(buyer.value);
  return { order, buyer, body };
}

/** The buyer: the existing customer with `customer_id`, else the one with that e-mail address, else a new one. */
function findBuyer(scene: Scene, body: Value, order: Order): Stored {
  if (typeof body.customer_id === 'string') {
    const known = scene.store.get('customers', body.customer_id, scene.live);
    if (!known) throw invalid(`The customer ${body.customer_id} does not exist.`);
    return known;
  }
  const contact = body.customer as Value | undefined;
  if (!contact || typeof contact.email !== 'string')
    throw invalid('customer_id or customer with an email is required.');
  const known =
    contact.email === '' ? undefined : scene.store.named('customers', scene.live, 'email', contact.email)[0];
  if (known) return known;
  return addCustomer(scene, contact, order.campaign, {});
}

/** The facts that everything made by an order shares. */
export function groundOfOrder(
  scene: Scene,
  { order, buyer, body }: Bought,
  word: PaymentWord = 'credit_card',
): PurchaseFacts {
  return {
    live: scene.live,
    campaign: order.campaign,
    currency: order.currency,
    customer: buyer.value,
    shop: null,
    paymentType: paymentType(word),
    shipTo: addressOf(body, buyer),
  };
}

/** The address that an order goes to: the body's `ship_to` over the customer's own address. */
function addressOf(body: Value, buyer: Stored): Value {
  const given = body.ship_to as Value | undefined;
  return typeof given === 'object' && given !== null ? { ...shipToOf(buyer.value), ...given } : shipToOf(buyer.value);
}

/** How an order is paid, checked as the published page describes. */
export interface Payment {
  readonly word: PaymentWord;
  readonly card?: Value;
  /** The card number, if the request has one. */
  readonly number?: string;
  readonly walletTransaction?: string;
  /** The wallet account that received the payment, if the merchant has one. */
  readonly wallet?: Stored | undefined;
  /** Id of the payment profile that routes the payment. */
  readonly profile?: string;
}

/**
 * Reads how an order is paid.
 * @throws Refusal 400; E0037 for a payment profile that does not exist or is disabled (service.md#errors).
 */
export function readPayment(scene: Scene, body: Value, buyer: Stored, keptNumber?: string): Payment {
  const word = (body.payment_type ?? 'credit_card') as PaymentWord;
  const profile = typeof body.payment_profile === 'string' ? body.payment_profile : undefined;
  if (profile !== undefined) usableProfile(scene, profile);
  if (word === 'wallet') {
    if (typeof body.wallet_transaction_id !== 'string')
      throw invalid('payment_type wallet needs wallet_transaction_id.');
    return { word, walletTransaction: body.wallet_transaction_id, wallet: walletOf(scene, body) };
  }
  if (word !== 'credit_card') return { word };
  if (profile === undefined && keptNumber === undefined)
    throw invalid('payment_type credit_card needs payment_profile.');
  const routed = profile === undefined ? {} : { profile };
  const card = body.credit_card as Value | undefined;
  const number = card?.card_number ?? keptNumber;
  if (typeof number === 'string') {
    const known = scene.store
      .ofCustomer('customer_cards', buyer.id, scene.live)
      .find(({ value }) => value.first_6 === number.slice(0, 6) && value.last_4 === number.slice(-4));
    const used = known?.value ?? addCard(scene, buyer.value, { ...card, card_number: number });
    return { word, number, card: used, ...routed };
  }
  const stored = defaultCard(scene, buyer.id)?.value;
  if (!stored) throw invalid('credit_card is required: the customer has no card on file.');
  return { word, card: stored, ...routed };
}

/**
 * The wallet account of a sale, which the published body does not name: an enabled one of its campaign, else any
 * enabled one. Of several, one that waits for confirmation comes first, then the newest. reading: wallet-confirmation
 */
function walletOf(scene: Scene, body: Value): Stored | undefined {
  const enabled = scene.store.all('wallet_accounts', scene.live).filter(({ value }) => value.enabled !== false);
  const { id } = readCampaign(scene, body.campaign);
  const own = enabled.filter(({ value }) => value.campaign === id || objectUnder(value, 'campaign').id === id);
  const found = own.length > 0 ? own : enabled;
  return found.findLast(({ value }) => value.transaction_confirmation === true) ?? found.at(-1);
}

/**
 * @throws Refusal 400, E0037. A disabled profile counts as invalid by a decision of the sandbox.
 * reading: disabled-profile
 */
export function usableProfile(scene: Scene, id: string): void {
  const profile = scene.store.get('payment_profiles', id, scene.live);
  if (!profile) throw invalid(`The payment profile ${id} does not exist.`, 'E0037');
  if (profile.value.enabled === false) throw invalid(`The payment profile ${id} is disabled.`, 'E0037');
}

/** Stores a card for a customer; keeps only its first six and last four digits. */
export function addCard(scene: Scene, customer: Value, card: Value, billTo?: Value): Value {
  const isFirst = defaultCard(scene, String(customer.id)) === undefined;
  const view = {
    ...cardView(scene.newId(), scene.now, customer, card, isFirst),
    ...(billTo ? { bill_to: billTo } : {}),
  };
  scene.store.insert('customer_cards', view, { live: scene.live, customer: String(customer.id) });
  return view;
}
