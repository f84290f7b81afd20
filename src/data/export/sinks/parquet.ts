import type { ColumnChunk, SchemaElement } from 'hyparquet';
import type { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { writeColumn } from 'hyparquet-writer/src/column.js';
import type { Schema } from '../../../items/schema/types.js';
import { onFile } from '../files.js';
import { LateFields } from '../late.js';
import { OTHER, Others } from '../others.js';
import type { Segment } from '../types.js';
import { NewFile } from './new-file.js';
import { type Leaf, Leaves } from './parquet-leaves.js';
import { type ShapedColumn, schemaElements, shapedColumns } from './shape.js';
import type { Lines, Written } from './sink.js';

/** Rows of a row group: a few megabytes, and little enough to be held while it is encoded. */
const GROUP_ROWS = 5_000;
/** Values of a column chunk beyond which it gets another page. */
const PAGE_BYTES = 1 << 20;
/** What no column takes. */
const REST = schemaElements({ name: OTHER, shape: { kind: 'json' } })[0] as SchemaElement;

/**
 * Writes lines of JSON as one Parquet file: a typed column for each field of the schema (amounts as exact decimals,
 * moments in UTC), objects as structs and arrays as lists where their members are known and as JSON text where they are
 * not, and `_other` (one JSON object by dotted path) for other fields and values that their column cannot hold without a
 * loss. Durable when it returns.
 */
export async function writeParquet(
  path: string,
  lines: Lines,
  schema: Schema,
): Promise<Segment & Pick<Written, 'late'>> {
  const [{ ByteWriter, ParquetWriter }, { writeColumn }] = await Promise.all([
    import('hyparquet-writer'),
    import('hyparquet-writer/src/column.js'),
  ]);
  const columns = shapedColumns(schema);
  const root = { name: 'root', num_children: columns.length + 1 };
  const writer = new ByteWriter();
  const elements = [root, ...columns.flatMap(schemaElements), REST];
  const parquet = new ParquetWriter({ writer, schema: elements, createdBy: 'cops' });
  const file = await onFile(path, 'create', () => NewFile.create(path));
  try {
    const groups = new Groups(file, writer, parquet, writeColumn, columns);
    await groups.add(lines);
    return await groups.finish();
  } finally {
    await file.close();
  }
}

/** Rows on their way into a Parquet file, so many a group. */
class Groups {
  readonly #others = new Others();
  readonly #late = new LateFields();
  readonly #leaves: Leaves;
  #rest: (string | undefined)[] = [];

  constructor(
    readonly file: NewFile,
    readonly writer: ByteWriter,
    readonly parquet: ParquetWriter,
    readonly column: typeof writeColumn,
    columns: readonly ShapedColumn[],
  ) {
    this.#leaves = new Leaves(columns, parquet.schema[0] as SchemaElement, this.#others);
  }

  async add(lines: Lines): Promise<void> {
    const leaves = this.#leaves;
    for await (const group of lines) {
      for (const block of group) {
        for (let at = 0; at < block.length; at++) {
          at = leaves.row(block, at);
          this.#rest.push(this.#others.json(this.#late));
          while (block[at] !== 0x0a) at++;
          if (this.#rest.length === GROUP_ROWS) await this.#flush();
        }
        leaves.forget();
      }
    }
  }

  /** Writes what remains and the footer. */
  async finish(): Promise<Segment & Pick<Written, 'late'>> {
    if (this.#rest.length > 0) await this.#flush();
    this.parquet.finish();
    await this.#drain();
    return { ...(await this.file.finish()), late: this.#late.take() };
  }

  /** Writes the rows that wait as a group of their own. */
  async #flush(): Promise<void> {
    const { parquet, writer } = this;
    const begin = writer.offset;
    const rows = this.#rest.length;
    const rest: Leaf = {
      elements: [parquet.schema[0] as SchemaElement, REST],
      shape: { kind: 'json' },
      most: 1,
      values: this.#rest,
      levels: this.#rest.map((value) => (value === undefined ? 0 : 1)),
      repeats: [],
    };
    const columns = [...this.#leaves.take(), rest].map((leaf) => this.#chunk(leaf));
    const bytes = columns.reduce((sum, { meta_data }) => sum + (meta_data?.total_uncompressed_size ?? 0n), 0n);
    parquet.num_rows += BigInt(rows);
    parquet.row_groups.push({
      columns,
      total_byte_size: bytes,
      num_rows: BigInt(rows),
      total_compressed_size: BigInt(writer.offset - begin),
    });
    this.#rest = [];
    await this.#drain();
  }

  #chunk({ elements, shape, most, values, levels, repeats }: Leaf): ColumnChunk {
    const { parquet, writer } = this;
    const result = this.column({
      writer,
      column: {
        columnName: elements
          .slice(1)
          .map(({ name }) => name)
          .join('.'),
        element: elements.at(-1) as SchemaElement,
        schemaPath: [...elements],
        codec: parquet.codec,
        compressors: parquet.compressors,
        // Bounds are of use where rows are picked by them; for every part of every struct they would fill the footer.
        stats: elements.length === 2 && shape.kind !== 'json' && shape.kind !== 'none',
        pageSize: PAGE_BYTES,
        columnIndex: false,
        offsetIndex: true,
      },
      pageData: { values, definitionLevels: levels, repetitionLevels: repeats, maxDefinitionLevel: most },
    });
    parquet.pendingIndexes.push(result);
    return result.chunk;
  }

  async #drain(): Promise<void> {
    await this.file.write([Buffer.from(this.writer.getBytes())]);
    this.writer.index = 0;
  }
}
