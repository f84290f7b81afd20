import { CopsError, local } from '../../base/errors/errors.js';
import { WHY } from '../../base/files/failure-reason.js';
import type { Text } from '../../base/text/command-line.js';

/** A failed file operation as a local fault (exit code 11): what failed, why in words, and the path. */
export function fileFault(what: string, path: string, cause: unknown): CopsError {
  if (cause instanceof CopsError) return cause;
  const { code, message } = cause as NodeJS.ErrnoException;
  return local(`${what}: ${(code && WHY[code]) ?? message}: ${path}`, undefined, cause);
}

/** There is no usable key (exit code 3). */
export function noKey(message: string, hint?: Text): CopsError {
  return new CopsError('not_authorised', message, hint === undefined ? {} : { hint });
}
