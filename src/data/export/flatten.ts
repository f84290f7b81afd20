import { OtherFields } from './late-fields.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

interface Node {
  /** The member's name as in JSON, with quotes. */
  readonly name: Buffer;
  readonly path: string;
  /** Its index among the columns, or -1. */
  column: number;
  readonly children: Node[];
  /** The member that followed this one in the previous item: tried first. */
  after: Node | undefined;
  first: Node | undefined;
}

/**
 * Finds the values of given columns (dotted paths) in items, as ranges of the items' own bytes, so that digits and
 * strings stay unchanged. The lines must be valid JSON: it does not validate them again.
 */
export class Flattener {
  /** Range of each column's value as JSON; -1 where the item has none. */
  readonly starts: Int32Array;
  readonly ends: Int32Array;
  /** The values of the last row that belong to no column. */
  readonly others = new OtherFields();
  readonly #root: Node;
  #bytes: Buffer = Buffer.alloc(0);

  constructor(
    readonly columns: readonly string[],
    /** Members without a column are kept in `others`; of `values` only those that are not null. */
    readonly wantOther: boolean | 'values',
  ) {
    this.starts = new Int32Array(columns.length);
    this.ends = new Int32Array(columns.length);
    this.#root = node('');
    for (const [index, path] of columns.entries()) {
      let at = this.#root;
      for (const word of path.split('.')) {
        let child = at.children.find((one) => one.name.equals(Buffer.from(JSON.stringify(word))));
        if (!child) {
          child = node(word, at.path);
          at.children.push(child);
        }
        at = child;
      }
      at.column = index;
    }
  }

  /** Reads the item that begins at `start`; returns its end. */
  row(bytes: Buffer, start: number): number {
    this.#bytes = bytes;
    this.starts.fill(-1);
    this.others.begin(bytes);
    if (bytes[start] !== 0x7b) {
      const end = skip(bytes, start);
      if (this.wantOther) this.others.add('', start, end);
      return end;
    }
    return this.#members(this.#root, start);
  }

  #members(parent: Node, start: number): number {
    const bytes = this.#bytes;
    let at = start + 1;
    if ((bytes[at] as number) <= 0x20) at = pass(bytes, at);
    if (bytes[at] === 0x7d) return at + 1;
    let guess = parent.first;
    let previous: Node | undefined;
    for (;;) {
      const nameStart = at;
      let child = guess;
      // A member that usually follows may be absent.
      if (child !== undefined && !isNext(child.name, bytes, at)) {
        child = child.after;
        if (child !== undefined && !isNext(child.name, bytes, at)) child = undefined;
      }
      if (child !== undefined) at += child.name.length;
      else {
        at = skipString(bytes, at);
        child = memberOf(parent, previous, bytes, nameStart, at);
      }
      const nameEnd = at;
      if ((bytes[at] as number) <= 0x20) at = pass(bytes, at);
      at++;
      if ((bytes[at] as number) <= 0x20) at = pass(bytes, at);
      at = this.#value(parent, child, nameStart, nameEnd, at);
      if (child !== undefined) {
        previous = child;
        guess = child.after;
      }
      if ((bytes[at] as number) <= 0x20) at = pass(bytes, at);
      if (bytes[at] === 0x7d) return at + 1;
      at++;
      if ((bytes[at] as number) <= 0x20) at = pass(bytes, at);
    }
  }

  #value(parent: Node, child: Node | undefined, nameStart: number, nameEnd: number, at: number): number {
    const bytes = this.#bytes;
    if (child === undefined) {
      const end = skip(bytes, at);
      if (this.wantOther === true || (this.wantOther === 'values' && bytes[at] !== 0x6e)) {
        const name = JSON.parse(bytes.toString('utf8', nameStart, nameEnd)) as string;
        this.others.add(parent.path === '' ? name : `${parent.path}.${name}`, at, end);
      }
      return end;
    }
    const { column } = child;
    if (child.children.length > 0 && bytes[at] === 0x7b) {
      const end = this.#members(child, at);
      if (column >= 0) this.#take(column, at, end);
      return end;
    }
    const end = skip(bytes, at);
    if (column >= 0) this.#take(column, at, end);
    else if (this.wantOther && bytes[at] !== 0x6e) this.others.add(child.path, at, end);
    return end;
  }

  #take(column: number, start: number, end: number): void {
    this.starts[column] = start;
    this.ends[column] = end;
  }
}

/** The member of that name, from now on tried first at this position; undefined if there is none. */
function memberOf(parent: Node, previous: Node | undefined, bytes: Buffer, start: number, end: number) {
  for (const one of parent.children) {
    if (!isName(one.name, bytes, start, end)) continue;
    if (previous === undefined) parent.first = one;
    else previous.after = one;
    return one;
  }
  return undefined;
}

/** Whether the quoted name begins at the position: its last quote ends it. */
export function isNext(name: Buffer, bytes: Buffer, start: number): boolean {
  for (let i = name.length - 1; i > 0; i--) if (name[i] !== bytes[start + i]) return false;
  return true;
}

function node(name: string, parent = ''): Node {
  return {
    name: Buffer.from(JSON.stringify(name)),
    path: parent === '' ? name : `${parent}.${name}`,
    column: -1,
    children: [],
    after: undefined,
    first: undefined,
  };
}

/** Whether a quoted name is at the position. */
export function isName(name: Buffer, bytes: Buffer, start: number, end: number): boolean {
  const { length } = name;
  if (end - start !== length) return false;
  for (let i = 1; i < length; i++) if (name[i] !== bytes[start + i]) return false;
  return true;
}

/** The end of the whitespace that begins at `from`. */
export function pass(bytes: Buffer, from: number): number {
  let at = from;
  while ((bytes[at] as number) <= 0x20) at++;
  return at;
}

/** The JSON string at the position, with quotes. */
export function leafText(bytes: Buffer, start: number, end: number): string {
  let any = 0;
  for (let i = start + 1; i < end - 1; i++) {
    const byte = bytes[i] as number;
    if (byte === BACKSLASH) return JSON.parse(bytes.toString('utf8', start, end)) as string;
    any |= byte;
  }
  return any < 0x80 ? bytes.toString('latin1', start + 1, end - 1) : bytes.toString('utf8', start + 1, end - 1);
}

/** The end of the string whose opening quote is at `from`. */
export function skipString(bytes: Buffer, from: number): number {
  let at = from + 1;
  for (;;) {
    const byte = bytes[at] as number;
    if (byte === QUOTE) return at + 1;
    at += byte === BACKSLASH ? 2 : 1;
  }
}

/** The end of the value that begins at `from`. */
export function skip(bytes: Buffer, from: number): number {
  const first = bytes[from] as number;
  if (first === QUOTE) return skipString(bytes, from);
  let at = from;
  if (first === 0x7b || first === 0x5b) {
    let depth = 0;
    for (;;) {
      const byte = bytes[at] as number;
      if (byte === QUOTE) at = skipString(bytes, at);
      else {
        at++;
        if (byte === 0x7b || byte === 0x5b) depth++;
        else if ((byte === 0x7d || byte === 0x5d) && --depth === 0) return at;
      }
    }
  }
  for (;;) {
    const byte = bytes[at] as number;
    if (byte === 0x2c || byte === 0x7d || byte === 0x5d || byte <= 0x20) return at;
    at++;
  }
}
