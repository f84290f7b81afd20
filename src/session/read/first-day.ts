import { CopsError, type ErrorKind } from '../../base/errors/errors.js';
import { DAY, isoDay } from '../../base/time/units.js';
import { parseWhen } from '../../base/time/when.js';
import { findOperation, loadFamily } from '../../catalogue/index.js';
import type { FamilyOperation, Operation } from '../../catalogue/types.js';
import {
  type CountItems,
  type FirstDay,
  findFirstDay,
  keepFirstDay,
  readFirstDay,
} from '../../service/lists/account-begin.js';
import { pager } from '../../service/request/pager.js';
import { planRequest } from '../../service/request/request-plan.js';
import type { Context } from '../context/context.js';
import { settledDates } from '../context/settled-dates.js';
import { zoneInUse } from '../context/typed-words.js';
import { openReader } from './reading.js';

/** What is sold was set up before the first sale: lists of set-up start this long before the first day. */
const SETUP_SECONDS = 365 * DAY;
/** Where to start reading an account that is empty. */
const EMPTY_SECONDS = 730 * DAY;

/** Where to start reading a list without a range. */
export interface Beginning {
  /** Unix seconds. */
  readonly from: number;
  /** One sentence that says which day was used, and why. */
  readonly told: string;
  /** True if nothing older can exist, or the operator said so. */
  readonly isProven?: boolean | undefined;
}

/**
 * The account's first day: as `--first-day` gives it, as it was found before with this key, or searched for now; two
 * years back, with a warning, where neither customers nor sales can be read.
 * @param isDry nothing may be sent or kept
 */
export async function firstDayOf(
  context: Context,
  given: string | undefined,
  { isDry = false }: { readonly isDry?: boolean } = {},
): Promise<Beginning> {
  const profile = await context.profile();
  const now = await context.now();
  // The sandbox can be rebuilt at any time, so a day found there is not final; a real account only gains newer items.
  const key = { fingerprint: profile.fingerprint, base_url: profile.baseUrl.value };
  const known = await readFirstDay(context.configDir, key.fingerprint, key.base_url);
  const kept = known?.source === 'found' && profile.embedded ? undefined : known;
  if (given !== undefined) {
    const zone = await zoneInUse(context);
    const from = parseWhen(given, { now, zone, edge: 'start', option: '--first-day' });
    // A day after the account's first would hide older items from later commands: it is not kept.
    const begin = kept?.source === 'found' ? kept.first_day : await oldestDay(context);
    const isLater = begin !== undefined && begin < from;
    if (!isDry && !isLater) await keep(context, { ...key, first_day: from, source: 'given', is_proven: true });
    const once = isLater ? `, this time only: the account begins ${isoDay(begin)}` : '';
    return { from, told: `the first day of the account: ${isoDay(from)} (--first-day${once})`, isProven: true };
  }
  if (kept) {
    const by = kept.source === 'given' ? 'from --first-day' : 'as found before; use --first-day to set it';
    return {
      from: kept.first_day,
      told: `the first day of the account: ${isoDay(kept.first_day)} (${by})`,
      isProven: kept.is_proven,
    };
  }
  const from = Math.max(0, Math.floor(now / 1000) - EMPTY_SECONDS);
  const twoYears = (told: string): Beginning => ({ from, told: `two years back${told}`, isProven: false });
  if (isDry) return twoYears(': the first day of the account is not known yet, and a dry run does not ask for it');
  const { found, unread } = await search(context, Math.floor(now / 1000));
  if (unread.size > 0) warnUnread(context, unread);
  if (unread.size === 2) return twoYears(`, ${isoDay(from)}: the first day is unknown`);
  if (found.day === undefined)
    return twoYears(`: no customer and no sale was found since ${isoDay(from)}; use --first-day to set it`);
  const isProven = found.isProven && unread.size === 0;
  if (known?.first_day !== found.day || known.is_proven !== isProven)
    await keep(context, { ...key, first_day: found.day, source: 'found', is_proven: isProven });
  const doubt = isProven ? '' : ', not proven: there may be older ones';
  return {
    from: found.day,
    told: `the first day of the account: ${isoDay(found.day)} (the first customer or sale${doubt}; use --first-day to set it)`,
    isProven,
  };
}

/** The first day as the embedded service reports it, without a call; undefined for any other service. */
async function oldestDay(context: Context): Promise<number | undefined> {
  const oldest = (await context.transport()).oldest?.();
  return oldest === undefined ? undefined : Math.floor(oldest / DAY) * DAY;
}

/** The account's first day if it is proven: no customer, no sale and nothing after one is older. */
export async function provenFirstDay(context: Context): Promise<number | undefined> {
  const { from, isProven } = await firstDayOf(context, undefined, { isDry: context.options.dryRun });
  return isProven === true ? from : undefined;
}

/** The start of a list that takes everything: set-up is older than the first sale. */
export const beginningOf = (nature: 'event' | 'people' | 'set-up', firstDay: number): number =>
  Math.max(0, nature === 'set-up' ? firstDay - SETUP_SECONDS : firstDay);

type Asked = 'customers' | 'sales';

/** Answers of a list that do not reveal the first day; anything else would end the list as well. */
const UNREADABLE: ReadonlySet<ErrorKind> = new Set(['not_found', 'not_authorised', 'refused', 'service_failed']);

/** Asks the embedded service, which would record dozens of calls for counting; elsewhere counts the items of lists. */
async function search(
  context: Context,
  now: number,
): Promise<{ found: Pick<FirstDay, 'day' | 'isProven'>; unread: Map<Asked, string> }> {
  const day = await oldestDay(context);
  if (day !== undefined) return { found: { day, isProven: true }, unread: new Map() };
  const { count, unread } = await counter(context);
  return { found: await findFirstDay(count, now), unread };
}

/** Counts the items of the lists that reveal an account's first day; `unread` gets those that reveal nothing. */
async function counter(context: Context): Promise<{ count: CountItems; unread: Map<Asked, string> }> {
  const reader = await openReader(context);
  const lists = { customers: await listOf(context, 'customers'), sales: await listOf(context, 'sales') };
  const unread = new Map<Asked, string>();
  const count: CountItems = async (list, { from, to }) => {
    if (unread.has(list)) return undefined;
    const { family, operation } = lists[list];
    if (operation.list?.style !== 'windowed') {
      unread.set(list, `The list of ${list} takes no dates.`);
      return undefined;
    }
    const fetch = pager(reader, planRequest(family, operation, { ids: [] }), family.idField);
    try {
      const page = await fetch({ range: { from, to }, limit: 1, page: 1 });
      return page.totalCount ?? page.items.length;
    } catch (error) {
      // The list itself will meet the same refusal of the key, and report it once.
      if (!(error instanceof CopsError) || !UNREADABLE.has(error.kind) || error.facts.httpStatus === 401) throw error;
      unread.set(list, error.message);
      return undefined;
    }
  };
  return { count, unread };
}

async function listOf(context: Context, name: Asked): Promise<FamilyOperation> {
  const family = await loadFamily(name);
  return { family, operation: await settledDates(context, findOperation(family, 'list') as Operation) };
}

function warnUnread({ notes }: Context, unread: ReadonlyMap<Asked, string>): void {
  const lists = [...unread.keys()].join(' and ');
  const why = [...new Set(unread.values())].map((text) => (/[.!?]$/.test(text) ? text : `${text}.`)).join(' ');
  const known = unread.size === 2 ? 'is not known' : 'may be an earlier one';
  notes.warn(
    `The first day of the account ${known}: the list of ${lists} could not be read for it. ${why} Use --first-day or --from to set the start.`,
  );
}

async function keep(context: Context, day: Parameters<typeof keepFirstDay>[1]): Promise<void> {
  if (context.options.dryRun) return;
  try {
    await keepFirstDay(context.configDir, day);
  } catch (error) {
    context.notes.detail(`The first day could not be remembered: ${(error as Error).message}`);
  }
}
