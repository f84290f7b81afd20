/** Any item of the service, as the rules see it. */
export type Value = Record<string, unknown>;

export function isItem(value: unknown): value is Value {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object in a property; an empty one if the property has none. */
export function objectUnder(item: Value, name: string): Value {
  return (item[name] ?? {}) as Value;
}

/** The objects in a list property. */
export function listUnder(item: Value, name: string): Value[] {
  return (item[name] ?? []) as Value[];
}

/** The ids, or other strings, in a list property. */
export function idsUnder(item: Value, name: string): string[] {
  return (item[name] ?? []) as string[];
}

/** Parts that many items share, each with its text once it has been made. */
const shared = new WeakMap<object, string>();

/** Marks a part that several items share: it does not change any more, and its text is made only once. */
export function sharing<T extends object>(part: T): T {
  shared.set(part, '');
  return Object.freeze(part);
}

/**
 * Merges several parts into one item; later parts win. Spreading parts with this many properties takes twice as long.
 * Items made by the thousand name each property instead (`moneyItem`, `onGround`), which is many times faster to make
 * and to write.
 */
export function joined(...parts: readonly object[]): Value {
  return Object.assign({}, ...parts);
}

const MONEY = /^(?:amount|price|cost|msrp)(?:_|$)/;
/** A property's name as text, for the first and for later properties, and whether it holds an amount. */
interface Name {
  readonly first: string;
  readonly more: string;
  readonly isMoney: boolean;
}

/** Names seen before: the same few hundred recur. */
const names = new Map<string, Name>();
const MOST_NAMES = 2000;
// Characters that JSON must escape, and unpaired surrogates, which must not be sent as they are.
const SPECIAL = /["\\\u0000-\u001f\ud800-\udfff]/;

/**
 * The JSON text of an item. Equals `JSON.stringify` except for amounts, which always have two decimals as the service
 * writes them. Several times faster, which a reset to a million items needs.
 */
export function toText(value: Value): string {
  const text = toOpenText(value);
  return text === '' ? '{}' : `${text}}`;
}

/** The same without the closing brace, so that more can be appended; empty for an item without properties. */
export function toOpenText(value: Value): string {
  let text = '';
  for (const name in value) {
    const inner = value[name];
    if (inner === undefined) continue;
    const { first, more, isMoney } = nameOf(name);
    text += text === '' ? first : more;
    text += typeof inner === 'number' ? numberText(isMoney, inner) : valueText(inner);
  }
  return text;
}

function nameOf(name: string): Name {
  const known = names.get(name);
  if (known) return known;
  // Names from a request may need escaping.
  const text = SPECIAL.test(name) ? JSON.stringify(name) : `"${name}"`;
  const made = { first: `{${text}:`, more: `,${text}:`, isMoney: MONEY.test(name) };
  if (names.size < MOST_NAMES) names.set(name, made);
  return made;
}

function valueText(value: unknown): string {
  if (typeof value === 'string') return SPECIAL.test(value) ? JSON.stringify(value) : `"${value}"`;
  if (value === null || value === undefined) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${value.map(valueText).join(',')}]`;
  if (typeof value === 'object') {
    const known = shared.get(value);
    if (known) return known;
    const text = Object.hasOwn(value, 'toJSON') ? JSON.stringify(value) : toText(value as Value);
    if (known !== undefined) shared.set(value, text);
    return text;
  }
  return JSON.stringify(value);
}

/** Amounts written before: prices and their derivatives recur. */
const sums = new Map<number, string>();
const MOST_SUMS = 5000;

function numberText(isMoney: boolean, value: number): string {
  if (!Number.isFinite(value)) return 'null';
  if (!isMoney) return String(value);
  const known = sums.get(value);
  if (known !== undefined) return known;
  const text = sumText(value);
  if (sums.size < MOST_SUMS) sums.set(value, text);
  return text;
}

function sumText(value: number): string {
  const cents = value * 100;
  return Math.abs(cents - Math.round(cents)) < 1e-6 && Math.abs(value) < 1e12 ? value.toFixed(2) : String(value);
}
