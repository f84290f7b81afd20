import { CopsError, orThrow, usage, wrongOption } from '../../../base/errors/errors.js';
import { before, parseSpan } from '../../../base/time/spans.js';
import { findOperation, loadFamily } from '../../../catalogue/index.js';
import { LARGEST_PAGE } from '../../../catalogue/terms.js';
import type { Operation } from '../../../catalogue/types.js';
import { Item } from '../../../items/json/item-json.js';
import { formatTraits } from '../../../screen/output-formats.js';
import { accountLine, PLAIN } from '../../../screen/style.js';
import type { FetchPage } from '../../../service/lists/growing-lists.js';
import { newReport, readList, wholePlan } from '../../../service/lists/read-list.js';
import { cutWindows } from '../../../service/lists/windows.js';
import { pager } from '../../../service/request/pager.js';
import { buildQuery, planRequest } from '../../../service/request/request-plan.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { DEFAULTS } from '../../../session/context/spec.js';
import { zoneInUse } from '../../../session/context/typed-words.js';
import { filterValues } from '../../../session/operation/spec.js';
import { openReader, type Reader } from '../../../session/read/reading.js';

/** How far each look overlaps the previous one, seconds: items the service files later than that are missed. */
const OVERLAP = 10;
const LONGEST_INTERVAL = 3600;
/** Longest range of one look, seconds: a distant start is caught up in pieces that fit into memory. */
const LONGEST_LOOK = 6 * 3600;

/**
 * `cops <family> tail`: each look starts before the end of the last complete one, on the service's clock: no gap.
 * @throws CopsError `usage` for a format that has an end; `interrupted` (130) when stopped
 */
export async function run(
  context: Context,
  { family: familyName, options }: CommandInput<{ readonly interval?: string; readonly since?: string }>,
): Promise<Done> {
  const { query, raw } = await context.settings();
  // Checks the requested format: JSON that is only the default means one line per item here.
  const format = (await context.profile()).output.value;
  if (formatTraits(format)?.document || query !== undefined || raw) {
    const what = query !== undefined ? '--query' : raw ? '--raw' : `-o ${format}`;
    throw usage(`${what} needs the complete list, but a tail never ends.`, 'Use -o jsonl, csv, tsv, ids or table.');
  }
  const family = await loadFamily(familyName);
  const operation = findOperation(family, 'list') as Operation;
  const interval = seconds(options.interval);
  const base = planRequest(family, operation, {
    ids: [],
    query: buildQuery(operation, filterValues(operation, { ...options })),
  });
  const start = await firstSecond(context, options.since);
  if (context.options.dryRun) {
    const { dryRunResult } = await import('../../../session/write/dry-run.js');
    const now = Math.floor((await context.now()) / 1000);
    const range = [['date_start', String(start ?? now)] as const, ['date_end', String(now)] as const];
    return dryRunResult(context, {
      ...base,
      query: [...range, ['limit', String(LARGEST_PAGE)], ['page', '1'], ...base.query],
    });
  }
  const reader = await openReader(context);
  if (context.world.stdout.isTTY === true) {
    const whose = accountLine(reader.profile.account, PLAIN);
    context.notes.note(`${whose}. Waiting for new items; Ctrl-C ends.`);
  }
  const spanDays = operation.list?.spanDays ?? 90;
  const look = (from: number, to: number) => lookAt({ reader, base, idField: family.idField, spanDays }, from, to);
  return {
    result: {
      shape: 'list',
      live: true,
      columns: family.columns,
      idField: family.idField,
      account: reader.profile.account,
      items: follow(context, look, start, interval * 1000),
    },
  };
}

function seconds(given: string | undefined): number {
  if (given === undefined) return DEFAULTS.tailInterval;
  const value = Number(given);
  if (!/^\d+(\.\d+)?$/.test(given) || value < 0.1 || value > LONGEST_INTERVAL)
    throw wrongOption('--interval', `"${given}" is not a number of seconds from 0.1 to ${LONGEST_INTERVAL}.`);
  return value;
}

async function firstSecond(context: Context, since: string | undefined): Promise<number | undefined> {
  if (since === undefined) return undefined;
  const span = parseSpan(since, '--since');
  return before(Math.floor((await context.now()) / 1000), span, await zoneInUse(context));
}

/**
 * The result of one look. `serviceTime`: the service's clock when the look began, unix seconds; undefined where the
 * service does not say. `unproven`: windows that could not be read whole; empty for a proven look.
 */
type Look = Awaited<ReturnType<typeof lookAt>>;

async function* follow(
  context: Context,
  look: (from: number, to: number) => Promise<Look>,
  since: number | undefined,
  intervalMs: number,
): AsyncGenerator<Item> {
  const { world, notes } = context;
  const localSecond = async (): Promise<number> => Math.floor((await context.clock()) / 1000);
  // The service's clock counts: ours may be wrong, and items carry the service's times.
  let ahead = 0;
  let end = since ?? (await localSecond());
  let begin = end;
  /** Items before this second are not new. */
  let floor = since;
  let shown = new Set<string>();
  let told = 0;
  for (;;) {
    let behind = false;
    try {
      const asked = await localSecond();
      const now = Math.max(asked + ahead, end);
      const to = Math.min(now, begin + LONGEST_LOOK);
      const found = await look(begin, to);
      const { serviceTime } = found;
      if (serviceTime !== undefined) ahead = serviceTime - asked;
      if (floor === undefined) {
        floor = serviceTime ?? asked;
        end = floor;
      }
      const next = new Set<string>();
      for (const item of found.items) {
        next.add(item.id);
        if (item.at < floor || shown.has(item.id)) continue;
        told++;
        yield new Item(item.raw);
      }
      if (found.unproven.length > 0) {
        notes.detail(`Reading again: ${found.unproven.join(' ')}`);
        for (const id of next) shown.add(id);
      } else {
        // A later look can repeat only items in its overlap, and this look has shown those.
        shown = next;
        end = Math.max(end, Math.min(to, serviceTime ?? to));
        begin = end - OVERLAP;
        behind = to < now;
      }
    } catch (error) {
      if (!isPassing(error)) throw ended(error, told);
      notes.warn(`${error.message} Trying again: nothing is lost.`);
    }
    if (behind) continue;
    await orThrow(
      () => world.sleep(intervalMs, world.interrupted),
      (error) => ended(error, told),
    );
  }
}

/** A tail ends by interruption: reported as its end, with the number of items shown. Other errors stay as they are. */
function ended(error: unknown, told: number): unknown {
  if (!(error instanceof CopsError) || error.kind !== 'interrupted') return error;
  const items = told === 0 ? 'nothing new came' : `${told.toLocaleString('en')} new ${told === 1 ? 'item' : 'items'}`;
  return new CopsError('interrupted', `Ended: ${items}.`, error.facts);
}

/** Failures a tail survives: the next look starts where the last complete one ended. */
const isPassing = (error: unknown): error is CopsError =>
  error instanceof CopsError && ['network', 'service_failed', 'rate_limited'].includes(error.kind);

interface Source {
  readonly reader: Reader;
  readonly base: Parameters<typeof pager>[1];
  readonly idField: string;
  readonly spanDays: number;
}

/** Reads a whole range; returns its items oldest first. */
async function lookAt(source: Source, from: number, to: number) {
  const report = newReport();
  const fetch = pager(source.reader, source.base, source.idField);
  let serviceTime: number | undefined;
  const timed: FetchPage = async (query, signal) => {
    const page = await fetch(query, signal);
    serviceTime ??= page.callUnix;
    return page;
  };
  const plan = wholePlan(undefined, cutWindows({ from, to }, source.spanDays, true), 2);
  const items: { raw: string; id: string; at: number }[] = [];
  for await (const page of readList(plan, timed, report)) {
    for (const item of page.items) {
      const made = new Item(item.raw).field('created_date_unix');
      const at = typeof made === 'number' && Number.isFinite(made) ? made : to;
      items.push({ raw: item.raw, id: item.id ?? item.raw, at });
    }
  }
  // The service lists newest first: items of the same second keep the reverse of its order.
  items.reverse().sort((a, b) => a.at - b.at);
  return { items, serviceTime, unproven: report.unproven };
}
