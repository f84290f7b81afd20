import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import sha256 from 'fast-sha256';
import { CopsError, usage, wrongOption } from '../../base/errors/errors.js';
import { NoFile, readGivenFile } from '../../base/files/read-file.js';
import { cops, say } from '../../base/text/command-line.js';
import { looksLikeId } from '../../catalogue/value-formats.js';
import { SANDBOX_LIVE_KEY, SANDBOX_TEST_KEY } from '../../sandbox/serve/embedded-keys.js';
import { runKeyCommand } from './command.js';
import { fileFault, noKey } from './faults.js';
import type { KeyReading, KeyReference } from './types.js';

/** Longest key accepted: longer input is the wrong file. */
const LONGEST_KEY = 4096;
/** Length of the shortest key that may have four characters shown. */
const SHORTEST_SHOWN = 8;

/**
 * Names a key in proofs, history and journals; the key cannot be found from it. Every line with a key needs this one
 * hash, and loading Node's cryptography for it would take a seventh of a start.
 */
export const fingerprint = (key: string): string =>
  Buffer.from(sha256(Buffer.from(`cops key\n${key}`))).toString('hex', 0, 16);

/** `****` and the last four characters; nothing of a key so short that four would reveal it. */
export const maskKey = (key: string): string => (key.length >= SHORTEST_SHOWN ? `****${key.slice(-4)}` : '****');

/** A key without surrounding white space. @throws CopsError `usage` naming `source`, never the key. */
export function checkKey(text: string, source: string): string {
  const key = text.replace(/^\uFEFF/, '').trim();
  if (key === '') throw usage(`The key from ${source} is empty.`);
  if (key.length > LONGEST_KEY)
    throw usage(`The text from ${source} is too long to be a key (${key.length} characters).`);
  if (/[\r\n]/.test(key)) throw usage(`The text from ${source} has several lines; a key is one word.`);
  if (!/^[\x21-\x7e]+$/.test(key))
    throw usage(`The key from ${source} contains spaces, control characters or letters outside ASCII.`);
  return key;
}

/** How a reference is read: the parts that touch the outside. */
export interface ReferenceInput {
  readonly cwd: string;
  /** All of standard input, once. */
  readStdin(): Promise<string>;
}

/**
 * A key reference as it is written on the command line: `env:NAME`, `@file`, `-`, `cmd:<command line>`. What `-` gives
 * is read now and stored, and so is what a pipe gives (`@<(...)`), which is there once; the others are read at each use.
 * @param option name of the option, for messages
 * @throws CopsError `usage` for a literal key, which is never repeated in the message
 */
export async function readReference(text: string, option: string, input: ReferenceInput): Promise<KeyReference> {
  if (text === '-') return { kind: 'stored', key: checkKey(await input.readStdin(), 'standard input') };
  if (text.startsWith('@')) {
    const name = text.slice(1);
    if (name === '') throw wrongOption(option, `@ needs the name of a file.`);
    // The shell does not expand ~ after an @.
    const path = name.startsWith('~/') ? join(homedir(), name.slice(2)) : resolve(input.cwd, name);
    const key = await readKeyFile(path, option);
    return statSync(path).isFile() ? { kind: 'file', path } : { kind: 'stored', key };
  }
  if (text.startsWith('env:')) {
    const name = text.slice(4);
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) throw wrongOption(option, `env: needs the name of a variable.`);
    return { kind: 'env', name };
  }
  if (text.startsWith('cmd:')) {
    const command = text.slice(4).trim();
    if (command === '') throw wrongOption(option, `cmd: needs a command line.`);
    if (command.includes('\0')) throw wrongOption(option, `the command line contains a NUL character.`);
    return { kind: 'command', command };
  }
  if (text === '') throw usage(`${option} is empty.`, REFERENCE_HINT);
  throw wrongOption(
    option,
    `a key must not be on the command line, where every process of this machine can read it and the ` +
      'shell stores it in its history.',
    REFERENCE_HINT,
  );
}

const REFERENCE_HINT =
  'Give the place of the key: env:NAME, @file, - (standard input) or cmd:<command line>; or use `cops login`, which asks.';

async function readKeyFile(path: string, option: string): Promise<string> {
  try {
    return checkKey((await readGivenFile(path)).toString('utf8', 0, LONGEST_KEY + 64), path);
  } catch (error) {
    if (error instanceof NoFile) throw wrongOption(option, `${path} cannot be read: ${error.message}.`);
    throw fileFault(`${option}: the file with the key cannot be read`, path, error);
  }
}

/**
 * Stops a command that an untrusted plugin started, so that the plugin cannot get at stored keys through us. `cops NAME`
 * sets the variable.
 * @throws CopsError `stopped`
 */
export function checkTrusted({ COPS_PLUGIN: plugin }: KeyReading['env'], but: string): void {
  if (plugin)
    throw new CopsError('stopped', `The plugin ${plugin} is not in plugins.trusted: ${but}.`, {
      hint: say`To trust it with keys, a person runs \`${cops`config set plugins.trusted ${plugin}`}\`.`,
    });
}

/**
 * The key behind a reference, checked.
 * @param owner `the test key of profile acme`, for messages
 * @throws CopsError `not_authorised` (exit code 3) when there is no key behind it
 */
export async function readKey(reference: KeyReference, owner: string, reading: KeyReading): Promise<string> {
  checkTrusted(reading.env, `it does not get ${owner}`);
  switch (reference.kind) {
    case 'stored':
      return noKeyOnUsage(() => checkKey(reference.key, owner));
    case 'env': {
      const value = reading.env[reference.name];
      if (value === undefined || value.trim() === '')
        throw noKey(`${reference.name}, where ${owner} is read from, is not set.`);
      return noKeyOnUsage(() => checkKey(value, reference.name));
    }
    case 'file':
      return readKeyFile(reference.path, owner).catch((error: unknown) => {
        throw error instanceof CopsError ? noKey(error.message) : error;
      });
    case 'command': {
      const output = await runKeyCommand(reference.command, owner, reading);
      return noKeyOnUsage(() => checkKey(output, `the command for ${owner}`));
    }
    case 'keychain': {
      const read = reading.keychain ?? (await import('./keychain.js')).readFromKeychain;
      const value = await read(reference.account);
      return noKeyOnUsage(() => checkKey(value, `the keychain entry of ${owner}`));
    }
  }
}

/** A stored reference, described without revealing anything. */
export function describeReference(reference: KeyReference): string {
  switch (reference.kind) {
    case 'stored':
      return `stored ${maskKey(reference.key)}`;
    case 'env':
      return `env:${reference.name}`;
    case 'file':
      return `@${reference.path}`;
    case 'command':
      return `cmd:${programOf(reference.command)} …`;
    case 'keychain':
      return 'keychain';
  }
}

/** The program of a command line; the rest may hold secrets and is not shown. */
function programOf(command: string): string {
  const word = command.trim().split(/\s/, 1)[0] ?? '';
  return /^[\w./+-]{1,40}$/.test(word) && command.trim() !== word ? word : '';
}

/** A bad key when used counts as a missing key (exit code 3), not as a mistake on this command line. */
function noKeyOnUsage(make: () => string): string {
  try {
    return make();
  } catch (error) {
    throw error instanceof CopsError ? noKey(error.message) : error;
  }
}

/** No key is shorter, and few words on a line are this long. */
const SHORTEST = 16;
/** How keys of such services usually look. */
const LIKE_A_KEY = /^(?:sk|pk|rk|whsec|api|key|secret|token)[_-](?:key[_-])?(?:(?:live|test)[_-])?[A-Za-z0-9_-]{16,}$/i;

/** The stored profiles with their keys. */
interface FiledKeys {
  read(): {
    readonly profiles: Readonly<Record<string, { readonly test_key?: KeyReference; readonly live_key?: KeyReference }>>;
  };
}

/**
 * The API key on a line: a stored key, or the one in the environment, in any word; in search terms, also anything that
 * looks like a key.
 */
export function typedKey(
  words: readonly string[],
  terms: readonly string[],
  { store, env }: { readonly store: FiledKeys; readonly env: Readonly<Record<string, string | undefined>> },
): string | undefined {
  const long = words.filter((word) => word.length >= SHORTEST && !looksLikeId(word) && !word.includes('@'));
  if (long.length === 0) return undefined;
  const known = [SANDBOX_TEST_KEY, SANDBOX_LIVE_KEY, env.COPS_API_KEY?.trim() ?? '', ...filedKeys(store, env)];
  const isTyped = (key: string): boolean => key.length >= SHORTEST && long.some((word) => word.includes(key));
  return known.find(isTyped) ?? terms.find((term) => LIKE_A_KEY.test(term.trim()));
}

function filedKeys(store: FiledKeys, env: Readonly<Record<string, string | undefined>>): string[] {
  try {
    return Object.values(store.read().profiles).flatMap((profile) =>
      [profile.test_key, profile.live_key].flatMap((reference) => keyBehind(reference, env)),
    );
  } catch {
    // Whatever needs a damaged file reports it.
    return [];
  }
}

function keyBehind(reference: KeyReference | undefined, env: Readonly<Record<string, string | undefined>>): string[] {
  if (reference?.kind === 'stored') return [reference.key];
  return reference?.kind === 'env' ? [env[reference.name]?.trim() ?? ''] : [];
}
