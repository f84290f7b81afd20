import { JsonFault } from '../json/fault.js';
import { Scanner, TOO_DEEP } from '../json/scan.js';
import { members, stringAt } from '../json/slice.js';
import type { Envelope } from './types.js';

/** An id that a request names in its path. */
export interface AskedId {
  /** The path's word for it, in the service's words: `subscription_id`. */
  readonly name: string;
  readonly value: string;
}

/** Fields of an answer of which a second one would leave open which counts. */
const ONCE = ['code', 'result', 'id'] as const;

/**
 * A field that decides what an answer means and stands in it twice, or undefined. JSON.parse would silently take
 * the last one; others take the first.
 */
export function repeatedField(body: Buffer): string | undefined {
  const suspect = body.includes('\\u') || ONCE.some((name) => occursTwice(body, `"${name}"`));
  if (!suspect) return undefined;
  const seen = new Set<string>();
  let repeated: string | undefined;
  const scanner = new Scanner(body, body[0] === 0xef ? 3 : 0);
  if (scanner.peek() !== 0x7b) return undefined;
  members(scanner, (start, end, escaped) => {
    const name = stringAt(body, start, end, escaped);
    if (seen.has(name) && (ONCE as readonly string[]).includes(name)) repeated ??= name;
    seen.add(name);
    scanner.peek();
    scanner.value();
  });
  return repeated;
}

/** A shorter body cannot be deep enough to fill the memory of its reader. */
const COULD_BE_DEEP = 256 * 1024;

/** Whether a body is nested deeper than anything that the service describes: to parse it fills the memory. */
export function isTooDeep(body: Buffer): boolean {
  if (body.length < COULD_BE_DEEP) return false;
  try {
    const scanner = new Scanner(body, body[0] === 0xef ? 3 : 0);
    scanner.peek();
    scanner.value();
    return false;
  } catch (error) {
    return error instanceof JsonFault && error.reason === TOO_DEEP;
  }
}

function occursTwice(body: Buffer, text: string): boolean {
  const first = body.indexOf(text);
  return first >= 0 && body.indexOf(text, first + 1) >= 0;
}

/**
 * Why an answer with `code` 1 does not tell that this write was done; undefined when it does. A create or edit
 * answers `<resource>_id` and `result` (spec 2.1): another id is the answer to another request, a list is that of a
 * read.
 */
export function notOfWrite(envelope: Envelope, asked: readonly AskedId[]): string | undefined {
  const { result } = envelope;
  if (typeof result === 'string' && /error|fail|refus|reject|declin|denied/i.test(result)) {
    return `its result is "${result.slice(0, 80)}"`;
  }
  if (result === false) return 'its result is false';
  const { error_code: errorCode } = envelope;
  if (typeof errorCode === 'string' && errorCode !== '') return `it has the error code ${errorCode.slice(0, 80)}`;
  if (Array.isArray(envelope.results) && typeof result !== 'string') return 'it is a list, not the answer of a write';
  let named = false;
  for (const { name, value } of asked) {
    const told = envelope[name];
    if (typeof told !== 'string' && typeof told !== 'number') continue;
    if (String(told) !== value) return `it is about ${name} ${String(told).slice(0, 80)}, not ${value}`;
    named = true;
  }
  const { id } = envelope;
  const other = typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
  if (named || other === undefined || asked.length === 0 || asked.some(({ value }) => value === other))
    return undefined;
  return `it is about ${other.slice(0, 80)}, not ${asked.at(-1)?.value}`;
}
