/** All amounts are whole cents inside; decimals exist only at the edges. */
export type Cents = number;

/**
 * service.md#payments, relation 4: the processor's share of the paid amount, in percent times 100.
 * reading: processor-fee
 */
export const FEE_BASIS_POINTS = 290;

export function toCents(amount: unknown): Cents {
  return typeof amount === 'number' && Number.isFinite(amount) ? Math.round(amount * 100) : 0;
}

export function fromCents(cents: Cents): number {
  return cents / 100;
}

/** The figures that an item's amounts follow from. */
export interface AmountBasis {
  /** The price of everything before discounts and refunds. */
  readonly original: Cents;
  readonly discount: Cents;
  readonly refunded: Cents;
  /** Successful payments, without subtracting refunds. */
  readonly paid: Cents;
  /** The part of the payments that the processor has settled; the rest is pending. */
  readonly settled: Cents;
  /** Left to salvage, or waiting for a trial to end. */
  readonly remaining: Cents;
}

/** The amount fields of service.md#payments; each relation of that section holds to the cent. */
export function amountsOf(ledger: AmountBasis) {
  const gross = ledger.paid - ledger.refunded;
  const fees = Math.round((gross * FEE_BASIS_POINTS) / 10_000);
  return {
    amount: fromCents(ledger.original - ledger.discount),
    amount_original_total: fromCents(ledger.original),
    amount_total: fromCents(ledger.original - (ledger.refunded + ledger.discount)),
    amount_gross: fromCents(gross),
    amount_net: fromCents(gross - fees),
    amount_fees: fromCents(fees),
    amount_captured: fromCents(ledger.paid),
    amount_settled: fromCents(ledger.settled),
    amount_remaining: fromCents(ledger.remaining),
    amount_refunded: fromCents(ledger.refunded),
  };
}

/** Reads the amounts of an item. */
export function ledgerOf(item: Readonly<Record<string, unknown>>): AmountBasis {
  const original = toCents(item.amount_original_total);
  const refunded = toCents(item.amount_refunded);
  const paid = toCents(item.amount_captured);
  return {
    original,
    refunded,
    paid,
    discount: original - refunded - toCents(item.amount_total),
    settled: toCents(item.amount_settled),
    remaining: toCents(item.amount_remaining),
  };
}

/** Spreads cents over parts in proportion to their weights. The shares add up, and none exceeds its weight. */
export function spread(cents: Cents, weights: readonly Cents[]): Cents[] {
  const sum = weights.reduce((total, weight) => total + weight, 0);
  if (sum === 0) return weights.map(() => 0);
  const whole = Math.min(cents, sum);
  const shares = weights.map((weight) => Math.floor((whole * weight) / sum));
  let left = whole - shares.reduce((total, share) => total + share, 0);
  for (const [index, weight] of weights.entries()) {
    if (left === 0) break;
    if ((shares[index] as number) >= weight) continue;
    shares[index] = (shares[index] as number) + 1;
    left--;
  }
  return shares;
}
