import { minorDigits } from '../schema/types.js';

/** Decimal digits of most currencies; an unknown currency accepts no more. */
const USUAL_DIGITS = 2;

/** A number with its thousands grouped by points, commas, blanks or apostrophes. */
const GROUPED = /^[-+]?\d{1,3}(?:([.,' \u00a0\u2009\u202f\u2019])\d{3})(?:\1\d{3})*$/;
/** With two different marks, the last of which separates the fraction: `1.234,50`, `1,234.50`. */
const BOTH = /^[-+]?\d{1,3}([.,' \u00a0\u2009\u202f\u2019])\d{3}(?:\1\d{3})*(?!\1)([.,])(\d+)$/;
/** Quotes around an amount, left over from a table's cell. */
const QUOTED = /^["\u201c-\u201f\u00ab](.*)["\u201c-\u201f\u00bb]$/u;
const PLAIN = /^[-+]?\d+(?:[.,]\d+)?$/;
/** Scientific notation: `1.2e3`. */
const WITH_EXPONENT = /^[-+]?\d+(?:[.,]\d+)?e[-+]?\d+$/i;

/** The currency codes that a sign can mean. */
const SIGNS: Readonly<Record<string, readonly string[]>> = {
  $: ['USD', 'CAD', 'AUD', 'NZD', 'SGD', 'HKD', 'MXN', 'TWD', 'ARS', 'CLP', 'COP'],
  US$: ['USD'],
  C$: ['CAD'],
  CA$: ['CAD'],
  A$: ['AUD'],
  AU$: ['AUD'],
  '\u20ac': ['EUR'],
  '\u00a3': ['GBP', 'EGP'],
  '\u00a5': ['JPY', 'CNY'],
};
const WITH_CURRENCY =
  /^(?:((?:[A-Z]{1,2})?\$|[\u20ac\u00a3\u00a5]|[A-Za-z]{3}) ?)?([-+]?\d[\d.,' ]*?)(?: ?((?:[A-Z]{1,2})?\$|[\u20ac\u00a3\u00a5]|[A-Za-z]{3}))?$/;

/**
 * Parses an amount as people write it: `14,50`, `$14.50`, `14.50 EUR`. Ambiguous text stays as it is, for
 * `amountFault`. Undefined for text that is not an amount, or names something that is not a currency.
 * @param digits of the currency, where known (`minorDigits`)
 */
export function spokenSum(typed: string, digits?: number) {
  const spoken = typed
    .replace(/[\u00a0\u2009\u202f]/g, ' ')
    .replaceAll('\u2019', "'")
    .trim();
  const [, before, number = '', behind] = WITH_CURRENCY.exec(QUOTED.exec(spoken)?.[1]?.trim() ?? spoken) ?? [];
  const named = before ?? behind;
  if (number === '' || (before !== undefined && behind !== undefined)) return undefined;
  const code = named?.toUpperCase() ?? '';
  const currencies = Object.hasOwn(SIGNS, code) ? SIGNS[code] : minorDigits(code) === undefined ? undefined : [code];
  if (named !== undefined && currencies === undefined) return undefined;
  const most = digits ?? (currencies?.length === 1 ? minorDigits(code) : undefined) ?? USUAL_DIGITS;
  const comma = /^[-+]?\d+,(\d+)$/.exec(number)?.[1];
  const isFraction = comma !== undefined && comma.length <= most && !GROUPED.test(number);
  const fraction = BOTH.exec(number)?.[3];
  if (fraction !== undefined && fraction.length <= most) {
    const whole = number.slice(0, -fraction.length).replace(/[^\d+-]/g, '');
    return { text: `${whole}.${fraction}`, currencies };
  }
  return { text: isFraction ? number.replace(',', '.') : number, currencies };
}

/**
 * The fault of an amount as a person wrote it; undefined if it has a single meaning. `1.000` is a thousand to one
 * reader and one to another, and no amount is finer than the smallest coin.
 * @param digits of the currency, where known (`minorDigits`)
 */
export function amountFault(text: string, digits?: number): string | undefined {
  const spoken = text.trim();
  if (WITH_EXPONENT.test(spoken)) return exponentFault(spoken);
  const fraction = /[.,](\d+)$/.exec(spoken)?.[1] ?? '';
  const most = digits ?? USUAL_DIGITS;
  const [whole, ...parts] = spoken.split(/[^\d+-]/);
  if (GROUPED.test(spoken) && !(digits === fraction.length && parts.length === 1 && spoken.includes('.'))) {
    const joined = `${whole}${parts.join('')}`;
    const one = parts.length === 1 && fraction !== '' ? `${whole}.${fraction}` : undefined;
    if (one === undefined) return `"${spoken}" has a thousands separator: write ${joined}`;
    const short = one.replace(/\.?0+$/, '');
    return `"${spoken}" is ambiguous, ${short} or ${joined}: write ${written(short, most) ?? 'it with fewer decimals'} or ${joined}`;
  }
  if (BOTH.test(spoken) && fraction.length <= most)
    return `"${spoken}" has a thousands separator: write ${spoken.slice(0, -fraction.length - 1).replace(/[^\d-]/g, '')}.${fraction}`;
  if (PLAIN.test(spoken) && fraction.length > most) {
    const of = digits === undefined ? 'an amount has' : 'this currency has';
    return `"${spoken}" has ${fraction.length} decimals, ${of} ${most === 0 ? 'none' : `${most} at most`}`;
  }
  return PLAIN.test(spoken) && spoken.includes(',')
    ? `"${spoken}" has a comma: write ${spoken.replace(',', '.')}`
    : undefined;
}

/** Nobody writes money with an exponent: it is a typing error, or a spreadsheet has rounded it: `1.2E+3`. */
export const exponentFault = (text: string): string | undefined =>
  WITH_EXPONENT.test(text) ? `"${text}" has an exponent: write all of its digits` : undefined;

/** The amount with exactly as many decimal digits as its currency; undefined where it is finer. */
function written(short: string, most: number): string | undefined {
  const [whole = '', fraction = ''] = short.split('.');
  if (fraction.length > most) return undefined;
  return most === 0 ? whole : `${whole}.${fraction.padEnd(most, '0')}`;
}
