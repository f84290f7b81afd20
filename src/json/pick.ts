import { Scanner } from './scan.js';
import { members, stringAt } from './slice.js';
import { compact } from './text.js';

/** The steps of a dotted path: `customer.email`, `rates[0].rate`, `rates.0.rate`. */
export function pathSteps(path: string): string[] {
  return path
    .replaceAll(/\[(\d+)\]/g, '.$1')
    .split('.')
    .filter((step) => step !== '');
}

interface Node {
  /** Places in the answer that take this value's text. */
  readonly slots: number[];
  readonly children: { readonly step: string; readonly literal: Buffer; readonly index: number; readonly node: Node }[];
}

/**
 * Takes the texts of several dotted paths out of one JSON value in a single walk, without parsing it: numbers
 * and strings keep their exact text.
 */
export class Picker {
  readonly #root: Node = { slots: [], children: [] };

  constructor(readonly paths: readonly string[]) {
    for (const [slot, path] of paths.entries()) {
      let node = this.#root;
      for (const step of pathSteps(path)) {
        let child = node.children.find((known) => known.step === step);
        if (child === undefined) {
          const literal = Buffer.from(JSON.stringify(step));
          child = { step, literal, index: /^\d+$/.test(step) ? Number(step) : -1, node: { slots: [], children: [] } };
          node.children.push(child);
        }
        node = child.node;
      }
      node.slots.push(slot);
    }
  }

  /**
   * The JSON text at each path, in their order; undefined where the value has no such path.
   *
   * @throws JsonFault for text that is not valid
   */
  pick(raw: string | Buffer): (string | undefined)[] {
    const body = typeof raw === 'string' ? Buffer.from(raw) : raw;
    const found = new Array<string | undefined>(this.paths.length).fill(undefined);
    const scanner = new Scanner(body);
    visit(this.#root, scanner, body, found);
    scanner.finish();
    return found;
  }
}

function visit(node: Node, scanner: Scanner, body: Buffer, found: (string | undefined)[]): void {
  const first = scanner.peek();
  const start = scanner.pos;
  if (node.children.length > 0 && first === 0x7b) object(node, scanner, body, found);
  else if (node.children.length > 0 && first === 0x5b) array(node, scanner, body, found);
  else scanner.value();
  if (node.slots.length === 0) return;
  const text = body.toString('utf8', start, scanner.pos);
  for (const slot of node.slots) found[slot] = text;
}

function object(node: Node, scanner: Scanner, body: Buffer, found: (string | undefined)[]): void {
  members(scanner, (start, end, escaped) => {
    const child = childNamed(node, body, start, end, escaped);
    if (child === undefined) {
      scanner.value();
      return;
    }
    if (child.children.length > 0) forget(child, found);
    visit(child, scanner, body, found);
  });
}

function childNamed(node: Node, body: Buffer, start: number, end: number, escaped: boolean): Node | undefined {
  if (escaped) {
    const name = stringAt(body, start, end, true);
    return node.children.find((child) => child.step === name)?.node;
  }
  const length = end - start;
  next: for (const child of node.children) {
    const literal = child.literal;
    if (literal.length !== length) continue;
    for (let i = 1; i < length; i++) if (body[start + i] !== literal[i]) continue next;
    return child.node;
  }
  return undefined;
}

function array(node: Node, scanner: Scanner, body: Buffer, found: (string | undefined)[]): void {
  scanner.pos++;
  if (scanner.peek() === 0x5d) {
    scanner.pos++;
    return;
  }
  for (let index = 0; ; index++) {
    const child = node.children.find((known) => known.index === index);
    if (child === undefined) scanner.value();
    else visit(child.node, scanner, body, found);
    const next = scanner.peek();
    scanner.pos++;
    if (next === 0x5d) return;
    if (next !== 0x2c) throw scanner.fault(undefined, scanner.pos - 1);
  }
}

/** A name that stands there twice means its last value: what the first one gave is forgotten. */
function forget(node: Node, found: (string | undefined)[]): void {
  for (const slot of node.slots) found[slot] = undefined;
  for (const child of node.children) forget(child.node, found);
}

/**
 * How a JSON text stands in a cell of csv, tsv or a table: strings without quotes, numbers by their digits,
 * nothing for null and for what is missing, objects and arrays as compact JSON.
 */
export function cellText(raw: string | undefined): string {
  if (raw === undefined || raw === 'null') return '';
  const first = raw.charCodeAt(0);
  if (first === 0x22) return raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
  return first === 0x7b || first === 0x5b ? compact(raw) : raw;
}
