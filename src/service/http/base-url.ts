import { usage } from '../../base/errors/errors.js';
import { cops, say, type Text } from '../../base/text/command-line.js';

/** True for the addresses that never leave this machine: `localhost`, 127.0.0.0/8 and ::1. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * A base URL without the slash at its end. `https` only, except for loopback addresses (command-line.md#keys-and-modes).
 * @throws CopsError `usage` naming `source`
 */
export function checkBaseUrl(text: string, source: string): string {
  const bad = (why: string, hint?: Text) => usage(`The base URL from ${source} ${why}.`, hint);
  if (text.trim() === '') throw bad('is empty');
  if (/[\s\x00-\x1f\x7f]/.test(text)) throw bad('has spaces or control characters in it');
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw bad('is not a URL', 'It looks like https://api.example.com/v2.');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw bad('does not begin with https://', 'It looks like https://api.example.com/v2.');
  if (url.username !== '' || url.password !== '')
    throw bad('holds a user name or password', say`The service knows you by a key: \`${cops`login`}\`.`);
  if (url.search !== '' || url.hash !== '' || text.includes('?') || text.includes('#'))
    throw bad('has a query or a fragment', 'Leave out everything from ? or # on.');
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw bad('begins with http://, which would send the key unprotected', 'Use https://.');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/** What looks wrong with an accepted base URL, for the places where one is entered; undefined when nothing does. */
export function baseUrlWarning(url: URL): string | undefined {
  const words = `${url.hostname.replaceAll('.', '/')}/${url.pathname}`.toLowerCase().split('/');
  if (words.some((word) => /^v?2(\.0)?$/.test(word))) return undefined;
  return `The path of ${url.href} does not look like version 2 of the service; cops speaks version 2 only.`;
}

/**
 * One name for all spellings of one service, to compare what was written where: the loopback names, doubled and trailing
 * slashes, default ports, percent signs, case and a version left out make no other service. A usual base URL is its own
 * name.
 */
export function serviceName(baseUrl: string): string {
  const url = URL.canParse(baseUrl.trim()) ? new URL(baseUrl.trim()) : undefined;
  if (!url) return baseUrl.trim().toLowerCase();
  const host = url.hostname.replace(/\.$/, '');
  const mapped = /^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]$/.test(host);
  const name = isLoopback(host) || mapped ? '127.0.0.1' : host;
  const path = plainPath(url.pathname)
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '')
    .replace(/(\/v2)?$/i, '/v2');
  return `${url.protocol}//${name}${url.port === '' ? '' : `:${url.port}`}${path}`.toLowerCase();
}

function plainPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
