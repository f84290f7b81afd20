import type { Body, EditEffect, Family, Field, Operation } from './types.js';

/** A fact, and whether the service says so; else it is our reading, and is shown as such. */
export interface Reading<Fact> {
  readonly fact: Fact;
  readonly told: boolean;
}

/** Every field that a write takes or, by our reading, should take, by name. */
export function writableFields(operation: Operation): ReadonlyMap<string, Reading<Field>> {
  const fields = new Map<string, Reading<Field>>();
  for (const [name, fact] of Object.entries(operation.assumed ?? {})) fields.set(name, { fact, told: false });
  for (const [name, fact] of Object.entries(operation.body?.fields ?? {})) fields.set(name, { fact, told: true });
  return fields;
}

/** What becomes of a field that the catalogue does not list: a closed body refuses it, an open one drops it silently. */
export function unlistedField(body: Body | undefined): Reading<'refused' | 'ignored'> {
  if (!body?.closed) return { fact: 'ignored', told: false };
  // Where the end of the schema was not seen, the field may be one of those beyond it.
  return { fact: 'refused', told: body.complete };
}

/**
 * What an edit that sends a field does with the stored value. Where nothing says it: an object merges member by
 * member, everything else replaces (spec section 1: only the properties to change are sent).
 */
export function editEffect(field: Field): Reading<EditEffect> {
  if (field.onEdit !== undefined) return { fact: field.onEdit, told: true };
  return field.type === 'object' ? { fact: 'merges', told: false } : { fact: 'replaces', told: field.type !== 'array' };
}

/** How a family takes part in a set-up that is kept as files. */
export type Management =
  | { readonly as: 'file'; readonly creates: boolean; readonly edits: boolean; readonly deletes: boolean }
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
  return { as: 'file', creates: has('create'), edits: has('edit'), deletes: has('delete') };
}
