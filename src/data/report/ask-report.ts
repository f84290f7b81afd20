import { type CopsError, usage, wrongOption } from '../../base/errors/errors.js';
import { didYouMean } from '../../base/errors/nearest.js';
import { type CommandLine, cops, copsLine, say, type Text } from '../../base/text/command-line.js';
import { dayIn, isCalendarUnit } from '../../base/time/periods.js';
import { monthsIn, rangeArguments, rangeTexts, rangeWords } from '../../base/time/range.js';
import { RANGE_OPTIONS } from '../../base/time/range-options.js';
import { ahead, parseSpan } from '../../base/time/spans.js';
import { datesSaid } from '../../base/time/spoken-days.js';
import { isoTime } from '../../base/time/units.js';
import type { Zone } from '../../base/time/zones.js';
import type { Context } from '../../session/context/context.js';
import { lineWithout } from '../../session/context/lines.js';
import { DEFAULTS } from '../../session/context/spec.js';
import { wholeNumber, zoneInUse } from '../../session/context/typed-words.js';
import { MIRROR_VIEWS } from '../mirror/views.js';
import { pairedBuckets, periodAgainst } from './against.js';
import { dimensionMeant, MOST_GROUPS } from './dimensions.js';
import { conditionedBy, factConditions } from './fact-conditions.js';
import { figureCondition, figureMeant, figureOf, figuresIn } from './figure-conditions.js';
import { groupsTold, rankedGroup } from './grouped-statement.js';
import { atMoment } from './moment.js';
import { largestPayments } from './omissions.js';
import { type ReportPeriod, reportPeriod } from './period.js';
import { REPORT_NAMES } from './report-names.js';
import type { ReportOptions } from './report-options.js';
import type { Only, ReportQuestion } from './report-question.js';
import { findReport, REPORTS } from './reports.js';
import type { AnyReport } from './sectioned-report.js';
import { pageOf } from './show-report.js';
import { SPOKEN_WORDS, spokenReport } from './spoken.js';
import { checkGroups } from './statement.js';
import type { GroupedReport, OwnOption, OwnReport } from './types.js';

/** The report with a name, or with one of its spoken names; then a note says so. */
export function chosen(context: Context, name: string, options: ReportOptions): AnyReport {
  const meant = reportMeant(name);
  if (meant) {
    if (meant.note !== undefined) context.notes.note(meant.note);
    return withRate(context, meant.report, options);
  }
  const spoken = spokenReport(name);
  const names = REPORTS.map((report) => report.name);
  const instead =
    spoken?.list === undefined
      ? spoken?.says
      : say`A list tells it: ${copsLine([...spoken.list.split(' '), ...rangeArguments(options)])}`;
  const near = spoken ? '' : didYouMean(name, [...names, ...SPOKEN_WORDS]);
  throw usage(`There is no report "${name}".${near}`, instead ?? `There are: ${names.join(', ')}.`);
}

/** The variant of a report with rates, if the line names a figure that only this variant has. */
function withRate(context: Context, report: AnyReport, { sort, having = [] }: ReportOptions): AnyReport {
  if (report.kind !== 'grouped' || report.rated === undefined) return report;
  const { rated } = report;
  const named = [
    sort ?? '',
    ...having.map((text) => text.split(/[=!<>]/)[0] ?? ''),
    ...(context.options.columns ?? []),
  ];
  const isRated = named.some(
    (word) => figureMeant(report, word) === undefined && figureMeant(rated, word) !== undefined,
  );
  return isRated ? rated : report;
}

export function reportMeant(name: string): { readonly report: AnyReport; readonly note?: Text } | undefined {
  const found = findReport(name.toLowerCase());
  if (found) return { report: found };
  const { means, column, says = column && `column ${column}` } = spokenReport(name) ?? {};
  const report = means === undefined ? undefined : findReport(means);
  const rest = column === undefined ? '' : say`; the other columns: ${cops`report ${report?.name}`}`;
  const note = say`${name} is read as ${report?.name}${says === undefined ? '' : say`: ${says}`}${rest}.`;
  return report && { report, note };
}

/** `report journal` means the journal of the close, in the form given on the line. */
export function withJournal(
  { notes, options: { output } }: Context,
  name: string,
  options: ReportOptions,
): ReportOptions {
  const { journal, html, sql, explain } = options;
  const isOther = journal ?? html ?? sql ?? explain;
  if (isOther !== undefined || !spokenReport(name)?.isJournal || !['csv', undefined].includes(output)) return options;
  const [form, other] = output === 'csv' ? ['csv', 'hledger'] : ['hledger', 'csv'];
  notes.note(`Showing its journal for bookkeeping programs: --journal ${form}; --journal ${other} also exists.`);
  return { ...options, journal: form };
}

export function checkOptions(report: AnyReport, options: ReportOptions, argv: readonly string[]): void {
  checkOwnOptions(report, options);
  if (options.journal !== undefined && !['hledger', 'csv'].includes(options.journal))
    throw usage('--journal must be hledger or csv.');
  if (options.by !== undefined && report.kind === 'sections')
    throw usage(
      `cops report ${report.name} has fixed groups: leave out --by.`,
      say`By other words: ${cops`report revenue --by product`}`,
    );
  // A table of cohorts has its months as columns anyway.
  const isAsShown = report.kind === 'own' && report.cohorts === true && options.across?.trim() === 'month';
  const asked = OF_FACTS.filter((name) => options[name] !== undefined && !(name === 'across' && isAsShown));
  const strange = report.kind === 'grouped' ? undefined : asked[0];
  const isOfFigures = options.having !== undefined || options.sort !== undefined;
  if (isOfFigures && report.kind === 'sections')
    throw usage(`cops report ${report.name} has fixed rows: leave out ${options.having ? '--having' : '--sort'}.`);
  if (strange === 'across' && report.kind !== 'sections') throw noAcross(report, options, argv);
  if (strange !== undefined && !(strange === 'where' && conditionedBy(report)))
    throw usage(
      `cops report ${report.name} has no --${strange}: its figures are no sums over rows of one kind.`,
      toldBy(report, strange === 'where' ? (options.where ?? []) : []) ??
        (strange === 'top' && report.kind === 'own' ? firstRows(report, options, argv) : undefined) ??
        say`What it is made of: ${cops`report ${report.name} --explain`}`,
    );
  if (options.asOf !== undefined && report.kind === 'sections')
    throw usage(
      `cops report ${report.name} only shows the present: leave out --as-of.`,
      'It reads the rows of its period until two passes agree.',
    );
  if (options.as !== undefined && options.as !== 'closed')
    throw wrongOption('--as', `"${options.as}" is not understood.`, 'It takes one word: --as closed');
  if (options.reason !== undefined && !options.unlock) throw usage('--reason needs --unlock');
  checkTogether(options, argv);
  if (options.chart && report.kind === 'sections')
    throw usage(`cops report ${report.name} has no single figure to draw.`);
  pageOf(report, options, argv);
}

/** Refuses --across, with a line whose rows show the same. */
function noAcross({ name, ...report }: AnyReport, { across = '' }: ReportOptions, argv: readonly string[]): CopsError {
  const without = lineWithout(argv, ['--across']);
  const word = dimensionMeant(across.trim().toLowerCase());
  if (word === 'currency')
    return usage(
      `cops report ${name} has no --across currency: amounts in different currencies cannot be shown side by side.`,
      say`Each currency has rows and a total of its own: ${without}`,
    );
  return usage(
    `cops report ${name} has no --across ${word}.`,
    'groups' in report && (Object.hasOwn(report.groups, word) || isCalendarUnit(word))
      ? say`A row for each ${word}: ${lineWithout(argv, ['--across', '--by'], '--by', word)}`
      : 'leads' in report && report.leads?.some(({ name: lead }) => lead === word)
        ? say`Each ${word} has rows of its own, with all figures: ${without}`
        : say`Its rows: ${without}`,
  );
}

/** The line that shows all rows, largest first, for a report without `--top`. */
const firstRows = ({ drawn, groups }: OwnReport, { sort, by }: ReportOptions, argv: readonly string[]): Text =>
  say`All rows, the largest first: ${lineWithout(argv, ['--top', '--sort'], ...(by === undefined && Object.hasOwn(groups, 'customer') ? ['--by', 'customer'] : []), `--sort=${sort ?? `-${drawn}`}`)}`;

/** A condition on a word that a report groups by leads to the rows of that word. */
function toldBy(report: AnyReport, conditions: readonly string[]): Text | undefined {
  if (report.kind === 'sections') return undefined;
  const words = conditions.flatMap((text) => /^\s*([^=!<>~]+?)\s*[=!<>~]/.exec(text)?.[1]?.toLowerCase() ?? []);
  const word = words.map(dimensionMeant).find((one) => Object.hasOwn(report.groups, one));
  return word === undefined ? undefined : say`One row for each ${word}: ${cops`report ${report.name} --by ${word}`}`;
}

/** Options that only some reports take, as typed. */
const OWN_OPTIONS: Readonly<Record<OwnOption, string>> = {
  overdueDays: '--overdue-days',
  withTrials: '--with-trials',
  journal: '--journal',
  lock: '--lock',
  unlock: '--unlock',
  adjustments: '--adjustments',
  restore: '--restore',
  next: '--next',
  buckets: '--buckets',
};

function checkOwnOptions({ takes = [] }: AnyReport, options: ReportOptions): void {
  for (const [name, typed] of Object.entries(OWN_OPTIONS) as [OwnOption, string][]) {
    if (options[name] === undefined || takes.includes(name)) continue;
    const takers = REPORTS.filter((report) => report.takes?.includes(name)).map((report) => report.name);
    throw usage(`${typed} is for: cops report ${takers.join(', ')}`);
  }
}

/** Options that contradict each other: each with the next. */
const APART =
  'rows across against; rows having; across having; rows chart; rows share; across share; top against; journal chart; as against; as mirror; lock unlock; lock adjustments; lock restore; unlock adjustments; unlock restore; adjustments restore; lock as; unlock as; adjustments as; lock currency; adjustments currency'
    .split('; ')
    .map((names) => names.split(' ') as (keyof ReportOptions)[]);

/** Refuses options that contradict each other. */
function checkTogether(options: ReportOptions, argv: readonly string[]): void {
  const given = (names: readonly (keyof ReportOptions)[]): string[] =>
    names.filter((name) => options[name] !== undefined).map((name) => `--${name}`);
  for (const names of APART) {
    const [one, other] = given(names);
    if (one !== undefined && other !== undefined)
      throw usage(
        `${one} and ${other} cannot be combined.`,
        other === '--having'
          ? say`Rows are chosen by --where: ${lineWithout(argv, [other], ...(options.having ?? []).flatMap((text) => ['--where', text]))}`
          : names[0] === 'top'
            ? 'The two periods may have different largest rows: compare all, or choose with --where.'
            : undefined,
      );
  }
}

/** Reports do not go by minutes: `3m` means three months. */
export function inMonths(context: Context, options: ReportOptions): ReportOptions {
  const last = monthsIn(options.last);
  if (last === undefined) return options;
  context.notes.note(`--last ${options.last} is read as --last ${last}: reports go by months and days.`);
  return { ...options, last };
}

/** What lies ahead: the range as far as it does, or `--next` from its first day or from now on; 90 days by default. */
function aheadPeriod(options: ReportOptions, now: number, zone: Zone): ReportPeriod {
  const { from, to, next } = options;
  const [given, other] = rangeWords(options);
  const since = Math.floor(now / 1000);
  const isOpen = given === undefined || (from !== undefined && other === undefined);
  if (next !== undefined && !isOpen)
    throw usage(`--next and ${given} cannot be combined.`, `Leave out --next ${next}.`);
  const range = given === undefined ? undefined : reportPeriod({ ...options, to: to ?? from }, now, zone, 'all');
  const begins = Math.max(since, range?.begins ?? since);
  const ends = range && !isOpen ? range.ends : ahead(begins, parseSpan(next ?? DEFAULTS.forecast, '--next'), zone);
  if (ends > begins) return { begins, ends };
  throw usage(
    `A forecast is of the time ahead: ${rangeWords(options).join(' ')} is over.`,
    say`For example: ${cops`report forecast --next 90d --by week`}`,
  );
}

/** @param column the one that the spoken name of the report stands for */
export async function questionOf(
  context: Context,
  report: AnyReport,
  typed: ReportOptions,
  column?: string,
): Promise<ReportQuestion> {
  const options = atMoment(report, typed);
  const zone = await zoneInUse(context);
  // ALL is the code of Albania, which nobody means in lower case.
  const currency = options.currency === 'all' ? undefined : options.currency?.toUpperCase();
  if (currency !== undefined && !/^[A-Z]{3}$/.test(currency))
    throw wrongOption('--currency', `"${options.currency}" is no ISO 4217 code.`, 'For example: --currency USD');
  const by = listed(options.by).map(dimensionMeant);
  if (by.filter((word) => word !== 'currency').length > MOST_GROUPS)
    throw usage(`--by takes up to ${MOST_GROUPS} words: ${by.join(', ')} are ${by.length}.`);
  const now = await context.now();
  if (report.kind !== 'sections') checkGroups(report, by, (word) => toldElsewhere(report, word, options));
  for (const said of datesSaid(rangeTexts(options), now, zone)) context.notes.note(said);
  const period =
    report.range === 'next' ? aheadPeriod(options, now, zone) : reportPeriod(options, now, zone, report.range);
  if (report.kind === 'grouped' && options.rows && options.top !== undefined)
    throw noTopOfRows(report, { period, currency }, options, context.world.argv);
  const sort =
    options.sort === undefined || options.rows
      ? undefined
      : figureOf(report, '--sort', options.sort.replace(/^\s*-/, ''), () => figureElsewhere(report, by, options));
  return {
    period,
    ...(report.range === 'next' ? { since: Math.floor(now / 1000) } : {}),
    zone,
    by,
    currency,
    overdueDays: wholeNumber(options.overdueDays, '--overdue-days', 0, 3650) ?? DEFAULTS.overdueDays,
    withTrials: options.withTrials === true,
    isPast: options.asOf !== undefined,
    ages: agesOf(options.buckets),
    where: whereOf(report, options.where),
    share: options.share === true && report.kind === 'grouped',
    having: options.having?.map((text) => figureCondition(report, text)),
    ...(options.rows && options.sort !== undefined ? { rowOrder: options.sort } : { sort }),
    ...(report.kind === 'grouped' ? factOptions(report, by, options, context.world.argv, sort ?? column) : {}),
  };
}

/** The line of the most similar report that has a word for `--by`. */
function toldElsewhere(asked: AnyReport, word: string, options: ReportOptions): Text | undefined {
  const own = new Set(figuresIn(asked).map(({ name }) => name));
  const alike = (report: AnyReport): number => figuresIn(report).filter(({ name }) => own.has(name)).length;
  const isRefused = 'refused' in asked && asked.refused?.[word] !== undefined;
  const [other] = REPORTS.filter(
    (one) =>
      one.kind !== 'sections' &&
      one.name !== asked.name &&
      Object.hasOwn(one.groups, word) &&
      (!isRefused || alike(one) > 0),
  ).sort((a, b) => alike(b) - alike(a));
  const only = options.currency === undefined ? [] : ['--currency', options.currency];
  const range = [...rangeArguments(options), ...only];
  const meant = other === undefined ? spokenReport(word)?.means : undefined;
  if (meant !== undefined) return say`A report tells it: ${cops`report ${meant} ${range}`}`;
  return (
    other && say`${capital(REPORT_NAMES[other.name])}, by ${word}: ${cops`report ${other.name} ${range} --by ${word}`}`
  );
}

/** The line of another report that has the figure to sort by and the same groups. */
function figureElsewhere(asked: AnyReport, by: readonly string[], options: ReportOptions): Text | undefined {
  const { sort = '', top, currency } = options;
  const [, sign = '', typed = ''] = /^\s*([-+]?)(.*)$/s.exec(sort) ?? [];
  const other = REPORTS.map((one) => ('rated' in one && one.rated) || one).find(
    (one) =>
      one.kind !== 'sections' &&
      one.name !== asked.name &&
      by.every((word) => Object.hasOwn(one.groups, word) || isCalendarUnit(word)) &&
      figureMeant(one, typed) !== undefined,
  );
  // Another report may not know the words of these conditions.
  if (other === undefined || options.where?.length || options.having?.length) return undefined;
  const groups = by.length === 0 ? [] : ['--by', by.join(',')];
  const few = [
    ...(top === undefined ? [] : ['--top', top]),
    ...(currency === undefined ? [] : ['--currency', currency]),
  ];
  const sorted = ['--sort', `${sign}${figureMeant(other, typed)}`];
  const range = rangeArguments(options);
  return say`${capital(REPORT_NAMES[other.name])}: ${cops`report ${other.name} ${range} ${groups} ${sorted} ${few}`}`;
}

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function whereOf(report: AnyReport, typed: readonly string[] = []): ReportQuestion['where'] {
  const conditioned = typed.length > 0 ? conditionedBy(report) : undefined;
  const figures = figuresIn(report).map(({ name }) => name);
  return conditioned && typed.flatMap((text) => factConditions(conditioned, text, figures));
}

/** The last days of buckets of ages, each later than the one before. */
function agesOf(typed: string | undefined): readonly number[] | undefined {
  if (typed === undefined) return undefined;
  const ages = typed.split(',').map((text) => (/^\s*\d{1,4}\s*d?\s*$/.test(text) ? Number.parseInt(text, 10) : -1));
  if (ages.every((age, i) => age > (ages[i - 1] ?? -1)) && ages.length <= 12) return ages;
  throw wrongOption(
    '--buckets',
    `"${typed}" is not understood.`,
    'The last day of each but the oldest, in order: --buckets 7,30,60 gives 0-7, 8-30, 31-60, 60+',
  );
}

const listed = (texts: readonly string[] = []): string[] =>
  texts
    .flatMap((text) => text.split(','))
    .map((word) => word.trim().toLowerCase())
    .filter((word) => word !== '');

/** The options that select among the rows of a fact. */
function factOptions(
  report: GroupedReport,
  by: readonly string[],
  options: ReportOptions,
  argv: readonly string[],
  figure: string | undefined,
): Pick<ReportQuestion, 'top' | 'across'> {
  const top = wholeNumber(options.top, '--top', 1, 1000);
  if (
    top !== undefined &&
    rankedGroup([...groupsTold(report, by), ...(options.across ? [options.across] : [])]) === undefined
  )
    throw by.length > 0
      ? noTopOfTime(report, by[0] ?? '', options, argv)
      : usage('--top ranks the values of --by.', `For example: --by ${Object.keys(report.groups)[0]}`);
  const across = acrossOf(by, options.across);
  return { top, across: across === undefined ? undefined : { across, figure: figure ?? report.drawn } };
}

/** Refuses the largest rows, with the line that has them first; one payment may be several rows. */
function noTopOfRows(
  report: GroupedReport,
  question: Pick<ReportQuestion, 'period' | 'currency'>,
  { top, sort, where }: ReportOptions,
  argv: readonly string[],
): CopsError {
  const columns = (MIRROR_VIEWS.find(({ name }) => name === report.view)?.columns ?? []).map(([name]) => name);
  const figure = report.measures.find(({ name }) => columns.includes(`${name}_minor`))?.name;
  const sorted = sort === undefined && figure !== undefined ? ['--sort', figure] : [];
  const all = lineWithout(argv, ['--top'], ...sorted);
  const count = wholeNumber(top, '--top', 1, 1000) ?? 1;
  return usage(
    '--rows and --top cannot be combined.',
    columns.includes('payment_id') && where === undefined
      ? say`${largestPayments(question, count)}. All rows, the largest first: ${all}`
      : say`All rows, the largest first: ${all}`,
  );
}

/** Rows of days or months stay in order of time, but a query can rank them within one currency. */
function noTopOfTime(report: GroupedReport, word: string, options: ReportOptions, argv: readonly string[]): CopsError {
  const { top, sort, currency = 'USD' } = options;
  const figure = (sort && figureMeant(report, sort.replace(/^\s*-/, ''))) ?? report.drawn;
  const query = `reverse(sort_by(rows,&${figure}))[:${top}]`;
  const other = ['--top', '--sort', '--currency', '-o', '--output'];
  return usage(
    `--top cannot rank by ${word}: those rows stay in order of time.`,
    say`In one currency: ${lineWithout(argv, other, '--currency', currency, '--query', query)}`,
  );
}

function acrossOf(by: readonly string[], typed: string | undefined): string | undefined {
  if (typed === undefined) return undefined;
  const across = dimensionMeant(typed.trim().toLowerCase());
  if (across === 'currency')
    throw usage('--across currency: amounts in different currencies cannot be shown side by side.');
  if (by.includes(across)) throw usage(`--across ${across} and --by ${across}: give it once.`);
  if (by.length >= MOST_GROUPS) throw usage(`--by and --across take up to ${MOST_GROUPS} words together.`);
  if (by.some(isCalendarUnit) && isCalendarUnit(across))
    throw usage(`Give one of ${by.find(isCalendarUnit)} and ${across}.`);
  return across;
}

/** Options only for reports that group the rows of a fact. */
const OF_FACTS = ['where', 'top', 'rows', 'across', 'share'] as const;

/** Refuses --against, with the line that shows both periods, or the other one. */
function noAgainst(
  report: Exclude<AnyReport, GroupedReport>,
  { period, zone }: Pick<ReportQuestion, 'period' | 'zone'>,
  against: ReportPeriod,
  argv: readonly string[],
): CopsError {
  const says = `cops report ${report.name} cannot be compared with another period.`;
  const of = (begins: number, ends: number): CommandLine =>
    lineWithout(argv, AGAINST, '--from', dayIn(begins, zone), '--to', dayIn(ends - 1, zone));
  if (report.range === 'next') return usage(says, say`What is ahead alone: ${lineWithout(argv, AGAINST.slice(0, 2))}`);
  if (against.begins <= 0) return usage(says, say`Without another period: ${lineWithout(argv, AGAINST)}`);
  if (report.kind === 'own' && report.isOfMoment)
    return usage(says, say`As it was then: ${lineWithout(argv, AGAINST, '--as-of', dayIn(against.ends - 1, zone))}`);
  if (report.kind === 'own' && report.monthly && period.begins > 0)
    return usage(
      says,
      say`A row for each month, from the one to the other: ${of(Math.min(period.begins, against.begins), Math.max(period.ends, against.ends))}`,
    );
  return usage(says, say`The other period alone: ${of(against.begins, against.ends)}`);
}

/** The options that a line on another period does without. */
const AGAINST = ['--against', '--compare', ...RANGE_OPTIONS.map(({ flags }) => flags.replace(/ .*/, ''))];

/** Limits the question to the part of a report that a word means, unless the line requests its parts. */
export function onlyWhatIsMeant(question: ReportQuestion, only: Only | undefined): ReportQuestion {
  if (only === undefined || question.by.includes(only.group)) return question;
  return { ...question, by: [...question.by, only.group], only };
}

export async function againstOf(context: Context, report: AnyReport, options: ReportOptions, question: ReportQuestion) {
  const asked = options.against;
  if (asked === undefined) return undefined;
  const { period, zone, by } = question;
  const against = periodAgainst(asked, options, period, await context.now(), zone);
  if (report.kind !== 'grouped') throw noAgainst(report, { period, zone }, against, context.world.argv);
  const time = by.find(isCalendarUnit);
  const pairs = time === undefined ? [] : pairedBuckets(time, { period, zone }, against);
  if (pairs === undefined)
    throw usage(
      `--against by ${time}: the two periods are not cut alike.`,
      say`Without rows by ${time}: ${lineWithout(context.world.argv, ['--by'], ...by.filter((word) => word !== time).flatMap((word) => ['--by', word]))}`,
    );
  const [first] = pairs;
  const beside = first ? `: ${first.now.label} beside ${first.before.label}, and so on` : '';
  context.notes.note(`Against ${isoTime(against.begins)} to ${isoTime(against.ends - 1)}${beside}.`);
  return against;
}
