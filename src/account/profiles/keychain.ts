import { platform } from 'node:os';
import { CopsError, local, orThrow } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import { noKey } from './faults.js';
import type { KeychainEntry, KeychainLibrary } from './keychain-tools.js';
import type { KeyReference } from './types.js';

/** Name under which the system's keychain lists our entries. */
const SERVICE = 'cops';
/** Without this the library falls back to the kernel's keyring, which forgets everything when the machine restarts. */
const STORE = { linux: { store: 'secret-service' } } as const;
/** A keychain may ask the person to unlock it, but not forever. */
const LONGEST_WAIT_MS = 60_000;

/** Loads the library; replaced in tests. */
export type LoadKeychain = () => Promise<KeychainLibrary>;

/** The library if it is installed; an executable has none and uses the system's own tool. */
const loadLibrary: LoadKeychain = async () => {
  try {
    return (await import('@napi-rs/keyring')) as KeychainLibrary;
  } catch (error) {
    const tool = await (await import('./keychain-tools.js')).keychainTool();
    if (tool === undefined) throw error;
    return tool;
  }
};

/** Why the keychain cannot be used on this machine; undefined if it can. Its contents are not read. */
export async function keychainFault(load: LoadKeychain = loadLibrary): Promise<CopsError | undefined> {
  try {
    await open('doctor', load);
    return undefined;
  } catch (error) {
    return error as CopsError;
  }
}

/**
 * Puts a key into the system's keychain and reads it back.
 * @throws CopsError `local` if the library or the keychain is missing; nothing is stored elsewhere then
 */
export async function storeInKeychain(
  account: string,
  key: string,
  load: LoadKeychain = loadLibrary,
  limitMs = LONGEST_WAIT_MS,
): Promise<KeyReference> {
  const entry = await open(account, load);
  await limited('store the key', limitMs, (signal) => entry.setPassword(key, signal));
  const back = await limited('read the key back', limitMs, (signal) => entry.getPassword(signal));
  if (back !== key) throw local("The system's keychain did not store the key.", NOT_STORED);
  return { kind: 'keychain', account };
}

/** Reads a key from the system's keychain. @throws CopsError `not_authorised` if it is not there */
export async function readFromKeychain(
  account: string,
  load: LoadKeychain = loadLibrary,
  limitMs = LONGEST_WAIT_MS,
): Promise<string> {
  const entry = await open(account, load);
  const key = await limited('read the key', limitMs, (signal) => entry.getPassword(signal));
  if (!key) throw noKey("The key is no longer in the system's keychain.", say`Store it again: \`${cops`login`}\`.`);
  return key;
}

/** Removes a key from the system's keychain. */
export async function removeFromKeychain(
  account: string,
  load: LoadKeychain = loadLibrary,
  limitMs = LONGEST_WAIT_MS,
): Promise<void> {
  const entry = await open(account, load);
  await limited('remove the key', limitMs, (signal) => entry.deletePassword(signal));
}

const NOT_STORED = 'Nothing was stored. Leave out --store keychain to store the key in the configuration file.';

async function open(account: string, load: LoadKeychain): Promise<KeychainEntry> {
  const library: KeychainLibrary = await orThrow(load, (error) =>
    local(
      "The system's keychain cannot be used: its library (@napi-rs/keyring) is not installed or does not run here, " +
        'and the system has no tool for it.',
      `${platform() === 'linux' ? 'Install secret-tool (Debian: apt-get install libsecret-tools). ' : ''}` +
        'Or leave out --store keychain to store the key in the configuration file; env:NAME and cmd:<command> work too. ' +
        'Nothing was stored.',
      error,
    ),
  );
  return orThrow(
    () => new library.AsyncEntry(SERVICE, account, STORE),
    (error) => unusable('be opened', error),
  );
}

async function limited<T>(what: string, limitMs: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const control = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(local(`The system's keychain took longer than ${limitMs / 1000} seconds to ${what}.`, NOT_STORED));
      control.abort();
    }, limitMs);
  });
  try {
    return await Promise.race([work(control.signal), tooLong]);
  } catch (error) {
    throw error instanceof CopsError ? error : unusable(what, error);
  } finally {
    clearTimeout(timer);
  }
}

function unusable(what: string, cause: unknown): CopsError {
  const why = cause instanceof Error ? cause.message.replace(/\s+/g, ' ').slice(0, 200) : 'unknown reason';
  return local(`The system's keychain could not ${what}: ${why}`, NOT_STORED, cause);
}
