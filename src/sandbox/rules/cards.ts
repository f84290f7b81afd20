import type { Database } from '../../base/database/types.js';
import { type CardOutcome, TEST_CARDS } from '../../catalogue/terms.js';
import type { Value } from '../store/item-values.js';
import { readMeta, writeMeta } from '../store/store-tables.js';
import { dated } from './builders.js';

/** The card for a merchant error: its failed sale says `merchant_error`. */
const MERCHANT_CARD = '4000000000000127';

/** The card that pays half of a sale. */
const PARTIAL_CARD = '4000000000000341';

/** Whether every payment by a stored card shows a fault of the merchant account. */
export function isMerchantFault(card: Value | undefined): boolean {
  return is(card, MERCHANT_CARD);
}

/** Whether a stored card pays only the first half of a sale. reading: part-collected */
export function paysHalf(card: Value | undefined): boolean {
  return is(card, PARTIAL_CARD);
}

function is(card: Value | undefined, number: string): boolean {
  return card?.first_6 === number.slice(0, 6) && card?.last_4 === number.slice(-4);
}

/** The outcome of a payment with this card. An invalid card number is declined; all others are approved. */
export function outcomeOf(number: string): CardOutcome {
  const known = TEST_CARDS.find((card) => card.number === number);
  if (known) return known.outcome;
  return passesLuhn(number) ? 'approved' : 'declined';
}

/** The same for a stored card, of which only the first six and last four digits are known. */
export function outcomeOfStored(card: Value): CardOutcome {
  const known = TEST_CARDS.find(
    (one) => one.number.startsWith(String(card.first_6)) && one.number.endsWith(String(card.last_4)),
  );
  return known?.outcome ?? 'approved';
}

/** A card that is declined from a moment on, unix seconds. */
export interface DecliningCard {
  readonly number: string;
  readonly from: number;
}

const DECLINING = 'declining_cards';

/** Sets the cards that are declined from a moment on, until the data is recreated. */
export function setDecliningCards(database: Database, cards: readonly DecliningCard[]): void {
  writeMeta(database, DECLINING, JSON.stringify(cards));
}

/** Whether a stored card is one of those, and its moment has come. */
export function declinesBy(database: Database, card: Value, now: number): boolean {
  const cards = JSON.parse(readMeta(database, DECLINING) ?? '[]') as DecliningCard[];
  return cards.some(({ number, from }) => from <= now && is(card, number));
}

/**
 * Whether a stored card is past the end of its month, in UTC: no payment by it is approved. reading: expired-card
 * @param now unix seconds
 */
export function isExpired({ expiry_month: month, expiry_year: year }: Value, now: number): boolean {
  if (month === undefined || year === undefined) return false;
  return Date.UTC(CENTURY + Number(year), Number(month)) / 1000 <= now;
}

/** Years of cards have two digits. */
const CENTURY = 2000;

/** A card as reads show it, never with the whole number (published fields). */
export function cardView(id: string, at: number, customer: Value, card: Value, isDefault: boolean): Value {
  const number = String(card.card_number ?? '');
  const month = String(card.exp_month ?? 12).padStart(2, '0');
  const year = String(card.exp_year ?? 30)
    .padStart(2, '0')
    .slice(-2);
  return {
    ...dated(id, at),
    enabled: true,
    live_mode: customer.live_mode === true,
    customer_id: customer.id,
    type: number.startsWith('5') ? 'mastercard' : number.startsWith('3') ? 'amex' : 'visa',
    first_6: number.slice(0, 6),
    last_4: number.slice(-4),
    expiry_date: `${month}/${year}`,
    expiry_month: month,
    expiry_year: year,
    is_default: isDefault,
    metadata: [],
  };
}

function passesLuhn(number: string): boolean {
  if (!/^\d{12,19}$/.test(number)) return false;
  let sum = 0;
  for (const [index, digit] of [...number].reverse().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
