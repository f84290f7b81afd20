import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { CopsError, orElse } from '../../base/errors/errors.js';
import { readOwnText } from '../../base/files/read-file.js';
import { cops, say } from '../../base/text/command-line.js';
import { isSecretName } from '../../items/secrets/secret-fields.js';
import { unescaped } from '../../service/http/base-url.js';
import type { KeyReading } from './types.js';

type Env = Readonly<Record<string, string | undefined>>;

/** The shortest key to search for in the values of variables. */
const SHORTEST_KEY = 8;

/**
 * The environment for a program that is started from here (editor, pager, a command for a key): without API keys of ours,
 * wherever the profiles say that they are, and without passwords in our own variables. What other programs need for
 * themselves stays.
 * @param configDir folder of the configuration; undefined where it is not known
 */
export function childEnvironment(env: Env, configDir: string | undefined): Record<string, string | undefined> {
  const isKey = keyVariables(env, configDir);
  return Object.fromEntries(Object.entries(env).filter(([name]) => !isKey(name)));
}

/** Finds the environment variables that hold our API keys, or passwords in variables of cops. */
export function keyVariables(env: Env, configDir: string | undefined): (name: string) => boolean {
  const { names, keys } = known(env, configDir);
  return (name) => {
    if (name === 'COPS_API_KEY' || names.has(name)) return true;
    const value = env[name] ?? '';
    if (name.startsWith('COPS_') && (isSecretName(name) || holdsPassword(value))) return true;
    return keys.some((key) => value.includes(key));
  };
}

/** Whether an address contains a password: in front of the host, or as a parameter. */
function holdsPassword(address: string): boolean {
  if (/^[a-z]+:\/\/[^/@]*:[^/@]*@/i.test(address)) return true;
  return [...address.matchAll(/[?&;\s]([\w%-]+)\s*=/g)].some(([, name = '']) => isSecretName(unescaped(name)));
}

/** Whether a text contains one of our API keys from the environment or the configuration. */
export const holdsKey = (text: string, env: Env, configDir: string | undefined): boolean =>
  known(env, configDir).keys.some((key) => text.includes(key));

function known(env: Env, configDir: string | undefined): { readonly names: Set<string>; readonly keys: string[] } {
  const { names, keys } = referred(configDir);
  for (const [name, value = ''] of Object.entries(env)) if (name.startsWith('COPS_')) addPasswordSource(value, names);
  for (const name of ['COPS_API_KEY', ...names]) {
    const value = env[name]?.trim();
    if (value !== undefined) keys.add(value);
  }
  return { names, keys: [...keys].filter((key) => key.length >= SHORTEST_KEY) };
}

/** The variable that an address of a database names as the source of its password. */
function addPasswordSource(address: string, names: Set<string>): void {
  const [, name] = /[?&]password-from=env(?::|%3a)(\w+)/i.exec(address) ?? [];
  if (name !== undefined) names.add(name);
}

/** What the profiles say about keys and passwords: variables that hold them, and stored keys. A damaged file says nothing. */
function referred(configDir: string | undefined): { readonly names: Set<string>; readonly keys: Set<string> } {
  const names = new Set<string>();
  const keys = new Set<string>();
  const look = (value: unknown): void => {
    if (typeof value === 'string') addPasswordSource(value, names);
    if (typeof value !== 'object' || value === null) return;
    const { kind, name, key } = value as Readonly<Record<string, unknown>>;
    const { client_key: reference } = value as Readonly<Record<string, unknown>>;
    if (typeof reference === 'string' && reference.startsWith('env:')) names.add(reference.slice(4));
    if (kind === 'env' && typeof name === 'string') names.add(name);
    if (kind === 'stored' && typeof key === 'string') keys.add(key);
    for (const member of Object.values(value)) look(member);
  };
  try {
    if (configDir !== undefined) look(JSON.parse(readOwnText(join(configDir, 'config.json')).replace(/^\ufeff/, '')));
  } catch {
    // Reported by the commands that need it.
  }
  return { names, keys };
}

/** A key command may wait for a person (a fingerprint, a passphrase), but not forever. */
const LONGEST_RUN_MS = 60_000;

/** The options for running a shell command. */
export type CommandReading = Pick<KeyReading, 'env' | 'configDir' | 'signal' | 'commandTimeoutMs' | 'hasTerminal'>;

/** Why a command returned nothing; never includes its output. */
export class CommandFailure extends Error {}

/**
 * Runs a key command through the shell and returns what it prints. It gets no standard input: that belongs to
 * the command that needs the key.
 * @throws CopsError `not_authorised` when it fails, prints nothing, or takes too long; the output is never shown
 */
export async function runKeyCommand(command: string, owner: string, reading: KeyReading): Promise<string> {
  try {
    return await outputOf(command, reading, { bytes: 64 * 1024, what: 'a key' });
  } catch (error) {
    if (error instanceof CommandFailure) throw failure(owner, error.message);
    throw error;
  }
}

/**
 * What a command of the shell prints. Once it is stopped, so is all that it has started: it has a process group of its
 * own, but at a terminal, where programs that ask a person need the terminal of this one.
 * @throws CommandFailure when it fails, prints too much, or takes too long; the reason of the signal
 */
export async function outputOf(
  command: string,
  reading: CommandReading,
  most: { readonly bytes: number; readonly what: string },
): Promise<string> {
  reading.signal?.throwIfAborted();
  const limit = reading.commandTimeoutMs ?? LONGEST_RUN_MS;
  const detached = process.platform !== 'win32' && reading.hasTerminal !== true;
  return new Promise((resolve, reject) => {
    const env = childEnvironment(reading.env, reading.configDir);
    const child = spawn(command, { shell: true, stdio: ['ignore', 'pipe', 'ignore'], env, detached });
    const output: Buffer[] = [];
    let size = 0;
    const fail = (why: string) => reject(new CommandFailure(why));
    // Destroying the pipes ends the wait even if a grandchild keeps them open.
    const end = () => {
      clearTimeout(timer);
      reading.signal?.removeEventListener('abort', onAbort);
      child.stdout.destroy();
    };
    const stop = () => {
      if (!detached || !killGroup(child.pid)) child.kill('SIGKILL');
      end();
    };
    const onAbort = () => {
      stop();
      reject(reading.signal?.reason);
    };
    const timer = setTimeout(() => {
      stop();
      fail(`did not answer within ${limit / 1000} seconds and was stopped`);
    }, limit);
    reading.signal?.addEventListener('abort', onAbort, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      output.push(chunk);
      if (size <= most.bytes) return;
      stop();
      fail(`printed far more than ${most.what}`);
    });
    child.on('error', (error) => {
      end();
      fail(`could not be started (${error.message})`);
    });
    child.on('close', (code, signal) => {
      end();
      if (code !== 0) fail(signal === null ? `failed with exit code ${code}` : `was ended by ${signal}`);
      else resolve(Buffer.concat(output).toString('utf8'));
    });
  });
}

/** True if there was such a group. */
function killGroup(leader: number | undefined): boolean {
  if (leader === undefined) return false;
  return orElse(() => process.kill(-leader, 'SIGKILL'), false);
}

/** Repeats nothing that the command wrote, not even errors: they may contain the key, in whatever spelling. */
const failure = (owner: string, why: string): CopsError =>
  new CopsError('not_authorised', `The command for ${owner} ${why}; its output is not shown.`, {
    hint: say`Run the command on its own to see what is wrong; \`${cops`profiles edit <name>`}\` changes it.`,
  });
