import type { Cell, Database, Statement } from '../../base/database/types.js';
import { ChangeTotals } from '../store/counts.js';
import { facetRoots, facetText } from '../store/facets.js';
import { toOpenText, toText, type Value } from '../store/item-values.js';
import { searchWords } from '../store/search-words.js';

/** How many shared halves are remembered: items follow soon after theirs. */
const PARTS_KEPT = 64;

/** Inserts rows into a table, many per statement, which costs a fraction of single inserts. */
class Rows {
  readonly #cells: Cell[] = [];
  readonly #full: number;
  #write: Statement | undefined;

  /** @param columns the table with its column names */
  constructor(
    private readonly database: Database,
    private readonly into: string,
    private readonly columns: number,
    private readonly batch: number,
  ) {
    this.#full = columns * batch;
  }

  add(...cells: Cell[]): void {
    this.#cells.push(...cells);
    if (this.#cells.length < this.#full) return;
    this.#write ??= this.#writing(this.batch);
    this.#write.runAll(this.#cells);
    this.#cells.length = 0;
  }

  /** Writes the rows still waiting. */
  flush(): void {
    const rows = this.#cells.length / this.columns;
    if (rows > 0) this.#writing(rows).runAll(this.#cells);
    this.#cells.length = 0;
  }

  #writing(rows: number): Statement {
    const row = `(${Array(this.columns).fill('?').join(', ')})`;
    return this.database.prepare(`INSERT INTO ${this.into} VALUES ${Array(rows).fill(row).join(', ')}`);
  }
}

/** Writes seeded items fast: indexes are built later, counts are kept in memory and written at the end. */
export class SeedWriter {
  readonly #codes: ReadonlyMap<string, number>;
  readonly #sums = new ChangeTotals();
  readonly #facets = new Map<string, number>();
  readonly #roots = new Map<string, readonly string[]>();
  readonly #partValues = new Map<number, { value: Value; facets: Map<string, number | null> }>();
  readonly #items: Rows;
  readonly #words: Rows;
  readonly #partRows: Rows;
  readonly #due: Rows;
  #parts = 0;
  /** Rows written so far. */
  rows = 0;

  /** @param families all families, in the order of their numbers. */
  constructor(
    private readonly database: Database,
    families: readonly string[],
  ) {
    this.#codes = new Map(families.map((name, index) => [name, index + 1]));
    this.#items = new Rows(database, 'items (kind, created, id, customer, part, facet, body)', 7, 20);
    this.#words = new Rows(database, 'words (kind, word, seq)', 3, 100);
    this.#partRows = new Rows(database, 'parts (id, text)', 2, 20);
    this.#due = new Rows(database, 'due (at, task, id)', 3, 50);
  }

  /** Adds an item. With `part`, `value` is only its own half and the part's text is the shared half. */
  add(
    family: string,
    live: boolean | null,
    value: Value,
    filing: { id?: string | undefined; customer?: string; part?: number } = {},
  ): void {
    const kind = this.#kind(family, live);
    const created = (value.created_date_unix as number | undefined) ?? 0;
    const facet = this.#facet(family, kind, value, filing.part);
    const id = filing.id ?? (value.id as string);
    const body = filing.part === undefined ? toText(value) : toOpenText(value);
    this.#items.add(kind, created, id, filing.customer ?? null, filing.part ?? null, facet, body);
    this.#sums.add({ kind, from: null, to: facet, created, by: 1, isChange: false });
    this.rows++;
    for (const word of searchWords(family, value)) this.#words.add(kind, word, this.rows);
  }

  /** The number of the facet of an item, from both of its halves. */
  #facet(family: string, kind: number, own: Value, part: number | undefined): number | null {
    const half = part === undefined ? undefined : this.#partValues.get(part);
    let roots = this.#roots.get(family);
    if (!roots) {
      roots = facetRoots(family);
      this.#roots.set(family, roots);
    }
    if (roots.length === 0) return null;
    const mine = half ? roots.filter((name) => name in own) : [];
    const key = mine.length === 0 ? String(kind) : `${kind} ${JSON.stringify(mine.map((name) => own[name]))} ${mine}`;
    let facet = half?.facets.get(key);
    if (facet === undefined) {
      const text = facetText(family, half ? rootsOf(roots, half.value, own) : own) as string;
      facet = this.#facets.get(`${kind} ${text}`);
      if (facet === undefined) {
        facet = this.#facets.size + 1;
        this.#facets.set(`${kind} ${text}`, facet);
        this.database.prepare('INSERT INTO facets (id, kind, text) VALUES (?, ?, ?)').run(facet, kind, text);
      }
      half?.facets.set(key, facet);
    }
    return facet;
  }

  /** Stores the half that many items share and returns its number. */
  part(value: Value): number {
    this.#parts++;
    this.#partRows.add(this.#parts, `,${toText(value).slice(1)}`);
    this.#partValues.set(this.#parts, { value, facets: new Map() });
    this.#partValues.delete(this.#parts - PARTS_KEPT);
    return this.#parts;
  }

  schedule(task: string, id: string, at: number): void {
    this.#due.add(at, task, id);
  }

  /** Writes the counts; nothing may be added afterwards. */
  finish(): void {
    for (const rows of [this.#items, this.#words, this.#partRows, this.#due]) rows.flush();
    const counts = new Rows(this.database, 'counts (kind, level, bucket, n)', 4, 100);
    for (const [kind, level, bucket, n] of this.#sums.counts()) counts.add(kind, level, bucket, n);
    counts.flush();
    const facets = new Rows(this.database, 'facet_counts (facet, day, n)', 3, 100);
    for (const [facet, day, n] of this.#sums.facets()) facets.add(facet, day, n);
    facets.flush();
  }

  #kind(family: string, live: boolean | null): number {
    const code = this.#codes.get(family);
    if (code === undefined) throw new RangeError(`there is no family ${family}`);
    return code * 4 + (live === null ? 2 : live ? 1 : 0);
  }
}

/** The named properties, from both halves of an item. */
function rootsOf(names: readonly string[], half: Value, own: Value): Value {
  return Object.fromEntries(names.map((name) => [name, name in own ? own[name] : half[name]]));
}
