import type { Body, EditEffect, Family, Field, Operation } from './types.js';

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
