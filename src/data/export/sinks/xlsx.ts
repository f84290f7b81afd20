import { Readable } from 'node:stream';
import type { ZipFile } from 'yazl';
import { closing } from '../../../base/errors/errors.js';
import type { Schema } from '../../../items/schema/types.js';
import { onFile } from '../files.js';
import { LateFields } from '../late-fields.js';
import type { ExportInput, Segment } from '../types.js';
import { type Lines, NewFile, type Written } from './sink.js';
import {
  contentTypes,
  RELATIONS,
  SHEET_END,
  SHEET_START,
  STYLES,
  workbook,
  workbookRelations,
  XlsxRows,
} from './xlsx-rows.js';

/** Rows per sheet besides the header: what spreadsheet programs can open. */
const MOST_ROWS = 1_048_575;
/** Compressed bytes come in small pieces. */
const WRITTEN_AT_ONCE = 1 << 18;

/**
 * Writes lines as a workbook with as many sheets as needed, in constant memory, durably; equal lines give equal bytes.
 * `foot` stands below the rows of each sheet.
 */
export async function writeXlsx(
  path: string,
  lines: Lines,
  schema: Schema,
  input: Pick<ExportInput, 'columns' | 'times' | 'tz' | 'family'> & { readonly foot?: string },
  mostRows = MOST_ROWS,
): Promise<Segment & Pick<Written, 'late'>> {
  const { default: yazl } = await import('yazl');
  const zip = new yazl.ZipFile();
  return onFile(path, 'write', async () => {
    return closing(await NewFile.create(path), async (file) => {
      const drain = async () => {
        let waiting: Buffer[] = [];
        let bytes = 0;
        for await (const chunk of zip.outputStream as AsyncIterable<Buffer>) {
          waiting.push(chunk);
          bytes += chunk.length;
          if (bytes < WRITTEN_AT_ONCE) continue;
          await file.write(waiting);
          waiting = [];
          bytes = 0;
        }
        await file.write(waiting);
      };
      const late = new LateFields();
      const filled = fill(zip, lines, new XlsxRows(schema, input, late), input, mostRows);
      await Promise.all([drain(), filled]);
      return { ...(await file.finish()), late: late.take() };
    });
  });
}

/** The earliest time that the archive can express, on every machine. Rows of XML compress well at the lowest level. */
function entry() {
  return { compressionLevel: 1, mtime: new Date(1980, 0, 1), mode: 0o100644, forceDosTimestamp: true };
}

async function fill(
  zip: ZipFile,
  lines: Lines,
  rows: XlsxRows,
  { family: { name: title }, foot }: Pick<ExportInput, 'family'> & { readonly foot?: string },
  mostRows: number,
): Promise<void> {
  const source = rows.chunks(lines, mostRows);
  let sheets = 0;
  let more = true;
  while (more) {
    sheets++;
    const stream = Readable.from(
      (async function* () {
        yield Buffer.from(SHEET_START);
        yield rows.header();
        for (;;) {
          const { value, done } = await source.next();
          more = !done;
          if (done || value === 'full') break;
          yield value;
        }
        if (foot !== undefined) yield rows.foot(foot);
        yield Buffer.from(SHEET_END);
      })(),
      { objectMode: false },
    );
    const ended = new Promise<void>((resolve, reject) => stream.once('end', resolve).once('error', reject));
    zip.addReadStream(stream, `xl/worksheets/sheet${sheets}.xml`, entry());
    await ended;
  }
  const parts: readonly (readonly [string, string])[] = [
    ['xl/styles.xml', STYLES],
    ['xl/workbook.xml', workbook(title, sheets)],
    ['xl/_rels/workbook.xml.rels', workbookRelations(sheets)],
    ['_rels/.rels', RELATIONS],
    ['[Content_Types].xml', contentTypes(sheets)],
  ];
  for (const [name, text] of parts) zip.addBuffer(Buffer.from(text), name, entry());
  zip.end();
}
