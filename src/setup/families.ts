import { managementOf, writableFields } from '../catalogue/body-fields.js';
import { allFamilies, findOperation } from '../catalogue/index.js';
import type { Body, Family, Field, Operation } from '../catalogue/types.js';

/** A family whose items are kept as files, with the parts of the catalogue that files need. */
export interface Managed {
  readonly family: Family;
  /** The name used for its folder and in references: `payment-profiles`. */
  readonly name: string;
  /** The fields that a create or an edit takes. */
  readonly fields: Readonly<Record<string, Field>>;
  /** The schema of its files: these fields, none required, no others. */
  readonly body: Body;
  readonly get: Operation;
  /** Absent for a family with a single item. */
  readonly list?: Operation | undefined;
  readonly create?: Operation | undefined;
  readonly edit?: Operation | undefined;
  readonly remove?: Operation | undefined;
  /** The field that names an item; absent for a family with a single item. */
  readonly keyField?: string | undefined;
}

/** A family whose items files only refer to: the service makes them, or a person does in its pages. */
export interface External {
  readonly family: Family;
  readonly name: string;
  readonly list?: Operation | undefined;
}

/** `unmanaged`: Set-up that files cannot hold, with the reason. */
export type Families = Awaited<ReturnType<typeof loadFamilies>>;

/** Key of the only item of a single-item family. */
export const ONLY = 'settings';

/** Every set-up family of the catalogue. */
export async function loadFamilies() {
  const managed = new Map<string, Managed>();
  const external = new Map<string, External>();
  const unmanaged: { name: string; why: string }[] = [];
  for (const family of await allFamilies()) {
    const name = family.name.replaceAll('_', '-');
    const how = managementOf(family);
    if (how.as === 'file') managed.set(name, managedOf(family, name));
    else if (how.as === 'external') external.set(name, { family, name, list: findOperation(family, 'list') });
    else if (family.nature === 'set-up') unmanaged.push({ name, why: how.why });
  }
  return { managed, external, unmanaged };
}

/**
 * Kept by family: checks of bodies cache their compiled form by operation, and a promotion loads every family twice.
 */
const known = new WeakMap<Family, Managed>();

function managedOf(family: Family, name: string): Managed {
  const managed = known.get(family) ?? makeManaged(family, name);
  known.set(family, managed);
  return managed;
}

function makeManaged(family: Family, name: string): Managed {
  const create = findOperation(family, 'create');
  const edit = findOperation(family, 'edit');
  const fields: Record<string, Field> = {};
  for (const operation of [create, edit]) {
    if (!operation) continue;
    for (const [field, told] of writableFields(operation)) fields[field] = richer(fields[field], told);
  }
  return {
    family,
    name,
    fields,
    body: { closed: true, complete: true, fields },
    get: findOperation(family, 'get') as Operation,
    list: findOperation(family, 'list'),
    create,
    edit,
    remove: findOperation(family, 'delete'),
    keyField: family.keys[0]?.field,
  };
}

/**
 * Merges two descriptions of one field. The result is not required, because one of the two operations may not require
 * it.
 */
function richer(one: Field | undefined, other: Field): Field {
  if (one === undefined) return other;
  const { required: _one, ...first } = one;
  const { required: _other, ...second } = other;
  return { ...first, ...second, ...(first.items && !second.items ? { items: first.items } : {}) };
}

/** The fields that an operation takes, by name; none without an operation. */
export function fieldsOf(operation: Operation | undefined): ReadonlyMap<string, Field> {
  return operation ? writableFields(operation) : new Map();
}

/** Whether enabled items of the family work by themselves: they are created disabled and enabled last. */
export function firesByItself(managed: Managed): boolean {
  return managed.family.operations.some(({ action }) => action === 'trigger') && managed.fields.enabled !== undefined;
}

/** `payment-profiles/Default`: the name of an object in plans, references and states. */
export function addressOf(name: string, key: string): string {
  return `${name}/${key}`;
}

/** Splits an address in two; the key may contain slashes. */
export function partsOfAddress(address: string): { readonly name: string; readonly key: string } {
  const at = address.indexOf('/');
  return { name: address.slice(0, at).replaceAll('_', '-'), key: address.slice(at + 1) };
}

/** The families that files cannot hold, as a list in words. */
export function outside({ external, unmanaged }: Families): string {
  return [...external.keys(), ...unmanaged.map(({ name }) => name)].sort().join(', ');
}
