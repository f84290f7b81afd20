import { CopsError, usage } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import type { UnixSpan } from '../../base/time/periods.js';
import type { TimeRange } from '../../base/time/range.js';
import { DAY, isoTime } from '../../base/time/units.js';
import { LARGEST_PAGE } from '../../catalogue/terms.js';
import type { Column, Family, FamilyOperation, List, Operation } from '../../catalogue/types.js';
import { Item } from '../../items/json/item-json.js';
import { literalMark } from '../../items/select/literal-marks.js';
import { columnMeant, mayHave, vocabularyOf } from '../../items/select/names.js';
import { group } from '../../items/text/width.js';
import { Meter } from '../../screen/meter.js';
import {
  beforeFirstCall,
  endingAtFirstCall,
  type FetchPage,
  type Growing,
  type Page,
  saidOfEnd,
} from '../../service/lists/growing-lists.js';
import { type ListPlan, type ListReport, newReport, readList } from '../../service/lists/read-list.js';
import { countWindows, cutWindows, endsDoubt, requestedRange } from '../../service/lists/windows.js';
import { pager } from '../../service/request/pager.js';
import { planRequest } from '../../service/request/request-plan.js';
import type { Context, Done } from '../context/context.js';
import { lineWithout } from '../context/lines.js';
import { DEFAULTS } from '../context/spec.js';
import { wholeNumber } from '../context/typed-words.js';
import { type KeptList, type KeptRows, SEEN_AT } from '../joins/kept-rows.js';
import { everyPage, pagingOf } from './every-page.js';
import { withCurrencies } from './query-currencies.js';
import { type ListRange, listRange, type WholeRangeOptions, watchingClock, wholeWords } from './range-of.js';
import { openReader, type Reader } from './reading.js';
import {
  askedColumns,
  type Chosen,
  chooses,
  chosenBy,
  matchCount,
  type SelectOptions,
  sayChosen,
  sayRemarks,
  shownNames,
  unknownError,
  viewOf,
} from './selection.js';

/** Typed options of a list, including filters made here. */
export interface ListOptions extends SelectOptions, WholeRangeOptions {
  readonly [option: string]: unknown;
  readonly oldestFirst?: boolean | undefined;
  /** False with `--no-range`. */
  readonly range?: boolean | undefined;
  readonly limit?: string | undefined;
  readonly all?: boolean | undefined;
  readonly pageSize?: string | undefined;
  readonly page?: string | undefined;
}

/** What a line reads instead of the service. */
export interface ListSource {
  /** The list itself, and everything it refers to. */
  readonly list?: KeptList | undefined;
  /** Related rows seen a short while ago. */
  readonly rows?: KeptRows | undefined;
}

const PAGES_AHEAD = 4;

/** Reads a list over all its windows and pages (command-line.md#lists). */
export async function listCommand(
  asked: Context,
  family: Family,
  operation: Operation,
  ids: readonly string[],
  query: readonly (readonly [string, string])[],
  options: ListOptions,
  source: ListSource = {},
): Promise<Done> {
  const past = source.list && (await import('./kept-list.js'));
  if (source.list) past?.refusePages(asked, options);
  const context = source.list && past ? past.contextThen(asked, source.list) : asked;
  const kept = source.list ?? source.rows;
  const limits = limitsOf(context, options, chooses(family, operation, options) || (await showsFigure(context)));
  const chosen = limits.choosing ? await chosenBy(context, family, operation, options, limits.chosen) : undefined;
  const planned = await planList(context, { family, operation }, options, limits, source.list !== undefined);
  const plan = source.list ? inOneReading(planned) : planned;
  const base = planRequest(family, operation, { ids, query });
  if (context.options.dryRun && !source.list) {
    const first = { request: { ...base, query: [...pagingOf(plan, plan.windows?.[0]), ...base.query] } };
    const all = context.options.curl ? await everyPage(context, { plan, base, idField: family.idField }) : [first];
    return (await import('../write/dry-run.js')).dryRuns(context, all);
  }
  const reader = await openReader(context);
  const report = newReport();
  const fetch =
    past && source.list
      ? past.fetchKept(source.list, options)
      : withProgress(context, family, fetchFor(context, plan, pager(reader, base, family.idField)));
  const seen: string[] = [];
  const pages = readList(plan, fetch, report);
  const sayEmpty = () => emptyWords(context, plan, isAssumedSpan(family, operation, options), options.where);
  if (chosen?.selection.bare)
    return countCommand(context, plan, fetch, { chosen, reader, kept, items: itemsOf(pages, seen), report, sayEmpty });
  const { view, far, groups, items, say } = await rowsOf(
    { ...{ context, reader, kept, family, operation, options, chosen }, span: plan.span },
    itemsOf(pages, seen),
  );
  const shown = source.list ? [...family.columns, SEEN] : (operation.columns ?? family.columns);
  const columns = groups ? await groups.groupColumns(context, chosen) : shown;
  return {
    result: {
      shape: 'list',
      columns,
      asked: [...(far?.columns ?? []), ...(chosen && !view.rows ? askedColumns(chosen, columns) : [])],
      idField: family.idField,
      account: reader.profile.account,
      items,
      shownAtMost: limits.ofQuery,
      ...(view.rows
        ? { fields: ['iso_currency'], usual: await groups?.withCurrency(context, chosen) }
        : namesOf(family, operation, [...(source.list ? [SEEN_AT] : []), ...(far?.known ?? [])])),
      envelopes: context.options.raw ? envelopesOf(pages) : undefined,
    },
    finish: async () => {
      if (operation.action === 'list' && !source.list) {
        const { keepIds } = await import('../../account/seen-ids/ids.js');
        keepIds(context, reader.profile, family, seen);
      }
      const incomplete = incompleteError(report);
      if (incomplete) return incomplete;
      say();
      const doubt = view.selected && chosen ? sayChosen(context.notes, view.selected, chosen) : unknownError(far);
      const { columns: named } = context.options;
      const isData = !report.more && !['table', 'ids'].includes((await context.settings()).format);
      if (plan.span && (named || isData) && !view.rows) {
        const { tellColumns, tellRowsApart } = await import('./told-selection.js');
        tellRowsApart(context, family, named, plan.span);
        await tellColumns(context, family, named ?? []);
      }
      lastWords(context, plan, report, view.selected !== undefined);
      const shown = view.selected ? view.selected.shown : report.shown;
      if (shown === 0) sayEmpty();
      return doubt;
    },
  };
}

/** What is known of the names of a list's columns. */
function namesOf(family: Family, operation: Operation, more: readonly string[]) {
  const vocabulary = vocabularyOf(family, operation);
  return {
    list: vocabulary.list,
    fields: operation.columns ? [] : [...Object.keys(family.item ?? {}), ...more],
    fieldCalled: (name: string) => columnMeant(vocabulary, name),
    mayHave: (name: string) => mayHave(vocabulary, name),
    faultOf: async (name: string) =>
      operation.columns ? undefined : (await import('../joins/roads.js')).strayFault(family, vocabulary, name),
  };
}

interface Viewing extends FamilyOperation {
  readonly context: Context;
  readonly reader: Reader;
  readonly kept: KeptRows | undefined;
  readonly options: ListOptions;
  readonly chosen: Chosen | undefined;
  readonly span: UnixSpan;
}

/** What a line makes of its list's items: the chosen ones, with columns of related rows, or groups of them. */
async function rowsOf(viewing: Viewing, items: AsyncIterable<Item>) {
  const { context, family, operation, options, chosen, span, reader, kept } = viewing;
  const found = await viewOf(items, chosen, { context, reader, kept });
  const { named, others } = found.rows
    ? { named: [], others: [] }
    : await shownNames(context, { family, operation }, chosen, options.picked);
  const joins = named.length > 0 ? await import('../joins/far-columns.js') : undefined;
  const far = await joins?.farColumns(context, { family, operation }, named, {
    reader,
    view: found,
    sides: chosen?.joins?.sides,
    others,
    reaches: options.reaches,
    kept,
  });
  const view = far ? { ...found, items: far.items } : found;
  const groups = view.rows ? await import('./parts.js') : undefined;
  const parts = await groups?.withParts(context, view, chosen, span);
  const watched = withCurrencies(context, parts?.items ?? view.items, { family, operation });
  const isTable = !view.rows && (await context.settings()).format === 'table';
  const totals = isTable ? await import('./shown-totals.js') : undefined;
  const told = await totals?.withTotals(context, watched.items, { family, operation });
  const say = (): void => {
    for (const one of [parts, watched, told]) one?.say();
  };
  return { view, far, groups, items: told?.items ?? watched.items, say };
}

/** When each row of a mirror was seen. */
const SEEN: Column = { path: SEEN_AT, title: 'seen', as: 'time' };

/** A mirror is read at once, whatever the service's windows and pages are. */
function inOneReading(plan: Planned): Planned {
  const { windows = [] } = plan;
  const ends = windows.flatMap(({ from, to }) => [from, to]);
  const range = windows.length === 0 ? undefined : [{ from: Math.min(...ends), to: Math.max(...ends) }];
  return { ...plan, windows: range, paged: false, grows: undefined, now: undefined };
}

/** For an empty answer, says where it looked, and what looks further if nobody chose the range. */
function emptyWords(
  { notes, world }: Context,
  { windows = [] }: ListPlan,
  isAssumed: boolean,
  where: ListOptions['where'],
): void {
  const mark = literalMark(where);
  if (mark !== undefined) notes.warn(mark);
  if (windows.length > 0 && windows.every((window) => window.from > 0)) {
    const from = Math.min(...windows.map((window) => window.from));
    const to = Math.max(...windows.map((window) => window.to));
    notes.note(`Looked at: ${isoTime(from)} to ${isoTime(to)}.`);
  }
  if (isAssumed)
    notes.warn(say`Only the last 30 days were read. For everything: ${cops`${[...world.argv, '--all-time']}`}`);
}

/** A list to which its own requests add ends where they began. */
function fetchFor(context: Context, { grows, range }: Planned, reading: FetchPage): FetchPage {
  const { notes } = context;
  const fetch = range ? watchingClock(context, range, reading) : reading;
  return grows ? endingAtFirstCall(fetch, { ...grows, onEnd: (to) => notes.warn(saidOfEnd(to)) }) : fetch;
}

function withProgress({ world, notes }: Context, { name }: Family, fetch: FetchPage): FetchPage {
  // On a terminal, the rows themselves show the progress.
  if (world.stdout.isTTY === true) return fetch;
  const meter = new Meter(notes, () => world.now(), { unit: 'items read', what: name.replaceAll('_', ' ') });
  let count = 0;
  return async (query, signal) => {
    const page = await fetch(query, signal);
    count += page.items.length;
    meter.show(count);
    return page;
  };
}

/** True if nobody gave a range and the list used its own short one. */
function isAssumedSpan(family: Family, { list }: Operation, options: ListOptions): boolean {
  const isRanged = list?.style === 'windowed' && options.range !== false && options.page === undefined;
  return (
    isRanged &&
    family.nature === 'event' &&
    openStateOf(family, options) === undefined &&
    wholeWords(options).length === 0
  );
}

/** How many items to read, return and show; undefined for all. */
type Limits = ReturnType<typeof limitsOf>;

/** A terminal's default limit never cuts the input of a computation, only its result. */
/** Refuses a figure among the columns: it belongs to groups, not to an item. */
const showsFigure = async (context: Context): Promise<boolean> =>
  (await context.settings()).columns?.some((name) => name.includes('(')) === true;

function limitsOf(context: Context, options: ListOptions, choosing: boolean) {
  const limit = wholeNumber(options.limit, '--limit', 1);
  if (options.all && limit !== undefined) throw usage('--all and --limit cannot be combined.');
  const terminal = context.world.stdout.isTTY === true && !options.all && options.page === undefined;
  const shown = limit ?? (terminal ? DEFAULTS.terminalItems : undefined);
  const asksQuery = context.options.query !== undefined;
  return {
    /** The line selects, sorts or counts, so all items of the range are read. */
    choosing,
    read: choosing ? undefined : asksQuery ? limit : shown,
    chosen: { limit: asksQuery ? limit : shown, stops: limit !== undefined },
    ofQuery: asksQuery && limit === undefined ? shown : undefined,
  };
}

interface Planned extends ListPlan {
  /** The newest window of a list up to now that grows while it is read. */
  readonly grows: Omit<Growing, 'onEnd'> | undefined;
  /** The span of the windows; starts at 0 if they start at the first day of all. */
  readonly span: UnixSpan;
  /** The range that the windows cut; undefined for a list without dates. */
  readonly range?: ListRange | undefined;
}

async function planList(
  context: Context,
  { family, operation }: FamilyOperation,
  options: ListOptions,
  limits: Limits,
  isKept = false,
): Promise<Planned> {
  const { list } = operation;
  const firstPage = list?.lastPage === undefined ? 1 : 0;
  const onlyPage = wholeNumber(options.page, '--page', firstPage, list?.lastPage ?? 1_000_000_000);
  const wanted = limits.read;
  const asked = wholeNumber(options.pageSize, '--page-size', 1, LARGEST_PAGE);
  const pageSize = asked ?? Math.max(1, Math.min(LARGEST_PAGE, wanted ?? LARGEST_PAGE));
  const began = await context.now();
  const ranged: Partial<Awaited<ReturnType<typeof windowsOf>>> =
    list?.style === 'windowed' && options.range !== false
      ? await windowsOf(context, { family, list }, options, { now: began, onlyPage, isKept })
      : {};
  const { windows, range, endsIn, span = { begins: 0, ends: Math.floor(began / 1000) + 1 } } = ranged;
  const latest = Math.floor(began / 1000) - (list?.growsByReading ? 1 : 0);
  const newest = Math.max(-1, ...(windows ?? []).map(({ to }) => to));
  const reached = newest >= latest ? newest : undefined;
  if (options.range === false && wholeWords(options).length > 0)
    throw usage(`--no-range cannot be combined with ${wholeWords(options)[0]}.`);
  return {
    windows,
    endsIn,
    span,
    range,
    paged: list?.style === 'windowed' || list?.style === 'paged',
    pageSize,
    lastPage: list?.lastPage,
    limit: wanted,
    onlyPage,
    ahead: PAGES_AHEAD,
    grows: list?.growsByReading && reached !== undefined ? { end: reached, span: spanOf(list) * DAY } : undefined,
    now: reached === undefined || list?.growsByReading ? undefined : clockFrom(context, began),
  };
}

/** The clock of the windows as it moves on; the sandbox has a separate time. */
function clockFrom({ world }: Context, began: number): () => number {
  const ahead = began - world.now();
  return () => world.now() + ahead;
}

const NO_LIMIT_SHOWN = 'The service does not say how many calls it allows in what time; beyond that it answers 429.';

/** `--count`: the bare number, from the service's own counts if no item must be examined. */
async function countCommand(
  context: Context,
  plan: Planned,
  fetch: FetchPage,
  read: {
    readonly chosen: Chosen;
    readonly reader: Reader;
    readonly kept: KeptRows | undefined;
    readonly items: AsyncIterable<Item>;
    readonly report: ListReport;
    readonly sayEmpty: () => void;
  },
): Promise<Done> {
  const { selection } = read.chosen;
  const isWhole =
    selection.where.length === 0 && selection.anyOf.length === 0 && !read.chosen.joins && !selection.newestPer;
  const plain = isWhole && plan.paged;
  if (plan.grows) context.notes.note(NO_LIMIT_SHOWN);
  const told = plain ? await countWindows(plan.windows ?? [undefined], fetch) : undefined;
  if (told !== undefined) {
    if (told === 0) read.sayEmpty();
    return { result: { shape: 'text', text: `${told}\n` } };
  }
  const view = await viewOf(read.items, read.chosen, { context, reader: read.reader, kept: read.kept });
  return {
    result: await matchCount(view),
    finish: () => {
      sayRemarks(context.notes, view.selected);
      if (view.selected?.matched === 0) read.sayEmpty();
      return incompleteError(read.report) ?? unknownError(view.selected);
    },
  };
}

async function windowsOf(
  context: Context,
  { family, list }: { readonly family: Family; readonly list: List },
  options: ListOptions,
  { now, onlyPage, isKept }: { readonly now: number; readonly onlyPage: number | undefined; readonly isKept: boolean },
): Promise<{
  readonly windows: TimeRange[];
  readonly range: ListRange;
  readonly endsIn: boolean;
  readonly span?: UnixSpan;
}> {
  const ranged = {
    family,
    list,
    isExport: false,
    isOnePage: onlyPage !== undefined,
    isKept,
    openState: openStateOf(family, options),
    waiting: options.status === undefined ? family.open?.[0]?.toLowerCase() : undefined,
  };
  const asked = await listRange(context, options, now, ranged);
  // What is due has been told with its own range.
  const { note, warn } = context.notes;
  // With --all the answer looks complete: even a quiet line says what is left out.
  if (options.next === undefined) for (const line of asked.said) (options.all ? warn : note)(line);
  const range = list.growsByReading ? { ...asked, ...beforeFirstCall(asked, Math.floor(now / 1000)) } : asked;
  const spanDays = spanOf(list);
  // A mirror includes both ends.
  const ends = isKept ? 'in' : (await context.profile()).rangeEnds.value;
  const windows = cutWindows(requestedRange(range, ends), spanDays, options.oldestFirst === true);
  if (onlyPage !== undefined && windows.length > 1) {
    if (range.assumed) return { windows: windows.slice(0, 1), range: asked, endsIn: false };
    const widened = ends === 'in' ? '' : `, asked for a second wider where the service excludes its end (range_ends)`;
    // The suggested range then fits one window.
    const { from = 0, to = 0 } = requestedRange({ from: 1, to: 1 }, ends);
    const fits = ['--from', isoTime(range.to + to - from - spanDays * DAY), '--to', isoTime(range.to)];
    const typed = wholeWords(options).map((word) => word.split(' ')[0] ?? '');
    throw usage(
      `--page means one page of one window, but this range${widened} takes ${windows.length} windows of at most ${spanDays} days.`,
      say`The newest one: ${lineWithout(context.world.argv, typed, ...fits)}. Leave out --page to read all pages.`,
    );
  }
  return {
    windows,
    range: asked,
    endsIn: ends === 'in' && !isKept,
    span: { begins: range.isWhole ? 0 : range.from, ends: range.to + 1 },
  };
}

/** Days that one window may span. */
const spanOf = ({ spanDays }: List): number => spanDays ?? 90;

/** The state that the line requests, if its items still wait for something. */
function openStateOf({ open = [] }: Family, { status, where = [] }: ListOptions): string | undefined {
  const asked = [status ?? []].flat().map(String);
  for (const text of where) asked.push(/^\s*status\s*==?\s*(.*?)\s*$/i.exec(text)?.[1] ?? '');
  const each = asked.flatMap((states) => states.split(',')).map((state) => state.trim());
  const named = each.filter((state) => state !== '');
  const isOpen = (state: string): boolean => open.some((one) => one.toLowerCase() === state.toLowerCase());
  return named.length > 0 && named.every(isOpen) ? named.join(' or ') : undefined;
}

/** How many characters and items of a list to remember for completion. */
const MOST_SEEN = { characters: 512 * 1024, items: 300 };

/** The items of pages; the first of them stay in `seen`: a long list takes no more memory than a short one. */
async function* itemsOf(pages: AsyncIterable<Page>, seen: string[]): AsyncGenerator<Item> {
  let characters = 0;
  for await (const page of pages) {
    for (const { raw } of page.items) {
      if (seen.length < MOST_SEEN.items && characters <= MOST_SEEN.characters) {
        characters += raw.length;
        seen.push(raw);
      }
      yield new Item(raw);
    }
  }
}

async function* envelopesOf(pages: AsyncIterable<Page>): AsyncGenerator<string> {
  for await (const page of pages) yield page.envelope();
}

/** Says what was left out. */
function lastWords({ notes }: Context, plan: ListPlan, report: ListReport, selected: boolean): void {
  if (report.endLeftOut) notes.warn(endsDoubt(report.endLeftOut));
  if (selected && !report.more) return;
  if (report.more) {
    const total =
      report.total === undefined ? 'shown, there are more (--count counts them)' : `of ${group(report.total)}`;
    notes.warn(`${group(report.shown)} ${total}. Use --all or a larger --limit for the rest.`, {
      total: report.total,
    });
  } else if (plan.onlyPage !== undefined && report.total !== undefined && report.total > report.shown) {
    notes.warn(`${group(report.shown)} of ${group(report.total)} (page ${plan.onlyPage} only).`, {
      total: report.total,
    });
  } else if (report.shown === 0) {
    notes.note('No items.');
  }
}

/** The error of a list not proven complete (exit code 10); undefined for a proven one. */
export function incompleteError(report: ListReport): CopsError | undefined {
  if (report.unproven.length === 0) return undefined;
  return new CopsError('incomplete', `The list could not be proven complete. ${report.unproven.join(' ')}`, {
    hint: 'Run it again; if that does not help, narrow the range or tell the operator of the service.',
    more: { items: report.shown, total_count: report.total ?? null },
  });
}

/** All items of a list that a selection keeps, for an action on each. */
export async function listedItems(
  context: Context,
  { family, operation }: FamilyOperation,
  options: ListOptions,
  reader: Reader,
) {
  const limits = limitsOf(context, { ...options, all: true }, true);
  const chosen = await chosenBy(context, family, operation, options, limits.chosen);
  const plan = await planList(context, { family, operation }, options, limits);
  const base = planRequest(family, operation, { ids: [], query: [] });
  const report = newReport();
  const pages = readList(plan, fetchFor(context, plan, pager(reader, base, family.idField)), report);
  const { items, selected } = await viewOf(itemsOf(pages, []), chosen, { context, reader });
  return { items, selected, incomplete: () => incompleteError(report) };
}
