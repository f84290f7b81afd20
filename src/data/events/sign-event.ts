import { createHmac, randomBytes } from 'node:crypto';

const PREFIX = 'whsec_';

/** A new secret in the form that verifiers of Standard Webhooks take. */
export function newSigningSecret(): string {
  return PREFIX + randomBytes(32).toString('base64');
}

/**
 * The headers of one attempt, as Standard Webhooks have them: over the exact bytes of the body, by each secret that counts.
 * @param unix the attempt's own time by the wall clock, seconds: verifiers refuse what is older than some minutes
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
