import { CopsError } from '../../base/errors/errors.js';
import type { Text } from '../../base/text/command-line.js';
import type { Envelope, Reply } from '../../base/transport.js';
import type { AskedId } from './envelope.js';
import type { Pacer } from './pacer.js';
import type { ErrorContext } from './service-refusal.js';

/** Passed to `onRetry` before each wait for another attempt. */
export interface RetryInfo {
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  readonly waitMs: number;
  readonly reason: string;
  /** The wait that the service asked for, in milliseconds. */
  readonly askedMs?: number | undefined;
}

/** How to repeat requests, with every effect passed in. */
export interface RetryPolicy {
  /** Longest wait for one whole answer, in milliseconds. */
  readonly timeoutMs: number;
  /** Number of attempts after the first. */
  readonly maxRetries: number;
  readonly pacer?: Pacer;
  readonly signal?: AbortSignal;
  /** In milliseconds since the epoch. */
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** In [0, 1). */
  random(): number;
  readonly onRetry?: (info: RetryInfo) => void;
  /** Words for errors. */
  readonly context?: ErrorContext;
  /** Longest `Retry-After` to accept before giving up, in milliseconds; a minute by default. */
  readonly maxWaitMs?: number;
}

export interface ReadPolicy extends RetryPolicy {
  /** No further request is likely. */
  readonly isOnly?: boolean;
  /** Accept any 200 as it is (`/openapi.json`), instead of requiring an envelope with code 1. */
  readonly plain?: boolean;
}

export interface WritePolicy extends RetryPolicy {
  /** The ids in the path: an answer that names other ids does not prove this write. */
  readonly asked?: readonly AskedId[];
  /** True when the body holds an idempotency key: without one, nothing is sent twice. */
  readonly hasKey?: boolean;
  /** True when the user gave the key; false when it was made for this intention. */
  readonly ownKey?: boolean;
  /** For a key that was sent before: true once the service may have forgotten it. Called before each attempt. */
  readonly keyDoubt?: () => boolean;
  /** Why no further request may leave; called right before each attempt. */
  readonly mayLeave?: (() => CopsError | undefined) | undefined;
  /** What settles an unknown outcome, as a sentence: the read to run and the field to look at. */
  readonly settledBy?: Text;
  /** How long an interrupt waits for the answer to a request in flight, in milliseconds; five seconds by default. */
  readonly graceMs?: number;
}

/** The outcome of a write, in the terms of command-line.md#writes. */
export type WriteEnd =
  | { readonly claim: 'done'; readonly reply: Reply; readonly envelope: Envelope }
  | { readonly claim: 'refused' | 'not_sent' | 'unknown'; readonly error: CopsError };

export type WriteOutcome = WriteEnd & {
  readonly attempts: number;
  /** True when the answer to at least one attempt was lost. */
  readonly lostAnswer: boolean;
};

const FIRST_WAIT_MS = 500;
const LONGEST_BACK_OFF_MS = 30_000;
const LONGEST_RETRY_AFTER_MS = 60_000;
/** Longer waits are treated as this one: ten years. */
const MOST_ASKED_MS = 315_360_000_000;
/** A wait longer than this is announced. */
const SILENT_WAIT_MS = 2_000;

/** The wait before attempt `attempt + 1`: exponential, randomised between half and all of it. In milliseconds. */
export function backOff(attempt: number, random: () => number): number {
  const whole = Math.min(FIRST_WAIT_MS * 2 ** (attempt - 1), LONGEST_BACK_OFF_MS);
  return Math.round(whole * (0.5 + random() / 2));
}

/**
 * `Retry-After` in milliseconds from now, or undefined when it is missing or unreadable. A date is measured against the
 * answer's own `Date`, if it has one, so that a wrong local clock does no harm.
 */
export function retryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const text = headers['retry-after']?.trim();
  if (!text) return undefined;
  if (/^\d+(\.\d+)?$/.test(text)) return Math.min(Math.round(Number(text) * 1000), MOST_ASKED_MS);
  const until = /[a-z]/i.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(until)) return undefined;
  const sent = Date.parse(headers.date ?? '');
  return Math.max(0, until - (Number.isNaN(sent) ? now : sent));
}

/** A message for a wait that a user could mistake for a hang; undefined for a short one. */
export function waitTold({ askedMs, waitMs }: RetryInfo): string | undefined {
  if (askedMs === undefined || waitMs < SILENT_WAIT_MS) return undefined;
  return `The service asks for a pause: continuing in ${Math.ceil(waitMs / 1000)} s (--max-wait limits this).`;
}

/** The error (exit code 7) where the service asks for a longer wait than is allowed; otherwise the given error. */
export function tooLongAWait(error: CopsError, policy: RetryPolicy, askedMs: number | undefined): CopsError {
  const limit = policy.maxWaitMs ?? LONGEST_RETRY_AFTER_MS;
  if (askedMs === undefined || askedMs <= limit) return error;
  const asked = Math.ceil(askedMs / 1000);
  return new CopsError('rate_limited', `${error.message}; the service asks for a wait of ${asked} s`, {
    ...error.facts,
    hint: `That is longer than --max-wait (${limit / 1000} s): run it again after that time, or allow it with --max-wait ${asked}.`,
  });
}

/** How long a pacer holds back all requests: never longer than one request would wait. */
export function pauseOf(policy: RetryPolicy, askedMs: number | undefined): number | undefined {
  return askedMs === undefined ? undefined : Math.min(askedMs, policy.maxWaitMs ?? LONGEST_RETRY_AFTER_MS);
}

/** The wait after a refusal for speed, or undefined when the service asks for an unreasonably long one. */
export function throttleWait(policy: RetryPolicy, attempt: number, askedMs: number | undefined): number | undefined {
  if (askedMs !== undefined && askedMs > (policy.maxWaitMs ?? LONGEST_RETRY_AFTER_MS)) return undefined;
  if (askedMs === undefined) {
    // The process's pacer already slows down; a request that keeps losing waits on top of that.
    return policy.pacer ? (attempt > 2 ? backOff(attempt - 2, policy.random) : 0) : backOff(attempt, policy.random);
  }
  return askedMs + Math.round(policy.random() * Math.min(250, askedMs / 10 + 25));
}
