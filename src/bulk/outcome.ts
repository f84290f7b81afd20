import type { Finish, HistoryOutcome } from '../account/history/types.js';
import type { OutcomeFacts } from '../account/journal/journal-lines.js';
import type { SendResult } from './types.js';

const LONGEST_MESSAGE = 300;

/**
 * The end of a row. A row that a dead process sent before (`resent`) has lost an answer: anything but done leaves the
 * result of the first attempt open (command-line.md#writes).
 */
export function outcomeFacts(result: SendResult, resent: boolean): OutcomeFacts {
  if (result.claim === 'done') {
    const { reply, envelope } = result;
    return { outcome: 'done', http_status: reply.status, code: 1, api_call_id: envelope.api_call_id };
  }
  const { facts, kind, message } = result.error;
  const own: HistoryOutcome =
    result.claim === 'refused' && (kind === 'payment_failed' || kind === 'fraud_detected' || kind === 'rate_limited')
      ? kind
      : // The key was refused, not the row: it may go on with a key that works.
        facts.httpStatus === 401 && result.claim === 'refused'
        ? 'not_sent'
        : result.claim;
  return {
    outcome: resent ? 'unknown' : own,
    http_status: facts.httpStatus,
    code: facts.code,
    error_code: facts.errorCode,
    api_call_id: facts.apiCallId,
    message: (facts.serviceMessage ?? message).slice(0, LONGEST_MESSAGE),
  };
}

/** The same, for the history. */
export function finishOf(facts: OutcomeFacts): Finish {
  return {
    outcome: facts.outcome,
    httpStatus: facts.http_status,
    code: facts.code,
    errorCode: facts.error_code,
    apiCallId: facts.api_call_id,
  };
}
