import { hash } from 'node:crypto';
import type { Operation } from '../../catalogue/types.js';
import { JsonSyntaxFault, parseJson } from '../json/parse-json.js';
import { copy, isObject, NumberText, serialise, type Tree, type TreeObject, walk } from '../json/tree.js';
import { secretPlaces } from './secret-fields.js';

/** Replaces a secret. */
export const MASK = '****';

/** A copy of a body with its secrets masked; for an unknown operation (`cops api`) by field names alone. */
export function maskBody(operation: Operation | undefined, body: unknown): Tree {
  const masked = copy(body as Tree);
  for (const place of secretPlaces(operation, masked)) setMask(masked, place);
  return masked;
}

/** A body's secrets, to search for wherever a service may repeat them. */
export function secretValues(operation: Operation | undefined, body: unknown): string[] {
  const values: string[] = [];
  for (const place of secretPlaces(operation, body as Tree)) {
    let at: unknown = body;
    for (const part of place) at = (at as Record<string | number, unknown>)[part];
    walk({ at } as TreeObject, (_parts, value) => {
      if (typeof value === 'string') values.push(value);
      else if (value instanceof NumberText) values.push(value.text);
    });
  }
  return values;
}

/** The text of a body with its secrets masked and every other byte unchanged; fully masked if it is not JSON. */
export function maskBodyText(operation: Operation | undefined, text: string): string {
  try {
    const { value } = parseJson(text);
    return secretPlaces(operation, value).length === 0 ? text : serialise(maskBody(operation, value));
  } catch (fault) {
    if (fault instanceof JsonSyntaxFault) return JSON.stringify(MASK);
    throw fault;
  }
}

/**
 * A tag (24 hexadecimal digits) that is the same for the same intention: the history and bulk runs use it to recognise
 * a repeated write (command-line.md#writes).
 * @param what service and operation
 * @param body from `canonicalBody`
 */
export const intentionTag = (what: string, ids: readonly string[], body: string): string =>
  hash('sha256', `${JSON.stringify([what, ids])}\n${body}`, 'hex').slice(0, 24);

/** The text of a body without its idempotency key, independent of the order of names; `10.0` equals `10.00`. */
export function canonicalBody(body: unknown): string {
  if (!isObject(body) || !Object.hasOwn(body, 'idempotency_key')) return canonical(body ?? {});
  const { idempotency_key: _key, ...own } = body;
  return canonical(own);
}

/** JSON text with sorted names and one spelling for each number. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (isObject(value)) {
    const names = Object.keys(value).sort();
    return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
  }
  const text = serialise(value ?? null);
  return /^-?\d/.test(text) ? decimal(text) : text;
}

/**
 * The canonical spelling of a decimal number, without rounding: its digits without outer zeros, and the power of ten.
 */
function decimal(text: string): string {
  const [, sign = '', whole = '0', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const kept = digits.replace(/0+$/, '');
  if (kept === '') return '0';
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - kept.length);
  return `${sign}${kept}e${power}`;
}

function setMask(root: Tree, parts: readonly (string | number)[]): void {
  let place: unknown = root;
  for (const part of parts.slice(0, -1)) place = (place as Record<string | number, unknown>)[part];
  (place as Record<string | number, unknown>)[parts.at(-1) ?? ''] = MASK;
}
