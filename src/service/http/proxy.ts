import { usage } from '../../base/errors/errors.js';
import { isLoopback } from './base-url.js';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The proxy that the environment asks for, or undefined. `HTTPS_PROXY` for https and `HTTP_PROXY` for http, the
 * lower-case name first; `NO_PROXY` excludes. Plain http exists for loopback addresses only and goes through a
 * proxy only when that is on this machine too: the key must not leave it in the clear.
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
      'It reads like http://proxy.example:3128; unset the variable, or list the host in NO_PROXY, to go without.',
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
