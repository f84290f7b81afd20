import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { profileIfAny } from '../../../account/profiles/faults.js';
import { readKey, readReference } from '../../../account/profiles/keys.js';
import { connectPostgres } from '../../../base/database/postgres.js';
import { type PostgresAddress, parsePostgresAddress, withSchema } from '../../../base/database/postgres-address.js';
import type { Database } from '../../../base/database/types.js';
import { CopsError, closing, local, usage } from '../../../base/errors/errors.js';
import { lock } from '../../../base/files/lock.js';
import { randomUUID } from '../../../base/random.js';
import { cops, say } from '../../../base/text/command-line.js';
import { isoTime } from '../../../base/time/units.js';
import { counted } from '../../../items/text/numbered.js';
import type { Context } from '../../../session/context/context.js';
import { mirrorOwner, type Owner, openToSync, readMirrorFacts, writeFact } from '../mirror.js';
import { followTeam } from './team-follow.js';
import { proveAccount } from './team-proof.js';
import { Shipping } from './team-ship.js';
import {
  checkMaySync,
  checkTeamOwner,
  isKnownKey,
  layTeamMirror,
  readTeamState,
  type TeamPlace,
  type TeamState,
  takeLease,
} from './team-state.js';

/** Where the replica of a team's mirror is on this machine, and the address in a form that may be shown. */
export type TeamReplica = Awaited<ReturnType<typeof replicaOf>>;

/** The replica of the mirror at an address; without a schema, that of the mode in use (`cops_live`). */
export async function replicaOf(context: Context, text: string, named: string) {
  const given = parsePostgresAddress(text, named, context.world.env);
  const profile = await profileIfAny(context);
  const address = given.schema === undefined ? withSchema(given, `cops_${profile?.mode.value ?? 'test'}`) : given;
  const hash = createHash('sha256').update(address.text).digest('hex').slice(0, 16);
  return { file: join(context.dataDir, 'mirrors', `team-${hash}.sqlite`), address };
}

/** Connects to the database of a team's mirror. @throws CopsError usage (2) in a scenario; those of the connection */
export async function connectTeam(
  context: Context,
  address: PostgresAddress,
  signal?: AbortSignal,
): Promise<TeamPlace> {
  if (context.world.confined) throw usage('A scenario cannot use a database.');
  const postgres = await connectPostgres(address, {
    env: context.world.env,
    password: await passwordBehind(context, address),
    signal,
  });
  return { postgres, schema: address.schema as string };
}

async function passwordBehind(context: Context, { passwordFrom }: PostgresAddress): Promise<string | undefined> {
  if (passwordFrom === undefined) return undefined;
  const { world, configDir } = context;
  const reference = await readReference(passwordFrom, 'password-from', { cwd: world.cwd, readStdin: async () => '' });
  return readKey(reference, 'the password of the database', { env: world.env, configDir, signal: world.interrupted });
}

/** The state of the mirror at an address. @throws CopsError local (11) if there is none; stopped (12) if it is another account's */
async function stateOf(place: TeamPlace, owner: Owner | undefined): Promise<TeamState> {
  const { postgres } = place;
  const state = await postgres.transaction((session) => readTeamState(session, place), { snapshot: true });
  const { text } = postgres.address;
  if (!state) throw local(`There is no mirror at ${text}.`, say`Make it: ${cops`sync ${text}`}`);
  if (owner) checkTeamOwner(state, owner, place);
  return state;
}

/** Says whether a team's mirror answers, and as of when. @throws CopsError as for its replica */
export async function standingAt(context: Context, { address }: TeamReplica): Promise<string> {
  const place = await connectTeam(context, address, context.world.interrupted);
  try {
    const { asOf } = await stateOf(place, await mirrorOwner(context));
    return `${address.text} answers: ${asOf === undefined ? 'not complete yet' : `as of ${isoTime(asOf)}`}`;
  } finally {
    await place.postgres.close();
  }
}

/**
 * The replica of a team's mirror, brought up to date; sends no request to the service. If the database does not answer,
 * uses the replica as it is, with a warning.
 */
export async function followedReplica(context: Context, text: string, named: string): Promise<string> {
  const { file, address } = await replicaOf(context, text, named);
  const owner = (await profileIfAny(context)) && (await mirrorOwner(context));
  const held = await lock(file, { waitMs: 30_000, what: `The replica of ${address.text}` });
  try {
    const place = await connectTeam(context, address, context.world.interrupted);
    try {
      const state = await stateOf(place, owner);
      if (owner && !(await isKnownKey(place.postgres, place, owner.account)))
        context.notes.warn(`No sync with this key has proven yet that ${address.text} holds the same account.`, {});
      const account = owner?.account ?? '';
      const { database } = await brought(context, file, place, {
        service: state.service,
        mode: state.mode === 'live' ? 'live' : 'test',
        account,
      });
      database.close();
    } finally {
      await place.postgres.close();
    }
  } catch (error) {
    if (!(error instanceof CopsError) || error.kind !== 'network' || !existsSync(file)) throw error;
    context.notes.warn(`The replica was not brought up to date: ${error.message}`, {});
  } finally {
    await held.release();
  }
  return file;
}

/** Opens the replica and brings it up to date; recreates one that cannot continue. */
async function brought(context: Context, file: string, place: TeamPlace, owner: Owner) {
  const { notes } = context;
  for (;;) {
    const database = await openReplica(file, owner, context.world.version);
    try {
      let read = 0;
      const state = await followTeam(database, place, (items) => {
        read = items;
        notes.progress(`Reading the team's mirror: ${counted(items, 'item')}`);
      });
      notes.progressDone();
      if (state && read > 0) notes.note(`Read ${counted(read, 'item')} of the team's mirror.`);
      if (state) return { database, state };
      database.close();
    } catch (error) {
      notes.progressDone();
      database.close();
      throw error;
    }
    notes.note(`${place.postgres.address.text} is not the same mirror as before: its replica is recreated.`);
    await removeReplica(file);
  }
}

/** The server has everything in a replica, so one of another layout, or one cut short, is recreated. */
async function openReplica(file: string, owner: Owner, tool: string): Promise<Database> {
  try {
    return await openFor(file, owner, tool);
  } catch (error) {
    if (!(error instanceof CopsError) || !['local', 'stopped'].includes(error.kind)) throw error;
    await removeReplica(file);
    return openFor(file, owner, tool);
  }
}

async function openFor(file: string, owner: Owner, tool: string): Promise<Database> {
  if (existsSync(file)) await tellOwner(file, owner, tool);
  return openToSync(file, owner, tool);
}

/** A replica belongs to the account of its mirror, whichever of its keys is used. */
async function tellOwner(file: string, owner: Owner, tool: string): Promise<void> {
  const { openDatabase } = await import('../../../base/database/open.js');
  await closing(await openDatabase({ file, what: 'The replica', journal: 'delete' }), async (database) => {
    const facts = readMirrorFacts(database);
    if (facts && facts.account !== owner.account) writeFact(database, 'account', owner.account);
    if (facts && facts.tool !== tool) writeFact(database, 'tool', tool);
  });
}

async function removeReplica(file: string): Promise<void> {
  for (const end of ['', '-journal', '-wal', '-shm']) await rm(`${file}${end}`, { force: true });
}

/** A replica that is written together with the team's mirror. */
export type TeamSync = Awaited<ReturnType<typeof openTeamSync>>;

/**
 * Opens a team's mirror for writing: creates it if necessary, takes its lease, and brings the replica, whose lock is
 * held, up to date.
 * @throws CopsError `stopped` (12) for the mirror of another service, mode or account; `local` (11) while another sync
 * runs
 */
export async function openTeamSync(context: Context, { file, address }: TeamReplica) {
  const owner = await mirrorOwner(context);
  // A signal ends only the reading: what was read is still written.
  const place = await connectTeam(context, address);
  const close = () => place.postgres.close();
  try {
    checkTeamOwner(await layTeamMirror(place, owner, context.world.version), owner, place);
    await checkMaySync(place);
    await proveAccount(context, place, owner);
    const lease = await takeLease(place, await holderOf(file), async (ms, machine) => {
      context.notes.progress(`Waiting for the sync of ${machine} to end`);
      await context.world.sleep(ms, context.world.interrupted);
    });
    try {
      const { database, state } = await brought(context, file, place, owner);
      const now = Math.floor((await context.now()) / 1000);
      const shipping = new Shipping(place, database, lease, state.change, () => now);
      return {
        database,
        shipping,
        /** Frees everything but the replica. */
        async close() {
          await lease.release();
          await close();
        },
      };
    } catch (error) {
      await lease.release();
      throw error;
    }
  } catch (error) {
    await close();
    throw error;
  }
}

/** Identifies this machine and its replica: whoever holds the replica's lock is its only writer. */
async function holderOf(file: string): Promise<string> {
  const { readOwnText } = await import('../../../base/files/read-file.js');
  const { replaceFile } = await import('../../../base/files/replace-file.js');
  const beside = file.replace(/\.sqlite$/, '.holder');
  const known = existsSync(beside) ? readOwnText(beside).trim() : '';
  if (known !== '') return known;
  const holder = `${hostname().replace(/\s/g, '') || 'machine'} ${randomUUID()}`;
  await replaceFile(beside, `${holder}\n`);
  return holder;
}
