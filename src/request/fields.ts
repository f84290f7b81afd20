import type { Field, FieldType, Operation } from '../catalogue/types.js';

/** What is known of the value at a path of a body. */
export interface Known {
  readonly field?: Field;
  /** True when the place is inside something whose fields are not all known, so that any name may stand there. */
  readonly open: boolean;
  /** Names that stand at the level where the path leaves what is known. */
  readonly siblings: readonly string[];
}

/** A body of an operation whose fields were not seen at all. */
const NOTHING: Readonly<Record<string, Field>> = {};

export function bodyFields(operation: Operation): Readonly<Record<string, Field>> {
  return operation.body?.fields ?? NOTHING;
}

/** True when the body may hold fields besides the known ones: nothing is known of it, or not all. */
export function isOpenBody(operation: Operation): boolean {
  return !(operation.body?.closed && operation.body.complete);
}

/** The body as one object field, so that the root needs no case of its own. */
export function rootField(operation: Operation): Field {
  return { type: 'object', fields: bodyFields(operation), ...(isOpenBody(operation) ? { open: true as const } : {}) };
}

/** An object whose members were never listed, or whose list is known to be cut off. */
export function isOpenObject(field: Field): boolean {
  return field.type === 'any' || field.open === true || field.fields === undefined;
}

/** Walks a path of names and indices through the known fields. */
export function fieldAt(operation: Operation, parts: readonly (string | number)[]): Known {
  let field: Field | undefined = rootField(operation);
  for (const part of parts) {
    if (field === undefined || field.type === 'any') return { open: true, siblings: [] };
    if (typeof part === 'number') {
      if (field.type !== 'array') return { open: false, siblings: [] };
      field = field.items;
      continue;
    }
    if (field.type !== 'object') return { open: false, siblings: [] };
    const fields: Readonly<Record<string, Field>> = field.fields ?? NOTHING;
    const next: Field | undefined = Object.hasOwn(fields, part) ? fields[part] : undefined;
    if (next === undefined) return { open: isOpenObject(field), siblings: Object.keys(fields) };
    field = next;
  }
  return field === undefined ? { open: true, siblings: [] } : { field, open: isOpenObject(field), siblings: [] };
}

const TYPE_NAMES: Readonly<Record<FieldType, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  any: 'any value',
};

/** The type in words for messages: `a whole number`. */
export function typeName(type: FieldType): string {
  return TYPE_NAMES[type];
}

/** The names close to what was typed, nearest first, at most two. */
export function nearest(name: string, names: readonly string[]): string[] {
  const limit = Math.max(1, Math.floor(name.length / 3));
  return names
    .map((candidate) => ({ candidate, distance: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter((entry) => entry.distance <= limit)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 2)
    .map((entry) => entry.candidate);
}

/** Levenshtein distance, cut off for long names. */
function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 12 || a.length > 80 || b.length > 80) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
