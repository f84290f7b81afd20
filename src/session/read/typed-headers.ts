import { wrongOption } from '../../base/errors/errors.js';
import type { Reply, Transport } from '../../base/transport.js';
import { hideCards, redact } from '../../items/secrets/redact.js';
import { isSecretName } from '../../items/secrets/secret-fields.js';
import type { Context } from '../context/context.js';

/**
 * Headers that cops sends itself, that frame a message, that change method or path for another server, or that go to a
 * proxy: with one of these a line would bypass its guards.
 */
const OWN = [
  /^(?:x-api-key|authorization|host|cookie|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|via)$/,
  /^(?:content|proxy|sec|x-forwarded)-/,
  /^(?:forwarded|idempotency-key|x-idempotency-key)$/,
  /token|secret|password|session|api-?key|auth/,
  /^x-(?:http-)?method(?:-override)?$/,
  /^x-(?:original|rewrite|override|request|envoy-original)-(?:ur[il]|path|method|host)$/,
];

/** Headers of `-H 'name: value'` by lower-case name. @throws CopsError `usage` (2) for a refused one */
export const typedHeaders = (typed: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(typed.map(typedHeader));

function typedHeader(text: string): readonly [string, string] {
  const at = text.indexOf(':');
  const name = text.slice(0, Math.max(0, at)).trim().toLowerCase();
  const value = text.slice(at + 1).trim();
  if (at < 1 || !/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name))
    throw wrongOption('-H', 'a header has the form "name: value".');
  if (OWN.some((pattern) => pattern.test(name)))
    throw wrongOption('-H', `Only cops may send ${name}: the guards of a request depend on it.`);
  if (isSecretName(name)) throw wrongOption('-H', `${name}: a secret must not be on the command line.`);
  if (!/^[\x20-\x7e]*$/.test(value))
    throw wrongOption('-H', `${name} contains characters that a header must not contain.`);
  return [name, value];
}

/** The context of a line that adds these headers to its requests; shows each answer to `see`. */
export function withHeaders(
  context: Context,
  headers: Readonly<Record<string, string>>,
  see: (reply: Reply) => void,
): Context {
  let way: Promise<Transport> | undefined;
  const open = async (connections?: number): Promise<Transport> => {
    const opened = await context.transport(connections);
    return {
      ...opened,
      close: () => opened.close(),
      send: async (request, options) => {
        const reply = await opened.send({ ...request, headers }, options);
        see(reply);
        return reply;
      },
    };
  };
  return {
    ...context,
    headers,
    transport: (connections) => {
      way ??= open(connections);
      return way;
    },
  };
}

/** Status and headers of an answer as `curl -i` shows them; hides the key and anything that may hold a session. */
export function headText({ status, headers }: Reply, key: string): string {
  const shown = (value: unknown): string => hideCards(redact(String(value), [key]));
  const lines = Object.entries(headers).map(
    ([name, value]) => `${name}: ${/cookie|auth/.test(name) ? '****' : shown(value)}`,
  );
  return [`HTTP ${status}`, ...lines, '', ''].join('\n');
}
