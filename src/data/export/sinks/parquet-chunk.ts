import type { ColumnChunk, SchemaElement } from 'hyparquet';
import type { ByteWriter } from 'hyparquet-writer';
import type { writePageHeader } from 'hyparquet-writer/src/datapage.js';
import type { Leaf } from './parquet-leaves.js';
import type { ColumnValues } from './parquet-values.js';

/** The shared state of writing the chunks of one file. */
export interface Chunks {
  readonly writer: ByteWriter;
  readonly header: typeof writePageHeader;
  readonly compress: (bytes: Uint8Array) => Uint8Array;
}

/** Writes a leaf's row group: its dictionary if it has one, and one data page (version 2). */
export function writeChunk({ writer, header, compress }: Chunks, leaf: Leaf): ColumnChunk {
  const { elements, values, most, repeated, count } = leaf;
  const element = elements.at(-1) as SchemaElement;
  const begin = writer.offset;
  let uncompressed = 0;
  const page = (bytes: Uint8Array, lead: Uint8Array, told: Parameters<typeof writePageHeader>[1]) => {
    const packed = compress(bytes);
    const at = writer.offset;
    const uncompressed_page_size = lead.length + bytes.length;
    header(writer, { ...told, uncompressed_page_size, compressed_page_size: lead.length + packed.length });
    uncompressed += writer.offset - at + uncompressed_page_size;
    writer.appendBytes(lead);
    writer.appendBytes(packed);
  };
  const width = bitsOf(values.distinct - 1);
  const isFlag = values.shape.kind === 'boolean';
  const isDictionary = !isFlag && 2 * (values.used + (values.count * width) / 8) <= values.plain && values.count > 0;
  if (isDictionary) {
    page(values.bytes.subarray(0, values.used), NOTHING, {
      type: 'DICTIONARY_PAGE',
      uncompressed_page_size: 0,
      compressed_page_size: 0,
      dictionary_page_header: { num_values: values.distinct, encoding: 'PLAIN' },
    });
  }
  const dataAt = writer.offset;
  const levels = new Bits();
  if (repeated) levels.add(leaf.repeats, count, bitsOf(leaf.mostRepeats));
  const repeatBytes = levels.used;
  levels.add(leaf.levels, count, bitsOf(most));
  const encoding = isDictionary ? 'RLE_DICTIONARY' : 'PLAIN';
  page(isFlag ? flags(values) : isDictionary ? numbers(values, width) : plain(values), levels.take(), {
    type: 'DATA_PAGE_V2',
    uncompressed_page_size: 0,
    compressed_page_size: 0,
    data_page_header_v2: {
      num_values: count,
      num_nulls: count - values.count,
      num_rows: leaf.rows,
      encoding,
      definition_levels_byte_length: levels.used - repeatBytes,
      repetition_levels_byte_length: repeatBytes,
      is_compressed: true,
    },
  });
  return {
    meta_data: {
      type: element.type as NonNullable<SchemaElement['type']>,
      encodings: isDictionary ? ['PLAIN', encoding] : [encoding],
      path_in_schema: elements.slice(1).map(({ name }) => name),
      codec: 'SNAPPY',
      num_values: BigInt(count),
      total_compressed_size: BigInt(writer.offset - begin),
      total_uncompressed_size: BigInt(uncompressed),
      data_page_offset: BigInt(dataAt),
      dictionary_page_offset: isDictionary ? BigInt(begin) : undefined,
      statistics: isBounded(leaf) ? { ...bounds(values), null_count: BigInt(count - values.count) } : undefined,
    },
    file_offset: BigInt(begin),
  };
}

const NOTHING = new Uint8Array(0);

/** Bounds help to select rows; for every part of every struct they would fill the footer. */
function isBounded({ elements, values }: Leaf): boolean {
  return elements.length === 2 && values.shape.kind !== 'json' && values.shape.kind !== 'none';
}

/** The smallest and the largest value. */
function bounds(values: ColumnValues) {
  const { shape, bytes, ends, distinct, used } = values;
  const isText = shape.kind === 'text';
  if (shape.kind === 'boolean') {
    const all = bytes.subarray(0, used);
    return used === 0 ? {} : { min_value: !all.includes(0), max_value: all.includes(1) };
  }
  const isWide = shape.kind === 'decimal' && shape.precision === 38;
  const valueAt = (start: number, end: number): bigint | Buffer => {
    if (isText) return bytes.subarray(start + 4, end);
    return isWide
      ? (bytes.readBigInt64BE(start) << 64n) | bytes.readBigUInt64BE(start + 8)
      : bytes.readBigInt64LE(start);
  };
  const isLess = (a: bigint | Buffer, b: bigint | Buffer) =>
    isText ? Buffer.compare(a as Buffer, b as Buffer) < 0 : a < b;
  let least: bigint | Buffer | undefined;
  let greatest: bigint | Buffer | undefined;
  for (let i = 0, start = 0; i < distinct; i++) {
    const end = ends[i] as number;
    const value = valueAt(start, end);
    if (least === undefined || isLess(value, least)) least = value;
    if (greatest === undefined || isLess(greatest, value)) greatest = value;
    start = end;
  }
  // The buffer is reused before the footer is written.
  const own = (value: bigint | Buffer | undefined) => (value instanceof Uint8Array ? Uint8Array.from(value) : value);
  return { min_value: own(least), max_value: own(greatest) };
}

/** The indexes of the distinct values, preceded by their bit width. */
function numbers(values: ColumnValues, width: number): Uint8Array {
  const bits = new Bits();
  bits.byte(width);
  bits.add(values.indexes, values.count, width);
  return bits.take();
}

/** All values in sequence. */
function plain({ bytes, used, ends, indexes, count, distinct, plain: length }: ColumnValues): Uint8Array {
  if (distinct === count) return bytes.subarray(0, used);
  const out = Buffer.allocUnsafe(length);
  let at = 0;
  for (let i = 0; i < count; i++) {
    const index = indexes[i] as number;
    at += bytes.copy(out, at, index === 0 ? 0 : (ends[index - 1] as number), ends[index]);
  }
  return out;
}

/** Booleans, one bit each. */
function flags({ bytes, used }: ColumnValues): Uint8Array {
  const out = new Uint8Array((used + 7) >> 3);
  for (let i = 0; i < used; i++) if (bytes[i] === 1) out[i >> 3] = (out[i >> 3] as number) | (1 << (i & 7));
  return out;
}

/** The number of bits that numbers up to this one need. */
function bitsOf(most: number): number {
  return most <= 0 ? 0 : 32 - Math.clz32(most);
}

/** Small numbers as repeated runs and groups of eight, a few bits each ("RLE and bit-packing hybrid"). */
class Bits {
  #bytes = Buffer.allocUnsafe(1 << 12);
  used = 0;

  take(): Uint8Array {
    return this.#bytes.subarray(0, this.used);
  }

  byte(value: number): void {
    if (this.used === this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes], 2 * this.used);
    this.#bytes[this.used++] = value;
  }

  add(numbers: Int32Array | Uint8Array, count: number, width: number): void {
    let from = 0;
    let at = 0;
    while (at < count) {
      const first = numbers[at] as number;
      let end = at + 1;
      while (end < count && numbers[end] === first) end++;
      if (end - at < 8) {
        at += 8;
        continue;
      }
      this.#packed(numbers, from, at, count, width);
      this.#whole((end - at) << 1);
      for (let bits = 0; bits < width; bits += 8) this.byte((first >> bits) & 0xff);
      at = end;
      from = end;
    }
    this.#packed(numbers, from, at, count, width);
  }

  /** Groups of eight; the last one is padded with zeros. */
  #packed(numbers: Int32Array | Uint8Array, from: number, to: number, count: number, width: number): void {
    if (from === to) return;
    this.#whole(((to - from) >> 3) * 2 + 1);
    let pending = 0;
    let bits = 0;
    for (let i = from; i < to; i++) {
      pending |= (i < count ? (numbers[i] as number) : 0) << bits;
      for (bits += width; bits >= 8; bits -= 8) {
        this.byte(pending & 0xff);
        pending >>>= 8;
      }
    }
  }

  #whole(value: number): void {
    let rest = value;
    for (; rest > 0x7f; rest >>>= 7) this.byte((rest & 0x7f) | 0x80);
    this.byte(rest);
  }
}
