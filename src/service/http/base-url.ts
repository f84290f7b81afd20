import { usage, wrongOption } from '../../base/errors/errors.js';
import { cops, say, type Text } from '../../base/text/command-line.js';
import type { ServiceRequest } from '../../base/transport.js';

/** True for addresses that never leave this machine: `localhost`, 127.0.0.0/8 and ::1. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * A base URL without a trailing slash. Only `https`, except for loopback addresses (command-line.md#keys-and-modes).
 * @throws CopsError `usage` naming `source`
 */
export function checkBaseUrl(text: string, source: string): string {
  const bad = (why: string, hint?: Text) => usage(`The base URL from ${source} ${why}.`, hint);
  if (text.trim() === '') throw bad('is empty');
  if (/[\s\x00-\x1f\x7f]/.test(text)) throw bad('contains spaces or control characters');
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw bad('is not a URL', 'It looks like https://api.example.com/v2.');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw bad('does not begin with https://', 'It looks like https://api.example.com/v2.');
  if (url.username !== '' || url.password !== '')
    throw bad('holds a user name or password', say`The service identifies you by a key: \`${cops`login`}\`.`);
  if (url.search !== '' || url.hash !== '' || text.includes('?') || text.includes('#'))
    throw bad('has a query or a fragment', 'Leave out everything from ? or # on.');
  if (url.protocol === 'http:' && !isLoopback(url.hostname))
    throw bad('begins with http://, which would send the key unprotected', 'Use https://.');
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '');
}

/**
 * The normalised address of a receiver for events: https, or http to this machine.
 * @throws CopsError `usage` naming `option`
 */
export function checkReceiver(text: string, option: string): string {
  // Anything before an @ may be a password, and so may a parameter.
  const shown = text.replace(/^([a-z]+:\/*)?.*@/is, '$1').replace(/[?#].*$/s, '');
  const bad = (why: string) => wrongOption(option, `${JSON.stringify(shown.slice(0, 200))} ${why}.`, RECEIVER_HINT);
  const url = URL.canParse(text) && !/[\s\x00-\x1f\x7f]/.test(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw bad('is not an address that events can be posted to');
  if (url.username !== '' || url.password !== '') throw bad('holds a user name or password');
  if (url.hash !== '' || text.includes('#')) throw bad('has a fragment, which servers never receive');
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) throw bad('is neither https nor on this machine');
  return url.href;
}

const RECEIVER_HINT = 'It looks like https://example.com/hooks or http://localhost:3000/hooks.';

/** A suspicious feature of an accepted base URL, for places where one is entered; undefined when there is none. */
export function baseUrlWarning(url: URL): string | undefined {
  const words = `${url.hostname.replaceAll('.', '/')}/${url.pathname}`.toLowerCase().split('/');
  if (words.some((word) => /^v?2(\.0)?$/.test(word))) return undefined;
  return `The path of ${url.href} does not look like version 2 of the service; cops speaks version 2 only.`;
}

/**
 * One name for all spellings of a service, for comparing records. Loopback names, doubled and trailing slashes, default
 * ports, percent encoding, case and an omitted version make no difference. A usual base URL is its own name.
 */
export function serviceName(baseUrl: string): string {
  const url = URL.canParse(baseUrl.trim()) ? new URL(baseUrl.trim()) : undefined;
  if (!url) return baseUrl.trim().toLowerCase();
  const host = url.hostname.replace(/\.$/, '');
  const mapped = /^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]$/.test(host);
  const name = isLoopback(host) || mapped ? '127.0.0.1' : host;
  const path = unescaped(url.pathname)
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '')
    .replace(/(\/v2)?$/i, '/v2');
  return `${url.protocol}//${name}${url.port === '' ? '' : `:${url.port}`}${path}`.toLowerCase();
}

/** A part of an address, decoded; invalid escapes stay as they are. */
export function unescaped(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The proxy from the environment, or undefined: `HTTPS_PROXY` for https, `HTTP_PROXY` for http, the lower-case name
 * first; `NO_PROXY` excludes hosts. Plain http is for loopback addresses only, and uses a proxy only on this machine:
 * the key must not leave it in the clear.
 */
export function proxyFor(target: URL, env: Env): URL | undefined {
  const name = target.protocol === 'https:' ? 'https_proxy' : 'http_proxy';
  const text = (env[name] || env[name.toUpperCase()] || '').trim();
  if (text === '' || isExcluded(target, env.no_proxy ?? env.NO_PROXY ?? '')) return undefined;
  const whole = text.includes('://') ? text : `http://${text}`;
  const proxy = URL.canParse(whole) ? new URL(whole) : undefined;
  if (!proxy?.hostname || !/^https?:$/.test(proxy.protocol)) {
    throw usage(
      `The proxy in ${name.toUpperCase()} is not an http or https URL`,
      'It looks like http://proxy.example:3128; to use no proxy, unset the variable or list the host in NO_PROXY.',
    );
  }
  if (target.protocol === 'http:' && !isLoopback(proxy.hostname)) return undefined;
  return proxy;
}

/** `NO_PROXY`: `*`, host names (with their subdomains), a leading dot or `*.`, an optional port. */
function isExcluded(target: URL, list: string): boolean {
  const host = target.hostname.toLowerCase().replace(/^\[|\]$/g, '');
  const port = target.port || (target.protocol === 'https:' ? '443' : '80');
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      if (entry === '*') return true;
      const parts = /^(?:\[([^\]]+)\]|([^:]+|[^:]*(?::[^:]*){2,}))(?::(\d+))?$/.exec(entry.toLowerCase());
      if (!parts || (parts[3] !== undefined && parts[3] !== port)) return false;
      const name = (parts[1] ?? parts[2] ?? '').replace(/^\*?\./, '');
      return name !== '' && (host === name || host.endsWith(`.${name}`));
    });
}

/** Text that needs no encoding. */
const PLAIN = /^[\w.~-]*$/;

/** `?a=1&b=2` with encoded names and values, in the given order; a name may repeat (service.md#lists). */
export function queryText(query: ServiceRequest['query']): string {
  const encode = (text: string) =>
    PLAIN.test(text) ? text : encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\ufffd'));
  return query.map(([name, value], index) => `${index ? '&' : '?'}${encode(name)}=${encode(value)}`).join('');
}
