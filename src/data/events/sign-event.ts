import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** A new secret in the format that Standard Webhooks verifiers accept. */
export function newSigningSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

/**
 * The Standard Webhooks headers of one attempt: signatures of the exact bytes of the body, one for each secret in use.
 * @param unix the time of the attempt by the wall clock, seconds: verifiers refuse attempts older than a few minutes
 */
export function signedHeaders(
  secrets: readonly string[],
  { id, unix, body }: { readonly id: string; readonly unix: number; readonly body: string },
): Readonly<Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string>> {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${unix}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': String(unix), 'webhook-signature': signatures.join(' ') };
}
