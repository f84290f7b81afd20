import { singularOf } from './conventions.js';
import { FAMILY_INDEX } from './index.js';
import { spokenFamily } from './references.js';
import type { Family, Field, RelationRule } from './types.js';

/** What says that an item names another: `assumed` where only a name or a shape suggests it, `by rule` where we reason. */
export type RelationEvidence = 'spec' | 'published' | 'assumed' | 'by rule';

/**
 * A way from the items of one family to those of another.
 *
 * What an item shows at the path decides what is known of it: an id, or an object or a list that holds ids, is known;
 * null, an empty text and an empty list say that there is none; a leaf that is absent, or holds anything else, is
 * unknown, never none.
 */
export interface FamilyRelation {
  /** The word in a path: `customer`, `product`, `card`, `subscriptions`. */
  readonly word: string;
  /** Other words for it; no other relation of the family has one of them. */
  readonly also: readonly string[];
  /** The family it leads to, by its name in the catalogue. */
  readonly to: string;
  readonly many: boolean;
  readonly evidence: RelationEvidence;
  readonly by: ByField | ByBack | ByRule;
  /** Parameter of the list of `to` that asks the service for them (`customer_id`), where the list has one. */
  readonly filter?: string;
  readonly note?: string;
}

/** The item holds the id at a dotted path, as it is or in an object; where there are many, in a list. */
export interface ByField {
  readonly kind: 'field';
  readonly path: string;
  /** Paths that hold the same where the first is absent. */
  readonly or?: readonly string[];
  /** The id is of this family only where the field beside it says so. */
  readonly when?: { readonly path: string; readonly values: readonly string[] };
  /** The list names some of them only; all of them name the item. */
  readonly part?: true;
}

/** Items of `to` whose relation of this word leads here. */
export interface ByBack {
  readonly kind: 'back';
  readonly relation: string;
  /** A list of the item that names some of them. */
  readonly shown?: string;
}

/** Our own reasoning over related items. */
export interface ByRule extends RelationRule {
  readonly kind: 'rule';
}

/** A relation that the item itself holds. */
type Held = FamilyRelation & { readonly by: ByField };

/**
 * The relations of a family: what its items hold, to one before to many, then what leads back to them, then what a
 * rule finds.
 * @param all every family, itself too: what leads back is found among them; without them only the first are given
 */
export function relationsOf(family: Family, all: readonly Family[] = []): readonly FamilyRelation[] {
  const own = heldBy(family);
  const back = backTo(family, all, own);
  const kept = own.filter(({ word }) => !back.some((one) => one.word === word));
  return withOtherWords([...kept, ...back, ...ruledOf(family)]);
}

/**
 * The relation that a word means, dashes taken. One of what a list of the item names (`sale` of `sales`) leads to the
 * only one there: several are unknown.
 */
export function relationNamed(relations: readonly FamilyRelation[], word: string): FamilyRelation | undefined {
  const asked = word.replaceAll('-', '_');
  const named = relations.find((one) => one.word === asked || one.also.includes(asked));
  if (named) return named;
  const list = relations.find((one) => one.by.kind === 'field' && one.many && singularOf(one.word) === asked);
  return list && { ...list, word: asked, also: [], many: false };
}

const held = new WeakMap<Family, readonly Held[]>();

/** What the items themselves hold, to one before to many. */
function heldBy(family: Family): readonly Held[] {
  const known = held.get(family) ?? readHeld(family);
  held.set(family, known);
  return known;
}

function readHeld(family: Family): readonly Held[] {
  const get = family.operations.find(({ action }) => action === 'get');
  const evidence = family.shape ?? (get?.evidence === 'published' ? 'published' : 'assumed');
  const found = [...placesIn(family.item ?? {}, evidence), ...placesIn(family.assumed ?? {}, 'assumed')];
  const byWord = new Map<string, Held>();
  for (const place of found.flatMap((one) => relationsAt(one, family.name))) {
    const known = byWord.get(place.word);
    if (known === undefined) byWord.set(place.word, place);
    else if (known.to === place.to && !place.by.when) byWord.set(place.word, withOther(known, place.by.path));
  }
  const whole = [...byWord.values()].map((one) => {
    const twin = one.many ? byWord.get(singularOf(one.word)) : [...byWord.values()].find((other) => isTwin(one, other));
    return twin && twin.to === one.to && twin !== one ? withOther(one, twin.by.path) : one;
  });
  return whole.toSorted((one, other) => Number(one.many) - Number(other.many));
}

const isTwin = (one: FamilyRelation, many: FamilyRelation): boolean =>
  many.many && many.to === one.to && singularOf(many.word) === one.word;

function withOther(relation: Held, path: string): Held {
  if (relation.by.path === path) return relation;
  return { ...relation, by: { ...relation.by, or: [...(relation.by.or ?? []), path] } };
}

/** A field that names items, and where it is. */
interface Place {
  readonly path: string;
  readonly field: Field;
  readonly many: boolean;
  readonly evidence: RelationEvidence;
}

/** What a field within an embedded item names is that item's own to say. */
function* placesIn(
  fields: Readonly<Record<string, Field>>,
  evidence: RelationEvidence,
  above = '',
  many = false,
): Generator<Place> {
  for (const [name, field] of Object.entries(fields)) {
    const path = above === '' ? name : `${above}.${name}`;
    const isMany = many || field.type === 'array';
    if (targetsOf(field).length > 0) yield { path, field, many: isMany, evidence };
    else if (field.fields) yield* placesIn(field.fields, evidence, path, isMany);
    else if (field.items?.fields) yield* placesIn(field.items.fields, evidence, path, true);
  }
}

const targetsOf = (field: Field): readonly string[] => field.refers ?? field.items?.refers ?? [];

function relationsAt({ path, field, many, evidence }: Place, own: string): Held[] {
  const leaf = path.slice(path.lastIndexOf('.') + 1);
  const stem = leaf.replace(/_(?:filter|id)$/, '');
  const targets = targetsOf(field);
  const base = { also: [], many, evidence, ...(field.note && { note: field.note }) };
  const kind = field.refersBy;
  if (kind)
    return targets.map((to) => {
      const said = Object.entries(kind.families ?? {}).flatMap(([word, family]) => (family === to ? [word] : []));
      const when = { path: kind.field, values: [singularOf(to), ...said] };
      return { ...base, word: singularOf(to), to, by: { kind: 'field', path, when } };
    });
  // An id of one of several families leads nowhere while nothing tells which.
  if (targets.length > 1) return [];
  // What names items of its own family in a list is the item itself and its like, which nothing tells more of.
  return targets
    .filter((to) => to !== own || path !== own)
    .map((to) => {
      const word = field.relation ?? (many ? pluralWord(stem, to) : stem);
      const by: ByField = { kind: 'field', path, ...(field.part && { part: true }) };
      return { ...base, word, to, by };
    });
}

/** A list that is called as its family, or as one of it, has the family's word; any other is called as it is. */
function pluralWord(stem: string, to: string): string {
  return spokenFamily(stem, new Set([to])) === to ? wordFor(to) : stem;
}

/**
 * What leads back from the items of all families, by the family's word. A list that the item itself shows goes before,
 * unless it names some only, or is less certain.
 */
function backTo(family: Family, all: readonly Family[], shown: readonly Held[]): FamilyRelation[] {
  const own = new Map(shown.map((one) => [one.word, one]));
  const found: FamilyRelation[] = [];
  for (const other of all) {
    const leading = heldBy(other).filter(({ to, by }) => to === family.name && !by.part);
    // The one that is called as the family says best what the other is to it.
    const best = leading.toSorted((one, two) => rankOf(one, family.name) - rankOf(two, family.name));
    for (const [at, relation] of best.entries()) {
      const called = wordFor(other.name);
      const word = at === 0 ? called : `${called}_by_${relation.word}`;
      const list = own.get(word);
      if (list && !(list.by.part || (list.evidence === 'assumed' && relation.evidence !== 'assumed'))) continue;
      const filter = at === 0 ? filterFor(other, family.name) : undefined;
      found.push({
        ...{ word, also: [], to: other.name, many: true, evidence: relation.evidence },
        by: { kind: 'back', relation: relation.word, ...(list && { shown: list.by.path }) },
        ...(filter && { filter }),
      });
    }
  }
  return found;
}

const rankOf = (relation: Held, family: string): number =>
  Number(relation.many) + (spokenFamily(relation.word, new Set([family])) === family ? 0 : 2);

/** The parameter by which a family's list is asked for what names an item of another. */
function filterFor(family: Family, named: string): string | undefined {
  const { query = {} } = family.operations.find(({ action }) => action === 'list') ?? {};
  return Object.entries(query).find(([, { refers }]) => refers?.includes(named))?.[0];
}

function ruledOf({ ruled = {} }: Family): FamilyRelation[] {
  return Object.entries(ruled).map(([word, rule]) => ({
    ...{ word, also: [], to: rule.to, many: false, evidence: 'by rule' as const },
    by: { kind: 'rule', ...rule },
    note: rule.says,
  }));
}

const WORDS: ReadonlyMap<string, readonly string[]> = new Map(FAMILY_INDEX.map(({ name, words }) => [name, words]));
const wordsOf = (family: string): readonly string[] => WORDS.get(family) ?? [];
const wordFor = (family: string): string => wordsOf(family)[0] ?? family;

/** What else each relation answers to: the words of its family, as many or one, that no other relation has. */
function withOtherWords(relations: readonly FamilyRelation[]): readonly FamilyRelation[] {
  const taken = new Set(relations.map(({ word }) => word));
  return relations.map((relation) => {
    const { word, to, many } = relation;
    const plurals = [...wordsOf(to), to];
    const leaf = relation.by.kind === 'field' ? (relation.by.path.split('.').at(-1) ?? '') : '';
    const words = [...(many ? plurals : plurals.map(singularOf)), leaf.replace(/_(?:filter|id)$/, '')];
    const also = words.filter((one) => one !== '' && one !== word && !taken.has(one));
    for (const one of also) taken.add(one);
    return { ...relation, also: [...new Set(also)] };
  });
}
