import type { Operation } from '../../catalogue/types.js';
import { CopsError } from '../../errors/errors.js';
import type { WriteOutcome } from '../../http/write.js';
import { secretValues } from '../../secrets/mask-body.js';
import { redact } from '../../secrets/redact.js';

/**
 * An outcome whose words repeat no secret of the body that was sent: a service that quotes what it refused must not
 * bring a card number into an error, a journal or the log that keeps them.
 */
export function withoutSecrets(outcome: WriteOutcome, operation: Operation, body: unknown): WriteOutcome {
  if (outcome.claim === 'done') return outcome;
  return { ...outcome, error: errorWithoutSecrets(outcome.error, operation, body) as CopsError };
}

/** The same for an error, of a POST that only reads too; anything but a `CopsError` stays as it is. */
export function errorWithoutSecrets(error: unknown, operation: Operation, body: unknown): unknown {
  const values = secretValues(operation, body);
  if (!(error instanceof CopsError) || values.length === 0) return error;
  const { serviceMessage, rawAnswer, hint, more } = error.facts;
  const clean = <K extends string>(name: K, text: string | undefined): { [P in K]?: string } =>
    (text === undefined ? {} : { [name]: redact(text, values) }) as { [P in K]?: string };
  return new CopsError(error.kind, redact(error.message, values), {
    ...error.facts,
    ...clean('serviceMessage', serviceMessage),
    ...clean('rawAnswer', rawAnswer),
    ...clean('hint', hint),
    ...(more ? { more: JSON.parse(redact(JSON.stringify(more), values)) as typeof more } : {}),
  });
}
