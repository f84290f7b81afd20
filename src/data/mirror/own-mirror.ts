import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { profileIfAny } from '../../account/profiles/faults.js';
import { replaceFile } from '../../base/files/replace-file.js';
import { isPostgresAddress, typedPath } from '../../base/files/typed-path.js';
import type { Context } from '../../session/context/context.js';
import { mirrorOwner, type Owner, openToRead } from './mirror.js';
import type { TeamReplica } from './team/team-replica.js';

/** Where the mirror of the profile in use is kept when no file is named: one for each profile and mode. */
export async function ownMirror(context: Context): Promise<string> {
  const { name, mode } = await context.profile();
  return join(context.dataDir, 'mirrors', `${encodeURIComponent(name.value)}-${mode.value}.sqlite`);
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

/** The address of the team's mirror that the profile in use asks and writes; undefined where it has one of its own. */
async function teamAddress(context: Context): Promise<string | undefined> {
  const setting = (await profileIfAny(context))?.mirror.value;
  return setting !== undefined && isPostgresAddress(setting) ? setting : undefined;
}

/** The same, with where its replica lies. */
export async function teamInUse(context: Context): Promise<TeamReplica | undefined> {
  const address = await teamAddress(context);
  if (address === undefined) return undefined;
  const { replicaOf } = await import('./team/team-replica.js');
  return replicaOf(context, address, 'the setting mirror');
}

/**
 * The file of a mirror that is named by `--mirror`, else by the setting of the profile: of a team's mirror the replica on
 * this machine, once it has followed. Undefined where none is named.
 */
export async function namedMirror(context: Context, named: string | undefined): Promise<string | undefined> {
  const given = named ?? (await teamAddress(context));
  if (given === undefined) return undefined;
  if (!isPostgresAddress(given)) return typedPath(context.world, given);
  const { followedReplica } = await import('./team/team-replica.js');
  return followedReplica(context, given, named === undefined ? 'the setting mirror' : '--mirror');
}

/** What a dry run calls the mirror that is named by either; undefined where none is. */
export async function nameOfMirror(context: Context, named: string | undefined): Promise<string | undefined> {
  const given = named ?? (await teamAddress(context));
  return given === undefined || isPostgresAddress(given) ? given : typedPath(context.world, given);
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
