import { shellWord } from '../../base/text/command-line.js';
import type { ServiceRequest } from '../../base/transport.js';

interface Shown extends Pick<ServiceRequest, 'method' | 'body'> {
  readonly url: string;
  /** The beginning of the URL that `$COPS_BASE_URL` stands for. */
  readonly base?: string | undefined;
  /** The body with its secrets hidden, where it was looked at for them. */
  readonly masked: string | undefined;
  /** Those of the line beside the usual ones. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/**
 * A request as one would paste it into a shell, on one line: the key comes from `$COPS_API_KEY`, and a body that holds
 * secrets from a file `body.json`, so that neither stands in a shell's history.
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

/** A body begins with a brace, and `@` in front means a file to curl. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
