import { rm } from 'node:fs/promises';
import { type Checked, checkedRows, checkInput } from '../bulk/check.js';
import { countsOf } from '../bulk/engine.js';
import { Journal, journalFile, scanJournal } from '../bulk/journal.js';
import { reconcileRows, type UnknownRow } from '../bulk/reconcile.js';
import { REPORT_COLUMNS, reportRows, statusOf } from '../bulk/report.js';
import { RESUMABLE, RETRYABLE } from '../bulk/state.js';
import type { PlannedRow } from '../bulk/types.js';
import type { Context } from '../cli/context.js';
import type { Done } from '../cli/job.js';
import { CopsError, local, usage } from '../errors/errors.js';
import { Item } from '../json/item.js';
import { planRequest } from '../request/plan.js';
import { secretPlaces } from '../request/secret-names.js';
import { maskBodyText } from '../request/secrets.js';
import { serialise } from '../request/tree.js';
import { decide, type KnownRisk } from '../safety/decide.js';
import { openHistory } from '../safety/history.js';
import {
  type BulkGoOn,
  type BulkInput,
  bound,
  headerOf,
  inputOf,
  operationOf,
  placeOf,
  sourceOf,
} from './bulk-binding.js';
import { errorOf } from './bulk-error.js';
import { lookUpsOf } from './bulk-lookups.js';
import { type BulkJob, commandOf, guardBulk, guardRepeats, mapperOf, runJournal } from './bulk-run.js';
import { dryRunItem } from './dry-run.js';
import { openReader } from './reading.js';

export type { BulkGoOn, BulkInput } from './bulk-binding.js';

const CONCURRENCY = 4;
const MOST_CONCURRENCY = 64;
const DRY_RUN_ROWS = 5;
/** Rows whose items are read for the sums of the question. */
const QUESTION_ROWS = 100;

/** `cops bulk <family> <action>`, and several ids on one command (command line, section 9). */
export async function bulkRun(context: Context, input: BulkInput): Promise<Done> {
  const profile = await context.profile();
  const { operation, risk } = input;
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
    const checked = await checkInput(source, mapper, context.options.dryRun ? DRY_RUN_ROWS : QUESTION_ROWS);
    if (mapper.sawSecret && source.path === place.rowsPath) {
      throw usage('rows with secrets would have to be kept on the disk: give them as a file (--input <file>)');
    }
    if (mapper.ignored.size > 0) context.notes.note(`Columns left out: ${[...mapper.ignored].join(', ')}.`);
    if (context.options.dryRun) return await dryRun(context, job, checked);
    if (!input.again) await guardRepeats(context, checkedRows(source, mapper, checked.marks));
    await context.transport(job.concurrency);
    const reader = await openReader(context);
    const counted = input.ids === undefined;
    await guardBulk(
      context,
      job,
      reader,
      { count: checked.rows, first: checked.first },
      { counted, rowsFromStdin: [input.idsFile, input.inputFile].includes('-'), ...expectOf(input) },
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
        again: input.again === true,
        answers: input.ids !== undefined,
        after: async (summary) => {
          const { counts } = summary;
          if (counts.done < header.rows) return;
          await rm(place.rowsPath, { force: true });
          if (place.temporary) await rm(place.journal, { force: true });
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
  const wanted = what === 'run' ? [...RESUMABLE, 'open' as const] : RETRYABLE;
  const left = state.count(...wanted);
  if (left === 0) {
    context.notes.note(
      what === 'run' ? 'Nothing is left to be sent.' : 'No row failed in a way that can be tried again.',
    );
    const failure = errorOf({ counts: countsOf({ state }), codes: [], leftOut: 0 }, 130, path);
    return { result: { shape: 'one', item: Item.of(statusOf(path, state)) }, finish: () => failure };
  }
  const checked = await checkInput(source, mapper, QUESTION_ROWS, (row) => wanted.includes(state.stand(row)));
  if (checked.sha256 !== header.input.sha256) {
    throw local(
      `${source.name} is not what it was when the run began`,
      'Nothing was sent. Put the old input back, or begin a new run with what is left (cops bulk report).',
    );
  }
  await context.transport(job.concurrency);
  const reader = await openReader(context);
  await guardBulk(
    context,
    job,
    reader,
    { count: left, first: checked.first },
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
      again: options.again === true,
      answers: false,
    },
  );
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
        const stand = journal.state.stand(row.row);
        if (proposal === 'cannot_tell' || (stand !== 'open' && stand !== 'unknown')) continue;
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

async function dryRun(context: Context, job: BulkJob, checked: Checked): Promise<Done> {
  const items: Item[] = [];
  for (const row of checked.first) items.push(await dryRunRow(context, job, row));
  const rest = checked.rows - checked.first.length;
  context.notes.note(
    `Dry run: ${checked.rows} ${checked.rows === 1 ? 'request' : 'requests'}${rest > 0 ? `, the first ${checked.first.length} shown` : ''}; nothing was sent.`,
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
