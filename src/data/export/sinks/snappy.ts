/** Bytes per block: repetitions lie no farther back than two bytes can express. */
const BLOCK = 1 << 16;
const TABLE_BITS = 14;

/**
 * Compresses bytes in the raw format of Snappy. The result is valid until the next call: one buffer and one table serve
 * all pages of a file, and no byte costs a function call.
 */
export class Snappy {
  #out = Buffer.allocUnsafe(BLOCK);
  /** By hash of four bytes: their last position in the block. */
  readonly #table = new Uint16Array(1 << TABLE_BITS);

  pack(input: Uint8Array): Uint8Array {
    const { length } = input;
    const most = 32 + length + Math.ceil(length / 6);
    if (this.#out.length < most) this.#out = Buffer.allocUnsafe(2 * most);
    let to = 0;
    let rest = length;
    for (; rest > 0x7f; rest >>>= 7) this.#out[to++] = (rest & 0x7f) | 0x80;
    this.#out[to++] = rest;
    for (let from = 0; from < length; from += BLOCK) to = this.#block(input, from, Math.min(from + BLOCK, length), to);
    return this.#out.subarray(0, to);
  }

  #block(input: Uint8Array, begin: number, end: number, start: number): number {
    const table = this.#table.fill(0);
    let to = start;
    let literal = begin;
    // The longer nothing repeats, the larger the steps.
    let step = 32;
    for (let at = begin + 1; at + 4 <= end; ) {
      const word = wordAt(input, at);
      const place = Math.imul(word, 0x9e3779b1) >>> (32 - TABLE_BITS);
      const before = begin + (table[place] as number);
      table[place] = at - begin;
      if (wordAt(input, before) !== word) {
        at += step++ >> 5;
        continue;
      }
      let length = 4;
      while (at + length < end && input[at + length] === input[before + length]) length++;
      to = this.#literal(input, literal, at, to);
      to = this.#copy(at - before, length, to);
      at += length;
      literal = at;
      step = 32;
    }
    return this.#literal(input, literal, end, to);
  }

  #literal(input: Uint8Array, from: number, end: number, start: number): number {
    const out = this.#out;
    const last = end - from - 1;
    if (last < 0) return start;
    let to = start;
    if (last < 60) out[to++] = last << 2;
    else {
      out[to++] = last < 256 ? 60 << 2 : 61 << 2;
      out[to++] = last & 0xff;
      if (last >= 256) out[to++] = last >> 8;
    }
    if (last > 100) out.set(input.subarray(from, end), to);
    else for (let i = 0; i <= last; i++) out[to + i] = input[from + i] as number;
    return to + last + 1;
  }

  /** Copies bytes from `back` bytes before, at most 64 at a time. */
  #copy(back: number, length: number, start: number): number {
    const out = this.#out;
    let to = start;
    let left = length;
    while (left > 0) {
      // Leaves no rest of fewer than four bytes, which the short form cannot express.
      const now = left >= 68 ? 64 : left > 64 ? 60 : left;
      if (now < 12 && now >= 4 && back < 2048) {
        out[to++] = 1 | ((now - 4) << 2) | ((back >> 8) << 5);
        out[to++] = back & 0xff;
      } else {
        out[to++] = 2 | ((now - 1) << 2);
        out[to++] = back & 0xff;
        out[to++] = back >> 8;
      }
      left -= now;
    }
    return to;
  }
}

function wordAt(bytes: Uint8Array, at: number): number {
  return (
    (bytes[at] as number) |
    ((bytes[at + 1] as number) << 8) |
    ((bytes[at + 2] as number) << 16) |
    ((bytes[at + 3] as number) << 24)
  );
}
