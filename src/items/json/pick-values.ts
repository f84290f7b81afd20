import { isAscii } from 'node:buffer';
import { pathSteps } from '../../catalogue/leaf-types.js';
import { compact, elements, stringAt } from './item-json.js';
import { type NameWatch, Scanner } from './scan.js';

interface Child {
  readonly step: string;
  readonly literal: Buffer;
  readonly index: number;
  readonly node: Node;
}

/** One step of the wanted paths. While the scanner passes an object, it records where the wanted members are. */
class Node implements NameWatch {
  /** Result slots that take this value's text. */
  readonly slots: number[] = [];
  readonly children: Child[] = [];
  /** Children by the length of their name literal, which alone distinguishes most names. */
  readonly #byLength: (Child[] | undefined)[] = [];
  /** Where each child's name ends in the last object passed; -1 where that member is missing. */
  #ends: Int32Array = new Int32Array(0);
  #body: Buffer = Buffer.alloc(0);

  child(step: string): Node {
    const known = this.children.find((child) => child.step === step);
    if (known) return known.node;
    const literal = Buffer.from(JSON.stringify(step));
    const made = { step, literal, index: /^\d+$/.test(step) ? Number(step) : -1, node: new Node() };
    this.children.push(made);
    this.#byLength[literal.length] = [...(this.#byLength[literal.length] ?? []), made];
    this.#ends = new Int32Array(this.children.length);
    return made.node;
  }

  /** Passes an object; returns the ends of the children's names, for a repeated name the last. */
  pass(scanner: Scanner, body: Buffer): Int32Array {
    this.#body = body;
    this.#ends.fill(-1);
    scanner.value(this);
    return this.#ends;
  }

  name(start: number, end: number, escaped: boolean): void {
    if (escaped) {
      const name = stringAt(this.#body, start, end, true);
      const index = this.children.findIndex((child) => child.step === name);
      if (index >= 0) this.#ends[index] = end;
      return;
    }
    const length = end - start;
    const candidates = this.#byLength[length];
    if (candidates === undefined) return;
    next: for (const child of candidates) {
      for (let i = 1; i < length; i++) if (this.#body[start + i] !== child.literal[i]) continue next;
      this.#ends[this.children.indexOf(child)] = end;
    }
  }
}

/**
 * Extracts the texts at several dotted paths from one JSON value in a single walk, without parsing it: numbers and
 * strings keep their exact text.
 */
export class Picker {
  readonly #root = new Node();

  constructor(readonly paths: readonly string[]) {
    for (const [slot, path] of paths.entries()) {
      let node = this.#root;
      const steps = pathSteps(path);
      for (const step of steps) node = node.child(step);
      node.slots.push(slot);
      // A grouped row has the grouping path itself as a member name, dots included.
      if (steps.length > 1) this.#root.child(path).slots.push(slot);
    }
  }

  /**
   * The JSON text at each path, in order; undefined where the value lacks the path.
   *
   * @throws JsonFault for invalid JSON
   */
  pick(raw: string | Buffer): (string | undefined)[] {
    const body = typeof raw === 'string' ? Buffer.from(raw) : raw;
    const found = new Array<string | undefined>(this.paths.length).fill(undefined);
    const scanner = new Scanner(body);
    visit(this.#root, { scanner, body, ascii: asciiText(raw, body), found });
    scanner.finish();
    return found;
  }
}

/** One walk: its position, its input, and its results. */
interface Walk {
  readonly scanner: Scanner;
  readonly body: Buffer;
  /** The same as a string if it is pure ASCII: slicing a string is faster than decoding bytes. */
  readonly ascii: string | undefined;
  readonly found: (string | undefined)[];
}

function asciiText(raw: string | Buffer, body: Buffer): string | undefined {
  if (typeof raw === 'string') return raw.length === body.length ? raw : undefined;
  return isAscii(body) ? body.toString('latin1') : undefined;
}

function visit(node: Node, walk: Walk): void {
  const { scanner, body, ascii, found } = walk;
  const first = scanner.peek();
  const start = scanner.pos;
  if (node.children.length > 0 && first === 0x7b) object(node, walk);
  else if (node.children.length > 0 && first === 0x5b) array(node, walk);
  else scanner.value();
  if (node.slots.length === 0) return;
  const text = ascii === undefined ? body.toString('utf8', start, scanner.pos) : ascii.slice(start, scanner.pos);
  for (const slot of node.slots) found[slot] = text;
}

function object(node: Node, walk: Walk): void {
  const { scanner, body } = walk;
  const ends = node.pass(scanner, body);
  const after = scanner.pos;
  for (const [index, child] of node.children.entries()) {
    const end = ends[index] as number;
    if (end < 0) continue;
    scanner.pos = end;
    scanner.expect(0x3a);
    visit(child.node, walk);
  }
  scanner.pos = after;
}

function array(node: Node, walk: Walk): void {
  elements(walk.scanner, (index) => {
    const child = node.children.find((known) => known.index === index);
    if (child === undefined) walk.scanner.value();
    else visit(child.node, walk);
  });
}

/**
 * A JSON value as a cell of csv, tsv or a table: strings without quotes, numbers by their digits, empty for null and
 * missing values, objects and arrays as compact JSON.
 */
export function cellText(raw: string | undefined): string {
  if (raw === undefined || raw === 'null') return '';
  const first = raw.charCodeAt(0);
  if (first === 0x22) return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
  return first === 0x7b || first === 0x5b ? compact(raw) : raw;
}
