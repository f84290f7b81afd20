import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isSecretName } from '../../items/secrets/secret-fields.js';

type Env = Readonly<Record<string, string | undefined>>;

/** Shortest key that is looked for in the values of variables. */
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

/** Tells which variables of the environment hold API keys of ours, or passwords in variables of cops. */
export function keyVariables(env: Env, configDir: string | undefined): (name: string) => boolean {
  const { names, keys } = referred(configDir);
  for (const name of ['COPS_API_KEY', ...names]) {
    const value = env[name]?.trim();
    if (value !== undefined) keys.add(value);
  }
  const wanted = [...keys].filter((key) => key.length >= SHORTEST_KEY);
  return (name) => {
    if (name === 'COPS_API_KEY' || names.has(name)) return true;
    const value = env[name] ?? '';
    if (name.startsWith('COPS_') && (isSecretName(name) || /^[a-z]+:\/\/[^/@]*:[^/@]*@/i.test(value))) return true;
    return wanted.some((key) => value.includes(key));
  };
}

/** What the profiles say of keys: variables that hold them, and keys that are filed. A damaged file says nothing. */
function referred(configDir: string | undefined): { readonly names: Set<string>; readonly keys: Set<string> } {
  const names = new Set<string>();
  const keys = new Set<string>();
  const look = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { kind, name, key } = value as Readonly<Record<string, unknown>>;
    if (kind === 'env' && typeof name === 'string') names.add(name);
    if (kind === 'stored' && typeof key === 'string') keys.add(key);
    for (const member of Object.values(value)) look(member);
  };
  try {
    if (configDir !== undefined)
      look(JSON.parse(readFileSync(join(configDir, 'config.json'), 'utf8').replace(/^\ufeff/, '')));
  } catch {
    // Told by the commands that need it.
  }
  return { names, keys };
}
