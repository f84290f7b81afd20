import type { Database } from '../../base/database/types.js';
import { CopsError } from '../../base/errors/errors.js';
import { loadFamily } from '../../catalogue/index.js';
import type { FamilyOperation } from '../../catalogue/types.js';
import type { Context } from '../../session/context/context.js';
import { settledDates } from '../../session/context/settled-dates.js';
import { idsIn } from './family.js';
import { rawName, sqlName } from './layout.js';
import { type MirrorSync, openMirrorSync } from './sync-mirror.js';
import type { TeamReplica } from './team/team-replica.js';
import { textsOf } from './views.js';

/** The most items of a page (service.md#lists). */
const MOST_A_PAGE = 25;
/** The most passes: two that agree, and one more if they do not. */
const MOST_PASSES = 3;

/**
 * What the rows of a period that was read until two passes agreed rest on. `from`: when the first of the last two
 * passes began, and when the last one ended, unix seconds. `moved`: rows that differ between the last two passes; empty
 * if they agree. `unproven`: what was not proven complete, or could not be read.
 */
export type AgreedRows = Awaited<ReturnType<typeof readUntilAgreed>>;

/** What to read until it agrees. */
export interface AgreementAsked {
  readonly file: string;
  /** The team's mirror, if the file is its replica. */
  readonly team?: TeamReplica | undefined;
  readonly families: readonly string[];
  /** Unix seconds; `ends` is excluded. */
  readonly period: { readonly begins: number; readonly ends: number };
  /** Ids of rows that count in the period by another date than their creation. */
  readonly counted: (database: Database) => readonly string[];
  readonly concurrency: number;
  /** What the mirror has read since then counts as the first pass, unix seconds; undefined if nothing does. */
  readonly freshSince: number | undefined;
  /** Called before anything is read, with the least number of requests. */
  readonly mayRead: (requests: number) => Promise<void>;
}

/**
 * Replaces the snapshots that the service does not have: brings families up to date, then reads the rows of a period,
 * and all rows that name them or are named by them, until a pass finds the same as the one before.
 */
export async function readUntilAgreed(context: Context, asked: AgreementAsked) {
  const seconds = async () => Math.floor((await context.clock()) / 1000);
  const lists = await listsOf(context, asked.families);
  const sync = await openMirrorSync(context, asked, {}, asked.concurrency);
  try {
    let begun = Math.floor((await context.now()) / 1000);
    const first = await firstPass(sync, lists, asked, begun);
    begun = first.from;
    const readable = lists.filter(({ family }) => !first.unread.has(family.name));
    let { requests } = first;
    let unproven: readonly string[] = first.unproven;
    for (let passes = 2; ; passes++) {
      const before = rowsOf(sync.database, asked);
      const from = begun;
      begun = await seconds();
      const seen: { readonly name: string; readonly id: string; readonly texts: readonly string[] }[] = [];
      const outcome = await sync.pass(windowsOf(sync.database, readable, before, asked), (name, id, ...texts) => {
        seen.push({ name, id, texts });
      });
      requests += outcome.requests;
      unproven = [...first.unread.values(), ...outcome.unproven];
      const after = seen.length === 0 ? before : rowsOf(sync.database, asked);
      const counts = (id: string) => before.own.has(id) || after.own.has(id);
      const moved = seen
        .filter(
          ({ id, texts }) =>
            counts(id) ||
            before.named.has(id) ||
            after.named.has(id) ||
            texts.some((text) => [...idsIn(text)].some(counts)),
        )
        .map(({ name, id }) => `${name} ${id}`);
      if (moved.length === 0 || passes === MOST_PASSES)
        return { from, until: await seconds(), passes, requests, moved: [...new Set(moved)], unproven };
    }
  } finally {
    await sync.end(false);
  }
}

async function listsOf(context: Context, families: readonly string[]): Promise<FamilyOperation[]> {
  const all = await Promise.all(families.map((name) => loadFamily(name)));
  const lists = all.flatMap((family) => {
    const operation = family.operations.find(({ action }) => action === 'list');
    return operation?.list ? [{ family, operation }] : [];
  });
  return Promise.all(
    lists.map(async ({ family, operation }) => ({ family, operation: await settledDates(context, operation) })),
  );
}

/**
 * Reads what any sync of these families reads, then the period's other windows. `from`: when the oldest of it was read,
 * unix seconds. `unread`: families that the key may not read or the service lacks, each with the reason.
 */
async function firstPass(sync: MirrorSync, lists: readonly FamilyOperation[], asked: AgreementAsked, begun: number) {
  const unread = new Map<string, string>();
  let requests = 0;
  const { freshSince } = asked;
  for (const [at, list] of (freshSince === undefined ? lists : []).entries()) {
    const { name } = list.family;
    try {
      requests += (await sync.read(list, { at, of: lists.length })).requests;
    } catch (error) {
      if (!isOfOneList(error)) throw error;
      unread.set(name, `${name} was not read again: ${error.message}`);
    }
  }
  const readable = lists.filter(({ family }) => !unread.has(family.name));
  const found = freshSince === undefined ? await sync.again(readable) : undefined;
  for (const changes of found?.values() ?? []) requests += changes.requests;
  const windows = windowsOf(sync.database, readable, rowsOf(sync.database, asked), asked);
  const readAt = sync.database.prepare('SELECT read_at FROM _windows WHERE family = ? AND start = ?');
  let from = begun;
  const left = [...windows].map(([list, starts]): [FamilyOperation, ReadonlySet<number>] => [
    list,
    new Set(
      [...starts].filter((start) => {
        const at = Number(readAt.get(list.family.name, start)?.[0] ?? begun);
        const isStale = at < (freshSince ?? begun);
        if (!isStale) from = Math.min(from, at);
        return isStale;
      }),
    ),
  ]);
  const least = pagesIn(sync.database, new Map(left)) + pagesIn(sync.database, windows);
  if (freshSince !== undefined) await asked.mayRead(least);
  const outcome = await sync.pass(new Map(left), () => undefined);
  return { from, requests: requests + outcome.requests, unproven: [...unread.values(), ...outcome.unproven], unread };
}

/** How many pages the windows of some lists have. */
function pagesIn(database: Database, windows: ReadonlyMap<FamilyOperation, ReadonlySet<number>>): number {
  const items = database.prepare('SELECT items FROM _windows WHERE family = ? AND start = ?');
  const pagesOf = (family: string, start: number): number =>
    Math.max(1, Math.ceil(Number(items.get(family, start)?.[0] ?? 0) / MOST_A_PAGE));
  return [...windows].reduce(
    (sum, [{ family }, starts]) => [...starts].reduce((pages, start) => pages + pagesOf(family.name, start), sum),
    0,
  );
}

/** HTTP status of a list that the service does not serve (service.md#errors). */
const NOT_SERVED = 405;

/** Whether an error concerns only its own list. */
function isOfOneList(error: unknown): error is CopsError {
  if (!(error instanceof CopsError)) return false;
  return error.kind === 'not_authorised' || error.kind === 'not_found' || error.facts.httpStatus === NOT_SERVED;
}

/** `own`: rows that were created in the period, or count in it. `named`: rows that these name. */
type PeriodRows = ReturnType<typeof rowsOf>;

function rowsOf(database: Database, { families, period, counted }: AgreementAsked) {
  const others = counted(database);
  const own = new Set<string>(others);
  const named = new Set<string>();
  const keep = (id: unknown, json: unknown): void => {
    own.add(String(id));
    for (const other of idsIn(String(json))) named.add(other);
  };
  for (const family of families) {
    const table = sqlName(rawName(family));
    const created = database.prepare(
      `SELECT id, _json FROM ${table} WHERE _window = ? AND _json ->> '$.created_date_unix' >= ? AND _json ->> '$.created_date_unix' < ?`,
    );
    const { begins, ends } = period;
    for (const window of windowsIn(database, family, period))
      for (const [id, json] of created.all(window, begins, ends)) keep(id, json);
    const one = database.prepare(`SELECT id, _json FROM ${table} WHERE id = ?`);
    for (const id of others) for (const [found, json] of one.all(id)) keep(found, json);
  }
  return { own, named };
}

/** Starts of a list's windows that overlap a period. */
function windowsIn(database: Database, family: string, { begins, ends }: AgreementAsked['period']): number[] {
  const sql = 'SELECT start FROM _windows WHERE family = ? AND start < ? AND (until IS NULL OR until >= ?)';
  const known = textsOf(database, sql, family, ends, begins).map(Number);
  // Items after the newest window are stored under the start of a window that is not read yet.
  const fresh = `SELECT DISTINCT _window FROM ${sqlName(rawName(family))} WHERE _window >= ? AND _window < ?`;
  return [...new Set([...known, ...textsOf(database, fresh, begins, ends).map(Number)])];
}

/** For each list the windows that hold rows of the period, rows they name, or rows that name them. */
function windowsOf(
  database: Database,
  lists: readonly FamilyOperation[],
  rows: PeriodRows,
  { period }: AgreementAsked,
): Map<FamilyOperation, ReadonlySet<number>> {
  return new Map(lists.map((list) => [list, windowsOfRows(database, list.family.name, rows, period)]));
}

function windowsOfRows(
  database: Database,
  family: string,
  { own, named }: PeriodRows,
  period: AgreementAsked['period'],
): ReadonlySet<number> {
  const table = sqlName(rawName(family));
  const wanted = new Set<number>(windowsIn(database, family, period));
  const where = database.prepare(`SELECT _window FROM ${table} WHERE id = ?`);
  for (const id of [...own, ...named]) for (const [window] of where.all(id)) wanted.add(Number(window));
  // A row is never older than the rows it names.
  for (const start of windowsIn(database, family, { begins: period.begins, ends: Number.MAX_SAFE_INTEGER })) {
    if (wanted.has(start)) continue;
    const texts = textsOf(database, `SELECT _json FROM ${table} WHERE _window = ?`, start);
    if (texts.some((text) => [...idsIn(text)].some((id) => own.has(id)))) wanted.add(start);
  }
  return wanted;
}
