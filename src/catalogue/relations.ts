import { singularOf, spokenFamily } from './conventions.js';
import { FAMILY_INDEX } from './index.js';
import type { Family, Field, RelationRule } from './types.js';

/** The evidence that an item refers to another: `assumed` from only a name or a shape, `by rule` where we infer it. */
export type RelationEvidence = 'spec' | 'published' | 'assumed' | 'by rule';

/**
 * A way from the items of one family to those of another.
 *
 * The value that an item shows at the path decides what is known. An id, or an object or list that holds ids, is known.
 * Null, an empty string or an empty list means none. A leaf that is absent, or holds anything else, means unknown,
 * never none.
 */
export interface FamilyRelation {
  /** The word in a path: `customer`, `product`, `card`, `subscriptions`. */
  readonly word: string;
  /** Other words for it, unique within the family. */
  readonly also: readonly string[];
  /** The family it leads to, by catalogue name. */
  readonly to: string;
  readonly many: boolean;
  /** The list whose only element this word names. */
  readonly oneOf?: FamilyRelation;
  readonly evidence: RelationEvidence;
  readonly by: ByField | ByBack | ByRule;
  /** The query parameter on the list of `to` that filters by this item (`customer_id`), where the list has one. */
  readonly filter?: string;
  readonly note?: string;
  /** For a relation that people take for more than it is: which rows it leaves out. */
  readonly leaves?: string;
}

/** The item holds the id at a dotted path, bare or in an object; for many, in a list. */
export interface ByField {
  readonly kind: 'field';
  readonly path: string;
  /** Paths that hold the same value where the first is absent. */
  readonly or?: readonly string[];
  /** The id belongs to this family only if the neighbouring field says so. */
  readonly when?: { readonly path: string; readonly values: readonly string[] };
  /** The list holds only some of the items that refer to this one. */
  readonly part?: true;
}

/** Items of `to` whose relation with this word leads here. */
export interface ByBack {
  readonly kind: 'back';
  readonly relation: string;
  /** A list on the item that holds some of them. */
  readonly shown?: string;
}

/** Our own inference over related items. */
export interface ByRule extends RelationRule {
  readonly kind: 'rule';
}

/** A relation that the item itself holds. */
type Held = FamilyRelation & { readonly by: ByField };

/**
 * The relations of a family: first those that its items hold, to-one before to-many, then those that lead back to them,
 * then those a rule finds.
 * @param all every family, including this one, to search for relations that lead back; without it only held relations
 *   are returned
 */
export function relationsOf(family: Family, all: readonly Family[] = []): readonly FamilyRelation[] {
  const own = heldBy(family);
  const back = backTo(family, all, own);
  const kept = own.filter(({ word }) => !back.some((one) => one.word === word));
  return withOtherWords([...kept, ...back, ...ruledOf(family)]);
}

/**
 * The relation that a word means, accepting dashes. The singular of a to-many list (`sale` for `sales`) means its only
 * element; if there are several, the answer is unknown.
 */
export function relationNamed(relations: readonly FamilyRelation[], word: string): FamilyRelation | undefined {
  const asked = word.replaceAll('-', '_');
  const named = relations.find((one) => one.word === asked || one.also.includes(asked));
  if (named) return named;
  const list = relations.find((one) => one.by.kind === 'field' && one.many && singularOf(one.word) === asked);
  if (list) return { ...list, word: asked, also: [], many: false, oneOf: list };
  return relations.find((one) => !one.many && one.word === singularOf(asked));
}

const held = new WeakMap<Family, readonly Held[]>();

/** The relations that the items themselves hold, to-one before to-many. */
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

/** A field that refers to items, and its path. */
interface Place {
  readonly path: string;
  readonly field: Field;
  readonly many: boolean;
  readonly evidence: RelationEvidence;
}

/** A reference inside an embedded item belongs to that item. */
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
  const base = {
    also: [],
    many,
    evidence,
    ...(field.note && { note: field.note }),
    ...(field.leaves && { note: field.leaves, leaves: field.leaves }),
  };
  const kind = field.refersBy;
  if (kind)
    return targets.map((to) => {
      const said = Object.entries(kind.families ?? {}).flatMap(([word, family]) => (family === to ? [word] : []));
      const when = { path: kind.field, values: [singularOf(to), ...said] };
      return { ...base, word: singularOf(to), to, by: { kind: 'field', path, when } };
    });
  // An id that may belong to several families leads nowhere until something says which.
  if (targets.length > 1) return [];
  // A list of items of the same family holds the item itself and its siblings; nothing says more about them.
  return targets
    .filter((to) => to !== own || path !== own)
    .map((to) => {
      const word = field.relation ?? (many ? pluralWord(stem, to) : stem);
      const by: ByField = { kind: 'field', path, ...(field.part && { part: true }) };
      return { ...base, word, to, by };
    });
}

/** A list named after its family, or the family's singular, takes the family's word; any other keeps its own name. */
function pluralWord(stem: string, to: string): string {
  return spokenFamily(stem, new Set([to])) === to ? wordFor(to) : stem;
}

/**
 * Relations that lead back from the items of all families, by the family's word. A list on the item itself takes
 * precedence, unless it is partial or less certain.
 */
function backTo(family: Family, all: readonly Family[], shown: readonly Held[]): FamilyRelation[] {
  const own = new Map(shown.map((one) => [one.word, one]));
  const found: FamilyRelation[] = [];
  for (const other of all) {
    const leading = heldBy(other).filter(({ to, by }) => to === family.name && !by.part);
    // The relation named after this family best describes how the other relates to it.
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

/** The query parameter of a family's list that filters by a reference to an item of another family. */
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

/** Adds other words for each relation: its family's words, plural or singular, that no other relation has. */
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
