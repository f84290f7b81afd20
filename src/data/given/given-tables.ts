import { stat } from 'node:fs/promises';
import { basename, extname, join } from 'node:path';
import { withDatabase } from '../../base/database/open.js';
import type { Cell, Database } from '../../base/database/types.js';
import { usage } from '../../base/errors/errors.js';
import { inTemporaryFolder } from '../../base/files/temporary-folder.js';
import { typedPath } from '../../base/files/typed-path.js';
import { cops, say } from '../../base/text/command-line.js';
import { FAMILY_INDEX } from '../../catalogue/index.js';
import { objectWritten } from '../../items/json/parse-json.js';
import { NumberText, serialise, type Tree, type TreeObject } from '../../items/json/tree.js';
import { decodeText } from '../../service/body/input-text.js';
import type { Context } from '../../session/context/context.js';
import type { BesideMirror } from '../mirror/ask-mirror.js';
import type { TableColumn } from '../mirror/describe-mirror.js';
import { sqlName } from '../mirror/layout.js';
import { MIRROR_VIEWS } from '../mirror/views.js';
import { csvRecords, givenBytes } from './csv-records.js';
import { type GivenColumn, type GivenType, typedTexts, typedValues } from './given-columns.js';

/** Given files as tables next to a mirror, for one query. */
export interface GivenTables extends BesideMirror {
  /** Removes everything created for the question. */
  discard(): Promise<void>;
}

/** Largest file to load, bytes; anything bigger needs a program that reads in parts. */
const MOST_BYTES = 256 << 20;
/** Most columns in a SQLite table. */
const MOST_COLUMNS = 2_000;

const TYPE_WORDS: Readonly<Record<GivenType, string>> = {
  INTEGER: 'whole number',
  REAL: 'decimal number',
  TEXT: 'text',
  BLOB: 'bytes',
};

type Reader = (context: Context, bytes: Buffer, path: string) => Promise<GivenColumn[]>;

const READERS: Readonly<Record<string, Reader>> = {
  '.csv': csvColumns,
  '.tsv': csvColumns,
  '.jsonl': lineColumns,
  '.ndjson': lineColumns,
  '.parquet': parquetColumns,
};

/**
 * Reads the files of `--with`, each as a table named after it, or as in `name=file`; undefined if there are none. Notes
 * say what each column holds, and which can be read two ways.
 * @throws CopsError `usage` for a file that is not CSV, JSONL or Parquet, and for a name that another table has;
 * `local` for an unreadable file
 */
export async function givenTables(context: Context, given: readonly string[] = []): Promise<GivenTables | undefined> {
  if (given.length === 0) return undefined;
  const files = given.map((text) => namedFile(context, text));
  const twice = files.find(({ table }, at) => files.findIndex((one) => one.table === table) !== at);
  if (twice) throw usage(`Two files would both be the table ${twice.table}.`, 'Name one of them: --with other=<file>');
  return inTemporaryFolder('with', async (folder, discard) => {
    const place = join(folder, 'given.sqlite');
    const columns: TableColumn[] = [];
    await withDatabase({ file: place, what: 'The file of the given tables', journal: 'delete' }, async (database) => {
      for (const { table, path } of files) {
        const read = await readColumns(context, path);
        database.transaction(() => fill(database, table, read));
        sayColumns(context, table, path, read);
        columns.push(...read.map(({ name, type }) => ({ table, column: name, meaning: TYPE_WORDS[type] })));
      }
    });
    return { before: [`ATTACH '${place.replaceAll("'", "''")}' AS given`], columns, discard };
  });
}

const NAME = /^[a-z_]\w{0,62}$/i;

function namedFile(context: Context, text: string) {
  const [, word, rest] = /^([a-z_]\w*)=(.+)$/is.exec(text) ?? [];
  const typed = rest ?? text;
  const path = typedPath(context.world, typed);
  const bare = basename(path, extname(path)).replace(/\W+/g, '_').toLowerCase();
  const table = word?.toLowerCase() ?? (/^\d/.test(bare) ? `_${bare}` : bare);
  const again = 'Name it: --with payouts=<file>';
  if (!NAME.test(table)) throw usage(`A table cannot be named "${table}".`, again);
  if (isTaken(table)) throw usage(`${table} is a table of the mirror; ${typed} cannot have its name.`, again);
  return { table, path };
}

/** Names reserved for a mirror's own tables and views (also those this mirror does not have yet) and for the engine. */
function isTaken(name: string): boolean {
  const own = new Set([...FAMILY_INDEX, ...MIRROR_VIEWS].map((one) => one.name));
  return own.has(name.replace(/^raw_/, '')) || /^(?:sqlite_.*|pragma_.*|main|temp|_[a-z]\w*)$/.test(name);
}

async function readColumns(context: Context, path: string): Promise<GivenColumn[]> {
  const read = READERS[extname(path).toLowerCase()];
  if (!read)
    throw usage(
      `${path} does not have the extension of a CSV, JSONL or Parquet file.`,
      `It ends in ${Object.keys(READERS).join(', ')}.`,
    );
  const size = await stat(path).then(
    (facts) => (facts.isFile() ? facts.size : 0),
    () => 0,
  );
  if (size > MOST_BYTES)
    throw usage(
      `${path} is larger than ${MOST_BYTES >> 20} MiB.`,
      'DuckDB reads files of any size, next to a Parquet export of the lists (--format parquet).',
    );
  const columns = await read(context, await givenBytes(path), path);
  if (columns.length === 0) throw usage(`${path} has no columns.`);
  if (columns.length > MOST_COLUMNS) throw usage(`${path} has more than ${MOST_COLUMNS} columns.`);
  return columns;
}

function fill(database: Database, table: string, columns: readonly GivenColumn[]): void {
  const types = columns.map(({ name, type }) => `${sqlName(name)} ${type}`);
  database.exec(`CREATE TABLE ${sqlName(table)} (${types.join(', ')})`);
  const insert = database.prepare(`INSERT INTO ${sqlName(table)} VALUES (${columns.map(() => '?').join(', ')})`);
  const rows = columns[0]?.cells.length ?? 0;
  for (let row = 0; row < rows; row++) insert.runAll(columns.map(({ cells }) => cells[row] ?? null));
}

function sayColumns({ notes }: Context, table: string, path: string, columns: readonly GivenColumn[]): void {
  const shown = columns.map(({ name, type }) => `${name} (${TYPE_WORDS[type]})`);
  notes.note(`${path} is the table ${table}, ${columns[0]?.cells.length ?? 0} rows: ${shown.join(', ')}.`);
  for (const { name, stray, isUnclear } of columns) {
    if (isUnclear) notes.warn(`Note: ${table}.${name} is text: its commas may mark decimals or thousands.`);
    else if (stray !== undefined)
      notes.warn(
        `Note: ${table}.${name} is text: row ${stray} has no number, unlike most others. Summing it gives wrong figures.`,
      );
  }
}

/** Column names that SQL can tell apart: it ignores case. */
function columnNames(header: readonly string[]): string[] {
  const taken = new Set<string>();
  return header.map((text, at) => {
    const bare = text.trim() || `column_${at + 1}`;
    let name = bare;
    for (let count = 2; taken.has(name.toLowerCase()); count++) name = `${bare}_${count}`;
    taken.add(name.toLowerCase());
    return name;
  });
}

async function csvColumns({ notes }: Context, bytes: Buffer, path: string): Promise<GivenColumn[]> {
  const { header, records } = await csvRecords(notes, bytes, path);
  const ragged = records.find(({ cells }) => cells.length !== header.length);
  if (ragged)
    throw usage(`${path}, line ${ragged.line}: ${ragged.cells.length} cells, but the header has ${header.length}`);
  const columns = header.map((_, at) => records.map(({ cells }) => (cells[at] ?? '').trim()));
  return typedTexts(columnNames(header), columns);
}

async function lineColumns(_: Context, bytes: Buffer, path: string): Promise<GivenColumn[]> {
  const objects: TreeObject[] = [];
  const lines = decodeText(bytes, path)
    .replace(/^\uFEFF/, '')
    .split(/\r\n|\n|\r/);
  for (const [at, line] of lines.entries())
    if (line.trim() !== '') objects.push(objectWritten(line, `${path}, line ${at + 1}`));
  if (objects.length === 0) throw usage(`${path} has no rows.`, 'Each line is one JSON object.');
  const fields = [...new Set(objects.flatMap((one) => Object.keys(one)))];
  const rows = objects.map((one) => fields.map((field) => (Object.hasOwn(one, field) ? cellOfTree(one[field]) : null)));
  return typedValues(columnNames(fields), rows);
}

const SIXTY_FOUR = { least: -(2n ** 63n), most: 2n ** 63n - 1n };
const wholeCell = (value: bigint): Cell =>
  value >= SIXTY_FOUR.least && value <= SIXTY_FOUR.most ? value : String(value);

function cellOfTree(value: Tree | undefined): Cell {
  if (value === undefined || value === null || typeof value === 'string' || typeof value === 'number')
    return value ?? null;
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (!(value instanceof NumberText)) return serialise(value);
  return /^-?\d+$/.test(value.text) ? wholeCell(BigInt(value.text)) : value.value;
}

async function parquetColumns(_: Context, bytes: Buffer, path: string): Promise<GivenColumn[]> {
  const { parquetMetadata, parquetReadObjects, parquetSchema } = await import('hyparquet');
  const file = new Uint8Array(bytes).buffer;
  try {
    const metadata = parquetMetadata(file);
    const fields = parquetSchema(metadata).children.map(({ element }) => element.name);
    const rows = await parquetReadObjects({ file, metadata });
    return typedValues(
      columnNames(fields),
      rows.map((row) => fields.map((field) => cellOfParquet(row[field]))),
    );
  } catch (error) {
    throw usage(
      `${path} is not a readable Parquet file: ${(error as Error).message}`,
      say`Its pages must be plain or compressed with Snappy, as ${cops`export`} writes them.`,
    );
  }
}

function cellOfParquet(value: unknown): Cell {
  if (value === undefined || value === null) return null;
  if (typeof value === 'string' || typeof value === 'number' || value instanceof Uint8Array) return value;
  if (typeof value === 'bigint') return wholeCell(value);
  if (typeof value === 'boolean') return value ? 1n : 0n;
  if (value instanceof Date) return value.toISOString();
  return JSON.stringify(value, (_, inner) => (typeof inner === 'bigint' ? String(inner) : inner));
}
