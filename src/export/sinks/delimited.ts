import { flatColumns, OTHER } from '../columns.js';
import { Flattener } from '../flatten.js';
import type { ExportInput } from '../types.js';
import type { Encoder } from './sink.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Csv as RFC 4180 quotes it, tsv with `\t`, `\n`, `\r` and `\\` for what would break a row; line feeds between rows.
 * Without chosen columns a last one, `_other`, takes what no column has, so that nothing is lost.
 */
export function delimited(input: Pick<ExportInput, 'family' | 'columns' | 'csvSafe'>, format: 'csv' | 'tsv'): Encoder {
  const chosen = input.columns;
  const columns = chosen ?? flatColumns(input.family).map(({ path }) => path);
  const flattener = new Flattener(columns, chosen === undefined);
  const out = new Cells(format, input.csvSafe);
  return {
    header() {
      for (const [i, name] of [...columns, ...(chosen ? [] : [OTHER])].entries()) {
        if (i > 0) out.separator();
        out.text(name, false);
      }
      out.endRow();
      return out.take();
    },
    encode(lines) {
      const { starts, ends } = flattener;
      for (let at = 0; at < lines.length; at++) {
        at = flattener.row(lines, at);
        while (lines[at] !== 0x0a) at++;
        for (let i = 0; i < columns.length; i++) {
          if (i > 0) out.separator();
          if ((starts[i] as number) >= 0) out.value(lines, starts[i] as number, ends[i] as number);
        }
        if (!chosen) {
          out.separator();
          const other = flattener.other();
          if (other !== undefined) out.text(other, false);
        }
        out.endRow();
      }
      return out.take();
    },
  };
}

/** Cells as bytes. */
class Cells {
  #bytes = Buffer.allocUnsafe(1 << 16);
  #used = 0;
  readonly #csv: boolean;
  readonly #glue: number;
  /** 1 for bytes that need care in a cell. */
  readonly #care = new Uint8Array(256);

  constructor(
    format: 'csv' | 'tsv',
    readonly safe: boolean,
  ) {
    this.#csv = format === 'csv';
    this.#glue = this.#csv ? 0x2c : 0x09;
    for (const byte of this.#csv ? [QUOTE, 0x2c, 0x0a, 0x0d] : [BACKSLASH, 0x09, 0x0a, 0x0d]) this.#care[byte] = 1;
    // A string's escapes are resolved first.
    this.#care[BACKSLASH] = 1;
  }

  separator(): void {
    this.#byte(this.#glue);
  }

  endRow(): void {
    this.#byte(0x0a);
  }

  take(): Buffer {
    const whole = Buffer.from(this.#bytes.subarray(0, this.#used));
    this.#used = 0;
    return whole;
  }

  /** A JSON value: a string's text, a number or truth value as it stands, JSON for the rest, nothing for null. */
  value(bytes: Buffer, start: number, end: number): void {
    const first = bytes[start] as number;
    if (first === 0x6e) return;
    if (first === QUOTE) this.#string(bytes, start, end);
    else if (first === 0x7b || first === 0x5b) this.text(bytes.toString('utf8', start, end), false);
    else this.#copy(bytes, start, end);
  }

  #string(bytes: Buffer, start: number, end: number): void {
    this.#room(end - start);
    const out = this.#bytes;
    const care = this.#care;
    let used = this.#used;
    for (let i = start + 1; i < end - 1; i++) {
      const byte = bytes[i] as number;
      if (care[byte] === 1) {
        this.text(JSON.parse(bytes.toString('utf8', start, end)) as string, true);
        return;
      }
      out[used++] = byte;
    }
    if (this.safe && isFormula(bytes[start + 1] as number) && end - start > 2) {
      this.text(bytes.toString('utf8', start + 1, end - 1), true);
      return;
    }
    this.#used = used;
  }

  /** Any text, quoted or escaped as needed; `fromString` marks text that the csv switch guards. */
  text(text: string, fromString: boolean): void {
    const guarded = this.safe && fromString && isFormula(text.charCodeAt(0)) ? `'${text}` : text;
    const cell = this.#csv
      ? /[",\r\n]/.test(guarded)
        ? `"${guarded.replaceAll('"', '""')}"`
        : guarded
      : guarded.replace(/[\\\t\n\r]/g, (found) => TSV[found] as string);
    this.#room(cell.length * 3);
    this.#used += this.#bytes.write(cell, this.#used, 'utf8');
  }

  #copy(bytes: Buffer, start: number, end: number): void {
    this.#room(end - start);
    for (let i = start; i < end; i++) this.#bytes[this.#used++] = bytes[i] as number;
  }

  #byte(byte: number): void {
    if (this.#used === this.#bytes.length) this.#room(1);
    this.#bytes[this.#used++] = byte;
  }

  #room(bytes: number): void {
    if (this.#used + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#used + bytes));
    this.#bytes.copy(larger, 0, 0, this.#used);
    this.#bytes = larger;
  }
}

const TSV: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' };

/** What a spreadsheet takes for a formula, or what hides one from a reader: = + - @, tab, carriage return. */
function isFormula(first: number): boolean {
  return first === 0x3d || first === 0x2b || first === 0x2d || first === 0x40 || first === 0x09 || first === 0x0d;
}
