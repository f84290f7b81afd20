import { CopsError } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import type { Envelope, Reply } from '../../base/transport.js';
import { members, stringAt } from '../../items/json/item-json.js';
import { JsonFault, MAX_DEPTH, Scanner, TOO_DEEP } from '../../items/json/scan.js';
import { type ErrorContext, refusalOf } from './service-refusal.js';

const NO_LONGER_SHOWN = 1_000_000;

/** The body as text, without a byte order mark. */
export function bodyText(reply: Reply): string {
  return reply.body.toString('utf8').replace(/^\ufeff/, '');
}

/** The body as a JSON object, or the reason why it is not one. */
function jsonObject(reply: Reply): Record<string, unknown> | string {
  if (reply.body.length === 0) return 'its body is empty';
  if (isTooDeep(reply.body)) return 'its JSON is nested too deeply';
  const text = bodyText(reply);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    const type = reply.headers['content-type'] ?? '';
    if (/^\s*</.test(text)) return 'it is an HTML page';
    if (/^\s*[[{]/.test(text)) return 'its JSON is cut off or damaged';
    return type === '' ? 'it is not JSON' : `it is not JSON but ${type.split(';')[0]}`;
  }
  if (Array.isArray(value)) return 'its JSON is an array, not an object';
  if (typeof value !== 'object' || value === null) return 'its JSON is not an object';
  const repeated = repeatedField(reply.body, text);
  if (repeated) return `it names \`${repeated}\` more than once`;
  return value as Record<string, unknown>;
}

/** Fields that decide an answer: if one appears twice, it is unclear which counts. */
const ONCE = ['code', 'result', 'id'] as const;

/**
 * The first deciding field that appears twice in an answer: JSON.parse takes the last value, other parsers the first.
 */
function repeatedField(body: Buffer, text: string): string | undefined {
  const suspect = text.includes('\\u') || ONCE.some((name) => occursTwice(text, `"${name}"`));
  if (!suspect) return undefined;
  const seen = new Set<string>();
  let repeated: string | undefined;
  try {
    const scanner = new Scanner(body, body[0] === 0xef ? 3 : 0);
    if (scanner.peek() !== 0x7b) return undefined;
    members(scanner, (start, end, escaped) => {
      const name = stringAt(body, start, end, escaped);
      if (seen.has(name) && (ONCE as readonly string[]).includes(name)) repeated ??= name;
      seen.add(name);
      scanner.peek();
      scanner.value();
    });
  } catch {
    // Too strange for this scan, though JSON.parse may accept it (a lone surrogate, deep nesting).
    return undefined;
  }
  return repeated;
}

/** A shorter body cannot be nested deeply enough to fill the reader's memory. */
const COULD_BE_DEEP = 256 * 1024;

/** Whether a body is nested deeper than anything the service describes: parsing it would fill the memory. */
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

const occursTwice = (body: string, text: string): boolean => body.indexOf(text) !== body.lastIndexOf(text);

/** Whether an answer is plainly a success: exactly one `code`, with value 1. Anything else gets a closer look. */
export function isPlainSuccess({ body }: Reply): boolean {
  const seen: string[] = [];
  let isOne = false;
  try {
    const scanner = new Scanner(body, body[0] === 0xef ? 3 : 0);
    if (scanner.peek() !== 0x7b) return false;
    members(scanner, (start, end, escaped) => {
      const name = stringAt(body, start, end, escaped);
      if ((ONCE as readonly string[]).includes(name)) seen.push(name);
      scanner.peek();
      const from = scanner.pos;
      scanner.value();
      if (name === 'code') isOne = body.toString('latin1', from, scanner.pos) === '1';
    });
    scanner.finish();
  } catch {
    return false;
  }
  return isOne && new Set(seen).size === seen.length;
}

/**
 * The envelope of an answer of any status. Throws `service_failed` for anything but an object with a numeric `code`.
 */
export function parseEnvelope(reply: Reply): Envelope {
  const value = jsonObject(reply);
  if (typeof value === 'string') throw notUnderstood(reply, value);
  if (typeof value.code !== 'number') throw notUnderstood(reply, 'it has no numeric `code`');
  return value as Envelope;
}

/** The error for an answer that breaks the service's own rules. */
export function notUnderstood(reply: Reply, reason: string): CopsError {
  return new CopsError('service_failed', `The answer (HTTP ${reply.status}) could not be understood: ${reason}`, {
    httpStatus: reply.status,
    hint: say`The base URL may belong to another server, or something between here and the service answers in its place: see \`${cops`whoami`}\` and \`--debug\`.`,
    rawAnswer: rawAnswer(reply),
  });
}

/** The body for `--raw`, cut to a length that a terminal can handle, and very short if it is nested too deeply. */
export function rawAnswer(reply: Reply): string {
  return bodyText(reply).slice(0, isTooDeep(reply.body) ? MAX_DEPTH : NO_LONGER_SHOWN);
}

/**
 * The error that a reply represents (service.md#errors): by the HTTP status first, then the body's `code`, then
 * `error_code`. For a 2xx reply it is the error of a success that is not one.
 */
export function toError(reply: Reply, context: ErrorContext = {}): CopsError {
  const parsed = jsonObject(reply);
  const body = typeof parsed === 'string' ? {} : parsed;
  const { code, api_call_id: callId } = body;
  if (reply.status >= 200 && reply.status < 300) {
    if (typeof parsed === 'string') return notUnderstood(reply, parsed);
    if (typeof code !== 'number') return notUnderstood(reply, 'it has no numeric `code`');
  }
  const { kind, message, hint, more = {} } = refusalOf(reply, body, context);
  const text = (name: string) => (typeof body[name] === 'string' ? (body[name] as string) : undefined);
  return new CopsError(kind, message, {
    httpStatus: reply.status,
    hint,
    code: typeof code === 'number' ? code : undefined,
    errorCode: text('error_code') || undefined,
    apiCallId: typeof callId === 'string' || callId === null ? callId : undefined,
    serviceMessage: text('message')?.slice(0, 2_000) || undefined,
    more: Object.keys(more).length > 0 ? more : undefined,
    rawAnswer: rawAnswer(reply),
  });
}

/** An id in the path of a request. */
export interface AskedId {
  /** Its name in the path, in the service's words: `subscription_id`. */
  readonly name: string;
  readonly value: string;
}

/**
 * Why an answer with `code` 1 does not prove that this write was done; undefined when it does. A create or edit answers
 * with `<resource>_id` and `result` (service.md#envelopes): another id belongs to the answer to another request, and a
 * list to the answer to a read.
 */
export function notOfWrite(envelope: Envelope, asked: readonly AskedId[]): string | undefined {
  const { result } = envelope;
  if (typeof result === 'string' && /error|fail|refus|reject|declin|denied/i.test(result))
    return `its result is "${result.slice(0, 80)}"`;
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
