import { CopsError, local } from '../../base/errors/errors.js';
import { WHY } from '../../base/files/read-file.js';
import { cops, say, type Text } from '../../base/text/command-line.js';
import type { Profile } from './types.js';

/** A failed file operation as a local error (exit code 11): the operation, the reason in words, and the path. */
export function fileFault(what: string, path: string, cause: unknown): CopsError {
  if (cause instanceof CopsError) return cause;
  const { code, message } = cause as NodeJS.ErrnoException;
  return local(`${what}: ${(code && WHY[code]) ?? message}: ${path}`, undefined, cause);
}

/** There is no usable key (exit code 3). */
export const noKey = (message: string, hint?: Text): CopsError =>
  new CopsError('not_authorised', message, hint === undefined ? {} : { hint });

const ABSENT = 'There is no key: no profile and no COPS_API_KEY.';

/** There is neither a profile nor a key (exit code 3). */
export const noProfile = (): CopsError =>
  noKey(
    ABSENT,
    say`\`${cops`login`}\` sets up a profile; \`-p sandbox\` works without one, on a service inside this program.`,
  );

/** The profile in use; undefined if there is none: commands that only read files on this machine need none. */
export async function profileIfAny(context: { profile(): Promise<Profile> }): Promise<Profile | undefined> {
  try {
    return await context.profile();
  } catch (error) {
    if (error instanceof CopsError && error.message === ABSENT) return undefined;
    throw error;
  }
}
