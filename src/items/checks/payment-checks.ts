import { fault, isSet, note, numberAt, textBelow, valueBelow } from './body-values.js';
import type { Check } from './types.js';

/** A refund needs an amount above zero, or refunds everything (money rules of refunds). */
export const checkRefundAmount: Check = function* (body) {
  const amount = numberAt(body, 'amount');
  if (valueBelow(body, 'amount') === undefined)
    yield note('amount', 'not given, so everything left of this item is refunded');
  else if (amount !== undefined && amount <= 0)
    yield fault('amount', 'must be above zero; leave it out to refund everything');
  if (valueBelow(body, 'refunded_offsite') === true)
    yield note('refunded_offsite', 'the refund is only recorded: the gateway is not asked to pay anything back');
};

/** Requires the fields that each payment type of a sale needs. */
export const salePayment: Check = function* (body) {
  const type = textBelow(body, 'payment_type');
  if (type === 'wallet' && !isSet(valueBelow(body, 'wallet_transaction_id')))
    yield fault('wallet_transaction_id', 'payment type wallet needs the transaction of the wallet');
  if (type !== 'credit_card') return;
  if (!isSet(valueBelow(body, 'payment_profile')))
    yield fault('payment_profile', 'payment type credit_card needs the profile that routes the payment');
  const knownCustomer = Object.keys(body).some((name) => name.startsWith('customer') && isSet(valueBelow(body, name)));
  if (!isSet(valueBelow(body, 'credit_card')) && !knownCustomer)
    yield fault('credit_card', 'a card is needed unless an existing customer is named');
};

/** A gateway in an estimate needs a card payment and its profile. */
export const saleEstimate: Check = function* (body) {
  if (valueBelow(body, 'include_gateway') === true) {
    if (textBelow(body, 'payment_type') !== 'credit_card')
      yield fault('payment_type', 'include_gateway needs payment_type=credit_card');
    if (!isSet(valueBelow(body, 'payment_profile')))
      yield fault('payment_profile', 'include_gateway needs a payment profile');
    return;
  }
  for (const name of ['payment_type', 'payment_profile'])
    if (isSet(valueBelow(body, name))) yield note(name, 'is used only with include_gateway=true');
};

/** A chargeback names exactly one transaction. */
export const chargebackSource: Check = function* (body) {
  const given = ['transaction_id', 'gateway_transaction_id'].filter((name) => isSet(valueBelow(body, name)));
  if (given.length === 1) return;
  const message = 'exactly one of transaction_id and gateway_transaction_id is required';
  yield fault('transaction_id', given.length === 0 ? message : `${message}, both are given`);
};

const DISPLAY = ['msrp', 'is_price_sale', 'price_sale', 'is_discount', 'discount_rate'] as const;

/** service.md#products: display prices never change what is charged. */
export const displayPrices: Check = function* (body) {
  const given = DISPLAY.filter((name) => isSet(valueBelow(body, name))).join(', ');
  if (given !== '')
    yield note(given, 'is for display only and charges nothing; the price used for transactions is "price"');
};

const REFUSED: Readonly<Record<string, string>> = {
  image: 'use "cops products images create"',
  images: 'use "cops products images create"',
  image_file: 'use "cops products images create"',
  metadata: 'use "cops metadata insert"',
  inventory_policy: 'this interface cannot set it',
  warehouse_id: 'this interface cannot set it',
  category_name: 'this interface cannot set it',
};

/** Fields that the product edit is known to refuse. */
export const productFields: Check = (body) =>
  Object.keys(body)
    .filter((name) => Object.hasOwn(REFUSED, name))
    .map((name) => fault(name, `cannot be set when editing a product; ${REFUSED[name]}`));
