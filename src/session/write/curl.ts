import { shellWord } from '../../base/text/command-line.js';
import type { ServiceRequest } from '../../base/transport.js';

interface Shown extends Pick<ServiceRequest, 'method' | 'body'> {
  readonly url: string;
  /** The start of the URL that `$COPS_BASE_URL` replaces. */
  readonly base?: string | undefined;
  /** The body with its secrets hidden, if it was searched for them. */
  readonly masked: string | undefined;
  /** The line's headers besides the usual ones. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * A request ready to paste into a shell, on one line: the key comes from `$COPS_API_KEY`, and a body with secrets from
 * a file `body.json`, so that neither ends up in a shell's history.
 */
export function curlLine({ method, url, base, body, masked, headers = {} }: Shown): string {
  const words = ['curl', '-sS', addressWord(url, base), '-H', '"x-api-key: $COPS_API_KEY"', '-H'];
  words.push(shellWord(`accept: ${headers.accept ?? 'application/json'}`));
  for (const [name, value] of Object.entries(headers))
    if (name !== 'accept') words.push('-H', shellWord(`${name}: ${value}`));
  if (method === 'POST') {
    const hidesSecret = masked !== undefined && sameJson(masked) !== sameJson(body ?? '{}');
    const data = hidesSecret ? '@body.json' : (body ?? '{}');
    words.push('-H', "'content-type: application/json'", '--data', quoted(data));
  }
  return words.join(' ');
}

function addressWord(url: string, base: string | undefined): string {
  if (base === undefined || !url.startsWith(base)) return shellWord(url);
  return `"$COPS_BASE_URL${url.slice(base.length).replace(/["$`\\]/g, encodeURIComponent)}"`;
}

function sameJson(text: string): string {
  return JSON.stringify(JSON.parse(text));
}

/** A body starts with a brace; a leading `@` would mean a file to curl. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
