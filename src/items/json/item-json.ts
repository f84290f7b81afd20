import { Scanner } from './scan.js';
import { members, stringAt } from './slice.js';

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

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}

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
export function stripEnvelope(raw: string): string {
  return withoutMembers(raw, ['api_call_id', 'api_call_unix', 'code']);
}

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
