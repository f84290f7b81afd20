import { accountRecords } from '../../../account/account-records.js';
import { FROM_ENVIRONMENT } from '../../../account/profiles/profile-names.js';
import { resolveLedger } from '../../../account/profiles/resolve.js';
import { checkSetting } from '../../../account/profiles/setting-checks.js';
import type { Sourced, StoredProfile } from '../../../account/profiles/types.js';
import { type LedgerWay, ledgerWay, openTeam } from '../../../account/team/open-team.js';
import type { Team } from '../../../account/team/team.js';
import { checkNewLedger, makeLedger, migrateLedger } from '../../../account/team/team-setup.js';
import { CopsError, closing, usage, Would } from '../../../base/errors/errors.js';
import { cops, say } from '../../../base/text/command-line.js';
import type { Context, Done } from '../../../session/context/context.js';
import { filedAs, keyReading, nameInUse, storeOf, withProfile } from '../../../session/context/key-input.js';
import { bySubcommand, record } from '../../../session/context/run.js';
import { openReader } from '../../../session/read/reading.js';
import { MARKS, markItems, proveLedgerKey } from '../../../session/write/team-account.js';

export const run = bySubcommand({
  '': (context) => status(context),
  status: (context) => status(context),
  init: (context, { words: [address = ''] }) => init(context, address),
  join: (context, { words: [address = ''] }) => join(context, address),
  leave: (context) => leave(context),
  migrate: (context) => migrate(context),
});

const NONE: Done = { result: record({ ledger: null }) };

/** An address as typed. @throws CopsError usage (2) if it contains a password */
function typedAddress(context: Context, text: string): Sourced<string> & LedgerWay {
  const ledger = { value: checkSetting('ledger', text, 'the line'), source: '<address>' };
  return { ...ledger, ...ledgerWay({ ledger, reading: keyReading(context), cwd: context.world.cwd }) };
}

/** The ledger in use; undefined, with a note, if there is none. */
async function usedLedger(context: Context): Promise<Sourced<string> | undefined> {
  const { world, options } = context;
  const used = await resolveLedger({ store: storeOf(context), options, env: world.env, zone: world.zone });
  if (used === undefined)
    context.notes.note(
      say`No ledger is in use: writes are recorded on this machine alone. Create one: ${cops`team init <address>`}; or join an existing one: ${cops`team join <address>`}.`,
    );
  return used;
}

/** `cops team init`: creates the ledger, then sets it in the profile. */
async function init(context: Context, text: string): Promise<Done> {
  const profile = await context.profile();
  const way = typedAddress(context, text);
  const items = await markItems(context, await openReader(context));
  const of = { baseUrl: profile.baseUrl.value, mode: profile.mode.value, items };
  if (context.options.dryRun) {
    await tryLedger(context, way);
    throw new Would(`create a ledger of ${of.baseUrl} (${of.mode}) in ${way.address.text}`);
  }
  const connection = await way.connect(context.world.interrupted);
  await closing(connection, () => makeLedger(connection, way.schema, of));
  if (items.length < MARKS)
    context.notes.warn(
      `The account has ${items.length} of the ${MARKS} items that identify it: they do not reveal a key of another account.`,
    );
  context.notes.note('Writers need the role cops_member: GRANT cops_member TO <user>; readers need cops_reader.');
  return use(context, way.value);
}

/** Refuses what `team init` would refuse; only warns if the database does not answer. */
async function tryLedger(context: Context, way: LedgerWay): Promise<void> {
  try {
    const connection = await way.connect(context.world.interrupted);
    await checkNewLedger(connection, way.schema).finally(() => connection.close());
  } catch (error) {
    if (!(error instanceof CopsError) || error.kind !== 'network') throw error;
    context.notes.warn(`Could not check whether a ledger exists already: ${error.message}`);
  }
}

async function join(context: Context, text: string): Promise<Done> {
  const { value } = typedAddress(context, text);
  if (context.options.dryRun) throw new Would(`write through the ledger ${value}`);
  return use(context, value);
}

/** Stores the ledger in the profile once its key proves to belong to the same account. */
async function use(context: Context, address: string): Promise<Done> {
  return closing(await teamAt(context, { value: address, source: '<address>' }), async (team) => {
    const { id } = await team.facts();
    await team.seen.noteLedger(team.place.address, id).catch(() => undefined);
    const facts = await told(team);
    await proveLedgerKey(team, await openReader(context), facts.may_write);
    await changeProfile(context, (stored) => ({ ...stored, ledger: address }));
    if (!facts.may_write)
      context.notes.note(
        `${facts.user} may read this ledger. To write through it: GRANT cops_member TO ${facts.user};`,
      );
    await tellOpen(context);
    return { result: record(facts) };
  });
}

/** Warns that writes of unknown outcome on this machine are not in the ledger, and so no longer prevent repeats. */
async function tellOpen(context: Context): Promise<void> {
  const { configDir, dataDir, world } = context;
  const own = await accountRecords({ configDir, dataDir, world }).history();
  let open = 0;
  for await (const _ of own.list({ unknownOnly: true })) open += 1;
  if (open > 0)
    context.notes.warn(
      say`This machine has ${open} writes of unknown outcome that are not in the ledger. Before repeating any: ${cops`team leave`}, ${cops`history list --unknown`}, and join again.`,
    );
}

async function changeProfile(context: Context, change: (stored: StoredProfile) => StoredProfile): Promise<void> {
  const name = await nameInUse(context);
  if (name === FROM_ENVIRONMENT) {
    context.notes.note('There is no profile to store the address in: set COPS_LEDGER to it wherever this key is used.');
    return;
  }
  await storeOf(context).update((now) => withProfile(now, name, change(filedAs(now, name))));
}

async function leave(context: Context): Promise<Done> {
  const used = await usedLedger(context);
  if (!used) return NONE;
  if (used.source === 'COPS_LEDGER') throw usage('The ledger is named by COPS_LEDGER: unset it.');
  await changeProfile(context, ({ ledger: _ledger, ...stored }) => stored);
  context.notes.warn("The team's writes no longer prevent repeats here, nor do this machine's prevent theirs.");
  return { result: record({ left: used.value }) };
}

async function migrate(context: Context): Promise<Done> {
  const ledger = await usedLedger(context);
  if (!ledger) return NONE;
  const way = ledgerWay({ ledger, reading: keyReading(context), cwd: context.world.cwd });
  const { dryRun } = context.options;
  return closing(await way.connect(context.world.interrupted), async (connection) => {
    const [before, after] = await migrateLedger(connection, way.schema, dryRun);
    if (dryRun && before < after)
      throw new Would(`upgrade the ledger ${way.address.text} from version ${before} to ${after}`);
    if (before === after) context.notes.note(`The ledger has version ${after} already: there is nothing to do.`);
    return { result: record({ ledger: way.address.text, before, after }) };
  });
}

async function status(context: Context): Promise<Done> {
  const ledger = await usedLedger(context);
  if (!ledger) return NONE;
  return closing(await teamAt(context, ledger, false), async (team) => ({
    result: record({ ...(await told(team)), from: ledger.source }),
  }));
}

async function teamAt(context: Context, ledger: Sourced<string>, isWriting = true): Promise<Team> {
  const { world, dataDir, options, notes } = context;
  const profile = isWriting ? await context.profile() : undefined;
  return openTeam({
    ledger,
    account: profile && { baseUrl: profile.baseUrl.value, mode: profile.mode.value },
    reading: keyReading(context),
    ...{ dataDir, cwd: world.cwd, timeoutMs: options.timeout * 1000 },
    now: () => world.now(),
    warn: (text) => notes.warn(text),
  });
}

/** The facts of a ledger as one record. */
async function told(team: Team) {
  const { id, baseUrl, mode, version, leastWriter, user, items } = await team.facts();
  const sql = `SELECT (SELECT count(*) FROM $.intent), (SELECT count(*) FROM $.intent WHERE state = 'open'),
    (SELECT count(*) FROM $.run r JOIN $.process p ON p.id = r.holder WHERE p.lease_until > $.clock()),
    (SELECT count(*) FROM $.process WHERE lease_until > $.clock()),
    pg_has_role(session_user, 'cops_member', 'USAGE')`;
  const { rows } = await team.query(sql);
  const [writes, open, runs, processes, mayWrite] = rows[0] ?? [];
  const { address } = team.place;
  return {
    ...{ ledger: address, id, base_url: baseUrl, mode, user, may_write: mayWrite === true, writes, open },
    ...{ runs_held: runs, processes, marks: items.length, version, least_writer: leastWriter },
  };
}
