import { typedFields } from '../../catalogue/body-fields.js';
import { spokenFamily } from '../../catalogue/conventions.js';
import { FAMILY_INDEX } from '../../catalogue/index.js';
import type { Field, Operation } from '../../catalogue/types.js';
import { isObject, ownMember, type Tree, type TreeObject } from '../../items/json/tree.js';

const FAMILIES: ReadonlySet<string> = new Set(FAMILY_INDEX.map(({ name }) => name));

/** The family whose id a path's placeholder stands for; undefined if it is none's. */
export const familyOfParameter = (parameter: string): string | undefined => spokenFamily(parameter, FAMILIES);

/** A text of a body that is an id, or a name in its place. */
export interface BodyReference {
  readonly holder: TreeObject | Tree[];
  readonly at: string | number;
  readonly word: string;
  /** Its family; undefined if it may belong to several. */
  readonly family: string | undefined;
}

/** Where a body refers to items, in order. */
export function bodyReferences(operation: Operation, body: TreeObject): BodyReference[] {
  const found: BodyReference[] = [];
  const look = (field: Field | undefined, place: Omit<BodyReference, 'word'>, value: Tree, depth: number): void => {
    if (!field || depth > 20) return;
    if (Array.isArray(value)) {
      const { items } = field;
      const family = single(items?.refers ?? field.refers);
      for (const [at, one] of value.entries()) look(items, { holder: value, at, family }, one, depth + 1);
    } else if (isObject(value)) object(field.fields ?? {}, value, depth + 1, place.family);
    else if (typeof value === 'string' && field.format === 'id' && !field.nameOk && value !== '')
      found.push({ ...place, word: value });
  };
  const object = (known: Readonly<Record<string, Field>>, holder: TreeObject, depth: number, of?: string): void => {
    for (const [at, value] of Object.entries(holder)) {
      const field = Object.hasOwn(known, at) ? known[at] : undefined;
      // The id in an object is the id of its referent.
      const family = field && (familyOf(field, holder) ?? (at === 'id' && field.refers === undefined ? of : undefined));
      look(field, { holder, at, family }, value, depth);
    }
  };
  object(typedFields(operation), body, 0);
  return found;
}

function familyOf(field: Field, beside: TreeObject): string | undefined {
  const kind = field.refersBy && ownMember(beside, field.refersBy.field);
  if (field.refersBy && typeof kind === 'string') {
    const told = field.refersBy.families?.[kind];
    return told ?? spokenFamily(kind, FAMILIES);
  }
  return single(field.refers);
}

const single = (families: readonly string[] | undefined): string | undefined =>
  families?.length === 1 ? families[0] : undefined;
