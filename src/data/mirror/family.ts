import type { Database } from '../../base/database/types.js';
import { inParallel } from '../../base/in-parallel.js';
import type { Note } from '../../base/text/command-line.js';
import type { TimeRange } from '../../base/time/range.js';
import { DAY } from '../../base/time/units.js';
import { LARGEST_PAGE } from '../../catalogue/terms.js';
import type { Family, List } from '../../catalogue/types.js';
import { type FetchPage, type PageItem, SETTLED_S } from '../../service/lists/growing-lists.js';
import { newReport, readList } from '../../service/lists/read-list.js';
import {
  Edges,
  endLeftOut,
  endsDoubt,
  fixedWindows,
  movedBack,
  type RangeEnds,
  requestedRange,
} from '../../service/lists/windows.js';
import { dueWindows, newestEnd, readWindows, type Stale, spanFor, staleWithin, WHOLE } from './due-windows.js';
import { SeenRows } from './event-rows.js';
import { firstLookOf, gridOf, NAMED, rawName, sqlName } from './layout.js';
import { writeFact } from './mirror.js';
import { type NewRow, RawTable, type RowTap, type StoredRow } from './mirror-table.js';
import { gridIn } from './reach.js';
import { isSameItem } from './row.js';
import { MIRROR_VIEWS } from './views.js';

/** Windows read in parallel; each holds its items in memory until they are compared. */
const WINDOWS_AT_ONCE = 4;
/** Longest window of a list that does not specify one, days (service.md#limits). */
const LONGEST_DAYS = 90;

/** A second store that gets every write to a mirror before it is committed: the team's mirror. */
export interface Following {
  /**
   * Runs writes to rows of a family, and commits them once they have arrived in the second store too. Between two steps
   * it sends what there is so far.
   */
  keep(family: Family, write: () => Iterable<void>): Promise<void>;
  readonly tap: (family: Family) => RowTap;
  gone(id: string): void;
  past(row: PastRow): void;
  window(start: number): void;
}

/** A state that an item no longer has. */
export interface PastRow {
  readonly id: string;
  readonly seenAt: number;
  readonly until: number;
  readonly isGone: boolean;
  readonly json: string;
}

/** One list to bring up to date. */
export interface FamilyJob {
  readonly follower?: Following | undefined;
  readonly database: Database;
  readonly family: Family;
  readonly list: List;
  readonly fetch: FetchPage;
  /** The service's time, unix seconds. */
  readonly now: number;
  /** The start of a list that was never read, unix seconds. */
  readonly from: number;
  /** Which ends of a range the service includes, as far as the profile knows. */
  readonly rangeEnds: RangeEnds;
  /** Reads all windows again. */
  readonly full: boolean;
  /** Reads only these windows, because a newer row names rows in them. */
  readonly only?: ReadonlySet<number> | undefined;
  /** Reads only the windows of these periods, and only if they were read before `oldest`; unix seconds. */
  readonly within?: Stale | undefined;
  /** Also reads the items after the newest window. */
  readonly tail?: boolean | undefined;
  /** Also collects the ids in new and changed rows, if there are rows that were read before. */
  readonly follows?: boolean | undefined;
  /**
   * Called for each page and window that arrives, with the number of due windows, whether it is a window, and its
   * items.
   */
  readonly took?: ((due: number, isWindow: boolean, items: number) => void) | undefined;
  /** Called for each changed row, with its old and new text. */
  readonly changed?: ((id: string, ...texts: readonly string[]) => void) | undefined;
  /** How far to look past our own clock: the service's may be ahead by this, unix seconds. */
  readonly until: () => number;
  /** Parallel requests. */
  readonly concurrency: number;
}

/** The result of a sync for one family. */
export interface FamilyOutcome extends Readonly<Tally> {
  readonly items: number;
  /** The earliest reading of any row, unix seconds: every row was seen since then. */
  readonly seenSince: number | undefined;
}

interface Tally {
  /** Set if the windows show that the service excludes an end of a range: says what may be missing. */
  endDoubt?: Note | undefined;
  added: number;
  changed: number;
  gone: number;
  requests: number;
  /** What could not be proven complete. */
  readonly unproven: string[];
  /** Ids in new or changed rows, if they are followed: what they name may have changed too. */
  readonly named: Set<string>;
}

/** A window that has been read. */
interface WindowItems {
  readonly start: number;
  readonly until: number | null;
  /** Whether its end moves with time: later items are stored under its start until a reading reaches them. */
  readonly isGrowing: boolean;
  /** Whether the service includes the start of a range. */
  readonly hasStart: boolean;
  readonly items: ReadonlyMap<string, PageItem>;
  readonly unproven: readonly string[];
}

/** The most items to collect: each commit rewrites all parts of the indexes that it touches. */
const MOST_UNWRITTEN = 4000;

/** Windows that have been read, to be written together, each with its rows or not at all. */
class Unwritten {
  #windows: WindowItems[] = [];
  #items = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(
    readonly job: FamilyJob,
    readonly table: RawTable,
    readonly tally: Tally,
  ) {}

  async add(window: WindowItems): Promise<void> {
    this.tally.unproven.push(...window.unproven);
    this.#windows.push(window);
    this.#items += window.items.size;
    if (this.#items >= MOST_UNWRITTEN) await this.write();
  }

  /** Runs one at a time: the state that a window is compared with must be stored first. The last one ends the list. */
  write(ends?: () => Iterable<void>): Promise<void> {
    this.#last = this.#last.then(() => this.#write(ends));
    return this.#last;
  }

  #write(ends?: () => Iterable<void>): Promise<void> {
    const windows = this.#windows;
    this.#windows = [];
    this.#items = 0;
    const { job, table, tally } = this;
    return keep(job, function* () {
      const waiting = new Map<string, Change & { readonly window: number }>();
      const applyAll = function* () {
        const changes = [...waiting.values()];
        waiting.clear();
        table.expect(changes.map(({ after }) => after));
        yield* apply(job, table, changes, ({ window }) => window, tally);
      };
      for (const window of windows) {
        const ids = [...window.items.keys()];
        // What it is compared with must be stored first.
        if (waiting.size > 0 && ids.some((id) => waiting.has(id))) yield* applyAll();
        for (const change of compare(table, window)) waiting.set(change.id, { ...change, window: window.start });
        table.adopt(ids, window.start);
      }
      yield* applyAll();
      noteWindows(job, windows);
      if (!ends) return;
      table.layIndexes();
      yield* ends();
    });
  }
}

/** Writes in a transaction, which commits once everything is stored everywhere it belongs. */
async function keep({ database, family, follower }: FamilyJob, write: () => Iterable<void>): Promise<void> {
  if (follower) await follower.keep(family, write);
  else database.transaction(() => Array.from(write()));
}

/**
 * Brings a family's table up to date: reads the due windows, and keeps the former state in `_history` if an item has
 * changed or is no longer listed. A window that is not proven complete removes nothing.
 */
export async function syncFamily(job: FamilyJob): Promise<FamilyOutcome> {
  const tally: Tally = { added: 0, changed: 0, gone: 0, requests: 0, unproven: [], named: new Set() };
  const fetch: FetchPage = (query, signal) => {
    tally.requests++;
    return job.fetch(query, signal);
  };
  const table = job.database.transaction(() => tableOf(job));
  const plan = await planOf({ ...job, fetch }, table);
  job.database.transaction(() => table.holdIndexes());
  const unwritten = new Unwritten(job, table, tally);
  const seams: Edges[] = [];
  try {
    await inParallel(plan.due, WINDOWS_AT_ONCE, async (window) => {
      const { items, unproven, edges } = await readWindow({ ...job, fetch }, window, plan.due.length);
      if (edges) seams.push(edges);
      job.took?.(plan.due.length, true, 0);
      const isGrowing = window !== undefined && plan.span !== null && window.to < window.from + plan.span * DAY;
      await unwritten.add({
        ...{ start: window?.from ?? WHOLE, until: window?.to ?? null, isGrowing, items, unproven },
        hasStart: job.rangeEnds === 'in' || job.rangeEnds === 'start',
      });
    });
  } catch (error) {
    // Rows read before a failure are not read again.
    await unwritten.write(() => []);
    throw error;
  }
  const leftOut = endLeftOut(seams);
  tally.endDoubt = leftOut && endsDoubt(leftOut);
  // Each transaction costs a team's mirror several round trips: what ends a list goes with its last rows.
  await unwritten.write(function* () {
    if (job.within) noteGrid(job, plan);
    else if (!job.only) {
      noteFamily(job, plan, tally);
      yield* dropNamed(job, table, tally);
    }
  });
  const isSome = job.only !== undefined || job.within !== undefined;
  if ((!isSome || job.tail || isUpToNow(job)) && plan.span !== null && !job.list.growsByReading)
    await readTail({ ...job, fetch }, plan, table, tally);
  const all = [...readWindows(job.database, job.family.name).values()];
  return {
    ...tally,
    items: table.count(),
    seenSince: all.length === 0 ? undefined : Math.min(...all.map(({ readAt }) => readAt)),
  };
}

function tableOf({ database, family, follower }: FamilyJob): RawTable {
  return new RawTable(database, family, MIRROR_VIEWS, follower?.tap(family));
}

/** How far one clock may lag behind the other, unnoticed, without losing anything; seconds. */
const SLOW_CLOCK = 3 * DAY;

/**
 * Reads the items after the end of the newest window, up to the service's own now and beyond: the writes of the last
 * seconds, and those that a slow clock dates later. This range still grows, so it is not a window and removes nothing.
 */
async function readTail(job: FamilyJob, { start, span }: Plan, table: RawTable, tally: Tally): Promise<void> {
  const longest = job.list.spanDays ?? LONGEST_DAYS;
  const from = newestEnd(job.now, readWindows(job.database, job.family.name)) - 1;
  const to = Math.max(from, job.until() + SLOW_CLOCK);
  for (const window of fixedWindows(from, longest, to)) {
    const { items } = await readWindow(job, window);
    if (items.size === 0) continue;
    await keep(job, function* () {
      const difference = listed(table, items);
      const windowFor = ({ after }: Change) => windowOf(after?.raw ?? '', start ?? from, span ?? longest, window.from);
      yield* apply(job, table, difference, windowFor, tally);
    });
  }
}

/** The start of the fixed window that an item belongs to, even if that window has not been read yet. */
function windowOf(json: string, start: number, span: number, otherwise: number): number {
  return fixedWindows(start, span, Math.max(start, createdAt(json) ?? otherwise)).at(-1)?.from ?? otherwise;
}

/** When an item was created, unix seconds; undefined if it does not show that. */
function createdAt(json: string): number | undefined {
  const { created_date_unix: created } = JSON.parse(json) as { created_date_unix?: unknown };
  return typeof created === 'number' || (typeof created === 'string' && created !== '') ? Number(created) : undefined;
}

type Plan = Awaited<ReturnType<typeof planOf>>;

async function planOf(job: FamilyJob, table: RawTable) {
  if (job.list.style !== 'windowed') return { start: null, span: null, due: [undefined] };
  const kept = gridIn(job.database, job.family.name);
  if (job.only && !kept) return { start: null, span: null, due: [] };
  const longest = job.list.spanDays ?? LONGEST_DAYS;
  const span = Math.min(kept?.span ?? (await spanOf(job, longest)), longest);
  const { from } = requestedRange({ from: job.from, to: job.now }, job.rangeEnds);
  const start = kept ? movedBack(kept.start, span, from) : from;
  const forgotten = job.list.keepsDays === undefined ? 0 : job.now - job.list.keepsDays * DAY;
  const known = readWindows(job.database, job.family.name);
  const windows = fixedWindows(start, span, newestEnd(job.now, known)).filter(({ to }) => to > forgotten);
  if (job.only) {
    // The newest ones end now, where the reading of even newer items starts.
    const due = windows.filter(({ from }) => job.only?.has(from) || (job.tail && !known.has(from)));
    return { start, span, due };
  }
  if (job.within) return { start, span, due: staleWithin(windows, known, job.within).reverse() };
  const due = dueWindows(windows, {
    now: job.now,
    known,
    open: table.openWindows(),
    always: job.family.nature === 'set-up',
    full: job.full,
  });
  // The most recent items are wanted first.
  return { start, span, due: due.reverse() };
}

/** Whether a period extends to now, so that the items after the newest window are wanted too. */
const isUpToNow = ({ within, now }: FamilyJob): boolean =>
  within?.periods.some(({ to }) => to >= now - SETTLED_S) === true;

/** Days per window for this list, from the contents of its newest window of the longest span. */
async function spanOf(job: FamilyJob, longest: number): Promise<number> {
  const range = { from: Math.max(0, job.now - longest * DAY), to: job.now };
  const { totalCount } = await job.fetch({ range, limit: 1, page: 1 });
  return spanFor(longest, totalCount ?? 0);
}

async function readWindow(
  { list, fetch, concurrency, took, rangeEnds }: FamilyJob,
  window: TimeRange | undefined,
  due = 1,
): Promise<{ items: Map<string, PageItem>; unproven: string[]; edges: Edges | undefined }> {
  const report = newReport();
  const edges = window && rangeEnds === 'in' ? new Edges(window) : undefined;
  const items = new Map<string, PageItem>();
  const nameless: string[] = [];
  const pages = readList(
    {
      windows: window && [window],
      paged: list.style !== 'single',
      pageSize: LARGEST_PAGE,
      lastPage: list.lastPage,
      ahead: Math.max(1, Math.floor(concurrency / WINDOWS_AT_ONCE)),
    },
    fetch,
    report,
  );
  for await (const page of pages) {
    took?.(due, false, page.items.length);
    for (const item of page.items) {
      if (item.id === undefined) nameless.push(item.raw);
      else {
        items.set(item.id, item);
        edges?.note(item.id, item.raw);
      }
    }
  }
  if (nameless.length > 0) report.unproven.push(`${nameless.length} rows have no id and are not stored.`);
  return { items, unproven: report.unproven, edges };
}

interface Change {
  readonly id: string;
  readonly before: StoredRow | undefined;
  /** The current item; undefined if it is no longer listed. */
  readonly after: PageItem | undefined;
}

/** Compares a window's items with the stored ones. Await nothing between this and `apply`. */
function compare(table: RawTable, window: WindowItems): Change[] {
  const { start, items, unproven } = window;
  const changes = listed(table, items);
  if (unproven.length > 0) return changes;
  for (const id of table.idsOf(start)) {
    if (items.has(id)) continue;
    const before = table.find(id);
    if (before && isInRange(before, window)) changes.push({ id, before, after: undefined });
  }
  return changes;
}

/** Items that are new or differ from the stored ones. */
function listed(table: RawTable, items: ReadonlyMap<string, PageItem>): Change[] {
  const stored = table.findAll([...items.keys()]);
  return [...items].flatMap(([id, after]) => {
    const before = stored.get(id);
    return before && isSameItem(before.json, after.raw) ? [] : [{ id, before, after }];
  });
}

/**
 * Whether a reading of a window would have shown a stored row. A reading that ends before the end of the newest window
 * cannot show a row read after it. If the service excludes the start of a range, only the previous window shows the
 * first second.
 */
function isInRange({ json, seenAt }: StoredRow, { start, until, isGrowing, hasStart }: WindowItems): boolean {
  const created = createdAt(json);
  return (hasStart || created !== start) && (!isGrowing || until === null || (created ?? seenAt) < until);
}

function* apply<C extends Change>(
  job: FamilyJob,
  table: RawTable,
  changes: readonly C[],
  windowFor: (change: C) => number,
  tally: Tally,
): Iterable<void> {
  const rows: NewRow[] = [];
  const seen = new SeenRows(job.database, job.family.name, job.now);
  for (const change of changes) {
    const { id, before, after } = change;
    if (job.changed) job.changed(id, before?.json ?? '', after?.raw ?? '');
    seen.keep(id, before, after);
    if (before) {
      const { seenAt, json } = before;
      job.follower?.past({ id, seenAt, until: job.now, isGone: after === undefined, json });
    }
    if (after === undefined) {
      table.remove(id);
      job.follower?.gone(id);
      tally.gone++;
      continue;
    }
    if (before) tally.changed++;
    else tally.added++;
    const bytes = after.bytes ?? Buffer.from(after.raw);
    rows.push({
      id,
      bytes,
      window: before && before.window !== NAMED ? before.window : windowFor(change),
      isNew: before === undefined,
    });
    if (!job.follows) continue;
    for (const named of idsIn(after.raw)) if (named !== id) tally.named.add(named);
  }
  yield* table.putInSteps(rows, job.now);
}

/** The ids in a JSON text. */
export function* idsIn(json: string): Generator<string> {
  for (const [, id = ''] of json.matchAll(/"([A-Za-z0-9]{20})"/g)) yield id;
}

/** The windows read before a moment that hold any of these items. */
export function staleWindows(
  database: Database,
  family: string,
  ids: readonly string[],
  before: number,
): ReadonlySet<number> {
  const found = new Set<number>();
  for (let at = 0; at < ids.length; at += IDS_AT_ONCE) {
    const some = ids.slice(at, at + IDS_AT_ONCE);
    const rows = database
      .prepare(
        `SELECT DISTINCT r._window FROM ${sqlName(rawName(family))} AS r JOIN _windows AS w ON w.family = ? AND w.start = r._window ` +
          `WHERE r.id IN (${some.map(() => '?').join(', ')}) AND w.read_at < ? AND w.until IS NOT NULL`,
      )
      .all(family, ...some, before);
    for (const [window] of rows) found.add(Number(window));
  }
  return found;
}

const IDS_AT_ONCE = 500;

/** Converts to a number that is stored as an integer. */
function whole(value: number | null): bigint | null {
  return value === null ? null : BigInt(value);
}

function noteWindows({ database, family, now, follower }: FamilyJob, windows: readonly WindowItems[]): void {
  const insert = database.prepare(
    'INSERT OR REPLACE INTO _windows (family, start, until, read_at, items, unproven) VALUES (?, ?, ?, ?, ?, ?)',
  );
  for (const { start, until, items, unproven } of windows) {
    insert.run(family.name, whole(start), whole(until), whole(now), whole(items.size), unproven[0] ?? null);
    follower?.window(start);
  }
}

/** Records the windows of a partly read list, so that the next reading uses the same ones. */
function noteGrid({ database, family }: FamilyJob, { start, span }: Plan): void {
  if (start !== null && span !== null) writeFact(database, gridOf(family.name), `${start} ${span}`);
}

/** Rows that were read because others name them, and that the whole list does not contain, are gone. */
function* dropNamed(job: FamilyJob, table: RawTable, tally: Tally): Iterable<void> {
  if (tally.unproven.length > 0) return;
  const gone = table.idsOf(NAMED).map((id): Change => ({ id, before: table.find(id), after: undefined }));
  yield* apply(job, table, gone, () => NAMED, tally);
}

/** Stores rows that were read one by one; their window takes them over once it is read. */
export function keepNamed(
  { database, family, now }: Pick<FamilyJob, 'database' | 'family' | 'now'>,
  items: ReadonlyMap<string, string>,
): void {
  database.transaction(() => {
    const table = new RawTable(database, family, MIRROR_VIEWS);
    table.putAll(
      [...items].map(([id, json]) => ({ id, bytes: Buffer.from(json), window: NAMED })),
      now,
    );
  });
}

function noteFamily({ database, family, now }: FamilyJob, { start, span }: Plan, tally: Tally): void {
  const why = tally.unproven[0] ?? tally.endDoubt?.toString() ?? null;
  const figures = [start, span, now, tally.added, tally.changed, tally.gone].map(whole);
  database
    .prepare(
      'INSERT INTO _families (family, state, why, start, span, read_at, runs, added, changed, gone) ' +
        'VALUES (?, ?, ?, ?, ?, ?, 1, ?, ?, ?) ON CONFLICT (family) DO UPDATE SET state = excluded.state, ' +
        'why = excluded.why, start = excluded.start, span = excluded.span, read_at = excluded.read_at, ' +
        'runs = runs + 1, added = excluded.added, changed = excluded.changed, gone = excluded.gone',
    )
    .run(family.name, tally.unproven.length === 0 ? 'synced' : 'unproven', why, ...figures);
  const looked = database.prepare('SELECT 1 FROM _families WHERE family = ? AND runs > 1').get(family.name);
  if (looked === undefined) writeFact(database, firstLookOf(family.name), now);
}
