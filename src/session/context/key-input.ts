import { checkKey, describeReference, readKey, readReference } from '../../account/profiles/keys.js';
import { SANDBOX, unknownProfile } from '../../account/profiles/profile-names.js';
import { profileNames, resolveDefaults } from '../../account/profiles/resolve.js';
import { SETTINGS } from '../../account/profiles/settings.js';
import { type Configuration, isPrivate, openStore, type Store } from '../../account/profiles/store.js';
import type { KeyReference, StoredProfile } from '../../account/profiles/types.js';
import { usage, Would } from '../../base/errors/errors.js';
import type { Context } from './context.js';

export interface KeyOptions {
  readonly testKey?: string;
  readonly liveKey?: string;
  /** `file` unless given. */
  readonly store?: string;
}

type KeyPlace = 'file' | 'keychain';

/** The keys of a profile, by the setting that holds each. */
export const KEY_FIELDS = ['test_key', 'live_key'] as const;
export type KeyField = (typeof KEY_FIELDS)[number];
export type Keys = { [Field in KeyField]?: KeyReference };

const LARGEST_STDIN = 64 * 1024;

/** The store of this run. */
export const storeOf = (context: Context): Store => openStore(context.configDir, { isDry: context.options.dryRun });

/** How a command reads a key that is kept elsewhere. */
export const keyReading = ({ world, configDir, options }: Context) => ({
  ...{ env: world.env, configDir, signal: world.interrupted, commandTimeoutMs: options.timeout * 1000 },
  hasTerminal: world.stdin.isTTY === true,
});

function keyPlace(options: KeyOptions): KeyPlace {
  const place = options.store ?? 'file';
  if (place !== 'file' && place !== 'keychain') throw usage(`--store must be file or keychain.`);
  return place;
}

/** @throws CopsError `usage` for literal keys, two readers of standard input, bad keys */
export async function readGivenKeys(context: Context, options: KeyOptions): Promise<Readonly<Keys>> {
  if (options.testKey === '-' && options.liveKey === '-')
    throw usage('--test-key and --live-key cannot both be read from standard input.');
  const given: Keys = {};
  const input = { cwd: context.world.cwd, readStdin: () => readStdin(context) };
  const asked = [
    ['test_key', '--test-key', options.testKey],
    ['live_key', '--live-key', options.liveKey],
  ] as const;
  // Refuses a literal key before anything waits for standard input.
  for (const [name, option, text] of asked.toSorted((a, b) => Number(a[2] === '-') - Number(b[2] === '-')))
    if (text !== undefined) given[name] = await readReference(text, option, input);
  for (const reference of Object.values(given)) {
    const missing = reference.kind === 'env' && !context.world.env[reference.name];
    if (missing) context.notes.note(`${reference.name} is not set here now; cops reads it at each use.`);
  }
  return given;
}

/** All of standard input; at a terminal, prompts for it without echo. */
async function readStdin(context: Context): Promise<string> {
  const { stdin } = context.world;
  if (stdin.isTTY) return checkKey(await (await context.prompter()).secret('Key'), 'the terminal');
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin) {
    const bytes = Buffer.from(chunk as Buffer);
    size += bytes.length;
    if (size > LARGEST_STDIN) throw usage('Standard input is too long to be a key.');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The profile stored under a name; empty if there is no such profile. */
export const filedAs = ({ profiles }: Configuration, name: string): StoredProfile =>
  (Object.hasOwn(profiles, name) ? profiles[name] : undefined) ?? {};

/** The stored profile `name`; the sandbox is always there. @throws CopsError `usage` for an unknown one */
export function storedProfile(configuration: Configuration, name: string): StoredProfile {
  if (name === SANDBOX || Object.hasOwn(configuration.profiles, name)) return filedAs(configuration, name);
  throw unknownProfile(name, [...profileNames(configuration), SANDBOX]);
}

/** The configuration with a new state of one profile, or without it. */
export function withProfile(now: Configuration, name: string, stored: StoredProfile | undefined): Configuration {
  const { [name]: _before, ...others } = now.profiles;
  return { ...now, profiles: stored === undefined ? others : { ...now.profiles, [name]: stored } };
}

/** A stored profile for display: keys masked, every field present, null if nothing is stored. */
export function shownProfile(name: string, stored: StoredProfile, current: boolean): Record<string, unknown> {
  const key = (reference: KeyReference | undefined) =>
    name === SANDBOX ? 'built in' : reference === undefined ? null : describeReference(reference);
  const settings = SETTINGS.map((setting) => [setting.name, stored[setting.name] ?? setting.default ?? null]);
  const { base_url, ...others } = Object.fromEntries(settings) as Record<string, unknown>;
  return {
    profile: name,
    current,
    base_url,
    test_key: key(stored.test_key),
    live_key: key(stored.live_key),
    ...others,
  };
}

/** The name of the profile in use, by the usual precedence; reads no key. */
export async function nameInUse(context: Context): Promise<string> {
  const { world, options } = context;
  return resolveDefaults({ store: storeOf(context), options, env: world.env, zone: world.zone }).name.value;
}

/**
 * Stores keys where `--store` says, and lets the configuration name them; says where they are only afterwards. Keys
 * that the configuration does not name in the end are removed from the keychain.
 */
export async function keeping<T>(
  context: Context,
  name: string,
  keys: Keys,
  options: KeyOptions,
  write: (kept: Readonly<Keys>) => Promise<T>,
): Promise<T> {
  const place = keyPlace(options);
  const kept: Keys = {};
  const told: string[] = [];
  try {
    for (const field of KEY_FIELDS) {
      const given = keys[field];
      if (given === undefined) continue;
      const isCopied = place === 'keychain' && given.kind === 'file';
      const reference = isCopied ? ({ kind: 'stored', key: await readKey(given, field, { env: {} }) } as const) : given;
      kept[field] = reference;
      if (place === 'keychain' && reference.kind === 'stored') {
        if (context.options.dryRun)
          throw new Would(`store the ${field.replace('_', ' ')} of profile ${name} in the system's keychain`);
        const { storeInKeychain } = await import('../../account/profiles/keychain.js');
        kept[field] = await storeInKeychain(`${field} ${context.world.uuid()}`, reference.key);
      }
      told.push(storageNote(field, name, reference, place, context.configDir));
    }
    const written = await write(kept);
    for (const text of told) context.notes.note(text);
    return written;
  } catch (error) {
    const made = Object.fromEntries(Object.entries(kept).filter(([field, key]) => key !== keys[field as KeyField]));
    await forgetUnused(context, made, {});
    throw error;
  }
}

function storageNote(
  field: KeyField,
  name: string,
  reference: KeyReference,
  place: KeyOptions['store'],
  folder: string,
): string {
  const what = `The ${field.replace('_', ' ')} of profile ${name}`;
  if (reference.kind !== 'stored')
    return `${what} is not stored: cops reads it at each use (${describeReference(reference)}).`;
  const readers = isPrivate(folder) ? 'which only this user can read' : 'which other users can perhaps read';
  const where = place === 'keychain' ? "the system's keychain" : `${folder}, file config.json, ${readers}`;
  return `${what} (${describeReference(reference).replace('stored ', '')}) is stored in ${where}.`;
}

/** Removes from the keychain what the configuration no longer names. */
export async function forgetUnused(context: Context, before: StoredProfile, after: StoredProfile): Promise<void> {
  const used = [after.test_key, after.live_key].map((key) => (key?.kind === 'keychain' ? key.account : undefined));
  for (const key of [before.test_key, before.live_key]) {
    if (key?.kind !== 'keychain' || used.includes(key.account)) continue;
    const { removeFromKeychain } = await import('../../account/profiles/keychain.js');
    await removeFromKeychain(key.account).catch((error: Error) => {
      context.notes.warn(`The key could not be removed from the system's keychain: ${error.message}`);
    });
  }
}
