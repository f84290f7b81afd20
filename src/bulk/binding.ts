import { isAbsolute, join } from 'node:path';
import { accountRecords } from '../account/account-records.js';
import type { History } from '../account/history/types.js';
import type { JournalHeader, RowCondition, RunLimits } from '../account/journal/journal-lines.js';
import type { JournalPlace } from '../account/journal/types.js';
import { FROM_ENVIRONMENT } from '../account/profiles/profile-names.js';
import type { Profile } from '../account/profiles/types.js';
import { operationOfRows } from '../account/safety/as-sent.js';
import { closing, local, orLocal, stopped, usage } from '../base/errors/errors.js';
import { openGivenFile } from '../base/files/read-file.js';
import { typedPath } from '../base/files/typed-path.js';
import { type CommandLine, cops, say } from '../base/text/command-line.js';
import { findOperation, loadFamily } from '../catalogue/index.js';
import type { FamilyOperation } from '../catalogue/types.js';
import { parseJson } from '../items/json/parse-json.js';
import { isObject, serialise, type TreeObject } from '../items/json/tree.js';
import { atOnce } from '../screen/notes.js';
import { serviceName } from '../service/http/base-url.js';
import { takesIdempotencyKey } from '../service/request/request-plan.js';
import type { Context } from '../session/context/context.js';
import type { LimitedWrites } from '../session/write/prepared-write.js';
import type { Checked } from './check.js';
import { fileSource, isRegular, keepStream, kindByContent, kindByName, listSource, type RowSource } from './input.js';
import type { MapperOptions, RowMapper } from './map-row.js';
import { type BulkGoOn, type BulkJob, mapperOf } from './run-journal.js';

/** The options of a run's command line. */
export interface BulkInput extends BulkGoOn, LimitedWrites, Pick<MapperOptions, 'subject'> {
  /** Ids of the command line (several ids on one command). */
  readonly ids?: readonly string[];
  /** `--ids`: a file of ids, or `-`. */
  readonly idsFile?: string;
  /** `--input`: a file of rows, or `-`. */
  readonly inputFile?: string;
  /** Rows taken from a list, and the conditions that selected them. */
  readonly chosen?: { readonly ids: readonly string[]; readonly condition: RowCondition } | undefined;
  /** `-d`, with `{column}` for a cell. */
  readonly templates?: readonly string[];
  /** A base body for every row. */
  readonly base?: TreeObject;
  readonly journal?: string;
  readonly noKey?: boolean;
  /** Skips rows whose names cannot be resolved (`--skip-unresolved`). */
  readonly skipUnresolved?: boolean;
  /** Each person's newest item is meant (`--latest`). */
  readonly latest?: boolean;
  /** The command line had names in place of ids. */
  readonly byName?: boolean;
  /** False with `--no-strict-ids`. */
  readonly strictIds?: boolean;
}

/** Where to store rows that can be read only once: beside the journal, or on this machine if it is no file. */
export function rowsPathOf({ dataDir }: Pick<Context, 'dataDir'>, journal: string): string {
  return isAbsolute(journal) ? `${journal}.rows` : join(dataDir, 'journals', `${journal}.rows`);
}

/** The rows of a run; input that can be read only once is stored beside the journal. */
export async function sourceOf(context: Context, input: BulkInput, rowsPath: string): Promise<RowSource> {
  const { ids, idsFile, inputFile, chosen } = input;
  const given = [ids, idsFile, inputFile, chosen].filter((one) => one !== undefined).length;
  if (given !== 1) throw usage('give one of --ids, --input, and --where or --with, which select rows of the list');
  if (chosen) {
    const { Readable } = await import('node:stream');
    await keepStream(Readable.from(chosen.ids.map((id) => `${id}\n`)), rowsPath);
    return fileSource(rowsPath, 'ids', 'the list');
  }
  if (ids) return listSource(ids);
  const file = idsFile ?? inputFile ?? '';
  let path = file === '-' ? rowsPath : typedPath(context.world, file);
  const name = file === '-' ? 'standard input' : file;
  if (file === '-') {
    if (context.world.stdin.isTTY)
      atOnce(context.notes).note('Reading from the terminal, one per line; Ctrl-D on a new line ends.');
    await keepStream(context.world.stdin, rowsPath);
  } else if (!(await isRegular(path))) {
    // A pipe of the shell (`<(...)`) can be read only once, like standard input.
    const { Readable } = await import('node:stream');
    await keepStream(Readable.from(await givenPipe(path)), rowsPath);
    path = rowsPath;
  }
  if (idsFile !== undefined) return fileSource(path, 'ids', name);
  return fileSource(path, kindByName(file) ?? (await kindByContent(path, name)), name);
}

/** @throws CopsError local (11) for a device, or a pipe without a writer */
async function givenPipe(path: string): Promise<AsyncIterable<Buffer>> {
  return orLocal(async () => (await openGivenFile(path)) as AsyncIterable<Buffer>, `cannot read ${path}`);
}

/** The initial state of a run, read and checked. */
export interface BegunRun {
  readonly source: RowSource;
  readonly rowsPath: string;
  readonly checked: Checked;
  readonly base: TreeObject;
  /** True if the rows are stored as resolved writes. */
  readonly areSettled?: boolean | undefined;
  /** Milliseconds. */
  readonly began: number;
  readonly clock: JournalHeader['clock'];
}

/** The limits at which a run stops, as stored in its journal. */
export const limitsOf = ({ maxFailures, stopOnFraud }: BulkGoOn): RunLimits => ({
  max_failures: maxFailures,
  stop_on_fraud: stopOnFraud === true || undefined,
});

/** What the journal is bound to. */
export async function headerOf(context: Context, input: BulkInput, begun: BegunRun): Promise<JournalHeader> {
  const profile = await context.profile();
  const { kind, path, list } = begun.source;
  return {
    type: 'header',
    version: 2,
    id: context.world.uuid(),
    created: new Date(begun.began).toISOString(),
    profile: profile.name.value,
    base_url: profile.baseUrl.value,
    mode: profile.mode.value,
    family: input.family.name,
    action: input.operation.action,
    risk: input.risk,
    credential: profile.fingerprint,
    input: { kind, path: path === begun.rowsPath ? undefined : path, list, sha256: begun.checked.sha256 },
    templates: input.templates ?? [],
    base: serialise(begun.base),
    validate: input.validate !== false,
    empty: input.empty,
    id_column: input.idColumn,
    settled: begun.areSettled,
    ...limitsOf(input),
    clock: begun.clock,
    rows: begun.checked.marks.count,
    condition: input.chosen?.condition,
    keyless: input.noKey === true || profile.idempotencyKey.value === 'never' || !takesIdempotencyKey(input.operation),
  };
}

/** @throws CopsError stopped (12) if the journal belongs to another profile, service or mode */
export function bound(
  header: JournalHeader,
  profile: Profile,
  { name: path, isShared }: Pick<JournalPlace, 'name' | 'isShared'>,
  line: CommandLine,
): void {
  const { value: baseUrl } = profile.baseUrl;
  // Two spellings of one service count as the same.
  const isSame = serviceName(header.base_url) === serviceName(baseUrl);
  const wrong = [
    // On a teammate's machine the account may have another name.
    ['profile', header.profile, isShared ? header.profile : profile.name.value],
    ['base URL', header.base_url, isSame ? header.base_url : baseUrl],
    ['mode', header.mode, profile.mode.value],
  ].filter(([, was, is]) => was !== is);
  if (wrong.length === 0) return;
  const words = wrong.map(([word, was, is]) => `${word} ${was}, not ${is}`).join('; ');
  const own = header.profile === FROM_ENVIRONMENT ? undefined : header.profile;
  throw stopped(`${path} was started with ${words}: nothing was sent`, say`Use: ${line.in(own, header.mode)}`);
}

/**
 * The context of a run's own profile, if neither the line nor the environment names one or brings a key. Test mode
 * comes from the journal; live mode must be given, or be the profile's setting.
 */
export function inItsProfile(
  context: Context,
  header: JournalHeader,
  { isShared }: Pick<JournalPlace, 'isShared'>,
): Context {
  const { options, world, notes } = context;
  const { env } = world;
  const isNamed = [options.profile, options.baseUrl, env.COPS_PROFILE, env.COPS_API_KEY, env.COPS_BASE_URL].some(
    Boolean,
  );
  if (isShared || isNamed || header.profile === FROM_ENVIRONMENT) return context;
  const said = options.mode ?? env.COPS_MODE;
  const mode = said || header.mode === 'live' ? options.mode : 'test';
  notes.note(`Using profile ${header.profile}, from the journal.`);
  return context.inEnvironment(header.profile, mode);
}

/** @throws CopsError local (11) if this version does not know the operation */
export async function operationOf(header: JournalHeader): Promise<FamilyOperation> {
  if (header.family === 'setup')
    throw usage('This is the journal of a set-up.', say`Continue with: ${cops`setup resume <journal>`}`);
  const family = await loadFamily(header.family);
  const operation = findOperation(family, header.action);
  if (!operation) throw local(`this version does not know ${header.family} ${header.action}`);
  if (operation.method !== 'POST') throw local(`${header.family} ${header.action} only reads, which no run does`);
  return { family, operation: operationOfRows(operation) };
}

/** The rows and their meaning, according to the journal. */
export function boundInput(
  header: JournalHeader,
  rowsPath: string,
  profile: Profile,
  job: BulkJob,
): { source: RowSource; mapper: RowMapper } {
  const { kind, list, path: file } = header.input;
  const source = list ? listSource(list) : fileSource(file ?? rowsPath, kind);
  const { value } = parseJson(header.base ?? '{}');
  const mapper = mapperOf(
    profile,
    {
      ...job,
      validate: header.validate !== false,
      empty: header.empty ?? job.empty,
      idColumn: header.id_column,
      areSettled: header.settled,
    },
    header.templates,
    isObject(value) ? value : {},
    header.clock,
  );
  return { source, mapper };
}

/**
 * Ends entries in the history whose end the journal knows: a killed process may have written only one of them, and an
 * entry without an end stops every later write like it.
 */
export async function endInHistory(context: Context, file: JournalPlace, run: string): Promise<void> {
  return closing(await accountRecords(context).history(), async (history) => {
    const open = await openOf(history, run);
    if (open.size === 0) return;
    for (const [id, as] of await endsOf(file, open)) {
      // An entry settled in the meantime needs nothing.
      await history.settle(id, as, 'the journal knows its end').catch(() => undefined);
    }
  });
}

/** The entries of a run that have no outcome and no running process that could still write one. */
async function openOf(history: History, run: string): Promise<ReadonlySet<string>> {
  const open = new Set<string>();
  for await (const { id, journal } of history.list({ unknownOnly: true })) if (journal === run) open.add(id);
  return open;
}

/** The outcomes that a journal records for these entries. A retried row has one entry per attempt. */
async function endsOf(file: JournalPlace, open: ReadonlySet<string>): Promise<Iterable<[string, 'done' | 'not-done']>> {
  const known = new Map<string, 'done' | 'not-done'>();
  const entryOf = new Map<number, string>();
  await file.scan((line) => {
    if (line.type === 'intent') {
      if (line.history !== undefined && open.has(line.history)) entryOf.set(line.row, line.history);
      else entryOf.delete(line.row);
    } else if (line.type === 'result' || line.type === 'resolved') {
      const id = entryOf.get(line.row);
      const outcome = line.type === 'result' ? line.outcome : line.as;
      if (id !== undefined && outcome !== 'unknown') known.set(id, outcome === 'done' ? 'done' : 'not-done');
    }
  });
  return known;
}
