import { isAbsolute, join } from 'node:path';
import { CommandFailure, type CommandReading, outputOf } from '../account/profiles/command.js';
import { local, usage } from '../base/errors/errors.js';
import { readGivenFile } from '../base/files/read-file.js';
import { isObject, type Tree } from '../items/json/tree.js';
import type { Context } from '../session/context/context.js';
import { keyReading } from '../session/context/key-input.js';

/** What is between `${` and `}`: the kind, and the name, path or command after it. */
export interface Variable {
  readonly kind: 'env' | 'var' | 'secret.env' | 'secret.file' | 'secret.cmd';
  readonly name: string;
}

const KINDS = 'env|var|secret\\.env|secret\\.file|secret\\.cmd';
const VARIABLE = /(\$?)\$\{(?:(env|var)\.([A-Za-z_][A-Za-z0-9_.-]*)|(secret\.(?:env|file|cmd)):([^{}]+))\}/g;
const LOOKS_LIKE = new RegExp(`\\$\\{(?=(?:${KINDS})[.:])`, 'g');

/** Doubles the dollars of texts that would be read as variables, so that they stay as they are. */
export function escaped(text: string): string {
  return text.replace(LOOKS_LIKE, '$$${');
}

/** The variable that makes up a whole text, if it is one. */
export function onlyVariable(text: string): Variable | undefined {
  const [match] = text.matchAll(VARIABLE);
  return match && match[0] === text && match[1] === '' ? variableOf(match) : undefined;
}

/** True for a text that names a secret, which is read only when it is sent. */
export function isSecretVariable(value: unknown): value is string {
  return typeof value === 'string' && onlyVariable(value)?.kind.startsWith('secret.') === true;
}

/** The secrets that a tree names, as written. */
export function secretsIn(value: Tree): readonly string[] {
  if (isSecretVariable(value)) return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap((member) => secretsIn(member as Tree));
}

/**
 * The text with its variables replaced. A secret in it stays as it is: it is read when it is sent.
 * @param lookUp the value of a variable; undefined when it is not set
 * @param unset called for every variable without a value
 */
export function substituted(
  text: string,
  lookUp: (variable: Variable) => string | undefined,
  unset: (variable: Variable) => void,
): string {
  if (!text.includes('${')) return text;
  return text.replace(VARIABLE, (whole: string, dollar: string, kind, name, secret, target) => {
    if (dollar === '$') return whole.slice(1);
    const variable = variableOf([whole, dollar, kind, name, secret, target]);
    if (variable.kind.startsWith('secret.')) return whole;
    const value = lookUp(variable);
    if (value === undefined) unset(variable);
    return value ?? '';
  });
}

function variableOf(match: readonly (string | undefined)[]): Variable {
  const [, , kind, name, secret, target] = match;
  return { kind: (kind ?? secret) as Variable['kind'], name: (name ?? target ?? '').trim() };
}

/** `${env.NAME}` as it is written. */
export function variableText({ kind, name }: Variable): string {
  return kind.startsWith('secret.') ? `\${${kind}:${name}}` : `\${${kind}.${name}}`;
}

/** What reading a secret needs from outside; commands end by `--timeout` and with the signal. */
export interface SecretSources extends CommandReading {
  /** The base folder of relative files. */
  readonly folder: string;
  /** For a world that only reaches its folders: anything missing from its own environment gets a stand-in. */
  readonly confined?: boolean;
}

/** Replaces a secret where none may be read. */
export const STAND_IN = 'stand-in-for-a-secret';

/** The sources from which a cops command reads secrets. */
export function secretSources(context: Context, folder: string): SecretSources {
  return { ...keyReading(context), folder, confined: context.world.confined !== undefined };
}

/** The value of a secret of the environment; undefined for every other kind, and if it is not set. */
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
  if (sources.confined) return (kind === 'secret.env' && sources.env[name]) || STAND_IN;
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
    // Does not repeat its output, which may contain the secret.
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
