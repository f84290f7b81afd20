import { isForbiddenName, isObject, pathText, type Tree, type TreeObject } from '../../items/json/tree.js';

/** One part of a path: a name, an index, or `append` for `[]`. */
export type PathStep = string | number | { readonly append: true };

/** Largest index of a list: no list of the service is nearly as long. */
const MAX_INDEX = 9_999;
const MAX_STEPS = 50;

/** A path or a place that cannot be set; the message is for the operator and never holds a value. */
export class PathFault extends Error {
  override readonly name = 'PathFault';
}

/** How the text after the sign is meant: `=` typed by the schema, `:=` JSON. */
export interface Assignment {
  readonly path: string;
  readonly steps: readonly PathStep[];
  readonly json: boolean;
  readonly value: string;
}

/** Takes `path=value` or `path:=json` apart. Throws {@link PathFault}. */
export function parseAssignment(text: string): Assignment {
  const equals = text.indexOf('=');
  if (equals < 0) {
    const hint = text.startsWith('@') ? '; a whole body comes with --body @file' : '';
    throw new PathFault(`path=value is expected, but there is no "="${hint}`);
  }
  const json = text[equals - 1] === ':';
  const path = text.slice(0, json ? equals - 1 : equals);
  return { path, steps: parsePath(path), json, value: text.slice(equals + 1) };
}

/** Reads `rates[0].rate`, `customer.email` or `tags[]`. Throws {@link PathFault}. */
export function parsePath(path: string): PathStep[] {
  const steps: PathStep[] = [];
  const token = /([^.[\]\s"'=:]+)|\[(\d*)\]|(\.)/y;
  let nameNext = true;
  while (token.lastIndex < path.length) {
    const at = token.lastIndex;
    const found = token.exec(path);
    if (!found) throw new PathFault(`"${shown(path)}" is not a path: unexpected character ${at + 1}`);
    const [, name, index, dot] = found;
    if (name !== undefined) {
      if (!nameNext) throw new PathFault(`"${shown(path)}" is not a path: a dot is missing before character ${at + 1}`);
      if (isForbiddenName(name)) throw new PathFault(`the name ${name} is not allowed`);
      steps.push(name);
      nameNext = false;
    } else if (dot !== undefined) {
      if (nameNext) throw new PathFault(`"${shown(path)}" is not a path: a name is missing at character ${at + 1}`);
      nameNext = true;
    } else {
      if (nameNext) throw new PathFault(`"${shown(path)}" is not a path: a name is missing before "["`);
      steps.push(indexStep(index ?? ''));
    }
  }
  if (nameNext) throw new PathFault(path === '' ? 'the path before "=" is empty' : `"${shown(path)}" ends with a dot`);
  if (steps.length > MAX_STEPS) throw new PathFault('the path is too deep');
  return steps;
}

function indexStep(digits: string): PathStep {
  if (digits === '') return { append: true };
  const index = Number(digits);
  if (index > MAX_INDEX) throw new PathFault(`the index ${digits.slice(0, 12)} is too large (at most ${MAX_INDEX})`);
  return index;
}

function shown(path: string): string {
  return path.length > 60 ? `${path.slice(0, 60)}…` : path;
}

/**
 * Sets a value at a path, in place; what is missing on the way is made. A list may be filled in any order; holes
 * that stay are found by {@link holesOf}. Returns the concrete path. Throws {@link PathFault} when the path goes
 * through something that is neither an object nor a list.
 */
export function setAt(root: TreeObject, steps: readonly PathStep[], value: Tree): (string | number)[] {
  const parts: (string | number)[] = [];
  let place: Tree = root;
  for (const [position, step] of steps.entries()) {
    const last = position === steps.length - 1;
    const key: string | number = typeof step === 'object' ? (Array.isArray(place) ? place.length : 0) : step;
    const fits = typeof key === 'number' ? Array.isArray(place) : isObject(place);
    if (!fits) {
      const wanted = typeof key === 'number' ? 'a list' : 'an object';
      throw new PathFault(`${pathText(parts)} was already given as something that is not ${wanted}`);
    }
    const holder = place as Record<string | number, Tree>;
    parts.push(key);
    if (last) {
      holder[key] = value;
      return parts;
    }
    const current: Tree | undefined = Object.hasOwn(holder, key) ? holder[key] : undefined;
    if (current === undefined || current === null) {
      const next = typeof steps[position + 1] === 'string' ? {} : [];
      holder[key] = next;
      place = next;
    } else {
      place = current;
    }
  }
  return parts;
}

/** Missing places in a row that are named each. */
const LONG_HOLE = 10;

/** Paths of list places that were never set: `rates[0]`, or `rates[0] to rates[98]` for a long run of them. */
export function holesOf(root: Tree): string[] {
  const holes: string[] = [];
  const step = (value: Tree, parts: readonly (string | number)[]): void => {
    if (Array.isArray(value)) {
      let from = 0;
      const hole = (end: number): void => {
        const at = (index: number) => pathText([...parts, index]);
        if (end - from > LONG_HOLE) holes.push(`${at(from)} to ${at(end - 1)}`);
        else for (let index = from; index < end; index += 1) holes.push(at(index));
        from = end + 1;
      };
      // Only the places that were set are visited: `forEach` leaves out the others.
      value.forEach((element, index) => {
        if (element === undefined) return;
        hole(index);
        step(element, [...parts, index]);
      });
      hole(value.length);
    } else if (isObject(value)) {
      for (const [name, member] of Object.entries(value)) step(member, [...parts, name]);
    }
  };
  step(root, []);
  return holes;
}
