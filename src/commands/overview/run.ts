import { resolve } from 'node:path';
import { findOperation, loadFamily } from '../../catalogue/index.js';
import type { Operation } from '../../catalogue/types.js';
import type { Context } from '../../command/context.js';
import type { CommandInput, Done } from '../../command/run.js';
import { usage } from '../../errors/errors.js';
import { Item, itemsOf } from '../../json/item.js';
import { settleDates } from '../../openapi/dates.js';
import { readFacts } from '../../openapi/files.js';
import { Adder, type Overview, SOURCES, type Source } from '../../overview/figures.js';
import { newReport, readList } from '../../paging/list.js';
import { cutWindows } from '../../paging/windows.js';
import { pager } from '../../request/pager.js';
import { planRequest } from '../../request/plan.js';
import { type Range, type RangeOptions, resolveRange } from '../../time/range.js';
import { momentOf, shiftDay, wallTime, type Zone, zoneOf } from '../../time/zones.js';
import { incompleteError } from '../operation/list.js';
import { openReader, type Reader } from '../operation/reading.js';

export interface OverviewOptions extends RangeOptions {
  readonly html?: string;
}

/** More days than any chart can show, and than anybody wants read by chance. */
const MOST_DAYS = 3660;

/**
 * `cops overview`: counts and exact sums per currency, by day, of what the lists hold: the range is the one
 * that a list of the same options shows. A list that could not be proven complete ends with exit code 10.
 */
export async function overview(context: Context, options: OverviewOptions): Promise<Done> {
  const profile = await context.profile();
  const zone = zoneOf(profile.tz.value, profile.tz.source);
  const range = resolveRange(options, await context.now(), zone);
  const days = daysOf(range, zone);
  if (context.options.dryRun) throw usage('cops overview reads many lists: --dry-run has no single request to show.');
  const reader = await openReader(context);
  const adder = new Adder((unix) => dayName(unix, zone));
  const report = newReport();
  for (const source of SOURCES) await addSource({ context, reader, adder, report, range }, source);
  const figures = adder.result(range, zone.name, days);
  if (options.html !== undefined) await writePage(context, options.html, figures, zone);
  return { ...(await shown(context, figures)), finish: () => incompleteError(report) };
}

interface Reading {
  readonly context: Context;
  readonly reader: Reader;
  readonly adder: Adder;
  readonly report: ReturnType<typeof newReport>;
  readonly range: Range;
}

async function addSource({ context, reader, adder, report, range }: Reading, source: Source): Promise<void> {
  const family = await loadFamily(source.family);
  const listed = findOperation(family, 'list') as Operation;
  const facts = readFacts(context.configDir, reader.profile.name.value, reader.profile.baseUrl.value);
  const operation = facts ? settleDates(listed, facts) : listed;
  const dated = operation.list?.style === 'windowed';
  const own = newReport();
  const take = adder.taker(source);
  const plan = {
    windows: dated ? cutWindows(range, operation.list?.spanDays ?? 90) : undefined,
    paged: true,
    pageSize: 25,
    lastPage: operation.list?.lastPage,
    ahead: 4,
  };
  const base = planRequest(family, operation, { ids: [], query: [] });
  for await (const page of readList(plan, pager(reader, base, family.idField), own)) {
    for (const { raw } of page.items) if (dated || inRange(raw, range)) take(raw);
    const total = own.total === undefined || own.total < own.shown ? '' : ` of ${own.total}`;
    context.notes.progress(`Reading ${source.family.replaceAll('_', ' ')}: ${own.shown}${total} so far`);
  }
  report.unproven.push(...own.unproven.map((text) => `${source.family}: ${text}`));
}

/** A list without dates holds items of all times. */
function inRange(raw: string, range: Range): boolean {
  const unix = new Item(raw).field('created_date_unix');
  return typeof unix === 'number' && unix >= range.from && unix <= range.to;
}

function dayName(unix: number, zone: Zone): string {
  const { year, month, day } = wallTime(unix * 1000, zone);
  return `${String(year).padStart(4, '0')}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

function daysOf(range: Range, zone: Zone): string[] {
  const last = dayName(range.to, zone);
  const days: string[] = [];
  let wall = { ...wallTime(range.from * 1000, zone), hour: 12, minute: 0, second: 0 };
  for (;;) {
    const day = dayName(Math.floor(momentOf(wall, zone) / 1000), zone);
    days.push(day);
    if (day >= last) return days;
    if (days.length > MOST_DAYS)
      throw usage(`The overview takes at most ${MOST_DAYS} days.`, 'Narrow it with --last, --from and --to.');
    wall = { ...shiftDay(wall, 1), hour: 12, minute: 0, second: 0 };
  }
}

async function shown(context: Context, figures: Overview): Promise<Done> {
  const { format, query } = await context.settings();
  const { stdout, env } = context.world;
  if (format === 'table' && query === undefined) {
    const { overviewText } = await import('../../overview/text.js');
    const width = stdout.isTTY ? stdout.columns || 80 : 120;
    return { result: { shape: 'text', text: overviewText(figures, { blocks: env.TERM !== 'dumb', width }) } };
  }
  if (format === 'json' || format === 'yaml' || query !== undefined) {
    return { result: { shape: 'one', item: Item.of(figures) } };
  }
  const columns = ['day', 'kind', 'currency', 'count', 'amount'].map((path) => ({ path }));
  return { result: { shape: 'list', items: itemsOf(figures.by_day), columns, idField: 'day' } };
}

async function writePage(context: Context, file: string, figures: Overview, zone: Zone): Promise<void> {
  if (file === '' || file === '-') throw usage('--html wants the name of a file.');
  const [{ overviewPage }, { replaceFile }] = await Promise.all([
    import('../../overview/page.js'),
    import('../../files/replace-file.js'),
  ]);
  const profile = await context.profile();
  const path = resolve(context.world.cwd, file);
  const made = `${dayName(Math.floor((await context.now()) / 1000), zone)}`;
  await replaceFile(path, overviewPage(figures, { profile: profile.name.value, mode: profile.mode.value, made }));
  context.notes.note(`Written: ${path}`);
}

export function run(context: Context, { options }: CommandInput<OverviewOptions>): Promise<Done> {
  return overview(context, options);
}
