import { PAYMENT_TYPES } from '../../catalogue/terms.js';

type PaymentType = (typeof PAYMENT_TYPES)[number];
export type PaymentWord = Exclude<PaymentType['filter'], 'offline'> | 'offline_payment';

/** The `{id, name}` that items show for a payment type. */
export function paymentType(word: PaymentWord): { id: string; name: string } {
  const { id, name } = paymentTypeOf(word === 'offline_payment' ? 'offline' : word) ?? PAYMENT_TYPES[0];
  return { id, name };
}

/** The payment type that filters know by a word. */
export function paymentTypeOf(filter: string): PaymentType | undefined {
  return PAYMENT_TYPES.find((type) => type.filter === filter);
}
