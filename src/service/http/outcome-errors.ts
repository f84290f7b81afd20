import { CopsError } from '../../base/errors/errors.js';
import { cops, say, type Text } from '../../base/text/command-line.js';
import type { Reply, TransportError } from '../../base/transport.js';
import { notUnderstood, toError } from './envelope.js';
import { networkError } from './read.js';
import type { WritePolicy } from './retry.js';
import { describeStatus } from './service-refusal.js';

/**
 * The claims that may be made about a write (command-line.md#writes): what is known, what is not, and how to settle it.
 */

function lead(policy: WritePolicy): string {
  return policy.context?.doing ? `${policy.context.doing}: ` : '';
}

function settle(policy: WritePolicy): Text {
  const how =
    policy.settledBy ??
    say`Look at the changed item, or at the calls of that minute: \`${cops`api-calls list --last 1h`}\`.`;
  return say`Do not repeat it before you know. ${how}`;
}

/** The service refused, and no earlier answer was lost: nothing was done. */
export function refused(reply: Reply, policy: WritePolicy): CopsError {
  const error = toError(reply, policy.context);
  // A failed payment may leave a record or a hold behind; its own message says which.
  if (reply.status === 402) return error;
  return new CopsError(error.kind, `${error.message}; nothing was done`, {
    ...error.facts,
    failure: error.message,
  });
}

/** No byte of the request left this machine. */
export function notSent(error: TransportError, policy: WritePolicy): CopsError {
  const network = networkError(error, policy);
  return new CopsError('network', `${network.message}; nothing was sent and nothing was done`, {
    ...network.facts,
    failure: network.message,
  });
}

/** Interrupted before the request was sent, or after refusals only. */
export function interruptedRequest(reason: unknown): CopsError {
  if (reason instanceof CopsError) {
    return new CopsError(reason.kind, `${reason.message}; nothing was done`, {
      ...reason.facts,
      failure: reason.message,
    });
  }
  return new CopsError('interrupted', 'Interrupted; nothing was done', { cause: reason });
}

/** An inconclusive answer: 5xx, a redirect, or an apparent success; `fault` says what is wrong with the success. */
export function unknownByReply(reply: Reply, policy: WritePolicy, fault?: string): CopsError {
  const error = fault === undefined ? toError(reply, policy.context) : notUnderstood(reply, fault);
  return new CopsError('outcome_unknown', `${error.message}; the outcome is unknown: it may have been carried out`, {
    ...error.facts,
    hint: settle(policy),
  });
}

/** A refusal after a lost answer: only the last attempt is known not to have been executed. */
export function unknownAfterLoss(reply: Reply, policy: WritePolicy): CopsError {
  const { facts } = toError(reply, policy.context);
  const what = describeStatus(reply.status, facts.code);
  return new CopsError(
    'outcome_unknown',
    `${lead(policy)}the outcome is unknown: the answer to an earlier attempt was lost, and that attempt may have been carried out; when it was sent again, ${what} (HTTP ${reply.status})`,
    { ...facts, hint: settle(policy) },
  );
}

/** E0583: the key proves only that some request with it arrived before (service.md#idempotency). */
export function duplicate(reply: Reply, policy: WritePolicy, lost: boolean): CopsError {
  const { facts } = toError(reply, policy.context);
  let what: string;
  if (lost) {
    what = 'the first attempt arrived, but its answer was lost; the service does not say how it ended';
  } else if (policy.ownKey) {
    what =
      'the idempotency key that you gave was used before, in the last 24 hours; this request was not carried out, and what the earlier one did is not known from here';
  } else {
    what =
      'the idempotency key of this request was used before; this request was not carried out, and what the earlier one did is not known from here';
  }
  const own = policy.ownKey && !lost ? ' A new, deliberate operation needs a new key.' : '';
  return new CopsError('outcome_unknown', `${lead(policy)}the outcome is unknown: ${what} (E0583)`, {
    ...facts,
    hint: say`${settle(policy)}${own}`,
  });
}

/** No answer: this request or an earlier attempt was sent, and its answer never came. */
export function unknownByLoss(error: TransportError | undefined, policy: WritePolicy): CopsError {
  const last = error ? ` ${error.message}.` : '';
  const keyless = policy.hasKey ? '' : ' It was sent without an idempotency key, so it was not sent again.';
  return new CopsError(
    'outcome_unknown',
    `${lead(policy)}the outcome is unknown: the request was sent and no answer came; it may have been carried out.${last}${keyless}`,
    { hint: settle(policy), more: error ? { reason: error.reason } : undefined, cause: error },
  );
}
