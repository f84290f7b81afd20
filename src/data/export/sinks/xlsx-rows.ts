import { DAY } from '../../../base/time/units.js';
import { leavesOf, type Schema } from '../../../items/schema/types.js';
import { Clock } from '../../../items/text/times.js';
import { isFormula } from '../../../screen/spreadsheets.js';
import { Flattener, textAt } from '../flatten.js';
import type { LateFields } from '../late.js';
import { OTHER } from '../others.js';
import type { ExportInput } from '../types.js';
import type { Lines } from './sink.js';
import { STYLE } from './xlsx-parts.js';

/** Digits that a spreadsheet keeps of a number. */
const MOST_DIGITS = 15;
/** Characters of a cell. */
const MOST_TEXT = 32_767;
/** Days from the beginning of a spreadsheet's calendar to 1970; moments before March 1900 are shown as text. */
const EPOCH_DAYS = 25_569;
const FIRST_MOMENT = -2_203_891_200;
const LAST_MOMENT = 253_402_300_799;

/** Items as rows of a sheet's XML. */
export class XlsxRows {
  readonly #columns: readonly string[];
  readonly #names: readonly string[];
  readonly #moment: readonly boolean[];
  readonly #flattener: Flattener;
  readonly #clock: Clock;
  #inSheet = 0;

  constructor(
    schema: Schema,
    input: Pick<ExportInput, 'times' | 'tz'>,
    readonly late: LateFields,
  ) {
    this.#columns = leavesOf(schema).map(({ path }) => path);
    this.#moment = this.#columns.map((path) => input.times !== 'unix' && /_unix$/.test(path));
    this.#names = [...this.#columns, OTHER].map((_, i) => columnName(i));
    this.#flattener = new Flattener(this.#columns, true);
    this.#clock = new Clock(input.tz ?? 'UTC');
  }

  header(): Buffer {
    this.#inSheet = 0;
    // What is shown as a date is called one.
    const shown = this.#columns.map((name, i) => (this.#moment[i] ? name.replace(/_unix$/, '') : name));
    const cells = [...shown, OTHER].map(
      (name, i) => `<c r="${this.#names[i]}1" s="${STYLE.header}" t="inlineStr"><is><t>${xmlText(name)}</t></is></c>`,
    );
    return Buffer.from(`<row r="1">${cells.join('')}</row>`);
  }

  /** The rows of all lines in pieces; `full` where the next row belongs into another sheet. */
  async *chunks(lines: Lines, mostRows: number): AsyncGenerator<Buffer | 'full'> {
    for await (const group of lines) {
      for (const block of group) {
        let text = '';
        for (let at = 0; at < block.length; at++) {
          if (this.#inSheet === mostRows) {
            if (text !== '') yield Buffer.from(text);
            text = '';
            yield 'full';
          }
          const end = this.#flattener.row(block, at);
          text += this.#row(block);
          at = end;
          while (block[at] !== 0x0a) at++;
          if (text.length < 1 << 16) continue;
          yield Buffer.from(text);
          text = '';
        }
        if (text !== '') yield Buffer.from(text);
      }
    }
  }

  #row(block: Buffer): string {
    const { starts, ends } = this.#flattener;
    const row = ++this.#inSheet + 1;
    let text = `<row r="${row}">`;
    for (let i = 0; i < this.#columns.length; i++) {
      const start = starts[i] as number;
      if (start < 0 || block[start] === 0x6e) continue;
      text += this.#cell(`${this.#names[i]}${row}`, block, start, ends[i] as number, i);
    }
    const other = this.#flattener.others.json(this.late);
    if (other !== undefined) text += this.#text(`${this.#names[this.#columns.length]}${row}`, other, OTHER);
    return `${text}</row>`;
  }

  #cell(at: string, block: Buffer, start: number, end: number, column: number): string {
    const first = block[start] as number;
    const path = this.#columns[column] as string;
    if (first === 0x22) {
      if (!isPlain(block, start + 1, end - 1)) return this.#text(at, textAt(block, start, end), path);
      return `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${block.toString('latin1', start + 1, end - 1)}</t></is></c>`;
    }
    const raw = block.toString('utf8', start, end);
    if (first === 0x7b || first === 0x5b) return this.#text(at, raw, path);
    if (first === 0x74 || first === 0x66) return `<c r="${at}" t="b"><v>${first === 0x74 ? 1 : 0}</v></c>`;
    if (this.#moment[column] && /^-?\d+$/.test(raw)) {
      const unix = Number(raw);
      // 0 is how the service says that there is no such moment.
      if (unix === 0) return '';
      if (unix >= FIRST_MOMENT && unix <= LAST_MOMENT) {
        const serial = (unix + this.#clock.offset(unix)) / DAY + EPOCH_DAYS;
        return `<c r="${at}" s="${STYLE.moment}"><v>${serial}</v></c>`;
      }
    }
    // Without an exponent so short a number has no more digits than its place takes.
    if (raw.length <= MOST_DIGITS && !/[eE]/.test(raw)) return `<c r="${at}"><v>${raw}</v></c>`;
    const digits = raw.replace(/[eE].*$|[-.]/g, '').replace(/^0+/, '').length;
    if (digits > MOST_DIGITS || !Number.isFinite(Number(raw))) return this.#text(at, raw, path);
    return `<c r="${at}"><v>${raw}</v></c>`;
  }

  #text(at: string, text: string, path: string): string {
    let shown = text;
    if (text.length > MOST_TEXT) {
      shown = `${text.slice(0, MOST_TEXT - 60)} (cut: ${text.length} characters do not fit a cell)`;
      this.late.note(path, JSON.stringify(text));
    }
    // Marked as text that was typed so: a program that is asked to calculate anew leaves it alone.
    const style = isFormula(shown) ? ` s="${STYLE.text}"` : '';
    return `<c r="${at}"${style} t="inlineStr"><is><t xml:space="preserve">${xmlText(shown)}</t></is></c>`;
  }
}

/** 1 for what a short text may hold that neither JSON, nor XML, nor a spreadsheet takes for anything else. */
const PLAIN = new Uint8Array(256).fill(1, 0x20, 0x7f);
for (const byte of Buffer.from('&<>_\\"')) PLAIN[byte] = 0;

/** Bytes that begin a formula, or a blank that some programs take away in front of one. */
const FORMULA: ReadonlySet<number> = new Set(Buffer.from('=+-@ '));

/** Whether the characters of a string stand in a cell as they are, and are no formula. */
function isPlain(block: Buffer, start: number, end: number): boolean {
  if (end - start > 1000 || FORMULA.has(block[start] as number)) return false;
  for (let i = start; i < end; i++) if (PLAIN[block[i] as number] === 0) return false;
  return true;
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
