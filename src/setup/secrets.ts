import { isAbsolute, join } from 'node:path';
import { CommandFailure, type CommandReading, outputOf } from '../account/profiles/command.js';
import { local, usage } from '../base/errors/errors.js';
import { readGivenFile } from '../base/files/read-file.js';
import { isObject, type Tree } from '../items/json/tree.js';
import type { Context } from '../session/context/context.js';
import { isSecretVariable, onlyVariable } from './variables.js';

/** What reading a secret needs of the outside; commands end by `--timeout` and with the signal. */
export interface SecretSources extends CommandReading {
  /** Relative files are looked for here. */
  readonly folder: string;
}

/** The sources that a command of cops reads secrets from. */
export function secretSources({ world, configDir, options }: Context, folder: string): SecretSources {
  return {
    env: world.env,
    configDir,
    folder,
    signal: world.interrupted,
    commandTimeoutMs: options.timeout * 1000,
    hasTerminal: world.stdin.isTTY === true,
  };
}

/** The value of a secret of the environment; undefined for every other kind, and where it is not set. */
export function secretFromEnv(text: string, env: SecretSources['env']): string | undefined {
  const variable = onlyVariable(text);
  return variable?.kind === 'secret.env' ? env[variable.name] || undefined : undefined;
}

/**
 * Reads the secret that a text names.
 * @throws CopsError usage (2) when it is not set or empty, local (11) when file or command fail; never with the value
 */
export async function readSecret(text: string, sources: SecretSources): Promise<string> {
  const variable = onlyVariable(text);
  if (!variable) throw usage(`${text} names no secret.`);
  const { kind, name } = variable;
  if (kind === 'secret.env') {
    const value = sources.env[name];
    if (!value) throw usage(`The secret \${secret.env:${name}} is not set: nothing of this object was sent.`);
    return value;
  }
  const value = (
    kind === 'secret.cmd' ? await fromCommand(name, sources) : await fromFile(name, sources.folder)
  ).replace(/\r?\n$/, '');
  if (value === '') throw usage(`The secret \${${kind}:${name}} is empty: nothing of this object was sent.`);
  return value;
}

async function fromFile(name: string, folder: string): Promise<string> {
  const path = isAbsolute(name) ? name : join(folder, name);
  try {
    return (await readGivenFile(path)).toString('utf8');
  } catch (error) {
    throw local(`cannot read the secret in ${path}: ${(error as NodeJS.ErrnoException).code ?? 'it failed'}`);
  }
}

async function fromCommand(command: string, sources: SecretSources): Promise<string> {
  try {
    return await outputOf(command, sources, { bytes: 1 << 20, what: 'a secret' });
  } catch (error) {
    // What it wrote is not repeated: it may hold the secret.
    if (error instanceof CommandFailure) throw local(`the command of a secret ${error.message}: ${command}`);
    throw error;
  }
}

/** The tree with its secrets read. */
export async function withSecrets(tree: Tree, read: (text: string) => Promise<string>): Promise<Tree> {
  if (isSecretVariable(tree)) return read(tree);
  if (Array.isArray(tree)) return Promise.all(tree.map((one) => withSecrets(one, read)));
  if (!isObject(tree)) return tree;
  const members = await Promise.all(
    Object.entries(tree).map(async ([name, value]): Promise<[string, Tree]> => [name, await withSecrets(value, read)]),
  );
  return Object.fromEntries(members);
}
