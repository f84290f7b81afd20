import type { Reply, SendOptions, ServiceRequest, Transport, TransportError } from '../../base/transport.js';
import { hideCardsInUrl } from '../../items/secrets/redact.js';

/** Where lines go, and the clock, milliseconds. */
interface Log {
  now(): number;
  write(line: string): void;
}

/**
 * A way to the service that writes one line of JSON for each request: method, path, status, milliseconds, attempt and call
 * id, for programs. Queries and bodies are left out: they may hold what people typed.
 */
export function logRequests(way: Transport, { now, write }: Log): Transport {
  return {
    ...way,
    close: () => way.close(),
    async send(request: ServiceRequest, options: SendOptions): Promise<Reply> {
      const began = now();
      const told = (facts: object): void =>
        write(
          JSON.stringify({
            time: new Date(began).toISOString(),
            method: request.method,
            path: hideCardsInUrl(request.path),
            ...facts,
            ms: Math.round(now() - began),
            attempt: options.attempt ?? 1,
          }),
        );
      try {
        const reply = await way.send(request, options);
        told({ status: reply.status, api_call_id: callId(reply.body) });
        return reply;
      } catch (error) {
        const { reason, stage } = error as Partial<TransportError>;
        told({ status: null, api_call_id: null, error: reason ?? 'UNKNOWN', sent: stage !== 'not_sent' });
        throw error;
      }
    },
  };
}

/** Found without parsing a body that may be huge. */
function callId(body: Buffer): string | null {
  return /"api_call_id"\s*:\s*"([^"]{1,40})"/.exec(body.subarray(0, 4096).toString('utf8'))?.[1] ?? null;
}
