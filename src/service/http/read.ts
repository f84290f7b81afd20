import { CopsError } from '../../base/errors/errors.js';
import { cops, say, type Text } from '../../base/text/command-line.js';
import { type Reply, type ServiceRequest, type Transport, TransportError } from '../../base/transport.js';
import { isPlainSuccess, isTooDeep, parseEnvelope, toError } from './envelope.js';
import { isCertificate, isTlsAlert } from './failure.js';
import { backOff, pauseOf, type ReadPolicy, retryAfter, throttleWait, tooLongAWait } from './retry.js';

/** How an unsuccessful attempt ended; `waitMs` undefined means that another attempt is pointless. */
interface Failure {
  readonly error: CopsError;
  readonly waitMs: number | undefined;
  readonly askedMs?: number | undefined;
}

/**
 * Reads: sends a request that changes nothing, and repeats it after connection errors, timeouts, 429, 5xx and answers
 * it cannot understand (command-line.md#writes). Returns a reply whose envelope has `code` 1. Throws `CopsError`:
 * `network` (8), `service_failed` (1), `rate_limited` (7) and those of service.md#errors; when `policy.signal` aborts,
 * its reason.
 */
export async function read(transport: Transport, request: ServiceRequest, policy: ReadPolicy): Promise<Reply> {
  for (let attempt = 1; ; attempt += 1) {
    policy.signal?.throwIfAborted();
    await policy.pacer?.acquire(policy.signal);
    const result = await attemptRead(transport, request, policy, attempt);
    if ('status' in result) return result;
    const { error, waitMs } = result;
    if (waitMs === undefined || attempt > policy.maxRetries) throw error;
    policy.onRetry?.({ attempt, waitMs, reason: error.message, askedMs: result.askedMs });
    await policy.sleep(waitMs, policy.signal);
  }
}

async function attemptRead(
  transport: Transport,
  request: ServiceRequest,
  policy: ReadPolicy,
  attempt: number,
): Promise<Reply | Failure> {
  let reply: Reply;
  try {
    const { timeoutMs, signal, isOnly } = policy;
    reply = await transport.send(request, { timeoutMs, signal, attempt, isOnly: isOnly && attempt === 1 });
  } catch (error) {
    policy.pacer?.answered();
    if (policy.signal?.aborted) throw policy.signal.reason;
    if (!(error instanceof TransportError)) throw error;
    const pointless = error.reason === 'TOO_LARGE' || isCertificate(error.reason);
    return { error: networkError(error, policy), waitMs: pointless ? undefined : backOff(attempt, policy.random) };
  }
  if (reply.status === 429) {
    const asked = retryAfter(reply.headers, policy.now());
    policy.pacer?.throttled(pauseOf(policy, asked));
    const error = tooLongAWait(toError(reply, policy.context), policy, asked);
    return { error, waitMs: throttleWait(policy, attempt, asked), askedMs: asked };
  }
  policy.pacer?.answered();
  if (reply.status >= 200 && reply.status < 300) {
    if (policy.plain || isPlainSuccess(reply)) return reply;
    try {
      if (parseEnvelope(reply).code === 1) return reply;
    } catch (error) {
      if (!(error instanceof CopsError)) throw error;
    }
    // Reading it again would only fill the memory again.
    const waitMs = isTooDeep(reply.body) ? undefined : backOff(attempt, policy.random);
    return { error: toError(reply, policy.context), waitMs };
  }
  const error = toError(reply, policy.context);
  if (reply.status < 500) return { error, waitMs: undefined };
  const asked = retryAfter(reply.headers, policy.now());
  const waitMs = asked === undefined ? backOff(attempt, policy.random) : throttleWait(policy, attempt, asked);
  return { error: tooLongAWait(error, policy, asked), waitMs, askedMs: asked };
}

/** The error for a request without a whole answer, for reads and for writes that provably did not leave. */
export function networkError(error: TransportError, policy: Pick<ReadPolicy, 'context'>): CopsError {
  const doing = policy.context?.doing;
  return new CopsError('network', doing ? `${doing}: ${lower(error.message)}` : error.message, {
    hint: networkHint(error.reason),
    more: { reason: error.reason },
    cause: error,
  });
}

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function networkHint(reason: string): Text {
  if (reason === 'TIMEOUT')
    return say`Give it longer with \`--timeout <seconds>\`; \`${cops`doctor --online`}\` checks the connection to the service.`;
  if (isTlsAlert(reason))
    return say`The service wants a client certificate, or rejects the one it gets: ${cops`profiles edit <name> --client-cert <file> --client-key <ref>`}.`;
  if (isCertificate(reason))
    return say`If the service uses its own certificate authorities, name their certificates: ${cops`profiles edit <name> --ca-file <file>`}; behind a proxy that opens TLS, in NODE_EXTRA_CA_CERTS. Otherwise stop here: the key would reach someone else.`;
  return say`Check the base URL (\`${cops`whoami`}\`), the network and the proxy settings; \`${cops`doctor --online`}\` checks the connection to the service.`;
}
