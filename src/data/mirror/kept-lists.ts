import { existsSync } from 'node:fs';
import { profileIfAny } from '../../account/profiles/faults.js';
import type { Database } from '../../base/database/types.js';
import { CopsError, stopped } from '../../base/errors/errors.js';
import { cops, say } from '../../base/text/command-line.js';
import { isoTime } from '../../base/time/units.js';
import type { Family } from '../../catalogue/types.js';
import { readFirstDay } from '../../service/lists/account-begin.js';
import type { Context } from '../../session/context/context.js';
import { type KeptList, type KeptReferring, type KeptRows, SEEN_AT } from '../../session/joins/kept-rows.js';
import { beginningOf } from '../../session/read/first-day.js';
import { checkWatchedAt, itemsAsOf, momentAsked, seenTooLate, unwatched } from './as-of.js';
import { rawName, sqlName } from './layout.js';
import { mirrorOwner, openToRead } from './mirror.js';
import { knownMirror } from './mirror-in-use.js';
import { freshnessOf, ownMirror, warnOfWrites } from './own-mirror.js';
import { viewColumns } from './views.js';

/*
 * Lists from a mirror: a list as of a past moment or as last synced, and rows that a command line needs besides its own
 * list, if they were seen recently.
 */

/** Options of a list that a mirror answers, as typed. */
export interface KeptOptions {
  readonly asOf?: string | undefined;
  readonly sync?: boolean | undefined;
}

/**
 * A family's list from the profile's mirror: as of a past moment, else as last synced.
 * @throws CopsError `incomplete` (10) where it did not watch then
 */
export async function keptList(context: Context, family: Family, { asOf }: KeptOptions): Promise<KeptList> {
  const file = await knownMirror(context);
  if (!existsSync(file)) {
    if (asOf !== undefined) throw unwatched('there is no mirror yet');
    throw stopped(
      'stopped: there is no mirror to answer from, and --no-sync forbids asking the service',
      say`Create one: ${cops`sync ${family.name.replaceAll('_', '-')}`}, or leave out --no-sync.`,
    );
  }
  const { database } = await openToRead(file, await mirrorOwner(context));
  try {
    const now = Math.floor((await context.now()) / 1000);
    const moment = asOf === undefined ? undefined : await momentAsked(context, asOf);
    const kept = new PastRows(database, moment, now, await accountBegin(context));
    kept.check(family);
    const shown = moment ?? kept.readAt(family);
    if (moment === undefined) await warnOfWrites(context, shown);
    return {
      ...{ moment: Math.min(shown, now) * 1000, isAll: true, doubts: kept.doubts },
      items: (range) => kept.list(family, range),
      ofIds: async (one, ids) => kept.ofIds(one, ids),
      referring: async (one) => kept.all(one),
      close: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** A mirror's rows as of a moment, or as last synced. */
class PastRows {
  readonly doubts: string[] = [];
  readonly #checked = new Map<string, ReadonlyMap<string, { readonly json: string; readonly seenAt: number }>>();

  constructor(
    readonly database: Database,
    readonly moment: number | undefined,
    readonly now: number,
    readonly firstDay: number | undefined,
  ) {}

  /** @throws CopsError `incomplete` where it did not watch the family */
  check(family: Family): void {
    this.#rows(family);
  }

  /** When the family was last read completely, unix seconds. */
  readAt({ name }: Family): number {
    return Number(this.database.prepare('SELECT read_at FROM _families WHERE family = ?').get(name)?.[0] ?? this.now);
  }

  list(family: Family, range: { readonly from: number; readonly to: number } | undefined): string[] {
    const rows = [...this.#rows(family).values()].map(({ json, seenAt }) => ({ json, seenAt, made: madeAt(json) }));
    const within = range
      ? rows.filter(({ made }) => made === undefined || (made >= range.from && made <= range.to))
      : rows;
    within.sort((one, other) => (other.made ?? 0) - (one.made ?? 0));
    return within.map(({ json, seenAt }) => withSeen(json, seenAt));
  }

  ofIds(family: Family, ids: readonly string[]): ReadonlyMap<string, string> {
    const rows = this.#rows(family);
    return new Map(
      ids.flatMap((id): [string, string][] => {
        const row = rows.get(id);
        return row ? [[id, row.json]] : [];
      }),
    );
  }

  all(family: Family): string[] {
    return [...this.#rows(family).values()].map(({ json }) => json);
  }

  #rows(family: Family) {
    const { database, moment, now } = this;
    const { name } = family;
    const known = this.#checked.get(name);
    if (known) return known;
    if (moment === undefined && !isRead(database, family))
      throw new CopsError('incomplete', `The mirror has never read ${name.replaceAll('_', ' ')} completely.`, {
        hint: say`Read them: ${cops`sync ${name.replaceAll('_', '-')}`}, or leave out --no-sync.`,
        more: { family: name },
      });
    checkWatchedAt(database, [name], moment ?? this.readAt(family), now);
    const late = moment === undefined ? 0 : seenTooLate(database, name, moment);
    const word = name.replaceAll('_', ' ');
    if (late > 0) this.doubts.push(`${late} of ${word} existed by then but were seen later`);
    const start = lackingBefore(database, family, this.firstDay);
    if (start !== undefined) this.doubts.push(`the mirror holds only ${word} created since ${isoTime(start)}`);
    for (const why of unprovenOf(database, name)) this.doubts.push(`${word}: ${why}`);
    const rows = new Map([...itemsAsOf(database, name, moment ?? Number.MAX_SAFE_INTEGER)].map((one) => [one.id, one]));
    this.#checked.set(name, rows);
    return rows;
  }
}

function unprovenOf(database: Database, family: string): string[] {
  const rows = database
    .prepare('SELECT DISTINCT unproven FROM _windows WHERE family = ? AND unproven IS NOT NULL')
    .all(family);
  return rows.map(([why]) => String(why));
}

function madeAt(json: string): number | undefined {
  const made = (JSON.parse(json) as { readonly created_date_unix?: unknown }).created_date_unix;
  return typeof made === 'number' ? made : undefined;
}

const withSeen = (json: string, seenAt: number): string => {
  const own = `"${SEEN_AT}":${seenAt}}`;
  return json === '{}' ? `{${own}` : `${json.slice(0, -1)},${own}`;
};

/** Rows that the profile's mirror has seen within `--max-age`; opened on first use. */
export class FreshRows implements KeptRows {
  readonly isAll = false;
  #open: Promise<Fresh | undefined> | undefined;
  readonly #told = new Set<string>();

  constructor(
    readonly context: Context,
    readonly maxAge: string | undefined,
  ) {}

  async ofIds(family: Family, ids: readonly string[]): Promise<ReadonlyMap<string, string> | undefined> {
    const fresh = await this.#fresh();
    if (!fresh?.database || !hasRows(fresh.database, family)) return undefined;
    const found = new Map<string, string>();
    const rows = fresh.database.prepare(
      `SELECT r._json, w.read_at FROM ${sqlName(rawName(family.name))} AS r
       JOIN _windows AS w ON w.family = ? AND w.start = r._window WHERE r.id = ? AND w.read_at >= ?`,
    );
    let oldest = Number.POSITIVE_INFINITY;
    for (const id of ids) {
      const row = rows.get(family.name, id, fresh.since);
      if (!row) continue;
      found.set(id, String(row[0]));
      oldest = Math.min(oldest, Number(row[1]));
    }
    if (found.size > 0) this.#tell(family, oldest);
    return found;
  }

  async referring(family: Family, { path, ids, from }: KeptReferring): Promise<readonly string[] | undefined> {
    const fresh = await this.#fresh();
    if (!fresh || !hasRows(fresh.database, family)) return undefined;
    const { database, since } = fresh;
    const start = lackingBefore(database, family, fresh.firstDay);
    if (start !== undefined && (from === undefined || from < start)) return undefined;
    const [oldest, windows, unproven, newest] =
      database
        .prepare(
          'SELECT min(read_at), count(*), count(unproven), max(coalesce(until, read_at)) FROM _windows WHERE family = ?',
        )
        .get(family.name) ?? [];
    const read = database.prepare('SELECT read_at FROM _families WHERE family = ?').get(family.name)?.[0];
    const isWhole = Number(windows) > 0 && Number(unproven) === 0 && Number(newest) >= since && Number(read) >= since;
    if (!isWhole || Number(oldest) < since) return undefined;
    this.#tell(family, Number(oldest));
    return rowsReferring(database, family, path, ids);
  }

  close(): void {
    this.#open?.then((fresh) => fresh?.database.close()).catch(() => {});
  }

  #tell(family: Family, seen: number): void {
    if (this.#told.has(family.name)) return;
    this.#told.add(family.name);
    const word = family.name.replaceAll('_', ' ');
    this.context.notes.note(`From the mirror, as of ${isoTime(seen)}: ${word}. Use --max-age 1s to ask the service.`);
  }

  #fresh(): Promise<Fresh | undefined> {
    this.#open ??= openFresh(this.context, this.maxAge);
    return this.#open;
  }
}

/** `since`: rows seen before this are requested again, unix seconds. */
type Fresh = NonNullable<Awaited<ReturnType<typeof openFresh>>>;

/** The profile's own mirror with the time since which its rows may be used: later than this machine's last write. */
export async function openFresh(context: Context, maxAge: string | undefined) {
  const profile = await profileIfAny(context);
  if (!profile || profile.mirror.value === 'never' || context.options.dryRun) return undefined;
  const file = await ownMirror(context);
  if (!existsSync(file)) return undefined;
  const { oldest, written } = await freshnessOf(context, maxAge);
  const since = Math.max(oldest, written);
  if (since >= Math.floor((await context.now()) / 1000)) return undefined;
  const { database } = await openToRead(file, await mirrorOwner(context));
  return { database, since, firstDay: await accountBegin(context) };
}

/** The account's first day if known, unix seconds; sends no request for it. */
async function accountBegin(context: Context): Promise<number | undefined> {
  const { fingerprint, baseUrl } = await context.profile();
  return (await readFirstDay(context.configDir, fingerprint, baseUrl.value))?.first_day;
}

/** The start of a family's items in a mirror that lacks earlier ones, unix seconds: it was set to start later. */
function lackingBefore(database: Database, { name, nature }: Family, firstDay: number | undefined): number | undefined {
  const start = database.prepare('SELECT start FROM _families WHERE family = ?').get(name)?.[0] ?? null;
  if (start === null || (firstDay !== undefined && Number(start) <= beginningOf(nature, firstDay))) return undefined;
  return Number(start);
}

const isRead = (database: Database, { name }: Family): boolean =>
  database.prepare('SELECT 1 FROM _families WHERE family = ?').get(name) !== undefined;

const hasRows = (database: Database, { name }: Family): boolean =>
  viewColumns(database, rawName(name)).includes('_window');

/** Rows that refer to ids, and rows without a value there, which might refer to them. */
function rowsReferring(
  database: Database,
  { name }: Family,
  path: string | undefined,
  ids: readonly string[],
): string[] {
  const table = sqlName(rawName(name));
  const column =
    path && database.prepare('SELECT name FROM _columns WHERE family = ? AND path = ?').get(name, path)?.[0];
  const texts = (sql: string, ...values: string[]): string[] =>
    database
      .prepare(sql)
      .all(...values)
      .map(([json]) => String(json));
  if (!column) return texts(`SELECT _json FROM ${table}`);
  const at = sqlName(String(column));
  return texts(
    `SELECT _json FROM ${table} WHERE ${at} IS NULL OR ${at} IN (SELECT value FROM json_each(?))`,
    JSON.stringify(ids),
  );
}
