import type { Relation } from './types.js';

/** What an item of the money families names by id (spec 2.4, the related id arrays), by the word it is asked for. */
const KNOWN = {
  customer: { family: 'customers', from: ['customer.id', 'customer_id'], one: true },
  product: { family: 'products', from: ['product.id'], one: true },
  subscription: { family: 'subscriptions', from: ['subscription_id', 'subscriptions'], one: true },
  subscriptions: { family: 'subscriptions', from: ['subscriptions', 'subscription_id'] },
  renewals: { family: 'subscription_renewals', from: ['subscription_renewals'], newest: 'billing.last_renewal_id' },
  sales: { family: 'sales', from: ['sales'] },
  product_sales: { family: 'product_sales', from: ['product_sales'] },
  shipping: { family: 'shipping', from: ['shipping'] },
  tax: { family: 'tax', from: ['tax'] },
  discounts: { family: 'discounts', from: ['discounts'] },
  trials: { family: 'trials', from: ['trials'] },
  invoices: { family: 'invoices', from: ['invoices'] },
  transactions: { family: 'transactions', from: ['transactions', 'transaction_id'] },
  salvage: { family: 'salvage_transactions', from: ['salvage_transactions'] },
  wallet_transactions: { family: 'wallet_transactions', from: ['wallet_transactions'] },
  offline_payments: { family: 'offline_payments', from: ['offline_payments'] },
  check_directs: { family: 'check_directs', from: ['check_directs'] },
} as const satisfies Readonly<Record<string, Relation>>;

/** The relations of an item, by their words, in the order in which help and sections show them. */
export function related(...words: readonly (keyof typeof KNOWN)[]): Readonly<Record<string, Relation>> {
  return Object.fromEntries(words.map((word) => [word, KNOWN[word]]));
}

const WAYS_OF_PAYING = ['wallet_transactions', 'offline_payments', 'check_directs'] as const;
/** The parts of a sale that are refunded each by itself. */
export const REFUNDED_PARTS: readonly string[] = ['product_sales', 'shipping', 'tax'];
const PARTS = ['product_sales', 'shipping', 'tax', 'discounts', 'trials'] as const;

/** What a sale and its parts name, without the family itself. */
export function relatedOfSale(own: keyof typeof KNOWN): Readonly<Record<string, Relation>> {
  const words = [
    'customer',
    'sales',
    ...PARTS,
    'subscriptions',
    'renewals',
    'invoices',
    'transactions',
    'salvage',
    ...WAYS_OF_PAYING,
  ] as const;
  return related(...words.filter((word) => word !== own));
}
