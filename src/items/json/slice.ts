import { isUtf8 } from 'node:buffer';
import { JsonFault, type NameWatch, Scanner } from './scan.js';

const OPEN_OBJECT = 0x7b;
const OPEN_ARRAY = 0x5b;
const QUOTE = 0x22;
const COMMA = 0x2c;

/** A value of the envelope itself; objects and arrays other than `results` are skipped. */
export type EnvelopeValue = string | number | boolean | null;

/** One element of `results`, as a byte range of the body. */
export class SlicedItem {
  constructor(
    readonly body: Buffer,
    readonly start: number,
    readonly end: number,
    /** True when there is no whitespace between its tokens, so that its bytes form a single line. */
    readonly tight: boolean,
    /** The text of its top-level id field: a string's content or a number's digits. */
    readonly id: string | undefined,
    /** Its top-level `live_mode`, if that is a boolean. */
    readonly liveMode: boolean | undefined,
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

/** The top level of a reply body (service.md#envelopes). Counts that are missing or not whole numbers are undefined. */
export interface SlicedPage {
  readonly items: readonly SlicedItem[];
  /** False when the body has no `results` array: the answer to a single retrieval or a write, or an error. */
  readonly hasResults: boolean;
  readonly api_call_unix: number | undefined;
  readonly total_count: number | undefined;
  readonly total_pages: number | undefined;
  /** Every top-level scalar by name; a repeated name keeps its last value, as in JSON.parse. */
  readonly scalars: ReadonlyMap<string, EnvelopeValue>;
}

/**
 * Finds the envelope's own values and the exact bytes of each element of `results` without building anything else.
 * Checks the whole body: the result is valid JSON and valid UTF-8, so the bytes can go to a file unchanged.
 *
 * @param idField name of the field that identifies an item
 * @throws JsonFault (a `CopsError` of kind `service_failed`) for text that is truncated, malformed or not an object
 */
export function slicePage(body: Buffer, idField = 'id'): SlicedPage {
  if (!isUtf8(body)) throw new JsonFault('bytes that are not UTF-8', 0);
  const scanner = new Scanner(body, body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf ? 3 : 0);
  const scalars = new Map<string, EnvelopeValue>();
  let items: SlicedItem[] | undefined;
  if (scanner.peek() !== OPEN_OBJECT) throw scanner.fault('an object was expected');
  members(scanner, (nameStart, nameEnd, escaped) => {
    const name = stringAt(body, nameStart, nameEnd, escaped);
    const first = scanner.peek();
    if (name === 'results') {
      if (items !== undefined) throw scanner.fault('"results" stands there twice');
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
    hasResults: items !== undefined,
    api_call_unix: count('api_call_unix'),
    total_count: count('total_count'),
    total_pages: count('total_pages'),
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
export function stringAt(body: Buffer, start: number, end: number, escaped: boolean): string {
  return escaped
    ? (JSON.parse(body.toString('utf8', start, end)) as string)
    : body.toString('utf8', start + 1, end - 1);
}

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

  live(): boolean | undefined {
    if (this.liveAt < 0) return undefined;
    const { first } = this.#value(this.liveAt);
    return first === 0x74 ? true : first === 0x66 ? false : undefined;
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
