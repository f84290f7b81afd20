/** The payment types with their fixed ids (service.md#payment-types). */
export const PAYMENT_TYPE_ITEMS = [
  { name: 'Credit Card', id: 'KnQ0KlNE6kf5mobyV0pN', filter: 'credit_card', word: 'credit_card' },
  { name: 'Wallet', id: 'ALkMK9pqgzfvgrqjlMVL', filter: 'wallet', word: 'wallet' },
  { name: 'Offline Payment', id: '1rdzjX2rrkcNjPXMEvOm', filter: 'offline', word: 'offline_payment' },
  { name: 'Check', id: 'vEZoAZrZL4S6WG4Ryzo1', filter: 'check_direct', word: 'check_direct' },
] as const;

export type PaymentWord = (typeof PAYMENT_TYPE_ITEMS)[number]['word'];

/** The `{id, name}` that items show for a payment type. */
export function paymentType(word: PaymentWord): { id: string; name: string } {
  const type = PAYMENT_TYPE_ITEMS.find((entry) => entry.word === word) ?? PAYMENT_TYPE_ITEMS[0];
  return { id: type.id, name: type.name };
}

/** The type that filters know by a word. */
export function paymentTypeOf(filter: string): (typeof PAYMENT_TYPE_ITEMS)[number] | undefined {
  return PAYMENT_TYPE_ITEMS.find((type) => type.filter === filter);
}
