import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { local } from '../../base/errors/errors.js';
import { parsePolicy } from './parse.js';
import type { Policy } from './types.js';

/** Where the rules of this machine are. */
export function policyPath(configDir: string): string {
  return join(configDir, 'policy.yaml');
}

/** The text of the policy; undefined where there is none. */
export function policyText(configDir: string): string | undefined {
  try {
    // Asked before each write: that there is none is told sooner without an error.
    if (!statSync(policyPath(configDir), { throwIfNoEntry: false })) return undefined;
    return readFileSync(policyPath(configDir), 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw local(
      `${policyPath(configDir)} cannot be read: ${(cause as Error).message}`,
      'Nothing is written until it can be read.',
      cause,
    );
  }
}

/**
 * Reads the policy again whenever its text changed: rules hold from the moment that they stand. Writes that are judged in
 * one turn of the event loop share a look at it.
 */
export class PolicyFile {
  #text: string | undefined;
  #policy: Promise<Policy> | undefined;
  #isFresh = false;

  constructor(private readonly configDir: string) {}

  /**
   * @returns undefined where no policy was made
   * @throws CopsError local (11) for one that cannot be read
   */
  async current(): Promise<Policy | undefined> {
    if (this.#isFresh) return this.#policy;
    const text = policyText(this.configDir);
    if (text !== this.#text) {
      this.#policy = text === undefined ? undefined : parsePolicy(text, policyPath(this.configDir));
      this.#text = text;
    }
    this.#isFresh = true;
    setImmediate(() => {
      this.#isFresh = false;
    });
    return this.#policy;
  }
}
