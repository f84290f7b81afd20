import type { Database } from '../../base/database/types.js';
import { type Counts, type CountWindow, EVER, Stretch, type Tally } from './counts.js';
import { type Facets, FacetTally } from './facets.js';
import type { Value } from './item-values.js';
import type { FilterCondition } from './list-filters.js';
import { cached } from './remember.js';

/** Items of a page as the inside of a JSON array, in UTF-8. */
export interface PageBytes {
  readonly count: number;
  readonly bytes: Uint8Array;
}

const NOTHING = new Uint8Array();
/** How many bytes of pages are cached; pages of 25 renewals are 57 kB each. */
const MOST_BYTES = 32_000_000;
const TEXT = "SELECT i.body || coalesce(p.text, '') FROM items i LEFT JOIN parts p ON p.id = i.part WHERE i.seq = ?";

/** The dependencies of reading pages. */
interface Sources {
  readonly database: Database;
  readonly counts: Counts;
  readonly facets: Facets;
  /** The number of a family and a mode. */
  readonly kind: (family: string, live: boolean | null) => number;
}

/** Reads lists page by page. Totals and positions come from stored counts, whatever the size of the list. */
export class Pages {
  readonly #stretches = new Map<string, Stretch>();
  /** Pages already read, by request and version of the family, oldest first. */
  readonly #read = new Map<string, PageBytes>();
  #bytes = 0;

  constructor(private readonly from: Sources) {}

  /** Discards cached data, because the data was recreated. */
  forget(): void {
    this.#stretches.clear();
    this.#read.clear();
    this.#bytes = 0;
  }

  /** The number of items of a family that meet conditions kept as facets. */
  countOf(family: string, live: boolean | null, conditions: readonly FilterCondition[]): number {
    return this.#facets(family, this.from.kind(family, live), conditions).total();
  }

  #facets(family: string, kind: number, conditions: readonly FilterCondition[]): FacetTally {
    this.from.counts.flush();
    return new FacetTally(this.from.database, kind, this.from.facets.matching(family, kind, conditions));
  }

  /** One page of the items of a family that meet conditions, newest first, with their number in the window. */
  filtered(
    family: string,
    live: boolean | null,
    conditions: readonly FilterCondition[],
    reading: { window: CountWindow | undefined; offset: number; limit: number },
  ): { seqs: number[]; total: number } {
    const kind = this.from.kind(family, live);
    const tally = this.#facets(family, kind, conditions);
    const stretch = this.#stretch(`${kind} ${tally.list}`, kind, tally, reading.window);
    const { total } = stretch;
    if (reading.offset >= total) return { seqs: [], total };
    const place = stretch.place(reading.offset);
    const rows = this.from.database
      .prepare(
        `SELECT seq FROM items INDEXED BY items_order
         WHERE kind = ? AND created BETWEEN ? AND ? AND facet IN (SELECT value FROM json_each(?))
         ORDER BY created DESC, seq DESC LIMIT ? OFFSET ?`,
      )
      .all(kind, reading.window?.start ?? 0, place.end, tally.list, reading.limit, place.offset);
    return { seqs: rows.map(([seq]) => seq as number), total };
  }

  /** The stored texts of these rows, in this order, joined as the inside of a JSON array. */
  texts(seqs: readonly number[]): string {
    const read = this.from.database.prepare(TEXT);
    return seqs.map((seq) => read.get(seq)?.[0]).join(',');
  }

  /**
   * One page, newest first, as the inside of a JSON array. Stored counts give its position, so the last page of a
   * million costs as much as the first.
   */
  page(kind: number, window: CountWindow | undefined, offset: number, limit: number): PageBytes {
    const key = `${kind} ${this.from.counts.version(kind)} ${window?.start} ${window?.end} ${offset} ${limit}`;
    const known = this.#read.get(key);
    if (known) return known;
    const page = this.#page(kind, window, offset, limit);
    this.#read.set(key, page);
    this.#bytes += page.bytes.length;
    for (const [oldest, { bytes }] of this.#read) {
      if (this.#bytes <= MOST_BYTES) break;
      this.#read.delete(oldest);
      this.#bytes -= bytes.length;
    }
    return page;
  }

  #page(kind: number, window: CountWindow | undefined, offset: number, limit: number): PageBytes {
    const { start, end } = window ?? EVER;
    const place = offset === 0 ? { end, offset } : this.stretch(kind, window).place(offset);
    const row = this.from.database
      .prepare(
        // Skipped rows are only counted in the index; the rows of the page alone are read.
        `SELECT count(*), CAST(group_concat(text, ',') AS BLOB) FROM (
           SELECT i.body || coalesce(p.text, '') AS text FROM (
             SELECT seq FROM items WHERE kind = ? AND created BETWEEN ? AND ?
             ORDER BY created DESC, seq DESC LIMIT ? OFFSET ?
           ) s CROSS JOIN items i ON i.seq = s.seq LEFT JOIN parts p ON p.id = i.part)`,
      )
      .get(kind, start, place.end, limit, place.offset);
    return { count: row?.[0] as number, bytes: (row?.[1] ?? NOTHING) as unknown as Uint8Array };
  }

  /** Stored items of a kind, newest first. */
  items(kind: number, offset: number, limit: number): Value[] {
    const { bytes } = this.page(kind, undefined, offset, limit);
    return JSON.parse(`[${Buffer.from(bytes).toString('utf8')}]`) as Value[];
  }

  /** The counts of a window, cached between the pages of one reading; read again when the kind has changed. */
  stretch(kind: number, window: CountWindow | undefined): Stretch {
    return this.#stretch(String(kind), kind, this.from.counts.tally(kind), window);
  }

  #stretch(what: string, kind: number, tally: Tally, window: CountWindow | undefined): Stretch {
    const { start, end } = window ?? EVER;
    const key = `${what} ${this.from.counts.version(kind)} ${start} ${end}`;
    return cached(this.#stretches, 64, key, () => new Stretch(tally, start, end));
  }
}
