import { type CopsError, stopped } from '../../base/errors/errors.js';
import { describeReference } from './keys.js';
import type { KeyReference, StoredProfile } from './types.js';

/** Same scheme, host and port; false for anything that is not a URL. */
export const sameHost = (one: string | undefined, other: string): boolean =>
  one !== undefined && URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;

/** Whether `--send-key-to` names the host of a URL: with its port, or as a bare name for any port. */
function isNamed(sendKeyTo: string | undefined, url: string): boolean {
  if (sendKeyTo === undefined) return false;
  const given = sendKeyTo.trim().toLowerCase();
  const { host, hostname, origin } = new URL(url);
  return [host, hostname, origin, new URL(url).href.replace(/\/+$/, '')].includes(given.replace(/\/+$/, ''));
}

export interface Destination {
  readonly profile: string;
  /** The address for which the keys were stored. */
  readonly filedFor: string | undefined;
  readonly baseUrl: string;
  /** The source of that address: `--base-url`, `COPS_BASE_URL`, `profiles edit`. */
  readonly source: string;
  /** `--send-key-to`. */
  readonly sendKeyTo: string | undefined;
}

/**
 * A stored key is bound to the host it was stored for (command-line.md#keys-and-modes).
 * @throws CopsError stopped (12) when another host is named and `--send-key-to` does not name it
 */
export function checkDestination(to: Destination): void {
  if (sameHost(to.filedFor, to.baseUrl) || isNamed(to.sendKeyTo, to.baseUrl)) return;
  throw otherHost(to);
}

/**
 * The same when a profile gets another address: keys that are not given again would move with it.
 * @throws CopsError stopped (12)
 */
export function checkMove(
  name: string,
  before: StoredProfile,
  after: StoredProfile,
  source: string,
  sendKeyTo: string | undefined,
): void {
  const { base_url: baseUrl } = after;
  if (baseUrl === undefined || baseUrl === before.base_url) return;
  const kept = (['test_key', 'live_key'] as const).some(
    (field) => before[field] !== undefined && after[field] === before[field],
  );
  if (kept) checkDestination({ profile: name, filedFor: before.base_url, baseUrl, source, sendKeyTo });
}

function otherHost({ profile, filedFor, baseUrl, source }: Destination): CopsError {
  const { host } = new URL(baseUrl);
  const own = filedFor === undefined ? 'for no address' : `for ${filedFor}`;
  return stopped(
    `the keys of profile ${profile} are stored ${own}, but ${source} names another host: ${host}`,
    `Nothing was sent or stored. Enter that host's key (COPS_API_KEY, --test-key, --live-key, or a separate ` +
      `profile), or allow this key to go there: --send-key-to ${host}`,
    { filed_for: filedFor ?? null, host },
  );
}

/** Settings by path (`profiles.acme.mode`), for display: keys masked. */
type Shown = ReadonlyMap<string, string>;

/** The differences between two states of the configuration, each as an instruction: `set aliases.late to "…"`. */
export function changesOf(before: object, after: object): string[] {
  const [old, made] = [shownOf(before), shownOf(after)];
  const set = [...made].flatMap(([path, value]) => (old.get(path) === value ? [] : [`set ${path} to ${value}`]));
  const gone = [...old.keys()].filter((path) => !made.has(path)).map((path) => `remove ${path}`);
  return [...set, ...gone];
}

function shownOf(configuration: object): Shown {
  const shown = new Map<string, string>();
  const visit = (value: unknown, path: string): void => {
    if (value === undefined) return;
    if (isKey(value)) shown.set(path, describeReference(value));
    else if (typeof value !== 'object' || value === null) shown.set(path, JSON.stringify(value));
    else for (const [name, part] of Object.entries(value)) visit(part, path === '' ? name : `${path}.${name}`);
  };
  visit(configuration, '');
  return shown;
}

const isKey = (value: unknown): value is KeyReference => typeof (value as { kind?: unknown } | null)?.kind === 'string';
