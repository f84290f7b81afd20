import { CopsError, local } from '../errors/errors.js';

const WORDS: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is not a folder',
  EISDIR: 'it is a folder',
  EIO: 'the disk reported an error',
  ELOOP: 'its symbolic links go round in circles',
  ENAMETOOLONG: 'the path is too long',
  EFBIG: 'the file would be too large',
  ENOENT: 'there is no such file or folder',
};

/** A failed file operation as a local fault (exit code 11): what failed, why in words, and the path. */
export function fileFault(what: string, path: string, cause: unknown): CopsError {
  if (cause instanceof CopsError) return cause;
  const { code, message } = cause as NodeJS.ErrnoException;
  return local(`${what}: ${(code && WORDS[code]) ?? message}: ${path}`, undefined, cause);
}

/** There is no usable key (exit code 3). */
export function noKey(message: string, hint?: string): CopsError {
  return new CopsError('not_authorised', message, hint === undefined ? {} : { hint });
}
