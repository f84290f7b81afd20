/*
 * Lays out a table's rows as the pages of a SQLite file (https://www.sqlite.org/fileformat2.html, 1.6 and 2.1): leaf pages
 * in row order, each preceded by the overflow pages of its rows, then the interior pages. The engine creates the empty
 * table first and builds its index afterwards; no row passes through the engine.
 */

export const PAGE = 16_384;
const LEAF = 0x0d;
const INTERIOR = 0x05;
/** The most of a row that a leaf holds, and the least it keeps of a row that overflows. */
const MOST_LOCAL = PAGE - 35;
const LEAST_LOCAL = Math.floor(((PAGE - 12) * 32) / 255) - 23;
/** The payload of an overflow page, whose first four bytes link to the next. */
const OVERFLOW = PAGE - 4;
/** Pages to buffer between writes. */
const KEPT = 64;

/** Pages, and the largest row number under each. */
interface Level {
  readonly pages: number[];
  readonly keys: number[];
}

/** Appends rows to an empty table. Full pages collect in `ready`, to be written in sequence. */
export class TablePages {
  rows = 0;
  /** The page being filled; it gets its number once it is full. */
  readonly #leaf = Buffer.alloc(PAGE);
  #cells = 0;
  #top = PAGE;
  readonly #leaves: Level = { pages: [], keys: [] };
  #ready = Buffer.alloc(KEPT * PAGE);
  #used = 0;

  /** @param next the number of the first free page */
  constructor(private next: number) {}

  /** Whether the buffer is due to be written. */
  get isFull(): boolean {
    return this.#used >= KEPT * PAGE;
  }

  /** Pages in the file so far. */
  get count(): number {
    return this.next - 1;
  }

  /** Full pages not yet written: the last ones included in `count`. */
  get ready(): Buffer {
    return this.#ready.subarray(0, this.#used);
  }

  /** Call once the ready pages are written. */
  taken(): void {
    this.#used = 0;
  }

  /** Adds a row, given the serial types and the values of its record. */
  add(types: Buffer, typesLength: number, body: Buffer, bodyLength: number): void {
    const header = typesLength + (typesLength < 127 ? 1 : typesLength < 16_382 ? 2 : 3);
    const payload = header + bodyLength;
    const local = payload <= MOST_LOCAL ? payload : localPart(payload);
    const row = this.rows + 1;
    const size = varintLength(payload) + varintLength(row) + local + (local < payload ? 4 : 0);
    if (8 + 2 * (this.#cells + 1) + size > this.#top) this.#finishLeaf();
    this.rows = row;
    this.#top -= size;
    const leaf = this.#leaf;
    let at = putVarint(leaf, putVarint(leaf, this.#top, payload), row);
    if (local === payload) {
      at = putVarint(leaf, at, header);
      for (let i = 0; i < typesLength; i++) leaf[at++] = types[i] as number;
      body.copy(leaf, at, 0, bodyLength);
    } else {
      const whole = Buffer.allocUnsafe(payload);
      const from = putVarint(whole, 0, header);
      types.copy(whole, from, 0, typesLength);
      body.copy(whole, header, 0, bodyLength);
      whole.copy(leaf, at, 0, local);
      leaf.writeUInt32BE(this.#overflow(whole.subarray(local)), at + local);
    }
    leaf.writeUInt16BE(this.#top, 8 + 2 * this.#cells++);
  }

  /** Adds the interior pages; returns the root, which replaces the root of the empty table. */
  finish(): Buffer {
    if (this.#leaves.pages.length === 0) return this.#closedLeaf();
    this.#finishLeaf();
    let level = this.#leaves;
    for (;;) {
      const parts = partsOf(level);
      if (parts.length === 1) return interiorPage(parts[0] as Level);
      level = { pages: [], keys: [] };
      for (const part of parts) {
        level.keys.push(part.keys.at(-1) as number);
        level.pages.push(this.#append(interiorPage(part)));
      }
    }
  }

  #closedLeaf(): Buffer {
    const leaf = this.#leaf;
    leaf[0] = LEAF;
    leaf.writeUInt16BE(0, 1);
    leaf.writeUInt16BE(this.#cells, 3);
    leaf.writeUInt16BE(this.#top, 5);
    leaf[7] = 0;
    leaf.fill(0, 8 + 2 * this.#cells, this.#top);
    return leaf;
  }

  #finishLeaf(): void {
    if (this.#cells === 0) return;
    this.#leaves.pages.push(this.#append(this.#closedLeaf()));
    this.#leaves.keys.push(this.rows);
    this.#cells = 0;
    this.#top = PAGE;
  }

  /** Returns the number of the first overflow page. */
  #overflow(rest: Buffer): number {
    const first = this.next;
    for (let at = 0; at < rest.length; at += OVERFLOW) {
      const page = Buffer.alloc(PAGE);
      page.writeUInt32BE(at + OVERFLOW < rest.length ? this.next + 1 : 0);
      rest.copy(page, 4, at, at + OVERFLOW);
      this.#append(page);
    }
    return first;
  }

  #append(page: Buffer): number {
    if (this.#used + PAGE > this.#ready.length) this.#ready = Buffer.concat([this.#ready], 2 * this.#ready.length);
    page.copy(this.#ready, this.#used);
    this.#used += PAGE;
    return this.next++;
  }
}

function localPart(payload: number): number {
  const part = LEAST_LOCAL + ((payload - LEAST_LOCAL) % OVERFLOW);
  return part <= MOST_LOCAL ? part : LEAST_LOCAL;
}

/** Groups children by parent; no parent gets a single child. */
function partsOf({ pages, keys }: Level): Level[] {
  const parts: Level[] = [];
  for (let from = 0; from < pages.length; ) {
    let to = from + 1;
    for (let size = 12; to < pages.length; to++) {
      size += 6 + varintLength(keys[to - 1] as number);
      if (size > PAGE) break;
    }
    if (to === pages.length - 1) to--;
    parts.push({ pages: pages.slice(from, to), keys: keys.slice(from, to) });
    from = to;
  }
  return parts;
}

function interiorPage({ pages, keys }: Level): Buffer {
  const page = Buffer.alloc(PAGE);
  const cells = pages.length - 1;
  let top = PAGE;
  for (let i = 0; i < cells; i++) {
    const key = keys[i] as number;
    top -= 4 + varintLength(key);
    putVarint(page, page.writeUInt32BE(pages[i] as number, top), key);
    page.writeUInt16BE(top, 12 + 2 * i);
  }
  page[0] = INTERIOR;
  page.writeUInt16BE(cells, 3);
  page.writeUInt16BE(top, 5);
  page.writeUInt32BE(pages[cells] as number, 8);
  return page;
}

export function varintLength(value: number): number {
  let length = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) length++;
  return length;
}

/** Writes a whole number below 2^49 as SQLite does, the highest bits first; returns where it ends. */
export function putVarint(bytes: Buffer, at: number, value: number): number {
  if (value < 128) {
    bytes[at] = value;
    return at + 1;
  }
  const end = at + varintLength(value);
  let rest = value;
  for (let i = end - 1; i >= at; i--) {
    bytes[i] = (rest % 128) | (i === end - 1 ? 0 : 128);
    rest = Math.floor(rest / 128);
  }
  return end;
}
