import type { Body, EditEffect, Family, Field, FieldType, Operation } from './types.js';

/** Every field that a write takes or, by our reading where the service does not say so, should take, by name. */
export function writableFields({ assumed, body }: Operation): ReadonlyMap<string, Field> {
  return new Map([...Object.entries(assumed ?? {}), ...Object.entries(body?.fields ?? {})]);
}

/** Every field whose type is known in a body of an operation, whoever says that it is taken. */
export function typedFields({ further, assumed, body }: Operation): Readonly<Record<string, Field>> {
  return { ...further, ...assumed, ...body?.fields };
}

const checked = new WeakMap<Operation, Body>();

/** The body of an operation as both sides check it: what is described, and the types of what is not. */
export function checkedBody(operation: Operation): Body {
  const known = checked.get(operation);
  if (known) return known;
  const { closed = false, complete = false } = operation.body ?? {};
  const body = { closed, complete, fields: typedFields(operation) };
  checked.set(operation, body);
  return body;
}

/**
 * What an edit that sends a field does with the stored value. Where nothing says it: an object merges member by
 * member, everything else replaces (service.md#conventions: only the properties to change are sent).
 */
export function editEffect(field: Field): EditEffect {
  return field.onEdit ?? (field.type === 'object' ? 'merges' : 'replaces');
}

/** How a family takes part in a set-up that is kept as files. */
export type Management =
  | { readonly as: 'file' }
  /** Made elsewhere: files name its items, and they must be there. */
  | { readonly as: 'external'; readonly why: string }
  | { readonly as: 'none'; readonly why: string };

/** Whether a family's items are kept as files, are named by files only, or are no set-up at all. */
export function managementOf(family: Family): Management {
  if (family.nature === 'event') return { as: 'none', why: 'they happen and are not set up' };
  if (family.nature === 'people') return { as: 'none', why: 'they belong to customers' };
  if (family.unmanaged !== undefined) return { as: 'none', why: family.unmanaged };
  const has = (action: string): boolean => family.operations.some((operation) => operation.action === action);
  if (!has('get')) return { as: 'none', why: 'nothing of it can be read' };
  if (!has('create') && !has('edit'))
    return { as: 'external', why: 'it cannot be created or edited through this interface' };
  return { as: 'file' };
}

/** What is known of the value at a path of a body. */
export interface KnownField {
  readonly field?: Field;
  /** True when the place is inside something whose fields are not all known, so that any name may stand there. */
  readonly open: boolean;
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
  return { type: 'object', fields: bodyFields(operation), open: isOpenBody(operation) ? true : undefined };
}

/** An object whose members were never listed, or whose list is known to be cut off. */
export function isOpenObject(field: Field): boolean {
  return field.type === 'any' || field.open === true || field.fields === undefined;
}

/** Fields with those first that are required, and then those that are used most. */
export function byUse(fields: Readonly<Record<string, Field>>): [string, Field][] {
  const weight = ({ required, common }: Field): number => (required ? 0 : common ? 1 : 2);
  return Object.entries(fields).sort(([, a], [, b]) => weight(a) - weight(b));
}

/** Walks a path of names and indices through the fields whose types are known. */
export function bodyFieldAt(operation: Operation, parts: readonly (string | number)[]): KnownField {
  let field: Field | undefined = { ...rootField(operation), fields: typedFields(operation) };
  for (const part of parts) {
    if (field === undefined || field.type === 'any') return { open: true };
    if (typeof part === 'number') {
      if (field.type !== 'array') return { open: false };
      field = field.items;
      continue;
    }
    if (field.type !== 'object') return { open: false };
    const fields: Readonly<Record<string, Field>> = field.fields ?? NOTHING;
    const next: Field | undefined = Object.hasOwn(fields, part) ? fields[part] : undefined;
    if (next === undefined) return { open: isOpenObject(field) };
    field = next;
  }
  return field === undefined ? { open: true } : { field, open: isOpenObject(field) };
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
