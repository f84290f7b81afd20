import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { profileIfAny } from '../../account/profiles/faults.js';
import { CopsError, stopped, usage } from '../../base/errors/errors.js';
import { inTemporaryFolder } from '../../base/files/temporary-folder.js';
import { cops, say } from '../../base/text/command-line.js';
import { isoTime } from '../../base/time/units.js';
import { loadFamily } from '../../catalogue/index.js';
import type { FamilyOperation } from '../../catalogue/types.js';
import { atOnce } from '../../screen/notes.js';
import { SETTLED_S } from '../../service/lists/growing-lists.js';
import type { Context } from '../../session/context/context.js';
import { checkWatchedAt, layAsOf, momentAsked, type PastMirror, seenTooLate, unwatched } from './as-of.js';
import { listsToSync } from './choose-sync-lists.js';
import type { EstimatedSync } from './estimate-sync.js';
import { knownMirror } from './mirror-in-use.js';
import { freshnessOf, namedMirror, nameOfMirror, ownMirror, readMirror, warnOfWrites } from './own-mirror.js';
import { type Reach, type ReachState, reachState } from './reach.js';
import type { Outcome } from './sync-lists.js';

/** Options of a question to a mirror, as typed. */
export interface KeepOptions {
  readonly mirror?: string;
  /** `--sync`: brings the mirror up to date whatever number of requests that takes; `--no-sync`: not at all. */
  readonly sync?: boolean;
  readonly maxAge?: string;
  /** The moment to answer for. */
  readonly asOf?: string;
}

/** The mirror for a question. */
export interface KeptMirror {
  readonly file: string;
  /** The service's time up to which the requested families are stored, unix seconds; undefined for a named file. */
  readonly asOf: number | undefined;
  /** The statements that show the mirror as of a moment. */
  readonly past?: PastMirror;
  /** If all its families were read within `--max-age`: when that began, unix seconds. */
  readonly freshSince?: number | undefined;
  /** What is unknown about that moment, in sentences; answers based on it end with exit code 10. */
  readonly doubts: readonly string[];
  /** Frees what was created for this question only. */
  discard(): Promise<void>;
}

/** Requests a second that a service usually answers, to tell people how long many of them take. */
const USUAL_SPEED = 10;
/** The most requests that are sent without asking. */
export const MOST_UNASKED = 200;

/**
 * The mirror that a command line means, with the families of its question read within `--max-age`; older ones are
 * brought up to date first. A few requests are simply sent. For more, the person at the terminal is asked, and a script
 * gets an error with the command line.
 * @throws CopsError stopped (12) if it takes more requests than are sent without asking, and nobody agreed
 */
export async function mirrorFor(
  context: Context,
  families: readonly string[],
  options: KeepOptions,
  reach?: Reach,
): Promise<KeptMirror> {
  const brought = await broughtUnasked(families);
  if (options.asOf === undefined) return currentMirror(context, brought, options, reach);
  const moment = await momentAsked(context, options.asOf);
  const now = Math.floor((await context.now()) / 1000);
  if (moment >= now) return asOfMoment(context, await currentMirror(context, brought, options), families, moment);
  if (options.mirror === undefined && (await profileIfAny(context))?.mirror.value === 'never')
    throw unwatched('this profile keeps no mirror (mirror: never)');
  // What is read now says nothing about that time.
  const kept = await currentMirror(context, brought, { ...options, sync: options.sync === true });
  if (!existsSync(kept.file)) throw unwatched('there is no mirror yet; the first sync starts watching');
  return asOfMoment(context, kept, families, moment);
}

async function asOfMoment(
  context: Context,
  kept: KeptMirror,
  families: readonly string[],
  moment: number,
): Promise<KeptMirror> {
  const now = Math.floor((await context.now()) / 1000);
  try {
    return await readMirror(context, kept.file, async ({ database }) => {
      checkWatchedAt(database, families, moment, now);
      const late = families.map((family) => ({ family, count: seenTooLate(database, family, moment) }));
      const past = await layAsOf(database, families, moment);
      context.notes.note(`As the mirror had seen it by ${isoTime(moment)}.`);
      return {
        file: kept.file,
        asOf: Math.min(moment, kept.asOf ?? moment),
        past,
        doubts: late.flatMap(({ family, count }) =>
          count === 0
            ? []
            : `${count} of ${family.replaceAll('_', ' ')} existed by then but were seen later: they are left out`,
        ),
        discard: async () => {
          await past.discard();
          await kept.discard();
        },
      };
    });
  } catch (error) {
    await kept.discard();
    throw error;
  }
}

async function currentMirror(
  context: Context,
  families: readonly string[],
  options: KeepOptions,
  reach?: Reach,
): Promise<KeptMirror> {
  const kept = (file: string, asOf?: number): KeptMirror => ({ file, asOf, doubts: [], discard: async () => {} });
  const named = options.sync ? await nameOfMirror(context, options.mirror) : undefined;
  if (named !== undefined)
    throw usage('Only a sync writes a mirror that you name.', say`${cops`sync ${options.mirror ?? named}`}`);
  const there = await namedMirror(context, options.mirror);
  const unchanged = async (file: string): Promise<KeptMirror> => {
    const at = await readingOf(context, file, families, reach);
    if (at !== undefined && options.asOf === undefined)
      await warnOfWrites(context, at, there === undefined ? undefined : options.mirror);
    return kept(file);
  };
  if (there !== undefined) return unchanged(there);
  const profile = await profileIfAny(context);
  if (profile === undefined) return kept(await knownMirror(context));
  if (profile.mirror.value === 'never') return temporary(context, families, options, reach);
  const own = await ownMirror(context);
  const file = options.sync ? own : await knownMirror(context);
  if (context.options.dryRun) return kept(file);
  // Another file is one that some sync was given.
  if (options.sync === false || file !== own) return unchanged(file);
  const { oldest, written } = await freshnessOf(context, options.maxAge);
  const now = Math.floor((await context.now()) / 1000);
  // Later than now: what was read within this second may lack a write of it.
  const since = options.sync ? now + 1 : Math.max(oldest, written);
  const before = await readAtOf(context, file, families);
  const due = families.filter((name) => (before.get(name) ?? 0) < since);
  const isThere = due.every((name) => before.has(name));
  const isRecent = due.every((name) => (before.get(name) ?? 0) >= oldest);
  let readAt: number | undefined;
  if (due.length > 0 && reach) readAt = (await bringReach(context, file, reach, { options, since, oldest })).readAt;
  else if (due.length > 0) await bring(context, file, due, { options, isThere, isRecent });
  const after = [...(await readAtOf(context, file, families)).values()];
  if (due.length === 0 || !reach) readAt = after.length === 0 ? undefined : Math.min(...after);
  if (readAt !== undefined && readAt < Math.min(written, now)) await warnOfWrites(context, readAt);
  const least = Math.min(since, now);
  const isFresh = after.length === families.length && after.every((at) => at >= least);
  return {
    ...kept(file, readAt === undefined ? undefined : readAt - SETTLED_S),
    freshSince: isFresh ? least : undefined,
  };
}

/** When all that is there of what a question needs was last read, unix seconds; undefined if nothing was. */
async function readingOf(
  context: Context,
  file: string,
  families: readonly string[],
  reach: Reach | undefined,
): Promise<number | undefined> {
  const ages = [...(await readAtOf(context, file, families)).values()];
  if (!reach || ages.length === families.length) return ages.length === 0 ? undefined : Math.min(...ages);
  if (!existsSync(file)) return undefined;
  const now = Math.floor((await context.now()) / 1000);
  return readMirror(context, file, ({ database }) => reachState(database, reach, now).readAt);
}

/** For a profile without a mirror: reads what the question needs into a temporary folder. */
async function temporary(
  context: Context,
  families: readonly string[],
  options: KeepOptions,
  reach: Reach | undefined,
): Promise<KeptMirror> {
  if (options.sync === false)
    throw usage('This profile keeps no mirror (mirror: never), and --no-sync forbids reading.', 'Leave out --no-sync.');
  return inTemporaryFolder('mirror', async (folder, discard) => {
    const file = join(folder, 'm.sqlite');
    if (reach) {
      const { readAt = 0 } = await bringReach(context, file, reach, { options, since: 0, oldest: 0 });
      return { file, asOf: readAt - SETTLED_S, doubts: [], discard };
    }
    await bring(context, file, families, { options, isThere: false });
    const read = [...(await readAtOf(context, file, families)).values()];
    return { file, asOf: read.length === 0 ? undefined : Math.min(...read) - SETTLED_S, doubts: [], discard };
  });
}

/** When families were last read completely, unix seconds; without those that never were. */
async function readAtOf(context: Context, file: string, families: readonly string[]): Promise<Map<string, number>> {
  if (!existsSync(file)) return new Map();
  return readMirror(context, file, ({ database }) => {
    const rows = database.prepare('SELECT family, read_at FROM _families').all();
    return new Map(
      rows.flatMap(([family, at]) =>
        families.includes(String(family)) ? [[String(family), Number(at)] as const] : [],
      ),
    );
  });
}

interface Bringing {
  readonly options: KeepOptions;
  /** Whether an older state can answer. */
  readonly isThere: boolean;
  /** Whether that state is within `--max-age`, and only a write of our own is more recent. */
  readonly isRecent?: boolean;
}

async function bring(
  context: Context,
  file: string,
  due: readonly string[],
  { options, isThere, isRecent }: Bringing,
): Promise<void> {
  const { lists } = await listsToSync(context, due);
  if (lists.length === 0) return;
  if (!(await isAllowed(context, file, lists, { options, isThere, isRecent }))) return;
  const { syncInto } = await import('./sync-lists.js');
  await tolerant(context, isThere, async () => ({ ...(await syncInto(context, file, lists)), lists }));
}

/** Reads, and notes what was read; a network failure does not end a question that older data can answer. */
async function tolerant(
  context: Context,
  isThere: boolean,
  read: () => Promise<Pick<Outcome, 'rows' | 'fatal'> & { readonly lists: readonly FamilyOperation[] }>,
): Promise<void> {
  try {
    const { rows, fatal, lists } = await read();
    context.notes.progressDone();
    if (fatal !== undefined) throw fatal;
    const requests = rows.reduce((sum, row) => sum + row.requests, 0);
    context.notes.note(`Brought up to date: ${wordsOf(lists).join(', ')} (${requests} requests).`);
  } catch (error) {
    context.notes.progressDone();
    // Older data can answer too, and says as of when; a contradiction of modes is always an error.
    if (
      !isThere ||
      !(error instanceof CopsError) ||
      !['network', 'local', 'rate_limited', 'service_failed'].includes(error.kind)
    )
      throw error;
    context.notes.warn(`The mirror was not brought up to date: ${error.message}`);
  }
}

const wordsOf = (lists: readonly FamilyOperation[]): string[] =>
  lists.map(({ family }) => family.name.replaceAll('_', '-'));

async function isAllowed(
  context: Context,
  file: string,
  lists: readonly FamilyOperation[],
  { options, ...older }: Bringing,
): Promise<boolean> {
  if (await isFree(context, options)) return true;
  const { estimateRequests } = await import('./estimate-sync.js');
  const estimated = await estimateRequests(context, file, lists, MOST_UNASKED);
  return mayTake(context, estimated, lists, older);
}

/** Whether any number of requests may be sent without asking. */
async function isFree(context: Context, options: KeepOptions): Promise<boolean> {
  const { embedded, mirror } = await context.profile();
  // Requests to the embedded service cost nothing.
  return embedded || options.sync === true || mirror.value === 'auto' || context.options.yes === true;
}

/**
 * The same for rows that a question reads whatever the mirror has of them: a few requests are sent, many are announced,
 * and asked for unless they cost nothing.
 * @throws CopsError stopped (12) if nobody agrees
 */
export async function announceReading(
  context: Context,
  options: KeepOptions,
  requests: number,
  what: string,
): Promise<void> {
  if (requests <= MOST_UNASKED) return;
  const minutes = Math.ceil(requests / USUAL_SPEED / 60);
  const about = `${what} takes about ${requests} requests (${minutes} min at ${USUAL_SPEED} a second)`;
  if (await isFree(context, options)) return atOnce(context.notes).note(`${about[0]?.toUpperCase()}${about.slice(1)}.`);
  context.notes.progressDone();
  const prompter = await context.prompter();
  if (prompter.canPrompt() && (await prompter.confirm(`${about[0]?.toUpperCase()}${about.slice(1)}. Send them now?`)))
    return;
  throw stopped(
    `stopped: ${about}`,
    'Add --sync to send them. --no-sync answers from the mirror as it is, read once.',
    { requests },
  );
}

/**
 * Whether this many requests may be sent: a few always; for more, the person at the terminal is asked.
 * @throws CopsError stopped (12) if nobody agrees
 */
async function mayTake(
  context: Context,
  { requests, isMore }: EstimatedSync,
  lists: readonly FamilyOperation[],
  { isThere, isRecent }: Pick<Bringing, 'isThere' | 'isRecent'>,
): Promise<boolean> {
  context.notes.progressDone();
  if (requests <= MOST_UNASKED && !isMore) return true;
  const about = isMore ? `more than ${MOST_UNASKED} requests` : `about ${requests} requests`;
  const line = cops`sync ${wordsOf(lists)}`.in(context.options.profile, context.options.mode);
  const prompter = await context.prompter();
  if (prompter.canPrompt()) {
    if (await prompter.confirm(`Bringing the mirror up to date takes ${about}. Send them now?`)) return true;
    if (isThere) return false;
  }
  if (isRecent) return false;
  throw stopped(
    `stopped: bringing the mirror up to date takes ${about}`,
    isThere
      ? say`Do it first: ${line}, or use --sync. --no-sync answers from the data there is.`
      : say`Do it first: ${line}, or use --sync.`,
    { requests, families: lists.map(({ family }) => family.name) },
  );
}

interface BringingReach {
  readonly options: KeepOptions;
  /** The reading must be no older than this, unix seconds. */
  readonly since: number;
  /** Where many requests are needed, one that is no older than this may answer. */
  readonly oldest: number;
}

/** Brings the parts of the lists that a question needs up to date; recent ones are not read again. */
async function bringReach(
  context: Context,
  file: string,
  reach: Reach,
  { options, since, oldest }: BringingReach,
): Promise<ReachState> {
  const now = Math.floor((await context.now()) / 1000);
  const stateIn = async (): Promise<ReachState> =>
    existsSync(file)
      ? readMirror(context, file, ({ database }) => reachState(database, reach, now))
      : { readAt: undefined, lacks: [] };
  const before = await stateIn();
  if (isWithin(before, since)) return before;
  const isThere = before.readAt !== undefined;
  const isRecent = isWithin(before, oldest);
  const within = (await listsToSync(context, [...reach.facts, ...reach.beside])).lists;
  const whole = (await listsToSync(context, reach.whole)).lists;
  const lists = [...within, ...whole];
  const isUnasked = await isFree(context, options);
  if (!isUnasked) {
    const { estimateRequests, estimateWithin } = await import('./estimate-sync.js');
    const one = await estimateWithin(context, within, reach.periods, MOST_UNASKED);
    const other = one.isMore ? one : await estimateRequests(context, file, whole, MOST_UNASKED - one.requests);
    const requests = one === other ? one.requests : one.requests + other.requests;
    if (!(await mayTake(context, { requests, isMore: other.isMore }, lists, { isThere, isRecent }))) return before;
  }
  const { syncReach } = await import('./sync-lists.js');
  const mayRead = async (requests: number): Promise<void> => {
    if (!isUnasked) await mayTake(context, { requests, isMore: false }, lists, { isThere: false });
  };
  await tolerant(context, isThere, async () => ({
    ...(await syncReach(context, file, lists, { reach, oldest: since, mayRead })),
    lists,
  }));
  return stateIn();
}

const isWithin = ({ readAt, lacks }: ReachState, since: number): boolean =>
  readAt !== undefined && readAt >= since && lacks.length === 0;

/** Families that a command line may fetch by itself: never logs of runs. */
async function broughtUnasked(families: readonly string[]): Promise<string[]> {
  const loaded = await Promise.all(families.map((name) => loadFamily(name)));
  return loaded.filter(({ onlyNamed }) => !onlyNamed).map(({ name }) => name);
}
