import { repeatRefused } from '../account/history/entries.js';
import type { History } from '../account/history/types.js';
import type { JournalHeader } from '../account/journal/journal-lines.js';
import type { Journal } from '../account/journal/types.js';
import type { Profile } from '../account/profiles/types.js';
import { confirm, decide, needsProof } from '../account/safety/decide.js';
import { CopsError, type Fault, faultsError } from '../base/errors/errors.js';
import { type CommandLine, cops, say } from '../base/text/command-line.js';
import { zoneOf } from '../base/time/zones.js';
import type { Column, FamilyOperation, Operation } from '../catalogue/types.js';
import { judgeBody } from '../items/checks/body-faults.js';
import { each, Item } from '../items/json/item-json.js';
import { valuesOf } from '../items/json/lossless.js';
import { NumberText, type TreeObject } from '../items/json/tree.js';
import { sanitise } from '../items/text/inert.js';
import { Meter } from '../screen/meter.js';
import type { ServiceClock } from '../service/http/service-clock.js';
import { itemRead } from '../service/request/request-plan.js';
import { fromService } from '../service/request/wallet.js';
import type { Context, Done } from '../session/context/context.js';
import { tellingAtOnce } from '../session/context/run.js';
import { otherItem, type Reader, shownMode } from '../session/read/reading.js';
import { policyGate } from '../session/write/limited-history.js';
import { type LimitedWrites, taggerOf } from '../session/write/prepared-write.js';
import { finerSum, hasFraction, proveKey } from '../session/write/write.js';
import { type Checked, checkedRows } from './check.js';
import type { Comparison } from './compare-history.js';
import { type BulkGuard, bulkLines, checkExpected, decideBulk, Sums } from './confirmation.js';
import type { EngineOptions, RowEnd, RunSummary } from './engine.js';
import { toldStatus } from './list-journals.js';
import { type EmptyCells, type MapperOptions, RowMapper } from './map-row.js';
import { withStandIns } from './named-rows.js';
import { errorOf } from './row-error.js';
import type { RowItemsInput } from './row-items.js';
import { sendRows } from './send-row.js';
import { watchStops } from './stops.js';
import type { PlannedRow } from './types.js';
import { forgetEnded } from './unfinished.js';

/** The options that control a run. */
export interface BulkGoOn {
  /** Also rows that are open or were done elsewhere. */
  readonly again?: boolean;
  readonly concurrency?: number;
  readonly maxFailures?: number;
  readonly stopOnFraud?: boolean;
  readonly expect?: number;
  /** What empty cells mean; a continued run uses it only if its journal does not say. */
  readonly empty?: EmptyCells;
  /** The column of the ids; a continued run uses its journal's. */
  readonly idColumn?: string | undefined;
  /** Checks bodies; false with `--no-validate`. */
  readonly validate?: boolean;
  /** The fields of a row that mean something the service cannot do. */
  readonly lacking?: (of: FamilyOperation, body: TreeObject) => Promise<readonly Fault[]>;
  /** `--reason`, for all rows. */
  readonly reason?: string | undefined;
}

/** What one bulk run works on. */
export interface BulkJob
  extends BulkGoOn,
    LimitedWrites,
    Pick<MapperOptions, 'subject' | 'areSettled' | 'takesNames' | 'hasColumns'> {
  readonly concurrency: number;
}

/** Most rows to report one by one if they are not done. */
const TOLD_ROWS = 20;

export function journalCommand({ family, operation }: FamilyOperation): string {
  return `${family.name.replaceAll('_', '-')} ${operation.action}`;
}

/** The mapper of a job's rows. */
export function mapperOf(
  profile: Profile,
  job: BulkJob,
  templates: readonly string[],
  base?: TreeObject,
  clock?: JournalHeader['clock'],
  lineWith?: (...words: readonly string[]) => CommandLine,
): RowMapper {
  const { family, operation, subject, areSettled, takesNames, hasColumns } = job;
  return new RowMapper({
    subject,
    areSettled,
    takesNames,
    hasColumns,
    family,
    operation,
    templates,
    base,
    empty: job.empty,
    idColumn: job.idColumn,
    lineWith,
    clock: clock && { now: clock.now, zone: zoneOf(clock.tz) },
    checkBody:
      job.validate === false
        ? undefined
        : async (body) => [
            ...((await job.lacking?.({ family, operation }, body)) ?? []),
            ...(await judgeBody(takesNames ? withStandIns(job, body) : body, { operation })).faults,
          ],
    tagOf: taggerOf(profile, operation),
  });
}

/** Asks once for the whole run (command-line.md#bulk). @throws CopsError stopped (12) */
export async function guardBulk(
  context: Context,
  job: BulkJob,
  reader: Reader,
  rows: Pick<Checked, 'rows' | 'first'>,
  options: Pick<BulkGuard, 'counted' | 'byName' | 'strictIds'> & {
    readonly rowsFromStdin?: boolean;
    readonly retry?: boolean;
  },
): Promise<void> {
  checkExpected(job.expect, rows.rows);
  if (rows.rows === 0) return;
  const { profile } = reader;
  const prompter = await context.prompter();
  const command = journalCommand(job);
  const asked = { risk: job.risk, method: job.operation.method, profile, dryRun: false, operation: command } as const;
  // As if somebody could be asked: `decideBulk`, which has the count, decides who really can.
  let single = decide({ ...asked, yes: false, canPrompt: true });
  await policyGate(context, job, reader).rehearse(rows.first.slice(0, 1));
  const { rowsFromStdin = false, retry = false } = options;
  const guard = { ...options, profile, risk: job.risk, rows: rows.rows, expect: job.expect, rowsFromStdin };
  const beyond = rows.rows - rows.first.length;
  if (beyond > 0 && job.operation.preview?.refund && rows.first.some(({ body }) => body.amount !== undefined))
    context.notes.warn(
      `The sums of the first ${rows.first.length} rows are compared with the currencies of their items; those of the other ${beyond} are not.`,
    );
  const sums = new Sums();
  const fine = rows.first.filter(({ body }) => hasFraction({ operation: job.operation, body }));
  if (single === 'allow') await readRowItems(job, reader, fine, sums);
  else {
    const shown = prompter.canPrompt() ? rows.first : [...new Set([...rows.first.slice(0, 1), ...fine])];
    const first = await readRowItems(job, reader, shown, sums);
    const unproven = needsProof(profile, job.risk, job.operation.method);
    if (unproven && (await proveKey(context, reader, job.family, command, first))) single = 'allow';
  }
  const { argv } = context.world;
  const decision = decideBulk({ ...guard, argv, single, yes: context.options.yes, canPrompt: prompter.canPrompt() });
  if (decision === 'allow') return;
  const lines = bulkLines({
    profile,
    command,
    risk: job.risk,
    rows: rows.rows,
    firstIds: rows.first.slice(0, 3).flatMap(({ ids }) => ids.join(' ') || []),
    says: [
      ...(job.operation.preview?.says ?? []),
      ...(job.operation.preview?.undo ? [job.operation.preview.undo] : []),
      ...Object.entries(job.operation.brings ?? {}).map(
        ([field, brought]) => `A row with ${field} also does ${brought.operation}.`,
      ),
    ],
    retry,
    sums: sums.text(rows.rows),
  });
  await confirm({
    decision,
    lines: lines.map((line) => sanitise(line)),
    expected: String(rows.rows),
    asker: async () => prompter,
    show: (text) => context.notes.warn(text),
  });
}

/**
 * Reads items for the sums; tells the `live_mode` that they show, and the first failure where none does.
 * @throws CopsError usage (2) for sums that the currencies of their items have no coins for
 */
export async function readRowItems(
  job: BulkJob,
  reader: Reader,
  rows: readonly PlannedRow[],
  sums: Sums,
): Promise<{ readonly liveMode?: boolean | undefined; readonly failure?: unknown }> {
  let live: boolean | undefined;
  let failure: unknown;
  const faults: Fault[] = [];
  for (const row of rows) {
    try {
      const read = itemRead(job.family, job.operation, row.ids);
      if (!read) break;
      const text = await reader.answer(read.request);
      const shown = shownMode(text);
      if (shown != null) live = live === true || shown;
      // The amounts of another item say nothing about this one: the row counts as not read.
      if (otherItem(text, job.family.idField, read.id) !== undefined) continue;
      const item = valuesOf(text);
      const fault = finerSum({ operation: job.operation, body: row.body }, { item });
      if (fault !== undefined) faults.push({ path: row.ids.join(' '), message: fault });
      const { amount } = row.body;
      const asked = amount instanceof NumberText ? amount.text : amount;
      if (job.operation.preview?.refund) sums.add(item, asked === undefined ? undefined : String(asked));
    } catch (error) {
      if (error instanceof CopsError && (error.kind === 'stopped' || error.kind === 'interrupted')) throw error;
      failure ??= error;
    }
  }
  if (faults.length > 0)
    throw faultsError('Sums of refunds', faults, "Nothing was sent. Give each with its currency's number of decimals.");
  return { liveMode: live, failure: live === undefined ? failure : undefined };
}

/** Ids kept for what goes on after them: more than are ever read, however many rows there are. */
const ENDED_KEPT = 100;

/** The run of an open journal. */
export interface JournalRun extends Omit<RowItemsInput, 'job' | 'faults'> {
  readonly job: BulkJob;
  readonly journal: Journal;
  readonly path: string;
  readonly marks: Checked['marks'];
  readonly what: 'run' | 'retry';
  /** Rows on which journal and history disagree. */
  readonly compared?: Comparison;
  /** Called with every answer. */
  readonly clock: ServiceClock;
  /** Why a row must not be sent after all; checked right before its request. */
  readonly check?: EngineOptions['check'];
  /** Outputs each answer, in row order, as the result. */
  readonly answers?: boolean;
  /** Deletes a journal that the run itself created once all rows are done. */
  readonly after?: (summary: RunSummary) => Promise<void>;
}

/** Runs the rows of an open journal and closes it; the summary or the answers are the result. */
export async function runJournal(run: JournalRun): Promise<Done> {
  const { job, reader, journal, path } = run;
  const context = tellingAtOnce(run.context);
  const open = say`the rows in flight are open. Continue with: ${cops`bulk resume ${path}`}`;
  const stops = watchStops(context, journal.state, () => String(open));
  const answers: Item[] = [];
  const ended: string[] = [];
  const kept = inOrder((end) => answers.push(answerItem(end, reader.profile.walletWord.value)));
  const progress = progressOf(context, journal);
  const trouble = troublesOf(context, journal, path);
  const sent = await sendRows({
    ...{ context, reader, journal, stops, writes: job },
    rows: checkedRows(run.source, run.mapper, run.marks),
    what: run.what,
    concurrency: job.concurrency,
    maxFailures: job.maxFailures,
    stopOnFraud: job.stopOnFraud === true,
    clock: run.clock,
    compared: run.compared,
    check: run.check,
    again: job.again === true,
    onEnd: (end) => {
      progress();
      if (run.answers) kept(end);
      if (end.outcome === 'done' && job.operation.leaves && ended.length < ENDED_KEPT) ended.push(end.row.ids[0] ?? '');
      trouble(end);
    },
  }).finally(async () => {
    stops.undo();
    context.notes.progressDone();
    await journal.close();
  });
  const { summary, contradicted } = sent;
  await forgetEnded(context, journal.state);
  await run.after?.(summary);
  const failure = errorOf(summary, stops.exitCode(), path, journal.state.limits);
  if (ended.length > 0) {
    const { tellAllGoOn } = await import('../session/write/goes-on.js');
    await tellAllGoOn(context, job, reader, ended);
  }
  if (contradicted !== undefined && failure?.exitCode !== 9) throw contradicted;
  if (run.answers) kept.flush();
  const result: Done['result'] = run.answers
    ? { shape: 'list', items: each(answers), columns: answerColumns(job.operation), idField: 'id' }
    : { shape: 'one', item: Item.of(await toldStatus(context, path, journal.state)) };
  return { result, wrote: true, finish: () => failure };
}

/** What tells the answers of several ids apart; all their fields if they contain no known id. */
function answerColumns({ answerId }: Operation): Column[] {
  if (answerId === undefined) return [];
  return [{ path: answerId, title: 'id' }, { path: 'result' }, { path: 'api_call_id', title: 'api call id' }];
}

/** Reports the first rows that are not done, and where to find the others. */
function troublesOf({ notes }: Context, journal: Journal, path: string): (end: RowEnd) => void {
  let troubled = 0;
  return (end) => {
    if (end.outcome === 'done' || ++troubled > TOLD_ROWS + 1) return;
    notes.warn(
      troubled > TOLD_ROWS
        ? say`For the other rows that are not done: ${cops`bulk report ${path}`}`
        : sanitise(`${place(end, journal)}: ${end.outcome}: ${end.message ?? ''}`),
    );
  };
}

/** The repeat guard for writes of unknown outcome, for all rows at once. @throws CopsError stopped (12) */
export async function guardRepeats(
  { name, fingerprint }: Profile,
  history: History,
  rows: AsyncIterable<Iterable<PlannedRow>>,
): Promise<void> {
  const open = await history.openTags({ profile: name.value, fingerprint });
  if (open.size === 0) return;
  for await (const some of rows) {
    for (const row of some) {
      const entry = open.get(row.tag);
      if (entry) throw repeatRefused(entry);
    }
  }
}

function progressOf({ world, notes }: Context, { state }: Journal): () => void {
  const { rows } = state.header;
  const done = () => rows - state.count('not_started');
  const meter = new Meter(notes, () => world.now(), { unit: 'rows' }, done());
  return () => {
    const failed = state.count('refused', 'payment_failed', 'fraud_detected');
    meter.show(done(), rows, failed > 0 ? [`${failed} failed`] : []);
  };
}

function place(end: RowEnd, journal: Journal): string {
  const ids = end.row.ids.join(' ');
  return journal.state.header.input.kind === 'list' ? ids : `line ${end.row.line}${ids ? ` (${ids})` : ''}`;
}

/** One answer of several: the service's own, or what went wrong with which ids. */
function answerItem(end: RowEnd, walletWord: string): Item {
  if (end.answer) return new Item(fromService(end.answer.toString('utf8'), walletWord).replace(/^\ufeff/, ''));
  const { row, outcome, http_status, code, error_code, message, api_call_id } = end;
  return Item.of({ id: row.ids.join(' '), outcome, error: { message, http_status, code, error_code, api_call_id } });
}

/** Passes on ends in row order; `flush` passes on those waiting for rows that never came. */
function inOrder(pass: (end: RowEnd) => void): ((end: RowEnd) => void) & { flush(): void } {
  const waiting = new Map<number, RowEnd>();
  let next = 1;
  const take = (end: RowEnd) => {
    waiting.set(end.row.row, end);
    for (let ready = waiting.get(next); ready; ready = waiting.get(next)) {
      waiting.delete(next++);
      pass(ready);
    }
  };
  const flush = () => {
    for (const row of [...waiting.keys()].sort((a, b) => a - b)) {
      const end = waiting.get(row);
      if (end) pass(end);
    }
    waiting.clear();
  };
  return Object.assign(take, { flush });
}
