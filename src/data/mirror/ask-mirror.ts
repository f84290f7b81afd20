import { namesIn } from '../../base/database/read-query.js';
import type { Database } from '../../base/database/types.js';
import { CopsError, usage } from '../../base/errors/errors.js';
import { cops, copsLine, say, type Text } from '../../base/text/command-line.js';
import { lengthSaid } from '../../base/time/spans.js';
import { isoTime } from '../../base/time/units.js';
import type { World } from '../../base/world.js';
import { Item } from '../../items/json/item-json.js';
import type { Context, Done } from '../../session/context/context.js';
import { DEFAULTS } from '../../session/context/spec.js';
import { wholeNumber } from '../../session/context/typed-words.js';
import type { PastMirror } from './as-of.js';
import type { TableColumn } from './describe-mirror.js';
import { sqlName } from './layout.js';
import { checkSql, type RunningQuery, runMirrorQuery } from './mirror-query.js';
import { namedMirror, ownMirror, readMirror } from './own-mirror.js';
import { changesIn, inexactIn, mixedIn, roundedIn, standingOf } from './standing.js';
import { familiesOf, MIRROR_VIEWS, showOnly, textsOf, viewColumns } from './views.js';

/** Rows of one query over the profile's own mirror, seen as the restriction has it; `signal` ends it. */
export async function askOwnMirror(
  context: Context,
  query: string,
  asked: { readonly limit: string; readonly restriction?: Restriction },
  signal: AbortSignal,
): Promise<Done> {
  checkSql(query);
  if (asked.restriction) checkRestricted(query);
  const mirror = (await namedMirror(context, undefined)) ?? (await ownMirror(context));
  return askMirror(context, mirror, query, asked, signal);
}

/** Clocks that differ by less show the same present. */
const CLOCKS_APART_S = 60;

/** How to ask a mirror. */
interface AskedOfMirror {
  readonly limit?: string | undefined;
  readonly restriction?: Restriction;
  /** What hides the present, to show a past moment. */
  readonly past?: PastMirror | undefined;
  /** Files that are tables next to it. */
  readonly given?: BesideMirror | undefined;
}

/** Tables next to a mirror for one question. */
export interface BesideMirror {
  /** Statements for the asking connection, before its query. */
  readonly before: readonly string[];
  readonly columns: readonly TableColumn[];
}

/** Rows of one query over a mirror; how current the mirror is goes to standard error. */
export async function askMirror(
  context: Context,
  mirror: string,
  query: string,
  { limit, restriction, past, given }: AskedOfMirror,
  signal: AbortSignal,
): Promise<Done> {
  const { notes } = context;
  if (past) checkRestricted(query);
  const { inexact, before } = await tellStanding(context, mirror, query, { restriction, past });
  const most =
    wholeNumber(limit, '--limit', 1) ?? (context.world.stdout.isTTY === true ? DEFAULTS.terminalRows : undefined);
  const answer = await runMirrorQuery(mirror, query, signal, { before: [...before, ...(given?.before ?? [])] }).catch(
    async (error: unknown) => {
      // A reader who may see only a part learns no names of the rest.
      if (restriction) throw error;
      const { withNames } = await import('./missing-name.js');
      throw await withNames(context, mirror, query, error, given?.columns);
    },
  );
  const state = { more: false };
  return {
    result: {
      shape: 'list',
      columns: answer.columns.map((path) => ({ path, title: path })),
      idField: answer.columns[0] ?? 'id',
      items: limited(answer, most, state),
    },
    finish: () => {
      if (state.more) notes.warn(`Only the first ${most} rows are shown; use --limit for more.`, {});
      if (inexact.length === 0) return undefined;
      return new CopsError(
        'incomplete',
        `Some amounts are finer than their currency's minor unit, or have no currency: they are NULL in ${inexact.join(', ')}.`,
        { hint: 'The table _inexact lists the rows; sums leave them out.' },
      );
    },
  };
}

function tellStanding(
  context: Context,
  mirror: string,
  query: string,
  { restriction, past }: Pick<AskedOfMirror, 'restriction' | 'past'>,
) {
  return readMirror(context, mirror, ({ database, facts }) => {
    if (past) showOnly(database, past.before);
    const standing = standingOf(database, facts);
    context.notes.note(standing.told);
    const clock = clockSaid(context.world, query, facts.asOf ?? lastRead(database));
    if (clock) context.notes.warn(clock, {});
    for (const list of standing.incomplete) context.notes.warn(`Not complete: ${list}`, {});
    const mixed = restriction ? [] : mixedIn(database, query);
    if (mixed.length > 0)
      context.notes.warn(
        `Note: the query adds up amounts of different currencies in ${mixed.join(', ')}: group by currency.`,
      );
    const changed = restriction ? [] : changesIn(database, query);
    if (changed.length > 0)
      context.notes.warn(
        say`Note: updated is the last change of any kind, not the day on which the status of ${changed.join(', ')} changed: the service shows no such day.${changed.includes('subscriptions') ? say` Subscriptions that ended in a month, with the first day seen: ${cops`report churn --month last`}` : ''}`,
      );
    const [rounded] = restriction ? [] : roundedIn(database, query);
    if (rounded !== undefined)
      context.notes.note(`A sum of ${rounded} can have rounding errors: ${rounded}_minor adds up exactly.`);
    return {
      inexact: inexactIn(database, query),
      before: restriction ? restrictedViews(database, restriction) : (past?.before ?? []),
    };
  });
}

/** Words of SQL for the present: the engine takes them from the clock of this machine. */
const PRESENT =
  /'now'|\bcurrent_(?:timestamp|date|time)\b|\b(?:date|time|datetime|julianday|unixepoch)\s*\(\s*(?=\))|\bstrftime\s*\(\s*'[^']*'\s*(?=\))/gi;

/** When any list was last read, unix seconds; undefined where none was. */
function lastRead(database: Database): number | undefined {
  const [at] = database.prepare('SELECT max(read_at) FROM _windows').get() ?? [];
  return typeof at === 'number' ? at : undefined;
}

/** What a query for the present has to know where the mirror's data are not of this machine's present. */
function clockSaid(world: World, query: string, asOf: number | undefined): Text | undefined {
  const apart = (asOf ?? 0) - world.now() / 1000;
  if (asOf === undefined || apart < CLOCKS_APART_S || query.search(PRESENT) < 0) return undefined;
  const moment = `'${isoTime(asOf).replace('T', ' ').replace('Z', '')}'`;
  const meant = query.replace(PRESENT, (word) =>
    word.endsWith('(') ? `${word}${moment}` : /^strftime/i.test(word) ? `${word}, ${moment}` : moment,
  );
  const line = world.argv.includes(query)
    ? copsLine(world.argv.map((word) => (word === query ? meant : word)))
    : `${moment} in its place`;
  return say`The query takes the time from this machine, whose clock is ${lengthSaid(apart)} behind the data. By the clock of the data: ${line}`;
}

async function* limited(
  answer: RunningQuery,
  most: number | undefined,
  state: { more: boolean },
): AsyncGenerator<Item> {
  let count = 0;
  for await (const row of answer.rows) {
    if (most !== undefined && count >= most) {
      state.more = true;
      return;
    }
    count++;
    yield new Item(row);
  }
}

/** What a reader may see of a mirror. */
export interface Restriction {
  allows(family: string): boolean;
  /** Whether a column shows its values; `families` are the sources of its table or view. */
  shows(column: string, families: readonly string[]): ShownValues;
}

/** All values, numbers only, or none. */
export type ShownValues = 'all' | 'numbers' | 'none';

/** Names that reach past the views below, or list what they hide. */
const PAST = /^(?:main|temp|sqlite_\w+|pragma_\w+)$/i;
const HIDDEN = "'(masked)'";

/**
 * Refuses a query that names what a restricted reader cannot be given.
 * @throws CopsError `usage`
 */
export function checkRestricted(sql: string): void {
  const past = namesIn(sql).find((name) => PAST.test(name));
  if (past) throw usage(`${past} cannot be queried here: name only tables and views.`);
}

/**
 * Statements for a separate connection, before the query: a temporary view in front of each table and view of the
 * mirror shows what the reader may see, or fails with the reason.
 */
export function restrictedViews(database: Database, restriction: Restriction): string[] {
  const people = new Set(MIRROR_VIEWS.map(({ name }) => name));
  const tables = "SELECT name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT GLOB 'sqlite_*'";
  return textsOf(database, tables).map((name) => {
    const families = people.has(name) ? familiesOf([name]) : [name.replace(/^raw_/, '')];
    const isGiven = !name.startsWith('_') && families.every((one) => restriction.allows(one));
    const source = isGiven ? `main.${sqlName(name)}` : sqlName(`${name} (not given to this server)`);
    const cells = viewColumns(database, name).map((column) => cellOf(column, restriction.shows(column, families)));
    return `CREATE TEMP VIEW ${sqlName(name)} AS SELECT ${isGiven ? cells.join(', ') : '*'} FROM ${source}`;
  });
}

function cellOf(column: string, shown: ShownValues): string {
  const name = sqlName(column);
  if (shown === 'all') return name;
  const kept = shown === 'none' ? "('null')" : "('null', 'integer', 'real')";
  return `CASE WHEN typeof(${name}) IN ${kept} THEN ${name} ELSE ${HIDDEN} END AS ${name}`;
}
