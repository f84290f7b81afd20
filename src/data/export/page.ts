import { isUtf8 } from 'node:buffer';
import { JsonFault, type NameWatch, Scanner } from '../../items/json/scan.js';
import { isName } from './flatten.js';

const QUOTE = 0x22;
const NEWLINE = 0x0a;
/** The member that shows an item's mode, as in JSON. */
const LIVE_MODE = Buffer.from('"live_mode"');

/** The parts of a list's answer that an export needs (service.md#envelopes); missing counts are -1. */
export interface PageFacts {
  readonly code: number;
  readonly totalCount: number;
  readonly totalPages: number;
  readonly apiCallUnix: number;
  readonly hasResults: boolean;
  /** Items whose `live_mode` is true, and false. */
  readonly live: number;
  readonly test: number;
  /** Items whose `live_mode` is neither. */
  readonly unclear: number;
}

/**
 * Reads pages without creating objects per item: the ranges of items and ids go into arrays that the next page
 * overwrites. A page turns into JSON lines within its own bytes if only commas separate the items.
 */
export class PageReader implements NameWatch {
  /** Items of the last page. */
  count = 0;
  /** Its items that are not objects. */
  odd = 0;
  starts = new Int32Array(32);
  ends = new Int32Array(32);
  /** Range of each item's id without quotes, or of the whole item if it has none (missing, null or empty). */
  idStarts = new Int32Array(32);
  idEnds = new Int32Array(32);
  #bytes: Buffer = Buffer.alloc(0);
  #tight = true;
  #idAt = -1;
  #liveAt = -1;
  #live = 0;
  #test = 0;
  #unclear = 0;
  readonly #idName: Buffer;

  constructor(idField: string) {
    this.#idName = Buffer.from(JSON.stringify(idField));
  }

  /** Called by the scanner for each member of an item. */
  name(start: number, end: number): void {
    if (isName(this.#idName, this.#bytes, start, end)) this.#idAt = end;
    else if (isName(LIVE_MODE, this.#bytes, start, end)) this.#liveAt = end;
  }

  /** Throws JsonFault for a truncated or malformed body. */
  read(body: Buffer): PageFacts {
    if (!isUtf8(body)) throw new JsonFault('bytes that are not UTF-8', 0);
    const scanner = this.#begin(body, body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0);
    let code = -1;
    let totalCount = -1;
    let totalPages = -1;
    let apiCallUnix = -1;
    let hasResults = false;
    scanner.expect(0x7b);
    for (let more = scanner.peek() !== 0x7d; more; ) {
      if (scanner.peek() !== QUOTE) throw scanner.fault();
      const start = scanner.pos;
      scanner.string();
      const name = body.toString('latin1', start + 1, scanner.pos - 1);
      scanner.expect(0x3a);
      const first = scanner.peek();
      const at = scanner.pos;
      if (name === 'results' && first === 0x5b) {
        if (hasResults) throw scanner.fault('"results" occurs twice');
        hasResults = true;
        this.#elements(scanner);
      } else {
        scanner.value();
        if (name === 'code') code = whole(body, at, scanner.pos);
        else if (name === 'total_count') totalCount = whole(body, at, scanner.pos);
        else if (name === 'total_pages') totalPages = whole(body, at, scanner.pos);
        else if (name === 'api_call_unix') apiCallUnix = whole(body, at, scanner.pos);
      }
      more = scanner.peek() === 0x2c;
      if (more) scanner.pos++;
    }
    scanner.expect(0x7d);
    scanner.finish();
    return {
      code,
      totalCount,
      totalPages,
      apiCallUnix,
      hasResults,
      live: this.#live,
      test: this.#test,
      unclear: this.#unclear,
    };
  }

  /** The bytes that the ranges refer to. */
  get bytes(): Buffer {
    return this.#bytes;
  }

  /** Reads lines made by `lines()`; afterwards `count`, `starts` and the rest describe them. */
  readLines(lines: Buffer): void {
    const scanner = this.#begin(lines, 0);
    while (scanner.pos < lines.length) {
      this.#element(scanner);
      if (lines[scanner.pos] !== NEWLINE) throw scanner.fault();
      scanner.pos++;
    }
  }

  /** The items of the last page as lines. Takes over the page's buffer and changes it in place where possible. */
  lines(): Buffer {
    const { count } = this;
    const body = this.#bytes;
    if (count === 0) return Buffer.alloc(0);
    if (!this.#tight) {
      const parts: Buffer[] = [];
      for (let i = 0; i < count; i++)
        parts.push(oneLine(body.subarray(this.starts[i], this.ends[i])), Buffer.from('\n'));
      return Buffer.concat(parts);
    }
    for (let i = 0; i < count; i++) body[this.ends[i] as number] = NEWLINE;
    return body.subarray(this.starts[0], (this.ends[count - 1] as number) + 1);
  }

  #begin(bytes: Buffer, at: number): Scanner {
    this.#bytes = bytes;
    this.count = 0;
    this.odd = 0;
    this.#live = 0;
    this.#test = 0;
    this.#unclear = 0;
    this.#tight = true;
    return new Scanner(bytes, at);
  }

  #elements(scanner: Scanner): void {
    scanner.pos++;
    if (scanner.peek() === 0x5d) {
      scanner.pos++;
      return;
    }
    for (;;) {
      scanner.peek();
      const start = scanner.pos;
      if (this.count > 0 && start !== (this.ends[this.count - 1] as number) + 1) this.#tight = false;
      this.#element(scanner);
      const next = scanner.peek();
      scanner.pos++;
      if (next === 0x5d) return;
      if (next !== 0x2c) throw scanner.fault(undefined, scanner.pos - 1);
    }
  }

  #element(scanner: Scanner): void {
    const i = this.count;
    if (i === this.starts.length) this.#grow();
    scanner.spaced = false;
    const start = scanner.pos;
    this.#idAt = -1;
    this.#liveAt = -1;
    scanner.value(this);
    const end = scanner.pos;
    if (this.#bytes[start] !== 0x7b) this.odd++;
    if (scanner.spaced && this.#tight) this.#tight = !hasLineEnd(this.#bytes, start, end);
    this.starts[i] = start;
    this.ends[i] = end;
    this.#note(i, start, end);
    this.count = i + 1;
  }

  #note(i: number, start: number, end: number): void {
    const bytes = this.#bytes;
    this.idStarts[i] = start;
    this.idEnds[i] = end;
    if (this.#idAt >= 0) {
      const at = valueAt(bytes, this.#idAt);
      const scanner = new Scanner(bytes, at);
      if (bytes[at] === QUOTE) {
        scanner.string();
        // Like null, an empty id names nothing.
        if (scanner.pos - at > 2) {
          this.idStarts[i] = at + 1;
          this.idEnds[i] = scanner.pos - 1;
        }
      } else if (bytes[at] !== 0x6e) {
        scanner.value();
        this.idStarts[i] = at;
        this.idEnds[i] = scanner.pos;
      }
    }
    if (this.#liveAt >= 0) {
      const first = bytes[valueAt(bytes, this.#liveAt)];
      if (first === 0x74) this.#live++;
      else if (first === 0x66) this.#test++;
      else this.#unclear++;
    }
  }

  #grow(): void {
    const larger = (from: Int32Array) => {
      const to = new Int32Array(from.length * 2);
      to.set(from);
      return to;
    };
    this.starts = larger(this.starts);
    this.ends = larger(this.ends);
    this.idStarts = larger(this.idStarts);
    this.idEnds = larger(this.idEnds);
  }
}

/** The start of the value whose name ends at `nameEnd`. */
function valueAt(bytes: Buffer, nameEnd: number): number {
  let at = nameEnd;
  while (bytes[at] === 0x3a || isSpace(bytes[at] as number)) at++;
  return at;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function hasLineEnd(bytes: Buffer, start: number, end: number): boolean {
  // Inside strings both are always escaped, so any of them is between tokens.
  for (let i = start; i < end; i++) if (bytes[i] === 0x0a || bytes[i] === 0x0d) return true;
  return false;
}

/** The item without whitespace between its tokens if it contains a line end; otherwise unchanged. */
function oneLine(item: Buffer): Buffer {
  if (!hasLineEnd(item, 0, item.length)) return item;
  const out = Buffer.allocUnsafe(item.length);
  let used = 0;
  let inString = false;
  for (let i = 0; i < item.length; i++) {
    const byte = item[i] as number;
    if (inString) {
      out[used++] = byte;
      if (byte === 0x5c) out[used++] = item[++i] as number;
      else if (byte === QUOTE) inString = false;
    } else if (!isSpace(byte)) {
      out[used++] = byte;
      if (byte === QUOTE) inString = true;
    }
  }
  return out.subarray(0, used);
}

function whole(body: Buffer, start: number, end: number): number {
  const value = Number(body.toString('latin1', start, end));
  return Number.isSafeInteger(value) && value >= 0 && end > start && body[start] !== QUOTE ? value : -1;
}
