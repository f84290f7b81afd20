import type { Cell, Database } from '../../base/database/types.js';
import { Sums } from '../store/counts.js';
import { facetRoots, facetText } from '../store/facets.js';
import { toText, type Value } from '../store/text.js';
import { wordsOf } from '../store/words.js';

const BATCH = 50;
const COLUMNS = 7;
const WORDS_AT_ONCE = 100;
/** So many shared halves are remembered: items follow soon upon theirs. */
const PARTS_KEPT = 64;

/** Puts seeded items into the tables fast: no index yet, counts gathered here and written at the end. */
export class SeedWriter {
  readonly #codes: ReadonlyMap<string, number>;
  readonly #sums = new Sums();
  readonly #facets = new Map<string, number>();
  readonly #roots = new Map<string, readonly string[]>();
  readonly #partValues = new Map<number, { value: Value; facets: Map<string, number | null> }>();
  #words: Cell[] = [];
  #parts = 0;
  /** Values of the rows not written yet: many rows in one statement cost a fraction of one each. */
  #waiting: Cell[] = [];
  /** Rows written so far. */
  rows = 0;

  /** @param families every family there is, in the order of their numbers. */
  constructor(
    private readonly database: Database,
    families: readonly string[],
  ) {
    this.#codes = new Map(families.map((name, index) => [name, index + 1]));
  }

  /** Files an item. With `part`, `value` is only its own half and the shared half is the part's text. */
  add(
    family: string,
    live: boolean | null,
    value: Value,
    filing: { id?: string | undefined; customer?: string; part?: number } = {},
  ): void {
    const kind = this.#kind(family, live);
    const created = (value.created_date_unix as number | undefined) ?? 0;
    const text = toText(value);
    const facet = this.#facet(family, kind, value, filing.part);
    this.#waiting.push(
      kind,
      created,
      filing.id ?? (value.id as string),
      filing.customer ?? null,
      filing.part ?? null,
      facet,
      filing.part === undefined ? text : text.slice(0, -1),
    );
    if (this.#waiting.length === BATCH * COLUMNS) this.#write(BATCH);
    this.#sums.add({ kind, from: null, to: facet, created, by: 1, isChange: false });
    this.rows++;
    for (const word of wordsOf(family, value)) this.#words.push(kind, word, this.rows);
    if (this.#words.length >= WORDS_AT_ONCE * 3) this.#writeWords(WORDS_AT_ONCE);
  }

  /** The number of the facet that both halves of an item make. */
  #facet(family: string, kind: number, own: Value, part: number | undefined): number | null {
    const half = part === undefined ? undefined : this.#partValues.get(part);
    let roots = this.#roots.get(family);
    if (!roots) {
      roots = facetRoots(family);
      this.#roots.set(family, roots);
    }
    if (roots.length === 0) return null;
    const mine = half ? roots.filter((name) => name in own).map((name) => [name, own[name]]) : [];
    const key = half ? `${kind} ${mine.length === 0 ? '' : JSON.stringify(mine)}` : '';
    let facet = half?.facets.get(key);
    if (facet === undefined) {
      const text = facetText(family, half ? { ...half.value, ...own } : own) as string;
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

  /** Files the half that many items share and returns its number. */
  part(value: Value): number {
    this.#parts++;
    this.database.prepare('INSERT INTO parts (id, text) VALUES (?, ?)').run(this.#parts, `,${toText(value).slice(1)}`);
    this.#partValues.set(this.#parts, { value, facets: new Map() });
    this.#partValues.delete(this.#parts - PARTS_KEPT);
    return this.#parts;
  }

  schedule(task: string, id: string, at: number): void {
    this.database.prepare('INSERT INTO due (at, task, id) VALUES (?, ?, ?)').run(at, task, id);
  }

  /** Writes the counts; nothing may be added after it. */
  finish(): void {
    this.#write(this.#waiting.length / COLUMNS);
    this.#writeWords(this.#words.length / 3);
    this.#sums.write(this.database);
  }

  #write(rows: number): void {
    if (rows === 0) return;
    const places = Array.from({ length: rows }, () => '(?, ?, ?, ?, ?, ?, ?)').join(', ');
    this.database
      .prepare(`INSERT INTO items (kind, created, id, customer, part, facet, body) VALUES ${places}`)
      .run(...this.#waiting);
    this.#waiting = [];
  }

  #writeWords(count: number): void {
    if (count === 0) return;
    const places = Array.from({ length: count }, () => '(?, ?, ?)').join(', ');
    this.database
      .prepare(`INSERT INTO words (kind, word, seq) VALUES ${places}`)
      .run(...this.#words.splice(0, count * 3));
  }

  #kind(family: string, live: boolean | null): number {
    const code = this.#codes.get(family);
    if (code === undefined) throw new RangeError(`there is no family ${family}`);
    return code * 4 + (live === null ? 2 : live ? 1 : 0);
  }
}
