import Big from 'big.js';

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;

/** True for a number that can be compared and added exactly. */
export const isNumber = (text: string): boolean => NUMBER.test(text);

/** Compares two numbers, given as text, exactly: `10.00` equals `10`, and twenty digits are not rounded. */
export function compareNumbers(a: string, b: string): number {
  // A double distinguishes fifteen digits; more need real decimals.
  if (a.length <= 15 && b.length <= 15 && !/[eE]/.test(a + b)) return Math.sign(Number(a) - Number(b));
  return new Big(a).cmp(b);
}

/** The canonical spelling of a number, without exponent or redundant zeros. */
export const plainNumber = (text: string): string => new Big(text).toFixed();

/** Adds two numbers, given as text, exactly; the sum keeps the longer fraction (`1.50` plus `1.5` is `3.00`). */
export function addNumbers(a: string, b: string): string {
  const places = Math.max(placesOf(a), placesOf(b));
  return new Big(a).plus(b).toFixed(places);
}

/** Multiplies two numbers, given as text, exactly. */
export const timesNumber = (a: string, b: string): string => new Big(a).times(b).toFixed();

/** The average for a sum and a count, rounded half up to as many decimals as the sum has, but at least `digits`. */
export const averageOf = (sum: string, count: number, digits = 2): string => {
  const places = Math.max(digits, placesOf(plainNumber(sum)));
  return new Big(sum).div(count).round(places, Big.roundHalfUp).toFixed(places);
};

function placesOf(text: string): number {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  return Math.max(0, (mantissa.split('.')[1] ?? '').length - Number(exponent));
}
