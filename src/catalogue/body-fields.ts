import type { Body, EditEffect, Family, Field, FieldType, Operation } from './types.js';

/** Every field that a write takes, or that we assume it takes, by name. */
export function writableFields({ assumed, body }: Operation): ReadonlyMap<string, Field> {
  return new Map([...Object.entries(assumed ?? {}), ...Object.entries(body?.fields ?? {})]);
}

/** Every field of a body whose type is known, whatever the evidence that the operation takes it. */
export function typedFields({ further, assumed, body }: Operation): Readonly<Record<string, Field>> {
  return { ...further, ...assumed, ...body?.fields };
}

const checked = new WeakMap<Operation, Body>();

/** The body of an operation as both sides check it: the described fields, plus the types of undescribed ones. */
export function checkedBody(operation: Operation): Body {
  const known = checked.get(operation);
  if (known) return known;
  const { closed = false, complete = false } = operation.body ?? {};
  const body = { closed, complete, fields: typedFields(operation) };
  checked.set(operation, body);
  return body;
}

/**
 * What an edit that sends a field does with the stored value. By default an object merges member by member, and
 * everything else is replaced (service.md#conventions: only the properties to change are sent).
 */
export function editEffect(field: Field): EditEffect {
  return field.onEdit ?? (field.type === 'object' ? 'merges' : 'replaces');
}

/** How a family takes part in a setup kept as files. */
export type Management =
  | { readonly as: 'file' }
  /** Made elsewhere: files refer to its items, which must exist. */
  | { readonly as: 'external'; readonly why: string }
  | { readonly as: 'none'; readonly why: string };

/** Whether a family's items are kept as files, only referred to by files, or not part of a setup. */
export function managementOf(family: Family): Management {
  if (family.nature === 'event') return { as: 'none', why: 'they are events, not set-up' };
  if (family.nature === 'people') return { as: 'none', why: 'they belong to customers' };
  if (family.unmanaged !== undefined) return { as: 'none', why: family.unmanaged };
  const has = (action: string): boolean => family.operations.some((operation) => operation.action === action);
  if (!has('get')) return { as: 'none', why: 'it cannot be read' };
  if (!has('create') && !has('edit'))
    return { as: 'external', why: 'it cannot be created or edited through this interface' };
  return { as: 'file' };
}

/** The known facts about the value at a path of a body. */
export interface KnownField {
  readonly field?: Field;
  /** True inside an object whose fields are not all known, so that any name may be valid. */
  readonly open: boolean;
}

/** The fields of an undocumented body. */
const NOTHING: Readonly<Record<string, Field>> = {};

export function bodyFields(operation: Operation): Readonly<Record<string, Field>> {
  return operation.body?.fields ?? NOTHING;
}

/** True when the body may hold unknown fields: none of it is described, or only a part. */
export function isOpenBody(operation: Operation): boolean {
  return !(operation.body?.closed && operation.body.complete);
}

/** The body as one object field, so that the root is not a special case. */
export function rootField(operation: Operation): Field {
  return { type: 'object', fields: bodyFields(operation), open: isOpenBody(operation) ? true : undefined };
}

/** An object whose members were never listed, or whose list is known to be incomplete. */
export function isOpenObject(field: Field): boolean {
  return field.type === 'any' || field.open === true || field.fields === undefined;
}

/** The fields, required ones first, then the most used. */
export function byUse(fields: Readonly<Record<string, Field>>): [string, Field][] {
  const weight = ({ required, common }: Field): number => (required ? 0 : common ? 1 : 2);
  return Object.entries(fields).sort(([, a], [, b]) => weight(a) - weight(b));
}

/** Follows a path of names and indices through the known fields. */
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

/** The type in words, for messages: `a whole number`. */
export function typeName(type: FieldType): string {
  return TYPE_NAMES[type];
}
