import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { writeGiven } from '../../account/given-target.js';
import { readThere } from '../../base/files/read-file.js';
import { randomBytes } from '../../base/random.js';
import type { SchemaField } from '../../items/schema/types.js';
import { cell, row as csvRow, excelOf } from '../../screen/spreadsheets.js';
import type { Context } from '../../session/context/context.js';
import { DIMENSIONS } from './dimensions.js';
import type { Figures } from './figures.js';
import { cellJson, namedRows, rowJson } from './report-document.js';
import type { ReportColumn } from './report-question.js';
import type { ReportValue } from './types.js';

/** The file of rows named by `--out`. */
export interface RowsFile {
  readonly path: string;
  readonly typed: string;
  readonly format: 'csv' | 'xlsx';
}

/**
 * Writes only the rows of a report, as `-o csv` does. Below them a workbook says what they cover.
 * @param foot period, zone, mode and age of the data
 */
export async function writeRows(
  context: Context,
  { path, typed, format }: RowsFile,
  name: string,
  figures: Figures,
  foot: string,
) {
  const target = { path, typed, option: '--out', own: context };
  if (format === 'csv') await writeGiven(target, await csvOf(context, figures));
  else await writeGiven(target, await workbookOf(path, name, figures, foot));
  context.notes.note(`Written: ${path} (${figures.rows.length} ${figures.rows.length === 1 ? 'row' : 'rows'})`);
}

async function csvOf(context: Context, { statement: { columns }, rows }: Figures): Promise<string> {
  const { csvSafe, excel } = await context.settings();
  const separator = excel ? excelOf(context.world.env).separator : ',';
  const safe = csvSafe === true || Boolean(excel);
  const texts = [
    columns.map(({ name }) => cell(JSON.stringify(name), safe)),
    ...namedRows(rows).map((one) =>
      columns.map((column) => cell(cellJson(one[column.name] ?? null, column, one), safe)),
    ),
  ];
  return `${excel ? '\ufeff' : ''}${texts.map((cells) => csvRow(cells, 'csv', separator)).join('')}`;
}

/** The bytes of a workbook. It is built next to its final place, since zipping needs files on both sides. */
async function workbookOf(
  path: string,
  name: string,
  { statement: { columns }, rows }: Figures,
  foot: string,
): Promise<Buffer> {
  const { writeXlsx } = await import('../export/sinks/xlsx.js');
  const draft = join(dirname(path), `.${randomBytes(6).toString('hex')}.xlsx.tmp`);
  // A dot in a name would address a nested field of the item.
  const named = columns.map((column): ReportColumn => {
    const plain = column.name.replaceAll('.', DIMENSIONS[column.name] ? '_' : '\u2024');
    // A moment in unix seconds becomes a date under its name without the ending.
    if (column.unit === 'moment') return { ...column, name: `${plain}_unix`, unit: 'count' };
    const isCount = column.unit === 'text' && rows.some((row) => typeof row[column.name] === 'number');
    return { ...column, name: plain, unit: isCount ? 'count' : column.unit };
  });
  const unixIn = (value: ReportValue, { unit }: ReportColumn): ReportValue =>
    unit === 'moment' && value !== null ? Math.floor(Date.parse(String(value)) / 1000) : value;
  const lines = namedRows(rows).map((one) => {
    const own = Object.fromEntries(
      columns.map((column, i) => [(named[i] as ReportColumn).name, unixIn(one[column.name] ?? null, column)]),
    );
    return Buffer.from(`${rowJson({ ...own, currency: one.currency ?? null }, named)}\n`);
  });
  const schema = named.map(({ name, unit }): SchemaField => ({ name, type: unit === 'text' ? 'text' : 'decimal' }));
  try {
    const whole = (async function* () {
      yield lines;
    })();
    const input = { times: 'iso', tz: 'UTC', family: { name }, columns: named.map((column) => column.name), foot };
    await writeXlsx(draft, whole, schema, input as unknown as Parameters<typeof writeXlsx>[3]);
    return readThere(draft);
  } finally {
    await rm(draft, { force: true });
  }
}
