import type { Database } from './database.js';

const DAY = 86_400;
const HOUR = 3600;

/**
 * How many items of a kind there are: in all, a day and an hour. Kept with every change, so that the total of
 * a window and the place of a page never need a scan.
 */
export class Counts {
  constructor(private readonly database: Database) {}

  /** Counts `by` items more (or fewer) at a moment, unix seconds. */
  add(kind: number, created: number, by: number): void {
    const write = this.database.prepare(
      'INSERT INTO counts (kind, level, bucket, n) VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET n = n + excluded.n',
    );
    write.run(kind, 0, 0, by);
    write.run(kind, 1, Math.floor(created / DAY), by);
    write.run(kind, 2, Math.floor(created / HOUR), by);
    this.touch(kind);
  }

  /** Notes that a kind has changed, for what is remembered about it elsewhere. */
  touch(kind: number): void {
    this.database.prepare('INSERT INTO versions (kind, n) VALUES (?, 1) ON CONFLICT DO UPDATE SET n = n + 1').run(kind);
  }

  version(kind: number): number {
    return (this.database.prepare('SELECT n FROM versions WHERE kind = ?').get(kind)?.[0] as number | undefined) ?? 0;
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

  /**
   * Where to start reading so that `offset` items, newest first, lie before: the end of the stretch to read,
   * and how many of it are still to be skipped (less than an hour's worth).
   */
  place(kind: number, start: number, end: number, offset: number): { end: number; offset: number } {
    let left = offset;
    let top = end;
    if (left === 0) return { end, offset: 0 };
    for (const { level, size } of [
      { level: 1, size: DAY },
      { level: 2, size: HOUR },
    ]) {
      // The newest bucket may be cut by the end of the window: what lies above it is not ours to skip.
      const cut = Math.floor(top / size);
      const above = this.#after(kind, top, cut, level, size);
      const found = this.database
        .prepare(
          `SELECT bucket, upto - n FROM (
             SELECT bucket, n, sum(n) OVER (ORDER BY bucket DESC) AS upto
             FROM counts WHERE kind = ? AND level = ? AND bucket BETWEEN ? AND ?
           ) WHERE upto > ? ORDER BY bucket DESC LIMIT 1`,
        )
        .get(kind, level, Math.floor(start / size), cut, left + above);
      if (!found) return { end: top, offset: left };
      const bucket = found[0] as number;
      const before = found[1] as number;
      if (bucket < cut) {
        left -= before - above;
        top = bucket * size + size - 1;
      }
    }
    return { end: top, offset: left };
  }

  /** Items of the bucket in which `top` lies that are newer than `top`. */
  #after(kind: number, top: number, bucket: number, level: number, size: number): number {
    const last = bucket * size + size - 1;
    if (top >= last || top >= Number.MAX_SAFE_INTEGER) return 0;
    return this.#sum(kind, level, bucket, bucket) - this.within(kind, bucket * size, top);
  }

  #sum(kind: number, level: number, from: number, to: number): number {
    return (
      (this.database
        .prepare('SELECT sum(n) FROM counts WHERE kind = ? AND level = ? AND bucket BETWEEN ? AND ?')
        .get(kind, level, from, to)?.[0] as number | null) ?? 0
    );
  }
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
