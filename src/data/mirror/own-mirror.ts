import { join } from 'node:path';
import { accountRecords } from '../../account/account-records.js';
import { EVENTS_RESEND } from '../../account/history/entries.js';
import { profileIfAny } from '../../account/profiles/faults.js';
import { readOwnText } from '../../base/files/read-file.js';
import { replaceFile } from '../../base/files/replace-file.js';
import { isPostgresAddress, typedPath } from '../../base/files/typed-path.js';
import { cops, say } from '../../base/text/command-line.js';
import { before, parseSpan } from '../../base/time/spans.js';
import { DAY, isoTime } from '../../base/time/units.js';
import type { Context } from '../../session/context/context.js';
import { DEFAULTS } from '../../session/context/spec.js';
import { zoneInUse } from '../../session/context/typed-words.js';
import { mirrorOwner, type Owner, openToRead } from './mirror.js';
import type { TeamReplica } from './team/team-replica.js';

/** The mirror of the profile in use if no file is named: one for each profile and mode. */
export async function ownMirror(context: Context): Promise<string> {
  const { name, mode } = await context.profile();
  return join(context.dataDir, 'mirrors', `${encodeURIComponent(name.value)}-${mode.value}.sqlite`);
}

/** The same for reading a named file: undefined without a profile, because reading a file needs none. */
export async function ownerIfAny(context: Context): Promise<Owner | undefined> {
  return (await profileIfAny(context)) && mirrorOwner(context);
}

/** Records which file the profile in use was last synced into, unless it was its own mirror. */
const lastFile = async (context: Context): Promise<string> => (await ownMirror(context)).replace(/\.sqlite$/, '.last');

/** Remembers a complete mirror by its path, for questions that name none. */
export async function rememberMirror(context: Context, file: string): Promise<void> {
  if (file !== (await ownMirror(context))) await replaceFile(await lastFile(context), `${file}\n`);
}

/** The file other than its own mirror that the profile in use was last synced into; undefined if there is none. */
export async function lastMirror(context: Context): Promise<string | undefined> {
  try {
    return readOwnText(await lastFile(context)).trim() || undefined;
  } catch {
    // An unreadable record counts as unknown: the command asks about a mirror as usual.
    return undefined;
  }
}

/** The address of the team's mirror that the profile in use reads and writes; undefined if it has its own. */
async function teamAddress(context: Context): Promise<string | undefined> {
  const setting = (await profileIfAny(context))?.mirror.value;
  return setting !== undefined && isPostgresAddress(setting) ? setting : undefined;
}

/** The same, with the location of its replica. */
export async function teamInUse(context: Context): Promise<TeamReplica | undefined> {
  const address = await teamAddress(context);
  if (address === undefined) return undefined;
  const { replicaOf } = await import('./team/team-replica.js');
  return replicaOf(context, address, 'the setting mirror');
}

/**
 * Says whether the team's mirror in use answers, and as of when; undefined if none is in use.
 * @throws CopsError as for its replica
 */
export async function teamStanding(context: Context): Promise<string | undefined> {
  const team = await teamInUse(context);
  return team && (await import('./team/team-replica.js')).standingAt(context, team);
}

/**
 * The file of the mirror named by `--mirror`, else by the profile's setting. For a team's mirror, its replica on this
 * machine, brought up to date first. Undefined if none is named.
 */
export async function namedMirror(context: Context, named: string | undefined): Promise<string | undefined> {
  const given = named ?? (await teamAddress(context));
  if (given === undefined) return undefined;
  if (!isPostgresAddress(given)) return typedPath(context.world, given);
  const { followedReplica } = await import('./team/team-replica.js');
  return followedReplica(context, given, named === undefined ? 'the setting mirror' : '--mirror');
}

/** The same mirror's name for a dry run; undefined if none is named. */
export async function nameOfMirror(context: Context, named: string | undefined): Promise<string | undefined> {
  const given = named ?? (await teamAddress(context));
  return given === undefined || isPostgresAddress(given) ? given : typedPath(context.world, given);
}

/** Reads a mirror of the profile in use and closes it. */
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

/** Writes that changed nothing. */
const IDLE: ReadonlySet<string> = new Set(['refused', 'rate_limited', 'not_sent']);

/** The writes with the profile or its key that ended after a moment, newest first; unix seconds of the service's clock. */
export async function* ownWrites(
  context: Context,
  since: number,
): AsyncGenerator<{ readonly ids: readonly string[]; readonly ended: number }> {
  const { name, fingerprint, mode } = await context.profile();
  const ahead = ((await context.now()) - context.world.now()) / 1000;
  for await (const entry of (await accountRecords(context).history()).list()) {
    // A write that began long before it ended is at most one row of a bulk run.
    if (Date.parse(entry.time) / 1000 + ahead < since - DAY) break;
    const isOwn = entry.credential === fingerprint || (entry.profile === name.value && entry.mode === mode.value);
    const ended = Date.parse(entry.finished ?? entry.time) / 1000 + ahead;
    if (isOwn && !IDLE.has(entry.outcome) && entry.operation !== EVENTS_RESEND && ended >= since)
      yield { ids: entry.ids, ended };
  }
}

/** How recent an answer from a mirror must be, unix seconds. */
export interface Freshness {
  /** The start of `--max-age`. */
  readonly oldest: number;
  /** Later than the last write with this profile or its key, if that is more recent; else 0. */
  readonly written: number;
}

export async function freshnessOf(context: Context, maxAge: string | undefined): Promise<Freshness> {
  const now = Math.floor((await context.now()) / 1000);
  const oldest = before(now, parseSpan(maxAge ?? DEFAULTS.mirrorAge, '--max-age'), await zoneInUse(context));
  const { embedded } = await context.profile();
  const changed = (embedded && (await context.transport()).changed?.()) || -1;
  return { oldest, written: Math.max(changed + 1, await writtenAfter(context, oldest)) };
}

/** A moment after the last write since another one; 0 if there is none. */
async function writtenAfter(context: Context, since: number): Promise<number> {
  let last = 0;
  for await (const { ended } of ownWrites(context, since)) last = Math.max(last, Math.ceil(ended) + 1);
  return last;
}

/** Warns that an answer from a mirror last read at this time, unix seconds, lacks later writes of our own. */
export async function warnOfWrites(context: Context, readAt: number, file?: string): Promise<void> {
  if ((await profileIfAny(context)) === undefined) return;
  const written = await writtenAfter(context, readAt);
  if (written === 0) return;
  const line = cops`sync ${file === undefined ? [] : [file]}`.in(context.options.profile, context.options.mode);
  context.notes.warn(
    say`The mirror was last read ${isoTime(readAt)}, before the last write from here: the answer may lack it. To bring it up to date: ${line}`,
  );
}
