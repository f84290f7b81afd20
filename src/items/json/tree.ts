/**
 * A body between its parts and its bytes: plain objects and arrays, whose numbers keep their original digits, because
 * `10.00` must still be `10.00` when it is sent.
 */

/** A number by its JSON text. */
export class NumberText {
  /** @param currencies codes named together with an amount; its target must use one of them */
  constructor(
    readonly text: string,
    readonly currencies?: readonly string[],
  ) {}

  /** The nearest JavaScript number, for comparisons only. */
  get value(): number {
    return Number(this.text);
  }

  toJSON(): number {
    return this.value;
  }
}

export type Tree = null | boolean | string | number | NumberText | Tree[] | TreeObject;
export interface TreeObject {
  [name: string]: Tree;
}

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Names that reach into JavaScript's own object machinery; no field of the service has one. */
const FORBIDDEN_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

/** True when the text is a JSON number (`5`, `-0.50`, `1e3`; not `007`, `+5`, `.5`). */
export const isNumberText = (text: string): boolean => NUMBER.test(text);

export const isForbiddenName = (name: string): boolean => FORBIDDEN_NAMES.has(name);

export const isObject = (value: unknown): value is TreeObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText);

/** An own property, or undefined; never an inherited one. */
export const ownMember = (object: TreeObject, name: string): Tree | undefined =>
  Object.hasOwn(object, name) ? object[name] : undefined;

/** The value at a path such as `rates[0].provider`, or undefined. */
export function valueAt(tree: Tree | undefined, path: string): Tree | undefined {
  let value = tree;
  for (const step of path.split(/[.[\]]+/).filter((part) => part !== '')) {
    if (Array.isArray(value)) value = value[Number(step)];
    else value = isObject(value) ? ownMember(value, step) : undefined;
  }
  return value;
}

/** The JavaScript number of a tree's number, or undefined for anything else. */
export function numberOf(value: unknown): number | undefined {
  if (value instanceof NumberText) return value.value;
  return typeof value === 'number' ? value : undefined;
}

/** `a.b[0]` from its parts, as the operator writes and reads it. */
export function pathText(parts: readonly (string | number)[]): string {
  let text = '';
  for (const part of parts) text += typeof part === 'number' ? `[${part}]` : text === '' ? part : `.${part}`;
  return text;
}

/** JSON text without spaces; numbers keep their text. Throws TypeError for a value that JSON cannot represent. */
export function serialise(value: unknown): string {
  if (value instanceof NumberText) return value.text;
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) throw new TypeError(`${value} has no JSON form`);
    return JSON.stringify(value);
  }
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map((element) => serialise(element ?? null)).join(',')}]`;
  if (typeof value === 'object') {
    const members = Object.entries(value).filter(([, member]) => member !== undefined);
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${serialise(member)}`).join(',')}}`;
  }
  throw new TypeError(`${typeof value} has no JSON form`);
}

/** `of` for objects that often come twice in a row: the result for the last one is kept. */
export function lastKept<In, Out>(of: (given: In) => Out): (given: In) => Out {
  let last: { readonly given: In; readonly result: Out } | undefined;
  return (given) => {
    if (last?.given !== given) last = { given, result: of(given) };
    return last.result;
  };
}

/** True for no value, including an empty string, list or object. */
export function isEmpty(value: Tree | undefined): boolean {
  if (value === undefined || value === null || value === '') return true;
  if (Array.isArray(value)) return value.length === 0;
  return isObject(value) && Object.keys(value).length === 0;
}

/** A deep copy, whose arrays and objects may be changed freely. */
export const copy = (value: Tree): Tree => replaced(value, () => undefined);

/** The tree with each part replaced by the result of `by`; where that is undefined, descends into the part. */
export function replaced(tree: Tree, by: (part: Tree) => Tree | undefined): Tree {
  const found = by(tree);
  if (found !== undefined) return found;
  if (Array.isArray(tree)) return tree.map((one) => replaced(one, by));
  if (!isObject(tree)) return tree;
  return Object.fromEntries(Object.entries(tree).map(([name, value]) => [name, replaced(value, by)]));
}

/** The tree without the elements and members that are `gone`; undefined if the root itself is. */
export function withoutParts(tree: Tree, gone: (part: Tree) => boolean): Tree | undefined {
  if (gone(tree)) return undefined;
  if (Array.isArray(tree)) return tree.map((one) => withoutParts(one, gone)).filter((one) => one !== undefined);
  if (!isObject(tree)) return tree;
  const members = Object.entries(tree).map(([name, value]) => [name, withoutParts(value, gone)] as const);
  return Object.fromEntries(members.filter((member): member is [string, Tree] => member[1] !== undefined));
}

/** Calls `visit` for each value below the root, parents first; do not keep `parts`. */
export function walk(
  root: Tree,
  visit: (parts: readonly (string | number)[], value: Tree, parent: Tree) => void,
): void {
  const parts: (string | number)[] = [];
  const step = (value: Tree): void => {
    const entries: Iterable<[string | number, Tree]> = Array.isArray(value)
      ? value.entries()
      : isObject(value)
        ? Object.entries(value)
        : [];
    for (const [key, member] of entries) {
      parts.push(key);
      visit(parts, member, value);
      step(member);
      parts.pop();
    }
  };
  step(root);
}

/** Compares by content; numbers by value (`10.0` equals `10.00`) when both are exactly comparable, else by text. */
export function sameTree(a: Tree | undefined, b: Tree | undefined): boolean {
  if (a === b) return true;
  const numbers = [numberOf(a), numberOf(b)];
  if (numbers[0] !== undefined && numbers[1] !== undefined) {
    const safe = numbers.every((number) => number !== undefined && Math.abs(number) <= Number.MAX_SAFE_INTEGER);
    return safe ? numbers[0] === numbers[1] : serialise(a) === serialise(b);
  }
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((element, index) => sameTree(element, b[index]));
  if (isObject(a) && isObject(b)) {
    const names = Object.keys(a);
    return (
      names.length === Object.keys(b).length &&
      names.every((name) => Object.hasOwn(b, name) && sameTree(a[name], b[name]))
    );
  }
  return false;
}
