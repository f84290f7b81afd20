import type { CellTaker, SqlValue } from './sqlite-columns.js';
import { putVarint } from './sqlite-pages.js';

const BACKSLASH = 0x5c;
const REAL = 7;
/** The longest text whose type fits one byte. */
const SHORT = 57;

/** Encodes one row as a SQLite record (https://www.sqlite.org/fileformat2.html, 2.1). */
export class TableRow implements CellTaker {
  types = Buffer.alloc(1 << 10);
  typesLength = 0;
  body = Buffer.alloc(1 << 16);
  bodyLength = 0;

  /** Starts a row. @param bytes an upper bound for its texts */
  begin(values: number, bytes: number): void {
    this.typesLength = 0;
    this.bodyLength = 0;
    if (this.types.length < 9 * values) this.types = Buffer.alloc(18 * values);
    const most = bytes + 8 * values;
    if (this.body.length < most) this.body = Buffer.alloc(2 * most);
  }

  none(): void {
    this.types[this.typesLength++] = 0;
  }

  raw(bytes: Buffer, start: number, end: number): void {
    const length = end - start;
    this.#typeOfText(length);
    if (length > SHORT) bytes.copy(this.body, this.bodyLength, start, end);
    else for (let from = start, to = this.bodyLength; from < end; ) this.body[to++] = bytes[from++] as number;
    this.bodyLength += length;
  }

  string(bytes: Buffer, start: number, end: number): void {
    const body = this.body;
    let to = this.bodyLength;
    for (let from = start + 1; from < end - 1; from++) {
      const byte = bytes[from] as number;
      if (byte === BACKSLASH) {
        this.text(JSON.parse(bytes.toString('utf8', start, end)) as string);
        return;
      }
      body[to++] = byte;
    }
    this.#typeOfText(to - this.bodyLength);
    this.bodyLength = to;
  }

  text(value: string): void {
    const length = Buffer.byteLength(value);
    this.room(length);
    this.#typeOfText(length);
    this.bodyLength += this.body.write(value, this.bodyLength);
  }

  value(value: Exclude<SqlValue, string>): void {
    if (value === null) this.none();
    else if (typeof value === 'bigint') this.long(value);
    else if (Number.isSafeInteger(value)) this.whole(value);
    else this.real(value);
  }

  real(value: number): void {
    this.types[this.typesLength++] = REAL;
    this.bodyLength = this.body.writeDoubleBE(value, this.bodyLength);
  }

  /** Appends the values of another row. */
  append({ types, typesLength, body, bodyLength }: TableRow): void {
    for (let i = 0; i < typesLength; i++) this.types[this.typesLength++] = types[i] as number;
    body.copy(this.body, this.bodyLength, 0, bodyLength);
    this.bodyLength += bodyLength;
  }

  /** Makes room for text beyond the bound given to `begin`. */
  room(bytes: number): void {
    const most = this.bodyLength + bytes + this.types.length;
    if (this.body.length < most) this.body = Buffer.concat([this.body], 2 * most);
  }

  whole(value: number): void {
    const { body, types, bodyLength: at } = this;
    if (value === 0 || value === 1) {
      types[this.typesLength++] = 8 + value;
    } else if (value >= -128 && value < 128) {
      types[this.typesLength++] = 1;
      this.bodyLength = body.writeInt8(value, at);
    } else if (value >= -32_768 && value < 32_768) {
      types[this.typesLength++] = 2;
      this.bodyLength = body.writeInt16BE(value, at);
    } else if (value >= -2_147_483_648 && value < 2_147_483_648) {
      types[this.typesLength++] = 4;
      this.bodyLength = body.writeInt32BE(value, at);
    } else if (value >= -(2 ** 47) && value < 2 ** 47) {
      types[this.typesLength++] = 5;
      this.bodyLength = body.writeIntBE(value, at, 6);
    } else this.long(BigInt(value));
  }

  long(value: bigint): void {
    this.types[this.typesLength++] = 6;
    this.bodyLength = this.body.writeBigInt64BE(value, this.bodyLength);
  }

  #typeOfText(length: number): void {
    const type = 13 + 2 * length;
    if (type < 128) this.types[this.typesLength++] = type;
    else this.typesLength = putVarint(this.types, this.typesLength, type);
  }
}
