import { isUtf8 } from 'node:buffer';
import { JsonFault, type NameWatch, Scanner } from './scan.js';

const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const QUOTE = 0x22;
const COMMA = 0x2c;

/** A value of the envelope itself; objects and arrays other than `results` are skipped. */
export type EnvelopeValue = string | number | boolean | null;

/** An element of `results`: its byte range in the body. */
export class SlicedItem {
  constructor(
    readonly body: Buffer,
    readonly start: number,
    readonly end: number,
    /** True when there is no whitespace between its tokens, so that its bytes form a single line. */
    readonly tight: boolean,
    /** The text of its top-level id field: a string's content or a number's digits. */
    readonly id: string | undefined,
    /** Its top-level `live_mode`; null if that is no boolean. */
    readonly liveMode: boolean | null | undefined,
  ) {}

  /** The exact bytes, not copied. */
  get bytes(): Buffer {
    return this.body.subarray(this.start, this.end);
  }

  /** The exact text. */
  get raw(): string {
    return this.body.toString('utf8', this.start, this.end);
  }
}

/**
 * Finds the envelope's own values and the exact bytes of each element of `results` without building anything else.
 * Checks the whole body: the result is valid JSON and valid UTF-8, so the bytes can go to a file unchanged.
 *
 * @param idField name of the field that identifies an item
 * @throws JsonFault (a `CopsError` of kind `service_failed`) for text that is truncated, malformed or not an object
 */
export function slicePage(body: Buffer, idField = 'id') {
  if (!isUtf8(body)) throw new JsonFault('bytes that are not UTF-8', 0);
  const scanner = new Scanner(body, body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0);
  const scalars = new Map<string, EnvelopeValue>();
  let items: SlicedItem[] | undefined;
  if (scanner.peek() !== OPEN_OBJECT) throw scanner.fault('an object was expected');
  members(scanner, (nameStart, nameEnd, escaped) => {
    const name = stringAt(body, nameStart, nameEnd, escaped);
    const first = scanner.peek();
    if (name === 'results') {
      if (items !== undefined) throw scanner.fault('"results" appears twice');
      if (first === OPEN_ARRAY) {
        items = itemsAt(scanner, body, idField);
        return;
      }
    }
    const start = scanner.pos;
    scanner.value();
    if (first === OPEN_OBJECT || first === OPEN_ARRAY) scalars.delete(name);
    else scalars.set(name, JSON.parse(body.toString('utf8', start, scanner.pos)) as EnvelopeValue);
  });
  scanner.finish();
  const count = (name: string): number | undefined => {
    const value = scalars.get(name);
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;
  };
  return {
    items: items ?? [],
    /** False when the body has no `results` array: the answer to a single retrieval or a write, or an error. */
    hasResults: items !== undefined,
    api_call_unix: count('api_call_unix'),
    total_count: count('total_count'),
    total_pages: count('total_pages'),
    /** Every top-level scalar by name; a repeated name keeps its last value, as in JSON.parse. */
    scalars,
  };
}

/** Walks the members of the object at the scanner; `each` must pass the member's value. */
export function members(scanner: Scanner, each: (nameStart: number, nameEnd: number, escaped: boolean) => void): void {
  between(scanner, 0x7d, () => {
    if (scanner.peek() !== QUOTE) throw scanner.fault();
    const start = scanner.pos;
    scanner.string();
    const end = scanner.pos;
    const escaped = scanner.escaped;
    scanner.expect(0x3a);
    each(start, end, escaped);
  });
}

/** Walks the elements of the array at the scanner; `each` must pass the element. */
export function elements(scanner: Scanner, each: (index: number) => void): void {
  between(scanner, 0x5d, each);
}

function between(scanner: Scanner, close: number, each: (index: number) => void): void {
  scanner.pos++;
  if (scanner.peek() === close) {
    scanner.pos++;
    return;
  }
  for (let index = 0; ; index++) {
    each(index);
    const next = scanner.peek();
    scanner.pos++;
    if (next === close) return;
    if (next !== COMMA) throw scanner.fault(undefined, scanner.pos - 1);
  }
}

/** The content of the string literal in a range that includes its quotes. */
export const stringAt = (body: Buffer, start: number, end: number, escaped: boolean): string =>
  escaped ? (JSON.parse(body.toString('utf8', start, end)) as string) : body.toString('utf8', start + 1, end - 1);

function itemsAt(scanner: Scanner, body: Buffer, idField: string): SlicedItem[] {
  const items: SlicedItem[] = [];
  const watch = new ItemWatch(body, JSON.stringify(idField));
  elements(scanner, () => {
    scanner.peek();
    scanner.spaced = false;
    const start = scanner.pos;
    watch.idAt = watch.liveAt = -1;
    scanner.value(watch);
    const tight = !scanner.spaced;
    items.push(new SlicedItem(body, start, scanner.pos, tight, watch.id(), watch.live()));
  });
  return items;
}

/** Records where an item's id and `live_mode` are while the scanner passes it. */
class ItemWatch implements NameWatch {
  /** Where the member's name ends; -1 until seen. */
  idAt = -1;
  liveAt = -1;
  readonly #id: Buffer;
  readonly #live = Buffer.from('"live_mode"');

  constructor(
    readonly body: Buffer,
    readonly idLiteral: string,
  ) {
    this.#id = Buffer.from(idLiteral);
  }

  name(start: number, end: number, escaped: boolean): void {
    if (this.#is(this.#id, start, end, escaped)) this.idAt = end;
    else if (this.#is(this.#live, start, end, escaped)) this.liveAt = end;
  }

  id(): string | undefined {
    if (this.idAt < 0) return undefined;
    const { first, start, end, escaped } = this.#value(this.idAt);
    if (first === QUOTE) return stringAt(this.body, start, end, escaped);
    return first === 0x2d || (first >= 0x30 && first <= 0x39) ? this.body.toString('latin1', start, end) : undefined;
  }

  live(): boolean | null | undefined {
    if (this.liveAt < 0) return undefined;
    const { first } = this.#value(this.liveAt);
    return first === 0x74 ? true : first === 0x66 ? false : null;
  }

  #value(nameEnd: number): { first: number; start: number; end: number; escaped: boolean } {
    const scanner = new Scanner(this.body, nameEnd);
    scanner.expect(0x3a);
    const first = scanner.peek();
    const start = scanner.pos;
    scanner.value();
    return { first, start, end: scanner.pos, escaped: scanner.escaped };
  }

  #is(literal: Buffer, start: number, end: number, escaped: boolean): boolean {
    if (escaped) return JSON.stringify(stringAt(this.body, start, end, true)) === literal.toString();
    const length = literal.length;
    if (end - start !== length) return false;
    for (let i = 1; i < length; i++) if (this.body[start + i] !== literal[i]) return false;
    return true;
  }
}

/** The index just past the string literal whose opening quote is at `open`. */
function stringEnd(text: string, open: number): number {
  let at = open;
  for (;;) {
    at = text.indexOf('"', at + 1);
    if (at < 0) return text.length;
    let slashes = 0;
    while (text.charCodeAt(at - 1 - slashes) === 0x5c) slashes++;
    if (slashes % 2 === 0) return at + 1;
  }
}

const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;

/** The same JSON without whitespace between its tokens; literals keep their text. `raw` must be valid JSON. */
export function compact(raw: string): string {
  let parts: string[] | undefined;
  let kept = 0;
  let at = 0;
  while (at < raw.length) {
    const code = raw.charCodeAt(at);
    if (code === 0x22) {
      at = stringEnd(raw, at);
    } else if (isSpace(code)) {
      parts ??= [];
      if (at > kept) parts.push(raw.slice(kept, at));
      do at++;
      while (at < raw.length && isSpace(raw.charCodeAt(at)));
      kept = at;
    } else {
      at++;
    }
  }
  if (parts === undefined) return raw;
  if (kept < raw.length) parts.push(raw.slice(kept));
  return parts.join('');
}

/** The same JSON, indented by two spaces as with `JSON.stringify(…, null, 2)`; literals keep their text. */
export function indent(raw: string, base = ''): string {
  const parts: string[] = [];
  let pad = `\n${base}`;
  let at = 0;
  while (at < raw.length) {
    const code = raw.charCodeAt(at);
    if (code === 0x22) {
      const end = stringEnd(raw, at);
      parts.push(raw.slice(at, end));
      at = end;
    } else if (code === 0x7b || code === 0x5b) {
      let next = at + 1;
      while (isSpace(raw.charCodeAt(next))) next++;
      if (raw.charCodeAt(next) === code + 2) {
        parts.push(code === 0x7b ? '{}' : '[]');
        at = next + 1;
      } else {
        pad += '  ';
        parts.push(code === 0x7b ? '{' : '[', pad);
        at = next;
      }
    } else if (code === 0x7d || code === 0x5d) {
      pad = pad.slice(0, -2);
      parts.push(pad, code === 0x7d ? '}' : ']');
      at++;
    } else if (code === 0x2c) {
      parts.push(',', pad);
      at++;
    } else if (code === 0x3a) {
      parts.push(': ');
      at++;
    } else if (isSpace(code)) {
      at++;
    } else {
      let end = at + 1;
      while (end < raw.length && !isSpace(raw.charCodeAt(end)) && !',]}'.includes(raw.charAt(end))) end++;
      parts.push(raw.slice(at, end));
      at = end;
    }
  }
  return parts.join('');
}

/**
 * The text of an object without the named top-level members. The rest keeps its text.
 *
 * @throws JsonFault for text that is not an object
 */
export function withoutMembers(raw: string, names: readonly string[]): string {
  const body = Buffer.from(raw);
  const scanner = new Scanner(body);
  if (scanner.peek() !== 0x7b) throw scanner.fault('an object was expected');
  const kept: string[] = [];
  members(scanner, (start, end, escaped) => {
    const name = stringAt(body, start, end, escaped);
    scanner.value();
    if (!names.includes(name)) kept.push(body.toString('utf8', start, scanner.pos));
  });
  scanner.finish();
  return `{${kept.join(',')}}`;
}

/** The item of a single retrieval: the answer's text without the envelope's own members (service.md#envelopes). */
export const stripEnvelope = (raw: string): string => withoutMembers(raw, ['api_call_id', 'api_call_unix', 'code']);

/**
 * One item of the service: its exact JSON text, plus the parsed value for logic only. Output always comes from `raw`,
 * so digits and strings leave as they came.
 */
export class Item {
  #value: unknown;
  #parsed = false;

  constructor(
    /** The exact JSON text. */
    readonly raw: string,
  ) {}

  /** An item made here (a local record), not read from the service. */
  static of(value: unknown): Item {
    return new Item(JSON.stringify(value));
  }

  /** The value as plain JavaScript; numbers may have lost digits, so never print it. */
  get value(): unknown {
    if (!this.#parsed) {
      this.#value = JSON.parse(this.raw);
      this.#parsed = true;
    }
    return this.#value;
  }

  /** A top-level field of the value, or undefined. */
  field(name: string): unknown {
    const value = this.value;
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  }
}

/** Yields existing values one by one, as the items of a result. */
export async function* each<T>(values: Iterable<T>): AsyncGenerator<T> {
  yield* values;
}

/** Yields local records as the items of a result. */
export async function* itemsOf(records: Iterable<unknown>): AsyncGenerator<Item> {
  for (const record of records) yield Item.of(record);
}
