import { parseLossless, textOf } from '../../items/json/lossless.js';
import { isMoneyName } from '../../items/schema/learn.js';
import { Flattener, leafText } from '../export/flatten.js';
import { Cells, type CellTaker } from '../export/sinks/sqlite-columns.js';

/** The targets of a path's values. */
export interface RawColumn {
  readonly name: string;
  /** Its twin in minor units. */
  readonly minor: string | null;
}

interface Leaf {
  readonly isMoney: boolean;
  /** Whether it has a column for its minor units. */
  readonly hasMinor: boolean;
  /** Whether an object at this path has its own columns. */
  readonly hasBelow: boolean;
  /** Indexes of the possible currencies, nearest first. */
  readonly currencies: readonly number[];
}

const OBJECT = 0x7b;
const LIST = 0x5b;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Makes cells directly from an item's bytes if each of its fields has a column: the same cells as `itemLeaves`, without
 * an intermediate map.
 */
export class RowCells {
  /** The last item's status. */
  status: string | undefined;
  /** Indexes of the columns that are NULL because the last item's amounts have no exact twin. */
  readonly inexact: number[] = [];
  readonly #flattener: Flattener;
  readonly #leaves: readonly Leaf[];
  /** By column: the index of its leaf, or -1. */
  readonly #sources: Int32Array;
  /** By column: whether it holds the minor units of its leaf. */
  readonly #isMinor: Uint8Array;
  /** Leaves without a column. */
  readonly #others: readonly number[];
  readonly #cells = new Cells();
  readonly #status: number;

  constructor(
    columns: ReadonlyMap<string, RawColumn>,
    /** Paths without a column: they only had nulls and empty objects, or there was no room. */
    passed: ReadonlySet<string>,
    /** The columns of a row. */
    names: readonly string[],
  ) {
    const paths = [...columns.keys(), ...passed];
    const index = new Map(paths.map((path, i) => [path, i]));
    const parents = new Set(paths.flatMap(parentsOf));
    const places = new Map(names.map((name, i) => [name, i]));
    this.#flattener = new Flattener(paths, 'values');
    this.#status = index.get('status') ?? -1;
    this.#sources = new Int32Array(names.length).fill(-1);
    this.#isMinor = new Uint8Array(names.length);
    const others: number[] = [];
    this.#leaves = paths.map((path, i) => {
      const column = columns.get(path);
      const at = places.get(column?.name ?? '') ?? -1;
      const minorAt = places.get(column?.minor ?? '') ?? -1;
      if (at < 0) others.push(i);
      else this.#sources[at] = i;
      if (minorAt >= 0) {
        this.#sources[minorAt] = i;
        this.#isMinor[minorAt] = 1;
      }
      const currencies = ['', ...parentsOf(path)]
        .reverse()
        .flatMap((parent) => index.get(parent === '' ? 'iso_currency' : `${parent}.iso_currency`) ?? []);
      const isMoney = at >= 0 && isMoneyName(path.slice(path.lastIndexOf('.') + 1));
      return { isMoney, hasMinor: minorAt >= 0, hasBelow: parents.has(path), currencies };
    });
    this.#others = others;
  }

  /**
   * Adds the cells of an item to a row.
   * @returns false for an item with a field that no column takes yet: its row must then be begun again
   */
  fill(bytes: Buffer, into: CellTaker): boolean {
    const { starts, ends, others } = this.#flattener;
    this.#flattener.row(bytes, 0);
    if (others.any || bytes[0] !== OBJECT) return false;
    this.inexact.length = 0;
    for (const other of this.#others) if (this.#isUntaken(bytes, other)) return false;
    const sources = this.#sources;
    for (let i = 0; i < sources.length; i++) {
      const source = sources[i] as number;
      const start = source < 0 ? -1 : (starts[source] as number);
      if (start < 0) into.none();
      else if (this.#isMinor[i] === 1) this.#minor(bytes, source, i, into);
      else if (!this.#value(bytes, start, ends[source] as number, source, into)) return false;
    }
    this.status = this.#statusOf(bytes);
    return true;
  }

  #value(bytes: Buffer, start: number, end: number, source: number, into: CellTaker): boolean {
    const first = bytes[start] as number;
    if (first === OBJECT) {
      into.none();
      return !this.#isUntaken(bytes, source);
    }
    if (first === LIST) {
      if (isCompact(bytes, start, end)) into.raw(bytes, start, end);
      else into.text(textOf(parseLossless(bytes.toString('utf8', start, end))));
      return true;
    }
    this.#cells.untyped(into, bytes, start, end);
    const { isMoney, hasMinor } = this.#leaves[source] as Leaf;
    return hasMinor || !isMoney || !isNumber(first);
  }

  /** Whether a leaf is an object with members that no column takes. */
  #isUntaken(bytes: Buffer, leaf: number): boolean {
    const start = this.#flattener.starts[leaf] as number;
    if (start < 0 || bytes[start] !== OBJECT || this.#leaves[leaf]?.hasBelow) return false;
    return !isEmptyObject(bytes, start, this.#flattener.ends[leaf] as number);
  }

  #minor(bytes: Buffer, source: number, column: number, into: CellTaker): void {
    const { starts, ends } = this.#flattener;
    const start = starts[source] as number;
    if (!isNumber(bytes[start] as number)) {
      into.none();
      return;
    }
    for (const code of this.#leaves[source]?.currencies ?? []) {
      const codeStart = starts[code] as number;
      if (codeStart < 0 || bytes[codeStart] !== QUOTE) continue;
      const minor = this.#cells.minor(bytes, start, ends[source] as number, codeStart, ends[code] as number);
      if (minor === null) break;
      if (typeof minor === 'bigint') into.long(minor);
      else into.whole(minor);
      return;
    }
    into.none();
    this.inexact.push(column);
  }

  #statusOf(bytes: Buffer): string | undefined {
    const start = this.#status < 0 ? -1 : (this.#flattener.starts[this.#status] as number);
    if (start < 0) return undefined;
    const end = this.#flattener.ends[this.#status] as number;
    if (bytes[start] === QUOTE) return leafText(bytes, start, end);
    return bytes[start] === LIST ? bytes.toString('utf8', start, end) : undefined;
  }
}

const isNumber = (first: number): boolean => first === 0x2d || (first >= 0x30 && first <= 0x39);

/** Splits `a.b.c` into `a` and `a.b`. */
function parentsOf(path: string): string[] {
  const words = path.split('.').slice(0, -1);
  return words.map((_, i) => words.slice(0, i + 1).join('.'));
}

function isEmptyObject(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start + 1; at < end - 1; at++) if ((bytes[at] as number) > 0x20) return false;
  return true;
}

/** Whether a list is compact JSON, without unnecessary escapes. */
function isCompact(bytes: Buffer, start: number, end: number): boolean {
  let isText = false;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) isText = !isText;
    else if (byte === BACKSLASH) {
      const escaped = bytes[++at];
      if (escaped === 0x2f || escaped === 0x75) return false;
    } else if (byte <= 0x20 && !isText) return false;
  }
  return true;
}
