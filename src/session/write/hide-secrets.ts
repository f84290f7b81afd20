import type { Profile } from '../../account/profiles/types.js';
import { CopsError } from '../../base/errors/errors.js';
import { mapText } from '../../base/text/command-line.js';
import type { Operation } from '../../catalogue/types.js';
import { secretValues } from '../../items/secrets/mask-body.js';
import { Redactor } from '../../items/secrets/redact.js';
import type { WriteOutcome } from '../../service/http/retry.js';

/** Hides the secrets of one write, the key and those of its body, wherever the service repeats them. */
export interface Hiding {
  readonly text: (text: string) => string;
  /** The outcome with clean words, and a clean answer where it was done. */
  readonly outcome: (outcome: WriteOutcome) => WriteOutcome;
  /** The same for an error, of a POST that only reads too; anything but a `CopsError` stays as it is. */
  readonly error: (error: unknown) => unknown;
  /** JSON text that is clean and otherwise the same. */
  readonly answer: (text: string) => string;
}

/**
 * The one redaction of writes: a service that quotes what it was sent must not bring a card number, its code or the key
 * into an answer, an error, a journal or the log that keeps them.
 */
export function hidingOf(profile: Pick<Profile, 'key'>, operation: Operation, body: unknown): Hiding {
  return hidingOfMany(profile, operation)(body);
}

/** The same for many bodies of one operation: most hold no secret of their own, and share what looks for the key. */
export function hidingOfMany(
  profile: Pick<Profile, 'key'>,
  operation: Operation,
): (body: unknown, more?: Iterable<string>) => Hiding {
  const key = profile.key.value;
  const ofKey = hiding(new Redactor([key]));
  return (body, more = []) => {
    const own = [...secretValues(operation, body), ...more];
    return own.length === 0 ? ofKey : hiding(new Redactor([key, ...own]));
  };
}

function hiding(redactor: Redactor): Hiding {
  const text = (given: string) => redactor.text(given);
  const answer = (given: string) => redactor.json(given);
  const error = (given: unknown) => errorWithout(given, text, answer);
  return {
    text,
    error,
    answer,
    outcome(outcome) {
      if (outcome.claim !== 'done') return { ...outcome, error: error(outcome.error) as CopsError };
      const came = outcome.reply.body.toString('utf8');
      const clean = answer(came);
      return clean === came ? outcome : { ...outcome, reply: { ...outcome.reply, body: Buffer.from(clean) } };
    },
  };
}

function errorWithout(given: unknown, text: Hiding['text'], answer: Hiding['answer']): unknown {
  if (!(given instanceof CopsError)) return given;
  const { serviceMessage, rawAnswer, hint, faults, more } = given.facts;
  const clean = (value: string | undefined) => (value === undefined ? undefined : text(value));
  return new CopsError(given.kind, text(given.message), {
    ...given.facts,
    serviceMessage: clean(serviceMessage),
    rawAnswer: rawAnswer === undefined ? undefined : answer(rawAnswer),
    hint: hint && mapText(hint, text),
    faults: faults?.map(({ path, message }) => ({ path, message: text(message) })),
    more: more && (JSON.parse(answer(JSON.stringify(more))) as typeof more),
  });
}
