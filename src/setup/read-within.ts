import { readFile, realpath, stat } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';

/** A file of a set-up that is not read, with the reason. */
export class UnfitFile extends Error {
  override readonly name = 'UnfitFile';

  /** @param code of the system, where it said no */
  constructor(
    message: string,
    readonly code?: string,
  ) {
    super(message);
  }
}

/** More than any file of a set-up has. */
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Reads a file of a folder. What leads out of the folder is not read: its content would be sent to the service.
 * @throws UnfitFile for that, for what is no regular file, is too large, or cannot be read
 */
export async function readWithin(root: string, file: string): Promise<Buffer> {
  try {
    const real = await realpath(join(root, file));
    if (!isWithin(await realpath(root), real)) throw new UnfitFile('is a link that leads out of the set-up');
    const facts = await stat(real);
    // A pipe would be waited for without end.
    if (!facts.isFile()) throw new UnfitFile('is no regular file');
    if (facts.size > MAX_BYTES) throw new UnfitFile('is larger than 16 MB');
    return await readFile(real);
  } catch (error) {
    if (error instanceof UnfitFile) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    throw new UnfitFile(`cannot be read (${code ?? message})`, code);
  }
}

/** Whether a path is below a folder; both as the system resolves them. */
export function isWithin(root: string, path: string): boolean {
  const way = relative(root, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}
