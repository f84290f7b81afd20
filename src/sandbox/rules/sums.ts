const SUM = /^(?:amount|price|cost|msrp|rate|discount_value)(?:_|$)|_amount$/;

/** The largest sum that is taken, so that no total leaves what can be counted in exact cents. reading: order-limits */
export const LARGEST_SUM = 10_000_000;

/** Whether a property of a body is a sum: it cannot be below zero, nor above the largest. */
export function isSum(name: string): boolean {
  return SUM.test(name);
}
