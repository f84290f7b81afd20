/** A 64-bit mark of every row (16 bytes), to find repeated rows and an input that changed between two readings. */
export class RowMarks {
  #low = new Uint32Array(1024);
  #high = new Uint32Array(1024);
  /** Open addressing: row numbers, 0 for a free slot. */
  #table = new Uint32Array(4096);
  #count = 0;

  get count(): number {
    return this.#count;
  }

  /** Adds the tag (hex) of the next row; returns the number of an equal earlier row, if there is one. */
  add(tag: string): number | undefined {
    if (this.#count === this.#low.length) this.#grow();
    const [low, high] = halves(tag);
    const row = ++this.#count;
    this.#low[row - 1] = low;
    this.#high[row - 1] = high;
    return this.#place(row, low, high);
  }

  /** Whether the row has this tag. */
  matches(row: number, tag: string): boolean {
    const [low, high] = halves(tag);
    return row <= this.#count && this.#low[row - 1] === low && this.#high[row - 1] === high;
  }

  /** The row with this tag. */
  find(tag: string): number | undefined {
    return this.#table[this.#slot(...halves(tag))] || undefined;
  }

  /** The part of each row's tag that its mark keeps, in digits. */
  *heads(): Iterable<string> {
    const digits = (half = 0) => half.toString(16).padStart(8, '0');
    for (let at = 0; at < this.#count; at++) yield digits(this.#low[at]) + digits(this.#high[at]);
  }

  #place(row: number, low: number, high: number): number | undefined {
    const at = this.#slot(low, high);
    if (this.#table[at]) return this.#table[at];
    this.#table[at] = row;
    return undefined;
  }

  /** Where in the table this mark stands, or would stand. */
  #slot(low: number, high: number): number {
    const mask = this.#table.length - 1;
    for (let at = low & mask; ; at = (at + 1) & mask) {
      const row = this.#table[at] ?? 0;
      if (row === 0 || (this.#low[row - 1] === low && this.#high[row - 1] === high)) return at;
    }
  }

  #grow(): void {
    this.#low = copied(this.#low);
    this.#high = copied(this.#high);
    this.#table = new Uint32Array(this.#table.length * 2);
    for (let row = 1; row <= this.#count; row++) this.#place(row, this.#low[row - 1] ?? 0, this.#high[row - 1] ?? 0);
  }
}

function halves(tag: string): readonly [low: number, high: number] {
  return [Number.parseInt(tag.slice(0, 8), 16) >>> 0, Number.parseInt(tag.slice(8, 16), 16) >>> 0];
}

function copied(from: Uint32Array): Uint32Array<ArrayBuffer> {
  const to = new Uint32Array(from.length * 2);
  to.set(from);
  return to;
}

/** The tag of a row that is not sent. It keeps row numbers and marks in step, and no sent row has it. */
export const noTag = (row: number): string => row.toString(16).padStart(16, '0');
