import type { Context } from '../../session/context/context.js';
import { openToRead } from './mirror.js';
import { ownerIfAny } from './own-mirror.js';

/** Reads a mirror of the profile in use, which is closed behind it. */
export async function readMirror<T>(
  context: Context,
  file: string,
  read: (mirror: Awaited<ReturnType<typeof openToRead>>) => T | Promise<T>,
): Promise<T> {
  const mirror = await openToRead(file, await ownerIfAny(context));
  try {
    return await read(mirror);
  } finally {
    mirror.database.close();
  }
}
