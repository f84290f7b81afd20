import { pathSteps } from '../../catalogue/leaf-types.js';
import { elements, members, stringAt } from './item-json.js';
import { Scanner } from './scan.js';

/** A number as text: `10.00` and twenty-digit integers stay unchanged. */
export class Digits {
  constructor(readonly text: string) {}
}

/**
 * A JSON value whose numbers keep their text. Objects are maps: any name is safe, and the order is that of the text.
 */
export type Lossless = string | boolean | null | Digits | Lossless[] | Map<string, Lossless>;

/**
 * Parses JSON without changing a digit. We parse it ourselves because comparable libraries refuse duplicate names and
 * overflow the stack on deep nesting.
 *
 * @throws JsonFault for invalid JSON
 */
export function parseLossless(raw: string): Lossless {
  const body = Buffer.from(raw);
  const scanner = new Scanner(body);
  scanner.peek();
  const start = scanner.pos;
  // A strict pass first: it limits the depth, so that the recursion below cannot overflow.
  scanner.value();
  scanner.finish();
  scanner.pos = start;
  return parseAt(scanner, body);
}

function parseAt(scanner: Scanner, body: Buffer): Lossless {
  const first = scanner.peek();
  const start = scanner.pos;
  if (first === 0x7b) {
    const map = new Map<string, Lossless>();
    members(scanner, (from, to, escaped) => {
      map.set(stringAt(body, from, to, escaped), parseAt(scanner, body));
    });
    return map;
  }
  if (first === 0x5b) {
    const list: Lossless[] = [];
    elements(scanner, () => list.push(parseAt(scanner, body)));
    return list;
  }
  scanner.value();
  if (first === 0x22) return stringAt(body, start, scanner.pos, scanner.escaped);
  if (first === 0x74) return true;
  if (first === 0x66) return false;
  return first === 0x6e ? null : new Digits(body.toString('latin1', start, scanner.pos));
}

/** The value at a dotted path (`customer.email`, `rates[0].rate`), or undefined. */
export function get(value: Lossless, path: string): Lossless | undefined {
  let at: Lossless | undefined = value;
  for (const step of pathSteps(path)) {
    if (at instanceof Map) at = at.get(step);
    else if (Array.isArray(at) && /^\d+$/.test(step)) at = at[Number(step)];
    else return undefined;
  }
  return at;
}

/** Compact JSON text of a lossless value. */
export function textOf(value: Lossless): string {
  if (value instanceof Digits) return value.text;
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`;
  if (value instanceof Map)
    return `{${[...value].map(([name, member]) => `${JSON.stringify(name)}:${textOf(member)}`).join(',')}}`;
  return JSON.stringify(value);
}

/**
 * The dotted paths of everything in an object except objects with members, in text order: the columns of one flattened
 * item. An array counts as one value.
 */
export function leafPaths(value: Lossless, prefix = ''): string[] {
  if (!(value instanceof Map) || value.size === 0) return prefix === '' ? [] : [prefix];
  return [...value].flatMap(([name, member]) => leafPaths(member, prefix === '' ? name : `${prefix}.${name}`));
}

/** The text of a plain value, digits as received. */
export function plain(value: Lossless | undefined): string | undefined {
  if (typeof value === 'string') return value;
  if (value instanceof Digits) return value.text;
  return typeof value === 'boolean' ? String(value) : undefined;
}

/** What an item names in a field: one or a list, each a plain value or an object with an id. */
export const idsAt = (item: Lossless, path: string): string[] =>
  [get(item, path) ?? []].flat().flatMap((one) => plain(get(one, 'id') ?? one) || []);

/** The text of an item's value at a dotted path, with the digits received; undefined if it is missing or not plain. */
export type Values = (path: string) => string | undefined;

/**
 * Values of a JSON text.
 * @throws JsonFault for text that is not valid
 */
export function valuesOf(raw: string): Values {
  const tree = parseLossless(raw);
  return (path) => plain(get(tree, path)) || undefined;
}
