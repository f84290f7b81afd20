import { AUTOMATION_READINGS } from './automation/readings.js';

/** One reading of the sandbox where the spec and the published facts are silent. */
export interface Reading {
  /** The word that marks it in the code (`reading: <id>`). */
  readonly id: string;
  readonly about: string;
  readonly says: string;
}

/** Every reading that is ours, printed by `cops reference sandbox`; its marks in the code are compared with it. */
export const READINGS: readonly Reading[] = [
  ...AUTOMATION_READINGS,
  {
    id: 'activate-late',
    about: 'subscription',
    says: 'activated after its date: the next renewal is one period from today',
  },
  { id: 'api-errors', about: 'errors', says: 'E0001 for every 400 that spec 7.3 gives no code of its own' },
  {
    id: 'assumed-fields',
    about: 'bodies',
    says: 'what reads and twin operations show is taken where a body was not seen, marked x-reading in openapi.json',
  },
  {
    id: 'coupon-fields',
    about: 'coupon',
    says: 'written as coupon_code (or code), discount_type, discount_value, start_date_unix, end_date_unix (or start_date, end_date), max_uses; max_uses also on its profile',
  },
  { id: 'coupon-uses', about: 'coupon', says: 'a sale is one use, and so is each renewal that the coupon lowers' },
  {
    id: 'coupons-on-subscriptions',
    about: 'subscription',
    says: 'a coupon that is put on must be usable then; one that is used up or expired later no longer lowers renewals',
  },
  { id: 'disabled-profile', about: 'payment profile', says: 'a disabled one is invalid in a sale (E0037)' },
  {
    id: 'domain-records',
    about: 'tracking domain',
    says: 'SSL and DNS are active as soon as they are initialised, and at once for a name that the other mode has so far; initialize_dns needs SSL',
  },
  {
    id: 'estimate-permission',
    about: 'keys',
    says: 'where the spec names no permission for an operation, a restricted key may read only: it may not estimate',
  },
  {
    id: 'failed-renewal',
    about: 'subscription',
    says: 'a failed manual renewal leaves the next date alone, a failed scheduled one waits for the next period',
  },
  { id: 'flow-codes', about: 'AI assistant', says: 'E0959 for settings of a node, E0958 for its connections' },
  {
    id: 'fraud-blocks',
    about: 'customer',
    says: 'a fraud decision or a fraud detection blocks the customer; enable lifts it',
  },
  {
    id: 'item-fields',
    about: 'openapi.json',
    says: 'fields that items of the sandbox show and no description names, marked x-reading there',
  },
  { id: 'longest-trial', about: 'product', says: 'trial_days from 0 to 3650' },
  { id: 'missing-permission', about: 'keys', says: '401 for an operation that a key has no permission for' },
  {
    id: 'month-end',
    about: 'subscription profile',
    says: 'where a month is too short its last day stands in; a schedule begun on day 31 returns to it; the nth unit that a parent does not have is its last',
  },
  {
    id: 'not-writable',
    about: 'bodies',
    says: 'a property that only the service writes is refused by name (400), never ignored',
  },
  { id: 'order-limits', about: 'sale', says: 'at most 10,000 units of a line and 10,000,000 for any sum' },
  {
    id: 'order-names',
    about: 'sale',
    says: 'products of {id, quantity, price}, shipping_amount, shipping_profile, tax_amount, discount_amount, coupon_code, ship_to; a named amount wins over one worked out',
  },
  {
    id: 'other-payments',
    about: 'payments',
    says: 'wallet, check and offline payments are completed and settled at once',
  },
  {
    id: 'payment-flow',
    about: 'payment profile',
    says: 'the first enabled gateway (or member of a gateway group) that a node of the flow names, along its edges; a flow that names none leaves it to the first enabled gateway; none left is a gateway error (402, code 3)',
  },
  {
    id: 'portal-defaults',
    about: 'customer portal',
    says: 'every permission is false and each mail has a plain text until one is written',
  },
  {
    id: 'prefer-gateway',
    about: 'subscription profile',
    says: 'max 0 means without end; a disabled preferred gateway falls back to the profile, a disabled locked one is a gateway error',
  },
  {
    id: 'processor-fee',
    about: 'amounts',
    says: 'the processor takes 2.9 %, rounded to the cent, of what is not refunded',
  },
  { id: 'range-ends', about: 'lists', says: 'items created exactly at date_start and date_end belong to the range' },
  {
    id: 'refund-delay',
    about: 'pending refund',
    says: 'leaves an hour after it was made, and not before the payment is 72 hours old',
  },
  {
    id: 'refund-limits',
    about: 'refunds',
    says: 'above zero, whole cents, at most what is left of the item, of its payments and of its sale',
  },
  { id: 'remote-data', about: 'user shop', says: 'its own products and two methods of each kind' },
  {
    id: 'search-words',
    about: 'search',
    says: 'a term is found where a word of the searched fields begins, in any case, and inside words among the 1,000 newest items; at most ten hits, best first',
  },
  { id: 'settlement', about: 'transaction', says: 'settled two days after it was captured' },
  {
    id: 'shipment-edit',
    about: 'shipping',
    says: 'written as status, or as shipped and delivered; tracking_number and provider_tracking are one',
  },
  {
    id: 'shipping-charges',
    about: 'shipping',
    says: 'charged on sales and renewals; a trial expiration ships for the price of the trial',
  },
  {
    id: 'shipping-rates',
    about: 'shipping profile',
    says: 'the first rate that qualifies, profiles in the order they were made; all enabled revenue rules must hold, a list without an enabled element asks for nothing, no rate costs nothing',
  },
  {
    id: 'tax-rate',
    about: 'tax profile',
    says: 'a profile with an integration taxes products less their discount at 8.25 %, on sales, renewals and trial expirations of its campaigns',
  },
  {
    id: 'trial-gateway',
    about: 'trial',
    says: 'charged by the payment profile of its subscription, else by the first enabled gateway',
  },
];
