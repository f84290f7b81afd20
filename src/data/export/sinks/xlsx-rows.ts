import { DAY } from '../../../base/time/units.js';
import { leavesOf, type Schema } from '../../../items/schema/types.js';
import { Clock } from '../../../items/text/times.js';
import { isFormula } from '../../../screen/spreadsheets.js';
import { Flattener, leafText } from '../flatten.js';
import { type LateFields, OTHER } from '../late-fields.js';
import type { ExportInput } from '../types.js';
import type { Lines } from './sink.js';
import { SheetCells } from './xlsx-cells.js';

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Numbers of the cell styles. */
export const STYLE = { moment: 1, header: 2, text: 3 } as const;

/** The parts of a workbook besides its rows (Office Open XML, ECMA-376). */
export const STYLES =
  `${HEAD}<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts>` +
  '<fonts count="2"><font><sz val="11"/><name val="Calibri"/></font><font><b/><sz val="11"/><name val="Calibri"/></font></fonts>' +
  '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
  '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs><cellXfs count="4">' +
  '<xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
  '<xf numFmtId="164" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>' +
  '<xf numFmtId="0" fontId="1" fillId="0" borderId="0" xfId="0" applyFont="1"/>' +
  '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1" quotePrefix="1"/>' +
  '</cellXfs><cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>';

export const SHEET_START =
  `${HEAD}<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0">` +
  '<pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>';

export const SHEET_END = '</sheetData></worksheet>';

/** Sheets are named after the family: `sales`, `sales 2`. */
export function workbook(title: string, sheets: number): string {
  // A sheet's name has at most 31 characters.
  const name = title.slice(0, 24);
  const list = numbers(sheets)
    .map((n) => `<sheet name="${n === 1 ? name : `${name} ${n}`}" sheetId="${n}" r:id="rId${n}"/>`)
    .join('');
  return `${HEAD}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets>${list}</sheets></workbook>`;
}

export function workbookRelations(sheets: number): string {
  const list = numbers(sheets).map(
    (n) => `<Relationship Id="rId${n}" Type="${OFFICE}/worksheet" Target="worksheets/sheet${n}.xml"/>`,
  );
  list.push(`<Relationship Id="rId${sheets + 1}" Type="${OFFICE}/styles" Target="styles.xml"/>`);
  return `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">${list.join('')}</Relationships>`;
}

export const RELATIONS =
  `${HEAD}<Relationships xmlns="${PACKAGE}/relationships">` +
  `<Relationship Id="rId1" Type="${OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>`;

export function contentTypes(sheets: number): string {
  const list = numbers(sheets)
    .map((n) => `<Override PartName="/xl/worksheets/sheet${n}.xml" ContentType="${SHEET}.worksheet+xml"/>`)
    .join('');
  return (
    `${HEAD}<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    `<Override PartName="/xl/workbook.xml" ContentType="${SHEET}.sheet.main+xml"/>` +
    `<Override PartName="/xl/styles.xml" ContentType="${SHEET}.styles+xml"/>${list}</Types>`
  );
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, i) => i + 1);
}

/** The number of digits that a spreadsheet keeps. */
const MOST_DIGITS = 15;
/** The most characters in a cell. */
const MOST_TEXT = 32_767;
/** Days from the start of a spreadsheet's calendar to 1970; moments before March 1900 are shown as text. */
const EPOCH_DAYS = 25_569;
const FIRST_MOMENT = -2_203_891_200;
const LAST_MOMENT = 253_402_300_799;

/** Items as rows of a sheet's XML. */
export class XlsxRows {
  readonly #columns: readonly string[];
  /** The same with `_other` behind them, unless they are chosen. */
  readonly #heads: readonly string[];
  readonly #names: readonly string[];
  readonly #moment: readonly boolean[];
  readonly #flattener: Flattener;
  readonly #clock: Clock;
  readonly #cells: SheetCells;
  #inSheet = 0;

  constructor(
    schema: Schema,
    input: Pick<ExportInput, 'columns' | 'times' | 'tz'>,
    readonly late: LateFields,
  ) {
    this.#columns = input.columns ?? leavesOf(schema).map(({ path }) => path);
    this.#heads = [...this.#columns, ...(input.columns ? [] : [OTHER])];
    this.#moment = this.#columns.map((path) => input.times !== 'unix' && /_unix$/.test(path));
    this.#names = this.#heads.map((_, i) => columnName(i));
    this.#cells = new SheetCells(this.#names);
    this.#flattener = new Flattener(this.#columns, input.columns === undefined);
    this.#clock = new Clock(input.tz ?? 'UTC');
  }

  header(): Buffer {
    this.#inSheet = 0;
    // A column shown as a date is named as one.
    const shown = this.#heads.map((name, i) => (this.#moment[i] ? name.replace(/_unix$/, '') : name));
    const cells = shown.map(
      (name, i) => `<c r="${this.#names[i]}1" s="${STYLE.header}" t="inlineStr"><is><t>${xmlText(name)}</t></is></c>`,
    );
    return Buffer.from(`<row r="1">${cells.join('')}</row>`);
  }

  /** A sentence about the sheet, set apart below its rows. */
  foot(text: string): Buffer {
    const at = this.#inSheet + 3;
    return Buffer.from(`<row r="${at}"><c r="A${at}" t="inlineStr"><is><t>${xmlText(text)}</t></is></c></row>`);
  }

  /** The rows of all lines in pieces; `full` if the next row belongs on another sheet. */
  async *chunks(lines: Lines, mostRows: number): AsyncGenerator<Buffer | 'full'> {
    const cells = this.#cells;
    for await (const group of lines) {
      for (const block of group) {
        for (let at = 0; at < block.length; at++) {
          if (this.#inSheet === mostRows) {
            const last = cells.take();
            if (last) yield last;
            yield 'full';
          }
          const end = this.#flattener.row(block, at);
          this.#row(block);
          at = end;
          while (block[at] !== 0x0a) at++;
          if (cells.isFull) yield cells.take() as Buffer;
        }
      }
    }
    const last = cells.take();
    if (last) yield last;
  }

  #row(block: Buffer): void {
    const { starts, ends } = this.#flattener;
    const cells = this.#cells;
    cells.beginRow(++this.#inSheet + 1);
    for (let i = 0; i < this.#columns.length; i++) {
      const start = starts[i] as number;
      if (start >= 0 && block[start] !== 0x6e) this.#cell(block, start, ends[i] as number, i);
    }
    const other = this.#heads.length > this.#columns.length ? this.#flattener.others.json(this.late) : undefined;
    if (other !== undefined) this.#text(this.#columns.length, other, OTHER);
    cells.endRow();
  }

  #cell(block: Buffer, start: number, end: number, column: number): void {
    const cells = this.#cells;
    const first = block[start] as number;
    if (first === 0x22 || first === 0x7b || first === 0x5b) {
      if (cells.json(column, block, start, end)) return;
      const text = first === 0x22 ? leafText(block, start, end) : block.toString('utf8', start, end);
      this.#text(column, text, this.#columns[column] as string);
    } else if (first === 0x74 || first === 0x66) cells.truth(column, first === 0x74);
    else if (!this.#moment[column] || !this.#time(block, start, end, column)) this.#number(block, start, end, column);
  }

  /** False for a moment outside the spreadsheet's calendar. */
  #time(block: Buffer, start: number, end: number, column: number): boolean {
    const raw = block.toString('latin1', start, end);
    if (!/^-?\d+$/.test(raw)) return false;
    const unix = Number(raw);
    // 0 is the service's value for no time.
    if (unix === 0) return true;
    if (unix < FIRST_MOMENT || unix > LAST_MOMENT) return false;
    const serial = (unix + this.#clock.offset(unix)) / DAY + EPOCH_DAYS;
    this.#cells.rest(column, `" s="${STYLE.moment}"><v>${serial}</v></c>`);
    return true;
  }

  #number(block: Buffer, start: number, end: number, column: number): void {
    // Without an exponent, a number this short has no more digits than a cell keeps.
    if (end - start > MOST_DIGITS || hasExponent(block, start, end)) {
      const raw = block.toString('latin1', start, end);
      const digits = raw.replace(/[eE].*$|[-.]/g, '').replace(/^0+/, '').length;
      if (digits > MOST_DIGITS || !Number.isFinite(Number(raw))) {
        this.#text(column, raw, this.#columns[column] as string);
        return;
      }
    }
    this.#cells.digits(column, block, start, end);
  }

  #text(column: number, text: string, path: string): void {
    let shown = text;
    if (text.length > MOST_TEXT) {
      shown = `${text.slice(0, MOST_TEXT - 60)} (cut: ${text.length} characters do not fit a cell)`;
      this.late.note(path, JSON.stringify(text));
    }
    // Marked as typed text, so that a program which recalculates leaves it alone.
    const style = isFormula(shown) ? ` s="${STYLE.text}"` : '';
    this.#cells.rest(column, `"${style} t="inlineStr"><is><t xml:space="preserve">${xmlText(shown)}</t></is></c>`);
  }
}

function hasExponent(block: Buffer, start: number, end: number): boolean {
  for (let i = start; i < end; i++) if (((block[i] as number) | 0x20) === 0x65) return true;
  return false;
}

/** `A`, `B`, … `AA`. */
function columnName(index: number): string {
  const letter = String.fromCharCode(65 + (index % 26));
  return index < 26 ? letter : columnName(Math.floor(index / 26) - 1) + letter;
}

const ESCAPED: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** Text for XML; characters that XML cannot hold as `_x001F_`, as spreadsheet programs write and read them. */
function xmlText(text: string): string {
  if (!/[&<>_\p{Cc}\p{Cs}\ufffe\uffff]/u.test(text)) return text;
  return text
    .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
    .replace(/[&<>]/g, (found) => ESCAPED[found] as string)
    .replace(/[\p{Cc}\p{Cs}\ufffe\uffff]/gu, (found) =>
      found === '\t' || found === '\n'
        ? found
        : `_x${found.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
    );
}
