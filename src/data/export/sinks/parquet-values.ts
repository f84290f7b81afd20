import { leafText } from '../flatten.js';
import { moment, type ScalarShape, scaledBy } from './shape.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const WORD = 4_294_967_296;
/** After this many values, a column with few repetitions is no longer searched for them. */
const TRIED = 512;
const MOST_NEW = 0.9;

/**
 * The values of one leaf as Parquet stores them, taken directly from the bytes of JSON: each distinct value is stored
 * once, and positions refer to its number. No JavaScript values are made. Reused for each row group.
 */
export class ColumnValues {
  /** Number of present values. */
  count = 0;
  /** Number of distinct values. */
  distinct = 0;
  /** Distinct values in plain encoding, in sequence; booleans take a byte each. */
  bytes = Buffer.allocUnsafe(1 << 12);
  /** Used length of `bytes`, and the length of all values in plain encoding. */
  used = 0;
  plain = 0;
  /** The end of each distinct value. */
  ends = new Int32Array(1 << 8);
  /** The distinct value at each position. */
  indexes = new Int32Array(1 << 8);
  #hashes = new Int32Array(1 << 8);
  /** The number of a distinct value plus one; 0 for a free slot. */
  #places = new Int32Array(1 << 9);

  constructor(readonly shape: ScalarShape) {}

  /** Begins another row group. */
  clear(): void {
    if (this.#places.length > 1 << 9 || this.distinct > 0) this.#places.fill(0);
    this.count = 0;
    this.distinct = 0;
    this.used = 0;
    this.plain = 0;
  }

  /** Adds a JSON value; false, without adding it, if the column would lose a part of it. */
  take(json: Buffer, start: number, end: number): boolean {
    const { shape } = this;
    const first = json[start] as number;
    switch (shape.kind) {
      case 'none':
        return false;
      case 'json':
        return this.#string(json, start, end, false);
      case 'text':
        if (first === QUOTE) return this.#string(json, start + 1, end - 1);
        return first !== 0x7b && first !== 0x5b && this.#string(json, start, end, false);
      case 'boolean':
        if (first !== 0x74 && first !== 0x66) return false;
        this.#room(1);
        this.bytes[this.used++] = first === 0x74 ? 1 : 0;
        this.count++;
        return true;
      case 'timestamp':
        if (shape.form === 'unix') return this.#number(scaledBy(json, start, end, shape), 8);
        return first === QUOTE && this.#number(moment(leafText(json, start, end)), 8);
      case 'integer':
        return this.#number(scaledBy(json, start, end, shape), 8);
      case 'decimal':
        return this.#number(scaledBy(json, start, end, shape), shape.precision === 38 ? 16 : 8);
    }
  }

  /** Adds a text that is not a JSON string. */
  text(text: string): void {
    const bytes = Buffer.from(text);
    this.#string(bytes, 0, bytes.length, false);
  }

  /** Adds the bytes unchanged or, for a JSON string, with its escapes resolved. */
  #string(json: Buffer, start: number, end: number, isJson = true): true {
    const length = end - start;
    this.#room(length + 4);
    const out = this.bytes;
    let to = this.used + 4;
    let hash = length;
    for (let i = start; i < end; i++) {
      const byte = json[i] as number;
      if (isJson && byte === BACKSLASH) {
        this.text(JSON.parse(json.toString('utf8', start - 1, end + 1)) as string);
        return true;
      }
      out[to++] = byte;
      hash = Math.imul(hash ^ byte, 0x01000193);
    }
    out.writeInt32LE(length, this.used);
    this.#put(length + 4, hash);
    return true;
  }

  /** An integer of eight bytes, little-endian, or of sixteen, big-endian. */
  #number(value: number | bigint | undefined, length: 8 | 16): boolean {
    if (value === undefined) return false;
    this.#room(length);
    const out = this.bytes;
    const at = this.used;
    let high: number;
    let low: number;
    if (typeof value === 'number') {
      high = Math.floor(value / WORD);
      low = value - high * WORD;
    } else {
      high = Number(BigInt.asIntN(32, value >> 32n));
      low = Number(BigInt.asUintN(32, value));
    }
    if (length === 8) {
      out.writeUInt32LE(low, at);
      out.writeInt32LE(high, at + 4);
    } else {
      out.writeUInt32BE(low, at + 12);
      out.writeInt32BE(high, at + 8);
      const wide = typeof value === 'bigint' ? value >> 64n : BigInt(value < 0 ? -1 : 0);
      out.writeBigInt64BE(wide, at);
    }
    this.#put(length, Math.imul(low ^ Math.imul(high, 0x27d4eb2f), 0x01000193));
    return true;
  }

  /** Adds the value after the others, or its equal among them. */
  #put(length: number, folded: number): void {
    const { count } = this;
    if (count === this.indexes.length) this.indexes = doubled(this.indexes);
    this.count = count + 1;
    this.plain += length;
    // The low bits choose the slot, so the high ones are folded in.
    const hash = folded ^ (folded >>> 15);
    let index = this.distinct;
    if (count < TRIED || index < count * MOST_NEW) index = this.#find(length, hash);
    this.indexes[count] = index;
    if (index < this.distinct) return;
    if (index === this.ends.length) this.ends = doubled(this.ends);
    this.used += length;
    this.ends[index] = this.used;
    this.distinct++;
  }

  /** The number of the appended value's equal; its own, newly recorded number if there is none. */
  #find(length: number, hash: number): number {
    if ((this.distinct + 1) * 2 > this.#places.length) this.#rehash();
    const places = this.#places;
    const hashes = this.#hashes;
    const mask = places.length - 1;
    let place = hash & mask;
    for (let found = places[place] as number; found !== 0; found = places[place] as number) {
      if (hashes[found - 1] === hash && this.#isSame(found - 1, length)) return found - 1;
      place = (place + 1) & mask;
    }
    const index = this.distinct;
    if (index >= hashes.length) {
      this.#hashes = new Int32Array(2 * index);
      this.#hashes.set(hashes);
    }
    this.#hashes[index] = hash;
    places[place] = index + 1;
    return index;
  }

  #isSame(index: number, length: number): boolean {
    const { bytes, ends, used } = this;
    const start = index === 0 ? 0 : (ends[index - 1] as number);
    if ((ends[index] as number) - start !== length) return false;
    for (let i = 0; i < length; i++) if (bytes[start + i] !== bytes[used + i]) return false;
    return true;
  }

  #rehash(): void {
    const old = this.#places;
    this.#places = new Int32Array(old.length * 2);
    const mask = this.#places.length - 1;
    for (const found of old) {
      if (found === 0) continue;
      let place = (this.#hashes[found - 1] as number) & mask;
      while (this.#places[place] !== 0) place = (place + 1) & mask;
      this.#places[place] = found;
    }
  }

  #room(length: number): void {
    if (this.used + length <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.bytes.length * 2, this.used + length));
    this.bytes.copy(larger, 0, 0, this.used);
    this.bytes = larger;
  }
}

/** The array with twice the capacity. */
export function doubled<T extends Int32Array | Uint8Array>(array: T): T {
  const larger = new (array.constructor as new (length: number) => T)(array.length * 2);
  larger.set(array);
  return larger;
}
