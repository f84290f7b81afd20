import type { Reply, ServiceRequest, TransportError } from '../../base/transport.js';
import { cardsInUrl, maskJson, redact } from '../../items/secrets/redact.js';
import { sanitise } from '../../items/text/inert.js';

/**
 * Writes what goes over the wire for `--debug`, one line at a time, with every secret masked. The body of an answer is
 * not shown: `--raw` prints it.
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
      for (const [name, value] of Object.entries(reply.headers)) {
        line(`< ${name}: ${/cookie|auth/.test(name) ? '****' : value}`);
      }
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
