import { CopsError, usage, wrongOption } from '../../base/errors/errors.js';
import { say, type Text } from '../../base/text/command-line.js';
import type { RangeOptions } from '../../base/time/range.js';
import { zoneOf } from '../../base/time/zones.js';
import type { Column, Family, FamilyOperation, Operation } from '../../catalogue/types.js';
import type { Item } from '../../items/json/item-json.js';
import type { Condition, ReadingClock } from '../../items/select/condition.js';
import {
  fieldAt,
  fieldPath,
  isKnown,
  isMoney,
  isTime,
  type Vocabulary,
  vocabularyOf,
} from '../../items/select/names.js';
import type { OtherMeant, Selected, Selection } from '../../items/select/select.js';
import { group } from '../../items/text/width.js';
import type { Notes, Result } from '../../screen/types.js';
import type { Context } from '../context/context.js';
import { lineInstead, lineWithout } from '../context/lines.js';
import type { SharedLists } from '../joins/far-rows.js';
import type { LineJoining } from '../joins/joining.js';
import type { KeptRows } from '../joins/kept-rows.js';
import type { JoinOptions, LineJoins } from '../joins/line-joins.js';
import { ownFilters, type SelectingOptions } from '../operation/spec.js';
import type { Reader } from './reading.js';
import {
  linesBeside,
  plainNames,
  tellApart,
  tellCounted,
  tellDate,
  tellLastChange,
  tellRange,
} from './told-selection.js';
import type { TypedConditions, watchedBy } from './watched-conditions.js';

/** Typed options that select items of a list, including filters made here. */
export interface SelectOptions extends RangeOptions, SelectingOptions {
  /** The families whose rows may be read; by default all. */
  readonly reaches?: ReadonlySet<string> | undefined;
  /** Columns that a caller picks out of the items itself. */
  readonly picked?: readonly string[] | undefined;
  /** What is due within a span from now on. */
  readonly next?: string | undefined;
}

/** A selection with its parts. */
export interface Chosen {
  readonly selection: Selection;
  readonly vocabulary: Vocabulary;
  readonly moment: ReadingClock;
  /** Paths on which the line compares values by size. */
  readonly compared: readonly string[];
  /** The requirements on related rows; undefined if there are none. */
  readonly joins: LineJoins | undefined;
  /** Counts of matches that need a note. */
  readonly watched: ReturnType<typeof watchedBy>;
}

/** True if the line selects, sorts or counts. */
export function chooses(family: Family, operation: Operation, options: Readonly<Record<string, unknown>>): boolean {
  const words = [
    'where',
    'sort',
    'count',
    'groupBy',
    'sum',
    'latestPer',
    'having',
    'with',
    'without',
    'next',
    ...ownFilters(family, operation).map((one) => one.option),
  ];
  return words.some((word) => options[word] !== undefined);
}

/** Refuses a figure of groups if the line has no groups or adds it up, and names the line that shows it. */
async function refuseFigures(
  { world: { argv } }: Context,
  family: Family,
  { sum, groupBy, sort = [], where = [] }: SelectOptions,
  vocabulary: Vocabulary,
  columns: readonly string[],
): Promise<void> {
  if (![sum ?? [], sort, columns, where].flat().some((text) => text.includes('('))) return;
  for (const [place, texts] of Object.entries({ '--columns': columns, '--sort': sort, '--where': where })) {
    const field = texts.flatMap((text) => /\bsum\(([^()]+)\)/i.exec(text)?.[1] ?? [])[0];
    if (field === undefined) continue;
    const { sumFault } = await import('../joins/many-fault.js');
    // A value that starts with a dash would be read as an option.
    const line = lineWithout(
      argv.map((word) => word.replace(/^[-+](?=sum\()/i, '')),
      [place],
      '--sum',
      field,
    );
    throw (
      (await sumFault(family, vocabulary, field, groupBy)) ??
      wrongOption(place, `sum(${field}) is a sum of all items, or of groups.`, say`This shows it: ${line}`)
    );
  }
  const { fieldInFigure, figureOptions } = await import('../../items/select/group-figures.js');
  const isGrouped = groupBy !== undefined || sum !== undefined;
  const added = (sum ?? []).flatMap((text) => text.split(','));
  const isFigure = (name: string): boolean => fieldInFigure(name.replace(/^[-+]/, '')) !== undefined;
  const [option, name] =
    [
      ...added.map((one) => ['--sum', one] as const),
      ...(isGrouped
        ? []
        : [...columns.map((one) => ['--columns', one] as const), ...sort.map((one) => ['--sort', one] as const)]),
    ].find(([, one]) => isFigure(one)) ?? [];
  if (option === undefined || name === undefined) return;
  const sums = added.filter((one) => !isFigure(one)).flatMap((one) => ['--sum', one]);
  const shown = figureOptions(name.replace(/^[-+]/, ''), vocabulary, groupBy !== undefined || sums.length > 0);
  throw wrongOption(
    option,
    `${name} is a figure of groups, or of all items.`,
    say`This shows it: ${lineWithout(argv, [option], ...(option === '--sum' ? sums : []), ...shown)}`,
  );
}

/**
 * @param limit items given out at most; `stops` where it may end the reading
 * @throws CopsError `usage`
 */
export async function chosenBy(
  context: Context,
  family: Family,
  operation: Operation,
  asked: SelectOptions & Readonly<Record<string, unknown>>,
  { limit, stops }: { readonly limit: number | undefined; readonly stops: boolean },
): Promise<Chosen> {
  const [{ comparisons }, { parseSort }, grouped] = await Promise.all([
    import('../../items/select/condition.js'),
    import('../../items/select/order.js'),
    import('../../items/select/groups.js'),
  ]);
  if (context.options.raw) throw usage('--raw prints answers unchanged: leave out options that select items.');
  const { tz, columns = asked.picked ?? [] } = await context.settings();
  const moment: ReadingClock = {
    now: context.options.dryRun ? context.world.now() : await context.now(),
    zone: zoneOf(tz),
  };
  const groups = asked.groupBy !== undefined || asked.sum !== undefined;
  const own = vocabularyOf(family, operation);
  const apart = await conditionsApart(asked, family, own);
  await refuseFigures(context, family, asked, own, columns);
  const options = groups ? grouped.sumsByField(apart) : apart;
  const named = {
    ...options,
    ...(groups ? { ofRows: grouped.namesBeyondRows({ ...options, columns }) } : { shown: columns }),
  };
  const joins = mayJoin(named, own) ? await joinsOf(family, operation, named, moment) : undefined;
  const vocabulary = joins?.vocabulary ?? own;
  const anyOf = await filtersTyped(context, { family, operation }, options, vocabulary, moment);
  const bare = options.count === true && !groups;
  refuseMixed(options, { bare, groups });
  const due = await dueOf(context, family, options, moment);
  if (groups && !joins?.different.size) await tellCounted(context, family, options, columns);
  tellApart(context, family, options);
  tellDate(context, vocabulary, options);
  const grouping = groups
    ? grouped.parseGrouping(options.groupBy ?? [], options.sum ?? [], vocabulary, joins?.different)
    : undefined;
  if (grouping) grouped.refuseNoMembers(grouping, { ...options, columns }, linesBeside(context, columns));
  if (tz !== 'UTC' && grouping?.keys.some(({ period }) => period))
    context.notes.note(`Days and months are those of ${tz}.`);
  const conditions = await conditionsOf(context, options, vocabulary, moment);
  const single = conditions.flatMap(comparisons);
  const typed = { family, where: single, anyOf, vocabulary, moment };
  const filtered = { family, vocabulary, conditions: [...single, ...anyOf.flat()], status: options.status };
  await tellLastChange(context, [filtered, ...(joins?.sides ?? [])]);
  tellRange(context, filtered, options, moment);
  return {
    selection: {
      where: [...conditions, ...(due?.where ?? [])],
      anyOf: due && due.anyOf.length > 0 ? [...anyOf, due.anyOf] : anyOf,
      // Groups are separate rows: they are sorted by one of their own names.
      sort: parseSort(
        options.sort ?? (due && !grouping && !bare ? [family.due?.path ?? ''] : []),
        grouping ? grouped.rowVocabulary(grouping) : vocabulary,
      ),
      grouping,
      bare,
      ...(await newestThat(context, options, groups, own, vocabulary, moment)),
      having: options.having ?? [],
      beside: await besidesOf(context, options, { ...typed, where: conditions }, joins),
      shown: joins?.plain ?? [],
      limit: bare ? undefined : limit,
      stops,
    },
    vocabulary,
    moment,
    compared: [...single, ...(due?.where ?? [])].flatMap(({ path, operator }) => (/[<>]/.test(operator) ? [path] : [])),
    joins,
    watched: groups ? [] : await watchedOf(context, options, typed),
  };
}

/** The options with conditions split at commas, spaces and `and`. */
async function conditionsApart<Typed extends SelectOptions>(typed: Typed, family: Family, own: Vocabulary) {
  const { where, having } = typed;
  if (!where && !having) return typed;
  const [{ blankConditions, commaConditions, conditionStarts }, { relationNamed, relationsOf }] = await Promise.all([
    import('../../items/select/value-list.js'),
    import('../../catalogue/relations.js'),
  ]);
  const isName = conditionStarts(own, (word) => relationNamed(relationsOf(family), word) !== undefined);
  const each = (text: string): string[] => (text.includes(',') ? commaConditions(text, isName) : [text]);
  return {
    ...typed,
    ...(having && { having: having.flatMap((text) => blankConditions(text, () => true)) }),
    ...(where && { where: where.flatMap(each).flatMap((text) => blankConditions(text, isName)) }),
  };
}

/** The conditions of `--where`; says how they are read. */
async function conditionsOf(
  { notes }: Context,
  { where = [] }: SelectOptions,
  known: Vocabulary,
  moment: ReadingClock,
) {
  const { comparisons, conditionsIn, parseCondition } = await import('../../items/select/condition.js');
  const conditions = where.flatMap(conditionsIn).map((text) => parseCondition(text, known, moment));
  tellRead(notes, conditions.flatMap(comparisons));
  return conditions;
}

function tellRead(notes: Context['notes'], single: readonly Condition[]): void {
  for (const text of new Set(single.flatMap(({ said }) => said ?? []))) notes.note(text);
}

/** What `--latest-per` takes, and the conditions of `--having` on it; says which conditions apply first. */
async function newestThat(
  context: Context,
  options: SelectOptions,
  groups: boolean,
  own: Vocabulary,
  known: Vocabulary,
  moment: ReadingClock,
): Promise<Pick<Selection, 'newestPer' | 'ofNewest'>> {
  const { latestPer, where, with: along, without, having } = options;
  if (latestPer === undefined) return {};
  const { pathsToTell } = await import('../../items/select/groups.js');
  if (!having && (where ?? along ?? without))
    context.notes.note(
      'The conditions apply first, then the newest of each is taken. For conditions on the newest: --having.',
    );
  const ofNewest = groups ? [] : await conditionsOf(context, { where: having }, own, moment);
  return { newestPer: pathsToTell(latestPer, known), ofNewest };
}

/** The conditions of the filters that cops applies itself, one list per filter. @throws CopsError `usage` for an empty value */
async function filtersTyped(
  { notes }: Context,
  { family, operation }: FamilyOperation,
  options: Readonly<Record<string, unknown>>,
  vocabulary: Vocabulary,
  moment: ReadingClock,
): Promise<Condition[][]> {
  const { alternatives, comparisons } = await import('../../items/select/condition.js');
  const all = ownFilters(family, operation).flatMap((filter) => {
    const values = [options[filter.option] ?? []].flat().map(String);
    if (values.includes('')) throw usage(`--${filter.option} is empty.`);
    return values.length === 0 ? [] : [alternatives(filter, values, vocabulary, moment)];
  });
  tellRead(notes, all.flat().flatMap(comparisons));
  return all;
}

/** @throws CopsError `usage` for options that have nothing to do here */
function refuseMixed(
  options: SelectOptions & Readonly<Record<string, unknown>>,
  { bare, groups }: { readonly bare: boolean; readonly groups: boolean },
): void {
  if (bare && (options.sort || options.limit !== undefined || options.page !== undefined))
    throw usage('--count counts everything: leave out --sort, --limit and --page.');
  if (options.having !== undefined && !groups && !options.latestPer)
    throw usage('--having applies to groups: add --group-by.', "For example: --group-by customer --having 'count>1'");
}

/** What else people may mean by the words of these conditions, as far as the catalogue says so. */
async function besidesOf(
  { world: { argv } }: Context,
  options: SelectOptions & Readonly<Record<string, unknown>>,
  { where, anyOf, ...typed }: TypedConditions,
  joins: LineJoins | undefined,
): Promise<OtherMeant[]> {
  const lists = [...where.map((one) => [one]), ...anyOf];
  const known = lists.flatMap(([first]) => (first && fieldAt(typed.vocabulary, first.path)) ?? []);
  if (!known.some(({ besides, spoken }) => besides ?? spoken)) return [];
  const { besideOf } = await import('./watched-conditions.js');
  const line = { ...typed, argv, isOption: options.status !== undefined, isJoined: joins !== undefined };
  return lists.flatMap((some) => besideOf(some, line) ?? []);
}

async function watchedOf({ notes }: Context, options: SelectOptions, typed: TypedConditions) {
  const sides = [...(options.with ?? []), ...(options.without ?? [])];
  if (sides.length === 0 && !typed.where.some(({ operator }) => /[<>]/.test(operator))) return [];
  const { saidOfSides, watchedBy } = await import('./watched-conditions.js');
  for (const said of saidOfSides(options.with ?? [], options.without ?? [])) notes.note(said);
  return watchedBy(typed);
}

/** True if a name may lead to related rows: it has a dot, or the item has no such field. */
function mayJoin(options: SelectOptions & Pick<JoinOptions, 'ofRows'>, known: Vocabulary): boolean {
  const { where, sort, groupBy, sum, latestPer, with: along, without, ofRows = [] } = options;
  if (ofRows.length > 0) return true;
  const named = [where ?? [], sort ?? [], groupBy ?? [], sum ?? [], latestPer ?? []].flat();
  if (along !== undefined || without !== undefined || named.some((text) => text.includes('.'))) return true;
  return plainNames(named).some((name) => !isKnown(known, fieldPath(known, name, 'path')));
}

async function joinsOf(family: Family, operation: Operation, options: JoinOptions, moment: ReadingClock) {
  const { asksRelated, lineJoins } = await import('../joins/line-joins.js');
  const joins = await lineJoins(family, operation, options, moment);
  return asksRelated(joins) ? joins : undefined;
}

/** The columns that a line compares or sorts by, if the table lacks them: they show why an item is there. */
export function askedColumns({ selection, vocabulary, compared }: Chosen, columns: readonly Column[]): Column[] {
  const paths = new Set([...compared, ...selection.sort.map(({ path }) => path)]);
  for (const { path, title } of columns) {
    paths.delete(path);
    paths.delete(title ?? path);
  }
  return [...paths].map((path) => ({
    path,
    whole: true,
    as: isTime(vocabulary, path) ? 'time' : isMoney(vocabulary, path) ? 'money' : undefined,
  }));
}

/** What `--next` selects; says so. */
async function dueOf(
  { notes }: Context,
  { due }: Family,
  options: SelectOptions & Readonly<Record<string, unknown>>,
  moment: ReadingClock,
) {
  if (options.next === undefined || !due) return undefined;
  const { dueWithin } = await import('../../items/select/due.js');
  const found = dueWithin(due, options.next, moment, options[due.while?.path ?? ''] !== undefined);
  notes.note(found.told);
  if (options.sum !== undefined)
    notes.warn('Each counts once, at its next date, even if it falls due several times in this period.');
  return found;
}

/** Items as the line requests them, and the remarks about them for the end. */
export interface View {
  readonly items: AsyncIterable<Item>;
  readonly selected: Selected | undefined;
  /** True for groups' rows, which have their own columns. */
  readonly rows: boolean;
  /** What added related rows to them. */
  readonly joining?: LineJoining | undefined;
}

/** The source of related rows. */
interface RelatedSource {
  readonly context: Context;
  readonly reader: Reader;
  readonly lists?: SharedLists | undefined;
  /** Rows seen before, which need no request. */
  readonly kept?: KeptRows | undefined;
}

/**
 * Columns that a reader named, or that a line goes by and a table lacks: those that may leave the item, or that the
 * table does not show by that name, and the others.
 */
export async function shownNames(
  context: Context,
  { family, operation }: FamilyOperation,
  chosen: Chosen | undefined,
  picked?: readonly string[],
): Promise<{ readonly named: string[]; readonly others: string[] }> {
  const { columns = picked, format, query } = await context.settings();
  const isTable = format === 'table' && query === undefined;
  const known = operation.columns ?? family.columns;
  const asked = isTable && chosen ? askedColumns(chosen, known).map(({ path }) => path) : [];
  const vocabulary = vocabularyOf(family, operation);
  const isShownSo = (name: string): boolean => {
    const path = fieldPath(vocabulary, name, 'path');
    const isComputed = known.some(({ state, title }) => state !== undefined && title === path);
    return !name.includes('.') && name !== 'name' && isKnown(vocabulary, path) && !isComputed;
  };
  const all = [...new Set(columns ?? asked)];
  const named = all.filter((name) => !isShownSo(name));
  return { named, others: columns ? all.filter((name) => !name.includes('.')) : [] };
}

/** The items themselves, or those selected. */
export async function viewOf(
  items: AsyncIterable<Item>,
  chosen: Chosen | undefined,
  related?: RelatedSource,
): Promise<View> {
  if (!chosen) return { items, selected: undefined, rows: false };
  const { Selected, select } = await import('../../items/select/select.js');
  const selected = new Selected();
  for (const [path, { where, along }] of chosen.joins?.ofEach ?? [])
    selected.instead.set(path, lineInstead(related?.context.world.argv ?? [], ['--where', where], ['--with', along]));
  const { selection, vocabulary, moment, joins } = chosen;
  const joining = joins && related && (await openJoining(related, joins));
  const found = select(items, selection, vocabulary, moment, selected, joining);
  const { watched } = chosen;
  return {
    items: watched.length > 0 ? await watchedItems(found, watched, selected) : found,
    selected,
    rows: selection.grouping !== undefined,
    joining,
  };
}

async function watchedItems(items: AsyncIterable<Item>, watched: Chosen['watched'], { remarks }: Selected) {
  const { watching } = await import('./watched-conditions.js');
  return watching(items, watched, (remark) => remarks.push(remark));
}

async function openJoining({ context, reader, ...sources }: RelatedSource, joins: LineJoins): Promise<LineJoining> {
  const opened = await import('../joins/joining.js');
  return opened.LineJoining.open(context, reader, joins, sources);
}

/** The bare number of matches, for `--count`. */
export async function matchCount({ items, selected }: View): Promise<Result> {
  for await (const _ of items);
  return { shape: 'text', text: `${selected?.matched ?? 0}\n` };
}

/** Prints the remarks about what was read. */
export function sayRemarks(notes: Notes, selected: Selected | undefined): void {
  for (const remark of selected?.remarks ?? []) notes.warn(remark);
  for (const [{ says }, count] of selected?.beside ?? []) notes.warn(says(selected?.stopped ? undefined : count));
  for (const quote of [...(selected?.quotes ?? []), ...(selected?.twoWays ?? [])])
    notes.quote ? notes.quote(quote) : notes.warn(quote);
}

type Doubts = { readonly [Which in 'unknown' | 'lacking']: ReadonlyMap<string, number> } & {
  readonly unknownIds: ReadonlySet<string>;
  readonly instead: ReadonlyMap<string, Text>;
};
const NONE: ReadonlyMap<string, number> = new Map();

/** Why a selection is not the whole answer: what is unknown about its items. */
export function unknownError(selected: Partial<Doubts> | undefined): CopsError | undefined {
  const { unknown = NONE, lacking = NONE, unknownIds = new Set(), instead } = selected ?? {};
  if (unknown.size + lacking.size === 0) return undefined;
  const items = (count: number): string => (count === 1 ? '1 item' : `${count} items`);
  const kept = [...unknown].map(([path, count]) => `${path} of ${items(count)}`).join(', ');
  const shown = [...lacking].map(([path, count]) => `${path} of ${items(count)}`).join(', ');
  const told = [
    ...(kept === '' ? [] : [`Unknown: ${kept}, left out, because it is not known whether they match.`]),
    ...(shown === '' ? [] : [`Unknown: ${shown}, shown without it.`]),
  ];
  const most = Math.max(0, ...unknown.values());
  const ids = [...unknownIds];
  const line = [...unknown.keys()].flatMap((path) => instead?.get(path) ?? [])[0];
  const which = ids.length === 0 ? '' : `Kept out: ${ids.join(', ')}${most > ids.length ? ', ...' : ''}. `;
  return new CopsError('incomplete', told.join(' '), {
    hint:
      kept === ''
        ? 'All rows are in the answer; the column is empty in those whose value cannot be known.'
        : say`${which}${line ? say`To judge each of several: ${line}; to see them` : 'To see them'}: the same line without the condition, with -o json.`,
    more: { unknown: Object.fromEntries([...unknown, ...lacking]), unknown_ids: ids },
  });
}

/** Says how many of the items read match and are shown. */
export function sayChosen(notes: Notes, selected: Selected, { selection }: Chosen): CopsError | undefined {
  const { read, matched, shown } = selected;
  sayRemarks(notes, selected);
  const what = selection.grouping ? 'groups' : 'that fit';
  const filtered = selection.where.length > 0 || selection.anyOf.length > 0;
  if (selected.stopped) {
    notes.warn(
      `${group(shown)} shown, there are more (--count counts them). Use --all or a larger --limit for the rest.`,
      {},
    );
  } else if (matched > shown) {
    const of = filtered || selection.grouping ? `${group(matched)} ${what}` : group(matched);
    notes.warn(`${group(shown)} of ${of}. Use --all or a larger --limit for the rest.`, { total: matched });
  } else if (shown === 0) {
    notes.note(read === 0 || !filtered ? 'No items.' : `No items: none of ${group(read)} matches.`);
  } else if (filtered && !selection.grouping) {
    notes.note(`${group(shown)} of ${group(read)} items match.`);
  }
  return unknownError(selected);
}
