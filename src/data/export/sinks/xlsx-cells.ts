/** Bytes of XML after which they are flushed. */
const PIECE = 1 << 16;
/** The length of a longer text is counted in characters first. */
const MOST_BYTES = 16_000;

/** The usual size of a row. */
const ROOM = PIECE + (1 << 13);

const bytesOf = (text: string) => Buffer.from(text, 'latin1');
const ROW = bytesOf('<row r="');
const ROW_OPEN = bytesOf('">');
const ROW_END = bytesOf('</row>');
const TEXT = bytesOf('" t="inlineStr"><is><t>');
const SPACED = bytesOf('" t="inlineStr"><is><t xml:space="preserve">');
const TEXT_END = bytesOf('</t></is></c>');
const TRUTH = bytesOf('" t="b"><v>');
const NUMBER = bytesOf('"><v>');
const VALUE_END = bytesOf('</v></c>');

/**
 * How a byte of text is written to XML: unchanged, as an entity, depending on the next byte, or only after a closer
 * look.
 */
const PLAIN = 0;
const ENTITY = 1;
const ESCAPE = 2;
const CARE = 3;
/** In a string: JSON escapes, and bytes that may begin a control character or an invalid one. */
const OF_STRING = new Uint8Array(256).fill(CARE, 0, 0x20);
for (const byte of [0x5c, 0x7f, 0xc2, 0xef]) OF_STRING[byte] = CARE;
const ENTITIES = new Map(
  [...'&<>'].map((sign, i) => [sign.charCodeAt(0), bytesOf(['&amp;', '&lt;', '&gt;'][i] as string)]),
);
for (const byte of ENTITIES.keys()) OF_STRING[byte] = ENTITY;
OF_STRING[0x5f] = ESCAPE;
/** In a list or an object, which is shown as its JSON. */
const OF_JSON = Uint8Array.from(OF_STRING);
OF_JSON[0x5c] = PLAIN;

/** Bytes that begin a formula, or a space that some programs remove in front of one. */
const FORMULA: ReadonlySet<number> = new Set(bytesOf('=+-@ '));

/** A sheet's cells as bytes: most go from the item to the file without becoming strings. */
export class SheetCells {
  #bytes = Buffer.allocUnsafe(ROOM);
  #used = 0;
  #row = bytesOf('1');
  readonly #begins: readonly Buffer[];

  constructor(
    /** Letters of the columns. */
    names: readonly string[],
  ) {
    this.#begins = names.map((name) => bytesOf(`<c r="${name}`));
  }

  get isFull(): boolean {
    return this.#used >= PIECE;
  }

  /** What has been written since the last call; undefined for nothing. */
  take(): Buffer | undefined {
    if (this.#used === 0) return undefined;
    const piece = this.#bytes.subarray(0, this.#used);
    this.#bytes = Buffer.allocUnsafe(ROOM);
    this.#used = 0;
    return piece;
  }

  beginRow(row: number): void {
    this.#row = bytesOf(String(row));
    this.#room(64);
    this.#put(ROW);
    this.#put(this.#row);
    this.#put(ROW_OPEN);
  }

  endRow(): void {
    this.#room(ROW_END.length);
    this.#put(ROW_END);
  }

  /** The text of a JSON string, or JSON as text; false, without writing anything, if it needs a closer look. */
  json(column: number, json: Buffer, start: number, end: number): boolean {
    const isString = json[start] === 0x22;
    const from = isString ? start + 1 : start;
    const to = isString ? end - 1 : end;
    const first = json[from] as number;
    if (to - from > MOST_BYTES || (isString && (first >= 0x80 || FORMULA.has(first)))) return false;
    const how = isString ? OF_STRING : OF_JSON;
    this.#room(5 * (to - from) + 128);
    const before = this.#used;
    this.#begin(column, json[to - 1] === 0x20 ? SPACED : TEXT);
    const out = this.#bytes;
    let used = this.#used;
    for (let i = from; i < to; i++) {
      const byte = json[i] as number;
      const kind = how[byte] as number;
      if (kind === PLAIN) out[used++] = byte;
      else if (kind === ENTITY) {
        for (const part of ENTITIES.get(byte) as Buffer) out[used++] = part;
      } else if (kind === ESCAPE && json[i + 1] !== 0x78) out[used++] = byte;
      else {
        this.#used = before;
        return false;
      }
    }
    this.#used = used;
    this.#put(TEXT_END);
    return true;
  }

  truth(column: number, isTrue: boolean): void {
    this.#room(64);
    this.#begin(column, TRUTH);
    this.#bytes[this.#used++] = isTrue ? 0x31 : 0x30;
    this.#put(VALUE_END);
  }

  /** A number as it stands. */
  digits(column: number, json: Buffer, start: number, end: number): void {
    this.#room(end - start + 64);
    this.#begin(column, NUMBER);
    const out = this.#bytes;
    let used = this.#used;
    for (let i = start; i < end; i++) out[used++] = json[i] as number;
    this.#used = used;
    this.#put(VALUE_END);
  }

  /** A cell, given everything that follows its reference. */
  rest(column: number, xml: string): void {
    this.#room(3 * xml.length + 64);
    this.#begin(column, NOTHING);
    this.#used += this.#bytes.write(xml, this.#used, 'utf8');
  }

  #begin(column: number, next: Buffer): void {
    this.#put(this.#begins[column] as Buffer);
    this.#put(this.#row);
    this.#put(next);
  }

  /** Few bytes are copied faster than a call into the engine starts. */
  #put(bytes: Buffer): void {
    const out = this.#bytes;
    const used = this.#used;
    const { length } = bytes;
    for (let i = 0; i < length; i++) out[used + i] = bytes[i] as number;
    this.#used = used + length;
  }

  #room(bytes: number): void {
    if (this.#used + bytes <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#used + bytes));
    this.#bytes.copy(larger, 0, 0, this.#used);
    this.#bytes = larger;
  }
}

const NOTHING = Buffer.alloc(0);
