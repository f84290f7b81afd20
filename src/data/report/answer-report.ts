import { resolve } from 'node:path';
import type { Database } from '../../base/database/types.js';
import { type CopsError, local, usage, Would, wrongOption } from '../../base/errors/errors.js';
import { didYouMean } from '../../base/errors/nearest.js';
import { checkTarget, writeGiven } from '../../base/files/replace-file.js';
import { cops, copsLine, say, type Text } from '../../base/text/command-line.js';
import { monthsSaid } from '../../base/time/month-names.js';
import { edgeIn, partsSaid, UNITS } from '../../base/time/periods.js';
import { monthsIn, type RangeOptions, rangeArguments, rangeTexts } from '../../base/time/range.js';
import { isoTime } from '../../base/time/units.js';
import { Item } from '../../items/json/item-json.js';
import { sanitiseLines } from '../../items/text/inert.js';
import type { Context, Done } from '../../session/context/context.js';
import { into, lineWithout, rowsAsFile } from '../../session/context/lines.js';
import { listOf } from '../../session/context/run.js';
import { DEFAULTS } from '../../session/context/spec.js';
import { wholeNumber, zoneInUse } from '../../session/context/typed-words.js';
import { accountHead } from '../../session/lookup/account-head.js';
import { knownMirror } from '../mirror/mirror-in-use.js';
import { familiesOf } from '../mirror/views.js';
import { heldAgainst, periodAgainst, unlikeNotes } from './against.js';
import { csvText, heldTexts, hledgerText, journalOf, offsiteTexts } from './bookings.js';
import { CLOSE, closeFigures, pendingTexts } from './close.js';
import { openForReport } from './close-reading.js';
import { type Chosen, explained, printedSql, viewsOf } from './explain-report.js';
import { type Figures, figuresOf } from './figures.js';
import { atMoment, checkWatched } from './moment.js';
import { leftOutNotes } from './omissions.js';
import { NO_PARTS, partialRows } from './partial-rows.js';
import { type ReportPeriod, reportPeriod } from './period.js';
import { type ReportSource, reportDocument, rowJson } from './report-document.js';
import { unlikePayments, unproven } from './report-faults.js';
import { REPORT_NAMES } from './report-names.js';
import { reportSource } from './report-source.js';
import { findReport, REPORTS } from './reports.js';
import { ANSWERED, SPOKEN_WORDS, spokenReport } from './spoken.js';
import type { Only, ReportQuestion } from './statement.js';
import type { GroupedReport } from './types.js';
import { unknownNotes } from './unknown-figures.js';

/** Options of `cops report`, as they were typed. */
export interface ReportOptions extends RangeOptions {
  readonly by?: readonly string[];
  readonly against?: string;
  readonly asOf?: string;
  readonly currency?: string;
  readonly overdueDays?: string;
  readonly withTrials?: boolean;
  readonly journal?: string;
  readonly mirror?: string;
  /** True where its file is said with `--out`, or not at all. */
  readonly html?: string | true;
  readonly out?: string;
  readonly sql?: boolean;
  readonly explain?: boolean;
}

/**
 * `cops report [name]`: a report over a mirror. Figures that are not proven, or stand on data that is not whole, are
 * shown, and end with exit code 10.
 */
export async function answerReport(context: Context, name: string | undefined, typed: ReportOptions): Promise<Done> {
  if (name === undefined) {
    const all = [...REPORTS, CLOSE].map((report) => ({
      name: report.name,
      about: REPORT_NAMES[report.name],
      definition: report.definition,
    }));
    const finish = (): undefined => {
      context.notes.note(say`Answered as well: ${cops`report`} ${ANSWERED.join(', ')}${''}.`);
    };
    return { result: listOf(all, ['name', 'about']), finish };
  }
  const report = chosen(context, name, typed);
  const options = inMonths(context, withJournal(context, name, typed));
  checkOptions(report, options, context.world.argv);
  if (options.explain) return explained(context, report);
  // A page that cannot be written is told before anything is read for it.
  const page = pageOf(report, options, context.world.argv);
  if (page !== undefined) checkTarget({ path: resolve(context.world.cwd, page), typed: page, option: '--html' });
  const spoken = spokenReport(name);
  const question = onlyWhatIsMeant(await questionOf(context, report, options), spoken?.only);
  if (options.sql) return { result: { shape: 'text', text: printedSql(report, question) } };
  if (context.options.dryRun) throw await wouldRead(context, report, options, page);
  const { file, database, facts, reading } = await openForReport(context, report, options.mirror, question);
  try {
    const found = reportSource(database, facts, viewsOf(report), question.period, reading);
    if (options.asOf !== undefined) checkWatched(database, viewsOf(report), question.period);
    const against = await againstOf(context, report, options, question);
    const figures = against
      ? againstFigures(database, report as GroupedReport, question, against)
      : report.kind === 'close'
        ? closeFigures(database, question)
        : figuresOf(database, report, question);
    const leftOut = leftOutNotes(database, report.name, question, figures);
    const ground = {
      ...found,
      parts: report.kind === 'close' ? NO_PARTS : partialRows(report, question, found.asOf, figures.rows),
      notes: [
        ...(question.only && spoken?.only ? [spoken.only.says] : []),
        ...found.notes,
        ...unknownNotes(database, figures),
        ...leftOut,
        ...(report.kind === 'close' ? pendingTexts(database, question, figures) : []),
        ...(against ? unlikeNotes(found.asOf, question.period, against) : []),
      ],
    };
    const isScreen = context.world.stdout.isTTY === true && (await context.settings()).format === 'table';
    tell(context, ground, file, question);
    if (!isScreen) tellNotes(context, ground);
    if (page !== undefined) await writePage(context, page, { report, question, figures, ground, against });
    const journal = options.journal === undefined ? undefined : journalOf(database, question);
    const finish = (): CopsError | undefined => {
      // On a screen the figures come first, as what people look for.
      if (isScreen) tellNotes(context, ground);
      return unproven(figures, ground) ?? (report.kind === 'close' ? unlikePayments(figures) : undefined);
    };
    if (journal) {
      const title = `cops report close, ${isoTime(question.period.begins)} to ${isoTime(question.period.ends - 1)}, ${ground.mode} mode`;
      const held = [...heldTexts(journal), ...offsiteTexts(database, question)];
      if (held.length > 0) context.notes.note(`By way of payment: ${held.join('; ')}.`);
      const text = options.journal === 'csv' ? csvText(journal) : hledgerText(journal, title, held);
      return { result: { shape: 'text', text }, finish };
    }
    if (page !== undefined && context.world.stdout.isTTY === true && (await isBare(context)))
      return { result: { shape: 'text', text: rowsLine(figures.rows.length) }, finish };
    return {
      ...(await shown(context, { report, question, figures, ground, against, wanted: spoken?.column })),
      finish,
    };
  } finally {
    database.close();
  }
}

/** What a dry run says of the files of a report; a close alone sends requests, where no file is named. */
async function wouldRead(
  context: Context,
  { kind }: Chosen,
  { mirror }: ReportOptions,
  page: string | undefined,
): Promise<Would> {
  const { cwd } = context.world;
  const file = mirror === undefined ? await knownMirror(context) : resolve(cwd, mirror);
  const writes = page === undefined ? '' : ` and write ${resolve(cwd, page)}`;
  const reads =
    kind === 'close' && mirror === undefined
      ? `read the rows of the period into the mirror ${file} until two passes agree`
      : `send no request, read the mirror ${file}`;
  return new Would(`${reads}${writes}`);
}

/** The families that a report is made of; none for a name that means no report. */
export function familiesOfReport(name: string): readonly string[] {
  const report = meantBy(name)?.report;
  return report ? familiesOf(viewsOf(report)) : [];
}

/** The report of a name, or of what people call it, which is said. */
function chosen(context: Context, name: string, options: ReportOptions): Chosen {
  const meant = meantBy(name);
  if (meant) {
    if (meant.note !== undefined) context.notes.note(meant.note);
    return meant.report;
  }
  const spoken = spokenReport(name);
  const names = [...REPORTS, CLOSE].map((report) => report.name);
  const instead =
    spoken?.list === undefined
      ? spoken?.says
      : say`A list tells it: ${copsLine([...spoken.list.split(' '), ...rangeArguments(options)])}`;
  const near = spoken ? '' : didYouMean(name, [...names, ...SPOKEN_WORDS]);
  throw usage(`There is no report "${name}".${near}`, instead ?? `There are: ${names.join(', ')}.`);
}

/** `report journal` is the journal of the close, in the form that the line asks for. */
function withJournal({ notes, options: { output } }: Context, name: string, options: ReportOptions): ReportOptions {
  const { journal, html, sql, explain } = options;
  const isOther = journal ?? html ?? sql ?? explain;
  if (isOther !== undefined || !spokenReport(name)?.isJournal || !['csv', undefined].includes(output)) return options;
  const [form, other] = output === 'csv' ? ['csv', 'hledger'] : ['hledger', 'csv'];
  notes.note(`As its journal for bookkeeping programs: --journal ${form}; there is --journal ${other} as well.`);
  return { ...options, journal: form };
}

function meantBy(name: string): { readonly report: Chosen; readonly note?: Text } | undefined {
  const found = reportNamed(name.toLowerCase());
  if (found) return { report: found };
  const { means, column, says = column && `column ${column}` } = spokenReport(name) ?? {};
  const report = means === undefined ? undefined : reportNamed(means);
  const rest = column === undefined ? '' : say`; the other columns: ${cops`report ${report?.name}`}`;
  const note = say`${name} is read as ${report?.name}${says === undefined ? '' : say`: ${says}`}${rest}.`;
  return report && { report, note };
}

function reportNamed(name: string): Chosen | undefined {
  return findReport(name) ?? (name === CLOSE.name ? { ...CLOSE, kind: 'close' as const } : undefined);
}

function checkOptions(report: Chosen, options: ReportOptions, argv: readonly string[]): void {
  if (options.journal !== undefined && report.kind !== 'close') throw usage('--journal is for: cops report close');
  if (options.journal !== undefined && !['hledger', 'csv'].includes(options.journal))
    throw usage('--journal is hledger or csv.');
  if (options.overdueDays !== undefined && !['mrr', 'churn'].includes(report.name))
    throw usage('--overdue-days is for: cops report mrr, churn');
  if (options.withTrials && !['mrr', 'churn'].includes(report.name))
    throw usage('--with-trials is for: cops report mrr, churn');
  if (options.by !== undefined && report.kind === 'close')
    throw usage(
      'cops report close has groups of its own: leave out --by.',
      say`By other words: ${cops`report revenue --by product`}`,
    );
  if (options.against !== undefined && report.kind !== 'grouped')
    throw usage(`cops report ${report.name} is not held against another period.`, 'Ask for both: --from … --to …');
  pageOf(report, options, argv);
}

/** The file of the page; undefined where none is wanted. */
function pageOf(report: Chosen, options: ReportOptions, argv: readonly string[]): string | undefined {
  const { html, out, journal } = options;
  const ready = lineWithout(argv, ['--html', '--out'], '--html', `${report.name}.html`);
  if (typeof html === 'string' && out !== undefined)
    throw usage('The page has two names: --html and --out.', say`One is enough: ${ready}`);
  if (html === undefined && out !== undefined && journal !== undefined)
    throw usage('A journal goes to standard output.', into(lineWithout(argv, ['--out']), out));
  if (html === undefined && out !== undefined && !/\.html?$/i.test(out))
    throw usage(
      `--out names a page, which ends in .html: "${out}" does not.`,
      say`For a file of rows: ${rowsAsFile(argv, out)}`,
    );
  const file = typeof html === 'string' ? html : out;
  if ((html === true && file === undefined) || file === '' || file === '-')
    throw usage('--html wants the name of a file.', ready);
  return file;
}

/** A report has no minutes: `3m` is three months. */
function inMonths(context: Context, options: ReportOptions): ReportOptions {
  const last = monthsIn(options.last);
  if (last === undefined) return options;
  context.notes.note(`--last ${options.last} is read as --last ${last}: a report goes by months and days.`);
  return { ...options, last };
}

async function questionOf(context: Context, report: Chosen, typed: ReportOptions): Promise<ReportQuestion> {
  const options = atMoment(report, typed);
  const zone = await zoneInUse(context);
  const currency = options.currency?.toUpperCase();
  if (currency !== undefined && !/^[A-Z]{3}$/.test(currency))
    throw wrongOption('--currency', `"${options.currency}" is no ISO 4217 code.`, 'For example: --currency USD');
  const by = (options.by ?? [])
    .flatMap((text) => text.split(','))
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '');
  const range = report.kind === 'close' ? 'month' : report.range;
  const now = await context.now();
  for (const said of monthsSaid(rangeTexts(options), now, zone)) context.notes.note(said);
  return {
    period: reportPeriod(options, now, zone, range),
    zone,
    by,
    currency,
    overdueDays: wholeNumber(options.overdueDays, '--overdue-days', 0, 3650) ?? DEFAULTS.overdueDays,
    withTrials: options.withTrials === true,
    isPast: options.asOf !== undefined,
  };
}

/** The part of a report that a word means, unless the line asks for its parts. */
function onlyWhatIsMeant(question: ReportQuestion, only: Only | undefined): ReportQuestion {
  if (only === undefined || question.by.includes(only.group)) return question;
  return { ...question, by: [...question.by, only.group], only };
}

async function againstOf(context: Context, report: Chosen, options: ReportOptions, question: ReportQuestion) {
  if (options.against === undefined || report.kind !== 'grouped') return undefined;
  const time = question.by.find((word) => (UNITS as readonly string[]).includes(word));
  if (time !== undefined) throw usage(`--against has no rows by ${time}: leave out one of both.`);
  const { period, zone } = question;
  const against = periodAgainst(options.against, options, period, await context.now(), zone);
  context.notes.note(`Against ${isoTime(against.begins)} to ${isoTime(against.ends - 1)}.`);
  return against;
}

function againstFigures(
  database: Database,
  report: GroupedReport,
  question: ReportQuestion,
  against: ReportPeriod,
): Figures {
  const before = figuresOf(database, report, { ...question, period: against });
  return heldAgainst(report, figuresOf(database, report, question), before);
}

function tell(context: Context, ground: ReportSource, file: string, { period, zone }: ReportQuestion): void {
  // A span that ends now begins at this time of its first day.
  const last = edgeIn(period.ends - 1, period.ends, zone);
  const days = period.begins === 0 ? `All up to ${last}` : `${edgeIn(period.begins, period.begins, zone)} to ${last}`;
  const asOf = ground.asOf ?? 'an unfinished sync';
  context.notes.note(`${days}, days of ${zone.name}. From ${file}, ${ground.mode} mode, as of ${asOf}.`);
  for (const text of ground.incomplete) context.notes.warn(`Not whole: ${text}.`, {});
}

function tellNotes({ notes }: Context, ground: ReportSource): void {
  for (const text of ground.notes) notes.warn(`Note: ${text}.`);
}

interface Told {
  /** The column that the report was asked for by. */
  readonly wanted: string | undefined;
  readonly report: Chosen;
  readonly question: ReportQuestion;
  readonly figures: Figures;
  readonly ground: ReportSource;
  readonly against: ReportPeriod | undefined;
}

/** True where no form of the rows was asked for: who asks for a page at a terminal wants the page. */
async function isBare(context: Context): Promise<boolean> {
  const { query } = await context.settings();
  const { output, columns, wide } = context.options;
  return output === undefined && query === undefined && columns === undefined && !wide;
}

function rowsLine(count: number): string {
  return `${count} ${count === 1 ? 'row' : 'rows'} on the page; without --html they are shown here.\n`;
}

async function shown(context: Context, told: Told): Promise<Done> {
  const { format, query, columns, wide } = await context.settings();
  const { statement, rows } = told.figures;
  if (format === 'table' && query === undefined && columns === undefined) {
    const { tableText } = await import('./report-text.js');
    const { stdout, env } = context.world;
    const drawn = stdout.isTTY === true;
    const look = {
      drawn,
      width: !drawn ? 0 : wide ? Number.POSITIVE_INFINITY : stdout.columns || 80,
      blocks: env.TERM !== 'dumb',
      wanted: told.wanted,
      period: told.question.period,
      parts: told.ground.parts,
      alone: told.wanted !== undefined && !wide,
    };
    const head = await accountHead(context, told.ground.mode === 'live' ? 'live' : 'test');
    if (told.report.kind === 'close') {
      const { closeText } = await import('./close-text.js');
      return { result: { shape: 'text', text: head + sanitiseLines(closeText(told.figures, look)), painted: true } };
    }
    const text = tableText(told.figures, told.wanted ?? drawnOf(told.report), look);
    return { result: { shape: 'text', text: head + sanitiseLines(text), painted: true } };
  }
  const parts = partsSaid(told.ground.parts?.partial);
  if (parts !== undefined) context.notes.warn(parts);
  if (format === 'json' || format === 'yaml' || query !== undefined) {
    return { result: { shape: 'one', item: new Item(reportDocument(told)) } };
  }
  const items = (async function* (): AsyncGenerator<Item> {
    for (const row of rows) yield new Item(rowJson(row, statement.columns));
  })();
  const shownColumns = statement.columns.map(({ name }) => ({ path: name }));
  return { result: { shape: 'list', items, columns: shownColumns, idField: 'currency' } };
}

const drawnOf = (report: Chosen): string | undefined => (report.kind === 'close' ? undefined : report.drawn);

async function writePage(context: Context, file: string, told: Omit<Told, 'wanted'>): Promise<void> {
  const { reportPage } = await import('./report-page.js');
  const path = resolve(context.world.cwd, file);
  if (path === told.ground.mirror) throw local('--html names the mirror itself.', 'Name another file.');
  await writeGiven({ path, typed: file, option: '--html' }, reportPage(told, drawnOf(told.report)));
  context.notes.note(`Written: ${path}`);
}
