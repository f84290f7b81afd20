import { CopsError } from '../../base/errors/errors.js';
import { type Reply, type ServiceRequest, type Transport, TransportError } from '../../base/transport.js';
import { notOfWrite, parseEnvelope } from './envelope.js';
import { isCertificate } from './failure.js';
import {
  duplicate,
  interruptedRequest,
  notSent,
  refused,
  unknownAfterLoss,
  unknownByLoss,
  unknownByReply,
} from './outcome-errors.js';
import {
  backOff,
  pauseOf,
  type RetryInfo,
  retryAfter,
  throttleWait,
  tooLongAWait,
  type WriteEnd,
  type WriteOutcome,
  type WritePolicy,
} from './retry.js';
import { jumped, KEY_LIFE_MS, ServiceClock, type Skew } from './service-clock.js';

const GRACE_MS = 5_000;

/** What is known so far about one intention. */
interface Progress {
  attempts: number;
  /** Attempts whose answer was lost. */
  lost: number;
  /** When the first attempt left, in milliseconds. */
  firstSentAt: number | undefined;
  readonly clock: ServiceClock;
  /** What the first answer revealed about the service's clock. */
  firstSkew?: Skew;
}

/** The end, or the wait before sending the same bytes again. */
type Verdict =
  | WriteEnd
  | (Omit<RetryInfo, 'attempt' | 'reason'> & { readonly claim: 'again'; readonly error: CopsError });

/**
 * Writes: sends a request that changes something, and reports its outcome following the table in
 * command-line.md#writes. Sends the same bytes again only when the body holds an idempotency key, and only after 429,
 * after an error before the request left, and once after a lost answer. Never throws for anything the service or the
 * network did. An interrupt waits `graceMs` for the answer to a request in flight.
 */
export async function write(transport: Transport, request: ServiceRequest, policy: WritePolicy): Promise<WriteOutcome> {
  const progress: Progress = { attempts: 0, lost: 0, firstSentAt: undefined, clock: new ServiceClock() };
  for (;;) {
    if (!(await unlessInterrupted(policy, () => policy.pacer?.acquire(policy.signal)))) return stop(policy, progress);
    if (keyMayBeForgotten(policy, progress)) return endOf(unknown(unknownByLoss(undefined, policy)), progress);
    const kept = policy.mayLeave?.();
    if (kept)
      return endOf(
        progress.lost > 0 ? unknown(unknownByLoss(undefined, policy)) : { claim: 'not_sent', error: kept },
        progress,
      );
    const verdict = await attemptWrite(transport, request, policy, progress);
    if (verdict.claim !== 'again') return endOf(verdict, progress);
    const { waitMs, error, askedMs } = verdict;
    policy.onRetry?.({ attempt: progress.attempts, waitMs, reason: error.message, askedMs });
    if (!(await unlessInterrupted(policy, () => policy.sleep(waitMs, policy.signal)))) return stop(policy, progress);
  }
}

/** Waits; false when an interrupt came before or during the wait. */
async function unlessInterrupted(policy: WritePolicy, wait: () => Promise<void> | undefined): Promise<boolean> {
  if (policy.signal?.aborted) return false;
  try {
    await wait();
  } catch (error) {
    if (!policy.signal?.aborted) throw error;
  }
  return !policy.signal?.aborted;
}

/** After a lost answer only the key prevents a second execution, so the service must still remember it. */
function keyMayBeForgotten(policy: WritePolicy, progress: Progress): boolean {
  if (policy.keyDoubt?.()) return true;
  if (progress.lost === 0) return false;
  const { firstSkew = {}, clock } = progress;
  return Math.abs(policy.now() - (progress.firstSentAt ?? 0)) > KEY_LIFE_MS || jumped(firstSkew, clock.skew);
}

function unknown(error: CopsError): WriteEnd {
  return { claim: 'unknown', error };
}

function endOf(end: WriteEnd, { attempts, lost }: Progress): WriteOutcome {
  return { attempts, lostAnswer: lost > 0, ...end };
}

/** Interrupted between attempts. */
function stop(policy: WritePolicy, progress: Progress): WriteOutcome {
  if (progress.lost > 0) return endOf(unknown(unknownByLoss(undefined, policy)), progress);
  return endOf({ claim: 'not_sent', error: interruptedRequest(policy.signal?.reason) }, progress);
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
    reply = await sendWithGrace(transport, request, policy, progress.attempts);
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
      return { claim: 'again', waitMs, error: refused(reply, policy), askedMs: asked };
    const end = afterRefusal(reply, policy, progress);
    return end.claim === 'refused' ? { ...end, error: tooLongAWait(end.error, policy, asked) } : end;
  }
  policy.pacer?.answered();
  return afterReply(reply, policy, progress);
}

function afterFailure(error: TransportError, policy: WritePolicy, progress: Progress, mayRepeat: boolean): Verdict {
  const waitMs = backOff(progress.attempts, policy.random);
  if (error.stage === 'not_sent') {
    if (mayRepeat && !isCertificate(error.reason)) return { claim: 'again', waitMs, error: notSent(error, policy) };
    if (progress.lost > 0) return unknown(unknownByLoss(error, policy));
    if (policy.signal?.aborted) return { claim: 'not_sent', error: interruptedRequest(policy.signal.reason) };
    return { claim: 'not_sent', error: notSent(error, policy) };
  }
  progress.lost += 1;
  const lost = unknownByLoss(error, policy);
  // Too large or not decompressible, but an answer did come: treated like any answer that cannot be understood.
  const unreadable = error.reason === 'TOO_LARGE' || error.reason === 'BAD_ENCODING';
  if (!mayRepeat || progress.lost > 1 || unreadable) return unknown(lost);
  return { claim: 'again', waitMs, error: lost };
}

function afterReply(reply: Reply, policy: WritePolicy, progress: Progress): Verdict {
  const { status } = reply;
  if (status >= 200 && status < 300) {
    try {
      const envelope = parseEnvelope(reply);
      if (envelope.code === 1) {
        const fault = notOfWrite(envelope, policy.asked ?? []);
        if (fault === undefined) return { claim: 'done', reply, envelope };
        return unknown(unknownByReply(reply, policy, fault));
      }
    } catch (error) {
      if (!(error instanceof CopsError)) throw error;
    }
    return unknown(unknownByReply(reply, policy));
  }
  // Intermediate servers send 408 when they lose patience: it does not say what the service did.
  if (status < 400 || status >= 500 || status === 408) return unknown(unknownByReply(reply, policy));
  return afterRefusal(reply, policy, progress);
}

function afterRefusal(reply: Reply, policy: WritePolicy, progress: Progress): Verdict {
  const error = refused(reply, policy);
  if (error.facts.errorCode === 'E0583') return unknown(duplicate(reply, policy, progress.lost > 0));
  if (progress.lost > 0) return unknown(unknownAfterLoss(reply, policy));
  return { claim: 'refused', error };
}

/** Sends once; after an interrupt, waits a short time for the answer. */
async function sendWithGrace(
  transport: Transport,
  request: ServiceRequest,
  policy: WritePolicy,
  attempt: number,
): Promise<Reply> {
  const { signal, timeoutMs, graceMs = GRACE_MS } = policy;
  // A grace period as long as the timeout cuts nothing off.
  if (!signal || graceMs >= timeoutMs) return transport.send(request, { timeoutMs, attempt });
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
    return await transport.send(request, { timeoutMs, signal: cut.signal, attempt });
  } finally {
    signal.removeEventListener('abort', onAbort);
    answered?.abort();
  }
}
