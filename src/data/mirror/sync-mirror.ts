import { lstatSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Database } from '../../base/database/types.js';
import { CopsError, usage } from '../../base/errors/errors.js';
import { lock } from '../../base/files/lock.js';
import { lengthSaid } from '../../base/time/spans.js';
import { isoTime } from '../../base/time/units.js';
import { parseWhen } from '../../base/time/when.js';
import { HOT_ONLY, SMALL_HEAP } from '../../base/world.js';
import { withServiceClock } from '../../bulk/service-time.js';
import { loadFamily } from '../../catalogue/index.js';
import type { Family, FamilyOperation } from '../../catalogue/types.js';
import { stripEnvelope } from '../../items/json/item-json.js';
import { Meter } from '../../screen/meter.js';
import { CLOCK_DOUBT_MS, type ServiceClock } from '../../service/http/service-clock.js';
import { SETTLED_S } from '../../service/lists/growing-lists.js';
import { planRequest } from '../../service/request/request-plan.js';
import type { Context } from '../../session/context/context.js';
import { zoneInUse } from '../../session/context/typed-words.js';
import { type Beginning, beginningOf, firstDayOf } from '../../session/read/first-day.js';
import { openReader, pager, type Reader } from '../../session/read/reading.js';
import { listProgress } from '../export/progress.js';
import type { SyncOptions } from '../export/types.js';
import { type FamilyJob, type FamilyOutcome, idsIn, keepNamed, staleWindows, syncFamily } from './family.js';
import { keepFacts } from './kept-facts.js';
import { absentOf, rawName, sqlName } from './layout.js';
import { mirrorOwner, openToSync, writeFact } from './mirror.js';
import { RawTable } from './mirror-table.js';
import { ownWrites } from './own-mirror.js';
import type { TeamReplica, TeamSync } from './team/team-replica.js';
import { MIRROR_VIEWS, makeViews, textsOf } from './views.js';

/** The result for one list. */
export interface SyncRow {
  readonly family: string;
  readonly state: 'synced' | 'unproven' | 'not allowed' | 'not there' | 'failed' | 'not read';
  readonly added: number;
  /** Null if it is not determined: a folder stores what was read, only a mirror follows changes. */
  readonly changed: number | null;
  readonly gone: number | null;
  readonly items: number;
  readonly requests: number;
  /** Every row was read since this moment, ISO 8601; null for a folder. */
  readonly seen_since: string | null;
  readonly why: string | null;
}

/** What a list gained, lost and cost in addition to its own reading. */
export type ListChanges = Pick<FamilyOutcome, 'added' | 'changed' | 'gone' | 'requests' | 'unproven'>;

/** The cost of re-reading windows. */
export type PassOutcome = Awaited<ReturnType<typeof passOver>>;

/** The position of a list among all that are read, for the progress line. */
interface Place {
  readonly at: number;
  readonly of: number;
}

/** The part of a sync into a mirror that the loop over the lists uses. */
export interface MirrorSync {
  /** Reads the due windows of a list. */
  read(list: FamilyOperation, place: Place): Promise<SyncRow>;
  /** Reads the windows of a list's periods that were read before `oldest`, unix seconds. */
  readWithin(list: FamilyOperation, within: FamilyJob['within'], place: Place): Promise<SyncRow>;
  /** Reads rows of a family by their ids, and records which of them the service does not have. */
  readNamed(list: FamilyOperation, ids: readonly string[]): Promise<void>;
  /**
   * Re-reads the rows that new or changed rows name, and those that this machine wrote since the last sync, if they are
   * in windows that were not due. Returns the results by family.
   */
  again(lists: readonly FamilyOperation[]): Promise<ReadonlyMap<string, ListChanges>>;
  /**
   * Reads windows of lists now, the items after the newest window, and what changed rows name; reports each changed
   * row.
   */
  pass(
    windows: ReadonlyMap<FamilyOperation, ReadonlySet<number>>,
    changed: (family: string, id: string, ...texts: readonly string[]) => void,
  ): Promise<PassOutcome>;
  readonly database: Database;
  /** Creates the views again and closes the file; `isWhole` if all lists were read. */
  end(isWhole: boolean): Promise<void>;
}

/** The file that a sync writes, and the team's mirror if the file is its replica. */
export interface SyncTarget {
  readonly file: string;
  readonly team?: TeamReplica | undefined;
  /** True for a sync of its own, which says what it starts from. */
  readonly isTold?: boolean;
}

/** Opens the mirror of a target for the profile in use, with the ways to read each list into it. */
export async function openMirrorSync(
  context: Context,
  target: SyncTarget,
  options: SyncOptions,
  concurrency: number,
): Promise<MirrorSync> {
  for (const name of ['format', 'gzip', 'refresh'] as const)
    if (options[name] !== undefined) throw usage(`--${name} is for folders: a mirror is one SQLite file.`);
  // Rows for a database need more short-lived values: with a small heap they take twice as long.
  if (!target.team) context.world.tuneEngine?.(...SMALL_HEAP, HOT_ONLY);
  const opened = await openTarget(context, target);
  const { database, shipping } = opened;
  try {
    const began = Math.floor((await context.now()) / 1000);
    await layViews(database);
    const beginning = await beginningFor(context, options);
    if (target.isTold) context.notes.note(`Everything from ${beginning.told}.`);
    const watched = withServiceClock(context);
    const reader = await openReader(watched.context);
    const until = serviceTime(context, watched.clock, began);
    const named = await writtenSince(context, lastSync(database));
    // A new mirror has no rows from an earlier reading.
    const hasOlder = (than: number): boolean =>
      database.prepare('SELECT 1 FROM _windows WHERE read_at < ? LIMIT 1').get(than) !== undefined;
    let isEndTold = false;
    const readOne = async (of: FamilyOperation, only?: ReadonlySet<number>, more: Partial<FamilyJob> = {}) => {
      const outcome = await syncFamily({
        ...{ database, follower: shipping, ...askedOf(reader, of), now: began, until, only, concurrency },
        from: beginningOf(of.family.nature, beginning.from),
        rangeEnds: reader.profile.rangeEnds.value,
        full: options.full === true || options.restart === true,
        follows: hasOlder(more.now ?? began),
        ...more,
      });
      for (const id of outcome.named) named.add(id);
      if (outcome.endDoubt && !isEndTold) context.notes.warn(outcome.endDoubt);
      isEndTold ||= outcome.endDoubt !== undefined;
      return outcome;
    };
    const reads = readsOf({ context, database, reader, named, began, hasOlder, readOne });
    return {
      ...reads,
      database,
      async end(isWhole) {
        try {
          context.notes.progressDone();
          const asOf = isWhole ? began - SETTLED_S : undefined;
          database.transaction(() => {
            makeViews(database);
            if (keepFacts(database))
              context.notes.note('The tables behind the reports were of another version of cops: they are made anew.');
            writeFact(database, 'first_day', beginning.from);
            if (asOf === undefined) return;
            writeFact(database, 'as_of', asOf);
            database.prepare('DELETE FROM _mirror WHERE name = ?').run(UNFOLLOWED);
          });
          const facts = { firstDay: beginning.from, asOf, widens: options.full === true };
          const unfit = (await shipping?.end(await familiesIn(database), facts)) ?? 0;
          if (unfit > 0)
            context.notes.warn(
              `${unfit} values do not fit their column's type and are NULL: the table _unfit lists them, and sync --full widens the columns.`,
              {},
            );
        } finally {
          await opened.close();
        }
      },
    };
  } catch (error) {
    await opened.close();
    // Before its first list, a new mirror is empty and would look like one of an account without data.
    if (opened.isNew) await removeFiles(target.file);
    throw error;
  }
}

/** The key for the time since which the rows named by new rows were not read again. */
const UNFOLLOWED = 'unfollowed_since';

function noteUnfollowed(database: Database, began: number): void {
  database.prepare('INSERT OR IGNORE INTO _mirror (name, value) VALUES (?, ?)').run(UNFOLLOWED, String(began));
}

/** The ids in rows that single windows have added since the last whole sync. */
function* unfollowed(database: Database, lists: readonly FamilyOperation[]): Generator<string> {
  const since = database.prepare('SELECT value FROM _mirror WHERE name = ?').get(UNFOLLOWED)?.[0];
  if (since === undefined) return;
  for (const { family } of lists) {
    const rows = database.prepare(`SELECT _json FROM ${sqlName(rawName(family.name))} WHERE _seen_at >= ?`);
    for (const [json] of rows.all(Number(since))) yield* idsIn(String(json));
  }
}

/** Parallel requests when reading rows one by one. */
const NAMED_AT_ONCE = 8;

async function readNamed(
  context: Context,
  reader: Reader,
  job: Pick<FamilyJob, 'database' | 'family' | 'now'>,
  ids: readonly string[],
): Promise<void> {
  const operation = job.family.operations.find(({ action }) => action === 'get');
  if (operation === undefined) return;
  const queue = [...ids];
  const measured = { unit: 'that are named', what: job.family.name.replaceAll('_', ' ') };
  const meter = new Meter(context.notes, () => context.world.now(), measured);
  const items = new Map<string, string>();
  const worker = async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) {
      meter.show(ids.length - queue.length, ids.length);
      try {
        items.set(id, stripEnvelope(await reader.answer(planRequest(job.family, operation, { ids: [id] }))));
      } catch (error) {
        if (!(error instanceof CopsError) || error.kind !== 'not_found') throw error;
        writeFact(job.database, absentOf(job.family.name, id), job.now);
      }
    }
  };
  try {
    await Promise.all(Array.from({ length: NAMED_AT_ONCE }, worker));
  } finally {
    keepNamed(job, items);
  }
}

/** A sync's exclusive hold on its target. */
async function openTarget(context: Context, { file, team, isTold }: SyncTarget) {
  const held = await lock(file, { waitMs: 500, what: `The sync into ${team?.address.text ?? file}` });
  const isNew = lstatSync(file, { throwIfNoEntry: false }) === undefined;
  try {
    const owner = await mirrorOwner(context);
    const shared = team && (await openTeam(context, team));
    const database = shared?.database ?? (await openToSync(file, owner, context.world.version));
    const close = async (): Promise<void> => {
      database.close();
      await shared?.close();
      await held.release();
    };
    try {
      if (!shared) refuseReplica(database, file);
    } catch (error) {
      await close();
      throw error;
    }
    if (isTold) context.notes.note(`Mirror ${team?.address.text ?? file}: ${owner.service}, ${owner.mode} mode.`);
    return { database, shipping: shared?.shipping, isNew, close };
  } catch (error) {
    await held.release();
    if (isNew) await removeFiles(file);
    throw error;
  }
}

async function removeFiles(file: string): Promise<void> {
  for (const end of ['', '-wal', '-shm']) await rm(`${file}${end}`, { force: true });
}

async function openTeam(context: Context, team: TeamReplica): Promise<TeamSync> {
  const { openTeamSync } = await import('./team/team-replica.js');
  return openTeamSync(context, team);
}

/** Rows that only a replica gets would be lost, or mistaken for the team's. */
function refuseReplica(database: Database, file: string): void {
  if (textsOf(database, "SELECT value FROM _mirror WHERE name = 'identity'").length === 0) return;
  throw usage(`${file} is the replica of a team's mirror.`, "Sync into the mirror's address instead.");
}

/** The families that a mirror has tables for. */
function familiesIn(database: Database): Promise<Family[]> {
  const tables = textsOf(database, "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'raw_*'");
  return Promise.all(tables.map((table) => loadFamily(table.slice(rawName('').length))));
}

/** A re-read row may name others: how often to follow that. */
const MOST_ROUNDS = 3;

function askedOf(reader: Reader, { family, operation }: FamilyOperation) {
  const { list } = operation;
  if (!list) throw new Error(`${family.name} has no list`);
  return { family, list, fetch: pager(reader, planRequest(family, operation, { ids: [], query: [] }), family.idField) };
}

interface Following {
  readonly database: Database;
  /** Ids to follow; reading adds to them. */
  readonly named: Set<string>;
  /** When the sync began, unix seconds. */
  readonly began: number;
  readOne(list: FamilyOperation, only: ReadonlySet<number>): Promise<FamilyOutcome>;
}

async function followed(
  lists: readonly FamilyOperation[],
  { database, named, began, readOne }: Following,
): Promise<ReadonlyMap<string, ListChanges>> {
  const found = new Map<string, ListChanges>();
  for (let round = 0; round < MOST_ROUNDS && named.size > 0; round++) {
    const ids = [...named];
    named.clear();
    for (const list of lists) {
      const { name } = list.family;
      const stale = staleWindows(database, name, ids, began);
      if (stale.size > 0) found.set(name, together(found.get(name), await readOne(list, stale)));
    }
  }
  return found;
}

interface Reading extends Following {
  readonly context: Context;
  readonly reader: Reader;
  /** Whether a window was read before a moment, unix seconds. */
  hasOlder(than: number): boolean;
  readOne(list: FamilyOperation, only?: ReadonlySet<number>, more?: Partial<FamilyJob>): Promise<FamilyOutcome>;
}

/** The ways to read lists into an open mirror. */
function readsOf(reading: Reading): Omit<MirrorSync, 'database' | 'end'> {
  const { context, database, reader, named, began, hasOlder, readOne } = reading;
  const start = context.world.now();
  const took = (list: FamilyOperation, place: Place) =>
    listProgress(context, list.family.name, { ...place, began: start });
  return {
    read: async (list, place) => rowOf(list.family.name, await readOne(list, undefined, { took: took(list, place) })),
    async readWithin(list, within, place) {
      if (hasOlder(began)) noteUnfollowed(database, began);
      const outcome = await readOne(list, undefined, { within, took: took(list, place) });
      return rowOf(list.family.name, outcome);
    },
    readNamed: ({ family }, ids) => readNamed(context, reader, { database, family, now: began }, ids),
    again(lists) {
      for (const id of unfollowed(database, lists)) named.add(id);
      return followed(lists, { database, named, began, readOne });
    },
    pass: (windows, changed) => passOver(context, windows, changed, { database, named, readOne }),
  };
}

type Pass = Parameters<MirrorSync['pass']>;

interface PassInput extends Pick<Following, 'database' | 'named'> {
  readOne(list: FamilyOperation, only: ReadonlySet<number>, more: Partial<FamilyJob>): Promise<FamilyOutcome>;
}

async function passOver(context: Context, windows: Pass[0], changed: Pass[1], { database, named, readOne }: PassInput) {
  // The first passes can take minutes.
  const now = Math.floor((await context.clock()) / 1000);
  const read = (list: FamilyOperation, only: ReadonlySet<number>, tail = false) =>
    readOne(list, only, { now, tail, changed: (...row) => changed(list.family.name, ...row) });
  const all: ListChanges[] = [];
  for (const [list, only] of windows) {
    context.notes.progress(`reading ${list.family.name.replaceAll('_', ' ')} again`);
    all.push(await read(list, only, true));
  }
  all.push(...(await followed([...windows.keys()], { database, named, began: now, readOne: read })).values());
  return {
    requests: all.reduce((sum, { requests }) => sum + requests, 0),
    unproven: all.flatMap(({ unproven }) => unproven),
  };
}

function rowOf(family: string, outcome: FamilyOutcome): SyncRow {
  const { added, changed, gone, items, requests, seenSince, unproven, endDoubt } = outcome;
  return {
    family,
    state: unproven.length === 0 ? 'synced' : 'unproven',
    added,
    changed,
    gone,
    items,
    requests,
    seen_since: seenSince === undefined ? null : isoTime(seenSince),
    why: unproven[0] ?? endDoubt?.toString() ?? null,
  };
}

function together(before: ListChanges | undefined, now: ListChanges): ListChanges {
  if (before === undefined) return now;
  return {
    added: before.added + now.added,
    changed: before.changed + now.changed,
    gone: before.gone + now.gone,
    requests: before.requests + now.requests,
    unproven: [...before.unproven, ...now.unproven],
  };
}

/** The service's clock as it says itself, never behind ours; warns once of a slow clock of this machine. */
function serviceTime({ notes }: Context, clock: ServiceClock, began: number): () => number {
  let isSaid = false;
  return () => {
    const ahead = Math.max(0, clock.skew.call ?? clock.skew.date ?? 0);
    if (ahead > CLOCK_DOUBT_MS && !isSaid) {
      isSaid = true;
      notes.warn(
        `The clock of this machine is ${lengthSaid(ahead / 1000)} behind that of the service: lists are read up to the service's time.`,
      );
    }
    return began + Math.ceil(ahead / 1000);
  };
}

/** When the last sync through all lists ended, unix seconds; 0 before the first one. */
function lastSync(database: Database): number {
  return Number(database.prepare("SELECT value FROM _mirror WHERE name = 'as_of'").get()?.[0] ?? 0);
}

/** Ids that were written from here since a moment. */
async function writtenSince(context: Context, since: number): Promise<Set<string>> {
  const ids = new Set<string>();
  for await (const write of ownWrites(context, since)) for (const id of write.ids) ids.add(id);
  return ids;
}

/** The views exist from the start, over empty tables for lists not read yet. */
async function layViews(database: Database): Promise<void> {
  const needed = new Set(MIRROR_VIEWS.flatMap(({ needs }) => Object.keys(needs)));
  const families = await Promise.all([...needed].map((table) => loadFamily(table.slice(rawName('').length))));
  database.transaction(() => {
    for (const family of families) new RawTable(database, family, MIRROR_VIEWS);
    makeViews(database);
  });
}

async function beginningFor(context: Context, options: SyncOptions): Promise<Beginning> {
  if (options.from === undefined) return firstDayOf(context, options.firstDay);
  if (options.firstDay !== undefined) throw usage('--from and --first-day cannot be combined.');
  const zone = await zoneInUse(context);
  const from = parseWhen(options.from, { now: await context.now(), zone, edge: 'start', option: '--from' });
  return { from, told: `${isoTime(from)} (--from): older items are not in the mirror` };
}
