import { checkedBody } from '../../catalogue/body-fields.js';
import { spokenFamily } from '../../catalogue/conventions.js';
import { FAMILY_INDEX } from '../../catalogue/index.js';
import type { Family, Field, Operation } from '../../catalogue/types.js';
import type { Value } from '../store/item-values.js';
import { modeOf, singular } from '../store/kinds.js';
import type { Call, Scene } from './call.js';
import { invalid, type Refusal } from './refusals.js';

const FAMILIES: ReadonlySet<string> = new Set(FAMILY_INDEX.map(({ name }) => name));
const ID = /^[A-Za-z0-9]{20}$/;

type Fields = Readonly<Record<string, Field>>;

/** The catalogue's description of a property of this body, or of another write of the family. */
export function propertyOf({ operation, family }: Pick<Call, 'operation' | 'family'>, name: string): Field | undefined {
  const own = propertyIn(operation, name);
  if (own) return own;
  for (const other of family.operations) {
    const found = propertyIn(other, name);
    if (found) return found;
  }
  return undefined;
}

function propertyIn(operation: Operation, name: string): Field | undefined {
  const { fields } = checkedBody(operation);
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** The catalogue's description of each property of this body, as `propertyOf` finds it. */
export function knownFields(call: Pick<Call, 'operation' | 'family' | 'body'>): Fields {
  const known = Object.keys(call.body).map((name) => [name, propertyOf(call, name)] as const);
  return Object.fromEntries(known.filter((entry): entry is [string, Field] => entry[1] !== undefined));
}

/** Where reads show a property: under which name, and whether as `{id, name}` or as the bare id. */
function readForm(family: Family, name: string, field: Field | undefined): { shown: string; named: boolean } {
  const path = field?.readFrom ?? name;
  const [shown = name] = path.split('.');
  const item = family.item && Object.hasOwn(family.item, shown) ? family.item[shown] : undefined;
  const { type, fields } = item?.items ?? item ?? {};
  const isNamed = type === 'object' && (fields === undefined || (fields.id !== undefined && fields.name !== undefined));
  return { shown, named: path.endsWith('.id') || isNamed };
}

/**
 * Looks up every id in a body, also in properties that the catalogue does not describe completely.
 * @throws Refusal 400 for an id that names nothing (E0037 for a payment profile, service.md#errors).
 */
export function checkReferences(scene: Scene, body: Value, fields: Fields): void {
  for (const [name, content] of Object.entries(body)) {
    const field = Object.hasOwn(fields, name) ? fields[name] : undefined;
    checkContent(scene, name, content, field);
  }
}

function checkContent(scene: Scene, name: string, content: unknown, field: Field | undefined): void {
  if (content === null || content === '' || field?.refersBy) return;
  const families = field ? referredBy(field) : unknownReference(name, content);
  if (families) {
    for (const id of idsOf(content)) checkOne(scene, name, families, id, field?.nameOk ?? field?.items?.nameOk);
    return;
  }
  if (Array.isArray(content)) {
    for (const one of content) checkContent(scene, field ? '' : name, one, field?.items ?? (field ? ANY : undefined));
  } else if (typeof content === 'object') {
    checkReferences(scene, content as Value, field?.fields ?? {});
  }
}

const ANY: Field = { type: 'any' };

function referredBy(field: Field): readonly string[] | undefined {
  const families = field.refers ?? field.items?.refers;
  return families && families.length > 0 ? families : undefined;
}

/** The family that an unknown property refers to by its name, if its values look like ids. */
function unknownReference(name: string, content: unknown): readonly string[] | undefined {
  const ids = idsOf(content);
  const looks = ids.length > 0 && (/_ids?$/.test(name) || ids.some((id) => ID.test(id)));
  const family = looks ? spokenFamily(name, FAMILIES) : undefined;
  return family === undefined ? undefined : [family];
}

/** The ids in a reference: itself, the elements of a list, or the `id` of objects. */
function idsOf(content: unknown): string[] {
  if (Array.isArray(content)) return content.flatMap(idsOf);
  if (typeof content === 'string') return content === '' ? [] : [content];
  const id = typeof content === 'object' && content !== null ? (content as Value).id : undefined;
  return typeof id === 'string' ? [id] : [];
}

function checkOne(scene: Scene, name: string, families: readonly string[], id: string, nameOk?: true): void {
  if (families.some((family) => scene.store.get(family, id, modeOf(family, scene.live)))) return;
  if (nameOk) {
    for (const family of families)
      if (scene.store.named(family, modeOf(family, scene.live), 'name', id).some(({ value }) => value.name === id))
        return;
  }
  throw unknown(families[0] as string, id, name);
}

function unknown(family: string, id: string, name?: string): Refusal {
  const what = `The ${singular(family).replaceAll('_', ' ')} ${id} does not exist${name ? ` (${name})` : ''}.`;
  return invalid(what, family === 'payment_profiles' ? 'E0037' : 'E0001');
}

/**
 * What reads show for a reference in a body: `{id, name}` objects, or the ids themselves; undefined when the property
 * is not a reference. An empty string or null removes the reference.
 * @throws Refusal 400 when it names an item that does not exist.
 */
export function link(scene: Scene & Pick<Call, 'family'>, name: string, content: unknown, field?: Field): unknown {
  const own = scene.family.name;
  const { shown, named } = readForm(scene.family, name, field);
  const bare = !named;
  const family = field ? referredBy(field)?.[0] : spokenFamily(name, FAMILIES);
  if (!family || (bare && shown === name)) return undefined;
  const one = (id: string) => (bare ? refer(scene, family, id).id : shape(scene, own, family, id));
  if (content === null || content === '') return bare ? '' : null;
  if (Array.isArray(content)) {
    if (!content.every((element) => typeof element === 'string')) return undefined;
    const list = content.map(one);
    return own === 'products' && shown === 'third_party_shop' ? list[0] : list;
  }
  if (typeof content !== 'string') return undefined;
  // Products keep their projects as a list (service.md#products), even when the body names one.
  return own === 'products' && shown === 'project' ? [one(content)] : one(content);
}

/** `{id, name}`, with the third party where the spec shows it (2.2, 2.8). */
function shape(scene: Scene, own: string, family: string, id: string): Value {
  const named = refer(scene, family, id);
  if (!(own === 'products' || own === 'tax_profiles')) return named;
  const value = scene.store.get(family, id, modeOf(family, scene.live))?.value;
  const third = (value?.site_shop ?? value?.site_third_party_integration) as Value | undefined;
  const has = family === 'user_shops' || family === 'user_third_party_integrations';
  return has ? { ...named, third_party: third ? { id: third.id, name: third.name } : null } : named;
}

/** The `{id, name}` of an item that must exist. */
export function refer(scene: Scene, family: string, id: string): { id: string; name: string } {
  const item = scene.store.get(family, id, modeOf(family, scene.live));
  if (!item) throw unknown(family, id);
  return { id: item.id, name: String(item.value.name ?? '') };
}

/** Sets a value at a dotted path, creating objects on the way. */
export function unfold(target: Value, path: string, content: unknown): void {
  const names = path.split('.');
  const last = names.pop() as string;
  let place = target;
  for (const name of names) {
    const inner = place[name];
    const next = typeof inner === 'object' && inner !== null ? (inner as Value) : {};
    place[name] = next;
    place = next;
  }
  place[last] = content;
}
