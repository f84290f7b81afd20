import type { SchemaElement } from 'hyparquet';
import type { ParquetWriter } from 'hyparquet-writer';
import { closing } from '../../../base/errors/errors.js';
import type { Schema } from '../../../items/schema/types.js';
import { onFile } from '../files.js';
import { LateFields, OTHER, OtherFields } from '../late-fields.js';
import type { Segment } from '../types.js';
import { type Chunks, writeChunk } from './parquet-chunk.js';
import { Leaf, Leaves } from './parquet-leaves.js';
import { type ShapedColumn, schemaElements, shapedColumns } from './shape.js';
import { type Lines, NewFile, type Written } from './sink.js';
import { Snappy } from './snappy.js';

/** Rows per row group: a few megabytes, small enough to hold in memory while encoding. */
const GROUP_ROWS = 5_000;
/** Bytes of items at which a row group ends early. */
const GROUP_BYTES = 16 << 20;
/** The column for values that no other column takes. */
const REST = schemaElements({ name: OTHER, shape: { kind: 'json' } })[0] as SchemaElement;

/**
 * Writes lines of JSON as one Parquet file: a typed column for each field of the schema (amounts as exact decimals,
 * moments in UTC); objects as structs and arrays as lists if their members are known, else as JSON text; and `_other`
 * (one JSON object by dotted path) for other fields and for values that their column would not hold exactly. Durable
 * when it returns.
 */
export async function writeParquet(
  path: string,
  lines: Lines,
  schema: Schema,
): Promise<Segment & Pick<Written, 'late'>> {
  const [{ ByteWriter, ParquetWriter }, { writePageHeader }] = await Promise.all([
    import('hyparquet-writer'),
    import('hyparquet-writer/src/datapage.js'),
  ]);
  const snappy = new Snappy();
  const columns = shapedColumns(schema);
  const root = { name: 'root', num_children: columns.length + 1 };
  const writer = new ByteWriter();
  const elements = [root, ...columns.flatMap(schemaElements), REST];
  const parquet = new ParquetWriter({ writer, schema: elements, createdBy: 'cops' });
  return closing(await onFile(path, 'create', () => NewFile.create(path)), async (file) => {
    const groups = new Groups(
      file,
      { writer, header: writePageHeader, compress: (bytes) => snappy.pack(bytes) },
      parquet,
      columns,
    );
    await groups.add(lines);
    return await groups.finish();
  });
}

/** Collects rows for a Parquet file and writes them group by group. */
class Groups {
  readonly #others = new OtherFields();
  readonly #late = new LateFields();
  readonly #leaves: Leaves;
  readonly #rest: Leaf;
  #bytes = 0;

  constructor(
    readonly file: NewFile,
    readonly chunks: Chunks,
    readonly parquet: ParquetWriter,
    columns: readonly ShapedColumn[],
  ) {
    const root = parquet.schema[0] as SchemaElement;
    this.#leaves = new Leaves(columns, root, this.#others);
    this.#rest = new Leaf([root, REST], { kind: 'json' }, 1, 0);
  }

  async add(lines: Lines): Promise<void> {
    const leaves = this.#leaves;
    const rest = this.#rest;
    for await (const group of lines) {
      for (const block of group) {
        for (let at = 0; at < block.length; at++) {
          const start = at;
          at = leaves.row(block, at);
          const other = this.#others.json(this.#late);
          if (other !== undefined) rest.values.text(other);
          rest.put(other === undefined ? 0 : 1, 0);
          while (block[at] !== 0x0a) at++;
          this.#bytes += at - start;
          if (rest.count === GROUP_ROWS || this.#bytes > GROUP_BYTES) await this.#flush();
        }
      }
    }
  }

  /** Writes the remaining rows and the footer. */
  async finish(): Promise<Segment & Pick<Written, 'late'>> {
    if (this.#rest.count > 0) await this.#flush();
    this.parquet.finish();
    await this.#drain();
    return { ...(await this.file.finish()), late: this.#late.take() };
  }

  /** Writes the collected rows as a row group. */
  async #flush(): Promise<void> {
    const { parquet, chunks } = this;
    const { writer } = chunks;
    const begin = writer.offset;
    const rows = this.#rest.count;
    const columns = [...this.#leaves.all, this.#rest].map((leaf) => {
      const chunk = writeChunk(chunks, leaf);
      leaf.clear();
      return chunk;
    });
    const bytes = columns.reduce((sum, { meta_data }) => sum + (meta_data?.total_uncompressed_size ?? 0n), 0n);
    parquet.num_rows += BigInt(rows);
    parquet.row_groups.push({
      columns,
      total_byte_size: bytes,
      num_rows: BigInt(rows),
      total_compressed_size: BigInt(writer.offset - begin),
    });
    this.#bytes = 0;
    await this.#drain();
  }

  async #drain(): Promise<void> {
    const { writer } = this.chunks;
    await this.file.write([Buffer.from(writer.getBytes())]);
    writer.index = 0;
  }
}
