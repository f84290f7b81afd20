import type { SchemaElement } from 'hyparquet';
import { isName, pass, skip, skipString } from '../flatten.js';
import type { Others } from '../others.js';
import { type ScalarShape, type ShapedColumn, scalar, schemaElements, type Value } from './shape.js';

/**
 * The values of one leaf of a Parquet schema with their levels, as the format stores them: a value or undefined for each
 * place, how much of its path is there, and at which list it goes on.
 */
export interface Leaf {
  /** The elements of the schema from the root to the leaf. */
  readonly elements: readonly SchemaElement[];
  readonly shape: ScalarShape;
  /** The definition level of a value. */
  readonly most: number;
  readonly values: Value[];
  readonly levels: number[];
  /** Empty for what stands in no list. */
  readonly repeats: number[];
}

/** A leaf while rows come. Its arrays are used again for each group: made anew, they would keep the collector busy. */
interface Growing extends Leaf {
  readonly repeated: boolean;
  /** Places that are in use. */
  count: number;
  /** The value made last, and where its JSON stands: rows in a row are alike, and most values are made once. */
  last: Value;
  lastStart: number;
  lastEnd: number;
}

/** A part of the schema: what its JSON is called, and what stands below it. */
interface Place {
  /** The name as it stands in JSON, quotes included. */
  readonly quoted: Buffer;
  readonly path: string;
  readonly kind: 'struct' | 'list' | 'scalar';
  /** The definition level where it is there. */
  readonly level: number;
  /** Of a list: the repetition level of its second element. */
  readonly repeat: number;
  readonly members: readonly Place[];
  /** All that is below it. */
  readonly leaves: readonly Growing[];
  /** The record that showed it last. */
  seen: number;
}

/** Takes items apart into the leaves of a schema, straight from their bytes: no object is made on the way. */
export class Leaves {
  readonly #root: Place;
  #bytes: Buffer = Buffer.alloc(0);
  #records = 0;
  /** Lists around the value that is read, and whether one of them has lost something of an element. */
  #depth = 0;
  #lossy = false;

  constructor(
    columns: readonly ShapedColumn[],
    root: SchemaElement,
    /** Takes what has no place in its column. */
    readonly others: Others,
  ) {
    this.#root = placeOf({ name: '', shape: { kind: 'struct', members: columns } }, '', [root], 0, 0);
  }

  /** To be called before the bytes change that items were read from. */
  forget(): void {
    for (const leaf of this.#root.leaves) leaf.lastEnd = -1;
  }

  /** Reads the item that begins at `start`; returns where it ends. */
  row(bytes: Buffer, start: number): number {
    this.#bytes = bytes;
    this.others.begin(bytes);
    if (bytes[start] === 0x7b) return this.#record(this.#root, start, 0);
    const end = skip(bytes, start);
    this.others.add('', start, end);
    absent(this.#root.leaves, 0, 0);
    return end;
  }

  /** The leaves as they stand; what comes next belongs to another group, and overwrites them. */
  take(): Leaf[] {
    return this.#root.leaves.map((leaf) => {
      const { elements, shape, most, repeated, count } = leaf;
      const own = <T>(array: T[]): T[] => (array.length === count ? array : array.slice(0, count));
      leaf.count = 0;
      return {
        elements,
        shape,
        most,
        values: own(leaf.values),
        levels: own(leaf.levels),
        repeats: repeated ? own(leaf.repeats) : [],
      };
    });
  }

  #record({ members, path, level }: Place, start: number, repeat: number): number {
    const bytes = this.#bytes;
    const record = ++this.#records;
    let next = 0;
    let at = pass(bytes, start + 1);
    while (bytes[at] !== 0x7d) {
      const nameEnd = skipString(bytes, at);
      let index = next;
      const guess = members[index];
      if (guess === undefined || !isName(guess.quoted, bytes, at, nameEnd)) {
        index = members.findIndex(({ quoted }) => isName(quoted, bytes, at, nameEnd));
      }
      const from = pass(bytes, pass(bytes, nameEnd) + 1);
      const member = members[index];
      let to: number;
      // A name that stands there twice has one place only.
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
    else if (kind === 'scalar') this.#scalar(leaves[0] as Growing, place.path, start, end, repeat);
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
    // An element has no path of its own: the list is kept as it came beside what the column holds of it.
    if (this.#depth === 0 && this.#lossy) this.others.add(path, start, at + 1);
    return at + 1;
  }

  #scalar(leaf: Growing, path: string, start: number, end: number, repeat: number): void {
    if (!isSame(this.#bytes, leaf, start, end)) {
      leaf.last = scalar(this.#bytes, start, end, leaf.shape);
      leaf.lastStart = start;
      leaf.lastEnd = end;
    }
    const value = leaf.last;
    put(leaf, value, value === undefined ? leaf.most - 1 : leaf.most, repeat);
    if (value === undefined) this.#lose(path, start, end);
  }

  #lose(path: string, start: number, end: number): void {
    if (this.#depth > 0) this.#lossy = true;
    else this.others.add(path, start, end);
  }
}

function absent(leaves: readonly Growing[], level: number, repeat: number): void {
  for (let i = 0; i < leaves.length; i++) put(leaves[i] as Growing, undefined, level, repeat);
}

function put(leaf: Growing, value: Value, level: number, repeat: number): void {
  const at = leaf.count++;
  leaf.values[at] = value;
  leaf.levels[at] = level;
  if (leaf.repeated) leaf.repeats[at] = repeat;
}

function isSame(bytes: Buffer, { lastStart, lastEnd }: Growing, start: number, end: number): boolean {
  if (lastEnd - lastStart !== end - start) return false;
  for (let at = start, was = lastStart; at < end; at++, was++) if (bytes[at] !== bytes[was]) return false;
  return true;
}

/** The place of a column below the given elements, whose definition level and repetition level are told. */
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
  return { ...common, kind: 'scalar', repeat, members: [], leaves: [leafOf(shape, above, level, repeat > 0)] };
}

/** The elements of a column itself, without those of its members: of a list, the repeated one too. */
function ownElements(column: ShapedColumn): SchemaElement[] {
  return schemaElements(column).slice(0, column.shape.kind === 'list' ? 2 : 1);
}

function leafOf(shape: ScalarShape, elements: readonly SchemaElement[], most: number, repeated: boolean): Growing {
  return {
    elements,
    shape,
    most,
    repeated,
    values: [],
    levels: [],
    repeats: [],
    count: 0,
    last: undefined,
    lastStart: 0,
    lastEnd: -1,
  };
}
