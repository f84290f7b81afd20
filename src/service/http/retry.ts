import { CopsError } from '../../base/errors/errors.js';
import type { Text } from '../../base/text/command-line.js';
import type { Envelope, Reply } from '../../base/transport.js';
import type { AskedId } from './envelope.js';
import type { Pacer } from './pacer.js';
import type { ErrorContext } from './service-refusal.js';

/** Told before each wait that leads to another attempt. */
export interface RetryInfo {
  /** The attempt that failed, from 1. */
  readonly attempt: number;
  readonly waitMs: number;
  readonly reason: string;
  /** The wait that the service asked for, milliseconds. */
  readonly askedMs?: number | undefined;
}

/** How requests are repeated, with every effect passed in. */
export interface RetryPolicy {
  /** Longest wait for one whole answer, milliseconds. */
  readonly timeoutMs: number;
  /** Attempts after the first. */
  readonly maxRetries: number;
  readonly pacer?: Pacer;
  readonly signal?: AbortSignal;
  /** Milliseconds since the epoch. */
  now(): number;
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** In [0, 1). */
  random(): number;
  readonly onRetry?: (info: RetryInfo) => void;
  /** Words for errors. */
  readonly context?: ErrorContext;
  /** Longest wait that a `Retry-After` may ask for before it is given up, milliseconds; a minute unless told. */
  readonly maxWaitMs?: number;
}

export interface ReadPolicy extends RetryPolicy {
  /** No other request is likely to follow. */
  readonly isOnly?: boolean;
  /** Take any 200 as it is (`/openapi.json`), instead of asking for an envelope with code 1. */
  readonly plain?: boolean;
}

export interface WritePolicy extends RetryPolicy {
  /** The ids of the path: an answer that names others does not tell of this write. */
  readonly asked?: readonly AskedId[];
  /** True when an idempotency key is in the body: without one nothing is sent twice. */
  readonly hasKey?: boolean;
  /** True when the key was given by the user, not made for this intention. */
  readonly ownKey?: boolean;
  /** Of a key that was sent before: true once the service may have forgotten it. Asked before each attempt. */
  readonly keyDoubt?: () => boolean;
  /** Why no request may leave any more; asked right before each attempt. */
  readonly mayLeave?: (() => CopsError | undefined) | undefined;
  /** What settles an unknown outcome, a sentence: the read and the field to look at. */
  readonly settledBy?: Text;
  /** How long an interrupt waits for the answer of a request in flight, milliseconds; five seconds unless told. */
  readonly graceMs?: number;
}

/** What became of a write, in the words of command-line.md#writes. */
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
/** What a longer wait is taken for: ten years. */
const MOST_ASKED_MS = 315_360_000_000;
/** A wait longer than this is told. */
const SILENT_WAIT_MS = 2_000;

/** The wait before attempt `attempt + 1`: exponential, between half and all of it by chance. Milliseconds. */
export function backOff(attempt: number, random: () => number): number {
  const whole = Math.min(FIRST_WAIT_MS * 2 ** Math.min(attempt - 1, 16), LONGEST_BACK_OFF_MS);
  return Math.round(whole * (0.5 + random() / 2));
}

/**
 * `Retry-After` in milliseconds from now, or undefined when there is none or it is unreadable. A date is measured
 * against the answer's own `Date` where it has one, so that a wrong clock here does no harm.
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

/** Words for a wait that a user would otherwise take for a hang; undefined for a short one. */
export function waitTold({ askedMs, waitMs }: RetryInfo): string | undefined {
  if (askedMs === undefined || waitMs < SILENT_WAIT_MS) return undefined;
  return `The service asks to wait: going on in ${Math.ceil(waitMs / 1000)} s (--max-wait limits this).`;
}

/** The error (exit code 7) where the service asks to wait longer than is allowed; any other stays as it is. */
export function tooLongAWait(error: CopsError, policy: RetryPolicy, askedMs: number | undefined): CopsError {
  const limit = policy.maxWaitMs ?? LONGEST_RETRY_AFTER_MS;
  if (askedMs === undefined || askedMs <= limit) return error;
  const asked = Math.ceil(askedMs / 1000);
  return new CopsError('rate_limited', `${error.message}; the service asks to wait ${asked} s`, {
    ...error.facts,
    hint: `That is longer than --max-wait (${limit / 1000} s): run it again after that time, or allow it with --max-wait ${asked}.`,
  });
}

/** What a pacer holds all requests back for: never longer than one request would wait. */
export function pauseOf(policy: RetryPolicy, askedMs: number | undefined): number | undefined {
  return askedMs === undefined ? undefined : Math.min(askedMs, policy.maxWaitMs ?? LONGEST_RETRY_AFTER_MS);
}

/** The wait after a refusal for speed, or undefined when the service asks for longer than is sensible. */
export function throttleWait(policy: RetryPolicy, attempt: number, askedMs: number | undefined): number | undefined {
  if (askedMs !== undefined && askedMs > (policy.maxWaitMs ?? LONGEST_RETRY_AFTER_MS)) return undefined;
  if (askedMs === undefined) {
    // The pacer of the process already slows down; a request that keeps losing waits on top of that.
    return policy.pacer ? (attempt > 2 ? backOff(attempt - 2, policy.random) : 0) : backOff(attempt, policy.random);
  }
  return askedMs + Math.round(policy.random() * Math.min(250, askedMs / 10 + 25));
}
