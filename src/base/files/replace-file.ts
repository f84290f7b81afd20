import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { local } from '../errors/errors.js';

/** Makes a new name in a folder durable; systems that cannot sync a folder do not need it. */
export async function syncFolder(folder: string): Promise<void> {
  try {
    const handle = await open(folder, 'r');
    await handle.sync().finally(() => handle.close());
  } catch {
    // Windows opens no folders, and its file systems journal names by themselves.
  }
}

/**
 * Replaces a file at once: a reader sees the old or the new whole, also after a crash. It is its owner's only. The draft
 * has a name that nobody knows before and is made only where nothing is, so that no planted link is followed.
 * @throws CopsError `local`, or what `fault` makes of the system's error.
 */
export async function replaceFile(path: string, text: string, fault?: (cause: unknown) => Error): Promise<void> {
  const folder = dirname(path);
  const draft = `${path}.${randomBytes(4).toString('hex')}.tmp`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const handle = await open(draft, 'wx', 0o600);
    try {
      await handle.writeFile(text);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, path);
  } catch (cause) {
    await unlink(draft).catch(() => undefined);
    throw fault?.(cause) ?? local(`cannot write ${path}: ${(cause as Error).message}`, undefined, cause);
  }
  await syncFolder(folder);
}
