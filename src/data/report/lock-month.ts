import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type { Cell, Database } from '../../base/database/types.js';
import { stopped, usage, Would } from '../../base/errors/errors.js';
import { typedPath } from '../../base/files/typed-path.js';
import { cops, say } from '../../base/text/command-line.js';
import { isoTime } from '../../base/time/units.js';
import type { Context, Done } from '../../session/context/context.js';
import { one } from '../../session/context/run.js';
import { whoAsks } from '../../session/write/limited-history.js';
import { reasonOf } from '../../session/write/prepared-write.js';
import { teamInUse } from '../mirror/own-mirror.js';
import { queryOf, viewColumns, viewsBehind } from '../mirror/views.js';
import { openForReport } from './close-reading.js';
import { SPLITS } from './fact-source.js';
import type { Figures } from './figures.js';
import {
  copyLockFile,
  type LockFacts,
  lockFileOf,
  locksFolder,
  locksIn,
  type MonthLock,
  openLockFile,
  recordLock,
  writeLockFile,
} from './lock-file.js';
import { cutPeriod } from './period.js';
import { unproven } from './report-faults.js';
import type { ReportOptions } from './report-options.js';
import type { ReportQuestion } from './report-question.js';
import { reportSource } from './report-source.js';
import { TABLE_REPORTS } from './reports.js';
import type { SectionedReport } from './sectioned-report.js';
import type { GroupedReport, ReportValue } from './types.js';

/** The table in a lock that holds the figures of the close. */
export const FIGURES = '_figures';

/** Reports whose rows a lock keeps: those that count a thing in the month of its day. */
export const isKept = (report: { readonly kind: string; readonly range: string }): report is GroupedReport =>
  report.kind === 'grouped' && report.range === 'month';

/** The views that a lock keeps, each with the column that the period is cut by. */
function keptViews(): Map<string, string> {
  const views = TABLE_REPORTS.filter(isKept).map(({ view, at }): [string, string] => [view, at]);
  // The journal states how much of the refunds was paid back elsewhere.
  return new Map([...views, ['refunds', 'created_unix']]);
}

/** The whole month that a question covers. @throws CopsError usage (2) if it covers less, or more */
export function monthOf({ period, zone }: ReportQuestion, option: string): string {
  const [month, other] = cutPeriod(period, 'month', zone);
  const isWhole =
    month !== undefined &&
    other === undefined &&
    cutPeriod({ ...period, ends: period.ends + 1 }, 'month', zone).length === 2;
  const isFromFirst = cutPeriod({ begins: period.begins - 1, ends: period.ends }, 'month', zone).length === 2;
  if (month === undefined || !isWhole || !isFromFirst)
    throw usage(`${option} needs one whole month.`, say`For example: ${cops`report close --month last ${option}`}`);
  return month.label;
}

/** Refuses to lock or unlock for a read-only profile. @throws CopsError stopped (12) */
async function checkMay(context: Context, what: string): Promise<void> {
  const { name, readOnly } = await context.profile();
  if (readOnly.value)
    throw stopped(
      `Profile ${name.value} is read-only: it cannot ${what}`,
      say`Use another profile, or allow writing: ${cops`profiles edit ${name.value} --no-read-only`}`,
    );
  if (whoAsks(context) === 'agent') throw stopped(`An agent may not ${what}`, 'Only a person at a terminal may.');
}

/** Who locks a month: with a team's mirror, the user that its server knows. */
async function whoIs(context: Context): Promise<string> {
  const team = await teamInUse(context);
  if (team) return team.address.user;
  const { USER, LOGNAME, USERNAME } = context.world.env;
  return USER || LOGNAME || USERNAME || (await context.profile()).name.value;
}

const seconds = async (context: Context): Promise<number> => Math.floor((await context.now()) / 1000);

/** A hash of all queries behind the figures and rows of a lock. */
export function definitionsOf(report: SectionedReport): string {
  const views = [...viewsBehind([...keptViews().keys(), SPLITS, ...report.views])].sort();
  const reports = TABLE_REPORTS.filter(isKept).map(({ name, filter, measures }) => ({ name, filter, measures }));
  const text = JSON.stringify([views.map((name) => [name, queryOf(name)]), reports]);
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/**
 * `--lock`: freezes a month with its rows.
 * @throws CopsError stopped (12) for a month that is not over, not read since it ended, already locked, or not proven
 */
export async function lockMonth(
  context: Context,
  report: SectionedReport,
  options: ReportOptions,
  question: ReportQuestion,
): Promise<Done> {
  const month = monthOf(question, '--lock');
  await checkMay(context, 'lock a month');
  const { period, zone } = question;
  const now = await seconds(context);
  if (now < period.ends)
    throw stopped(`${month} is not over in ${zone.name}: it ends ${isoTime(period.ends - 1)}`, 'Nothing was locked.');
  const folder = await locksFolder(context);
  if (context.options.dryRun) throw new Would(`lock ${month} (${zone.name}) into a file in ${folder}`);
  checkFree((await locksIn(folder)).find((lock) => lock.month === month));
  const views = [...new Set([...report.views, ...keptViews().keys(), SPLITS])];
  const { database, facts, file, reading } = await openForReport(context, report, options, question, { views });
  try {
    const ground = reportSource(database, facts, views, period, { reading });
    const figures = report.figures(database, question);
    const reached = facts.asOf ?? 0;
    if (reached < period.ends)
      throw stopped(
        `${month} ends ${isoTime(period.ends - 1)}, and was last read ${facts.asOf === undefined ? 'never' : isoTime(reached)}`,
        say`Sync, then lock it: ${cops`sync`}`,
      );
    checkWhole(month, report, figures, unproven(figures, ground)?.message);
    const { name, baseUrl, fingerprint, mode } = await context.profile();
    const who = await whoIs(context);
    const event = await recordLock(context, folder, month, async (known) => {
      checkFree(known);
      const lockFacts: LockFacts = {
        month,
        number: (known?.number ?? 0) + 1,
        begins: period.begins,
        ends: period.ends,
        zone: zone.name,
        mode: mode.value,
        service: baseUrl.value,
        account: fingerprint,
        profile: name.value,
        who,
        lockedAt: now,
        asOf: reached,
        tool: context.world.version,
        definitions: definitionsOf(report),
      };
      const tables = [...frozenTables(database, question), figuresTable(figures)];
      const digest = await writeLockFile(folder, { facts: lockFacts, tables });
      return { what: 'lock', month, number: lockFacts.number, digest, at: now, who };
    });
    const written = lockFileOf(folder, month, event.number);
    context.notes.note(`Locked from ${file}. Store a copy of the lock: another machine can take it with --restore.`);
    return {
      result: one({
        month,
        locked: true,
        number: event.number,
        tz: zone.name,
        mode: mode.value,
        as_of: isoTime(reached),
        locked_at: isoTime(now),
        who,
        digest: event.digest,
        file: written,
      }),
    };
  } finally {
    database.close();
  }
}

/** @throws CopsError stopped (12) for a lock in force */
function checkFree(known: MonthLock | undefined): void {
  if (!known || known.unlocked) return;
  const { month, number, file } = known;
  throw stopped(
    `${month} is locked already${by(known)} (lock ${number}): ${file}`,
    say`A new lock needs ${cops`report close --month ${month} --unlock --reason 'a late refund'`} first; both stay.`,
  );
}

/** When it was done, and by whom; empty if the record does not tell. */
const by = ({ at, who }: Pick<MonthLock, 'at' | 'who'>): string => (who === '' ? '' : ` ${isoTime(at)} by ${who}`);

/** What a month without a lock in force is, with the reason of whoever unlocked it. */
export function withoutLock(known: MonthLock | undefined): string {
  const { unlocked } = known ?? {};
  return unlocked ? `unlocked${by(unlocked)} (${unlocked.reason})` : 'not locked';
}

function checkWhole(month: string, report: SectionedReport, figures: Figures, why: string | undefined): void {
  const nameless = figures.rows.filter(({ section, currency }) => section === 'totals' && currency === null).length;
  const reasons = [
    why,
    report.fault(figures)?.message,
    nameless > 0 ? 'some amounts have no currency.' : undefined,
  ].filter((text) => text !== undefined);
  if (reasons.length > 0)
    throw stopped(
      `${month} cannot be locked: ${reasons.join(' ')}`,
      'Nothing was locked. Correct what the close names at the service, then lock again.',
    );
}

/** A period's rows in all views that a lock keeps, and the shares in which payments were split. */
function frozenTables(database: Database, { period }: ReportQuestion) {
  const views = keptViews();
  const within = (at: string): string => `${at} >= ${period.begins} AND ${at} < ${period.ends}`;
  const table = (name: string, where: string) => {
    const statement = database.query(`SELECT * FROM ${name} WHERE ${where}`);
    return { name, columns: statement.columns, rows: statement.iterate() };
  };
  const paid = [...views].filter(([name]) => viewColumns(database, name).includes('paid_by'));
  const ids = paid.map(([name, at]) => `SELECT paid_by FROM ${name} WHERE ${within(at)}`).join(' UNION ');
  return [...[...views].map(([name, at]) => table(name, within(at))), table(SPLITS, `paid_by IN (${ids})`)];
}

function figuresTable({ rows, statement: { columns } }: Figures) {
  const names = columns.map(({ name }) => name);
  const cellOf = (value: ReportValue | undefined): Cell => value ?? null;
  return { name: FIGURES, columns: names, rows: rows.map((row) => names.map((name) => cellOf(row[name]))) };
}

/** `--unlock --reason`: allows locking a month again; the existing lock stays. */
export async function unlockMonth(context: Context, options: ReportOptions, question: ReportQuestion): Promise<Done> {
  const month = monthOf(question, '--unlock');
  await checkMay(context, 'unlock a month');
  const reason = reasonOf(options.reason);
  if (reason === undefined) throw usage('--unlock wants a reason.', "For example: --reason 'a late refund'");
  const folder = await locksFolder(context);
  if (context.options.dryRun) throw new Would(`unlock ${month}, whose lock stays in ${folder}`);
  const [who, at] = [await whoIs(context), await seconds(context)];
  const event = await recordLock(context, folder, month, async (known) => {
    if (known === undefined || known.unlocked) throw stopped(`${month} is ${withoutLock(known)}`, 'Nothing was done.');
    return { what: 'unlock', month, number: known.number, digest: known.digest, at, who, reason };
  });
  const file = lockFileOf(folder, month, event.number);
  return { result: one({ month, locked: false, number: event.number, unlocked_at: isoTime(at), who, reason, file }) };
}

/** `--restore <file>`: restores a lock from a copy of its file. */
export async function restoreLock(context: Context, typed: string): Promise<Done> {
  await checkMay(context, 'restore a lock');
  const from = typedPath(context.world, typed);
  const { database, facts, digest } = await openLockFile(from, '');
  database.close();
  const { baseUrl, mode, fingerprint } = await context.profile();
  if (facts.service !== baseUrl.value || facts.mode !== mode.value)
    throw stopped(
      `stopped: the lock belongs to ${facts.service} in ${facts.mode} mode, not to ${baseUrl.value} in ${mode.value} mode`,
      'Nothing was restored. Choose the profile and mode it belongs to (-p, --live, --test).',
    );
  if (facts.account !== fingerprint) context.notes.warn('Note: the lock was made with another key.');
  const folder = await locksFolder(context);
  if (context.options.dryRun) throw new Would(`restore the lock of ${facts.month} into ${folder}`);
  const [who, at] = [await whoIs(context), await seconds(context)];
  const { month, number } = facts;
  await recordLock(context, folder, month, async (known) => {
    const isKnown = known?.number === number && known.digest !== '';
    if (isKnown && known.digest !== digest)
      throw stopped(`The record has a different lock ${number} of ${month}`, 'Nothing was restored.', { digest });
    if (known !== undefined && known.number > number)
      throw stopped(`There is a newer lock of ${month}: ${known.file}`, 'Nothing was restored.');
    const file = lockFileOf(folder, month, number);
    if (file !== from) {
      if (isKnown || known?.number === number) await rm(file, { force: true });
      await copyLockFile(folder, from, facts);
    }
    return { what: 'restore', month, number, digest, at, who };
  });
  const file = lockFileOf(folder, month, number);
  return {
    result: one({
      month,
      locked: true,
      number,
      tz: facts.zone,
      mode: facts.mode,
      locked_at: isoTime(facts.lockedAt),
      who: facts.who,
      digest,
      file,
    }),
  };
}
