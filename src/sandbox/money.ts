/** All sums are whole cents inside; the edges are the only place with decimals. */
export type Cents = number;

/** Spec 2.4, relation 4: the processor's share of what was paid, percent times 100 (2.90 %). */
export const FEE_BASIS_POINTS = 290;

export function toCents(amount: unknown): Cents {
  return typeof amount === 'number' && Number.isFinite(amount) ? Math.round(amount * 100) : 0;
}

export function fromCents(cents: Cents): number {
  return cents / 100;
}

/** What an item's amounts follow from. */
export interface Ledger {
  /** Price of everything before discounts and refunds. */
  readonly original: Cents;
  readonly discount: Cents;
  readonly refunded: Cents;
  /** Payments that succeeded, refunds not subtracted. */
  readonly paid: Cents;
  /** True once the processor has settled what was captured. */
  readonly settled: boolean;
  /** Still to salvage, or waiting for a trial to end. */
  readonly remaining: Cents;
}

/** The amount fields of spec 2.4; each relation of that section holds to the cent. */
export interface Amounts {
  amount: number;
  amount_original_total: number;
  amount_total: number;
  amount_gross: number;
  amount_net: number;
  amount_fees: number;
  amount_captured: number;
  amount_settled: number;
  amount_remaining: number;
  amount_refunded: number;
}

export function fee(gross: Cents): Cents {
  return Math.round((gross * FEE_BASIS_POINTS) / 10_000);
}

export function amounts(ledger: Ledger): Amounts {
  const gross = ledger.paid - ledger.refunded;
  const fees = fee(gross);
  return {
    amount: fromCents(ledger.original - ledger.discount),
    amount_original_total: fromCents(ledger.original),
    amount_total: fromCents(ledger.original - (ledger.refunded + ledger.discount)),
    amount_gross: fromCents(gross),
    amount_net: fromCents(gross - fees),
    amount_fees: fromCents(fees),
    amount_captured: fromCents(ledger.paid),
    amount_settled: fromCents(ledger.settled ? ledger.paid : 0),
    amount_remaining: fromCents(ledger.remaining),
    amount_refunded: fromCents(ledger.refunded),
  };
}

/** Reads an item's amounts back. */
export function ledgerOf(item: Readonly<Record<string, unknown>>): Ledger {
  const original = toCents(item.amount_original_total);
  const refunded = toCents(item.amount_refunded);
  const paid = toCents(item.amount_captured);
  return {
    original,
    refunded,
    paid,
    discount: original - refunded - toCents(item.amount_total),
    settled: paid > 0 && toCents(item.amount_settled) === paid,
    remaining: toCents(item.amount_remaining),
  };
}
