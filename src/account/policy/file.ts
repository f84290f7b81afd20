import { lstatSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { local } from '../../base/errors/errors.js';
import { readOwnFile, unlessAbsent } from '../../base/files/read-file.js';
import type { Policy } from './types.js';

/** The location of the rules of a configuration folder. */
export const policyPath = (configDir: string): string => join(configDir, 'policy.yaml');

/**
 * The text of the policy; undefined where there is none.
 * @throws CopsError local (11) for one that cannot be read, or stands in a file of another ending: no write passes then
 */
export function policyText(configDir: string): string | undefined {
  const path = policyPath(configDir);
  // This runs before each write: without journals it must cost only one look at the folder.
  const names = namesIn(configDir).filter((name) => LIKE_ITS_NAME.test(name));
  if (names.length === 0) return undefined;
  // Rules that somebody wrote must apply, or nothing is written: a wrong file name never makes them ignored.
  const other = misnamed(configDir, path, names);
  if (other !== undefined) {
    const hint = `Nothing is written until then. Move the rules into ${path}, or move the other file away.`;
    throw local(`${join(configDir, other)} has rules that are not read: the file must be named policy.yaml.`, hint);
  }
  try {
    return readOwnFile(path)?.toString('utf8');
  } catch (cause) {
    throw local(
      `${path} cannot be read: ${(cause as Error).message}`,
      'Nothing is written until it is readable.',
      cause,
    );
  }
}

/** The first of the names whose rules are not read. */
function misnamed(configDir: string, path: string, names: readonly string[]): string | undefined {
  const own = lstatSync(path, { throwIfNoEntry: false });
  return names.find((name) => {
    if (name === basename(path)) return false;
    // On a case-insensitive file system, another spelling means the same file.
    const facts = lstatSync(join(configDir, name), { throwIfNoEntry: false });
    return facts !== undefined && (facts.ino !== own?.ino || facts.dev !== own.dev);
  });
}

const LIKE_ITS_NAME = /^policy(?:\.(?:ya?ml|json|txt))*$/i;

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    return unlessAbsent(error as NodeJS.ErrnoException) ?? [];
  }
}

/**
 * Reads the policy again whenever its text has changed: rules apply as soon as they are written. Writes judged in one
 * turn of the event loop share one look.
 */
export class PolicyFile {
  #text: string | undefined;
  #policy: Promise<Policy> | undefined;
  #isFresh = false;

  constructor(private readonly configDir: string) {}

  async #parsed(text: string): Promise<Policy> {
    const { parsePolicy } = await import('./parse.js');
    return parsePolicy(text, policyPath(this.configDir));
  }

  /**
   * @returns undefined where no policy was made
   * @throws CopsError local (11) for one that cannot be read
   */
  async current(): Promise<Policy | undefined> {
    if (this.#isFresh) return this.#policy;
    const text = policyText(this.configDir);
    if (text !== this.#text) {
      this.#policy = text === undefined ? undefined : this.#parsed(text);
      this.#text = text;
    }
    this.#isFresh = true;
    setImmediate(() => {
      this.#isFresh = false;
    });
    return this.#policy;
  }
}
