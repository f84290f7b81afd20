import { parseLossless, textOf } from '../../items/json/lossless.js';
import { isMoneyName } from '../../items/schema/learn.js';
import { Flattener } from '../export/flatten.js';
import { Cells, type SqlValue } from '../export/sinks/sqlite-columns.js';

/** The targets of a path's values. */
export interface RawColumn {
  readonly name: string;
  /** Its twin in minor units. */
  readonly minor: string | null;
}

interface Leaf {
  /** Its index in a row; -1 for a path without a column. */
  readonly at: number;
  /** Its twin's index; -1 if there is none. */
  readonly minorAt: number;
  readonly isMoney: boolean;
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
  readonly #flattener: Flattener;
  readonly #leaves: readonly Leaf[];
  readonly #cells = new Cells();
  readonly #status: number;

  constructor(
    columns: ReadonlyMap<string, RawColumn>,
    /** Paths without a column: they only had nulls and empty objects, or there was no room. */
    passed: ReadonlySet<string>,
    /** The index of a column in a row; -1 for one that no item fills. */
    place: (name: string) => number,
  ) {
    const paths = [...columns.keys(), ...passed];
    const index = new Map(paths.map((path, i) => [path, i]));
    const parents = new Set(paths.flatMap(parentsOf));
    this.#flattener = new Flattener(paths, 'values');
    this.#status = index.get('status') ?? -1;
    this.#leaves = paths.map((path) => {
      const column = columns.get(path);
      const currencies = ['', ...parentsOf(path)]
        .reverse()
        .flatMap((parent) => index.get(parent === '' ? 'iso_currency' : `${parent}.iso_currency`) ?? []);
      return {
        at: column === undefined ? -1 : place(column.name),
        minorAt: column?.minor == null ? -1 : place(column.minor),
        isMoney: isMoneyName(path.slice(path.lastIndexOf('.') + 1)),
        hasBelow: parents.has(path),
        currencies,
      };
    });
  }

  /**
   * Puts the cells of an item into `values`; its row begins at `from` and must be all NULL. Returns the item's status
   * and the indexes of amounts without an exact twin.
   * @returns undefined for an item with a field that no column takes yet: its row must then be cleared
   */
  fill(
    bytes: Buffer,
    values: unknown[],
    from: number,
  ): { readonly status: SqlValue; readonly inexact: number[] } | undefined {
    const { starts, ends, others } = this.#flattener;
    this.#flattener.row(bytes, 0);
    if (others.any || bytes[0] !== OBJECT) return undefined;
    const inexact: number[] = [];
    for (let i = 0; i < this.#leaves.length; i++) {
      const start = starts[i] as number;
      if (start < 0) continue;
      const leaf = this.#leaves[i] as Leaf;
      const end = ends[i] as number;
      const first = bytes[start] as number;
      if (first === OBJECT) {
        if (leaf.hasBelow || isEmptyObject(bytes, start, end)) continue;
        return undefined;
      }
      if (leaf.at < 0) continue;
      values[from + leaf.at] = first === LIST ? listText(bytes, start, end) : this.#cells.untyped(bytes, start, end, i);
      if (!leaf.isMoney || (first !== 0x2d && (first < 0x30 || first > 0x39))) continue;
      if (leaf.minorAt < 0) return undefined;
      const minor = this.#minor(bytes, start, end, leaf.currencies);
      values[from + leaf.minorAt] = minor;
      if (minor === null) inexact.push(leaf.minorAt);
    }
    const at = this.#status < 0 ? -1 : (this.#leaves[this.#status]?.at ?? -1);
    return { status: at < 0 ? null : (values[from + at] as SqlValue), inexact };
  }

  #minor(bytes: Buffer, start: number, end: number, currencies: readonly number[]): SqlValue {
    const { starts, ends } = this.#flattener;
    for (const code of currencies) {
      const codeStart = starts[code] as number;
      if (codeStart < 0 || bytes[codeStart] !== QUOTE) continue;
      const minor = this.#cells.minor(bytes, start, end, codeStart, ends[code] as number);
      return typeof minor === 'number' ? BigInt(minor) : minor;
    }
    return null;
  }
}

/** Splits `a.b.c` into `a` and `a.b`. */
function parentsOf(path: string): string[] {
  const words = path.split('.').slice(0, -1);
  return words.map((_, i) => words.slice(0, i + 1).join('.'));
}

function isEmptyObject(bytes: Buffer, start: number, end: number): boolean {
  for (let at = start + 1; at < end - 1; at++) if ((bytes[at] as number) > 0x20) return false;
  return true;
}

/** A list as compact JSON, without unnecessary escapes. */
function listText(bytes: Buffer, start: number, end: number): string {
  const text = bytes.toString('utf8', start, end);
  return isCompact(bytes, start, end) ? text : textOf(parseLossless(text));
}

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
