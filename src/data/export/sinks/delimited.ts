import { leavesOf, type Schema } from '../../../items/schema/types.js';
import { Clock } from '../../../items/text/times.js';
import {
  csvCell,
  type Excel,
  isCutNumber,
  isFormula,
  isMisread,
  localNumber,
  tsvCell,
} from '../../../screen/spreadsheets.js';
import { Flattener } from '../flatten.js';
import { LateFields, OTHER } from '../late-fields.js';
import type { ExportInput } from '../types.js';
import type { Encoder } from './sink.js';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** The character that follows a backslash for a byte; 0 for code points. */
const ESCAPED = new Uint8Array(256);
for (const [letter, text] of Object.entries({
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}))
  ESCAPED[letter.charCodeAt(0)] = text.charCodeAt(0);

export type DelimitedInput = Pick<ExportInput, 'columns' | 'csvSafe' | 'times' | 'tz' | 'excel'>;

/**
 * Csv quoted as in RFC 4180; tsv with `\\t`, `\\n`, `\\r` and `\\\\` for characters that would break a row; line feeds
 * between rows. Without chosen columns, there is one for each leaf of the schema, and a last one, `_other`, for
 * everything that no column takes, so that nothing is lost.
 */
export function delimited(input: DelimitedInput, schema: Schema, format: 'csv' | 'tsv'): Encoder {
  const chosen = input.columns;
  const columns = chosen ?? leavesOf(schema).map(({ path }) => path);
  const flattener = new Flattener(columns, chosen === undefined);
  const late = new LateFields();
  const out = new Cells(format, input);
  const asTime = Uint8Array.from(columns, (path) => (input.times !== 'unix' && /_unix$/.test(path) ? 1 : 0));
  return {
    header() {
      if (input.excel) out.mark();
      for (const [i, name] of [...columns, ...(chosen ? [] : [OTHER])].entries()) {
        if (i > 0) out.separator();
        out.text(out.safe && isFormula(name) ? `'${name}` : name, false);
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
          const start = starts[i] as number;
          if (start < 0) continue;
          if (asTime[i] === 1) out.time(lines, start, ends[i] as number);
          else out.value(lines, start, ends[i] as number);
        }
        if (!chosen) {
          out.separator();
          const other = flattener.others.json(late);
          if (other !== undefined) out.text(other, false);
        }
        out.endRow();
      }
      return out.take();
    },
    late: () => late.take(),
  };
}

/** Cells as bytes. */
class Cells {
  #bytes = Buffer.allocUnsafe(1 << 16);
  #used = 0;
  readonly #csv: boolean;
  readonly #glue: number;
  /** 1 for bytes that need quoting or escaping in a cell. */
  readonly #care = new Uint8Array(256);

  /** Guards text that a spreadsheet could execute. */
  readonly safe: boolean;
  readonly #excel: Excel | undefined;
  readonly #clock: Clock;

  constructor(format: 'csv' | 'tsv', input: DelimitedInput) {
    this.#csv = format === 'csv';
    this.#glue = this.#csv ? (input.excel?.separator ?? ',').charCodeAt(0) : 0x09;
    this.safe = input.csvSafe || input.excel !== undefined;
    this.#excel = input.excel;
    this.#clock = new Clock(input.tz ?? 'UTC');
    for (const byte of this.#csv ? [QUOTE, this.#glue, 0x0a, 0x0d] : [BACKSLASH, 0x09, 0x0a, 0x0d])
      this.#care[byte] = 1;
    // Resolves a string's escapes first.
    this.#care[BACKSLASH] = 1;
  }

  /** The byte order mark, from which spreadsheet programs recognise UTF-8. */
  mark(): void {
    for (const byte of [0xef, 0xbb, 0xbf]) this.#byte(byte);
  }

  /** Seconds since the epoch as a moment; 0, the service's value for no time, as an empty cell. */
  time(bytes: Buffer, start: number, end: number): void {
    let unix = 0;
    for (let i = start; i < end; i++) {
      const digit = (bytes[i] as number) - 0x30;
      if (digit < 0 || digit > 9 || end - start > 11) {
        this.value(bytes, start, end);
        return;
      }
      unix = unix * 10 + digit;
    }
    if (unix === 0) return;
    const text = this.#excel ? this.#clock.plain(unix) : this.#clock.iso(unix);
    this.#room(text.length);
    // Text this short is copied faster than a call into the engine starts.
    const out = this.#bytes;
    const used = this.#used;
    for (let i = 0; i < text.length; i++) out[used + i] = text.charCodeAt(i);
    this.#used = used + text.length;
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

  /** A JSON value: the text of a string, a number or boolean unchanged, JSON for the rest, nothing for null. */
  value(bytes: Buffer, start: number, end: number): void {
    const first = bytes[start] as number;
    if (first === 0x6e) return;
    if (first === QUOTE) this.#string(bytes, start, end);
    else if (first === 0x7b || first === 0x5b) this.#json(bytes, start, end);
    else if (this.#excel) this.#localNumber(bytes.toString('latin1', start, end), this.#excel);
    else this.#copy(bytes, start, end);
  }

  #localNumber(text: string, excel: Excel): void {
    this.text(isCutNumber(text) ? `'${text}` : localNumber(text, excel), false);
  }

  #copy(bytes: Buffer, start: number, end: number): void {
    this.#room(end - start);
    const out = this.#bytes;
    let used = this.#used;
    for (let i = start; i < end; i++) out[used++] = bytes[i] as number;
    this.#used = used;
  }

  /** JSON unchanged, without making a string of it: quoted in csv where necessary. */
  #json(bytes: Buffer, start: number, end: number): void {
    this.#room(2 * (end - start) + 2);
    const out = this.#bytes;
    const care = this.#care;
    let used = this.#used;
    let at = start;
    for (; at < end && care[bytes[at] as number] === 0; at++) out[used++] = bytes[at] as number;
    if (at === end) {
      this.#used = used;
    } else if (this.#csv) {
      used = this.#used;
      out[used++] = QUOTE;
      for (at = start; at < end; at++) {
        const byte = bytes[at] as number;
        if (byte === QUOTE) out[used++] = QUOTE;
        out[used++] = byte;
      }
      out[used++] = QUOTE;
      this.#used = used;
    } else this.text(bytes.toString('utf8', start, end), false);
  }

  #string(bytes: Buffer, start: number, end: number): void {
    this.#room(2 * (end - start) + 2);
    const out = this.#bytes;
    const care = this.#care;
    let used = this.#used;
    for (let i = start + 1; i < end - 1; i++) {
      const byte = bytes[i] as number;
      if (care[byte] === 1) {
        if (this.safe || !this.#csv || !this.#quotedString(bytes, start, end))
          this.text(JSON.parse(bytes.toString('utf8', start, end)) as string, true);
        return;
      }
      out[used++] = byte;
    }
    const isGuarded = this.safe && mayHide(bytes[start + 1] as number);
    if ((isGuarded || this.#excel !== undefined) && end - start > 2) {
      this.text(bytes.toString('utf8', start + 1, end - 1), true);
      return;
    }
    this.#used = used;
  }

  /**
   * A csv string as bytes, with its escapes resolved; false, without writing anything, if it contains an escaped code
   * point.
   */
  #quotedString(bytes: Buffer, start: number, end: number): boolean {
    const out = this.#bytes;
    let used = this.#used + 1;
    let quoted = false;
    for (let i = start + 1; i < end - 1; i++) {
      let byte = bytes[i] as number;
      if (byte === BACKSLASH) {
        byte = ESCAPED[bytes[++i] as number] as number;
        if (byte === 0) return false;
      }
      if (byte === QUOTE) out[used++] = QUOTE;
      quoted ||= byte !== BACKSLASH && this.#care[byte] === 1;
      out[used++] = byte;
    }
    if (quoted) {
      out[this.#used] = QUOTE;
      out[used++] = QUOTE;
      this.#used = used;
    } else {
      out.copyWithin(this.#used, this.#used + 1, used);
      this.#used = used - 1;
    }
    return true;
  }

  /** Any text, quoted or escaped as needed; `fromString` marks text that the csv guard applies to. */
  text(text: string, fromString: boolean): void {
    const isRun = this.safe && isFormula(text);
    const isGuarded = fromString && (isRun || (this.#excel !== undefined && isMisread(text, this.#excel)));
    const guarded = isGuarded ? `'${text}` : text;
    const cell = this.#csv ? csvCell(guarded, this.#excel?.separator ?? ',') : tsvCell(guarded);
    this.#room(cell.length * 3);
    this.#used += this.#bytes.write(cell, this.#used, 'utf8');
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

/**
 * Whether a text with this first byte may be a formula: a formula sign, a space, or the start of a multi-byte
 * character.
 */
function mayHide(first: number): boolean {
  return first <= 0x20 || first >= 0x7f || first === 0x3d || first === 0x2b || first === 0x2d || first === 0x40;
}
