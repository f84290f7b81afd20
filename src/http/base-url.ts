import { usage } from '../errors/errors.js';

/** True for the addresses that never leave this machine: `localhost`, 127.0.0.0/8 and ::1. */
export function isLoopback(hostname: string): boolean {
  const host = hostname.replace(/^\[|\]$/g, '').toLowerCase();
  return host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
}

/**
 * The base URL as a URL without a trailing slash in its path. `https` only, except for loopback addresses, since
 * the key would travel in the clear (command line, section 3). Throws a usage error.
 */
export function checkBaseUrl(text: string): URL {
  const url = URL.canParse(text.trim()) ? new URL(text.trim()) : undefined;
  if (!url?.hostname) {
    throw usage(
      `The base URL ${JSON.stringify(text)} is not a URL`,
      'Give it whole, like https://<host>/<path of version 2>.',
    );
  }
  if (url.username !== '' || url.password !== '') {
    throw usage(
      'The base URL must not carry a user name or password',
      'The key is filed with `cops login` or `cops profiles add`.',
    );
  }
  if (url.search !== '' || url.hash !== '') {
    throw usage('The base URL must not carry a query or a fragment', 'Leave out everything from the first ? or #.');
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw usage(
      `The base URL must begin with https:// (it begins with ${url.protocol}//)`,
      'Plain http is accepted for loopback addresses only, since the key would travel in the clear.',
    );
  }
  url.pathname = url.pathname.replace(/\/+$/, '');
  return url;
}

/** What looks wrong with an accepted base URL, for the places where one is entered; undefined when nothing does. */
export function baseUrlWarning(url: URL): string | undefined {
  const words = `${url.hostname.replaceAll('.', '/')}/${url.pathname}`.toLowerCase().split('/');
  if (words.some((word) => /^v?2(\.0)?$/.test(word))) return undefined;
  return `The path of ${url.href} does not look like version 2 of the service; cops speaks version 2 only.`;
}

/**
 * One name for all spellings of one service, to compare what was written where: the loopback names, doubled and trailing
 * slashes, default ports, percent signs and case make no other service. A usual base URL is its own name.
 */
export function serviceName(baseUrl: string): string {
  const url = URL.canParse(baseUrl.trim()) ? new URL(baseUrl.trim()) : undefined;
  if (!url) return baseUrl.trim().toLowerCase();
  const host = url.hostname.replace(/\.$/, '');
  const mapped = /^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]$/.test(host);
  const name = isLoopback(host) || mapped ? '127.0.0.1' : host;
  const path = plainPath(url.pathname)
    .replace(/\/{2,}/g, '/')
    .replace(/\/$/, '');
  return `${url.protocol}//${name}${url.port === '' ? '' : `:${url.port}`}${path}`.toLowerCase();
}

function plainPath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
