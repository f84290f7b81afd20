import Big from 'big.js';
import { idsAt, type Lossless, parseLossless } from '../../items/json/lossless.js';
import { minorDigits } from '../../items/schema/types.js';
import { productsIn } from '../names/natural-keys.js';
import { type Known, keyOf, type NamedItem, uniqueOf } from './one.js';
import { ENDED, madeOf, textAt } from './sheet.js';

/** Two equal charges within this many seconds may be one too many. */
const SOON = 86_400;

/** The successful card payments, latest first; without refunds and voided payments. */
export function approvedCharges(payments: readonly Known[]): Known[] {
  return payments
    .filter(({ family, item }) => family === 'transactions' && textAt(item, 'result') === 'approved')
    .filter(({ item }) => isPayment(item) && textAt(item, 'void') !== 'true')
    .sort((a, b) => madeOf(b) - madeOf(a));
}

/** What the service shows as paid, given back and left. */
const SUMS = ['amount_captured', 'amount_refunded', 'amount_gross'] as const;

/**
 * What was paid, one row per currency: its payments, the amount taken, the part given back, and the rest. A refund that
 * is a separate transaction counts with the payment that it gives back. Undefined if a payment does not show its sums.
 */
export function paidByCurrency(payments: readonly string[]): string[] | undefined {
  const rows = new Map<string, { count: number; sums: Big[] }>();
  for (const payment of payments.map(parseLossless).filter(isPayment)) {
    const texts = SUMS.map((path) => textAt(payment, path));
    const currency = textAt(payment, 'iso_currency');
    if (currency === '' || !texts.every((text) => /^-?\d+(\.\d+)?$/.test(text))) return undefined;
    if (Number(texts[0]) === 0) continue;
    const { count, sums } = rows.get(currency) ?? { count: 0, sums: SUMS.map(() => new Big(0)) };
    rows.set(currency, { count: count + 1, sums: sums.map((sum, at) => sum.plus(texts[at] ?? 0)) });
  }
  return [...rows].map(([currency, { count, sums }]) => {
    const told = SUMS.map((path, at) => `"${path}":${sums[at]?.toFixed(minorDigits(currency))}`);
    return `{"iso_currency":${JSON.stringify(currency)},"payments":${count},${told.join(',')}}`;
  });
}

const isPayment = (item: Lossless): boolean => !/refund/i.test(textAt(item, 'method'));

/** What a charge was for, by the items it names: a renewal, the end of a trial, an order. */
export function purposeOf(known: Known, names: ReadonlyMap<string, string> = new Map()): string | undefined {
  const called = (word: string, id: string): string => `${word} ${id}${names.has(id) ? ` (${names.get(id)})` : ''}`;
  const [renewal, trial, order] = ['subscription_renewals', 'trials', 'sales'].map(
    (name) => idsAt(known.item, name)[0],
  );
  const subscription = subscriptionOf(known);
  if (known.family === 'subscription_renewals')
    return subscription === undefined ? undefined : called('subscription', subscription);
  if (renewal !== undefined)
    return subscription === undefined ? `renewal ${renewal}` : `a renewal of ${called('subscription', subscription)}`;
  if (trial !== undefined) return called('trial', trial);
  if (order !== undefined) return called('order', order);
  return subscription === undefined ? undefined : called('subscription', subscription);
}

function subscriptionOf(known: Known): string | undefined {
  return idsAt(known.item, 'subscriptions')[0] ?? (textAt(known.item, 'subscription_id') || undefined);
}

/** The lines that a charge adds up to, and what each is called without a product. */
const LINES: Readonly<Record<string, string>> = {
  product_sales: 'products',
  subscription_renewals: 'renewal',
  trials: 'trial',
  shipping: 'shipping',
  tax: 'tax',
  discounts: 'discount',
};

/** What is charged besides a product. */
const EXTRAS = ['shipping', 'tax', 'discounts'];

/** The families that explain the sum of a charge or an order; the renewals of an order are charges of their own. */
function linesOf({ family }: Pick<Known, 'family'>): string[] {
  if (family === 'transactions') return Object.keys(LINES);
  return family === 'sales' ? ['product_sales', ...EXTRAS] : [];
}

export const isPeriod = ({ family }: Known): boolean => family === 'subscription_renewals' || family === 'trials';

/** The lines that an item names; those of a renewal or a trial are charged together with it. */
export function linesNamed(known: Known): NamedItem[] {
  return (isPeriod(known) ? EXTRAS : linesOf(known)).flatMap((family) =>
    idsAt(known.item, family).map((id) => ({ family, id })),
  );
}

/** What a charge or an order adds up to: products, shipping, tax and discounts. Nothing if a line was not read. */
export function sumSaid(known: Known, around: readonly Known[]): string[] {
  if (linesOf(known).length === 0) return [];
  const find = (one: NamedItem): Known | undefined => around.find((other) => keyOf(other) === keyOf(one));
  const own = linesNamed(known);
  const named = uniqueOf([...own, ...own.flatMap((one) => linesNamed(find(one) ?? known))]);
  const lines = named.flatMap((one) => lineOf(find(one), find) ?? []);
  const currency = textAt(known.item, 'iso_currency');
  const digits = minorDigits(currency);
  const sum = lines.reduce((all, { amount }) => all.plus(amount), new Big(0)).toFixed(digits);
  const total = known.family === 'transactions' ? new Big(textAt(known.item, 'amount') || 0).toFixed(digits) : sum;
  const told = lines
    .filter(({ amount }) => !amount.eq(0))
    .map(({ amount, name }, at) => {
      const sign = amount.lt(0) ? '- ' : at === 0 ? '' : '+ ';
      return `${sign}${amount.abs().toFixed(digits)} ${name}`;
    });
  if (told.length === 0 || lines.length < named.length) return [];
  const all = `${sum} ${currency} = ${told.join(' ')}.`;
  return [sum === total ? all : `Its lines add up to another sum than the ${total} ${currency} charged: ${all}`];
}

/** A line with its sum before refunds; undefined if it was not read or shows none. */
function lineOf(
  known: Known | undefined,
  find: (one: NamedItem) => Known | undefined,
): { readonly amount: Big; readonly name: string } | undefined {
  if (known === undefined) return undefined;
  const { family } = known;
  const isOff = family === 'discounts';
  const amount = isOff ? amountAt(known, 'amount')?.times(-1) : amountAt(known, 'amount_original_total');
  if (amount === undefined) return undefined;
  const at = (path: string): string => textAt(known.item, path);
  const quantity = at('product.quantity');
  const times = quantity === '' || quantity === '1' ? '' : ` (${quantity} x ${at('product.price')})`;
  const name = `${(isOff ? `discount ${at('name')}`.trim() : at('product.name')) || LINES[family]}${times}`;
  // The sum of a renewal contains its shipping and tax, which are lines of their own.
  const within =
    family === 'subscription_renewals' ? linesNamed(known).filter((one) => one.family !== 'discounts') : [];
  const sums = within.map((one) => amountAt(find(one), 'amount_original_total') ?? 0);
  return { amount: sums.reduce<Big>((rest, sum) => rest.minus(sum), amount), name };
}

function amountAt(known: Known | undefined, path: string): Big | undefined {
  const shown = known === undefined ? '' : textAt(known.item, path);
  return /^-?\d+(\.\d+)?$/.test(shown) ? new Big(shown) : undefined;
}

/** Where a parcel is: its state, its carrier and the tracking number. */
export function parcelSaid({ id, item }: Pick<Known, 'id' | 'item'>): string {
  const at = (path: string): string => textAt(item, path);
  const tracking = at('tracking_number') || at('provider_tracking');
  const carrier = at('provider.name');
  return `Parcel ${id}: ${at('status') || 'state unknown'}${carrier ? `, ${carrier}` : ''}, ${tracking ? `tracking number ${tracking}` : 'no tracking number yet'}.`;
}

/** What people call items, by id: their products; for renewals, those of their subscriptions. */
export function productNames(around: readonly Known[]): ReadonlyMap<string, string> {
  return new Map(
    around.flatMap((known): [string, string][] => {
      const { family, id, item } = known;
      const name = textAt(item, 'product.name') || productsIn(item);
      if (name === undefined || name === '') return [];
      const subscription = family === 'subscription_renewals' ? subscriptionOf(known) : undefined;
      return [[id, name], ...(subscription === undefined ? [] : [[subscription, name] as [string, string]])];
    }),
  );
}

/** How many recent charges are shown with what they were for. */
const MOST_TOLD = 3;

/** The last successful charges, with what each was for; pure. */
export function lastCharges(
  charges: readonly Known[],
  names: ReadonlyMap<string, string>,
  day: (unix: number) => string,
): string[] {
  return charges.slice(0, MOST_TOLD).map((charge) => {
    const purpose = purposeOf(charge, names);
    const sum = `${textAt(charge.item, 'amount')} ${textAt(charge.item, 'iso_currency')}`;
    return `Charged ${day(madeOf(charge))}: ${sum} (${charge.id})${purpose ? `, for ${purpose}` : ''}.`;
  });
}

/**
 * What people complain about although no payment failed: the same amount taken twice within a day, and a charge for a
 * cancelled subscription. Pure.
 */
export function chargesSaid(
  payments: readonly Known[],
  subscriptions: readonly Known[],
  day: (unix: number) => string,
): string[] {
  const charges = approvedCharges(payments);
  const sumOf = ({ item }: Known): string => `${textAt(item, 'amount')} ${textAt(item, 'iso_currency')}`;
  const cardOf = ({ item }: Known): string => textAt(item, 'customer_card.last_4');
  const doubles = charges.flatMap((later, at) => {
    const isLike = (one: Known): boolean =>
      sumOf(one) === sumOf(later) && cardOf(one) === cardOf(later) && madeOf(later) - madeOf(one) <= SOON;
    const earlier = charges.slice(at + 1).find(isLike);
    if (!earlier) return [];
    const causes = ['subscription_renewals', 'sales'].map((family) => {
      const [one, other] = [idsAt(earlier.item, family), idsAt(later.item, family)];
      const shared = one.find((id) => other.includes(id));
      if (shared !== undefined) return `both for ${shared}, so one of them may be too many`;
      return one.length > 0 && other.length > 0 ? `for ${one[0]} and for ${other[0]}, which are not the same` : '';
    });
    const cause = causes.find((one) => one !== '') ?? 'the service does not say what for';
    return [
      `${sumOf(later)} was taken twice within a day: ${earlier.id} (${day(madeOf(earlier))}) and ${later.id} (${day(madeOf(later))}), ${cause}.`,
    ];
  });
  const afterwards = subscriptions.flatMap((one) => {
    const last = charges.find((charge) => idsAt(charge.item, 'subscriptions').includes(one.id));
    if (!last || textAt(one.item, ENDED.path) !== 'cancelled') return [];
    const changed = Number(textAt(one.item, 'updated_date_unix') || 0);
    const order = madeOf(last) > changed ? 'after' : 'before';
    return [
      `Subscription ${one.id} is cancelled; its last charge, ${last.id} of ${day(madeOf(last))}, was made ${order} it was last changed (${day(changed)}).`,
    ];
  });
  return [...doubles, ...afterwards];
}

/** How to give back a successful card payment, and what it still waits for. */
export function paidSaid({ item }: Known): string[] {
  const at = (path: string): string => textAt(item, path);
  if (at('void') === 'true') return ['It was voided: nothing is left to refund.'];
  if (at('result') === 'held') return ['It is held: the gateway has not decided yet, and nothing was taken.'];
  if (at('result') !== 'approved') return [];
  if (at('captured') === 'false') return ['It is approved but not captured yet: no money has moved.'];
  const settled =
    at('settled') === 'false'
      ? ' It is not settled yet: a refund waits until it is, up to 72 hours after the charge.'
      : '';
  return [
    `A refund gives back all or part of it; a void cancels its whole order, and its subscriptions with it.${settled}`,
  ];
}
