import { createHash, type Hash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Schema } from '../../schema/types.js';
import { OTHER } from '../columns.js';
import { fileFault, openOwn, writeAll } from '../files.js';
import { Flattener } from '../flatten.js';
import { type LateField, LateFields } from '../late.js';
import type { Segment } from '../types.js';
import { type Lost, type ShapedColumn, schemaElements, shaped, shapedColumns, type Value } from './shape.js';
import type { Lines } from './sink.js';

/** Rows of a row group: a few megabytes, and little enough to be held while it is encoded. */
const GROUP_ROWS = 5_000;

/**
 * One Parquet file: a typed column for each field of the schema (amounts as exact decimals, moments in UTC), objects as
 * structs and arrays as lists where their members are known and as JSON text where they are not, and `_other` (one
 * JSON object by dotted path) for other fields and values that their column cannot hold without a loss.
 */
export class ParquetFile {
  readonly #columns: readonly ShapedColumn[];
  readonly #flattener: Flattener;
  readonly #lost: Lost;
  readonly #late = new LateFields();
  #data: Value[][] = [];
  #rows = 0;
  #hash: Hash = createHash('sha256');
  #position = 0;

  private constructor(
    readonly path: string,
    readonly file: FileHandle,
    readonly writer: ByteWriter,
    readonly parquet: ParquetWriter,
    columns: readonly ShapedColumn[],
  ) {
    this.#columns = columns;
    this.#flattener = new Flattener(
      columns.slice(0, -1).map(({ name }) => name),
      true,
    );
    this.#lost = (path, start, end) => this.#flattener.addOther(path, start, end);
    this.#clear();
  }

  static async create(path: string, fields: Schema): Promise<ParquetFile> {
    const { ByteWriter, ParquetWriter } = await import('hyparquet-writer');
    const columns: ShapedColumn[] = [...shapedColumns(fields), { name: OTHER, shape: { kind: 'json' } }];
    const schema = [{ name: 'root', num_children: columns.length }, ...columns.flatMap(schemaElements)];
    const writer = new ByteWriter();
    const parquet = new ParquetWriter({ writer, schema, createdBy: 'cops' });
    try {
      return new ParquetFile(path, await openOwn(path, 'w'), writer, parquet, columns);
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
  async finish(): Promise<Segment & { readonly late?: readonly LateField[] }> {
    if (this.#rows > 0) await this.#flush();
    this.parquet.finish();
    await this.#drain();
    try {
      await this.file.sync();
    } catch (error) {
      throw fileFault(error, this.path, 'write');
    }
    await this.close();
    const late = this.#late.take();
    return { bytes: this.#position, sha256: this.#hash.digest('hex'), late: late.length > 0 ? late : undefined };
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
      const { name, shape } = this.#columns[i] as ShapedColumn;
      const value = from < 0 ? undefined : shaped(block, from, ends[i] as number, shape, name, this.#lost);
      (this.#data[i] as Value[]).push(value);
    }
    (this.#data[last] as Value[]).push(flattener.other(this.#late));
    this.#rows++;
    return end;
  }

  async #flush(): Promise<void> {
    this.parquet.write({
      columnData: this.#columns.map(({ name, shape }, i) => ({
        name,
        data: this.#data[i] as Value[],
        // Bounds are of use where rows are picked by them; for every part of every struct they would fill the footer.
        statistics: !['struct', 'list', 'json', 'none'].includes(shape.kind),
      })),
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
