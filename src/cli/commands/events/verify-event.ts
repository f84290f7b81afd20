import { CopsError, usage } from '../../../base/errors/errors.js';
import { typedPath } from '../../../base/files/typed-path.js';
import { lengthSaid } from '../../../base/time/spans.js';
import { givenSecret, type Listening } from '../../../data/events/listeners.js';
import { isSignedBy } from '../../../data/events/sign-event.js';
import { givenBytes } from '../../../data/given/csv-records.js';
import type { Result } from '../../../screen/types.js';
import { checkReceiver } from '../../../service/http/base-url.js';
import type { Context } from '../../../session/context/context.js';
import { record } from '../../../session/context/run.js';
import { wholeNumber } from '../../../session/context/typed-words.js';
import type { EventOptions } from './spec.js';

/** Seconds by which the time of an attempt may differ, as in Standard Webhooks. */
const TOLERANCE_S = 300;

/**
 * `events verify <body>`: checks the signature of a post over the exact bytes of its body.
 * @throws CopsError `differs` (13) for a wrong one
 */
export async function verifyEvent(
  context: Context,
  file: string,
  options: EventOptions,
  open: () => Promise<Listening>,
): Promise<Result> {
  const { id, timestamp, signature, secret, forwardTo } = options;
  const unix = wholeNumber(timestamp, '--timestamp', 0);
  if (file === '' || id === undefined || unix === undefined || signature === undefined)
    throw usage(
      'events verify takes the file of a body and its three headers: --id, --timestamp, --signature.',
      'They are the headers webhook-id, webhook-timestamp and webhook-signature of the post.',
    );
  if ((secret === undefined) === (forwardTo === undefined))
    throw usage(
      'Give the secret: --secret env:NAME, @file or cmd:<command line>; or --forward-to <url> for the one kept here.',
    );
  const body = await givenBytes(typedPath(context.world, file));
  const secrets =
    secret === undefined
      ? await (await open()).secrets(checkReceiver(forwardTo ?? '', '--forward-to'))
      : [await givenSecret(context, secret)];
  if (!isSignedBy(secrets, signature, { id, unix, body }))
    throw new CopsError('differs', 'The signature does not match this body, id and timestamp with that secret.', {
      hint: 'It covers the exact bytes of the body: save them before anything parses or prints them.',
    });
  const age = Math.floor(context.world.now() / 1000) - unix;
  if (Math.abs(age) > TOLERANCE_S)
    context.notes.warn(
      `The signature matches, but verifiers refuse it because it is ${lengthSaid(age)} ${age < 0 ? 'ahead' : 'old'} (${lengthSaid(TOLERANCE_S)} at most).`,
    );
  return record({ id, verified: true, age_seconds: age });
}
