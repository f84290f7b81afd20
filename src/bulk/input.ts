import { createHash, type Hash, hash as hashOf } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type CopsError, faultsError, local, orLocal, usage } from '../base/errors/errors.js';
import { objectWritten } from '../items/json/parse-json.js';
import type { RowRecord } from './types.js';

export type InputKind = 'list' | 'ids' | 'csv' | 'tsv' | 'jsonl';

/** An input that can be read from its beginning as often as wanted. */
export interface RowSource {
  readonly kind: InputKind;
  /** The path it is read from; absent for ids on the command line. */
  readonly path?: string;
  readonly list?: readonly string[];
  /** Its name in messages. */
  readonly name: string;
  /** The cell separator if its kind implies a comma but its header has none; known once rows have been read. */
  separator?: string;
  /**
   * Its rows, a few at a time; `done` receives the checksum once the last one is read.
   * @throws CopsError local (11) or usage (2) if it cannot be read as its kind.
   */
  rows(done?: (sha256: string) => void): AsyncIterable<readonly RowRecord[]>;
}

const LONGEST_LINE = 16 * 1024 * 1024;

const ROWS_AT_A_TIME = 1000;

/** Maximum columns of a table: many times the fields of any body. */
const MOST_COLUMNS = 5_000;

/** The ids of a command line. */
export function listSource(ids: readonly string[]): RowSource {
  return {
    kind: 'list',
    name: 'the command line',
    list: ids,
    async *rows(done) {
      yield ids.map((id, index) => ({ row: index + 1, line: index + 1, id }));
      done?.(hashOf('sha256', JSON.stringify(ids), 'hex'));
    },
  };
}

/** A file of ids or rows. */
export function fileSource(path: string, kind: InputKind, name = path): RowSource {
  const source: RowSource = {
    kind,
    path,
    name,
    async *rows(done) {
      const hash = createHash('sha256');
      const text = decoded(path, name, hash);
      if (kind === 'csv' || kind === 'tsv') {
        const { mark, pieces } = kind === 'tsv' ? { mark: '\t', pieces: text } : await parted(text);
        if (kind === 'csv' && mark !== ',') source.separator = mark;
        yield* tableRows(pieces, mark, name);
      } else yield* lineRows(text, kind, name);
      done?.(hash.digest('hex'));
    },
  };
  return source;
}

/** Length of the beginning that is searched for the cell separator, characters. */
const LONGEST_LOOK = 1 << 20;

/** The separator of a table's cells: a comma, unless its header has only semicolons or tabs. Returns the whole text. */
async function parted(text: Text): Promise<{ mark: string; pieces: Text }> {
  const rest = text[Symbol.asyncIterator]();
  let head = '';
  while (!/[\r\n]/.test(head.trimStart()) && head.length < LONGEST_LOOK) {
    const { value, done } = await rest.next();
    if (done) break;
    head += value;
  }
  const [header = ''] = head.trimStart().split(/[\r\n]/, 1);
  const mark = header.includes(',') ? ',' : ([';', '\t'].find((one) => header.includes(one)) ?? ',');
  const pieces = async function* () {
    try {
      yield head;
      yield* { [Symbol.asyncIterator]: () => rest };
    } finally {
      await rest.return?.();
    }
  };
  return { mark, pieces: pieces() };
}

/** The kind of a rows file by its extension; undefined if that is not conclusive. */
export function kindByName(path: string): 'csv' | 'tsv' | 'jsonl' | undefined {
  const ending = /\.(csv|tsv|jsonl|ndjson)$/i.exec(path)?.[1]?.toLowerCase();
  return ending === 'ndjson' ? 'jsonl' : (ending as 'csv' | 'tsv' | 'jsonl' | undefined);
}

/** The kind of a rows file by its first characters. */
export async function kindByContent(path: string, name: string): Promise<'csv' | 'tsv' | 'jsonl'> {
  for await (const { lines } of textLines(decoded(path, name), name)) {
    const text = lines.find((line) => line.trim() !== '');
    if (text === undefined) continue;
    if (text.trimStart().startsWith('{')) return 'jsonl';
    return text.includes('\t') ? 'tsv' : 'csv';
  }
  throw usage(`${name} is empty: it has no rows`);
}

/** Whether the path can be read twice; pipes and devices cannot. */
export async function isRegular(path: string): Promise<boolean> {
  const facts = await orLocal(() => stat(path), `cannot read ${path}`);
  if (facts.isDirectory()) throw local(`cannot read ${path}: it is a folder`);
  return facts.isFile();
}

/** Stores a stream in a file (mode 0600) so that it can be read again; never overwrites a file. */
export async function keepStream(from: NodeJS.ReadableStream, path: string): Promise<void> {
  await orLocal(
    () => pipeline(from, createWriteStream(path, { flags: 'wx', mode: 0o600, flush: true })),
    `cannot store the rows in ${path}`,
  );
}

type Text = AsyncIterable<string>;

async function* lineRows(pieces: Text, kind: InputKind, name: string): AsyncIterable<readonly RowRecord[]> {
  let row = 0;
  for await (const { lines, first } of textLines(pieces, name)) {
    const records: RowRecord[] = [];
    for (const [index, text] of lines.entries()) {
      const trimmed = text.trim();
      if (trimmed === '') continue;
      const line = first + index;
      row++;
      records.push({
        row,
        line,
        ...(kind === 'jsonl' ? { object: objectWritten(trimmed, `${name}, line ${line}`) } : { id: trimmed }),
      });
    }
    yield records;
  }
}

async function* tableRows(pieces: Text, delimiter: string, name: string): AsyncIterable<readonly RowRecord[]> {
  const { parse } = await import('csv-parse');
  let header: readonly string[] | undefined;
  let row = 0;
  let records: RowRecord[] = [];
  const parser = parse({
    delimiter,
    info: true,
    relax_column_count: true,
    skip_empty_lines: true,
    max_record_size: LONGEST_LINE,
    record_delimiter: ['\r\n', '\n', '\r'],
  });
  const source = Readable.from(narrow(pieces, delimiter, name));
  const failed = pipeline(source, parser).catch(() => undefined);
  try {
    for await (const { record, info } of parser as AsyncIterable<{ record: string[]; info: { lines: number } }>) {
      const line = info.lines - record.reduce((sum, cell) => sum + cell.split('\n').length - 1, 0);
      if (!header) {
        header = checkedHeader(record, name);
        continue;
      }
      if (record.every((cell) => cell.trim() === '')) continue;
      row++;
      if (record.length !== header.length)
        throw usage(`${name}, line ${line}: ${record.length} cells, but the header has ${header.length}`);
      const cells: Record<string, string> = Object.create(null);
      for (const [index, column] of header.entries()) cells[column] = record[index] ?? '';
      records.push({ row, line, cells });
      if (records.length < ROWS_AT_A_TIME) continue;
      yield records;
      records = [];
    }
    yield records;
    await failed;
  } catch (fault) {
    throw tableFault(fault, name);
  }
  if (!header) throw usage(`${name} is empty: a header line with column names is expected`);
}

/** The unchanged text, once its first line is known to have a plausible number of columns. */
async function* narrow(pieces: Text, mark: string, name: string): Text {
  let marks = 0;
  let inHeader = true;
  for await (const piece of pieces) {
    if (inHeader) {
      const text = piece.trimStart();
      const end = text.search(/[\r\n]/);
      marks += (end < 0 ? text : text.slice(0, end)).split(mark).length - 1;
      inHeader = end < 0;
      if (marks >= MOST_COLUMNS) {
        throw usage(
          `${name}: the header line has more than ${MOST_COLUMNS} columns`,
          'Check the separator, or remove the columns that belong to no field.',
        );
      }
    }
    yield piece;
  }
}

function checkedHeader(record: readonly string[], name: string): readonly string[] {
  const header = record.map((cell) => cell.trim());
  const faults: { path: string; message: string }[] = [];
  const seen = new Set<string>();
  for (const [index, column] of header.entries()) {
    if (column === '') faults.push({ path: `column ${index + 1}`, message: 'has no name' });
    else if (seen.has(column)) faults.push({ path: column, message: 'is there twice' });
    seen.add(column);
  }
  if (faults.length > 0) throw faultsError(`${name}: the header line cannot be used`, faults);
  return header;
}

function tableFault(fault: unknown, name: string): unknown {
  const { code, lines, message } = fault as { code?: unknown; lines?: unknown; message?: string };
  if (typeof code !== 'string' || !/^(CSV|INVALID)_/.test(code)) return fault;
  return usage(`${name}${typeof lines === 'number' ? `, line ${lines}` : ''}: ${message ?? code}`);
}

/** Lines, some at a time, with the number of the first one. */
async function* textLines(pieces: Text, name: string): AsyncIterable<{ lines: readonly string[]; first: number }> {
  let rest = '';
  let first = 1;
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield { lines, first };
    first += lines.length;
    if (rest.length > LONGEST_LINE) throw usage(`${name}, line ${first} is too long`);
  }
  if (rest !== '') yield { lines: [rest], first };
}

/** The text of a file in UTF-8 or UTF-16, without its byte order mark. */
async function* decoded(path: string, name: string, hash?: Hash): Text {
  let decoder: InstanceType<typeof TextDecoder> | undefined;
  try {
    for await (const piece of createReadStream(path, { highWaterMark: 1 << 18 }) as AsyncIterable<Buffer>) {
      hash?.update(piece);
      decoder ??= new TextDecoder(encodingOf(piece), { fatal: true });
      const text = decoder.decode(piece, { stream: true });
      if (text.includes('\0')) throw binary(name);
      yield text;
    }
    yield decoder?.decode() ?? '';
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ERR_ENCODING_INVALID_ENCODED_DATA') throw binary(name);
    if (typeof (cause as NodeJS.ErrnoException).syscall === 'string')
      throw local(`cannot read ${name}: ${(cause as Error).message}`, undefined, cause);
    throw cause;
  }
}

function binary(name: string): CopsError {
  return local(`${name} is not text in UTF-8 or UTF-16`, 'Save it as UTF-8.');
}

function encodingOf(piece: Buffer): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if (piece[0] === 0xff && piece[1] === 0xfe) return 'utf-16le';
  if (piece[0] === 0xfe && piece[1] === 0xff) return 'utf-16be';
  return 'utf-8';
}
