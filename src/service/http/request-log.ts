import type { Reply, SendOptions, ServiceRequest, Transport, TransportError } from '../../base/transport.js';
import { cardsInUrl, hideCardsInUrl, maskJson, redact } from '../../items/secrets/redact.js';
import { sanitise } from '../../items/text/inert.js';

/** Where lines go, and the clock in milliseconds. */
interface Log {
  now(): number;
  write(line: string): void;
}

/**
 * Wraps a transport to write one line of JSON per request, for programs: method, path, status, milliseconds, attempt
 * and call id. Omits queries and bodies, which may hold what people typed.
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

/** Searches the text instead of parsing a body that may be huge. */
function callId(body: Buffer): string | null {
  return /"api_call_id"\s*:\s*"([^"]{1,40})"/.exec(body.subarray(0, 4096).toString('utf8'))?.[1] ?? null;
}

/**
 * Writes the traffic for `--debug`, one line at a time, with every secret masked. Does not show the body of an answer:
 * `--raw` prints it.
 */
export function makeTrace(write: (line: string) => void, key: string) {
  // A service may repeat what was sent, in its headers too.
  const sent = new Set<string>();
  const line = (text: string) => write(sanitise(redact(text, [key, ...sent])));
  return {
    request(request: ServiceRequest, url: string, headers: Readonly<Record<string, string>>): void {
      sent.clear();
      for (const card of cardsInUrl(url)) sent.add(card);
      const body = request.body === undefined ? undefined : maskJson(request.body, (secret) => sent.add(secret));
      line(`> ${request.method} ${url}`);
      for (const [name, value] of Object.entries(headers)) line(`> ${name}: ${value}`);
      if (body !== undefined) line(`> ${body}`);
    },
    reply(reply: Reply, milliseconds: number): void {
      const facts = bodyFacts(reply.body);
      line(`< ${reply.status} in ${milliseconds} ms, ${reply.body.length} bytes${facts}`);
      for (const [name, value] of Object.entries(reply.headers))
        line(`< ${name}: ${/cookie|auth/.test(name) ? '****' : value}`);
    },
    failure(error: TransportError, milliseconds: number): void {
      const stage = error.stage === 'not_sent' ? 'nothing was sent' : 'the request may have arrived';
      line(`< no answer after ${milliseconds} ms: ${error.message} (${error.reason}; ${stage})`);
    },
  };
}

/** `api_call_id`, `code` and `error_code` of an answer, found without parsing a body that may be huge. */
function bodyFacts(body: Buffer): string {
  const beginning = body.subarray(0, 4096).toString('utf8');
  return ['api_call_id', 'code', 'error_code']
    .map((name) => {
      const found = new RegExp(`"${name}"\\s*:\\s*("[^"]{0,40}"|\\d{1,9}|null)`).exec(beginning);
      return found ? `, ${name} ${found[1]?.replaceAll('"', '')}` : '';
    })
    .join('');
}
