import { resolve } from 'node:path';
import type { Database } from '../../../base/database/types.js';
import { CopsError, local, usage, wrongOption } from '../../../base/errors/errors.js';
import { didYouMean } from '../../../base/errors/nearest.js';
import { Would } from '../../../base/errors/would.js';
import { checkTarget, writeGiven } from '../../../base/files/given-target.js';
import { cops, copsLine, say, type Text } from '../../../base/text/command-line.js';
import { monthsSaid } from '../../../base/time/month-names.js';
import { edgeIn, partsSaid } from '../../../base/time/partial.js';
import { UNITS } from '../../../base/time/periods.js';
import { monthsIn, type RangeOptions, rangeArguments, rangeTexts } from '../../../base/time/range.js';
import { isoTime } from '../../../base/time/units.js';
import { openToRead } from '../../../data/mirror/mirror.js';
import { ownerIfAny } from '../../../data/mirror/own-mirror.js';
import { familiesOf } from '../../../data/mirror/views.js';
import { heldAgainst, periodAgainst, unlikeNotes } from '../../../data/report/against.js';
import { csvText, heldTexts, hledgerText, journalOf, offsiteTexts } from '../../../data/report/bookings.js';
import { CLOSE, closeFigures, pendingTexts } from '../../../data/report/close.js';
import { type Figures, figuresOf } from '../../../data/report/figures.js';
import { leftOutNotes } from '../../../data/report/omissions.js';
import { NO_PARTS, partialRows } from '../../../data/report/partial-rows.js';
import { type ReportPeriod, reportPeriod } from '../../../data/report/period.js';
import { type ReportSource, reportDocument, rowJson } from '../../../data/report/report-document.js';
import { reportSource } from '../../../data/report/report-source.js';
import { findReport, REPORTS } from '../../../data/report/reports.js';
import { ANSWERED, SPOKEN_WORDS, spokenReport } from '../../../data/report/spoken.js';
import type { Only, ReportQuestion } from '../../../data/report/statement.js';
import type { GroupedReport } from '../../../data/report/types.js';
import { unknownNotes } from '../../../data/report/unknown-figures.js';
import { Item } from '../../../items/json/item-json.js';
import { sanitiseLines } from '../../../items/text/inert.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { DEFAULTS } from '../../../session/context/defaults.js';
import { into, lineWithout, rowsAsFile } from '../../../session/context/file-lines.js';
import { listOf } from '../../../session/context/run.js';
import { wholeNumber } from '../../../session/context/whole-number.js';
import { zoneInUse } from '../../../session/context/zone.js';
import { accountHead } from '../../../session/lookup/account-head.js';
import { knownMirror, mirrorInUse } from '../../operation/mirror-in-use.js';
import { type Chosen, explained, printedSql, viewsOf } from './explain.js';

interface ReportOptions extends RangeOptions {
  readonly by?: readonly string[];
  readonly against?: string;
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
export async function run(
  context: Context,
  { words: [name], options: typed }: CommandInput<ReportOptions>,
): Promise<Done> {
  if (name === undefined) {
    const all = [...REPORTS, CLOSE].map((report) => ({
      name: report.name,
      about: report.about,
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
  if (context.options.dryRun) throw await wouldRead(context, options, page);
  const { file, mirror } = await opened(context, options.mirror);
  try {
    const found = reportSource(mirror.database, mirror.facts, viewsOf(report), question.period);
    const against = await againstOf(context, report, options, question);
    const figures = against
      ? againstFigures(mirror.database, report as GroupedReport, question, against)
      : report.kind === 'close'
        ? closeFigures(mirror.database, question)
        : figuresOf(mirror.database, report, question);
    const unlike = against ? unlikeNotes(found.asOf, question.period, against) : [];
    const leftOut = leftOutNotes(mirror.database, report.name, question, figures);
    const ground = {
      ...found,
      parts: report.kind === 'close' ? NO_PARTS : partialRows(report, question, found.asOf, figures.rows),
      notes: [
        ...(question.only && spoken?.only ? [spoken.only.says] : []),
        ...found.notes,
        ...unknownNotes(mirror.database, figures),
        ...leftOut,
        ...(report.kind === 'close' ? pendingTexts(mirror.database, question, figures) : []),
        ...unlike,
      ],
    };
    const isScreen = context.world.stdout.isTTY === true && (await context.settings()).format === 'table';
    tell(context, ground, file, question);
    if (!isScreen) tellNotes(context, ground);
    if (page !== undefined) await writePage(context, page, { report, question, figures, ground, against });
    const journal = options.journal === undefined ? undefined : journalOf(mirror.database, question);
    const finish = (): CopsError | undefined => {
      // On a screen the figures come first, as what people look for.
      if (isScreen) tellNotes(context, ground);
      return unproven(figures, ground) ?? (report.kind === 'close' ? unlikePayments(figures) : undefined);
    };
    if (journal) {
      const title = `cops report close, ${isoTime(question.period.begins)} to ${isoTime(question.period.ends - 1)}, ${ground.mode} mode`;
      const held = [...heldTexts(journal), ...offsiteTexts(mirror.database, question)];
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
    mirror.database.close();
  }
}

/** What a dry run says of the files of a report, which sends no request. */
async function wouldRead(context: Context, { mirror }: ReportOptions, page: string | undefined): Promise<Would> {
  const { cwd } = context.world;
  const file = mirror === undefined ? await knownMirror(context) : resolve(cwd, mirror);
  const writes = page === undefined ? '' : ` and write ${resolve(cwd, page)}`;
  return new Would(`send no request, read the mirror ${file}${writes}`);
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

async function questionOf(context: Context, report: Chosen, options: ReportOptions): Promise<ReportQuestion> {
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

async function opened(context: Context, given: string | undefined) {
  const file = given === undefined ? await mirrorInUse(context) : resolve(context.world.cwd, given);
  return { file, mirror: await openToRead(file, await ownerIfAny(context)) };
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

function unproven(figures: Figures, ground: ReportSource): CopsError | undefined {
  const { differences, inexact } = figures;
  const faults = [
    ...differences.map(
      ({ says, figure, expected, currency, difference }) =>
        `${says}: ${figure} is not ${expected} ${currency}, the difference is ${difference}`,
    ),
    ...(inexact > 0
      ? [
          `${inexact} ${inexact === 1 ? 'row has' : 'rows have'} an amount that is missing, finer than its minor unit, or without a currency or time: the sums are short of it`,
        ]
      : []),
    ...ground.incomplete,
  ];
  if (faults.length === 0) return undefined;
  return new CopsError('incomplete', `The figures are not proven: ${faults.join('; ')}.`, {
    // Amounts that the service itself shows so are the same after any sync.
    hint:
      differences.length + ground.incomplete.length > 0
        ? say`Bring the mirror up to date (${cops`sync`}, or ${cops`sync --full`}), then ask again.`
        : undefined,
    more: { differences, inexact, incomplete: ground.incomplete },
  });
}

/** A close that names differences is shown, and is not done. */
function unlikePayments({ rows }: Figures): CopsError | undefined {
  const found = rows.filter(({ section }) => section === 'difference');
  if (found.length === 0) return undefined;
  const ids = found.map(({ id }) => String(id));
  const some = ids.length > 5 ? `${ids.slice(0, 5).join(', ')} and ${ids.length - 5} more` : ids.join(', ');
  return new CopsError('incomplete', `What items say was paid and what payments say was taken differ: ${some}.`, {
    hint: say`Bring the mirror up to date (${cops`sync`}), then ask again; what stays is different at the service.`,
    more: { differing: ids },
  });
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
    const { tableText } = await import('../../../data/report/report-text.js');
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
      const { closeText } = await import('../../../data/report/close-text.js');
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
  const { reportPage } = await import('../../../data/report/report-page.js');
  const path = resolve(context.world.cwd, file);
  if (path === told.ground.mirror) throw local('--html names the mirror itself.', 'Name another file.');
  await writeGiven({ path, typed: file, option: '--html' }, reportPage(told, drawnOf(told.report)));
  context.notes.note(`Written: ${path}`);
}
