import { profileIfAny } from '../../account/profiles/faults.js';
import type { Database } from '../../base/database/types.js';
import { local, stopped, usage } from '../../base/errors/errors.js';
import { cops, say, type Text } from '../../base/text/command-line.js';
import { dayIn } from '../../base/time/periods.js';
import { isoTime } from '../../base/time/units.js';
import { type Zone, zoneOf } from '../../base/time/zones.js';
import type { Context } from '../../session/context/context.js';
import { textsOf } from '../mirror/views.js';
import { adjustingJournal, type BookedEntry } from './bookings.js';
import { journalFaults, totalRows } from './close.js';
import { openForReport } from './close-reading.js';
import { inZone } from './fact-source.js';
import { type Figures, figuresOf, proofOf, rowsOf, wholeUnits } from './figures.js';
import { type LockFacts, locksFolder, locksIn, openLockFile } from './lock-file.js';
import { definitionsOf, FIGURES, isKept, monthOf, withoutLock } from './lock-month.js';
import { REFUNDS, REVENUE } from './money-reports.js';
import { cutPeriod, type ReportPeriod } from './period.js';
import type { ReportSource } from './report-document.js';
import type { ReportOptions } from './report-options.js';
import type { ReportColumn, ReportQuestion } from './report-question.js';
import { reportSource } from './report-source.js';
import { REPORTS } from './reports.js';
import type { AnyReport, SectionedReport } from './sectioned-report.js';
import type { GroupedReport, Proof, ReportRow } from './types.js';

/** The source of a report's figures. */
export interface ReportGround {
  readonly report: AnyReport;
  readonly question: ReportQuestion;
  readonly file: string;
  readonly database: Database;
  readonly found: ReportSource;
  /** The figures, if already known. */
  readonly figures?: Figures;
  /** The journal, if it does not simply book the rows of the period. */
  readonly journal?: readonly BookedEntry[];
}

/** Opens the lock of a month. @throws CopsError stopped (12) if the month has none */
async function openLock(context: Context, month: string) {
  const known = await locksIn(await locksFolder(context));
  const lock = known.find((one) => one.month === month);
  if (lock === undefined || lock.unlocked) {
    const locked = known.filter(({ unlocked }) => !unlocked).map((one) => one.month);
    throw stopped(
      `${month} is ${withoutLock(lock)}${locked.length > 0 ? `; locked are ${locked.join(', ')}` : ''}`,
      say`Lock it: ${cops`report close --month ${month} --lock`}`,
    );
  }
  const opened = await openLockFile(lock.file, lock.digest);
  const { baseUrl, mode } = await context.profile();
  const { facts } = opened;
  if (facts.service === baseUrl.value && facts.mode === mode.value) return { ...opened, file: lock.file };
  opened.database.close();
  throw stopped(`stopped: the lock of ${month} belongs to ${facts.service} in ${facts.mode} mode`);
}

/** The question in the zone in which the month was locked. */
function asLocked(question: ReportQuestion, { begins, ends, zone }: LockFacts): ReportQuestion {
  return { ...question, period: { begins, ends }, zone: zoneOf(zone) };
}

function lockNotes(
  { month, number, lockedAt, who, zone, definitions, tool }: LockFacts,
  asked: ReportQuestion,
): Text[] {
  const close = REPORTS.find((report) => report.kind === 'sections');
  return [
    `${month} as it was locked ${isoTime(lockedAt)} by ${who} (lock ${number}); to see what was added or changed since: --adjustments`,
    ...(asked.zone.name === zone ? [] : [`days are in ${zone}, the zone of the lock, not in ${asked.zone.name}`]),
    ...(close && definitionsOf(close) !== definitions
      ? [`it was locked with other definitions, those of cops ${tool}; its rows follow them`]
      : []),
  ];
}

/** Whether a lock has the figures of a report. */
const hasClosed = (report: AnyReport): report is GroupedReport | SectionedReport =>
  report.kind === 'sections' || isKept(report);

/** `--as closed`: a report over the rows of a lock. */
export async function closedGround(
  context: Context,
  report: AnyReport,
  question: ReportQuestion,
): Promise<ReportGround> {
  if (!hasClosed(report))
    throw usage(
      `cops report ${report.name} has no --as closed: its figures are not those of one month's rows.`,
      `These reports have it: ${REPORTS.filter(hasClosed)
        .map(({ name }) => name)
        .join(', ')}`,
    );
  const { database, facts, file } = await openLock(context, monthOf(question, '--as closed'));
  try {
    const locked = asLocked(question, facts);
    const found: ReportSource = {
      mirror: file,
      mode: facts.mode,
      asOf: isoTime(facts.asOf),
      incomplete: [],
      notes: lockNotes(facts, question),
    };
    const ground = { question: locked, file, database, found };
    if (report.kind === 'sections') return { ...ground, report, figures: frozenFigures(database, report, locked) };
    checkColumns(database, report.view, facts);
    // The lock lacks the tables that the sums are checked against; its digest guards the rows instead.
    return { ...ground, report: { ...report, controls: {} } };
  } catch (error) {
    database.close();
    throw error;
  }
}

function checkColumns(database: Database, view: string, { tool }: LockFacts): void {
  const known = textsOf(database, "SELECT name FROM sqlite_master WHERE type = 'table' AND name = ?", view);
  if (known.length === 0)
    throw local(
      `The lock has no rows of ${view}: cops ${tool} made it.`,
      'Its close is there: report close --as closed',
    );
}

/** The figures of the close as frozen, checked against what the frozen rows give. */
function frozenFigures(database: Database, report: SectionedReport, question: ReportQuestion): Figures {
  const { columns } = report;
  const statement = { sql: `SELECT * FROM ${FIGURES}`, columns, keys: 4 };
  const all = rowsOf(database, statement);
  const rows = all.filter(({ currency }) => question.currency === undefined || currency === question.currency);
  const anew = totalRows(figuresOf(database, { ...REVENUE, controls: {} }, { ...question, by: ['kind'] }).rows);
  const sums = new Map(anew.map((row) => [keyOf(row), row.amount as bigint]));
  const totals = rows.filter(({ section }) => section === 'totals');
  const differences = totals.flatMap((row): Proof[] => {
    const [figure, expected] = [row.amount as bigint, sums.get(keyOf(row)) ?? 0n];
    return figure === expected
      ? []
      : [proofOf(`${row.line} of the lock = ${row.line} of its rows`, String(row.currency), figure, expected)];
  });
  return { statement, rows, differences, proofs: totals.length, inexact: 0 };
}

const keyOf = (row: ReportRow): string => JSON.stringify([row.line, row.kind, row.currency]);

const LINES = ['gross', 'refunds', 'chargebacks', 'fees', 'tax', 'shipping'] as const;

const ADJUSTMENT_COLUMNS: readonly ReportColumn[] = [
  { name: 'section', unit: 'text', about: 'totals, or the movement of one item' },
  { name: 'line', unit: 'text', about: 'gross, refunds, chargebacks, fees, tax, shipping or net' },
  { name: 'currency', unit: 'text', about: 'ISO 4217 code' },
  { name: 'day', unit: 'text', about: 'the day of the movement' },
  {
    name: 'day_of',
    unit: 'text',
    about: "where the day is from: the service's date of the item, or when the mirror first saw it",
  },
  { name: 'change', unit: 'text', about: 'whether the item is new, gone or changed' },
  { name: 'what', unit: 'text', about: 'payment, refund, chargeback, tax or shipping' },
  { name: 'id', unit: 'text', about: 'the item' },
  { name: 'locked', unit: 'money', about: 'in the lock' },
  { name: 'adjustments', unit: 'money', about: 'added or changed since' },
  { name: 'now', unit: 'money', about: 'now' },
];

/** The bookings of a period by item; the same query runs over a mirror and over a lock. */
const itemsSql = ({ period: { begins, ends } }: ReportQuestion): string =>
  `SELECT what, id, currency, min(at_unix) AS at, ${LINES.map((line) => `sum(${line}_minor)`).join(', ')}
FROM report_bookings WHERE at_unix >= ${begins} AND at_unix < ${ends} GROUP BY what, id, currency ORDER BY 4, 1, 2, 3`;

interface BookedItem {
  readonly what: string;
  readonly id: string;
  readonly currency: string | null;
  readonly at: number;
  readonly amounts: readonly bigint[];
}

function itemsOf(database: Database, question: ReportQuestion): Map<string, BookedItem> {
  const rows = database.query(itemsSql(question)).all();
  return new Map(
    rows.map(([what, id, currency, at, ...sums]) => {
      const amounts = sums.map((sum) => BigInt((sum as number | bigint | null) ?? 0));
      const item = { what: String(what), id: String(id), currency: currency as string | null, at: Number(at), amounts };
      return [JSON.stringify([item.what, item.id, item.currency]), item];
    }),
  );
}

/** `--adjustments`: what was added or changed in a month after its lock. locked + adjustments = now. */
export async function adjustmentsGround(
  context: Context,
  report: SectionedReport,
  options: ReportOptions,
  asked: ReportQuestion,
): Promise<ReportGround> {
  const lock = await openLock(context, monthOf(asked, '--adjustments'));
  try {
    const question = asLocked(asked, lock.facts);
    const opened = await openForReport(context, report, options, question);
    const { database, facts, file, reading } = opened;
    const found = reportSource(database, facts, report.views, question.period, { reading });
    const figures = adjustedFigures(lock.database, database, question);
    const since = Math.max(lock.facts.lockedAt, lock.facts.asOf);
    const journal = adjustingJournal(lock.database, database, question, lock.facts.month, (id) =>
      dayIn(Math.max(since, seenAt(database, id) ?? facts.asOf ?? since), question.zone),
    );
    const totals = figures.rows.filter(({ section }) => section === 'totals');
    const sums = totals.map((row) => ({ ...row, kind: 'all', amount: row.adjustments ?? 0n }));
    const differences = [...figures.differences, ...journalFaults(journal, sums)];
    const book =
      options.journal === undefined
        ? say`to book them: ${cops`report close --month ${lock.facts.month} --adjustments --journal hledger`}`
        : 'this journal holds all adjustments since the lock, each on the day first seen: it replaces one printed before';
    const books = journal.length === 0 ? [] : [book];
    const note = `added or changed since ${lock.facts.who} locked ${lock.facts.month} on ${isoTime(lock.facts.lockedAt)}`;
    const shown: SectionedReport = {
      ...report,
      columns: ADJUSTMENT_COLUMNS,
      text: async (...asked) => (await import('./sections-text.js')).adjustmentsText(...asked),
      fault: () => undefined,
    };
    return {
      report: shown,
      question,
      file,
      database,
      found: { ...found, notes: [note, ...books, ...laterRefunds(database, question, lock.facts), ...found.notes] },
      figures: { ...figures, differences },
      journal,
    };
  } finally {
    lock.database.close();
  }
}

/** Refunds of the month's payments that were accepted after it: they belong to the month in which they were. */
function laterRefunds(database: Database, { period, zone, currency }: ReportQuestion, { month }: LockFacts): Text[] {
  const { groups } = inZone(REFUNDS, zone);
  const sums = new Map<string, bigint>();
  const only = currency === undefined ? '' : ` AND v.currency = '${currency}'`;
  const sql = `SELECT v.at_unix, v.currency, v.amount_minor FROM report_refunds AS v WHERE v.at_unix >= ${period.ends} AND ${groups.paid_month} = '${month}'${only}`;
  for (const [at, code, minor] of database.query(sql).all()) {
    const key = `${code} in ${dayIn(Number(at), zone).slice(0, 7)}`;
    sums.set(key, (sums.get(key) ?? 0n) + BigInt(minor as bigint | number));
  }
  if (sums.size === 0) return [];
  const told = [...sums].map(([key, minor]) => `${wholeUnits(minor, key.slice(0, 3))} ${key}`).join(', ');
  return [
    say`refunds of payments of ${month} that were accepted after its end, before the lock or since, count in their own month: ${told}: ${cops`report refunds --from ${dayIn(period.ends, zone)} --rows --where paid_month=${month}`}`,
  ];
}

function adjustedFigures(locked: Database, database: Database, question: ReportQuestion): Figures {
  const [before, after] = [itemsOf(locked, question), itemsOf(database, question)];
  const movements = [...new Set([...before.keys(), ...after.keys()])].flatMap((key) =>
    movementRows(database, question.zone, before.get(key), after.get(key)),
  );
  const [was, is] = [totalsOf(locked, question), totalsOf(database, question)];
  const totals = [...new Set([...was.keys(), ...is.keys()])].sort().map((key): ReportRow => {
    const [currency, line] = JSON.parse(key) as [string, string];
    return {
      ...NOTHING,
      section: 'totals',
      line,
      currency: currency === '' ? null : currency,
      locked: was.get(key) ?? 0n,
      adjustments: movements
        .filter((row) => (row.currency ?? '') === currency)
        .reduce((sum, row) => sum + shareIn(line, row), 0n),
      now: is.get(key) ?? 0n,
    };
  });
  const differences = totals.flatMap((row): Proof[] => {
    const expected = (row.locked as bigint) + (row.adjustments as bigint);
    return expected === row.now
      ? []
      : [proofOf(`${row.line}: locked + adjustments = now`, String(row.currency ?? ''), row.now as bigint, expected)];
  });
  const statement = { sql: itemsSql(question), columns: ADJUSTMENT_COLUMNS, keys: 8 };
  return { statement, rows: [...totals, ...movements], differences, proofs: totals.length, inexact: 0 };
}

const NOTHING = { day: null, day_of: null, change: null, what: null, id: null };

/** How much a movement adds to a line: net is gross less all the others. */
function shareIn(line: string, row: ReportRow): bigint {
  const amount = row.adjustments as bigint;
  if (line === row.line) return amount;
  if (line !== 'net') return 0n;
  return row.line === 'gross' ? amount : -amount;
}

/** The totals as the report itself computes them, by currency and line. */
function totalsOf(database: Database, question: ReportQuestion): Map<string, bigint> {
  const rows = figuresOf(database, { ...REVENUE, controls: {} }, { ...question, by: ['currency'] }).rows;
  return new Map(
    rows.flatMap((row) =>
      [...LINES, 'net'].map((line): [string, bigint] => [
        JSON.stringify([row.currency ?? '', line]),
        (row[line] as bigint | null) ?? 0n,
      ]),
    ),
  );
}

function movementRows(
  database: Database,
  zone: Zone,
  was: BookedItem | undefined,
  is: BookedItem | undefined,
): ReportRow[] {
  const item = is ?? was;
  if (item === undefined) return [];
  const change = was === undefined ? 'new' : is === undefined ? 'gone' : 'changed';
  const seen = change === 'new' ? undefined : seenAt(database, item.id);
  return LINES.flatMap((line, i) => {
    const [locked, now] = [was?.amounts[i] ?? 0n, is?.amounts[i] ?? 0n];
    if (locked === now) return [];
    const own = change === 'new' ? dayIn(item.at, zone) : seen === undefined ? null : dayIn(seen, zone);
    return [
      {
        section: 'movement',
        line,
        currency: item.currency,
        day: own,
        day_of: change === 'new' ? 'service' : own === null ? null : 'first seen',
        change,
        what: item.what,
        id: item.id,
        locked,
        adjustments: now - locked,
        now,
      },
    ];
  });
}

/** When the mirror first saw the current state of an item, unix seconds. */
function seenAt(database: Database, id: string): number | undefined {
  const tables = textsOf(database, "SELECT name FROM sqlite_master WHERE type = 'table' AND name GLOB 'raw_*'");
  const times = tables.flatMap((name) => database.prepare(`SELECT _seen_at FROM "${name}" WHERE id = ?`).all(id));
  const gone = database.prepare('SELECT max(until_at) FROM _history WHERE id = ?').get(id)?.[0];
  const all = [...times.map(([at]) => at), gone].filter((at) => typeof at === 'number');
  return all.length === 0 ? undefined : Math.max(...(all as number[]));
}

/** Notes that the month of a question is locked, unless the figures are the lock's. */
export async function lockedNotes(
  context: Context,
  report: AnyReport,
  { period, zone }: ReportQuestion,
  against: ReportPeriod | undefined,
): Promise<Text[]> {
  if (period.begins === 0 || (await profileIfAny(context)) === undefined) return [];
  const months = new Set(
    [period, against ?? []]
      .flat()
      .flatMap((span) => cutPeriod(span, 'month', zone))
      .map(({ label }) => label),
  );
  const known = await locksIn(await locksFolder(context));
  const locked = known.filter(({ month, unlocked }) => !unlocked && months.has(month)).map(({ month }) => month);
  const [month] = locked.sort();
  if (month === undefined) return [];
  const verb = locked.length === 1 ? 'is' : 'are';
  return [
    say`${locked.join(', ')} ${verb} locked, but these are the current figures; ${hasClosed(report) ? say`the locked ones: ${cops`report ${report.name} --month ${month} --as closed`}` : `a lock keeps none of cops report ${report.name}`}; the changes: ${cops`report close --month ${month} --adjustments`}`,
  ];
}
