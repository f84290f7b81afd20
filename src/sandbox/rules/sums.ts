const SUM = /^(?:amount|price|cost|msrp|rate|discount_value)(?:_|$)|_amount$/;

/** The largest amount accepted, so that every total can be counted in exact cents. reading: order-limits */
export const LARGEST_SUM = 10_000_000;

/** Whether a property of a body is an amount, which must be between zero and the largest. */
export function isSum(name: string): boolean {
  return SUM.test(name);
}
