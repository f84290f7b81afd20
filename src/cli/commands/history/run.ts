import { accountRecords, type RecordsPlace } from '../../../account/account-records.js';
import { noEntry } from '../../../account/history/entries.js';
import type { Entry } from '../../../account/history/types.js';
import { closing, usage, wrongOption } from '../../../base/errors/errors.js';
import { cops, say } from '../../../base/text/command-line.js';
import { rangeTexts, rangeWords, resolveRange, type TimeRange } from '../../../base/time/range.js';
import { datesSaid } from '../../../base/time/spoken-days.js';
import { isoTime } from '../../../base/time/units.js';
import { zoneOf } from '../../../base/time/zones.js';
import { Item } from '../../../items/json/item-json.js';
import { get, parseLossless } from '../../../items/json/lossless.js';
import type { Result } from '../../../screen/types.js';
import type { CommandInput, Context, Done } from '../../../session/context/context.js';
import { bySubcommand, record } from '../../../session/context/run.js';
import type { OptionsOf } from '../../../session/context/spec.js';
import { wholeNumber } from '../../../session/context/typed-words.js';
import type { spec } from './spec.js';

/** What reading the history requires. */
type Here = RecordsPlace & Pick<Context, 'notes'>;

interface HistoryListOptions {
  /** Most entries to show; all if absent. */
  readonly limit?: number;
  /** Only entries whose outcome is unknown. */
  readonly unknown?: boolean;
  /** Only entries with one of these outcomes. */
  readonly outcomes?: ReadonlySet<string> | undefined;
  /** Only entries of one team member. */
  readonly user?: string | undefined;
  /** Only entries with this idempotency key. */
  readonly key?: string | undefined;
  readonly isTeams?: boolean;
  /** Only entries in this range, both ends included. */
  readonly range?: TimeRange | undefined;
}

const COLUMNS = [
  { path: 'id' },
  { path: 'time', as: 'time', hours: true },
  { path: 'profile' },
  { path: 'mode' },
  { path: 'operation', whole: true },
  { path: 'ids', whole: true },
  { path: 'outcome', as: 'status' },
  { path: 'api_call_id' },
] as const;

/** A team's list shows the author in place of the profile. */
const TEAM_COLUMNS = COLUMNS.map((column) => (column.path === 'profile' ? ({ path: 'user' } as const) : column));

/** `cops history list`: local writes, newest first. */
export function historyList(context: Here, options: HistoryListOptions): Result {
  const columns = options.isTeams ? TEAM_COLUMNS : COLUMNS;
  const items = async function* (): AsyncIterable<Item> {
    const found = { writes: 0 };
    for await (const entry of entries(context, options)) {
      tally(found, entry);
      yield asItem(entry);
    }
    const { writes, ...outcomes } = found;
    const told = Object.entries(outcomes).map(([outcome, count]) => `${count} ${outcome.replaceAll('_', ' ')}`);
    const shown = options.limit === undefined ? '' : ' shown';
    if (writes > 1) context.notes.note(`${writes} writes${shown}: ${told.join(', ')}.`);
  };
  return { shape: 'list', items: items(), columns, idField: 'id', shares: true };
}

/** Counts a write, in all and by its outcome. */
function tally(counts: Record<string, number>, { outcome }: Entry): void {
  for (const name of ['writes', outcome]) counts[name] = (counts[name] ?? 0) + 1;
}

async function* entries(
  context: Here,
  { limit, unknown, outcomes, range, user, key }: HistoryListOptions,
): AsyncIterable<Entry> {
  const history = await accountRecords(context).history();
  let shown = 0;
  for await (const entry of key === undefined
    ? history.list({ unknownOnly: unknown === true, user })
    : history.ofKey(key)) {
    const time = Math.floor(Date.parse(entry.time) / 1000);
    if (range && (time < range.from || time > range.to)) continue;
    if (outcomes?.has(entry.outcome) === false || (unknown && entry.outcome !== 'unknown')) continue;
    if (user !== undefined && entry.user !== user) continue;
    yield entry;
    if (++shown === limit) break;
  }
  const { notes } = context;
  if (shown === 0 && key !== undefined) {
    const { message, facts } = noEntry('The history', key);
    notes.note(say`${message}. ${facts.hint}`);
  }
  if (shown === 0 && range) notes.note(`No writes from ${isoTime(range.from)} to ${isoTime(range.to)}.`);
  if (history.damagedLines > 0)
    notes.warn(`${history.damagedLines} damaged lines of the history were skipped (torn by a crash).`);
}

/** `cops history show <id>`, or by idempotency key; if several entries have it, a list. */
export async function historyShow(context: Here, id: string): Promise<Result> {
  const history = await accountRecords(context).history();
  const shown = (entry: Entry): Result => ({ shape: 'one', item: asItem(entry), idField: 'id' });
  try {
    return shown(await history.show(id));
  } catch (error) {
    const key = id.trim();
    const found: Entry[] = [];
    for await (const entry of history.ofKey(key)) found.push(entry);
    const [first, second] = found;
    if (!first) throw error;
    return second ? historyList(context, { key, isTeams: await inTeam(context) }) : shown(first);
  }
}

const inTeam = async ({ team }: Here): Promise<boolean> => (await team?.()) !== undefined;

/** `cops history settle <id> --as done|not-done [--note <text>]`. */
export async function historySettle(context: Here, id: string, as: string, note?: string): Promise<Result> {
  if (as !== 'done' && as !== 'not-done') throw usage(`--as takes done or not-done, not ${JSON.stringify(as)}`);
  return closing(await accountRecords(context).history(), async (history) => ({
    shape: 'one',
    item: asItem(await history.settle(id, as, note)),
    idField: 'id',
  }));
}

function asItem(entry: Entry): Item {
  const { like: _like, ...shown } = entry;
  return Item.of(shown);
}

type HistoryOptions = OptionsOf<typeof spec>;

const FAILED = ['refused', 'payment_failed', 'fraud_detected', 'rate_limited', 'not_sent', 'unknown', 'running'];

/** The outcomes that `--outcome` names; `failed` is all but done. */
function outcomesOf(typed: readonly string[]): ReadonlySet<string> {
  const words = typed.flatMap((text) => text.split(',')).map((word) => word.trim().toLowerCase().replace(/[ -]/g, '_'));
  const wrong = words.find((word) => word !== 'failed' && word !== 'done' && !FAILED.includes(word));
  if (wrong !== undefined) throw wrongOption('--outcome', `"${wrong}" is none of done, failed, ${FAILED.join(', ')}.`);
  return new Set(words.flatMap((word) => (word === 'failed' ? FAILED : [word])));
}

async function list(context: Context, { options }: CommandInput<HistoryOptions>): Promise<Done> {
  const limit = wholeNumber(options.limit, '--limit', 1);
  // The history needs no profile; the zone is the one it is displayed in.
  const zone = zoneOf((await context.settings()).tz, '--tz');
  const range = rangeWords(options).length > 0 ? resolveRange(options, context.world.now(), zone) : undefined;
  for (const said of datesSaid(rangeTexts(options), context.world.now(), zone)) context.notes.note(said);
  const { unknown, failed, outcome, user, key } = options;
  const outcomes = failed ? outcomesOf(['failed']) : outcome && outcomesOf(outcome);
  if (failed)
    context.notes.note(
      say`The history has no reads, and no writes that a policy or a used key stopped (exit code 12). To see failed reads too: ${cops`api-calls list --last 1h --where http_status>=400`}`,
    );
  const isTeams = await inTeam(context);
  if (user !== undefined && !isTeams)
    throw usage(
      "--user needs a team's ledger: this history belongs to this machine alone and records no users.",
      say`A team's history: ${cops`team status`}`,
    );
  const chosen = { limit, unknown, outcomes, range, user, key, isTeams };
  if (!options.count) return { result: historyList(context, chosen) };
  const found = { writes: 0 };
  for await (const entry of entries(context, chosen)) tally(found, entry);
  return { result: record(found) };
}

/** The history holds no part of the request body: the service keeps the request. */
async function show(context: Context, id: string): Promise<Done> {
  const result = await historyShow(context, id);
  const call = result.shape === 'one' ? get(parseLossless(result.item.raw), 'api_call_id') : undefined;
  const where =
    typeof call === 'string' && call !== '' ? say` The service keeps it: ${cops`api-calls get ${call}`}` : '';
  context.notes.note(say`The request body is never kept here, because it may hold secrets.${where}`);
  return { result };
}

export const run = bySubcommand<HistoryOptions>({
  '': list,
  list,
  show: async (context, { words: [id = ''] }) => show(context, id),
  settle: async (context, { words: [id = ''], options }) => ({
    result: await historySettle(context, id, options.as ?? '', options.note),
  }),
});
