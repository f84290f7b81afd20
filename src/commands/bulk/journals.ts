import { rm } from 'node:fs/promises';
import { hasMoments } from '../../body/moments.js';
import { type Checked, checkedRows, checkInput } from '../../bulk/check.js';
import { type Comparison, compareWithHistory } from '../../bulk/compare.js';
import { Journal, type JournalFile, journalFile, scanJournal } from '../../bulk/journal.js';
import type { RowMapper } from '../../bulk/map-row.js';
import { REPORT_COLUMNS, reportRows, statusOf } from '../../bulk/report.js';
import { type JournalState, RESUMABLE, RETRYABLE } from '../../bulk/state.js';
import type { Context } from '../../command/context.js';
import { DEFAULTS } from '../../command/defaults.js';
import type { Done } from '../../command/run.js';
import { local, usage } from '../../errors/errors.js';
import { each, Item } from '../../json/item.js';
import { serialise } from '../../json/tree.js';
import { planRequest } from '../../request/plan.js';
import { decide } from '../../safety/decide.js';
import { maskBodyText } from '../../secrets/mask-body.js';
import { secretPlaces } from '../../secrets/secret-paths.js';
import { dryRunItem } from '../operation/dry-run.js';
import { openReader } from '../operation/reading.js';
import { refuseReadOnly } from '../operation/write.js';
import {
  type BulkGoOn,
  type BulkInput,
  bound,
  headerOf,
  historyOf,
  inputOf,
  journalOptions,
  operationOf,
  placeOf,
  sourceOf,
} from './binding.js';
import { endInHistory } from './end-in-history.js';
import { errorOf } from './row-error.js';
import { type BulkJob, commandOf, guardBulk, guardRepeats, mapperOf, runJournal } from './run-journal.js';
import { askTheTime, withServiceClock } from './service-time.js';
import { noteBegun, refuseUnfinished } from './unfinished.js';

export type { BulkGoOn, BulkInput } from './binding.js';

/** Rows that a dry run shows. */
const DRY_RUN_ROWS = 5;
/** Rows whose items are read for the sums of the question. */
const QUESTION_ROWS = 100;

/** Which columns of a file go nowhere, and which go into bodies that nobody has described. */
function sayColumns({ notes }: Context, { ignored, unknown }: RowMapper): void {
  if (unknown.size > 0)
    notes.warn(
      `Sent in each body as they are, since no field of this action is documented: ${[...unknown].join(', ')}. ` +
        'A file of ids alone sends none.',
    );
  if (ignored.size > 0) notes.note(`Columns left out: ${[...ignored].join(', ')}.`);
}

/** `cops bulk <family> <action>`, and several ids on one command (command line, section 9). */
export async function bulkRun(of: Context, input: BulkInput): Promise<Done> {
  // The guard against repeats looks from before the command began: another one may do the same while this one asks.
  const began = of.world.started ?? of.world.now();
  const { context, clock } = withServiceClock(of);
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
  context.world.interrupted.throwIfAborted();
  const dates = hasMoments(operation) ? { now: await context.now(), tz: profile.tz.value } : undefined;
  const mapper = mapperOf(profile, job, input.templates ?? [], base, dates);
  let keep = context.options.dryRun;
  try {
    const checked = await checkInput(source, mapper, context.options.dryRun ? DRY_RUN_ROWS : QUESTION_ROWS);
    if (mapper.sawSecret && source.path === place.rowsPath) {
      throw usage('rows with secrets would have to be kept on the disk: give them as a file (--input <file>)');
    }
    sayColumns(context, mapper);
    if (context.options.dryRun) return await dryRun(context, job, checked);
    if (!input.again) await guardRepeats(profile, historyOf(context), checkedRows(source, mapper, checked.marks));
    const header = headerOf(context, job, source, input, checked, profile, place.rowsPath, serialise(base), {
      began,
      clock: dates,
    });
    if (!input.again) await refuseUnfinished(context, header);
    await context.transport(job.concurrency);
    const reader = await openReader(context);
    const counted = input.ids === undefined;
    await guardBulk(
      context,
      job,
      reader,
      { count: checked.rows, first: checked.first },
      { counted, rowsFromStdin: [input.idsFile, input.inputFile].includes('-'), expect: input.expect },
    );
    context.world.interrupted.throwIfAborted();
    const journal = await Journal.create(journalFile(place.journal), header, journalOptions(context));
    keep = true;
    await noteBegun(context, header, place.journal).catch(async (cause: Error) => {
      await journal.close();
      throw local(`cannot note the run in ${context.dataDir}: ${cause.message}`, 'Nothing was sent.', cause);
    });
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
        clock,
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

/**
 * `cops bulk resume <journal>` goes on with what was never done, `cops bulk retry-failed <journal>` with what the service
 * refused, each as a new intention with a new key.
 */
export async function bulkGoOn(of: Context, path: string, what: 'run' | 'retry', options: BulkGoOn): Promise<Done> {
  const watched = withServiceClock(of);
  const { context, clock } = watched;
  const file = journalFile(path);
  const { state } = await scanJournal(file);
  const { header } = state;
  const profile = await context.profile();
  bound(header, profile, path);
  // Risk and permission are those of today's catalogue and profile: a journal is a file that anybody may have written.
  const { family, operation } = await operationOf(header);
  await refuseReadOnly(context, operation, operation.risk);
  const job = jobOf({ family, operation, risk: operation.risk }, options);
  const { source, mapper } = inputOf(header, path, profile, job);
  const wanted = what === 'run' ? [...RESUMABLE, 'open' as const] : RETRYABLE;
  const left = state.count(...wanted);
  if (left === 0) return nothingLeft(context, file, state, what);
  const isDry = context.options.dryRun;
  const shown = isDry ? DRY_RUN_ROWS : QUESTION_ROWS;
  const checked = await checkInput(source, mapper, shown, (row) => wanted.includes(state.stand(row)));
  if (checked.sha256 !== header.input.sha256) {
    throw local(
      `${source.name} is not what it was when the run began`,
      'Nothing was sent. Put the old input back, or begin a new run with what is left (cops bulk report).',
    );
  }
  if (isDry) return dryRun(context, job, { first: checked.first, rows: left });
  await context.transport(job.concurrency);
  const reader = await openReader(context);
  await guardBulk(
    context,
    job,
    reader,
    { count: left, first: checked.first },
    // What a journal says of its input spares no count.
    { counted: true, retry: what === 'retry', expect: options.expect },
  );
  context.world.interrupted.throwIfAborted();
  if (profile.fingerprint !== header.credential) {
    context.notes.warn(
      'Another key is in use than at the start: rows sent under the old one without a known result stay unknown.',
    );
  }
  const journal = await Journal.open(file, header.id, profile.fingerprint, journalOptions(context));
  if (journal.healed) {
    context.notes.warn(`The end of ${path} was damaged and is cut off; its rows are compared with the history.`);
  }
  const compared = await comparedRows(context, journal, checked).catch(async (error: unknown) => {
    await journal.close();
    throw error;
  });
  await endInHistory(context, file, header.id);
  await askTheTime(watched, { family, operation }, journal.state);
  return runJournal(
    context,
    job,
    reader,
    journal,
    { source, mapper, marks: checked.marks },
    {
      what,
      compared,
      clock,
      journalPath: path,
      again: options.again === true,
      answers: false,
    },
  );
}

/** What a run that has nothing more to send ends with. */
async function nothingLeft(
  context: Context,
  file: JournalFile,
  state: JournalState,
  what: 'run' | 'retry',
): Promise<Done> {
  if (!context.options.dryRun) await endInHistory(context, file, state.header.id);
  context.notes.note(
    what === 'run' ? 'Nothing is left to be sent.' : 'No row failed in a way that can be tried again.',
  );
  const { path } = file;
  const failure = errorOf({ counts: state.counts(), gone: state.gone, codes: [], leftOut: 0 }, 130, path);
  return { result: { shape: 'one', item: Item.of(statusOf(path, state)) }, finish: () => failure };
}

async function comparedRows(context: Context, journal: Journal, checked: Checked): Promise<Comparison> {
  const history = historyOf(context);
  const { state } = journal;
  return compareWithHistory(
    state,
    checked.marks,
    () => history.intentsOf(state.header.id),
    (ids) => history.endedOf(ids),
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

function jobOf(
  of: Pick<BulkJob, 'family' | 'operation' | 'risk'>,
  options: BulkGoOn & { readonly validate?: boolean },
): BulkJob {
  return {
    family: of.family,
    operation: of.operation,
    risk: of.risk,
    concurrency: options.concurrency ?? DEFAULTS.bulkConcurrency,
    stopOnFraud: options.stopOnFraud === true,
    reason: options.reason,
    maxFailures: options.maxFailures,
    empty: options.empty,
    validate: options.validate,
  };
}

async function dryRun(context: Context, job: BulkJob, checked: Pick<Checked, 'first' | 'rows'>): Promise<Done> {
  const items: Item[] = [];
  for (const { ids, body } of checked.first) {
    const request = planRequest(job.family, job.operation, { ids, body });
    items.push(await dryRunItem(context, request, maskBodyText(job.operation, request.body ?? '{}')));
  }
  const rest = checked.rows - checked.first.length;
  context.notes.note(
    `Dry run: ${checked.rows} ${checked.rows === 1 ? 'request' : 'requests'}${rest > 0 ? `, the first ${checked.first.length} shown` : ''}; nothing was sent.`,
  );
  return {
    result: {
      shape: 'list',
      items: each(items),
      columns: [{ path: 'method' }, { path: 'url', whole: true }, { path: 'body' }],
      idField: 'url',
    },
  };
}
