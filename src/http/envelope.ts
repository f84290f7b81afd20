import { CopsError } from '../errors/errors.js';
import { MAX_DEPTH } from '../json/scan.js';
import { isTooDeep, repeatedField } from './answer-check.js';
import { describeStatus, type ErrorContext, refusalOf } from './refusal.js';
import type { Envelope, Reply } from './types.js';

export type { ErrorContext } from './refusal.js';

const NO_LONGER_SHOWN = 1_000_000;

/** The body's text without a byte order mark. */
export function bodyText(reply: Reply): string {
  return reply.body.toString('utf8').replace(/^\ufeff/, '');
}

/** The body as a JSON object, or the reason why it is none. */
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
  const repeated = repeatedIn(reply);
  if (repeated) return `it names \`${repeated}\` more than once`;
  return value as Record<string, unknown>;
}

function repeatedIn(reply: Reply): string | undefined {
  try {
    return repeatedField(reply.body);
  } catch {
    // Stranger than what JSON.parse takes (a lone surrogate, deep nesting): nothing more is known of it.
    return undefined;
  }
}

/**
 * The envelope of an answer, whatever its status. Throws `service_failed` for a body that is not a JSON object with
 * a numeric `code`, however it is broken.
 */
export function parseEnvelope(reply: Reply): Envelope {
  const value = jsonObject(reply);
  if (typeof value === 'string') throw notUnderstood(reply, value);
  if (typeof value.code !== 'number') throw notUnderstood(reply, 'it has no numeric `code`');
  return value as Envelope;
}

/** The error for an answer that the service's own rules do not allow. */
export function notUnderstood(reply: Reply, reason: string): CopsError {
  return new CopsError('service_failed', `The answer (HTTP ${reply.status}) could not be understood: ${reason}`, {
    httpStatus: reply.status,
    hint: 'The base URL may belong to another server, or something between here and the service answers in its place: see `cops whoami` and `--debug`.',
    rawAnswer: rawAnswer(reply),
  });
}

/** The body for `--raw`, cut at a length that a terminal survives, and short where it is nested without end. */
export function rawAnswer(reply: Reply): string {
  return bodyText(reply).slice(0, isTooDeep(reply.body) ? MAX_DEPTH : NO_LONGER_SHOWN);
}

/**
 * The error that a reply stands for (spec section 7): the HTTP status first, then the body's `code`, then
 * `error_code`. For a 2xx reply it is the error of a success that is none.
 */
export function toError(reply: Reply, context: ErrorContext = {}): CopsError {
  const parsed = jsonObject(reply);
  const body = typeof parsed === 'string' ? {} : parsed;
  if (reply.status >= 200 && reply.status < 300) {
    if (typeof parsed === 'string') return notUnderstood(reply, parsed);
    const code = body.code;
    if (typeof code !== 'number') return notUnderstood(reply, 'it has no numeric `code`');
  }
  const { kind, message, hint, more } = refusalOf(reply, body, context);
  const text = (name: string) => (typeof body[name] === 'string' ? (body[name] as string) : undefined);
  const code = body.code;
  const errorCode = text('error_code');
  const callId = body.api_call_id;
  const serviceMessage = text('message')?.slice(0, 2_000);
  return new CopsError(kind, message, {
    httpStatus: reply.status,
    hint: hint || undefined,
    code: typeof code === 'number' ? code : undefined,
    errorCode: errorCode || undefined,
    apiCallId: typeof callId === 'string' || callId === null ? callId : undefined,
    serviceMessage: serviceMessage || undefined,
    more: Object.keys(more).length > 0 ? more : undefined,
    rawAnswer: rawAnswer(reply),
  });
}

export { describeStatus };
