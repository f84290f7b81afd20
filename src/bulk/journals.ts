import { rm } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { accountRecords } from '../account/account-records.js';
import { checkTarget, journalTarget } from '../account/given-target.js';
import type { JournalHeader } from '../account/journal/journal-lines.js';
import { type JournalState, RESUMABLE, retryable } from '../account/journal/state.js';
import type { Journal, JournalPlace } from '../account/journal/types.js';
import { decide } from '../account/safety/decide.js';
import { CopsError, local, usage, wrongOption } from '../base/errors/errors.js';
import { makeFolder } from '../base/files/replace-file.js';
import { inTemporaryFolder } from '../base/files/temporary-folder.js';
import { typedPath } from '../base/files/typed-path.js';
import { cops, say } from '../base/text/command-line.js';
import { findOperation, pathParameters } from '../catalogue/index.js';
import type { Operation } from '../catalogue/types.js';
import { Item } from '../items/json/item-json.js';
import { serialise, type TreeObject } from '../items/json/tree.js';
import { maskBodyText } from '../items/secrets/mask-body.js';
import { holdsCard } from '../items/secrets/redact.js';
import { secretPlaces } from '../items/secrets/secret-fields.js';
import { atOnce } from '../screen/notes.js';
import { hasMoments } from '../service/body/data-path.js';
import { planRequest } from '../service/request/request-plan.js';
import type { Context, Done } from '../session/context/context.js';
import { lineWithout } from '../session/context/lines.js';
import { noCurl } from '../session/context/run.js';
import { DEFAULTS } from '../session/context/spec.js';
import { openReader } from '../session/read/reading.js';
import { dryRunItems, listedRequests } from '../session/write/dry-run.js';
import { keyFor } from '../session/write/prepared-write.js';
import { hasFraction, refuseReadOnly } from '../session/write/write.js';
import {
  type BulkInput,
  bound,
  boundInput,
  endInHistory,
  headerOf,
  inItsProfile,
  limitsOf,
  operationOf,
  rowsPathOf,
  sourceOf,
} from './binding.js';
import { type Checked, checkedRows, checkInput } from './check.js';
import { type Comparison, compareWithHistory } from './compare-history.js';
import { checkExpected, Sums } from './confirmation.js';
import { toldStatus } from './list-journals.js';
import { REPORT_COLUMNS, reportRows } from './report-rows.js';
import { rowCheck } from './row-check.js';
import { errorOf, GONE } from './row-error.js';
import {
  type BulkGoOn,
  type BulkJob,
  guardBulk,
  guardRepeats,
  journalCommand,
  readRowItems,
  runJournal,
} from './run-journal.js';
import { askTheTime, withServiceClock } from './service-time.js';
import { leftOutError, settledRows, shownRows } from './settled-rows.js';
import { noteBegun, refuseUnfinished } from './unfinished.js';

/** `cops bulk <family> <action>`, and several ids on one command (command-line.md#bulk). */
export async function bulkRun(of: Context, input: BulkInput): Promise<Done> {
  if (input.journal !== undefined) await checkTarget(journalTarget(of, input.journal));
  if (!of.options.dryRun) return runOrShow(of, input);
  // Rows that can be read only once are stored beside the journal, which a dry run does not create.
  return inTemporaryFolder('rows', (folder, discard) =>
    runOrShow(of, { ...input, journal: join(folder, 'dry-run.journal') }).finally(discard),
  );
}

/** The path of the journal: the given one, otherwise a new one. */
async function pathOf(context: Context, given: string | undefined, job: BulkJob): Promise<string> {
  const runs = await accountRecords(context).runs();
  if (runs.isShared) makeFolder(join(context.dataDir, 'journals'));
  if (given === undefined) return runs.newName(journalCommand(job));
  if (!runs.isShared || context.options.dryRun) return typedPath(context.world, given);
  if (/^[\w][\w.-]{0,99}$/.test(given)) return given;
  throw wrongOption(
    '--journal',
    "a team's run has a name, not a file: use letters, digits, dots, dashes and underscores.",
  );
}

async function runOrShow(of: Context, input: BulkInput): Promise<Done> {
  // The repeat guard looks from before the command began, because another one may do the same while this one asks.
  const began = of.world.started ?? of.world.now();
  const { context, clock } = withServiceClock(of);
  const profile = await context.profile();
  const { operation, risk } = input;
  if (operation.method !== 'POST') throw usage(`${journalCommand(input)} only reads: bulk is for writes`);
  const base = withoutSecrets(operation, input.base ?? {});
  const asTyped = { ...input, takesNames: true, concurrency: input.concurrency ?? DEFAULTS.bulkConcurrency };
  const decided = {
    risk,
    method: operation.method,
    profile,
    yes: true,
    canPrompt: false,
    operation: journalCommand(input),
  };
  decide({ ...decided, dryRun: context.options.dryRun });
  const path = await pathOf(context, input.journal, asTyped);
  // Created here for several ids on one command: gone once everything is done.
  const temporary = input.journal === undefined && input.ids !== undefined;
  const rowsPath = rowsPathOf(context, path);
  const typed = await sourceOf(context, input, rowsPath);
  context.world.interrupted.throwIfAborted();
  const dates = hasMoments(operation) ? { now: await context.now(), tz: profile.tz.value } : undefined;
  let keep = false;
  try {
    const rows = await settledRows(context, asTyped, {
      ...{ typed, path, rowsPath, base, dates },
      argv: of.world.argv,
    });
    const { source, mapper, checked, job, leftOut } = rows;
    const left = () => leftOutError(leftOut, checked.skipped);
    if (context.options.dryRun) return { ...(await dryRun(context, job, checked)), finish: left };
    if (!input.again)
      await guardRepeats(profile, await accountRecords(context).history(), checkedRows(source, mapper, checked.marks));
    const header = await headerOf(context, job, {
      ...{ source, rowsPath, checked, base, began },
      areSettled: job.areSettled,
      clock: dates,
    });
    if (!input.again) await refuseUnfinished(context, header, checked.marks);
    await context.transport(job.concurrency);
    const reader = await openReader(context);
    const rowsFromStdin = [input.idsFile, input.inputFile].includes('-');
    await guardBulk(context, job, reader, checked, {
      counted: input.ids === undefined,
      byName: input.byName === true || rows.named.length > 0,
      strictIds: input.strictIds,
      rowsFromStdin,
    });
    context.world.interrupted.throwIfAborted();
    const journal = await begunJournal(context, header, path, input.again === true, () => {
      keep = true;
    });
    if (!temporary) atOnce(context.notes).note(`Journal: ${path}`);
    const done = await runJournal({
      ...{ context, job, reader, journal, path, source, mapper, clock },
      marks: checked.marks,
      what: 'run',
      answers: input.ids !== undefined,
      check: await rowCheck(context, reader, job, { condition: input.chosen?.condition, first: checked.first }),
      after: async ({ counts }) => {
        if (counts.done < header.rows) return;
        await rm(rowsPath, { force: true });
        if (temporary && isAbsolute(path)) await rm(path, { force: true });
      },
    });
    return { ...done, finish: async () => (await done.finish?.()) ?? left() };
  } finally {
    if (!keep) await rm(rowsPath, { force: true });
  }
}

async function begunJournal(
  context: Context,
  header: JournalHeader,
  path: string,
  again: boolean,
  onMade: () => void,
): Promise<Journal> {
  const journal = await (await accountRecords(context).journal(path)).create(header);
  onMade();
  await noteBegun(context, header, path, again).catch(async (cause: Error) => {
    await journal.close();
    if (cause instanceof CopsError && cause.kind === 'stopped') throw cause;
    throw local(`cannot record the run in ${context.dataDir}: ${cause.message}`, 'Nothing was sent.', cause);
  });
  return journal;
}

/** @throws CopsError usage (2) */
function withoutSecrets(operation: Operation, base: TreeObject): TreeObject {
  if (secretPlaces(operation, base).length === 0 && !holdsCard(serialise(base))) return base;
  throw usage('a secret cannot be in the body of all rows: put it into a column of a file (--input)');
}

/**
 * `cops bulk resume <journal>` continues with what was never done, `cops bulk retry-failed <journal>` with what the
 * service refused, each as a new intention with a new key.
 */
export async function bulkGoOn(
  of: Context,
  path: string,
  what: 'run' | 'retry',
  { input, ...options }: BulkGoOn & { readonly input?: string | undefined },
): Promise<Done> {
  const file = await accountRecords(of).journal(path);
  const { state } = await file.scan();
  const { header } = state;
  const watched = withServiceClock(inItsProfile(of, header, file));
  const { context, clock } = watched;
  const profile = await context.profile();
  bound(header, profile, file, cops`bulk ${what === 'run' ? 'resume' : 'retry-failed'} ${path}`);
  // Risk and permission come from the current catalogue and profile: anybody may have written the journal file.
  const { family, operation } = await operationOf(header);
  await refuseReadOnly(context, operation, operation.risk);
  const concurrency = options.concurrency ?? DEFAULTS.bulkConcurrency;
  const job = { ...options, family, operation, risk: operation.risk, concurrency };
  const rowsPath = input === undefined ? rowsPathOf(context, path) : typedPath(context.world, input);
  const { source, mapper } = boundInput(input === undefined ? header : elsewhere(header), rowsPath, profile, job);
  const wanted = what === 'run' ? [...RESUMABLE, 'open' as const] : retryable(options.again);
  const left = state.count(...wanted);
  if (left === 0) return nothingLeft(context, file, state, what);
  const isDry = context.options.dryRun;
  // A row that was sent before may only go with its own key, and only if the journal says so.
  if (context.options.curl) throw noCurl(context.command);
  const shown = shownRows(context.options);
  const checked = await checkInput(source, mapper, shown, (row) => wanted.includes(state.stand(row)));
  if (checked.sha256 !== header.input.sha256) {
    throw local(
      `${source.name} has changed since the run began`,
      say`Nothing was sent. Restore the old input, or start a new run with the remaining rows (${cops`bulk report`}).`,
    );
  }
  const toSend = { first: checked.first, rows: left - checked.skipped };
  if (isDry) return dryRun(context, job, toSend);
  await context.transport(job.concurrency);
  const reader = await openReader(context);
  // What the journal says about its input does not replace the count.
  const asked = { counted: true, retry: what === 'retry' };
  await guardBulk(context, job, reader, toSend, asked);
  context.world.interrupted.throwIfAborted();
  if (profile.fingerprint !== header.credential) {
    context.notes.warn(
      'The key is not the one from the start: rows sent with the old key without a known result stay unknown.',
    );
  }
  const journal = await file.open(header.id, profile.fingerprint, limitsOf(job));
  if (journal.healed)
    context.notes.warn(`The end of ${path} was damaged and was cut off; its rows are compared with the history.`);
  const compared = await comparedRows(context, journal, checked).catch(async (error: unknown) => {
    await journal.close();
    throw error;
  });
  await endInHistory(context, file, header.id);
  await askTheTime(watched, { family, operation }, journal.state);
  const { marks } = checked;
  const check = await rowCheck(context, reader, job, { condition: header.condition, first: checked.first });
  return runJournal({ context, job, reader, journal, path, source, mapper, marks, what, compared, clock, check });
}

/** The header of a run whose rows are elsewhere on this machine; they must be the same. */
function elsewhere(header: JournalHeader): JournalHeader {
  const { path: _path, list: _list, ...input } = header.input;
  return { ...header, input };
}

/** The result of a run that has nothing more to send. */
async function nothingLeft(
  context: Context,
  file: JournalPlace,
  state: JournalState,
  what: 'run' | 'retry',
): Promise<Done> {
  if (!context.options.dryRun) await endInHistory(context, file, state.header.id);
  context.notes.note(what === 'run' ? 'Nothing is left to send.' : 'No failed row can be tried again.');
  const { name: path } = file;
  const failure = errorOf({ counts: state.counts(), gone: state.gone, codes: [], leftOut: 0 }, 130, path, state.limits);
  return { result: { shape: 'one', item: Item.of(await toldStatus(context, path, state)) }, finish: () => failure };
}

async function comparedRows(context: Context, { state }: Journal, { marks }: Checked): Promise<Comparison> {
  const history = await accountRecords(context).history();
  const intents = () => history.intentsOf(state.header.id);
  return compareWithHistory(state, marks, intents, (ids) => history.endedOf(ids));
}

/** `cops bulk status <journal>`. */
export async function bulkStatus(context: Context, path: string): Promise<Done> {
  const { state } = await (await accountRecords(context).journal(path)).scan();
  if (state.gone > 0 && state.gone === state.count(...retryable())) context.notes.note(GONE);
  return { result: { shape: 'one', item: Item.of(await toldStatus(context, path, state)) } };
}

/** `cops bulk report <journal>`: every row with its outcome. */
export async function bulkReport(context: Context, path: string): Promise<Done> {
  const file = await accountRecords(context).journal(path);
  await file.scan();
  return { result: { shape: 'list', items: reportRows(file), columns: REPORT_COLUMNS, idField: 'id' } };
}

/** Rows that a dry run shows on a terminal. */
const TERMINAL_ROWS = 5;

/** Most items to name on one line. */
const MOST_NAMED = 10;

/** The line that shows what the ids stand for: a dry run shows only requests. */
function tellNames({ notes, options }: Context, { family, operation }: BulkJob, first: Checked['first']): void {
  const ids = first.flatMap((row) => row.ids);
  const isOfItems = pathParameters(operation).length === 1 && findOperation(family, 'get') !== undefined;
  if (!isOfItems || options.curl || ids.length === 0 || ids.length > MOST_NAMED || operation.action.includes(' '))
    return;
  notes.note(say`The items: ${cops`${family.name.replaceAll('_', '-')} get ${ids} -o table`}`);
}

async function dryRun(context: Context, job: BulkJob, checked: Pick<Checked, 'first' | 'rows'>): Promise<Done> {
  const { rows, first } = checked;
  checkExpected(job.expect, rows);
  const fine = first.filter(({ body }) => hasFraction({ operation: job.operation, body }));
  // The embedded service is read without network requests.
  if (fine.length > 0 && (await context.profile()).embedded)
    await readRowItems(job, await openReader(context), fine, new Sums());
  const isPiped = context.options.curl || context.world.stdout.isTTY !== true;
  const listed = isPiped ? first : first.slice(0, TERMINAL_ROWS);
  const items: Item[] = [];
  const itemOf = await dryRunItems(context);
  for (const { ids, body } of listed) {
    // A command pasted twice must not take effect twice.
    const { key } = context.options.curl
      ? await keyFor(context, { operation: job.operation, body, key: undefined })
      : {};
    const request = planRequest(job.family, job.operation, { ids, body, idempotencyKey: key });
    items.push(await itemOf(request, maskBodyText(job.operation, request.body ?? '{}')));
  }
  const shown = rows > listed.length ? `, the first ${listed.length} shown` : '';
  // A program that reads the output does not read the notes.
  if (shown !== '' && isPiped && !context.options.curl)
    items.push(Item.of({ requests_not_shown: rows - listed.length }));
  context.notes.note(`Dry run: ${rows} ${rows === 1 ? 'request' : 'requests'}${shown}; nothing was sent.`);
  if (shown !== '' && !context.options.curl)
    context.notes.note(say`All of them, as curl commands: ${lineWithout(context.world.argv, ['--dry-run'], '--curl')}`);
  tellNames(context, job, first);
  if (job.operation.leaves) for (const told of job.operation.preview?.says ?? []) context.notes.note(told);
  const { remarkStates } = await import('../session/write/dry-run-remarks.js');
  await remarkStates(context, job, first);
  return listedRequests(context, items);
}
