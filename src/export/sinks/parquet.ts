import { createHash, type Hash } from 'node:crypto';
import { type FileHandle, open } from 'node:fs/promises';
import type { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Family, Field } from '../../catalogue/types.js';
import { OTHER, topColumns } from '../columns.js';
import { fileFault, writeAll } from '../files.js';
import { Flattener } from '../flatten.js';
import type { Segment } from '../types.js';
import type { Lines } from './sink.js';

/** Rows of a row group: a few megabytes, and little enough to be held while it is encoded. */
const GROUP_ROWS = 5_000;
const SAFE = 15;

type Kind = 'text' | 'integer' | 'number' | 'boolean' | 'json';
type Value = string | bigint | number | boolean | undefined;

interface Column {
  readonly name: string;
  readonly kind: Kind;
}

/**
 * One Parquet file: a typed column for each known field of an item, objects and arrays kept whole as JSON text, and
 * `_other` (JSON) for fields that are not known and values that their column cannot hold without a loss.
 */
export class ParquetFile {
  readonly #columns: readonly Column[];
  readonly #flattener: Flattener;
  #data: Value[][] = [];
  #rows = 0;
  #hash: Hash = createHash('sha256');
  #position = 0;

  private constructor(
    readonly path: string,
    readonly file: FileHandle,
    readonly writer: ByteWriter,
    readonly parquet: ParquetWriter,
    columns: readonly Column[],
  ) {
    this.#columns = columns;
    this.#flattener = new Flattener(
      columns.slice(0, -1).map(({ name }) => name),
      true,
    );
    this.#clear();
  }

  static async create(path: string, family: Family): Promise<ParquetFile> {
    const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
    const columns: Column[] = [
      ...topColumns(family).map(({ path: name, field }) => ({ name, kind: kindOf(field) })),
      { name: OTHER, kind: 'json' as const },
    ];
    const writer = new ByteWriter();
    const parquet = new ParquetWriter({ writer, schema: schemaOf(columns), createdBy: 'cops' });
    try {
      return new ParquetFile(path, await open(path, 'w'), writer, parquet, columns);
    } catch (error) {
      throw fileFault(error, path, 'create');
    }
  }

  async add(lines: Lines): Promise<void> {
    for await (const group of lines) {
      for (const block of group) {
        for (let at = 0; at < block.length; at++) {
          at = this.#row(block, at);
          while (block[at] !== 0x0a) at++;
          if (this.#rows === GROUP_ROWS) await this.#flush();
        }
      }
    }
  }

  /** Writes what remains and the footer; durable when it returns. */
  async finish(): Promise<Segment> {
    if (this.#rows > 0) await this.#flush();
    this.parquet.finish();
    await this.#drain();
    try {
      await this.file.sync();
    } catch (error) {
      throw fileFault(error, this.path, 'write');
    }
    await this.close();
    return { bytes: this.#position, sha256: this.#hash.digest('hex') };
  }

  async close(): Promise<void> {
    await this.file.close().catch(() => undefined);
  }

  #row(block: Buffer, start: number): number {
    const flattener = this.#flattener;
    const end = flattener.row(block, start);
    const { starts, ends } = flattener;
    const last = this.#columns.length - 1;
    for (let i = 0; i < last; i++) {
      const from = starts[i] as number;
      const data = this.#data[i] as Value[];
      if (from < 0) {
        data.push(undefined);
        continue;
      }
      const column = this.#columns[i] as Column;
      const value = cellOf(block, from, ends[i] as number, column.kind);
      data.push(value);
      if (value === undefined && block[from] !== 0x6e) {
        flattener.otherPaths.push(column.name);
        flattener.otherRanges.push(from, ends[i] as number);
      }
    }
    (this.#data[last] as Value[]).push(flattener.other());
    this.#rows++;
    return end;
  }

  async #flush(): Promise<void> {
    this.parquet.write({
      columnData: this.#columns.map(({ name }, i) => ({ name, data: this.#data[i] as Value[] })),
      rowGroupSize: GROUP_ROWS,
    });
    this.#clear();
    await this.#drain();
  }

  async #drain(): Promise<void> {
    const bytes = Buffer.from(this.writer.getBytes());
    this.writer.index = 0;
    this.#hash.update(bytes);
    try {
      this.#position += await writeAll(this.file, [bytes], this.#position);
    } catch (error) {
      throw fileFault(error, this.path, 'write');
    }
  }

  #clear(): void {
    this.#data = this.#columns.map(() => []);
    this.#rows = 0;
  }
}

function kindOf(field: Field | undefined): Kind {
  switch (field?.type) {
    case 'string':
      return 'text';
    case 'integer':
    case 'number':
    case 'boolean':
      return field.type;
    default:
      return 'json';
  }
}

function schemaOf(columns: readonly Column[]) {
  const types = {
    text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
    json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
    integer: { type: 'INT64' },
    number: { type: 'DOUBLE' },
    boolean: { type: 'BOOLEAN' },
  } as const;
  return [
    { name: 'root', num_children: columns.length },
    ...columns.map(({ name, kind }) => ({ name, repetition_type: 'OPTIONAL' as const, ...types[kind] })),
  ];
}

/** The value for a column, or undefined where it would lose something there. */
function cellOf(bytes: Buffer, start: number, end: number, kind: Kind): Value {
  const first = bytes[start] as number;
  if (first === 0x6e) return undefined;
  if (kind === 'json') return bytes.toString('utf8', start, end);
  if (kind === 'text') {
    if (first !== 0x22) return undefined;
    for (let i = start + 1; i < end - 1; i++) {
      if (bytes[i] === 0x5c) return JSON.parse(bytes.toString('utf8', start, end)) as string;
    }
    return bytes.toString('utf8', start + 1, end - 1);
  }
  if (kind === 'boolean') return first === 0x74 ? true : first === 0x66 ? false : undefined;
  if (first !== 0x2d && !(first >= 0x30 && first <= 0x39)) return undefined;
  const text = bytes.toString('latin1', start, end);
  if (kind === 'integer') {
    if (!/^-?\d{1,19}$/.test(text)) return undefined;
    const value = BigInt(text);
    return BigInt.asIntN(64, value) === value ? value : undefined;
  }
  return text.replace(/[eE].*$|[-.]/g, '').length > SAFE || !Number.isFinite(Number(text)) ? undefined : Number(text);
}
