/**
 * The documented rules that a body must meet before it is sent, beyond types and limits. Operations in the catalogue
 * name them; the code is in `request/checks`. `N` marks rules that only add a note and never refuse.
 */
export const CHECK_NAMES = [
  /** service.md#subscription-profiles: settings objects need their `frequency` in the same body, and vice versa. */
  'subscription-profile-frequency',
  /** service.md#subscription-profiles rule 3 (N): a changed frequency affects every subscription of the profile. */
  'subscription-profile-reach',
  /** service.md#shipping-rates: each rate needs at least one enabled qualifier. */
  'shipping-rates',
  /** service.md#customer-portals: e-mails contain `{{email_code}}`; `recaptcha` is complete. */
  'customer-portal',
  /** service.md#envelopes: names of 1 to 100 and values of 1 to 255 characters. */
  'metadata',
  /** service.md#assistants: flow rules, node limits, trigger, event, filters, delay, limits, schedule. */
  'assistant',
  /** service.md#assistants: an earlier thread or messages, not both; item fields go together. */
  'assistant-trigger',
  /** service.md#other-items: the settings each event source needs, schedule, argument names. */
  'function',
  /** An amount is above zero; without one, everything is refunded (N). */
  'refund-amount',
  /** The fields that each payment type needs. */
  'sale-payment',
  /** A gateway in an estimate needs a card payment and a payment profile. */
  'sale-estimate',
  /** Exactly one of `transaction_id` and `gateway_transaction_id`. */
  'chargeback-source',
  /** service.md#products (N): display prices never change what is charged. */
  'display-prices',
  /** Fields that the product edit is known to refuse. */
  'product-fields',
  /** `item_type` and `item_id` go together. */
  'item-pair',
  /** A pointer needs its type; the key must be well formed. */
  'key-value',
  /** Card prefixes have six digits and are never a card number. */
  'bin-prefixes',
  /** Four of the six form sources need the site-level id. */
  'secure-form',
  /** A new fulfillment center needs its credential fields in the same body. */
  'fulfillment-center',
] as const;

export type CheckName = (typeof CHECK_NAMES)[number];
