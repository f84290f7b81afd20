import type { Database } from '../database/types.js';
import { DAY, HOUR } from '../time/units.js';

/**
 * How many items of a kind there are: in all, a day and an hour. Kept with every change, so that the total of
 * a window and the place of a page never need a scan.
 */
export class Counts {
  constructor(private readonly database: Database) {}

  /** Counts `by` items more (or fewer) at a moment, unix seconds. */
  add(kind: number, created: number, by: number): void {
    this.database
      .prepare(
        `INSERT INTO counts (kind, level, bucket, n) VALUES (?1, 0, 0, ?2), (?1, 1, ?3, ?2), (?1, 2, ?4, ?2), (?1, 3, 0, 1)
         ON CONFLICT DO UPDATE SET n = n + excluded.n`,
      )
      .run(kind, by, Math.floor(created / DAY), Math.floor(created / HOUR));
  }

  /** Notes that a kind has changed, for what is remembered about it elsewhere. */
  touch(kind: number): void {
    this.database
      .prepare('INSERT INTO counts (kind, level, bucket, n) VALUES (?, 3, 0, 1) ON CONFLICT DO UPDATE SET n = n + 1')
      .run(kind);
  }

  /** How often a kind has changed, in this process or another one; a reset goes on counting (`layTables`). */
  version(kind: number): number {
    const row = this.database.prepare('SELECT n FROM counts WHERE kind = ? AND level = 3 AND bucket = 0').get(kind);
    return (row?.[0] as number | undefined) ?? 0;
  }

  total(kind: number): number {
    return this.#sum(kind, 0, 0, 0);
  }

  /** Items of a kind created from `start` to `end`, unix seconds, both within. */
  within(kind: number, start: number, end: number): number {
    if (end < start) return 0;
    let total = 0;
    for (const piece of pieces(start, end)) {
      total +=
        piece.level === 3
          ? (this.database
              .prepare('SELECT count(*) FROM items WHERE kind = ? AND created BETWEEN ? AND ?')
              .get(kind, piece.from, piece.to)?.[0] as number)
          : this.#sum(kind, piece.level, piece.from, piece.to);
    }
    return total;
  }

  /** The buckets of a level that hold anything, newest first. */
  buckets(kind: number, level: 1 | 2, from: number, to: number): [bucket: number, n: number][] {
    return this.database
      .prepare(
        'SELECT bucket, n FROM counts WHERE kind = ? AND level = ? AND bucket BETWEEN ? AND ? ORDER BY bucket DESC',
      )
      .all(kind, level, from, to) as [number, number][];
  }

  #sum(kind: number, level: number, from: number, to: number): number {
    return (
      (this.database
        .prepare('SELECT sum(n) FROM counts WHERE kind = ? AND level = ? AND bucket BETWEEN ? AND ?')
        .get(kind, level, from, to)?.[0] as number | null) ?? 0
    );
  }
}

/** The counts of one window as they were read: its total, and where a page begins. */
export class Stretch {
  #total: number | undefined;
  #days: Skip[] | undefined;
  readonly #hours = new Map<number, Skip[]>();

  constructor(
    private readonly counts: Counts,
    private readonly kind: number,
    /** Unix seconds, both ends within. */
    private readonly start: number,
    private readonly end: number,
  ) {}

  get total(): number {
    this.#total ??=
      this.end >= Number.MAX_SAFE_INTEGER && this.start <= 0
        ? this.counts.total(this.kind)
        : this.counts.within(this.kind, this.start, this.end);
    return this.#total;
  }

  /**
   * Where to start reading so that `offset` items, newest first, lie before: the end of the stretch to read, and
   * how many of it are still to be skipped (less than an hour's worth).
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

  /** The buckets of a stretch, newest first, each with how many items lie before it; the newest may be cut. */
  #skips(level: 1 | 2, size: number, start: number, end: number): Skip[] {
    const skips: Skip[] = [];
    let before = 0;
    for (const [bucket, n] of this.counts.buckets(this.kind, level, Math.floor(start / size), Math.floor(end / size))) {
      const from = bucket * size;
      const to = Math.min(from + size - 1, end);
      const own = to < from + size - 1 ? this.counts.within(this.kind, from, to) : n;
      skips.push({ from, to, before, own });
      before += own;
    }
    return skips;
  }
}

interface Skip {
  readonly from: number;
  readonly to: number;
  /** Newer items of the stretch. */
  readonly before: number;
  readonly own: number;
}

/** The bucket in which the item after `offset` others lies. */
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

/** Cuts a stretch of seconds into whole days, whole hours and the seconds that are left at both ends. */
function* pieces(start: number, end: number): Generator<{ level: 1 | 2 | 3; from: number; to: number }> {
  const firstHour = Math.ceil(start / HOUR);
  const lastHour = Math.floor((end + 1) / HOUR);
  if (firstHour > lastHour) {
    yield { level: 3, from: start, to: end };
    return;
  }
  if (firstHour * HOUR > start) yield { level: 3, from: start, to: firstHour * HOUR - 1 };
  if (lastHour * HOUR <= end) yield { level: 3, from: lastHour * HOUR, to: end };
  const firstDay = Math.ceil(firstHour / 24);
  const lastDay = Math.floor(lastHour / 24);
  if (firstDay > lastDay) {
    if (firstHour < lastHour) yield { level: 2, from: firstHour, to: lastHour - 1 };
    return;
  }
  if (firstHour < firstDay * 24) yield { level: 2, from: firstHour, to: firstDay * 24 - 1 };
  if (firstDay < lastDay) yield { level: 1, from: firstDay, to: lastDay - 1 };
  if (lastDay * 24 < lastHour) yield { level: 2, from: lastDay * 24, to: lastHour - 1 };
}
