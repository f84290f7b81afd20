import { createHmac, timingSafeEqual } from 'node:crypto';
import { usage } from '../../base/errors/errors.js';
import { randomBytes } from '../../base/random.js';

const PREFIX = 'whsec_';

/** A new secret in the format that Standard Webhooks verifiers accept. */
export function newSigningSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

/** A secret from elsewhere, in that format. @throws CopsError `usage`, never with the secret */
export function checkSigningSecret(text: string, source: string): string {
  const key = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text;
  const bytes = Buffer.from(key, 'base64');
  if (bytes.toString('base64').replace(/=+$/, '') !== key.replace(/=+$/, '') || bytes.length < SHORTEST)
    throw usage(
      `${source} holds no Standard Webhooks secret: whsec_ and at least ${SHORTEST} bytes in base64.`,
      'For example: openssl rand -base64 32',
    );
  return PREFIX + key;
}

/** Bytes of the shortest secret that Standard Webhooks allows. */
const SHORTEST = 24;

/** Whether a signature header holds a signature of these bytes by one of the secrets. */
export function isSignedBy(
  secrets: readonly string[],
  signature: string,
  what: { readonly id: string; readonly unix: number; readonly body: Buffer },
): boolean {
  const given = signature.split(/[ ,]+/).filter((word) => word !== '' && !/^v\d+$/.test(word));
  return secrets.some((secret) => {
    const own = Buffer.from(signatureBy(secret, what));
    return given.some((one) => one.length === own.length && timingSafeEqual(Buffer.from(one), own));
  });
}

function signatureBy(secret: string, { id, unix, body }: { id: string; unix: number; body: string | Buffer }): string {
  const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
  return createHmac('sha256', key).update(`${id}.${unix}.`).update(body).digest('base64');
}

/**
 * The Standard Webhooks headers of one attempt: signatures of the exact bytes of the body, one for each secret in use.
 * @param unix the time of the attempt by the wall clock, seconds: verifiers refuse attempts older than a few minutes
 */
export function signedHeaders(
  secrets: readonly string[],
  { id, unix, body }: { readonly id: string; readonly unix: number; readonly body: string },
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const signatures = secrets.map((secret) => `v1,${signatureBy(secret, { id, unix, body })}`);
  return { 'webhook-id': id, 'webhook-timestamp': String(unix), 'webhook-signature': signatures.join(' ') };
}
