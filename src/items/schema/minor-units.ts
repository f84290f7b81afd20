/**
 * Digits after the point of a currency's minor unit (ISO 4217, list one). Currencies that are not named here and look
 * like a code have two; codes that are no money (gold, test codes, bond units) have none at all.
 */
const WHOLE = new Set('BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'.split(' '));
const THOUSANDTHS = new Set('BHD IQD JOD KWD LYD OMR TND'.split(' '));
const TEN_THOUSANDTHS = new Set(['CLF', 'UYW']);
const NO_MINOR_UNIT = new Set('XAG XAU XBA XBB XBC XBD XDR XPD XPT XSU XTS XUA XXX'.split(' '));

/** Digits of the minor unit of a currency code; undefined for what is no currency with one. */
export function minorDigits(currency: string): number | undefined {
  if (!/^[A-Z]{3}$/.test(currency) || NO_MINOR_UNIT.has(currency)) return undefined;
  if (WHOLE.has(currency)) return 0;
  if (THOUSANDTHS.has(currency)) return 3;
  return TEN_THOUSANDTHS.has(currency) ? 4 : 2;
}

/**
 * An amount's digits as a whole number of minor units; undefined where the amount is finer than the unit, is no plain
 * number, or does not fit 64 bits.
 */
export function toMinor(amount: string, digits: number): bigint | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?$/.exec(amount);
  if (!match) return undefined;
  const [, sign = '', whole = '', fraction = ''] = match;
  if (/[^0]/.test(fraction.slice(digits))) return undefined;
  const unscaled = BigInt(`${sign}${whole}${fraction.slice(0, digits).padEnd(digits, '0')}`);
  return BigInt.asIntN(64, unscaled) === unscaled ? unscaled : undefined;
}
