import Big from 'big.js';

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/;

/** True for the text of a number that can be compared and added exactly. */
export function isNumber(text: string): boolean {
  return NUMBER.test(text);
}

/** Compares the texts of two numbers exactly: `10.00` equals `10`, twenty digits are not rounded. */
export function compareNumbers(a: string, b: string): number {
  // Fifteen digits are told apart by a double; more need real decimals.
  if (a.length <= 15 && b.length <= 15 && !/[eE]/.test(a + b)) return Math.sign(Number(a) - Number(b));
  return new Big(a).cmp(b);
}

/** The one way to write a number, whatever nought or exponent it came with. */
export function plainNumber(text: string): string {
  return new Big(text).toFixed();
}

/** Adds the texts of two numbers exactly; the sum keeps the longer fraction of the two (`1.50` and `1.5` are `3.00`). */
export function addNumbers(a: string, b: string): string {
  const places = Math.max(placesOf(a), placesOf(b));
  return new Big(a).plus(b).toFixed(places);
}

/** The texts of two numbers, multiplied exactly. */
export function timesNumber(a: string, b: string): string {
  return new Big(a).times(b).toFixed();
}

function placesOf(text: string): number {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e');
  return Math.max(0, (mantissa.split('.')[1] ?? '').length - Number(exponent));
}
