import { usage } from '../../base/errors/errors.js';
import { isForbiddenName, isObject, NumberText, pathText, type Tree, type TreeObject } from './tree.js';

/** JSON that cannot be read. The message gives line and column and never repeats the text, which may be secret. */
export class JsonSyntaxFault extends Error {
  override readonly name = 'JsonFault';
}

/** A position in a text; both numbers start at 1. */
export interface TextPlace {
  readonly line: number;
  readonly column: number;
}

export function placeAt(text: string, offset: number): TextPlace {
  const before = text.slice(0, offset);
  return { line: before.split('\n').length, column: offset - before.lastIndexOf('\n') };
}

export interface ParsedJson {
  readonly value: Tree;
  /** Paths whose name appears twice in one object; the last value counts. */
  readonly duplicates: readonly string[];
}

/** Deeper than any body of the service, and well below where recursion would overflow. */
export const MAX_BODY_DEPTH = 200;

/** Parses JSON (RFC 8259) into a tree whose numbers keep their text. Throws {@link JsonSyntaxFault}. */
export const parseJson = (text: string): ParsedJson => new Reader(text).whole();

/**
 * Parses JSON written by a person: refuses a duplicate name, since nobody knows which value is meant. Throws
 * {@link JsonSyntaxFault}.
 */
export function parseWritten(text: string): Tree {
  const { value, duplicates } = parseJson(text);
  if (duplicates.length > 0) throw new JsonSyntaxFault(`${duplicates.join(', ')} given twice`);
  return value;
}

/** One object written by a person, on one line of a file. @throws CopsError `usage` that names the place */
export function objectWritten(text: string, place: string): TreeObject {
  try {
    const value = parseWritten(text);
    if (!isObject(value)) throw new JsonSyntaxFault('an object is expected');
    return value;
  } catch (fault) {
    if (fault instanceof JsonSyntaxFault) throw usage(`${place}: ${fault.message}`);
    throw fault;
  }
}

/** Most names and values in one text: more than any body has, and few enough to build in a moment. */
const MOST_VALUES = 200_000;

const SPACE = /[ \t\r\n]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.+-])/y;
// Unrolled, so that a long unterminated string fails in linear time.
const STRING = /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y;
const WORD = /(?:true|false|null)(?!\w)/y;

class Reader {
  #at = 0;
  #values = 0;
  readonly #parts: (string | number)[] = [];
  readonly #duplicates: string[] = [];

  constructor(private readonly text: string) {}

  whole(): ParsedJson {
    this.#space();
    if (this.#at === this.text.length) throw new JsonSyntaxFault('the text is empty');
    const value = this.#value();
    this.#space();
    if (this.#at < this.text.length) throw this.#fault('something follows the end of the JSON');
    return { value, duplicates: this.#duplicates };
  }

  #value(): Tree {
    this.#values += 1;
    if (this.#values > MOST_VALUES) throw this.#fault(`it has more than ${MOST_VALUES} values`);
    const first = this.text[this.#at];
    if (first === '{') return this.#object();
    if (first === '[') return this.#array();
    if (first === '"') return this.#string();
    const number = this.#match(NUMBER);
    if (number !== undefined) return new NumberText(number);
    const word = this.#match(WORD);
    if (word !== undefined) return word === 'null' ? null : word === 'true';
    throw this.#fault(first === undefined ? 'the text ends too early' : 'a value is expected');
  }

  #object(): TreeObject {
    const object: TreeObject = {};
    this.#open();
    if (this.#closes('}')) return object;
    for (;;) {
      if (this.text[this.#at] !== '"') throw this.#fault('a name in double quotes is expected');
      const name = this.#string();
      if (isForbiddenName(name)) throw this.#fault(`the name ${name} is not allowed`);
      this.#parts.push(name);
      if (Object.hasOwn(object, name)) this.#duplicates.push(pathText(this.#parts));
      this.#space();
      if (this.text[this.#at] !== ':') throw this.#fault('a colon is expected');
      this.#at += 1;
      this.#space();
      object[name] = this.#value();
      this.#parts.pop();
      if (this.#ends('}')) return object;
    }
  }

  #array(): Tree[] {
    const array: Tree[] = [];
    this.#open();
    if (this.#closes(']')) return array;
    for (;;) {
      this.#parts.push(array.length);
      array.push(this.#value());
      this.#parts.pop();
      if (this.#ends(']')) return array;
    }
  }

  #open(): void {
    if (this.#parts.length >= MAX_BODY_DEPTH) throw this.#fault(`nested deeper than ${MAX_BODY_DEPTH} levels`);
    this.#at += 1;
    this.#space();
  }

  #closes(bracket: string): boolean {
    if (this.text[this.#at] !== bracket) return false;
    this.#at += 1;
    return true;
  }

  /** After an element: true at the end, false after a comma, when another element follows. */
  #ends(bracket: string): boolean {
    this.#space();
    if (this.#closes(bracket)) return true;
    if (this.text[this.#at] !== ',') throw this.#fault(`a comma or ${bracket} is expected`);
    this.#at += 1;
    this.#space();
    return false;
  }

  #string(): string {
    const literal = this.#match(STRING);
    if (literal === undefined)
      throw this.#fault('a text is not closed, or holds a bare control character or a wrong escape');
    return JSON.parse(literal) as string;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #space(): void {
    this.#match(SPACE);
  }

  #fault(what: string): JsonSyntaxFault {
    const { line, column } = placeAt(this.text, this.#at);
    return new JsonSyntaxFault(`${what} (line ${line}, column ${column})`);
  }
}
