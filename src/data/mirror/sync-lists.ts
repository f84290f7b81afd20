import { existsSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { checkTarget } from '../../account/given-target.js';
import { CopsError, usage } from '../../base/errors/errors.js';
import { whileLocked } from '../../base/files/lock.js';
import { isPostgresAddress, refuseAddress, typedPath } from '../../base/files/typed-path.js';
import { cops, say, type Text } from '../../base/text/command-line.js';
import { isoDay } from '../../base/time/units.js';
import { familyByCommand } from '../../catalogue/index.js';
import type { FamilyOperation } from '../../catalogue/types.js';
import { counted } from '../../items/text/numbered.js';
import { group } from '../../items/text/width.js';
import type { Context, Done } from '../../session/context/context.js';
import { listOf } from '../../session/context/run.js';
import { settledDates } from '../../session/context/settled-dates.js';
import { DEFAULTS } from '../../session/context/spec.js';
import { meantFamily, wholeNumber } from '../../session/context/typed-words.js';
import { type Beginning, beginningOf, firstDayOf } from '../../session/read/first-day.js';
import { pacerOf } from '../../session/read/reading.js';
import { exportInputOf, performExport } from '../export/export-list.js';
import { formatOf, isFolder } from '../export/formats.js';
import type { ExportOptions, ExportReport, SyncOptions } from '../export/types.js';
import { listsOfSync, listsToSync } from './choose-sync-lists.js';
import { nameOfMirror, ownMirror, rememberMirror } from './own-mirror.js';
import { missingIn, type Reach } from './reach.js';
import type { ListChanges, MirrorSync, SyncRow } from './sync-mirror.js';
import type { TeamReplica } from './team/team-replica.js';

/** HTTP status of a list that the service does not serve (service.md#errors). */
const NOT_ALLOWED_METHOD = 405;

/**
 * `cops sync [folder | file.sqlite] [families...]`: one list after another; by default into the profile's own mirror.
 */
export async function syncLists(context: Context, words: readonly string[], options: SyncOptions): Promise<Done> {
  const [given, ...names] = await wordsOf(context, words);
  const team = given !== undefined && isPostgresAddress(given) ? await teamAt(context, given) : undefined;
  const { out, sqlite } = team ? { out: team.file, sqlite: true } : targetOf(context, given);
  const target = { path: out.replace(/(?<=.)[/\\]+$/, ''), typed: given ?? out, option: 'sync', isFolder: !sqlite };
  if (!team && out !== (await ownMirror(context))) await checkTarget({ ...target, own: context, mayBe: 'mirrors/' });
  if (sqlite && options.format !== undefined && options.format !== 'sqlite') throw usage('--format is for folders.');
  const { lists, left } = await listsOfSync(names, options.all === true);
  const asked: Asked = {
    named: names.length > 0,
    notes: context.notes,
    left: left.length === 0 ? '' : say`Left out: ${left.join(', ')} (--all adds them). `,
    form: await formOf(context),
    into: team?.address.text ?? given ?? out,
    next: sqlite && out !== (await ownMirror(context)) ? askingLine(context, given ?? out) : '',
  };
  const concurrency = wholeNumber(options.concurrency, '--concurrency', 1, 256) ?? DEFAULTS.exportConcurrency;
  if (options.full && !sqlite)
    throw usage('--full is for mirrors (SQLite files).', 'To read a folder again, use --restart.');
  if (context.options.dryRun) {
    const { syncDryRun } = await import('./sync-dry-run.js');
    const asRead = await Promise.all(lists.map((list) => settled(context, list)));
    return syncDryRun(context, asRead, { out: team?.address.text ?? out, sqlite }, options);
  }
  await context.transport(concurrency);
  if (sqlite) {
    const { format: _, ...rest } = options;
    const outcome = await syncInto(context, out, lists, {
      ...{ options: rest, concurrency, isAll: names.length === 0, team, isTold: true },
    });
    return summaryOf(outcome, asked);
  }
  return whileLocked(join(out, '.sync'), { waitMs: 500, what: `The sync into ${given}` }, async () => {
    return summaryOf(await readAll(lists, await folderReader(context, out, options)), asked);
  });
}

interface IntoMirror {
  readonly options: SyncOptions;
  readonly concurrency: number;
  /** Whether the lists are all that a mirror has. */
  readonly isAll: boolean;
  /** The team's mirror, if the file is its replica. */
  readonly team?: TeamReplica | undefined;
  readonly isTold?: boolean;
}

async function teamAt(context: Context, given: string): Promise<TeamReplica> {
  const { replicaOf } = await import('./team/team-replica.js');
  return replicaOf(context, given, 'sync');
}

const SOME: IntoMirror = { options: {}, concurrency: DEFAULTS.exportConcurrency, isAll: false };

/** Brings lists of a mirror up to date. */
export async function syncInto(
  context: Context,
  file: string,
  lists: readonly FamilyOperation[],
  { options, concurrency, isAll, team, isTold }: IntoMirror = SOME,
): Promise<Outcome> {
  await context.transport(concurrency);
  const { openMirrorSync } = await import('./sync-mirror.js');
  const mirror = await openMirrorSync(context, { file, team, isTold }, options, concurrency);
  let isWhole = false;
  try {
    const outcome = await readAll(
      lists,
      async (list, at) => mirror.read(await settled(context, list), { at, of: lists.length }),
      mirror.again,
    );
    isWhole = outcome.fatal === undefined && isAll;
    return outcome;
  } finally {
    await mirror.end(isWhole);
    if (isWhole && !team) await rememberMirror(context, file);
  }
}

/** The part of some lists to read. */
export interface WithinMirror {
  readonly reach: Reach;
  /** Since when a window must have been read, unix seconds. */
  readonly oldest: number;
  /**
   * Called with the number of further requests for named rows.
   * @throws CopsError if they must not be sent
   */
  mayRead(requests: number): Promise<void>;
}

/** How often to follow the names in rows that were themselves read because others name them. */
const MOST_ROUNDS = 3;

/** Brings the parts of some lists that a question needs up to date. */
export async function syncReach(
  context: Context,
  file: string,
  lists: readonly FamilyOperation[],
  { reach, oldest, mayRead }: WithinMirror,
): Promise<Outcome> {
  await context.transport(DEFAULTS.exportConcurrency);
  const { openMirrorSync } = await import('./sync-mirror.js');
  const mirror = await openMirrorSync(context, { file }, {}, DEFAULTS.exportConcurrency);
  try {
    const isWhole = ({ family }: FamilyOperation): boolean => reach.whole.includes(family.name);
    const outcome = await readAll(
      lists,
      async (list, at) => {
        const place = { at, of: lists.length };
        const asRead = await settled(context, list);
        if (isWhole(list)) return mirror.read(asRead, place);
        return mirror.readWithin(asRead, { periods: reach.periods, oldest }, place);
      },
      (all) => mirror.again(all.filter(isWhole)),
    );
    if (outcome.fatal !== undefined) return outcome;
    let requests = 0;
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const missing = missingIn(mirror.database, reach);
      if (missing.size === 0) break;
      for (const ids of missing.values()) requests += ids.length;
      await mayRead(requests + outcome.rows.reduce((sum, row) => sum + row.requests, 0));
      const { lists: named } = await listsToSync(context, [...missing.keys()]);
      for (const list of named) await mirror.readNamed(list, missing.get(list.family.name) ?? []);
    }
    return { rows: [...outcome.rows, ...namedRow(requests)], fatal: undefined };
  } finally {
    await mirror.end(false);
  }
}

const namedRow = (requests: number): SyncRow[] =>
  requests === 0 ? [] : [{ ...unread('named', 'synced', null), requests }];

async function folderReader(
  context: Context,
  out: string,
  options: SyncOptions,
): Promise<(list: FamilyOperation) => Promise<SyncRow>> {
  const profile = await context.profile();
  const rate = context.options.rate ?? profile.rate.value;
  const pacer = await pacerOf(context, rate);
  // Requested with the first list that takes dates; not needed if none does.
  let beginning: Promise<Beginning> | undefined;
  const begin = async (): Promise<Beginning> => {
    const found = await firstDayOf(context, options.firstDay);
    context.notes.note(`Everything from ${found.told}.`);
    return found;
  };
  const { firstDay: _, ...others } = options;
  const startOf = async ({ family, operation }: FamilyOperation): Promise<string | undefined> => {
    if (operation.list?.style !== 'windowed') return undefined;
    if (options.from !== undefined) return options.from;
    beginning ??= begin();
    return isoDay(beginningOf(family.nature, (await beginning).from));
  };
  return async ({ family, operation }) => {
    const list = { ...(await settled(context, { family, operation })), ids: [], filters: {} };
    const windowed = list.operation.list?.style === 'windowed';
    const typed: ExportOptions = {
      ...others,
      from: await startOf(list),
      ...(windowed ? {} : { refresh: undefined }),
      format: options.format ?? 'jsonl',
      sinceLast: true,
    };
    const input = await exportInputOf(context, list, `${join(out, family.name)}/`, typed);
    return rowOf(family.name, await performExport(context, input, pacer));
  };
}

async function settled(context: Context, { family, operation }: FamilyOperation): Promise<FamilyOperation> {
  return { family, operation: await settledDates(context, operation) };
}

/** What was requested, and where the summary is shown. */
interface Asked {
  /** Whether families were named. */
  readonly named: boolean;
  readonly notes: Context['notes'];
  readonly into: string;
  /** Lists that the line did not request. */
  readonly left: Text;
  readonly form: SummaryForm;
  /** How to query the file, if a question without a file would go to another one. */
  readonly next: Text;
}

/**
 * With `--quiet` and no format, prints only one line. On a terminal it prints three lines, never a screen of lists. It
 * prints the rows if a format is named, or nobody watches.
 */
type SummaryForm = 'line' | 'lines' | 'rows';

async function formOf(context: Context): Promise<SummaryForm> {
  const { output, columns, quiet } = context.options;
  if (output !== undefined) return 'rows';
  if (quiet) return 'line';
  const { format, query } = await context.settings();
  const isRead = context.world.stdout.isTTY === true && format === 'table';
  return isRead && query === undefined && columns === undefined ? 'lines' : 'rows';
}

/** The command line that queries this file. */
function askingLine({ options }: Context, file: string): Text {
  return say`To query it, use --mirror: ${cops`sql --mirror ${file} --tables`.in(options.profile, options.mode)}`;
}

/** The result of a sync. */
export interface Outcome {
  readonly rows: readonly SyncRow[];
  /** The error that stopped the sync early. */
  readonly fatal: unknown;
}

async function readAll(
  lists: readonly FamilyOperation[],
  read: (list: FamilyOperation, at: number) => Promise<SyncRow>,
  again?: MirrorSync['again'],
): Promise<Outcome> {
  const rows: SyncRow[] = [];
  for (const [i, list] of lists.entries()) {
    const family = list.family.name;
    try {
      rows.push(await read(list, i));
    } catch (error) {
      const state = stateOf(error);
      rows.push(unread(family, state ?? 'failed', error instanceof Error ? error.message : String(error)));
      if (state !== undefined) continue;
      rows.push(...lists.slice(i + 1).map((rest) => unread(rest.family.name, 'not read', null)));
      return { rows, fatal: error };
    }
  }
  const readable = lists.filter(({ family }) => rows.some((row) => row.family === family.name && isRead(row)));
  try {
    const found = await again?.(readable);
    return { rows: rows.map((row) => withFound(row, found?.get(row.family))), fatal: undefined };
  } catch (error) {
    return { rows, fatal: error };
  }
}

const isRead = ({ state }: SyncRow): boolean => state === 'synced' || state === 'unproven';

/** A row plus what other looks into its list found. */
function withFound(row: SyncRow, found: ListChanges | undefined): SyncRow {
  if (found === undefined) return row;
  return {
    ...row,
    state: found.unproven.length > 0 ? 'unproven' : row.state,
    added: row.added + found.added,
    changed: (row.changed ?? 0) + found.changed,
    gone: (row.gone ?? 0) + found.gone,
    requests: row.requests + found.requests,
    why: row.why ?? found.unproven[0] ?? null,
  };
}

/** The sentences that sum up many rows. */
function closing(rows: readonly SyncRow[], into: string, isOneLine: boolean): string {
  const sum = (of: (row: SyncRow) => number | null) => group(rows.reduce((total, row) => total + (of(row) ?? 0), 0));
  const synced = rows.filter(({ state }) => state === 'synced').length;
  const rest = rows.length - synced;
  const others = rest === 0 ? '' : ` ${rest} ${rest === 1 ? 'list is' : 'lists are'} missing or not allowed.`;
  const cost = rows.reduce((total, { requests }) => total + requests, 0);
  const changes = `${sum(({ added }) => added)} added, ${sum(({ changed }) => changed)} changed, ${sum(({ gone }) => gone)} gone; ${counted(cost, 'request')}`;
  const told = isOneLine ? ` (${changes}).` : `.\n${changes}. Each list: -o table.`;
  return `Done: ${synced} lists with ${sum(({ items }) => items)} items are up to date in ${into}${told}${others}`;
}

function summaryOf({ rows, fatal }: Outcome, { named, notes, into, next, left, form }: Asked): Done {
  // Nothing was read, so there is nothing to sum up.
  if (fatal !== undefined && !rows.some(({ state }) => state === 'synced' || state === 'unproven')) throw fatal;
  return {
    result:
      form === 'rows'
        ? listOf(rows, ['family', 'state', 'added', 'changed', 'gone', 'items', 'requests', 'seen_since', 'why'])
        : {
            shape: 'text',
            text: `${closing(rows, into, form === 'line')}\n`,
            prose: true,
          },
    finish: () => {
      if (fatal !== undefined) throw fatal;
      const fault = outcome(rows, named);
      if (!fault && form === 'lines' && !(left === '' && next === '')) notes.note(say`${left}${next}`);
      if (!fault && form === 'rows') notes.note(say`${closing(rows, into, true)} ${left}${next}`);
      return fault;
    },
  };
}

function targetOf(context: Context, given: string | undefined): { out: string; sqlite: boolean } {
  const example = say`For example: ${cops`sync copies/`}, or ${cops`sync copies.sqlite`}`;
  if (given === undefined || given === '-' || given === '')
    throw usage('Name a folder or a SQLite file to sync into.', example);
  const { format } = formatOf(given);
  const sqlite = !isFolder(given) && format === 'sqlite';
  if (!isFolder(given) && format !== undefined && !sqlite)
    throw usage(`One ${format} file cannot hold several lists.`, example);
  const path = typedPath(context.world, given);
  return { out: isAbsolute(given) ? given : path, sqlite };
}

/**
 * The arguments with the target first: if only families are named, the profile's own mirror.
 * @throws CopsError usage (2) for a new folder with a name that people use for a family
 */
async function wordsOf(context: Context, words: readonly string[]): Promise<readonly string[]> {
  const [first] = words;
  const own = async (): Promise<string> => (await nameOfMirror(context, undefined)) ?? ownMirror(context);
  if (first === undefined) return [await own()];
  if (isPostgresAddress(first)) return words;
  refuseAddress(first, 'sync');
  if (existsSync(typedPath(context.world, first))) return words;
  if (familyByCommand(first)) return [await own(), ...words];
  const meant = /^[a-z-]+$/i.test(first) ? await meantFamily(first) : undefined;
  if (meant === undefined) return words;
  const [lists, folder] = [meant, `./${first}`].map((word) => cops`sync ${[word, ...words.slice(1)]}`);
  throw usage(`"${first}" is neither a family nor a folder.`, say`For the list: ${lists}. For a new folder: ${folder}`);
}

function rowOf(family: string, { manifest, added, requests }: ExportReport): SyncRow {
  const { complete, items, unproven } = manifest;
  return { ...unread(family, complete ? 'synced' : 'unproven', unproven[0] ?? null), added, items, requests };
}

function unread(family: string, state: SyncRow['state'], why: string | null): SyncRow {
  return { family, state, added: 0, changed: null, gone: null, items: 0, requests: 0, seen_since: null, why };
}

/** The state of a list after an error that concerns only it; undefined for an error that concerns all lists. */
function stateOf(error: unknown): SyncRow['state'] | undefined {
  if (!(error instanceof CopsError)) return undefined;
  if (error.facts.httpStatus === NOT_ALLOWED_METHOD) return 'not there';
  const states: Readonly<Record<string, SyncRow['state']>> = {
    not_authorised: 'not allowed',
    not_found: 'not there',
    refused: 'failed',
    service_failed: 'failed',
  };
  return states[error.kind];
}

function outcome(rows: readonly SyncRow[], named: boolean): CopsError | undefined {
  if (rows.length > 0 && rows.every(({ state }) => state === 'not allowed')) {
    return new CopsError('not_authorised', 'The key may not read any of the lists.', {
      hint: say`Check which key is used: ${cops`whoami`}.`,
    });
  }
  // A key may be unable to read a list that was not named; a named one is missing.
  const bad = rows.filter(({ state }) => state === 'failed' || state === 'unproven' || (named && state !== 'synced'));
  if (bad.length === 0) return undefined;
  return new CopsError(
    'incomplete',
    `${bad.length} of ${rows.length} lists are not proven complete: ${bad.map(({ family }) => family).join(', ')}.`,
    { more: { lists: bad } },
  );
}
