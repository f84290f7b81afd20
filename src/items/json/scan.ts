import { CopsError } from '../../base/errors/errors.js';

/** JSON text that is invalid or truncated. Shows as a failure of the service unless a caller says otherwise. */
export class JsonFault extends CopsError {
  constructor(
    /** What is wrong, without a position. */
    readonly reason: string,
    /** Where, in bytes from the beginning. */
    readonly offset: number,
  ) {
    super('service_failed', `The answer is not valid JSON: ${reason} at byte ${offset}.`, {
      hint: 'Try again; if the error persists, something between here and the service changes its answers (a proxy, a wrong base URL).',
    });
  }
}

/** Deepest nesting to accept: nothing the service describes comes near it. */
export const MAX_DEPTH = 1000;

/** The reason given for deeper nesting. */
export const TOO_DEEP = 'nesting too deep';

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** 1 for the bytes that end a run of plain string characters: the quote, the backslash, control characters. */
const STOPS = new Uint8Array(256);
STOPS.fill(1, 0, 0x20);
STOPS[QUOTE] = 1;
STOPS[BACKSLASH] = 1;

/** Shared by scanners that never nest deeply; replaced by a larger one before any write. */
const NO_KINDS = new Uint8Array(0);

const ESCAPES = new Uint8Array(256);
for (const letter of '"\\/bfnrt') ESCAPES[letter.charCodeAt(0)] = 1;

/** Receives the range of each member's name, quotes included. */
export interface NameWatch {
  name(start: number, end: number, escaped: boolean): void;
}

const isHex = (byte: number): boolean =>
  (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);

/**
 * A strict walk over the bytes of one JSON text. It copies and builds nothing; callers take the ranges they want.
 * Reading past the end gives `undefined`, which matches no branch and so ends in a fault.
 */
export class Scanner {
  /** The next byte to read. */
  pos: number;
  /** Set when there was whitespace between tokens. */
  spaced = false;
  /** Set by `string()` if the string contained an escape. */
  escaped = false;
  readonly #bytes: Uint8Array;
  #kinds: Uint8Array<ArrayBuffer> = NO_KINDS;

  constructor(bytes: Uint8Array, pos = 0) {
    this.#bytes = bytes;
    this.pos = pos;
  }

  fault(what?: string, at = this.pos): JsonFault {
    if (at >= this.#bytes.length) return new JsonFault('it ends too early', this.#bytes.length);
    return new JsonFault(what ?? 'unexpected character', at);
  }

  /** Skips whitespace and returns the next byte without consuming it. */
  peek(): number {
    const bytes = this.#bytes;
    let byte = bytes[this.pos] as number;
    while (byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09) {
      this.spaced = true;
      byte = bytes[++this.pos] as number;
    }
    return byte;
  }

  /** Skips whitespace and consumes exactly this byte. */
  expect(byte: number): void {
    if (this.peek() !== byte) throw this.fault();
    this.pos++;
  }

  /** Passes a string; `pos` must be at its opening quote. */
  string(): void {
    const bytes = this.#bytes;
    let at = this.pos + 1;
    while (STOPS[bytes[at] as number] === 0) at++;
    if (bytes[at] === QUOTE) {
      this.escaped = false;
      this.pos = at + 1;
    } else {
      this.pos = this.#stringFrom(at);
    }
  }

  /** Passes the rest of a string from its first special byte; returns its end. */
  #stringFrom(from: number): number {
    const bytes = this.#bytes;
    let at = from;
    this.escaped = false;
    for (;;) {
      while (STOPS[bytes[at] as number] === 0) at++;
      const byte = bytes[at] as number;
      if (byte === QUOTE) return at + 1;
      if (byte !== BACKSLASH) throw this.fault('a control character inside a string', at);
      this.escaped = true;
      const next = bytes[at + 1] as number;
      if (ESCAPES[next] === 1) {
        at += 2;
      } else if (next === 0x75) {
        for (let i = 2; i < 6; i++)
          if (!isHex(bytes[at + i] as number)) throw this.fault('a broken \\u escape', at + i);
        at += 6;
      } else {
        throw this.fault('an unknown escape', at + 1);
      }
    }
  }

  /**
   * Passes any value with everything in it. A single loop over local variables, because an export spends its time here:
   * it passes strings without escapes in place and leaves the rest to the methods. Reports the names of the value's own
   * members (not of deeper ones) to `watch`.
   */
  value(watch?: NameWatch): void {
    const bytes = this.#bytes;
    let kinds = this.#kinds;
    let depth = 0;
    let at = this.pos;
    for (;;) {
      let byte = bytes[at] as number;
      if (byte <= 0x20) {
        this.pos = at;
        byte = this.peek();
        at = this.pos;
      }
      if (byte === QUOTE) {
        at++;
        while (STOPS[bytes[at] as number] === 0) at++;
        if (bytes[at] === QUOTE) {
          at++;
          this.escaped = false;
        } else {
          at = this.#stringFrom(at);
        }
      } else if (byte === 0x7b || byte === 0x5b) {
        at++;
        let next = bytes[at] as number;
        if (next <= 0x20) {
          this.pos = at;
          next = this.peek();
          at = this.pos;
        }
        if (next !== byte + 2) {
          if (depth === MAX_DEPTH) throw this.fault(TOO_DEEP, at);
          if (depth === kinds.length) kinds = this.#grow();
          kinds[depth++] = byte;
          if (byte === 0x7b) at = this.#keyFrom(at, depth === 1 ? watch : undefined);
          continue;
        }
        at++;
      } else {
        at = this.#scalar(byte, at);
      }
      for (;;) {
        if (depth === 0) {
          this.pos = at;
          return;
        }
        let next = bytes[at] as number;
        if (next <= 0x20) {
          this.pos = at;
          next = this.peek();
          at = this.pos;
        }
        const kind = kinds[depth - 1] as number;
        at++;
        if (next === 0x2c) {
          if (kind === 0x7b) at = this.#keyFrom(at, depth === 1 ? watch : undefined);
          break;
        }
        if (next !== kind + 2) throw this.fault(undefined, at - 1);
        depth--;
      }
    }
  }

  /** Passes a member's name and colon; returns where the value begins. */
  #keyFrom(from: number, watch: NameWatch | undefined): number {
    const bytes = this.#bytes;
    let at = from;
    if ((bytes[at] as number) <= 0x20) {
      this.pos = at;
      this.peek();
      at = this.pos;
    }
    if (bytes[at] !== QUOTE) throw this.fault(undefined, at);
    const start = at++;
    while (STOPS[bytes[at] as number] === 0) at++;
    const plain = bytes[at] === QUOTE;
    at = plain ? at + 1 : this.#stringFrom(at);
    if (watch !== undefined) watch.name(start, at, !plain);
    if (bytes[at] === 0x3a) return at + 1;
    this.pos = at;
    this.expect(0x3a);
    return this.pos;
  }

  /** Expects the end of the text: only whitespace may follow. */
  finish(): void {
    this.peek();
    if (this.pos < this.#bytes.length) throw this.fault('something follows the end');
  }

  #grow(): Uint8Array<ArrayBuffer> {
    const kinds = new Uint8Array(this.#kinds.length * 2 || 32);
    kinds.set(this.#kinds);
    this.#kinds = kinds;
    return kinds;
  }

  #scalar(first: number, at: number): number {
    if (first >= 0x30 && first <= 0x39) return this.#number(at);
    if (first === 0x74) return this.#word('true', at);
    if (first === 0x66) return this.#word('false', at);
    if (first === 0x6e) return this.#word('null', at);
    if (first === 0x2d) return this.#number(at + 1);
    throw this.fault(undefined, at);
  }

  #word(word: string, at: number): number {
    for (let i = 1; i < word.length; i++)
      if (this.#bytes[at + i] !== word.charCodeAt(i)) throw this.fault(undefined, at + i);
    return at + word.length;
  }

  #number(from: number): number {
    const bytes = this.#bytes;
    let at = bytes[from] === 0x30 ? from + 1 : this.#digits(from);
    if (bytes[at] === 0x2e) at = this.#digits(at + 1);
    const exponent = bytes[at];
    if (exponent === 0x65 || exponent === 0x45) {
      const sign = bytes[at + 1];
      at = this.#digits(sign === 0x2b || sign === 0x2d ? at + 2 : at + 1);
    }
    return at;
  }

  #digits(from: number): number {
    const bytes = this.#bytes;
    let at = from;
    let byte = bytes[at] as number;
    while (byte >= 0x30 && byte <= 0x39) byte = bytes[++at] as number;
    if (at === from) throw this.fault(undefined, at);
    return at;
  }
}
