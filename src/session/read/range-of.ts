import { usage } from '../../base/errors/errors.js';
import { cops, copsLine, say, type Text } from '../../base/text/command-line.js';
import { DEFAULT_SPAN, monthsIn, rangeTexts, rangeWords, resolveRange, type TimeRange } from '../../base/time/range.js';
import type { WHOLE_RANGE_OPTIONS } from '../../base/time/range-options.js';
import { SECONDS, spanBehind, spanIn } from '../../base/time/spans.js';
import { datesSaid } from '../../base/time/spoken-days.js';
import { CLOCK_TRUST_S, DAY, HOUR, isoDay, isoTime } from '../../base/time/units.js';
import type { Family, List } from '../../catalogue/types.js';
import type { FetchPage } from '../../service/lists/growing-lists.js';
import { windowsOfList } from '../../service/lists/windows.js';
import type { Context } from '../context/context.js';
import type { OptionsOf } from '../context/spec.js';
import { zoneInUse } from '../context/typed-words.js';
import { beginningOf, firstDayOf } from './first-day.js';

/** Options of a range, including those that start it at the account's first day. */
export interface WholeRangeOptions extends OptionsOf<{ options: typeof WHOLE_RANGE_OPTIONS }> {
  /** No limit: says nothing of the range, and is easily taken for it. */
  readonly all?: boolean | undefined;
}

/** The options of a range that were typed. */
export const wholeWords = (options: WholeRangeOptions): string[] => [
  ...rangeWords(options),
  ...(options.allTime ? ['--all-time'] : []),
  ...(options.firstDay === undefined ? [] : [`--first-day ${options.firstDay}`]),
];

/** What is read, as far as its range matters. */
export interface Ranged {
  readonly family: Family;
  readonly list: List;
  /** An export: without a range it takes everything, whatever the family is. */
  readonly isExport: boolean;
  /** The state asked for, if it is one in which items still wait for something and so have no date. */
  readonly openState?: string | undefined;
  /** The first state in which items of the family still wait for something. */
  readonly waiting?: string | undefined;
  /** True if the line asks for one page of one window: that is the newest, which needs no look-up. */
  readonly isOnePage: boolean;
  /** A mirror answers. Without a start date it returns everything it has, so the first day is not looked up. */
  readonly isKept?: boolean | undefined;
}

/** A range, and where it comes from. */
export interface ListRange extends TimeRange {
  /** No begin was given. */
  readonly assumed: boolean;
  /** It starts at the account's first day. */
  readonly isWhole: boolean;
  /** What to say about an assumed range. */
  readonly said: readonly Text[];
  /** The range that the same words mean at another moment (milliseconds). */
  at(now: number): TimeRange;
  /** The smallest difference that matters, seconds. */
  readonly grain: number;
}

/**
 * The range of a list or an export (command-line.md#lists). Without a start it is the last 30 days for lists of events, and
 * everything for people, set-up and exports. @throws CopsError usage for contradictions
 * @param now milliseconds
 */
export async function listRange(
  context: Context,
  typed: WholeRangeOptions,
  now: number,
  ranged: Ranged,
): Promise<ListRange> {
  const options = inMonths(context, typed, ranged);
  checkBegin(options);
  const zone = await zoneInUse(context);
  const range = resolveRange(options, now, zone);
  for (const said of datesSaid(rangeTexts(options), now, zone)) context.notes.note(said);
  refuseAhead(range, now, ranged);
  const byClock = { at: (time: number) => resolveRange(options, time, zone), grain: grainOf(options) };
  const wanted = options.allTime === true || options.firstDay !== undefined;
  const { openState } = ranged;
  const byDefault = ranged.isExport || ranged.family.nature !== 'event' || openState !== undefined;
  if (range.assumed && byDefault && !wanted && ranged.isOnePage)
    return { ...newestWindow(ranged.list, range), ...byClock, isWhole: false };
  if (!range.assumed || !(wanted || byDefault))
    return { ...range, ...byClock, isWhole: false, said: range.assumed ? spanSaid(context, options, ranged) : [] };
  const whole = (from: number) => ({ ...byClock, at: (time: number) => ({ from, to: byClock.at(time).to }) });
  if (ranged.isKept) return { from: 0, to: range.to, ...whole(0), assumed: !wanted, isWhole: true, said: [] };
  const first = await firstDayOf(context, options.firstDay, { isDry: context.options.dryRun });
  const { keepsDays } = ranged.list;
  const limit = keepsDays === undefined ? 0 : Math.floor(now / 1000) - keepsDays * DAY;
  const beginning = beginningOf(ranged.family.nature, first.from);
  const from = Math.max(beginning, limit);
  const lead = wanted
    ? 'Everything'
    : `No range given${openState ? ` for what is ${openState}` : ''}: reading everything`;
  const until = options.to === undefined ? '' : ' until --to';
  const earlier = beginning < first.from ? `${isoDay(beginning)}, a year before ` : '';
  const told =
    limit > beginning ? `${isoDay(from)}: the service keeps its items ${keepsDays} days` : `${earlier}${first.told}`;
  return {
    ...whole(from),
    from: Math.min(from, range.to),
    to: range.to,
    assumed: !wanted,
    isWhole: true,
    said: [`${lead}${until} from ${told}.`],
  };
}

/** The range of a single page without a range: the newest window of the whole list, which needs no first day. */
function newestWindow(list: List, { to }: TimeRange) {
  const { from = 0 } = windowsOfList(list, { from: 0, to })?.[0] ?? {};
  const said = `No range given: --page reads the newest window, from ${isoTime(from)}. Use --month, --from or --to for another; without --page the list reads everything.`;
  return { from, to, assumed: true, said: [said] };
}

/** Clocks this close agree, seconds: answers are slow, and clocks show whole seconds. */
const SLOW_ANSWER = 5;

/** Ranges of a day or more may differ by their unit; shorter ones only by what clocks are trusted to. */
function grainOf({ last = DEFAULT_SPAN, from }: WholeRangeOptions): number {
  const span = from === undefined ? spanIn(last) : spanBehind(from);
  const unit = span === undefined ? CLOCK_TRUST_S : span.unit in SECONDS ? SECONDS[span.unit as 'd'] : DAY;
  return unit > HOUR ? unit : Math.max(SLOW_ANSWER, Math.min(unit, CLOCK_TRUST_S));
}

/** Warns once if the range, taken from this machine's clock, differs by the service's clock. */
export function watchingClock(context: Context, range: ListRange, fetch: FetchPage): FetchPage {
  let isTold = false;
  let began: number | undefined;
  return async (query, signal) => {
    began ??= await context.now();
    const page = await fetch(query, signal);
    const { callUnix } = page;
    if (isTold || callUnix === undefined) return page;
    const ours = Math.floor((await context.now()) / 1000);
    const [here, there] = [range.at(began), range.at(began + (callUnix - ours) * 1000)];
    // A range that ends too late hides nothing: no item is newer than the service's own time.
    const isCut = there.to - here.to > Math.min(range.grain, CLOCK_TRUST_S);
    isTold = isCut || Math.abs(there.from - here.from) > range.grain;
    if (isTold) {
      // A range that is wholly ahead of our clock is refused.
      const from = range.isWhole ? '' : `--from ${isoTime(Math.min(there.from, ours - 1))} `;
      context.notes.warn(
        `The service's clock shows ${isoTime(callUnix)}, this machine's ${isoTime(ours)}, which the range goes by. The range by the service's clock: ${from}--to ${isoTime(there.to)}`,
      );
    }
    return page;
  };
}

/** Lists with windows below this many days are of calls and logs, which people look at by the minute. */
const SHORT_WINDOW = 8;

/** People look at a shop by months, so their `1m` is one month. A script may mean a minute: it gets a note. */
function inMonths(
  { notes, world }: Context,
  options: WholeRangeOptions,
  { list, isExport }: Ranged,
): WholeRangeOptions {
  const isPlain = world.stdout.isTTY === true && !isExport && (list.spanDays ?? 90) >= SHORT_WINDOW;
  const last = isPlain ? monthsIn(options.last) : undefined;
  if (last === undefined) return options;
  notes.note(`--last ${options.last} is read as --last ${last}; write min for minutes.`);
  return { ...options, last };
}

/** A range goes by the creation of items: one that starts now stays empty. @throws CopsError usage */
function refuseAhead({ from, to }: TimeRange, now: number, { family: { name, due }, isExport }: Ranged): void {
  const begin = Math.floor(now / 1000);
  if (from < begin || to <= begin) return;
  throw usage(
    'The range is in the future, but ranges go by when items were created, so it is empty.',
    due && !isExport
      ? say`To see what is due: ${cops`${name.replaceAll('_', '-')} list --next 7d`} (by ${due.says}).`
      : say`To see what lies ahead: ${cops`subscriptions list --next 7d`}, ${cops`trials list --next 7d`}.`,
  );
}

function spanSaid(context: Context, { to, all }: WholeRangeOptions, { waiting }: Ranged): Text[] {
  const everything = copsLine([...context.world.argv, '--all-time']);
  const before = to === undefined ? '' : ' before --to';
  return [
    `No range given: the last ${DEFAULT_SPAN.replace('d', ' days')}${before}. Use --last 1y, --month, --from or --to for another, --all-time for everything.`,
    ...(all === true ? [say`--all is every item of this time, without a limit. Of all time: ${everything}`] : []),
    ...(waiting === undefined
      ? []
      : [
          say`To see all that are still ${waiting.replace(/^not(?=[a-z])/, 'not ')}, however old: ${copsLine([...context.world.argv, '--status', waiting])}`,
        ]),
  ];
}

function checkBegin(options: WholeRangeOptions): void {
  const whole = options.allTime ? '--all-time' : options.firstDay === undefined ? undefined : '--first-day';
  if (whole === undefined) return;
  const begin = (['from', 'last', 'week', 'month', 'quarter', 'year'] as const).find(
    (name) => options[name] !== undefined,
  );
  if (begin !== undefined) throw usage(`${whole} and --${begin} cannot be combined.`);
}
