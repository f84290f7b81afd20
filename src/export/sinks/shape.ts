import type { SchemaElement } from 'hyparquet';
import type { Family, Field } from '../../catalogue/types.js';
import { topColumns } from '../columns.js';
import { pass, skip, skipString } from '../flatten.js';

/** Digits that every double keeps. */
const SAFE_DIGITS = 15;

type ScalarKind = 'text' | 'integer' | 'number' | 'boolean' | 'json';

/** What a column, or a part of one, holds. */
export type Shape =
  | { readonly kind: ScalarKind }
  | { readonly kind: 'struct'; readonly members: readonly Member[] }
  | { readonly kind: 'list'; readonly element: Shape };

interface Member {
  readonly name: string;
  /** The name as it stands in JSON, quotes included. */
  readonly quoted: Buffer;
  readonly shape: Shape;
}

export interface ShapedColumn {
  readonly name: string;
  readonly shape: Shape;
}

export type Value = string | bigint | number | boolean | undefined | readonly Value[] | { [name: string]: Value };

/** Told of each value that has no place in its column: its path in the item, and its range. */
export type Lost = (path: string, start: number, end: number) => void;

/** The columns of a family's items: objects with known fields as structs, arrays of known elements as lists. */
export function shapedColumns(family: Family): ShapedColumn[] {
  return topColumns(family).map(({ path, field }) => ({ name: path, shape: shapeOf(field) }));
}

function shapeOf(field: Field | undefined): Shape {
  switch (field?.type) {
    case 'string':
      return { kind: 'text' };
    case 'integer':
    case 'number':
    case 'boolean':
      return { kind: field.type };
    case 'object': {
      const fields = Object.entries(field.fields ?? {});
      if (fields.length === 0) return { kind: 'json' };
      const members = fields.map(([name, one]) => ({
        name,
        quoted: Buffer.from(JSON.stringify(name)),
        shape: shapeOf(one),
      }));
      return { kind: 'struct', members };
    }
    case 'array': {
      const element = shapeOf(field.items);
      return element.kind === 'json' ? element : { kind: 'list', element };
    }
    default:
      return { kind: 'json' };
  }
}

const PHYSICAL = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
} as const satisfies Record<ScalarKind, Partial<SchemaElement>>;

/** The elements of a Parquet schema for a column, outermost first. */
export function schemaElements({ name, shape }: ShapedColumn): SchemaElement[] {
  const optional = { name, repetition_type: 'OPTIONAL' } as const;
  if (shape.kind === 'struct') {
    return [{ ...optional, num_children: shape.members.length }, ...shape.members.flatMap(schemaElements)];
  }
  if (shape.kind === 'list') {
    return [
      { ...optional, num_children: 1, converted_type: 'LIST' },
      { name: 'list', repetition_type: 'REPEATED', num_children: 1 },
      ...schemaElements({ name: 'element', shape: shape.element }),
    ];
  }
  return [{ ...optional, ...PHYSICAL[shape.kind] }];
}

/** The JSON value in a range as a column of this shape holds it; what it cannot hold unchanged is told to `lost`. */
export function shaped(bytes: Buffer, start: number, end: number, shape: Shape, path: string, lost: Lost): Value {
  if (bytes[start] === 0x6e) return undefined;
  if (shape.kind === 'struct' && bytes[start] === 0x7b) return struct(bytes, start, shape.members, path, lost);
  if (shape.kind === 'list' && bytes[start] === 0x5b) {
    let whole = true;
    const list = elements(bytes, start, shape.element, () => {
      whole = false;
    });
    // An element has no path of its own: the list is kept as it came beside what the column holds of it.
    if (!whole) lost(path, start, end);
    return list;
  }
  const value = shape.kind === 'struct' || shape.kind === 'list' ? undefined : scalar(bytes, start, end, shape.kind);
  if (value === undefined) lost(path, start, end);
  return value;
}

function struct(bytes: Buffer, start: number, members: readonly Member[], path: string, lost: Lost): Value {
  const made: Record<string, Value> = {};
  let next = 0;
  let at = pass(bytes, start + 1);
  while (bytes[at] !== 0x7d) {
    const nameEnd = skipString(bytes, at);
    let index = next;
    if (!isName(members[index], bytes, at, nameEnd)) {
      index = members.findIndex((member) => isName(member, bytes, at, nameEnd));
    }
    const from = pass(bytes, pass(bytes, nameEnd) + 1);
    const to = skip(bytes, from);
    const member = members[index];
    if (member) {
      made[member.name] = shaped(bytes, from, to, member.shape, `${path}.${member.name}`, lost);
      next = index + 1;
    } else {
      lost(`${path}.${JSON.parse(bytes.toString('utf8', at, nameEnd))}`, from, to);
    }
    at = pass(bytes, to);
    if (bytes[at] === 0x2c) at = pass(bytes, at + 1);
  }
  return made;
}

function elements(bytes: Buffer, start: number, shape: Shape, lost: Lost): Value[] {
  const made: Value[] = [];
  let at = pass(bytes, start + 1);
  while (bytes[at] !== 0x5d) {
    const to = skip(bytes, at);
    made.push(shaped(bytes, at, to, shape, '', lost));
    at = pass(bytes, to);
    if (bytes[at] === 0x2c) at = pass(bytes, at + 1);
  }
  return made;
}

function isName(member: Member | undefined, bytes: Buffer, start: number, end: number): boolean {
  const { quoted } = member ?? {};
  if (quoted === undefined || quoted.length !== end - start) return false;
  for (let i = 1; i < quoted.length; i++) if (quoted[i] !== bytes[start + i]) return false;
  return true;
}

/** The value, or undefined where the kind would lose something of it. */
function scalar(bytes: Buffer, start: number, end: number, kind: ScalarKind): Value {
  const first = bytes[start] as number;
  if (kind === 'json') return bytes.toString('utf8', start, end);
  if (kind === 'text') {
    if (first !== 0x22) return undefined;
    for (let i = start + 1; i < end - 1; i++) {
      if (bytes[i] === 0x5c) return JSON.parse(bytes.toString('utf8', start, end)) as string;
    }
    return bytes.toString('utf8', start + 1, end - 1);
  }
  if (kind === 'boolean') return first === 0x74 ? true : first === 0x66 ? false : undefined;
  if (first !== 0x2d && !(first >= 0x30 && first <= 0x39)) return undefined;
  const text = bytes.toString('latin1', start, end);
  if (kind === 'integer') {
    if (!/^-?\d{1,19}$/.test(text)) return undefined;
    const value = BigInt(text);
    return BigInt.asIntN(64, value) === value ? value : undefined;
  }
  const digits = text.replace(/[eE].*$|[-.]/g, '').length;
  return digits > SAFE_DIGITS || !Number.isFinite(Number(text)) ? undefined : Number(text);
}
