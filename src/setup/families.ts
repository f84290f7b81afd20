import { managementOf, writableFields } from '../catalogue/body-fields.js';
import { allFamilies } from '../catalogue/index.js';
import type { Body, Family, Field, Operation } from '../catalogue/types.js';

/** A family whose items are kept as files, with all that files need of the catalogue. */
export interface Managed {
  readonly family: Family;
  /** The name of its folder and of references: `payment-profiles`. */
  readonly name: string;
  /** What a create or an edit takes, together. */
  readonly fields: Readonly<Record<string, Field>>;
  /** What files are checked against: these fields, none required, nothing else. */
  readonly body: Body;
  readonly get: Operation;
  /** Absent where there is one item only. */
  readonly list?: Operation | undefined;
  readonly create?: Operation | undefined;
  readonly edit?: Operation | undefined;
  readonly remove?: Operation | undefined;
  /** Field of the item that names it; absent where there is one item only. */
  readonly keyField?: string | undefined;
}

/** A family whose items exist already wherever they are named: made by the service, or by hand in its pages. */
export interface External {
  readonly family: Family;
  readonly name: string;
  readonly list?: Operation | undefined;
}

export interface Families {
  readonly managed: ReadonlyMap<string, Managed>;
  readonly external: ReadonlyMap<string, External>;
  /** Set-up that cannot be kept as files, with the reason. */
  readonly unmanaged: readonly { readonly name: string; readonly why: string }[];
}

/** Key of the only item of a family that has one. */
export const ONLY = 'settings';

/** Every family of a set-up, by the catalogue. */
export async function loadFamilies(): Promise<Families> {
  const managed = new Map<string, Managed>();
  const external = new Map<string, External>();
  const unmanaged: { name: string; why: string }[] = [];
  for (const family of await allFamilies()) {
    const name = family.name.replaceAll('_', '-');
    const how = managementOf(family);
    if (how.as === 'file') managed.set(name, managedOf(family, name));
    else if (how.as === 'external') external.set(name, { family, name, list: operationOf(family, 'list') });
    else if (family.nature === 'set-up') unmanaged.push({ name, why: how.why });
  }
  return { managed, external, unmanaged };
}

/** By family of the catalogue: checks of bodies keep what they compile by its operations, and a promotion loads all twice. */
const known = new WeakMap<Family, Managed>();

function managedOf(family: Family, name: string): Managed {
  const managed = known.get(family) ?? makeManaged(family, name);
  known.set(family, managed);
  return managed;
}

function makeManaged(family: Family, name: string): Managed {
  const create = operationOf(family, 'create');
  const edit = operationOf(family, 'edit');
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
    get: operationOf(family, 'get') as Operation,
    list: operationOf(family, 'list'),
    create,
    edit,
    remove: operationOf(family, 'delete'),
    keyField: family.keys[0]?.field,
  };
}

/** Of two descriptions of one field the one that says more; what only one of them requires is not required of both. */
function richer(one: Field | undefined, other: Field): Field {
  if (one === undefined) return other;
  const { required: _one, ...first } = one;
  const { required: _other, ...second } = other;
  return { ...first, ...second, ...(first.items && !second.items ? { items: first.items } : {}) };
}

function operationOf(family: Family, action: string): Operation | undefined {
  return family.operations.find((operation) => operation.action === action);
}

/** The fields that one operation takes, by name; `undefined` operations take none. */
export function fieldsOf(operation: Operation | undefined): ReadonlyMap<string, Field> {
  return operation ? writableFields(operation) : new Map();
}

/** Families whose enabled items work by themselves: these are created disabled, and enabled when all else is done. */
export function firesByItself(managed: Managed): boolean {
  return managed.family.operations.some(({ action }) => action === 'trigger') && managed.fields.enabled !== undefined;
}

/** `payment-profiles/Default`: how plans, references and states call an object. */
export function addressOf(name: string, key: string): string {
  return `${name}/${key}`;
}

/** The two parts of an address; a key may hold slashes. */
export function partsOfAddress(address: string): { readonly name: string; readonly key: string } {
  const at = address.indexOf('/');
  return { name: address.slice(0, at).replaceAll('_', '-'), key: address.slice(at + 1) };
}

/** The families that no file holds, in words. */
export function outside({ external, unmanaged }: Families): string {
  return [...external.keys(), ...unmanaged.map(({ name }) => name)].sort().join(', ');
}
