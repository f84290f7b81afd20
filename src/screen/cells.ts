import { pathSteps } from '../catalogue/leaf-types.js';
import type { Column } from '../catalogue/types.js';
import { Digits, type Lossless, parseLossless, textOf } from '../items/json/lossless.js';
import { cellText, Picker } from '../items/json/pick-values.js';
import { minorDigits } from '../items/schema/types.js';
import { stateOf } from '../items/select/states.js';
import { sanitise } from '../items/text/inert.js';
import { Clock } from '../items/text/times.js';
import type { Palette } from './types.js';

export type As = NonNullable<Column['as']>;

const GOOD =
  /^(active|success|succeeded|approved|paid|done|delivered|shipped|enabled|resolved|won|completed?|verified)$/i;
const BAD =
  /^(cancell?ed|failed|declined|error|refused|fraud_detected|no_gateway|merchant_error|lost|expired|disabled|incomplete|contradicted)$/i;
const MILD =
  /^(suspended|overdue|occurrence_limit|held|merchant_hold|pending|notshipped|has_salvage|open|under_review|unknown|unproven|running|waiting_.*)$/i;

/** How many characters of an idempotency key a cell shows. */
const KEY_SHOWN = 8;

/** A moment in machine format. */
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?Z$/;

/** How to show a path when its column does not say. */
export function guessAs(path: string): As {
  const last = pathSteps(path).at(-1) ?? path;
  // Grouped rows are named as typed, which may be a heading.
  if (/_unix$|^(created|updated|(next|last)[ _]renewal)$/i.test(last)) return 'time';
  if (/^amount(_|$)/.test(last)) return 'money';
  if (/^status$|_status$/.test(last)) return 'status';
  return 'text';
}

/** Turns JSON values into readable text: sanitised, on one line, every digit kept. */
export class CellTexts {
  readonly #clock: Clock;
  readonly #zoneSaid: boolean;

  /** With `zoneSaid`, times omit their zone because a heading already shows it. */
  constructor(tz: string, zoneSaid = false) {
    this.#clock = new Clock(tz);
    this.#zoneSaid = zoneSaid;
  }

  /** The text of a cell. `currency` is the item's `iso_currency`, if it has one. */
  show(raw: string | undefined, as: As, currency: string): string {
    if (raw === undefined || raw === 'null') return '';
    if (raw === 'true') return 'yes';
    if (raw === 'false') return 'no';
    const first = raw.charCodeAt(0);
    if (first === 0x7b || first === 0x5b) {
      const value = parseLossless(raw);
      if (as !== 'time' || !Array.isArray(value)) return sanitise(nested(withoutKeys(value)));
      return value.map((one) => this.show(textOf(one), as, currency)).join(', ');
    }
    const text = sanitise(cellText(raw));
    if (as === 'time' && /^-?\d+(\.\d+)?$/.test(text)) return this.time(text);
    if (as === 'time' && ISO.test(text)) return this.time(String(Math.floor(Date.parse(text) / 1000)));
    if (as === 'money') return moneyText(text, currency);
    return text;
  }

  /** Unix seconds as a local time; empty for 0, which a service uses for "none". */
  time(digits: string): string {
    if (Number(digits) === 0) return '';
    const text = this.#clock.show(Number(digits)) ?? digits;
    return this.#zoneSaid ? text.replace(/^(\S+ \d\d:\d\d) .*$/, '$1') : text;
  }
}

/**
 * The texts of an item's cells.
 * @param found the item's values in the columns, and its currency behind them
 * @param asked true where the columns were named: none is left empty for being meaningless
 */
export function rowTexts(
  raw: string,
  found: readonly (string | undefined)[],
  columns: readonly (Pick<Column, 'state' | 'unless'> & { readonly as: As })[],
  cells: CellTexts,
  asked = false,
): string[] {
  const currency = cellText(found.at(-1));
  return columns.map(({ as, state, unless }, index) => {
    if (unless && !asked && isWith(unless, raw)) return '';
    return state ? stateOf(state, raw) : cells.show(found[index], as, currency);
  });
}

/** Whether an item has one of the values that make a column meaningless. */
function isWith({ path, values }: NonNullable<Column['unless']>, raw: string): boolean {
  const [found] = new Picker([path]).pick(raw);
  return values.includes(cellText(found).toLowerCase());
}

/** An amount with its currency: digits are padded to the currency's own, never cut. */
export function moneyText(digits: string, currency: string): string {
  if (!/^-?\d+(\.\d+)?$/.test(digits)) return digits;
  if (!/^[A-Z]{3}$/.test(currency)) return digits;
  const places = minorDigits(currency) ?? 2;
  const [whole = '', fraction = ''] = digits.split('.');
  const filled = fraction.padEnd(places, '0');
  return `${whole}${filled === '' ? '' : `.${filled}`} ${currency}`;
}

/** An object with its idempotency key last and shortened: nobody reads it, and it takes room from the data sent. */
function withoutKeys(value: Lossless): Lossless {
  if (!(value instanceof Map)) return value;
  const key = value.get('idempotency_key');
  if (typeof key !== 'string' || key.length <= KEY_SHOWN) return value;
  const rest = [...value].filter(([name]) => name !== 'idempotency_key');
  return new Map([...rest, ['idempotency_key', `${key.slice(0, KEY_SHOWN)}…`]]);
}

/** An object by its name (or id), a list by its elements, everything else as JSON: on one line, not sanitised. */
export function nested(value: Lossless): string {
  if (value instanceof Digits) return value.text;
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return value.map(nested).join(', ');
  const name = value.get('name');
  const pair = value.get('value');
  if (typeof name === 'string' && value.size === 2 && (typeof pair === 'string' || pair instanceof Digits))
    return `${name}=${nested(pair)}`;
  const id = value.get('id');
  if (typeof name === 'string' && name !== '') return name;
  if (typeof id === 'string') return id;
  return [...value].map(([key, member]) => `${key}: ${nested(member)}`).join(', ');
}

/** Colours a status or flag by the meaning of its word. The word stays, so colour never carries meaning alone. */
export function paint(text: string, as: As, palette: Palette): string {
  if (as !== 'status') return text;
  const word = text.trim();
  if (GOOD.test(word)) return palette.good(text);
  if (BAD.test(word)) return palette.bad(text);
  return MILD.test(word) ? palette.mild(text) : text;
}
