import { checkTarget, pageTarget, writeGiven } from '../../account/given-target.js';
import { CopsError, usage } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import { dayIn } from '../../base/time/periods.js';
import { type RangeOptions, rangeTexts, resolveRange, type TimeRange } from '../../base/time/range.js';
import { datesSaid } from '../../base/time/spoken-days.js';
import type { Zone } from '../../base/time/zones.js';
import { findOperation, loadFamily } from '../../catalogue/index.js';
import type { Operation } from '../../catalogue/types.js';
import { Item } from '../../items/json/item-json.js';
import { sanitiseLines } from '../../items/text/inert.js';
import { newReport, readList, wholePlan } from '../../service/lists/read-list.js';
import { requestedRange, windowsOfList } from '../../service/lists/windows.js';
import { pager } from '../../service/request/pager.js';
import { planRequest } from '../../service/request/request-plan.js';
import type { Context, Done } from '../../session/context/context.js';
import { listOf, one } from '../../session/context/run.js';
import { settledDates } from '../../session/context/settled-dates.js';
import { zoneInUse } from '../../session/context/typed-words.js';
import { accountHead } from '../../session/lookup/account-head.js';
import { incompleteError } from '../../session/read/list.js';
import { openReader, type Reader } from '../../session/read/reading.js';
import { listProgress } from '../export/progress.js';
import type { RawTable } from '../mirror/mirror-table.js';
import { inScratch } from '../mirror/scratch.js';
import { cutPeriod } from '../report/period.js';
import { FAMILIES, type Overview, overviewOf, TABLES } from './overview-figures.js';

/** Options of `cops overview`, as typed. */
export interface OverviewOptions extends RangeOptions {
  readonly html?: string;
}

/**
 * `cops overview`: the reports by day, without a mirror. Reads their lists from the service and runs the same queries
 * over them. Ends with exit code 10 if a list is not proven complete, or sums are not exact.
 */
export async function answerOverview(context: Context, options: OverviewOptions): Promise<Done> {
  const zone = await zoneInUse(context);
  const now = await context.now();
  const range = resolveRange(options, now, zone);
  for (const said of datesSaid(rangeTexts(options), now, zone)) context.notes.note(said);
  const period = { begins: range.from, ends: range.to + 1 };
  cutPeriod(period, 'day', zone);
  const { html } = options;
  if (html === '' || html === '-') throw usage('--html needs a file name.');
  // Reports a page that cannot be written before reading anything for it.
  if (html !== undefined) await checkTarget(pageTarget(context, html));
  const reader = await openReader(context);
  const report = newReport();
  return inScratch(TABLES, reader.profile.mode.value, async (database, tables) => {
    const began = context.world.now();
    for (const [at, family] of FAMILIES.entries()) {
      const place = { at, of: FAMILIES.length, began };
      const took = listProgress(context, family, place);
      await addList({ context, reader, report, range, took }, family, tables.get(family) as RawTable);
    }
    const { overview: figures, differences, inexact, notes } = overviewOf(database, period, zone);
    if (options.html !== undefined) await writePage(context, options.html, figures, zone);
    for (const text of notes) context.notes.note(`Note: ${text}.`);
    const finish = () => incompleteError(report) ?? unproven(differences.length, inexact);
    return { ...(await shown(context, figures)), finish };
  });
}

function unproven(differences: number, inexact: number): CopsError | undefined {
  if (differences === 0 && inexact === 0) return undefined;
  const what = [
    ...(differences > 0 ? [`${differences} of their checks fail`] : []),
    ...(inexact > 0
      ? [`${inexact} items have an amount that is missing, finer than its minor unit, or without a currency or time`]
      : []),
  ];
  return new CopsError('incomplete', `The figures are not proven: ${what.join('; ')}.`, {
    hint: say`To see which, use a mirror: ${cops`sync`}, then ${cops`report`}.`,
    more: { differences, inexact },
  });
}

interface Reading {
  readonly context: Context;
  readonly reader: Reader;
  readonly report: ReturnType<typeof newReport>;
  readonly range: TimeRange;
  readonly took: (windows: number, isWindow: boolean, items: number) => void;
}

async function addList(
  { context, reader, report, range, took }: Reading,
  name: string,
  table: RawTable,
): Promise<void> {
  const family = await loadFamily(name);
  const operation = await settledDates(context, findOperation(family, 'list') as Operation);
  const own = newReport();
  const plan = wholePlan(
    operation.list,
    windowsOfList(operation.list, requestedRange(range, reader.profile.rangeEnds.value)),
    4,
  );
  const base = planRequest(family, operation, { ids: [], query: [] });
  for await (const page of readList(plan, pager(reader, base, family.idField), own)) {
    table.expect(page.items);
    const rows = page.items.map(({ raw }) => ({ id: idOf(raw, family.idField), bytes: Buffer.from(raw), window: -1 }));
    table.putAll(rows, range.to);
    took(plan.windows?.length ?? 1, false, page.items.length);
  }
  report.unproven.push(...own.unproven.map((text) => `${name}: ${text}`));
}

/** An item without an id is identified by its text, as in an export. */
function idOf(raw: string, idField: string): string {
  const id = new Item(raw).field(idField);
  return typeof id === 'string' && id !== '' ? id : raw;
}

async function shown(context: Context, figures: Overview): Promise<Done> {
  const { format, query } = await context.settings();
  const { stdout, env } = context.world;
  if (format === 'table' && query === undefined) {
    const { overviewText } = await import('./overview-text.js');
    const width = stdout.isTTY ? stdout.columns || 80 : 120;
    const text = overviewText(figures, { blocks: env.TERM !== 'dumb', width });
    return { result: { shape: 'text', text: (await accountHead(context)) + sanitiseLines(text), painted: true } };
  }
  if (format === 'json' || format === 'yaml' || query !== undefined) return { result: one(figures) };
  return { result: listOf(figures.by_day, ['day', 'kind', 'currency', 'count', 'amount']) };
}

async function writePage(context: Context, file: string, figures: Overview, zone: Zone): Promise<void> {
  const { overviewPage } = await import('./overview-page.js');
  const profile = await context.profile();
  const made = dayIn(Math.floor((await context.now()) / 1000), zone);
  const page = overviewPage(figures, { profile: profile.name.value, mode: profile.mode.value, made });
  const target = pageTarget(context, file);
  await writeGiven(target, page);
  context.notes.note(`Written: ${target.path}`);
}
