/** Any item of the service, as the rules see it. */
export type Value = Record<string, unknown>;

export function isItem(value: unknown): value is Value {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object under a name; an empty one where there is none. */
export function objectUnder(item: Value, name: string): Value {
  return (item[name] ?? {}) as Value;
}

/** The objects listed under a name. */
export function listUnder(item: Value, name: string): Value[] {
  return (item[name] ?? []) as Value[];
}

/** The ids, or other words, listed under a name. */
export function idsUnder(item: Value, name: string): string[] {
  return (item[name] ?? []) as string[];
}

/** Parts that many items share, each with its text once that was made. */
const shared = new WeakMap<object, string>();

/** A part that several items hold: it changes no more, and its text is made once. */
export function sharing<T extends object>(part: T): T {
  shared.set(part, '');
  return Object.freeze(part);
}

/**
 * One item of several parts, what comes later over what came before. A spread of parts with this many properties takes
 * twice as long. What is made by the thousand names its properties one by one (`moneyItem`, `onGround`), which is many
 * times faster to make and to write.
 */
export function joined(...parts: readonly object[]): Value {
  return Object.assign({}, ...parts);
}

const MONEY = /^(?:amount|price|cost|msrp)(?:_|$)/;
/** A property's name as text, at the beginning of an item and further on, and whether it holds sums. */
interface Name {
  readonly first: string;
  readonly more: string;
  readonly isMoney: boolean;
}

/** Names seen before: the same few hundred come again and again. */
const names = new Map<string, Name>();
const MOST_NAMES = 2000;
// Whatever JSON must escape, and halves of characters that must not leave as they are.
const SPECIAL = /["\\\u0000-\u001f\ud800-\udfff]/;

/**
 * The JSON text of an item. It is what `JSON.stringify` gives, but for sums, which always carry two decimals as
 * the service writes them; and it is several times faster, which a reset to a million items needs.
 */
export function toText(value: Value): string {
  const text = toOpenText(value);
  return text === '' ? '{}' : `${text}}`;
}

/** The same without its end, for what more is added to; nothing for an item without properties. */
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
  // Names that came in a request may need escaping.
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

/** Sums written before: prices and what follows from them come again and again. */
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
