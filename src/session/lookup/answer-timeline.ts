import { accountRecords } from '../../account/account-records.js';
import type { Entry } from '../../account/history/types.js';
import { asTyped, orThrow, usage } from '../../base/errors/errors.js';
import { cops, copsLine, joinedTexts, say } from '../../base/text/command-line.js';
import { type RangeOptions, rangeTexts, rangeWords, resolveRange, type TimeRange } from '../../base/time/range.js';
import { datesSaid } from '../../base/time/spoken-days.js';
import { isoTime } from '../../base/time/units.js';
import type { Zone } from '../../base/time/zones.js';
import { looksLikeId } from '../../catalogue/value-formats.js';
import { itemsOf } from '../../items/json/item-json.js';
import { someOf } from '../../items/text/numbered.js';
import type { Context, Done } from '../context/context.js';
import { zoneInUse } from '../context/typed-words.js';
import { furtherIn } from '../names/line-names.js';
import { knownItem, openLook } from './look.js';
import { payerOf } from './one.js';
import { findNamed } from './person.js';
import { commandOf, incompleteOf } from './sheet.js';
import { type Event, lifeAround, lifeOfPerson, ordered } from './timeline.js';

/** Families to try for an id whose family is unknown. */
const USUAL = ['customers', 'subscriptions', 'sales', 'subscription_renewals', 'transactions', 'pending_refunds'];
/** A timeline is read from many places: this is the request limit, unless a range or everything is requested. */
const MOST = 40;
/** A time before everything, unix seconds. */
const FIRST = 86_400;
const COLUMNS = [
  { path: 'time', as: 'time', whole: true },
  { path: 'family' },
  { path: 'what', whole: true },
  { path: 'about', as: 'prose', title: 'is now' },
  { path: 'id' },
] as const;

/** Options of `cops timeline`, as typed. */
export interface TimelineOptions extends RangeOptions {
  readonly family?: string;
  readonly since?: string;
  readonly all?: boolean;
  readonly newestFirst?: boolean;
}

/** `cops timeline <id | who>`: events in order, oldest first. */
export async function answerTimeline(context: Context, word: string, options: TimelineOptions): Promise<Done> {
  const range = await rangeIn(context, options);
  const look = await openLook(context, { all: options.all, from: range?.from, most: MOST });
  const known = looksLikeId(word)
    ? await knownItem(context, look, word, options.family, USUAL)
    : await findNamed(look, word, (text) => context.notes.warn(text), furtherIn(context, look.asker));
  const isPerson = known.family === 'customers';
  const life = await (isPerson ? lifeOfPerson(look, known.raw) : lifeAround(look, known));
  const [now, { format }] = [await context.now(), await context.settings()];
  if ((isPerson || payerOf(known) !== undefined) && range && range.from > FIRST && !options.all)
    look.skip(
      `items created before ${isoTime(range.from)} and changed since`,
      'lists go by the time of creation',
      cops`timeline ${word} --all`,
    );
  const all = ordered([...life.events, ...(await writtenHere(context, life.items))]);
  const within = range ? all.filter(({ time }) => time >= range.from && time <= range.to) : all;
  const events = options.newestFirst ? within.toReversed() : within;
  return {
    result: {
      shape: 'list',
      items: itemsOf(
        events.map(({ undated: _, ...shown }) =>
          shown.time * 1000 <= now
            ? shown
            : format === 'table'
              ? { ...shown, what: `${shown.what}, due` }
              : { ...shown, due: true },
        ),
      ),
      columns: COLUMNS,
      idField: 'id',
      account: (await context.profile()).account,
    },
    finish: () => {
      const whole = cops`timeline ${word} --all`;
      for (const { what, why, commands } of look.notRead) {
        // For all of a range, the typed line itself is the answer.
        const lines = commands.map((line) =>
          range !== undefined && String(line) === String(whole) ? copsLine([...context.world.argv, '--all']) : line,
        );
        context.notes.warn(say`Not read: ${what} (${why}). ${joinedTexts(lines, '; ')}`);
      }
      if (format !== 'table' && events.some(({ time }) => time * 1000 < now))
        context.notes.note('"about" shows each item as it is today, even in rows of the past.');
      if (events.some(({ what }) => /^(?:updated|edit,)/.test(what)))
        context.notes.note(
          say`The service keeps no former values. For the changes that syncs of the mirror saw: ${cops`changes ${word}`}`,
        );
      const undated = new Map(events.flatMap(({ id, undated: state }) => (state ? [[id, `${id} ${state}`]] : [])));
      if (undated.size > 0)
        context.notes.note(
          `The service does not show since when, nor by whom: ${someOf([...undated.values()], 3)}. Writes from here have rows.`,
        );
      const outside = all.length - events.length;
      if (range && events.length === 0)
        context.notes.note(
          `Nothing from ${isoTime(range.from)}${range.to === Number.MAX_SAFE_INTEGER ? ' on' : ` to ${isoTime(range.to)}`}.`,
        );
      if (outside > 0) context.notes.note(`${events.length} of ${all.length}: the others are outside the range.`);
      return incompleteOf(look.notRead, options.all === true);
    },
  };
}

/** The range of the line, open-ended if it gives no end, so that it includes what is due. */
async function rangeIn(context: Context, options: TimelineOptions): Promise<TimeRange | undefined> {
  const { since, ...given } = options;
  const words = rangeWords(given);
  if (since !== undefined && words.length > 0) throw usage(`--since and ${words[0]} cannot be combined.`);
  if (since === undefined && words.length === 0) return undefined;
  const from = since ?? given.from ?? (given.last === undefined && given.to !== undefined ? String(FIRST) : undefined);
  const [now, zone] = [await context.now(), await zoneInUse(context)];
  const range = rangeTyped({ ...given, from }, now, zone, since !== undefined);
  for (const said of datesSaid(rangeTexts({ ...given, from }), now, zone)) context.notes.note(said);
  const isOpen = given.to === undefined && (from !== undefined || given.last !== undefined);
  return { from: range.from, to: isOpen ? Number.MAX_SAFE_INTEGER : range.to };
}

function rangeTyped(options: RangeOptions, now: number, zone: Zone, isSince: boolean): TimeRange {
  return orThrow(
    () => resolveRange(options, now, zone),
    (error) => (isSince ? asTyped(error, '--since', '--from') : error),
  );
}

/**
 * What this machine's history records about items: each write and its outcome.
 * @param families the family of each item by its id
 */
export async function writtenHere(context: Context, families: ReadonlyMap<string, string>): Promise<Event[]> {
  const { baseUrl, mode } = await context.profile();
  const history = await accountRecords(context).history();
  const found: Event[] = [];
  for await (const entry of history.list({ unknownOnly: false })) {
    const id = entry.ids.find((one) => families.has(one));
    if (id === undefined || entry.base_url !== baseUrl.value || entry.mode !== mode.value) continue;
    found.push(eventOf(entry, id, families.get(id) ?? ''));
  }
  return found;
}

function eventOf(entry: Entry, id: string, family: string): Event {
  const money = [entry.amount, entry.currency].filter((part) => part !== undefined).join(' ');
  const about = [entry.outcome, money, entry.who && `by ${entry.who}`, entry.reason].filter(Boolean).join(', ');
  const operation = entry.operation.replaceAll('_', '-');
  const own = `${commandOf(family)} `;
  // The family has its own column.
  const what = operation.startsWith(own) ? operation.slice(own.length) : operation;
  return {
    time: Math.floor(Date.parse(entry.time) / 1000),
    family,
    id,
    what: `${what}, from here`,
    about,
  };
}
