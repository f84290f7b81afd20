import { Digits, type Lossless, parseLossless, textOf } from '../../items/json/lossless.js';
import { isFieldName, isMoneyName } from '../../items/schema/learn.js';
import { minorDigits, toMinor } from '../../items/schema/types.js';

/** Values nested more deeply are kept as JSON. */
const MOST_DEPTH = 5;
/** An object with more members than this is a map, not a record. */
const MOST_MEMBERS = 250;
/** The number of digits that every double keeps. */
const SAFE_DIGITS = 15;

export type CellValue = string | number | bigint | null;

/** One value of an item. */
export interface ItemLeaf {
  /** Dotted path in the item. */
  readonly path: string;
  readonly value: CellValue;
  /** For an amount of money: the same in minor units of its currency; null if that is not exact. */
  readonly minor?: CellValue;
}

/**
 * The values of an item for the columns of its table: objects taken apart by path, lists and maps as JSON, amounts with
 * their twins in minor units. Leaves out null values.
 * @throws JsonFault for invalid JSON
 */
export function itemLeaves(json: string): ItemLeaf[] {
  const item = parseLossless(json);
  const leaves: ItemLeaf[] = [];
  if (item instanceof Map) takeApart(item, { prefix: '', depth: 1, currency: undefined }, leaves);
  return leaves;
}

interface Place {
  readonly prefix: string;
  readonly depth: number;
  readonly currency: string | undefined;
}

function takeApart(object: ReadonlyMap<string, Lossless>, place: Place, leaves: ItemLeaf[]): void {
  const told = object.get('iso_currency');
  const currency = typeof told === 'string' ? told : place.currency;
  for (const [name, value] of object) {
    if (value === null || !isFieldName(name)) continue;
    const path = `${place.prefix}${name}`;
    if (value instanceof Map && isRecord(value, place.depth)) {
      takeApart(value, { prefix: `${path}.`, depth: place.depth + 1, currency }, leaves);
    } else if (value instanceof Digits) {
      leaves.push({
        path,
        value: numberOf(value.text),
        minor: isMoneyName(name) ? minorOf(value.text, currency) : undefined,
      });
    } else if (typeof value === 'string') leaves.push({ path, value });
    else if (typeof value === 'boolean') leaves.push({ path, value: value ? 1n : 0n });
    else leaves.push({ path, value: textOf(value) });
  }
}

function isRecord(object: ReadonlyMap<string, Lossless>, depth: number): boolean {
  return depth < MOST_DEPTH && object.size <= MOST_MEMBERS && [...object.keys()].every(isFieldName);
}

/** Integers as such, decimals as the double with the same digits; anything that neither represents as its text. */
function numberOf(text: string): CellValue {
  if (/^-?\d{1,19}$/.test(text)) {
    const value = BigInt(text);
    return BigInt.asIntN(64, value) === value ? value : text;
  }
  const digits = text.replace(/[eE].*$|[-.]/g, '').replace(/^0+/, '').length;
  const value = Number(text);
  return digits > SAFE_DIGITS || !Number.isFinite(value) ? text : value;
}

function minorOf(text: string, currency: string | undefined): CellValue {
  const digits = currency === undefined ? undefined : minorDigits(currency);
  return digits === undefined ? null : (toMinor(text, digits) ?? null);
}

/** Whether two texts are the same item, regardless of member order and whitespace. */
export function isSameItem(one: string, other: string): boolean {
  if (one === other) return true;
  return isSame(parseLossless(one), parseLossless(other));
}

function isSame(one: Lossless | undefined, other: Lossless | undefined): boolean {
  if (one instanceof Digits) return other instanceof Digits && one.text === other.text;
  if (Array.isArray(one))
    return Array.isArray(other) && one.length === other.length && one.every((value, i) => isSame(value, other[i]));
  if (one instanceof Map) {
    return (
      other instanceof Map &&
      one.size === other.size &&
      [...one].every(([name, value]) => isSame(value, other.get(name)))
    );
  }
  return one === other;
}
