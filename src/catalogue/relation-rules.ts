import type { RelationRule } from './types.js';

/**
 * The card that the next charge is expected to use: the service does not show which card a renewal, the end of a trial
 * or a salvage will use.
 */
export const expectedCard = {
  name: 'default_card',
  to: 'customer_cards',
  via: 'customer.cards',
  says: "the customer's enabled default card, else the only enabled one; if there are several and no default, only what they all share is known",
} as const satisfies RelationRule;

export const paidCard = {
  name: 'last_paid',
  to: 'customer_cards',
  via: 'transactions',
  choice: 'card',
  says: 'the card of its last approved transaction',
} as const satisfies RelationRule;
