import { existsSync } from 'node:fs';
import type { Database } from '../../base/database/types.js';
import { CopsError } from '../../base/errors/errors.js';
import { isoTime } from '../../base/time/units.js';
import type { Context } from '../../session/context/context.js';
import { DEFAULTS } from '../../session/context/spec.js';
import type { AgreedRows } from '../mirror/agreed-rows.js';
import { announceReading, type KeepOptions, mirrorFor } from '../mirror/keep-mirror.js';
import { showKeptFacts } from '../mirror/kept-facts.js';
import { openToRead } from '../mirror/mirror.js';
import { ownerIfAny, teamInUse } from '../mirror/own-mirror.js';
import { reachState } from '../mirror/reach.js';
import { familiesOf, showNewerViews, showOnly } from '../mirror/views.js';
import { viewsOf } from './explain-report.js';
import type { ReportPeriod } from './period.js';
import type { ReportQuestion } from './report-question.js';
import { reachOf } from './report-reach.js';
import type { AnyReport, SectionedReport } from './sectioned-report.js';

/**
 * Opens the mirror for a report. For a sectioned report it first reads the period's rows from the service, unless the
 * line names a mirror file, which only `sync` writes. Lists behind `views` are brought up to date.
 */
export async function openForReport(
  context: Context,
  report: AnyReport,
  options: KeepOptions,
  question: ReportQuestion,
  {
    views = viewsOf(report, question.by),
    against,
  }: { readonly views?: readonly string[]; readonly against?: ReportPeriod | undefined } = {},
) {
  // A report on one moment looks up past states itself.
  const { asOf: moment, ...current } = options;
  const isOfMoment = report.kind === 'own' && report.isOfMoment === true;
  const families = familiesOf(views);
  const spans = [question.period, ...(against ? [against] : [])].map(({ begins, ends }) => ({
    from: begins,
    to: ends - 1,
  }));
  const reach = 'figures' in report ? undefined : reachOf(report, question, spans);
  const kept = await mirrorFor(context, families, isOfMoment ? current : { ...current, asOf: moment }, reach);
  const { file } = kept;
  const reads = options.mirror === undefined && existsSync(file) && options.sync !== false;
  const reading =
    reads && report.kind === 'sections'
      ? await readIfAllowed(context, () =>
          readAgreed(context, file, { question, report, views, options, freshSince: kept.freshSince }),
        )
      : undefined;
  const { database: opened, facts } = await openToRead(file, await ownerIfAny(context));
  const now = Math.floor((await context.now()) / 1000);
  const state = reach && kept.past === undefined ? reachState(opened, reach, now) : undefined;
  // Lists that are at least as recent describe their own state.
  const part = state && (state.readAt ?? 0) < readWholeAt(opened, families) ? undefined : state;
  if (kept.past) showOnly(opened, kept.past.before);
  showNewerViews(opened);
  if (!kept.past) showKeptFacts(opened);
  const database = {
    ...opened,
    close() {
      opened.close();
      kept.discard();
    },
  };
  return {
    file,
    database,
    facts: { ...facts, asOf: reading?.from ?? kept.asOf ?? facts.asOf },
    reading,
    part,
    doubts: kept.doubts,
  };
}

/** The oldest time at which one of the lists was last read completely, in unix seconds; 0 if one never was. */
function readWholeAt(database: Database, families: readonly string[]): number {
  const at = (family: string): number =>
    Number(database.prepare('SELECT read_at FROM _families WHERE family = ?').get(family)?.[0] ?? 0);
  return Math.min(...families.map(at));
}

interface AgreedAsked {
  readonly question: ReportQuestion;
  readonly report: SectionedReport;
  readonly views: readonly string[];
  readonly options: KeepOptions;
  readonly freshSince: number | undefined;
}

/** Only the role that syncs a team's mirror reads into it; for others the last sync answers, as in other reports. */
async function readIfAllowed(context: Context, read: () => Promise<AgreedRows>): Promise<AgreedRows | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof CopsError) || error.facts.more?.mirror !== 'read only') throw error;
    context.notes.note(`${error.message} The last sync answers.`);
    return undefined;
  }
}

/** Reads the rows behind the figures until two passes agree. */
async function readAgreed(
  context: Context,
  file: string,
  { question, report, views, options, freshSince }: AgreedAsked,
): Promise<AgreedRows> {
  const { readUntilAgreed } = await import('../mirror/agreed-rows.js');
  const concurrency = DEFAULTS.exportConcurrency;
  await context.transport(concurrency);
  const reading = await readUntilAgreed(context, {
    file,
    team: await teamInUse(context),
    families: familiesOf(views),
    period: question.period,
    counted: (database) => report.counted(database, question),
    concurrency,
    freshSince,
    mayRead: (requests) =>
      announceReading(context, options, requests, 'reading the rows of the period until two passes agree'),
  });
  const { from, until, passes, requests, moved } = reading;
  const end = moved.length === 0 ? 'the last two agree' : 'no two agree';
  context.notes.note(
    `Read in ${passes} passes (${requests} requests), ${end}: based on ${isoTime(from)} to ${isoTime(until)}.`,
  );
  return reading;
}
