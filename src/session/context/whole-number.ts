import { wrongOption } from '../../base/errors/errors.js';

/** A whole number of the command line within bounds, or undefined when it was not given; else a usage error. */
export function wholeNumber(
  text: string | undefined,
  option: string,
  low: number,
  high = Number.MAX_SAFE_INTEGER,
): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < low || value > high) {
    const range = high === Number.MAX_SAFE_INTEGER ? `${low} up` : `${low} to ${high}`;
    throw wrongOption(option, `"${text}" is not a whole number from ${range}.`);
  }
  return value;
}
