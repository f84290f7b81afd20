import { orLocal, orThrow, usage } from '../../base/errors/errors.js';
import { readGivenFile } from '../../base/files/read-file.js';
import type { Notes } from '../../screen/types.js';
import { decodeText } from '../../service/body/input-text.js';

/** A record of a CSV file, with the number of the line on which it ends. */
export interface CsvRecord {
  readonly line: number;
  readonly cells: readonly string[];
}

/** The bytes of a file or pipe named on a line. @throws CopsError `local` for an unreadable file */
export async function givenBytes(path: string): Promise<Buffer> {
  return orLocal(() => readGivenFile(path), `${path} cannot be read`);
}

/**
 * The header and the records of a CSV file with any separator: comma, semicolon, tab or bar. A file that is neither
 * UTF-8 nor UTF-16 is read as Windows-1252, which banks still write, and a note says so.
 * @throws CopsError `usage` for a file that is not CSV or has no rows
 */
export async function csvRecords(
  notes: Pick<Notes, 'note'>,
  bytes: Buffer,
  path: string,
): Promise<{ readonly header: readonly string[]; readonly records: readonly CsvRecord[] }> {
  const text = textOf(notes, bytes, path).replace(/^\uFEFF/, '');
  const [first = ''] = text.split(/\r\n|\n|\r/, 1);
  const count = (mark: string) => first.split(mark).length;
  const [delimiter = ','] = [';', '\t', '|', ','].sort((one, other) => count(other) - count(one));
  const { parse } = await import('csv-parse/sync');
  const all: { record: string[]; info: { lines: number } }[] = orThrow(
    () =>
      parse(text, {
        delimiter,
        info: true,
        relax_column_count: true,
        skip_empty_lines: true,
      }) as unknown as typeof all,
    (error) => usage(`${path} is not a readable CSV file: ${error.message}`),
  );
  const [head, ...rest] = all;
  if (!head || rest.length === 0) throw usage(`${path} has no rows.`, 'Its first line must name the columns.');
  return { header: head.record, records: rest.map(({ record, info }) => ({ line: info.lines, cells: record })) };
}

function textOf(notes: Pick<Notes, 'note'>, bytes: Buffer, path: string): string {
  try {
    return decodeText(bytes, path);
  } catch (error) {
    if (bytes.includes(0)) throw error;
    notes.note(`${path} is not UTF-8: read as Windows-1252.`);
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
