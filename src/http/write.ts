import { CopsError } from '../errors/errors.js';
import { notOfWrite, parseEnvelope } from './envelope.js';
import {
  duplicate,
  interrupted,
  notSent,
  refused,
  unknownAfterLoss,
  unknownByLoss,
  unknownByReply,
} from './outcome-errors.js';
import {
  backOff,
  pauseOf,
  retryAfter,
  throttleWait,
  tooLongAWait,
  type WriteOutcome,
  type WritePolicy,
} from './policy.js';
import { isCertificate } from './read.js';
import { jumped, KEY_LIFE_MS, ServiceClock, type Skew } from './service-clock.js';
import type { Envelope } from './types.js';
import { type Reply, type ServiceRequest, type Transport, TransportError } from './types.js';

export type { WriteOutcome, WritePolicy } from './policy.js';

const GRACE_MS = 5_000;

/** What is known so far of one intention. */
interface Progress {
  attempts: number;
  /** Attempts whose answer was lost. */
  lost: number;
  /** When the first attempt left, milliseconds. */
  firstSentAt: number | undefined;
  readonly clock: ServiceClock;
  /** What the first answer told of the service's clock. */
  firstSkew?: Skew;
}

/** The end, or the wait before the same bytes are sent again. */
type Verdict =
  | { readonly end: 'done'; readonly reply: Reply; readonly envelope: Envelope }
  | { readonly end: 'refused' | 'not_sent' | 'unknown'; readonly error: CopsError }
  | {
      readonly end: undefined;
      readonly waitMs: number;
      readonly error: CopsError;
      readonly askedMs?: number | undefined;
    };

/**
 * Writes: sends a request that changes something, and says what may be claimed of it, by the table of the command
 * line, section 6. The same bytes are sent again only when the body holds an idempotency key, and only after 429,
 * after an error before the request left, and once after a lost answer. Never throws for what the service or the
 * network did. An interrupt waits `graceMs` for the answer of a request in flight.
 */
export async function write(transport: Transport, request: ServiceRequest, policy: WritePolicy): Promise<WriteOutcome> {
  const progress: Progress = { attempts: 0, lost: 0, firstSentAt: undefined, clock: new ServiceClock() };
  for (;;) {
    if (!(await unlessInterrupted(policy, () => policy.pacer?.acquire(policy.signal)))) return stop(policy, progress);
    if (keyMayBeForgotten(policy, progress)) return unknown(unknownByLoss(undefined, policy), progress);
    const verdict = await attemptWrite(transport, request, policy, progress);
    const facts = { attempts: progress.attempts, lostAnswer: progress.lost > 0 };
    if (verdict.end === 'done') return { claim: 'done', reply: verdict.reply, envelope: verdict.envelope, ...facts };
    if (verdict.end) return { claim: verdict.end, error: verdict.error, ...facts };
    const { waitMs, error, askedMs } = verdict;
    policy.onRetry?.({ attempt: progress.attempts, waitMs, reason: error.message, askedMs });
    if (!(await unlessInterrupted(policy, () => policy.sleep(waitMs, policy.signal)))) return stop(policy, progress);
  }
}

/** Waits; false when an interrupt came before or meanwhile. */
async function unlessInterrupted(policy: WritePolicy, wait: () => Promise<void> | undefined): Promise<boolean> {
  if (policy.signal?.aborted) return false;
  try {
    await wait();
  } catch (error) {
    if (!policy.signal?.aborted) throw error;
  }
  return !policy.signal?.aborted;
}

/** After a lost answer only the key prevents a second execution: it must still be known to the service. */
function keyMayBeForgotten(policy: WritePolicy, progress: Progress): boolean {
  if (policy.keyDoubt?.()) return true;
  if (progress.lost === 0) return false;
  const { firstSkew = {}, clock } = progress;
  return Math.abs(policy.now() - (progress.firstSentAt ?? 0)) > KEY_LIFE_MS || jumped(firstSkew, clock.skew);
}

function unknown(error: CopsError, progress: Progress): WriteOutcome {
  return { claim: 'unknown', error, attempts: progress.attempts, lostAnswer: progress.lost > 0 };
}

/** Interrupted between attempts. */
function stop(policy: WritePolicy, progress: Progress): WriteOutcome {
  if (progress.lost > 0) return unknown(unknownByLoss(undefined, policy), progress);
  const error = interrupted(policy.signal?.reason);
  return { claim: 'not_sent', error, attempts: progress.attempts, lostAnswer: false };
}

async function attemptWrite(
  transport: Transport,
  request: ServiceRequest,
  policy: WritePolicy,
  progress: Progress,
): Promise<Verdict> {
  progress.attempts += 1;
  progress.firstSentAt ??= policy.now();
  const mayRepeat = () => policy.hasKey === true && progress.attempts <= policy.maxRetries && !policy.signal?.aborted;
  let reply: Reply;
  try {
    reply = await sendWithGrace(transport, request, policy);
  } catch (error) {
    policy.pacer?.answered();
    if (!(error instanceof TransportError)) throw error;
    return afterFailure(error, policy, progress, mayRepeat());
  }
  if (reply.status === 429) {
    progress.clock.note(reply, policy.now());
    progress.firstSkew ??= progress.clock.skew;
    const asked = retryAfter(reply.headers, policy.now());
    policy.pacer?.throttled(pauseOf(policy, asked));
    const waitMs = throttleWait(policy, progress.attempts, asked);
    if (mayRepeat() && waitMs !== undefined)
      return { end: undefined, waitMs, error: refused(reply, policy), askedMs: asked };
    const end = afterRefusal(reply, policy, progress);
    return end.end === 'refused' ? { ...end, error: tooLongAWait(end.error, policy, asked) } : end;
  }
  policy.pacer?.answered();
  return afterReply(reply, policy, progress);
}

function afterFailure(error: TransportError, policy: WritePolicy, progress: Progress, mayRepeat: boolean): Verdict {
  const waitMs = backOff(progress.attempts, policy.random);
  if (error.stage === 'not_sent') {
    if (mayRepeat && !isCertificate(error.reason)) return { end: undefined, waitMs, error: notSent(error, policy) };
    if (progress.lost > 0) return { end: 'unknown', error: unknownByLoss(error, policy) };
    if (policy.signal?.aborted) return { end: 'not_sent', error: interrupted(policy.signal.reason) };
    return { end: 'not_sent', error: notSent(error, policy) };
  }
  progress.lost += 1;
  const end: Verdict = { end: 'unknown', error: unknownByLoss(error, policy) };
  // An answer did come when it was too large or could not be unpacked: like any answer that is not understood.
  const unreadable = error.reason === 'TOO_LARGE' || error.reason === 'BAD_ENCODING';
  if (!mayRepeat || progress.lost > 1 || unreadable) return end;
  return { end: undefined, waitMs, error: end.error };
}

function afterReply(reply: Reply, policy: WritePolicy, progress: Progress): Verdict {
  const { status } = reply;
  if (status >= 200 && status < 300) {
    try {
      const envelope = parseEnvelope(reply);
      if (envelope.code === 1) {
        const fault = notOfWrite(envelope, policy.asked ?? []);
        if (fault === undefined) return { end: 'done', reply, envelope };
        return { end: 'unknown', error: unknownByReply(reply, policy, fault) };
      }
    } catch (error) {
      if (!(error instanceof CopsError)) throw error;
    }
    return { end: 'unknown', error: unknownByReply(reply, policy) };
  }
  // 408 is what servers in between send when they lost patience: it does not tell what the service did.
  if (status < 400 || status >= 500 || status === 408) return { end: 'unknown', error: unknownByReply(reply, policy) };
  return afterRefusal(reply, policy, progress);
}

function afterRefusal(reply: Reply, policy: WritePolicy, progress: Progress): Verdict {
  const error = refused(reply, policy);
  if (error.facts.errorCode === 'E0583') {
    return { end: 'unknown', error: duplicate(reply, policy, progress.lost > 0) };
  }
  if (progress.lost > 0) return { end: 'unknown', error: unknownAfterLoss(reply, policy) };
  return { end: 'refused', error };
}

/** Sends once; an interrupt meanwhile leaves the answer a short time to come. */
async function sendWithGrace(transport: Transport, request: ServiceRequest, policy: WritePolicy): Promise<Reply> {
  const { signal, timeoutMs, graceMs = GRACE_MS } = policy;
  // A grace that lasts as long as the answer may take cuts nothing off.
  if (!signal || graceMs >= timeoutMs) return transport.send(request, { timeoutMs });
  const cut = new AbortController();
  let answered: AbortController | undefined;
  const onAbort = () => {
    answered = new AbortController();
    policy.sleep(graceMs, answered.signal).then(
      () => cut.abort(signal.reason),
      () => {},
    );
  };
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await transport.send(request, { timeoutMs, signal: cut.signal });
  } finally {
    signal.removeEventListener('abort', onAbort);
    answered?.abort();
  }
}
