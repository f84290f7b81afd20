import type { SchemaElement } from 'hyparquet';
import { isNext, pass, skip, skipString } from '../flatten.js';
import type { OtherFields } from '../late-fields.js';
import { ColumnValues, doubled } from './parquet-values.js';
import { type ScalarShape, type ShapedColumn, schemaElements } from './shape.js';

/**
 * One leaf of a Parquet schema while rows are added, as the format stores it: the present values, and for each position
 * how much of its path is present and at which list it continues. Reused for each row group.
 */
export class Leaf {
  readonly values: ColumnValues;
  /** Positions, and rows. */
  count = 0;
  rows = 0;
  levels = new Uint8Array(1 << 8);
  /** Used for values inside a list. */
  repeats = new Uint8Array(1 << 8);

  constructor(
    /** The elements of the schema from the root to the leaf. */
    readonly elements: readonly SchemaElement[],
    shape: ScalarShape,
    /** The definition level of a value. */
    readonly most: number,
    /** Lists around it. */
    readonly mostRepeats: number,
  ) {
    this.values = new ColumnValues(shape);
  }

  get repeated(): boolean {
    return this.mostRepeats > 0;
  }

  /** Adds a position. */
  put(level: number, repeat: number): void {
    const at = this.count++;
    if (at === this.levels.length) {
      this.levels = doubled(this.levels);
      this.repeats = doubled(this.repeats);
    }
    this.levels[at] = level;
    this.repeats[at] = repeat;
    if (repeat === 0) this.rows++;
  }

  /** Begins another row group. */
  clear(): void {
    this.count = 0;
    this.rows = 0;
    this.values.clear();
  }
}

/** A part of the schema: its JSON name, and its children. */
interface Place {
  /** The name as in JSON, with quotes. */
  readonly quoted: Buffer;
  readonly path: string;
  readonly kind: 'struct' | 'list' | 'scalar';
  /** The definition level if it is present. */
  readonly level: number;
  /** For a list: the repetition level of elements after the first. */
  readonly repeat: number;
  readonly members: readonly Place[];
  /** All leaves below it. */
  readonly leaves: readonly Leaf[];
  /** The last record that contained it. */
  seen: number;
}

/** Splits items into the leaves of a schema, directly from their bytes and without creating objects. */
export class Leaves {
  readonly #root: Place;
  #bytes: Buffer = Buffer.alloc(0);
  #records = 0;
  /** The number of lists around the current value, and whether part of an element in one of them had to be left out. */
  #depth = 0;
  #lossy = false;

  constructor(
    columns: readonly ShapedColumn[],
    root: SchemaElement,
    /** Receives values that have no place in their column. */
    readonly others: OtherFields,
  ) {
    this.#root = placeOf({ name: '', shape: { kind: 'struct', members: columns } }, '', [root], 0, 0);
  }

  /** Reads the item that begins at `start`; returns its end. */
  row(bytes: Buffer, start: number): number {
    this.#bytes = bytes;
    this.others.begin(bytes);
    if (bytes[start] === 0x7b) return this.#record(this.#root, start, 0);
    const end = skip(bytes, start);
    this.others.add('', start, end);
    absent(this.#root.leaves, 0, 0);
    return end;
  }

  /** The current leaves. */
  get all(): readonly Leaf[] {
    return this.#root.leaves;
  }

  #record({ members, path, level }: Place, start: number, repeat: number): number {
    const bytes = this.#bytes;
    const record = ++this.#records;
    let next = 0;
    let at = pass(bytes, start + 1);
    while (bytes[at] !== 0x7d) {
      const index = memberAt(members, next, bytes, at);
      const member = members[index];
      const nameEnd = member === undefined ? skipString(bytes, at) : at + member.quoted.length;
      const from = pass(bytes, pass(bytes, nameEnd) + 1);
      let to: number;
      // A name that occurs twice has only one place.
      if (member !== undefined && member.seen !== record) {
        member.seen = record;
        to = this.#value(member, from, repeat);
        next = index + 1;
      } else {
        to = skip(bytes, from);
        const name = JSON.parse(bytes.toString('utf8', at, nameEnd)) as string;
        this.#lose(path === '' ? name : `${path}.${name}`, from, to);
      }
      at = pass(bytes, to);
      if (bytes[at] === 0x2c) at = pass(bytes, at + 1);
    }
    for (const member of members) if (member.seen !== record) absent(member.leaves, level, repeat);
    return at + 1;
  }

  #value(place: Place, start: number, repeat: number): number {
    const bytes = this.#bytes;
    const { kind, leaves, level } = place;
    const first = bytes[start] as number;
    if (kind === 'struct' && first === 0x7b) return this.#record(place, start, repeat);
    if (kind === 'list' && first === 0x5b) return this.#list(place, start, repeat);
    const end = skip(bytes, start);
    if (first === 0x6e) absent(leaves, level - 1, repeat);
    else if (kind === 'scalar') this.#scalar(leaves[0] as Leaf, place.path, start, end, repeat);
    else {
      absent(leaves, level - 1, repeat);
      this.#lose(place.path, start, end);
    }
    return end;
  }

  #list({ members, leaves, level, repeat: inner, path }: Place, start: number, repeat: number): number {
    const bytes = this.#bytes;
    const [element] = members as [Place];
    if (this.#depth++ === 0) this.#lossy = false;
    let at = pass(bytes, start + 1);
    if (bytes[at] === 0x5d) absent(leaves, level, repeat);
    for (let of = repeat; bytes[at] !== 0x5d; of = inner) {
      at = pass(bytes, this.#value(element, at, of));
      if (bytes[at] === 0x2c) at = pass(bytes, at + 1);
    }
    this.#depth--;
    // Elements have no path of their own: the list is kept as it came, in addition to what the column holds of it.
    if (this.#depth === 0 && this.#lossy) this.others.add(path, start, at + 1);
    return at + 1;
  }

  #scalar(leaf: Leaf, path: string, start: number, end: number, repeat: number): void {
    const isTaken = leaf.values.take(this.#bytes, start, end);
    leaf.put(isTaken ? leaf.most : leaf.most - 1, repeat);
    if (!isTaken) this.#lose(path, start, end);
  }

  #lose(path: string, start: number, end: number): void {
    if (this.#depth > 0) this.#lossy = true;
    else this.others.add(path, start, end);
  }
}

/** The index of the member whose name begins here, searched from `next` on because some may be absent; -1 for none. */
function memberAt(members: readonly Place[], next: number, bytes: Buffer, at: number): number {
  for (let i = next; i < members.length; i++) if (isNext((members[i] as Place).quoted, bytes, at)) return i;
  for (let i = 0; i < next; i++) if (isNext((members[i] as Place).quoted, bytes, at)) return i;
  return -1;
}

function absent(leaves: readonly Leaf[], level: number, repeat: number): void {
  for (let i = 0; i < leaves.length; i++) (leaves[i] as Leaf).put(level, repeat);
}

/** Builds the part for a column below the given elements, with their definition and repetition level. */
function placeOf(
  column: ShapedColumn,
  path: string,
  above: readonly SchemaElement[],
  level: number,
  repeat: number,
): Place {
  const { name, shape } = column;
  const common = { quoted: Buffer.from(JSON.stringify(name)), path, level, seen: 0 };
  if (shape.kind === 'struct') {
    const members = shape.members.map((member) => {
      const below = path === '' ? member.name : `${path}.${member.name}`;
      return placeOf(member, below, [...above, ...ownElements(member)], level + 1, repeat);
    });
    return { ...common, kind: 'struct', repeat, members, leaves: members.flatMap(({ leaves }) => leaves) };
  }
  if (shape.kind === 'list') {
    const element: ShapedColumn = { name: 'element', shape: shape.element };
    const place = placeOf(element, path, [...above, ...ownElements(element)], level + 2, repeat + 1);
    return { ...common, kind: 'list', repeat: repeat + 1, members: [place], leaves: place.leaves };
  }
  return { ...common, kind: 'scalar', repeat, members: [], leaves: [new Leaf(above, shape, level, repeat)] };
}

/** The schema elements of a column itself, without its members; for a list including the repeated one. */
function ownElements(column: ShapedColumn): SchemaElement[] {
  return schemaElements(column).slice(0, column.shape.kind === 'list' ? 2 : 1);
}
