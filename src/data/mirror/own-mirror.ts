import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { profileIfAny } from '../../account/profiles/faults.js';
import { replaceFile } from '../../base/files/replace-file.js';
import type { Context } from '../../session/context/context.js';
import { type Owner, openToRead } from './mirror.js';

/** Where the mirror of the profile in use is kept when no file is named: one for each profile and mode. */
export async function ownMirror(context: Context): Promise<string> {
  const { name, mode } = await context.profile();
  return join(context.dataDir, 'mirrors', `${encodeURIComponent(name.value)}-${mode.value}.sqlite`);
}

/** Whose data a mirror of the profile in use holds. */
export async function mirrorOwner(context: Context): Promise<Owner> {
  const { baseUrl, fingerprint, mode } = await context.profile();
  return { service: baseUrl.value, account: fingerprint, mode: mode.value };
}

/** The same, to read a file that was named: undefined where there is no profile, which a look at a file needs none of. */
export async function ownerIfAny(context: Context): Promise<Owner | undefined> {
  return (await profileIfAny(context)) && mirrorOwner(context);
}

/** Where is kept which file the profile in use was synced into last, where that was not its own mirror. */
const lastFile = async (context: Context): Promise<string> => (await ownMirror(context)).replace(/\.sqlite$/, '.last');

/** Remembers a whole mirror by its path, for questions that name none. */
export async function rememberMirror(context: Context, file: string): Promise<void> {
  if (file !== (await ownMirror(context))) await replaceFile(await lastFile(context), `${file}\n`);
}

/** The file that the profile in use was synced into last beside its own mirror; undefined where there was none. */
export async function lastMirror(context: Context): Promise<string | undefined> {
  try {
    return (await readFile(await lastFile(context), 'utf8')).trim() || undefined;
  } catch {
    // What cannot be read is not known: the question for a mirror is asked as ever.
    return undefined;
  }
}

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
