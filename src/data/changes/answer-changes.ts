import type { Database } from '../../base/database/types.js';
import { asTyped, CopsError, local, orThrow, usage, Would } from '../../base/errors/errors.js';
import { cops, copsLine, say } from '../../base/text/command-line.js';
import { type RangeOptions, rangeTexts, rangeWords, resolveRange, type TimeRange } from '../../base/time/range.js';
import { datesSaid } from '../../base/time/spoken-days.js';
import { DAY, isoTime } from '../../base/time/units.js';
import { familyByCommand } from '../../catalogue/index.js';
import { looksLikeId } from '../../catalogue/value-formats.js';
import { Item } from '../../items/json/item-json.js';
import { numberOf, serialise, type Tree, valueAt } from '../../items/json/tree.js';
import type { Context, Done } from '../../session/context/context.js';
import { familyOfWord, zoneInUse } from '../../session/context/typed-words.js';
import { momentAsked, type PastMirror, showAsOf, watchedSince } from '../mirror/as-of.js';
import { rawName } from '../mirror/layout.js';
import type { MirrorFacts } from '../mirror/mirror.js';
import { openToRead } from '../mirror/mirror.js';
import { knownMirror, mirrorInUse } from '../mirror/mirror-in-use.js';
import { namedMirror, nameOfMirror, ownerIfAny } from '../mirror/own-mirror.js';
import { standingOf } from '../mirror/standing.js';
import { textsOf } from '../mirror/views.js';
import type { ReadCalls } from './calls-naming.js';
import { fieldChanges, lookBefore, type NewItem, newItems, type SeenChange, seenChanges } from './seen-changes.js';

/** Options of `cops changes`, as typed. */
export interface ChangesOptions extends RangeOptions {
  readonly since?: string;
  readonly family?: string;
  readonly who?: boolean;
  /** Also shows items seen for the first time. */
  readonly new?: boolean;
  readonly mirror?: string;
  /** The moment to answer for. */
  readonly asOf?: string;
}

/** With `--who` and no item, how many days are searched. */
const WHO_DAYS = 2;
const DEFAULT_SINCE = 'yesterday';
const COLUMNS = [
  { path: 'seen', as: 'time', whole: true },
  { path: 'family' },
  { path: 'id' },
  { path: 'field', whole: true },
  { path: 'from' },
  { path: 'to' },
] as const;

/** The parsed question. */
interface Asked extends TimeRange {
  readonly families: readonly string[] | undefined;
  readonly id: string | undefined;
  /** Whether the command line says when the range begins. */
  readonly isRanged: boolean;
}

/**
 * `cops changes [<item>] [family]`: the fields that changed between two looks of the mirror, with old and new values.
 */
export async function answerChanges(context: Context, words: readonly string[], typed: ChangesOptions): Promise<Done> {
  const moment = typed.asOf === undefined ? undefined : await momentAsked(context, typed.asOf);
  const range = upTo(await rangeOf(context, typed), moment);
  if (context.options.dryRun) throw await wouldLook(context, typed);
  const file = (await namedMirror(context, typed.mirror)) ?? (await mirrorInUse(context));
  const { database, facts } = await openToRead(file, await ownerIfAny(context));
  let past: PastMirror | undefined;
  try {
    if (moment !== undefined) ({ past } = await showAsOf(context, database, moment));
    const asked = await askedOf(context, database, words, typed, range);
    if (typed.who && asked.id === undefined && asked.to - asked.from > WHO_DAYS * DAY)
      throw usage(
        `--who searches at most ${WHO_DAYS} days unless you name one item.`,
        'Narrow the range (--last 2d), or name an item.',
      );
    const standing = standingOf(database, facts);
    context.notes.note(standing.told);
    const all = [...seenChanges(database, asked)];
    const calls = typed.who && all.length > 0 ? await callsFor(context, all, asked) : undefined;
    const doubts = doubtsOf(database, facts, asked, calls);
    const { isCovered } = await import('./calls-naming.js');
    const fresh = newItems(database, asked);
    const rows = [
      ...all.flatMap((change) => rowsOf(change, calls && { ...calls, isCovered })),
      ...(typed.new ? fresh.map(newRow) : []),
    ];
    const before = lookBefore(database, Math.min(...all.map(({ untilAt }) => untilAt), asked.to));
    const items = (async function* () {
      yield* rows;
    })();
    return {
      result: {
        shape: 'list',
        items,
        columns: typed.who ? [...COLUMNS, { path: 'who', whole: true }] : COLUMNS,
        idField: 'id',
        account: (await context.profile()).account,
      },
      finish: () => finished(context, { changes: all.length, rows: rows.length, before, fresh, typed }, asked, doubts),
    };
  } finally {
    database.close();
    await past?.discard();
  }
}

type AskedRange = TimeRange & { readonly isRanged: boolean };

/** The part of a range before a moment. */
function upTo(range: AskedRange, moment: number | undefined): AskedRange {
  if (moment === undefined || range.to <= moment) return range;
  if (range.from > moment) throw usage('The range begins after --as-of.', 'Leave out one of them.');
  return { ...range, to: moment };
}

async function wouldLook(context: Context, { mirror, who }: ChangesOptions): Promise<Would> {
  const file = (await nameOfMirror(context, mirror)) ?? (await knownMirror(context));
  return new Would(
    `${who ? 'read the calls made around the changes, and' : 'send no request,'} read the mirror ${file}`,
  );
}

interface Seen {
  /** The number of changed states, and the rows that show them. */
  readonly changes: number;
  readonly rows: number;
  /** When a sync last saw anything before the first of them, unix seconds. */
  readonly before: number | undefined;
  readonly fresh: readonly NewItem[];
  readonly typed: ChangesOptions;
}

function finished(
  { notes, world }: Context,
  { changes, rows, before, fresh, typed }: Seen,
  { from, to }: Asked,
  doubts: readonly string[],
): CopsError | undefined {
  const when = from === 0 ? `up to ${isoTime(to)}` : `from ${isoTime(from)} to ${isoTime(to)}`;
  const some = changes === 1 ? '1 changed state' : `${changes} changed states`;
  notes.note(
    changes === 0
      ? `No change was seen ${when}. The first sight of an item does not count as a change.`
      : `${some}, ${rows} ${rows === 1 ? 'field' : 'fields'}, seen ${when}. Several changes between two looks count as one.`,
  );
  if (changes > 0 && before !== undefined)
    notes.note(
      `A change is dated by the sync that saw it: the first of these happened at ${isoTime(before)} or later.`,
    );
  if (fresh.length > 0 && !typed.new)
    notes.note(
      say`Not shown: ${newTold(fresh)}, seen for the first time then. To show them: ${copsLine([...world.argv, '--new'])}`,
    );
  if (doubts.length === 0) return undefined;
  return new CopsError('incomplete', `Not all changes can be known: ${doubts.join('; ')}.`);
}

async function rangeOf(context: Context, typed: ChangesOptions): Promise<AskedRange> {
  const { since, from, to, last, week, month, quarter, year } = typed;
  const given = { from, to, last, week, month, quarter, year };
  if (since !== undefined && rangeWords({ ...given, to: undefined }).length > 0)
    throw usage(`--since and ${rangeWords({ ...given, to: undefined })[0]} cannot be combined.`);
  const begin = since ?? from;
  const [now, zone] = [await context.now(), await zoneInUse(context)];
  if (begin === undefined && rangeWords({ ...given, to: undefined }).length === 0) {
    const end = to === undefined ? Math.floor(now / 1000) : resolveRange({ from: '1970-01-02', to }, now, zone).to;
    return { from: 0, to: end, isRanged: false };
  }
  for (const said of datesSaid(rangeTexts({ ...given, from: begin }), now, zone)) context.notes.note(said);
  return orThrow(
    () => ({ ...resolveRange({ ...given, from: begin }, now, zone), isRanged: true }),
    (error) => (since === undefined ? error : asTyped(error, '--since', '--from')),
  );
}

/** Reads the arguments: an item, a family, or both in either order. */
async function askedOf(
  context: Context,
  database: Database,
  words: readonly string[],
  { family: option }: ChangesOptions,
  range: AskedRange,
): Promise<Asked> {
  const named = words.filter((word) => !looksLikeId(word) && familyByCommand(word) !== undefined);
  const items = words.filter((word) => !named.includes(word));
  const families = [...named, ...(option === undefined ? [] : [option])];
  if (items.length > 1 || families.length > 1)
    throw usage(
      'Name one item or one family at a time.',
      say`For example: ${cops`changes subscriptions --since yesterday`}`,
    );
  const family = families[0] === undefined ? undefined : (await familyOfWord(families[0])).name;
  if (family !== undefined && !familiesIn(database).includes(family))
    throw local(
      `The mirror holds no ${family}.`,
      say`Sync them: ${cops`sync ${database.file} ${family.replaceAll('_', '-')}`}`,
    );
  if (items[0] !== undefined) {
    const found = itemOf(database, items[0], family);
    return { ...range, ...found };
  }
  const wanted = family === undefined ? undefined : [family];
  if (range.isRanged || range.from > 0) return { ...range, families: wanted, id: undefined };
  const [now, zone] = [await context.now(), await zoneInUse(context)];
  context.notes.note(`No range given: since ${DEFAULT_SINCE}. Use --since to start elsewhere.`);
  const { from } = resolveRange({ from: DEFAULT_SINCE }, now, zone);
  return { from, to: range.to, isRanged: false, families: wanted, id: undefined };
}

const hasTable = (database: Database, name: string): boolean =>
  database.prepare("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?").get(name) !== undefined;

/** The families whose lists a mirror keeps. */
const familiesIn = (database: Database): string[] => textsOf(database, 'SELECT family FROM _families ORDER BY 1');

/** The item that an argument means: an id of any family, or a customer by e-mail address, reference or name. */
function itemOf(database: Database, word: string, family: string | undefined): { families: string[]; id: string } {
  const id = looksLikeId(word) ? word : customerOf(database, word);
  const known = (family === undefined ? familiesIn(database) : [family]).filter(
    (name) =>
      database.prepare(`SELECT 1 FROM ${rawName(name)} WHERE id = ?`).get(id) !== undefined ||
      database.prepare('SELECT 1 FROM _history WHERE family = ? AND id = ?').get(name, id) !== undefined,
  );
  if (known.length > 0) return { families: known, id };
  throw new CopsError('not_found', `The mirror has never seen ${word}.`, {
    hint: say`To fetch items created since the last sync: ${cops`sync ${database.file}`}`,
  });
}

function customerOf(database: Database, word: string): string {
  const table = rawName('customers');
  const found = hasTable(database, table)
    ? textsOf(
        database,
        `WITH asked (word) AS (VALUES (?)) SELECT id FROM customers, asked
         WHERE lower(email) = lower(word) OR internal_id = word OR lower(name) = lower(word) LIMIT 6`,
        word,
      )
    : [];
  const [only, ...more] = found;
  if (only === undefined)
    throw new CopsError('not_found', `The mirror has no customer ${word}, and there is no family of that name.`, {
      hint: say`Name the item by its id. To find it: ${cops`find ${word}`}`,
    });
  if (more.length > 0) throw usage(`${word} is several customers: ${found.join(', ')}.`, 'Name one by its id.');
  return only;
}

/** Why the mirror cannot answer the whole question. */
function doubtsOf(
  database: Database,
  facts: MirrorFacts,
  { from, families, isRanged }: Asked,
  calls: ReadCalls | undefined,
): string[] {
  const wanted = families ?? familiesIn(database);
  const states = new Map(
    database
      .prepare('SELECT family, state, why FROM _families')
      .all()
      .map(([family, state, why]) => [String(family), { state: String(state), why: String(why) }]),
  );
  const partial = wanted
    .filter((family) => states.get(family)?.state !== 'synced')
    .map((family) => `${family} is not complete (${states.get(family)?.why ?? 'never read completely'})`);
  const begins = wanted.map((family) => watchedSince(database, family)).filter((at) => at !== undefined);
  const first = begins.length === 0 ? undefined : Math.min(...begins);
  const early = isRanged && first !== undefined && from < first ? [`the mirror starts ${isoTime(first)}`] : [];
  const late =
    facts.asOf !== undefined && from > facts.asOf ? [`the mirror ends ${isoTime(facts.asOf)}, before the range`] : [];
  return [...partial, ...early, ...late, ...(calls?.unread ?? [])];
}

async function callsFor(context: Context, all: readonly SeenChange[], { from, id }: Asked): Promise<ReadCalls> {
  const { readCalls } = await import('./calls-naming.js');
  const begins = all.map(({ seenAt }) => seenAt).reduce((a, b) => Math.min(a, b));
  const ends = all.map(({ untilAt }) => untilAt).reduce((a, b) => Math.max(a, b));
  const span = { from: id === undefined ? Math.max(from, begins) : begins, to: ends };
  const calls = await readCalls(context, span);
  context.notes.progressDone();
  context.notes.note(
    `Calls that name an item, from ${isoTime(span.from)} to ${isoTime(span.to)}: ${calls.requests} requests.`,
  );
  return calls;
}

type Covered = ReadCalls & { readonly isCovered: (span: TimeRange, read: readonly TimeRange[]) => boolean };

/** One row per field; an item that is gone is one row. */
function rowsOf(change: SeenChange, calls: Covered | undefined): Item[] {
  const who = calls && whoOf(change, calls);
  const updated = numberOf(valueAt(change.after, 'updated_date_unix'));
  const fields = fieldChanges(change.before, change.after);
  return fields.map(({ path, from, to }) => {
    const isGone = path === '';
    const row: Record<string, Tree> = {
      change: change.change,
      seen: isoTime(change.untilAt),
      before: isoTime(change.seenAt),
      updated: updated === undefined ? null : isoTime(updated),
      family: change.family,
      id: change.id,
      what: isGone ? 'gone' : 'changed',
      field: isGone ? null : path,
      from: isGone ? 'listed' : (from ?? null),
      to: isGone ? 'no longer listed' : (to ?? null),
      ...(who ?? {}),
    };
    return new Item(serialise(row));
  });
}

/** The row of an item that a sync saw for the first time. */
function newRow({ family, id, at }: NewItem): Item {
  const row: Record<string, Tree> = {
    ...{ change: null, seen: isoTime(at), before: null, updated: null, family, id },
    ...{ what: 'new', field: null, from: null, to: 'listed' },
  };
  return new Item(serialise(row));
}

/** Counts the new items by family, most first. */
function newTold(fresh: readonly NewItem[]): string {
  const counts = new Map<string, number>();
  for (const { family } of fresh) counts.set(family, (counts.get(family) ?? 0) + 1);
  const parts = [...counts]
    .sort((one, other) => other[1] - one[1])
    .map(([family, count]) => `${count} ${family.replaceAll('_', ' ')}`);
  return `${fresh.length} new ${fresh.length === 1 ? 'item' : 'items'} (${parts.join(', ')})`;
}

/** Who may have made the change: the calls between the two looks that name the item. */
function whoOf(change: SeenChange, { calls, read, isCovered }: Covered): Record<string, Tree> {
  const span = { from: change.seenAt, to: change.untilAt };
  const naming = calls.filter(({ time, text }) => time >= span.from && time <= span.to && text.includes(change.id));
  const callIds = naming.map(({ id }) => id);
  const people = [...new Set(naming.map(({ who }) => who))];
  const isWhole = isCovered(span, read);
  if (naming.length === 0) return { who: isWhole ? 'not shown' : 'unknown: not all calls were read', calls: callIds };
  const some = naming.length === 1 ? `by ${people[0]}` : `one of ${naming.length} calls: ${people.join(', ')}`;
  return { who: isWhole ? some : `${some}; not all calls were read`, calls: callIds };
}
