import { FROM_ENVIRONMENT } from './names.js';
import type { Sourced } from './types.js';

/** What decides which profile a line means (command line, section 3). */
export interface ProfileChoice {
  /** `--profile` of the line. */
  readonly flag: string | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly current: string | undefined;
  /** The names of the stored profiles, without the built-in one. */
  readonly names: readonly string[];
  /** Where the current profile is said. */
  readonly path?: string | undefined;
}

/** The name of the profile that a line means, unchecked; undefined where several are there, or none and no key. */
export function chooseName({ flag, env, current, names, path }: ProfileChoice): Sourced<string> | undefined {
  if (flag !== undefined) return { value: flag, source: 'flag --profile' };
  const variable = env.COPS_PROFILE?.trim();
  if (variable) return { value: variable, source: 'COPS_PROFILE' };
  if (current !== undefined) return { value: current, source: `current profile in ${path}` };
  const [only] = names;
  if (names.length === 1 && only !== undefined) return { value: only, source: 'the only profile' };
  return env.COPS_API_KEY?.trim() ? { value: FROM_ENVIRONMENT, source: 'COPS_API_KEY' } : undefined;
}
