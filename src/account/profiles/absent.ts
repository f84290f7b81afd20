import { CopsError } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import { noKey } from './faults.js';
import type { Profile } from './types.js';

const ABSENT = 'There is no key: no profile and no COPS_API_KEY.';

/** There is neither a profile nor a key (exit code 3). */
export function noProfile(): CopsError {
  return noKey(
    ABSENT,
    say`\`${cops`login`}\` sets up a profile; \`-p sandbox\` works without one, on a service inside this program.`,
  );
}

/** The profile in use; undefined where there is none at all: what only reads files of this machine needs none. */
export async function profileIfAny(context: { profile(): Promise<Profile> }): Promise<Profile | undefined> {
  try {
    return await context.profile();
  } catch (error) {
    if (error instanceof CopsError && error.message === ABSENT) return undefined;
    throw error;
  }
}
