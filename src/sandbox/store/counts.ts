import type { Database } from '../../base/database/types.js';
import { DAY, HOUR } from '../../base/time/units.js';

/**
 * The number of items of a kind: in total, per day and per hour. Updated with every change, so that neither the total
 * of a window nor the position of a page needs a scan.
 */
export class Counts {
  /** Changes that are not written yet, in order. */
  #waiting: Waiting[] = [];
  /** The number of those changes by kind. */
  readonly #pending = new Map<number, number>();
  #isHeld = false;
  /** The version of each kind when the transaction began. */
  readonly #versions = new Map<number, number>();

  constructor(private readonly database: Database) {}

  /** Counts `by` items more (or fewer) of a kind and a facet, created at a moment (unix seconds). */
  add(kind: number, facet: number | null, created: number, by: number): void {
    this.#note({ kind, from: null, to: facet, created, by, isChange: true });
  }

  /** Moves an item of a kind to another facet in the counts. */
  move(kind: number, from: number | null, to: number | null, created: number): void {
    this.#note({ kind, from, to, created, by: 0, isChange: false });
  }

  /** Records that a kind has changed, so that cached results about it become invalid. */
  touch(kind: number): void {
    this.#note({ kind, from: null, to: null, created: 0, by: 0, isChange: true });
  }

  #note(change: Waiting): void {
    this.#waiting.push(change);
    if (change.isChange) this.#pending.set(change.kind, (this.#pending.get(change.kind) ?? 0) + 1);
    if (!this.#isHeld) this.flush();
  }

  /** Starts collecting the changes of a transaction, which are written at its end or on demand. */
  hold(): void {
    this.#versions.clear();
    this.#isHeld = true;
  }

  /** Writes the collected changes and stops collecting. */
  release(): void {
    this.#isHeld = false;
    this.flush();
  }

  /** Writes the collected changes. */
  flush(): void {
    if (this.#waiting.length === 0) return;
    const sums = new ChangeTotals();
    for (const change of this.#waiting) sums.add(change);
    sums.write(this.database);
    this.#gatherAnew([]);
  }

  /** Discards the collected changes, because their transaction was undone. */
  drop(): void {
    this.#isHeld = false;
    this.#gatherAnew([]);
  }

  /** Saves the changes collected so far; the returned function restores them when a step is undone. */
  keep(): () => void {
    const copy = this.#waiting.slice();
    return () => this.#gatherAnew(copy);
  }

  #gatherAnew(waiting: Waiting[]): void {
    this.#waiting = waiting;
    this.#versions.clear();
    this.#pending.clear();
    for (const { kind, isChange } of waiting) if (isChange) this.#pending.set(kind, (this.#pending.get(kind) ?? 0) + 1);
  }

  /** How many times a kind has changed, in any process; a reset continues the number (`layTables`). */
  version(kind: number): number {
    let written = this.#isHeld ? this.#versions.get(kind) : undefined;
    if (written === undefined) {
      const row = this.database.prepare('SELECT n FROM counts WHERE kind = ? AND level = 3 AND bucket = 0').get(kind);
      written = (row?.[0] as number | undefined) ?? 0;
      this.#versions.set(kind, written);
    }
    return written + (this.#pending.get(kind) ?? 0);
  }

  total(kind: number): number {
    return this.#sum(kind, 0, 0, 0);
  }

  /** The counts of one kind. */
  tally(kind: number): Tally {
    return {
      total: () => this.total(kind),
      within: (start, end) => {
        let total = 0;
        for (const { level, from, to } of pieces(start, end))
          total += level ? this.#sum(kind, level, from, to) : this.#items(kind, from, to);
        return total;
      },
      buckets: (level, from, to) => {
        this.flush();
        const read = this.database.prepare(
          'SELECT bucket, n FROM counts WHERE kind = ? AND level = ? AND bucket BETWEEN ? AND ? ORDER BY bucket DESC',
        );
        return read.all(kind, level, from, to) as [number, number][];
      },
    };
  }

  #sum(kind: number, level: number, from: number, to: number): number {
    this.flush();
    const read = this.database.prepare(
      'SELECT sum(n) FROM counts WHERE kind = ? AND level = ? AND bucket BETWEEN ? AND ?',
    );
    return (read.get(kind, level, from, to)?.[0] as number | null) ?? 0;
  }

  #items(kind: number, from: number, to: number): number {
    const read = this.database.prepare('SELECT count(*) FROM items WHERE kind = ? AND created BETWEEN ? AND ?');
    return read.get(kind, from, to)?.[0] as number;
  }
}

/** One change that is not written yet. */
interface Waiting {
  readonly kind: number;
  /** The facets (`facets.ts`) that the item leaves and joins. */
  readonly from: number | null;
  readonly to: number | null;
  readonly created: number;
  /** The number of items added. */
  readonly by: number;
  /** Whether the content of the kind has changed. */
  readonly isChange: boolean;
}

type Buckets = Map<number, Map<number, number>>;

/** The sums of changes in buckets, by kind and by facet. */
export class ChangeTotals {
  /** Items by hour; days and totals are derived from these. */
  readonly #hours: Buckets = new Map();
  readonly #changes = new Map<number, number>();
  readonly #facets: Buckets = new Map();

  add({ kind, from, to, created, by, isChange }: Waiting): void {
    if (by !== 0) bump(bucketsOf(this.#hours, kind), Math.floor(created / HOUR), by);
    if (isChange) bump(this.#changes, kind, 1);
    if (from === null && to === null) return;
    const day = Math.floor(created / DAY);
    if (from !== null) bump(bucketsOf(this.#facets, from), day, -1);
    if (to !== null) bump(bucketsOf(this.#facets, to), day, by === 0 ? 1 : by);
  }

  /** What is counted of kinds, in the order of the table. */
  *counts(): Generator<[kind: number, level: number, bucket: number, n: number]> {
    for (const kind of sorted(new Set([...this.#hours.keys(), ...this.#changes.keys()]))) {
      const hours = this.#hours.get(kind);
      if (hours) yield* levels(kind, hours);
      const changes = this.#changes.get(kind);
      if (changes !== undefined) yield [kind, 3, 0, changes];
    }
  }

  /** What is counted of facets, in the order of the table. */
  *facets(): Generator<[facet: number, day: number, n: number]> {
    for (const facet of sorted(this.#facets.keys())) {
      const days = this.#facets.get(facet) as Map<number, number>;
      for (const day of sorted(days.keys())) yield [facet, day, days.get(day) as number];
    }
  }

  /** Adds the sums to the stored counts. */
  write(database: Database): void {
    const write = database.prepare(
      `INSERT INTO counts (kind, level, bucket, n)
       SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3 FROM json_each(?) WHERE true
       ON CONFLICT DO UPDATE SET n = n + excluded.n`,
    );
    if (this.#hours.size + this.#changes.size > 0) write.run(JSON.stringify([...this.counts()]));
    const writeFacet = database.prepare(
      `INSERT INTO facet_counts (facet, day, n)
       SELECT value ->> 0, value ->> 1, value ->> 2 FROM json_each(?) WHERE true
       ON CONFLICT DO UPDATE SET n = n + excluded.n`,
    );
    if (this.#facets.size > 0) writeFacet.run(JSON.stringify([...this.facets()]));
  }
}

/** The counts of one kind, derived from its hours: total (0), per day (1), per hour (2). */
function* levels(
  kind: number,
  hours: ReadonlyMap<number, number>,
): Generator<[kind: number, level: number, bucket: number, n: number]> {
  const days = new Map<number, number>();
  let total = 0;
  for (const [hour, n] of hours) {
    bump(days, Math.floor(hour / HOURS_A_DAY), n);
    total += n;
  }
  yield [kind, 0, 0, total];
  for (const day of sorted(days.keys())) yield [kind, 1, day, days.get(day) as number];
  for (const hour of sorted(hours.keys())) yield [kind, 2, hour, hours.get(hour) as number];
}

const HOURS_A_DAY = DAY / HOUR;

function sorted(numbers: Iterable<number>): Float64Array {
  return Float64Array.from(numbers).sort();
}

function bucketsOf(sums: Buckets, key: number): Map<number, number> {
  let buckets = sums.get(key);
  if (!buckets) {
    buckets = new Map();
    sums.set(key, buckets);
  }
  return buckets;
}

function bump(buckets: Map<number, number>, bucket: number, by: number): void {
  buckets.set(bucket, (buckets.get(bucket) ?? 0) + by);
}

/** A period, unix seconds, both ends included. */
export interface CountWindow {
  readonly start: number;
  readonly end: number;
}

/** All of time. */
export const EVER: CountWindow = { start: 0, end: Number.MAX_SAFE_INTEGER };

/** The number of items of some sort, by their creation time (unix seconds, both ends included). */
export interface Tally {
  total(): number;
  within(start: number, end: number): number;
  /** Non-empty days (level 1) or hours (level 2), newest first; empty for a level that is not kept. */
  buckets(level: 1 | 2, from: number, to: number): [bucket: number, n: number][];
}

/** Cached counts of one window: its total, and where each page begins. */
export class Stretch {
  #total: number | undefined;
  #days: Skip[] | undefined;
  readonly #hours = new Map<number, Skip[]>();

  constructor(
    private readonly tally: Tally,
    /** Unix seconds, both ends included. */
    private readonly start: number,
    private readonly end: number,
  ) {}

  get total(): number {
    this.#total ??=
      this.end >= Number.MAX_SAFE_INTEGER && this.start <= 0
        ? this.tally.total()
        : this.tally.within(this.start, this.end);
    return this.#total;
  }

  /**
   * Where to start reading to skip `offset` items, newest first: the end of the period to read, and how many items in
   * it are still to be skipped (less than an hour's worth, or a day's where hours are not kept).
   */
  place(offset: number): { end: number; offset: number } {
    this.#days ??= this.#skips(1, DAY, this.start, this.end);
    const day = find(this.#days, offset);
    if (!day) return { end: this.end, offset };
    let hours = this.#hours.get(day.from);
    if (!hours) {
      hours = this.#skips(2, HOUR, Math.max(day.from, this.start), day.to);
      this.#hours.set(day.from, hours);
    }
    const hour = find(hours, offset - day.before);
    if (!hour) return { end: day.to, offset: offset - day.before };
    return { end: hour.to, offset: offset - day.before - hour.before };
  }

  /** The buckets of a period, newest first, each with the number of items before it; the newest may be partial. */
  #skips(level: 1 | 2, size: number, start: number, end: number): Skip[] {
    const skips: Skip[] = [];
    let before = 0;
    for (const [bucket, n] of this.tally.buckets(level, Math.floor(start / size), Math.floor(end / size))) {
      const from = bucket * size;
      const to = Math.min(from + size - 1, end);
      const own = to < from + size - 1 ? this.tally.within(from, to) : n;
      skips.push({ from, to, before, own });
      before += own;
    }
    return skips;
  }
}

interface Skip {
  readonly from: number;
  readonly to: number;
  /** The number of newer items in the period. */
  readonly before: number;
  readonly own: number;
}

/** The bucket that contains the item after `offset` others. */
function find(skips: readonly Skip[], offset: number): Skip | undefined {
  let low = 0;
  let high = skips.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const skip = skips[middle] as Skip;
    if (skip.before + skip.own > offset) high = middle;
    else low = middle + 1;
  }
  return skips[low];
}

/** The length of a day bucket and of an hour bucket, seconds. */
const SIZES = { 1: DAY, 2: HOUR } as const;

/** Cuts a period into whole buckets of these levels, the largest first, and the remaining seconds at both ends. */
export function* pieces(
  start: number,
  end: number,
  levels: readonly (1 | 2)[] = [1, 2],
): Generator<{ level: 1 | 2 | undefined; from: number; to: number }> {
  if (end < start) return;
  const [level, ...smaller] = levels;
  if (!level) return yield { level, from: start, to: end };
  const size = SIZES[level];
  const first = Math.ceil(start / size);
  const after = Math.floor((end + 1) / size);
  if (first >= after) return yield* pieces(start, end, smaller);
  yield* pieces(start, first * size - 1, smaller);
  yield { level, from: first, to: after - 1 };
  yield* pieces(after * size, end, smaller);
}
