import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { type Checked, checkedRows, checkInput } from '../bulk/check.js';
import {
  fileSource,
  isRegular,
  keepStream,
  kindByContent,
  kindByName,
  listSource,
  type RowSource,
} from '../bulk/input.js';
import { Journal, journalFile, scanJournal } from '../bulk/journal.js';
import type { RowMapper } from '../bulk/map-row.js';
import { reconcileRows, type UnknownRow } from '../bulk/reconcile.js';
import { REPORT_COLUMNS, reportRows, statusOf } from '../bulk/report.js';
import type { JournalHeader, PlannedRow } from '../bulk/types.js';
import { findOperation, loadFamily } from '../catalogue/index.js';
import type { Family, Operation } from '../catalogue/types.js';
import type { Context } from '../cli/context.js';
import type { Done } from '../cli/job.js';
import { CopsError, local, stopped, usage } from '../errors/errors.js';
import { Item } from '../json/item.js';
import { parseJson } from '../request/parse-json.js';
import { planRequest } from '../request/plan.js';
import { secretPlaces } from '../request/secret-names.js';
import { maskBodyText } from '../request/secrets.js';
import { isObject, serialise, type TreeObject } from '../request/tree.js';
import { decide, type KnownRisk } from '../safety/decide.js';
import { openHistory } from '../safety/history.js';
import { lookUpsOf } from './bulk-lookups.js';
import { type BulkJob, commandOf, guardBulk, guardRepeats, isKeyless, mapperOf, runJournal } from './bulk-run.js';
import { dryRunItem } from './dry-run.js';
import { openReader } from './reading.js';

/** What a run's command line says. */
export interface BulkInput {
  readonly family: Family;
  readonly operation: Operation;
  readonly risk: KnownRisk;
  /** Ids of the command line (several ids on one command). */
  readonly ids?: readonly string[];
  /** `--ids`: a file of ids, or `-`. */
  readonly idsFile?: string;
  /** `--input`: a file of rows, or `-`. */
  readonly inputFile?: string;
  /** `-d`, with `{column}` for a cell. */
  readonly templates?: readonly string[];
  /** A body that every row begins with. */
  readonly base?: TreeObject;
  readonly concurrency?: number;
  readonly maxFailures?: number;
  readonly stopOnFraud?: boolean;
  readonly expect?: number;
  readonly journal?: string;
  readonly again?: boolean;
  readonly noKey?: boolean;
  readonly validate?: boolean;
}

/** What `resume` and `retry-failed` take. */
export interface BulkGoOn {
  readonly concurrency?: number;
  readonly maxFailures?: number;
  readonly stopOnFraud?: boolean;
  readonly expect?: number;
}

const CONCURRENCY = 4;
const MOST_CONCURRENCY = 64;
const DRY_RUN_ROWS = 5;

/** `cops bulk <family> <action>`, and several ids on one command (command line, section 9). */
export async function bulkRun(context: Context, input: BulkInput): Promise<Done> {
  const profile = await context.profile();
  const { family, operation, risk } = input;
  if (operation.method !== 'POST') throw usage(`${commandOf(input)} only reads: bulk is for writes`);
  const base = input.base ?? {};
  if (secretPlaces(operation, base).length > 0) {
    throw usage('a secret cannot stand in the body of all rows: put it into a column of a file (--input)');
  }
  const job = jobOf(input, input);
  const decided = { risk, method: operation.method, profile, yes: true, canPrompt: false, operation: commandOf(job) };
  decide({ ...decided, dryRun: context.options.dryRun });
  const place = await placeOf(context, input);
  const source = await sourceOf(context, input, place.rowsPath);
  const mapper = mapperOf(profile, job, input.templates ?? [], base);
  let keep = context.options.dryRun;
  try {
    const checked = await checkInput(source, mapper, context.options.dryRun ? DRY_RUN_ROWS : 100);
    if (mapper.sawSecret && source.path === place.rowsPath) {
      throw usage('rows with secrets would have to be kept on the disk: give them as a file (--input <file>)');
    }
    if (mapper.ignored.size > 0) context.notes.note(`Columns left out: ${[...mapper.ignored].join(', ')}.`);
    if (context.options.dryRun) return await dryRun(context, job, checked);
    if (!input.again) await guardRepeats(context, checkedRows(source, mapper, checked.marks));
    const reader = await openReader(context);
    const counted = input.ids === undefined;
    await guardBulk(
      context,
      job,
      reader,
      { count: checked.rows, first: checked.first },
      { counted, ...expectOf(input) },
    );
    const header = headerOf(context, job, source, input, checked, profile, place.rowsPath, serialise(base));
    const journal = await Journal.create(journalFile(place.journal), header, { now: () => context.world.now() });
    keep = true;
    if (!place.temporary) context.notes.note(`Journal: ${place.journal}`);
    return await runJournal(
      context,
      job,
      reader,
      journal,
      { source, mapper, marks: checked.marks },
      {
        what: 'run',
        journalPath: place.journal,
        answers: input.ids !== undefined,
        after: async (summary) => {
          const { counts } = summary;
          if (place.temporary && counts.done === header.rows) await rm(place.journal, { force: true });
        },
      },
    );
  } finally {
    if (!keep || context.options.dryRun) await rm(place.rowsPath, { force: true });
  }
}

/** `cops bulk resume <journal>`: goes on with what was never done. */
export function bulkResume(context: Context, path: string, options: BulkGoOn = {}): Promise<Done> {
  return goOn(context, path, 'run', options);
}

/** `cops bulk retry-failed <journal>`: what the service refused, each as a new intention with a new key. */
export function bulkRetryFailed(context: Context, path: string, options: BulkGoOn = {}): Promise<Done> {
  return goOn(context, path, 'retry', options);
}

async function goOn(context: Context, path: string, what: 'run' | 'retry', options: BulkGoOn): Promise<Done> {
  const file = journalFile(path);
  const { state } = await scanJournal(file);
  const { header } = state;
  const profile = await context.profile();
  bound(header, profile, path);
  const { family, operation } = await operationOf(header);
  const job = jobOf({ family, operation, risk: header.risk as KnownRisk }, options);
  const { source, mapper } = inputOf(header, path, profile, job);
  const left = what === 'run' ? state.count('not_started', 'not_sent', 'rate_limited', 'open') : retryable(state);
  if (left === 0) {
    context.notes.note(
      what === 'run' ? 'Nothing is left to be sent.' : 'No row failed in a way that can be tried again.',
    );
    return { result: { shape: 'one', item: Item.of(statusOf(path, state)) } };
  }
  const checked = await checkInput(source, mapper, 100);
  if (checked.sha256 !== header.input.sha256) {
    throw local(
      `${source.name} is not what it was when the run began`,
      'Nothing was sent. Put the old input back, or begin a new run with what is left (cops bulk report).',
    );
  }
  const reader = await openReader(context);
  const first = checked.first.filter((row) => (what === 'run' ? true : isRetryable(state.stand(row.row))));
  await guardBulk(
    context,
    job,
    reader,
    { count: left, first },
    { counted: header.input.kind !== 'list', retry: what === 'retry', ...expectOf(options) },
  );
  if (profile.fingerprint !== header.credential) {
    context.notes.warn(
      'Another key is in use than at the start: rows sent under the old one without a known result stay unknown.',
    );
  }
  const journal = await Journal.open(file, profile.fingerprint, { now: () => context.world.now() });
  return runJournal(
    context,
    job,
    reader,
    journal,
    { source, mapper, marks: checked.marks },
    {
      what,
      journalPath: path,
      answers: false,
    },
  );
}

function isRetryable(stand: string): boolean {
  return stand === 'refused' || stand === 'payment_failed' || stand === 'resolved_not_done';
}

function retryable(state: {
  count(...stands: ('refused' | 'payment_failed' | 'resolved_not_done')[]): number;
}): number {
  return state.count('refused', 'payment_failed', 'resolved_not_done');
}

/** `cops bulk status <journal>`. */
export async function bulkStatus(_context: Context, path: string): Promise<Done> {
  const { state } = await scanJournal(journalFile(path));
  return { result: { shape: 'one', item: Item.of(statusOf(path, state)) } };
}

/** `cops bulk report <journal>`: every row with its outcome. */
export async function bulkReport(_context: Context, path: string): Promise<Done> {
  const file = journalFile(path);
  await scanJournal(file);
  return { result: { shape: 'list', items: reportRows(file), columns: REPORT_COLUMNS, idField: 'id' } };
}

/** `cops bulk reconcile <journal> [--apply]`: looks up what is unknown, proposes, records only when told to. */
export async function bulkReconcile(context: Context, path: string, options: { apply?: boolean } = {}): Promise<Done> {
  const file = journalFile(path);
  const callIds = new Map<number, string>();
  const { state } = await scanJournal(file, (line) => {
    if (line.type === 'result' && line.outcome === 'unknown' && line.api_call_id)
      callIds.set(line.row, line.api_call_id);
  });
  const { header } = state;
  const profile = await context.profile();
  bound(header, profile, path);
  const { family, operation } = await operationOf(header);
  const rows: UnknownRow[] = [];
  for (const [row, open] of state.pending) {
    const stand = state.stand(row);
    if (stand !== 'open' && stand !== 'unknown') continue;
    const apiCallId = callIds.get(row);
    rows.push({ row, ...open, ...(apiCallId === undefined ? {} : { apiCallId }) });
  }
  rows.sort((a, b) => a.row - b.row);
  const reader = await openReader(context);
  const now = await context.now();
  const findings = await reconcileRows(rows, operation.action, await lookUpsOf(reader, family), now);
  if (options.apply) {
    const journal = await Journal.open(file, profile.fingerprint, { now: () => context.world.now() });
    const history = openHistory(context.configDir, { now: () => context.world.now() });
    try {
      for (const { row, proposal, evidence, apiCallId } of findings) {
        if (proposal === 'cannot_tell') continue;
        const known = {
          row: row.row,
          line: row.line,
          ids: row.ids,
          ...(row.key === undefined ? {} : { key: row.key }),
        };
        const line = {
          type: 'resolved',
          ...known,
          time: journal.stamp(),
          as: proposal,
          evidence,
          api_call_id: apiCallId ?? null,
        } as const;
        await journal.append(line, true);
        const as = proposal === 'done' ? 'done' : 'not-done';
        // The journal has it; a history entry that is gone or settled by hand needs nothing.
        if (row.history) await history.settle(row.history, as, evidence.join('; ')).catch(() => undefined);
      }
    } finally {
      await journal.close();
      await history.close();
    }
  }
  const open = findings.filter((one) => !options.apply || one.proposal === 'cannot_tell').length;
  const items = findings.map(({ row, proposal, evidence, apiCallId }) =>
    Item.of({
      row: row.row,
      line: row.line,
      id: row.ids.join(' '),
      proposal,
      evidence,
      api_call_id: apiCallId,
      key: row.key,
    }),
  );
  const columns = [
    { path: 'row' },
    { path: 'line' },
    { path: 'id' },
    { path: 'proposal', as: 'status' as const },
    { path: 'evidence' },
  ];
  return {
    result: { shape: 'list', items: each(items), columns, idField: 'id' },
    finish: () => {
      if (findings.length === 0) context.notes.note('No row is unknown.');
      else if (!options.apply) context.notes.note('Nothing was recorded. To record what is proposed: add --apply.');
      if (open === 0) return undefined;
      return new CopsError('outcome_unknown', `${open} of ${findings.length} rows are still unknown`, {
        hint: options.apply ? 'Look at them by hand, or look again later.' : `cops bulk reconcile ${path} --apply`,
      });
    },
  };
}

function jobOf(
  of: Pick<BulkJob, 'family' | 'operation' | 'risk'>,
  options: BulkGoOn & { readonly validate?: boolean },
): BulkJob {
  const concurrency = options.concurrency ?? CONCURRENCY;
  if (!Number.isInteger(concurrency) || concurrency < 1 || concurrency > MOST_CONCURRENCY) {
    throw usage(`--concurrency takes a number from 1 to ${MOST_CONCURRENCY}`);
  }
  if (options.maxFailures !== undefined && !(Number.isInteger(options.maxFailures) && options.maxFailures >= 0)) {
    throw usage('--max-failures takes a whole number');
  }
  return {
    family: of.family,
    operation: of.operation,
    risk: of.risk,
    concurrency,
    stopOnFraud: options.stopOnFraud === true,
    ...(options.maxFailures === undefined ? {} : { maxFailures: options.maxFailures }),
    ...(options.validate === undefined ? {} : { validate: options.validate }),
  };
}

function expectOf(options: { readonly expect?: number }): { expect?: number } {
  return options.expect === undefined ? {} : { expect: options.expect };
}

interface Place {
  readonly journal: string;
  readonly rowsPath: string;
  /** Made here for several ids on one command: gone once everything is done. */
  readonly temporary: boolean;
}

async function placeOf(context: Context, input: BulkInput): Promise<Place> {
  if (input.journal !== undefined) {
    const journal = resolve(context.world.cwd, input.journal);
    return { journal, rowsPath: `${journal}.rows`, temporary: false };
  }
  const folder = join(context.dataDir, 'journals');
  await mkdir(folder, { recursive: true, mode: 0o700 }).catch((cause: Error) => {
    throw local(`cannot make ${folder}: ${cause.message}`, undefined, cause);
  });
  const time = new Date(context.world.now()).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
  const name = `${time}-${commandOf(input).replaceAll(' ', '-')}-${randomUUID().slice(0, 4)}.journal`;
  const journal = join(folder, name);
  return { journal, rowsPath: `${journal}.rows`, temporary: input.ids !== undefined };
}

async function sourceOf(context: Context, input: BulkInput, rowsPath: string): Promise<RowSource> {
  const { ids, idsFile, inputFile } = input;
  const given = [ids, idsFile, inputFile].filter((one) => one !== undefined).length;
  if (given !== 1) throw usage('give either --ids or --input');
  if (ids) return listSource(ids);
  const file = idsFile ?? inputFile ?? '';
  let path = file === '-' ? rowsPath : resolve(context.world.cwd, file);
  const name = file === '-' ? 'standard input' : file;
  if (file === '-') await keepStream(context.world.stdin, rowsPath);
  else if (!(await isRegular(path))) {
    // A pipe of the shell (`<(...)`) can be read once only, like standard input.
    const { createReadStream } = await import('node:fs');
    await keepStream(createReadStream(path), rowsPath);
    path = rowsPath;
  }
  if (idsFile !== undefined) return fileSource(path, 'ids', name);
  return fileSource(path, kindByName(file) ?? (await kindByContent(path, name)), name);
}

function headerOf(
  context: Context,
  job: BulkJob,
  source: RowSource,
  input: BulkInput,
  checked: Checked,
  profile: Awaited<ReturnType<Context['profile']>>,
  rowsPath: string,
  base: string,
): JournalHeader {
  return {
    type: 'header',
    version: 1,
    id: context.world.uuid(),
    created: new Date(context.world.now()).toISOString(),
    profile: profile.name.value,
    base_url: profile.baseUrl.value,
    mode: profile.mode.value,
    family: job.family.name,
    action: job.operation.action,
    risk: job.risk,
    credential: profile.fingerprint,
    input: {
      kind: source.kind,
      ...(source.path !== undefined && source.path !== rowsPath ? { path: source.path } : {}),
      ...(source.list ? { list: source.list } : {}),
      sha256: checked.sha256,
    },
    templates: input.templates ?? [],
    base,
    validate: input.validate !== false,
    rows: checked.rows,
    keyless: isKeyless(profile, job, input.noKey === true),
  };
}

/** @throws CopsError stopped (12) when the journal belongs to another profile, service or mode */
function bound(header: JournalHeader, profile: Awaited<ReturnType<Context['profile']>>, path: string): void {
  const wrong = [
    ['profile', header.profile, profile.name.value],
    ['base URL', header.base_url, profile.baseUrl.value],
    ['mode', header.mode, profile.mode.value],
  ].filter(([, was, is]) => was !== is);
  if (wrong.length === 0) return;
  const words = wrong.map(([word, was, is]) => `${word} ${was}, not ${is}`).join('; ');
  throw stopped(`${path} was begun with ${words}: nothing was sent`, `Use: -p ${header.profile} --${header.mode}`);
}

async function operationOf(header: JournalHeader): Promise<{ family: Family; operation: Operation }> {
  const family = await loadFamily(header.family);
  const operation = findOperation(family, header.action);
  if (!operation) throw local(`this version knows no ${header.family} ${header.action}`);
  return { family, operation };
}

function inputOf(
  header: JournalHeader,
  path: string,
  profile: Awaited<ReturnType<Context['profile']>>,
  job: BulkJob,
): { source: RowSource; mapper: RowMapper } {
  const { kind, list, path: file } = header.input;
  const source = list ? listSource(list) : fileSource(file ?? `${path}.rows`, kind);
  const { value } = parseJson(header.base ?? '{}');
  const mapper = mapperOf(
    profile,
    { ...job, validate: header.validate !== false },
    header.templates,
    isObject(value) ? value : {},
  );
  return { source, mapper };
}

async function dryRun(context: Context, job: BulkJob, checked: Checked): Promise<Done> {
  const items: Item[] = [];
  for (const row of checked.first) items.push(await dryRunRow(context, job, row));
  const rest = checked.rows - checked.first.length;
  context.notes.note(
    `Dry run: ${checked.rows} requests${rest > 0 ? `, the first ${checked.first.length} shown` : ''}; nothing was sent.`,
  );
  return {
    result: {
      shape: 'list',
      items: each(items),
      columns: [{ path: 'method' }, { path: 'url' }, { path: 'body' }],
      idField: 'url',
    },
  };
}

function dryRunRow(context: Context, job: BulkJob, row: PlannedRow): Promise<Item> {
  const request = planRequest(job.family, job.operation, { ids: row.ids, body: row.body });
  return dryRunItem(context, request, maskBodyText(job.operation, request.body ?? '{}'));
}

async function* each<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}
