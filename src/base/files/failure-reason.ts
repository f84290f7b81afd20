/** For a `catch`: undefined where there is no such file or folder; whatever else it was is thrown on. */
export function unlessAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Why a file operation failed, in words, by the system's code. */
export const WHY: Readonly<Record<string, string>> = {
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is no folder',
  EISDIR: 'it is a folder',
  EMFILE: 'too many open files',
  EIO: 'the disk reported an error',
  ELOOP: 'its symbolic links go round in circles',
  ENAMETOOLONG: 'the path is too long',
  ERR_INVALID_ARG_VALUE: 'its name holds a character that no name has',
  EFBIG: 'the file would be too large',
};
