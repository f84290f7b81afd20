import { wrongOption } from '../../base/errors/errors.js';
import type { Reply, Transport } from '../../base/transport.js';
import { hideCards, redact } from '../../items/secrets/redact.js';
import { isSecretName } from '../../items/secrets/secret-fields.js';
import type { Context } from '../context/context.js';

/**
 * What the program sends itself, what frames a message, what another server takes for another method or path, and what
 * goes to a proxy: with one of these a line would pass what guards it.
 */
const OWN = [
  /^(?:x-api-key|authorization|host|cookie|transfer-encoding|connection|keep-alive|te|trailer|upgrade|expect|via)$/,
  /^(?:content|proxy|sec|x-forwarded)-/,
  /^(?:forwarded|idempotency-key|x-idempotency-key)$/,
  /token|secret|password|session|api-?key|auth/,
  /^x-(?:http-)?method(?:-override)?$/,
  /^x-(?:original|rewrite|override|request|envoy-original)-(?:ur[il]|path|method|host)$/,
];

/** Headers of `-H 'name: value'` by their names in small letters. @throws CopsError `usage` (2) for one that is refused */
export function typedHeaders(typed: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(typed.map(typedHeader));
}

function typedHeader(text: string): readonly [string, string] {
  const at = text.indexOf(':');
  const name = text.slice(0, Math.max(0, at)).trim().toLowerCase();
  const value = text.slice(at + 1).trim();
  if (at < 1 || !/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) throw wrongOption('-H', 'a header is "name: value".');
  if (OWN.some((pattern) => pattern.test(name)))
    throw wrongOption('-H', `${name} is for cops to send: what guards a request rests on it.`);
  if (isSecretName(name)) throw wrongOption('-H', `${name}: a secret is never taken from the command line.`);
  if (!/^[\x20-\x7e]*$/.test(value)) throw wrongOption('-H', `${name} holds what no header may hold.`);
  return [name, value];
}

/** The context of a line whose requests have these headers too; each answer is shown to `see`. */
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

/** Status and headers of an answer as `curl -i` shows them; what may hold a session, and the key, is hidden. */
export function headText({ status, headers }: Reply, key: string): string {
  const shown = (value: unknown): string => hideCards(redact(String(value), [key]));
  const lines = Object.entries(headers).map(
    ([name, value]) => `${name}: ${/cookie|auth/.test(name) ? '****' : shown(value)}`,
  );
  return [`HTTP ${status}`, ...lines, '', ''].join('\n');
}
