import { execFile } from 'node:child_process';
import { isAbsolute, join } from 'node:path';
import { childEnvironment } from '../account/profiles/child-environment.js';
import { local, usage } from '../base/errors/errors.js';
import { readGivenFile } from '../base/files/read-file.js';
import { isObject, type Tree } from '../items/json/tree.js';
import { isSecretVariable, onlyVariable } from './variables.js';

/** What reading a secret needs of the outside. */
export interface SecretSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Folder of the configuration, which says what a command is not to see. */
  readonly configDir: string;
  /** Relative files are looked for here. */
  readonly folder: string;
}

/** Longest time that a command may take for a secret, milliseconds. */
const COMMAND_MS = 30_000;

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
    kind === 'secret.cmd'
      ? await fromCommand(name, childEnvironment(sources.env, sources.configDir))
      : await fromFile(name, sources.folder)
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

function fromCommand(command: string, env: SecretSources['env']): Promise<string> {
  const shell =
    process.platform === 'win32' ? (['cmd', ['/d', '/s', '/c', command]] as const) : (['sh', ['-c', command]] as const);
  return new Promise((resolve, reject) => {
    execFile(shell[0], [...shell[1]], { timeout: COMMAND_MS, maxBuffer: 1 << 20, env }, (error, stdout) => {
      // Neither output nor message is repeated: both may hold the secret.
      if (error) reject(local(`the command of a secret failed (${String(error.code ?? error.signal)}): ${command}`));
      else resolve(stdout);
    });
  });
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
