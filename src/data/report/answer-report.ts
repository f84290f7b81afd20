import { checkTarget, pageTarget } from '../../account/given-target.js';
import type { Database } from '../../base/database/types.js';
import { type CopsError, closing, local, Would } from '../../base/errors/errors.js';
import { typedPath } from '../../base/files/typed-path.js';
import { cops, say, type Text } from '../../base/text/command-line.js';
import { edgeIn, isCalendarUnit, type Partial } from '../../base/time/periods.js';
import { isoTime } from '../../base/time/units.js';
import type { Context, Done } from '../../session/context/context.js';
import { aimedText } from '../../session/context/line-flags.js';
import { lineWithout } from '../../session/context/lines.js';
import { listOf } from '../../session/context/run.js';
import { DEFAULTS } from '../../session/context/spec.js';
import { zoneInUse } from '../../session/context/typed-words.js';
import { knownMirror } from '../mirror/mirror-in-use.js';
import { nameOfMirror } from '../mirror/own-mirror.js';
import { familiesOf, holdRows } from '../mirror/views.js';
import { acrossFigures } from './across.js';
import { besidePeriod, heldAgainst, pairedBuckets, unlikeNotes, withoutAhead } from './against.js';
import {
  againstOf,
  checkOptions,
  chosen,
  inMonths,
  onlyWhatIsMeant,
  questionOf,
  reportMeant,
  withJournal,
} from './ask-report.js';
import { type BookedEntry, csvText, heldTexts, hledgerText, journalOf, offsiteTexts } from './bookings.js';
import { openForReport } from './close-reading.js';
import type { ReportGround } from './closed-figures.js';
import { withCustomerNames } from './customer-names.js';
import { explained, printedSql, viewsOf } from './explain-report.js';
import { rowsFigures, rowsStatement } from './fact-rows.js';
import { inZone } from './fact-source.js';
import { figuresIn, rowsHaving, sortedBy } from './figure-conditions.js';
import { type Figures, figuresOf } from './figures.js';
import { checkWatched } from './moment.js';
import { endNotes, leftOutNotes } from './omissions.js';
import { emptyPeriods, NO_PARTS, partialRows } from './partial-rows.js';
import type { ReportPeriod } from './period.js';
import { asOfSaid, type ReportSource } from './report-document.js';
import { unproven } from './report-faults.js';
import type { RowsFile } from './report-files.js';
import { REPORT_NAMES } from './report-names.js';
import type { ReportOptions } from './report-options.js';
import type { ReportQuestion } from './report-question.js';
import { reportSource } from './report-source.js';
import { REPORTS } from './reports.js';
import type { AnyReport } from './sectioned-report.js';
import { isBare, pageOf, rowsFileOf, rowsLine, showChart, showReport, writePage } from './show-report.js';
import { ANSWERED, spokenReport } from './spoken.js';
import type { GroupedReport } from './types.js';
import { unknownNotes } from './unknown-figures.js';

/**
 * `cops report [name]`: a report over a mirror. Shows figures that are unproven, or based on incomplete data, and ends
 * with exit code 10.
 */
export async function answerReport(context: Context, name: string | undefined, typed: ReportOptions): Promise<Done> {
  if (name === undefined) return allReports(context);
  const named = chosen(context, name, typed);
  const chosenReport = named.kind === 'grouped' ? inZone(named, await zoneInUse(context)) : named;
  const options = inMonths(context, withJournal(context, name, typed));
  checkOptions(chosenReport, options, context.world.argv);
  if (options.explain) return explained(context, chosenReport);
  // Fails for a page that cannot be written before reading anything for it.
  const page = pageOf(chosenReport, options, context.world.argv);
  if (page !== undefined) await checkTarget(pageTarget(context, page));
  const rowsFile = rowsFileOf(context, options);
  if (rowsFile !== undefined) await checkTarget({ ...rowsFile, option: '--out', own: context });
  const spoken = spokenReport(name);
  const asked = onlyWhatIsMeant(await questionOf(context, chosenReport, options, spoken?.column), spoken?.only);
  if (asked.across) context.notes.note(cellsSaid(chosenReport, asked.across.figure));
  if (options.sql && options.rows && chosenReport.kind === 'grouped')
    return { result: { shape: 'text', text: `${rowsStatement(chosenReport, asked).sql};` } };
  if (options.sql) return { result: { shape: 'text', text: printedSql(chosenReport, asked) } };
  const locking = await lockAnswer(context, chosenReport, options, asked);
  if (locking) return locking;
  if (context.options.dryRun) throw await wouldRead(context, chosenReport, options, page ?? rowsFile?.typed);
  const against = await againstOf(context, chosenReport, options, asked);
  const answered = await groundOf(context, chosenReport, options, { question: asked, against });
  return closing(answered.database, () => answerFrom(context, answered, { options, page, rowsFile, spoken, against }));
}

/** The destination of the answer, and the options that shape it. */
interface Wanted {
  readonly options: ReportOptions;
  readonly page: string | undefined;
  readonly rowsFile: RowsFile | undefined;
  readonly spoken: ReturnType<typeof spokenReport>;
  readonly against: ReportPeriod | undefined;
}

async function answerFrom(context: Context, answered: ReportGround, wanted: Wanted): Promise<Done> {
  const { report, question, file, database, found: known } = answered;
  const { options, page, rowsFile, spoken, against } = wanted;
  const isNow = options.as === undefined && !options.adjustments;
  if (report.kind === 'own' && !answered.figures) for (const view of report.holds ?? []) holdRows(database, view);
  const found = withCustomerNames(
    database,
    answered.figures ??
      figuresFor(database, report, question, against, { isRows: options.rows === true, known: knownTo(known.asOf) }),
  );
  // The rows of a fact come in order from their query.
  const { figures, notes: having } = rowsHaving(
    report.kind === 'grouped' ? found : sortedBy(found, question.sort),
    question.having,
  );
  const parts = report.kind === 'sections' ? NO_PARTS : partialRows(report, question, known.asOf, figures.rows);
  const ground = {
    ...known,
    parts,
    // A document is read later, so each line in it names its own account.
    notes: [
      ...(question.only && spoken?.only ? [spoken.only.says] : []),
      ...known.notes,
      ...wholeMonths(context, options, parts.partial),
      ...having,
      ...(options.rows || report.kind === 'sections' ? [] : emptyPeriods(report, question, known.asOf, figures.rows)),
      ...endNotes(report, figures, question.period, known.asOf),
      ...(isNow ? unknownNotes(database, found, question) : []),
      ...(isNow ? leftOutNotes(database, report, question, found, { options, argv: context.world.argv }) : []),
      ...(isNow && 'notes' in report ? report.notes(database, question, figures) : []),
      ...(against ? unlikeNotes(known, question.period, against) : []),
    ].map((text) => aimedText(text, context.options)),
  };
  tell(context, ground, file, question, report);
  const told = { report, question, figures, ground, against, wanted: spoken?.column };
  if (page !== undefined) await writePage(context, page, told);
  const journal = options.journal === undefined ? undefined : (answered.journal ?? journalOf(database, question));
  const finish = (): CopsError | undefined =>
    unproven(figures, ground) ?? (report.kind === 'sections' ? report.fault(figures) : undefined);
  if (journal)
    return {
      result: { shape: 'text', text: journalText(context, journal, { database, question, ground, options }) },
      finish,
    };
  if (rowsFile !== undefined) {
    if (rowsFile.path === ground.mirror) throw local('--out names the mirror itself.', 'Name another file.');
    const { writeRows } = await import('./report-files.js');
    const source = `${ground.mode} mode, ${asOfSaid(ground)}`;
    const doubts = [...ground.incomplete, ...(ground.stale ?? [])].map((text) => `; ${text}`).join('');
    const foot = `cops report ${report.name}: ${spanSaid(question)}, ${source}${doubts}`;
    await writeRows(context, rowsFile, report.name, figures, foot);
  }
  if (options.chart) return { ...(await showChart(context, told)), finish };
  if ((page ?? rowsFile) !== undefined && (await isBare(context))) {
    if (context.world.stdout.isTTY === true)
      return { result: { shape: 'text', text: rowsLine(figures.rows.length, rowsFile) }, finish };
    if (page === undefined) return { result: { shape: 'nothing' }, finish };
  }
  return {
    ...(await showReport(context, told)),
    finish,
  };
}

/** Which figure the cells of `--across` show, and how to show another one. */
function cellsSaid(report: AnyReport, figure: string): string {
  const others = figuresIn(report).flatMap(({ name }) => (name === figure ? [] : [name]));
  const way = others.length === 0 ? '' : `For another figure: --sort and one of ${others.join(', ')}. `;
  return `Each cell shows ${figure}. ${way}For all of them, leave out --across.`;
}

/** The line for whole months: `--last 6mo` begins in the middle of one. */
function wholeMonths({ world }: Context, { last }: ReportOptions, partial: readonly Partial[]): Text[] {
  const cut = partial.find(({ bucket, from }) => from !== null && /^\d{4}-\d\d$/.test(bucket))?.bucket;
  const open = partial.find(({ bucket, to }) => to !== null && /^\d{4}-\d\d$/.test(bucket))?.bucket ?? '';
  // Up to the end of the month before the current one.
  const beforeToday =
    open > (cut ?? '') ? ['--to', new Date(Date.parse(open) - 86_400_000).toISOString().slice(0, 7)] : [];
  return last === undefined || cut === undefined
    ? []
    : [say`whole months: ${lineWithout(world.argv, ['--last'], '--from', cut, ...beforeToday)}`];
}

/** The answer to `--lock`, `--unlock` and `--restore`; undefined for all other lines. */
async function lockAnswer(
  context: Context,
  report: AnyReport,
  options: ReportOptions,
  question: ReportQuestion,
): Promise<Done | undefined> {
  const { lock, unlock, restore } = options;
  if ((lock ?? unlock ?? restore) === undefined || report.kind !== 'sections') return undefined;
  const { lockMonth, restoreLock, unlockMonth } = await import('./lock-month.js');
  if (restore !== undefined) return restoreLock(context, restore);
  return lock ? lockMonth(context, report, options, question) : unlockMonth(context, options, question);
}

/** The source of a report's figures: the mirror, or the lock of a month. */
async function groundOf(
  context: Context,
  report: AnyReport,
  options: ReportOptions,
  { question, against }: { readonly question: ReportQuestion; readonly against: ReportPeriod | undefined },
): Promise<ReportGround> {
  if (options.as !== undefined) return (await import('./closed-figures.js')).closedGround(context, report, question);
  if (options.adjustments && report.kind === 'sections')
    return (await import('./closed-figures.js')).adjustmentsGround(context, report, options, question);
  const opened = await openForReport(context, report, options, question, { against });
  const { file, database } = opened;
  try {
    const found = sourceOf(opened, report, question);
    const { lockedNotes } = await import('./closed-figures.js');
    const notes = [...found.notes, ...(await lockedNotes(context, report, question, against))];
    return { report, question, file, database, found: { ...found, notes } };
  } catch (error) {
    database.close();
    throw error;
  }
}

type Opened = Awaited<ReturnType<typeof openForReport>>;

/** The known facts about the mirror that a report reads. */
function sourceOf(
  { database, facts, reading, part, doubts }: Opened,
  report: AnyReport,
  question: ReportQuestion,
): ReportSource {
  const views = viewsOf(report, question.by);
  // A forecast depends on the items that exist now.
  const read =
    report.range === 'next' ? { begins: 0, ends: question.since ?? question.period.begins } : question.period;
  const source = reportSource(database, facts, views, read, { reading, part });
  if (question.isPast && report.kind === 'own' && report.isOfMoment)
    checkWatched(database, report.name, views, question.period);
  return { ...source, incomplete: [...source.incomplete, ...doubts] };
}

/** All reports, each with a short description. */
function allReports(context: Context): Done {
  const all = REPORTS.map((report) => ({
    name: report.name,
    about: REPORT_NAMES[report.name],
    definition: report.definition,
  }));
  const finish = (): undefined => {
    context.notes.note(say`Also understood: ${cops`report`} ${ANSWERED.join(', ')}${''}.`);
  };
  return { result: listOf(all, ['name', 'about']), finish };
}

/** The journal of a close, in the requested form. */
function journalText(
  context: Context,
  journal: readonly BookedEntry[],
  asked: {
    readonly database: Database;
    readonly question: ReportQuestion;
    readonly ground: ReportSource;
    readonly options: ReportOptions;
  },
): string {
  const { database, question, ground, options } = asked;
  const { period } = question;
  const span = `${isoTime(period.begins)} to ${isoTime(period.ends - 1)}`;
  const title = `cops report close, ${options.adjustments ? 'adjustments since the lock of ' : ''}${span}, ${ground.mode} mode`;
  const held = [...heldTexts(journal), ...(options.adjustments ? [] : offsiteTexts(database, question))];
  if (held.length > 0) context.notes.note(`By payment method: ${held.join('; ')}.`);
  return options.journal === 'csv' ? csvText(journal) : hledgerText(journal, title, held);
}

/** The requests and files of a report, for a dry run. */
async function wouldRead(
  context: Context,
  { kind }: Pick<AnyReport, 'kind'>,
  { mirror, sync, maxAge = DEFAULTS.mirrorAge }: ReportOptions,
  page: string | undefined,
): Promise<Would> {
  const { world } = context;
  const file = (await nameOfMirror(context, mirror)) ?? (await knownMirror(context));
  const writes = page === undefined ? '' : ` and write ${typedPath(world, page)}`;
  const reads =
    kind === 'sections' && mirror === undefined
      ? `read the rows of the period into the mirror ${file} until two passes agree`
      : mirror === undefined && sync !== false
        ? `read into the mirror ${file} what it lacks or what is older than ${maxAge}, then query it`
        : `send no request, read the mirror ${file}`;
  return new Would(`${reads}${writes}`);
}

/** The families that a report reads; empty for an unknown name. */
export function familiesOfReport(name: string): readonly string[] {
  const report = reportMeant(name)?.report;
  return report ? familiesOf(viewsOf(report)) : [];
}

function figuresFor(
  database: Database,
  report: AnyReport,
  question: ReportQuestion,
  against: ReportPeriod | undefined,
  { isRows, known }: { readonly isRows: boolean; readonly known: number },
): Figures {
  if ('figures' in report) return report.figures(database, question);
  if (report.kind === 'own') return figuresOf(database, report, question);
  if (isRows) return rowsFigures(database, report, question);
  if (against) return againstFigures(database, report, question, against, known);
  return question.across
    ? acrossFigures(database, report, question, question.across)
    : figuresOf(database, report, question);
}

/** Unix seconds up to which the mirror knows what happened. */
const knownTo = (asOf: string | null): number => (asOf === null ? Number.POSITIVE_INFINITY : Date.parse(asOf) / 1000);

function againstFigures(
  database: Database,
  report: GroupedReport,
  question: ReportQuestion,
  against: ReportPeriod,
  known: number,
): Figures {
  const before = figuresOf(database, report, { ...question, period: against });
  const now = figuresOf(database, report, question);
  const time = question.by.find(isCalendarUnit);
  if (time === undefined) return heldAgainst(report, now, before);
  const pairs = pairedBuckets(time, question, against) ?? [];
  const rows = besidePeriod(before.rows, time, pairs);
  return withoutAhead(heldAgainst(report, now, { ...before, rows }), time, pairs, known);
}

/** The days that the figures cover. */
function spanSaid({ period, zone }: ReportQuestion): string {
  // A span that ends now begins at the same time on its first day.
  const last = edgeIn(period.ends - 1, period.ends, zone);
  const days =
    period.begins === 0 ? `Everything up to ${last}` : `${edgeIn(period.begins, period.begins, zone)} to ${last}`;
  return `${days}, days in ${zone.name}`;
}

function tell(
  { notes }: Context,
  ground: ReportSource,
  file: string,
  question: ReportQuestion,
  { name }: AnyReport,
): void {
  for (const text of ground.incomplete) notes.warn(`Not whole: ${text}.`, {});
  for (const text of ground.stale ?? []) notes.warn(`Note: ${text}.`);
  notes.note(
    say`${spanSaid(question)}. From ${file}, ${ground.mode} mode, ${asOfSaid(ground)}. What the figures mean: ${cops`report ${name} --explain`}`,
  );
  for (const text of ground.notes) notes.note(say`Note: ${text}.`);
}
