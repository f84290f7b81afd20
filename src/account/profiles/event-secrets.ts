import { Would } from '../../base/errors/errors.js';
import { readKey } from './keys.js';
import type { Configuration, Store } from './store.js';
import type { KeyReading, KeyReference, StoredEventSecret } from './types.js';

/** The owner of a secret: each profile, mode and receiver has a separate one. */
export interface SecretOwner {
  readonly profile: string;
  readonly mode: string;
  readonly receiver: string;
}

/** How secrets are stored and read. */
export interface SecretKeeping {
  readonly store: Store;
  readonly reading: KeyReading;
  /** Unix seconds, by the wall clock. */
  readonly now: number;
  /** True in a dry run. */
  readonly isDry?: boolean;
  make(): string;
}

/** An owner's secrets, newest first; undefined if it has none. */
export async function readEventSecrets(owner: SecretOwner, keeping: SecretKeeping): Promise<string[] | undefined> {
  const stored = secretIn(keeping.store.read(), owner);
  if (stored === undefined) return undefined;
  const { former, former_until: until } = stored;
  const wanted = former === undefined || (until ?? 0) <= keeping.now ? [stored.key] : [stored.key, former];
  return Promise.all(wanted.map((key) => readKey(key, `the secret of ${owner.receiver}`, keeping.reading)));
}

/** An owner's secrets, newest first; creates the first one if there is none. */
export async function eventSecrets(owner: SecretOwner, keeping: SecretKeeping): Promise<string[]> {
  const known = await readEventSecrets(owner, keeping);
  if (known !== undefined) return known;
  if (keeping.isDry)
    throw new Would(`create a secret for ${owner.receiver}, profile ${owner.profile}, ${owner.mode} mode`);
  const key = await kept(owner, keeping);
  // If two processes start at once, they share one secret: that of the first to write it.
  await keeping.store.update((now) => (secretIn(now, owner) ? now : withSecret(now, owner, { key })));
  return (await readEventSecrets(owner, keeping)) ?? [];
}

/** Creates a new secret; the previous one also signs until a moment (unix seconds). Returns them, newest first. */
export async function rotateEventSecret(owner: SecretOwner, until: number, keeping: SecretKeeping): Promise<string[]> {
  if (keeping.isDry)
    throw new Would(`create a new secret for ${owner.receiver}, profile ${owner.profile}, ${owner.mode} mode`);
  const key = await kept(owner, keeping);
  await keeping.store.update((now) => {
    const former = secretIn(now, owner)?.key;
    return withSecret(now, owner, former === undefined ? { key } : { key, former, former_until: until });
  });
  return (await readEventSecrets(owner, keeping)) ?? [];
}

/** The configuration with the secrets of a profile under another name, or without them. */
export function withMovedSecrets(configuration: Configuration, from: string, to: string | undefined): Configuration {
  const { event_secrets: secrets = {}, ...rest } = configuration;
  if (!Object.hasOwn(secrets, from)) return configuration;
  const { [from]: own = {}, ...others } = secrets;
  return { ...rest, event_secrets: to === undefined ? others : { ...others, [to]: own } };
}

/** In the keychain if the profile's own key is there, otherwise in the configuration. */
async function kept(owner: SecretOwner, { store, make }: SecretKeeping): Promise<KeyReference> {
  const { profiles } = store.read();
  const profile = Object.hasOwn(profiles, owner.profile) ? profiles[owner.profile] : undefined;
  const own = owner.mode === 'live' ? profile?.live_key : profile?.test_key;
  if (own?.kind !== 'keychain') return { kind: 'stored', key: make() };
  const { storeInKeychain } = await import('./keychain.js');
  return storeInKeychain(`event secret ${owner.profile} ${owner.mode} ${owner.receiver} ${make().slice(-8)}`, make());
}

const place = ({ mode, receiver }: SecretOwner): string => `${mode} ${receiver}`;

function secretIn({ event_secrets: secrets = {} }: Configuration, owner: SecretOwner): StoredEventSecret | undefined {
  const own = Object.hasOwn(secrets, owner.profile) ? secrets[owner.profile] : undefined;
  return own && Object.hasOwn(own, place(owner)) ? own[place(owner)] : undefined;
}

function withSecret(configuration: Configuration, owner: SecretOwner, secret: StoredEventSecret): Configuration {
  const { event_secrets: secrets = {} } = configuration;
  const own = { ...(Object.hasOwn(secrets, owner.profile) ? secrets[owner.profile] : {}), [place(owner)]: secret };
  return { ...configuration, event_secrets: { ...secrets, [owner.profile]: own } };
}
