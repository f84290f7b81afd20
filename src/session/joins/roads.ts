import { stopped, usage } from '../../base/errors/errors.js';
import { singularOf } from '../../catalogue/conventions.js';
import { neverShown } from '../../catalogue/field-words.js';
import { FAMILY_INDEX, loadFamily } from '../../catalogue/index.js';
import { pathSteps } from '../../catalogue/leaf-types.js';
import { type FamilyRelation, relationNamed, relationsOf } from '../../catalogue/relations.js';
import type { Family } from '../../catalogue/types.js';
import {
  asSaid,
  fieldAt,
  fieldPath,
  fieldsNear,
  isKnown,
  knownNames,
  type RelatedField,
  typeAt,
  type Vocabulary,
  vocabularyOf,
} from '../../items/select/names.js';

/** Requests today's row, whatever the item contains of it: `product@now.price`. */
const NOW = '@now';

/** The way from a row to a value: from the row itself if it contains it, otherwise from the row it refers to. */
export interface Road {
  /** The full path, without short names. */
  readonly path: string;
  /** Where the row may contain the value itself. */
  readonly own: readonly string[];
  readonly follow: Follow | undefined;
  /** What is known about the value. */
  readonly leaf: RelatedField;
}

interface Follow {
  readonly from: Family;
  readonly relation: FamilyRelation;
  readonly family: Family;
  readonly then: Road;
}

/** What is known about a family's rows, in any context. */
export function vocabularyOfRows(family: Family): Vocabulary {
  const read = family.operations.find(({ action }) => action === 'list' || action === 'get');
  if (!read) return { columns: family.columns, fields: family.item ?? {} };
  const vocabulary = vocabularyOf(family, read);
  const { fields } = vocabulary;
  const hasName = 'name' in fields || !('first_name' in fields && 'last_name' in fields);
  return hasName ? vocabulary : { ...vocabulary, fields: { ...fields, name: { type: 'string' } } };
}

/** A family's relations, including those that lead back to it: looks at every family to find them. */
export const allRelations = async (family: Family): Promise<readonly FamilyRelation[]> =>
  relationsOf(family, await Promise.all(FAMILY_INDEX.map(({ name }) => loadFamily(name))));

/** The relation that a word means, in any case. */
export const relationCalled = (relations: readonly FamilyRelation[], typed: string): FamilyRelation | undefined =>
  relationNamed(relations, asSaid(typed).replaceAll(' ', '_'));

/**
 * The way that a typed path means; undefined if it does not leave the item. A bare relation means the id of its row.
 */
async function roadOf(family: Family, vocabulary: Vocabulary, typed: string): Promise<Road | undefined> {
  const [head = '', ...tail] = typed.split('.').map((step) => step.trim());
  const isNow = head.endsWith(NOW);
  const word = isNow ? head.slice(0, -NOW.length) : head;
  if (tail.length === 0 && !isNow) return bareRoad(family, vocabulary, word);
  const isKnownHead =
    fieldAt(vocabulary, word) !== undefined || vocabulary.columns.some(({ path }) => path.startsWith(`${word}.`));
  const near = relationCalled(relationsOf(family), word);
  // The same rows that a count counts: a list on the item may hold only some of them.
  const isAnywhere = near ? near.many : !isKnownHead;
  const relation = isAnywhere ? relationCalled(await allRelations(family), word) : near;
  if (!relation || tail.length === 0) {
    if (!isNow) return undefined;
    throw usage(
      `"${typed}": ${relation ? 'the field of today’s row is missing' : `there is no relation "${word}"`}.`,
      `Relations of ${family.name.replaceAll('_', '-')}: ${relationWords(relationsOf(family))}. For example: product@now.price`,
    );
  }
  const isOwn = !isNow && isKnown(vocabulary, typed);
  // Items contain such a list themselves, or its rows are requested.
  if (relation.many && isOwn) return undefined;
  return roadBy(family, vocabulary, { relation, word, typed, tail, isNow, isOwn });
}

/** The way to the id of a bare relation, if no field has its name. */
async function bareRoad(family: Family, vocabulary: Vocabulary, word: string): Promise<Road | undefined> {
  if (isKnown(vocabulary, fieldPath(vocabulary, word, 'path'))) return undefined;
  const relations = relationsOf(family);
  const relation = relationCalled(relations, word);
  // One element of a list is not a value that every item has.
  const isOne = relation !== undefined && relations.includes(relation) && !relation.many;
  if (!isOne || relation.by.kind !== 'field') return undefined;
  const { idField } = await loadFamily(relation.to);
  const asked = { relation, word: relation.word, typed: `${relation.word}.${idField}`, tail: [idField] };
  return roadBy(family, vocabulary, { ...asked, isNow: false, isOwn: false });
}

interface RoadAsked {
  readonly relation: FamilyRelation;
  readonly word: string;
  readonly typed: string;
  readonly tail: readonly string[];
  readonly isNow: boolean;
  readonly isOwn: boolean;
}

async function roadBy(
  family: Family,
  vocabulary: Vocabulary,
  { relation, word, typed, tail, isNow, isOwn }: RoadAsked,
): Promise<Road> {
  const far = await loadFamily(relation.to);
  const then = await roadWithin(far, tail.join('.'));
  const { by } = relation;
  const base = by.kind === 'field' ? by.path.replace(/\.id$/, '') : undefined;
  const typedOwn = fieldPath(vocabulary, typed, 'path');
  const own = isNow || by.kind === 'back' ? [] : [typedOwn, ...(base === undefined ? [] : [`${base}.${then.path}`])];
  // An id that the item holds is the id of the row.
  if (!isNow && by.kind === 'field' && !by.when && !relation.many && then.path === far.idField)
    own.push(...[by.path, ...(by.or ?? [])].filter((path) => fieldAt(vocabulary, path)?.type === 'string'));
  const path = isNow ? `${word}${NOW}.${then.path}` : isOwn ? typedOwn : `${relation.word}.${then.path}`;
  const carried = isOwn ? { field: fieldAt(vocabulary, typedOwn), type: typeAt(vocabulary, typedOwn) } : undefined;
  const leaf = { path, field: then.leaf.field ?? carried?.field, type: then.leaf.type ?? carried?.type };
  return { path, own: [...new Set(own)], follow: { from: family, relation, family: far, then }, leaf };
}

/** The first relation on a way with possibly many rows. */
export const manyOn = (road: Road): FamilyRelation | undefined => manyIn(road)?.follow?.relation;

/** The part of a way that starts with its first relation to possibly many rows. */
export const manyIn = (road: Road): Road | undefined =>
  !road.follow || road.follow.relation.many ? road.follow && road : manyIn(road.follow.then);

/** True if items may show the values of a way themselves, so that only the items can tell. */
function mayCarry({ follow }: Road): boolean {
  const by = follow?.relation.many ? follow.relation.by : undefined;
  return by?.kind === 'field' || (by?.kind === 'back' && by.shown !== undefined);
}

function manyError(typed: string, road: Road): Error {
  const spoken = manyOn(road)?.word.replaceAll('_', '-');
  return usage(`"${typed}": one item may have many ${spoken}.`, `Select by them with --with '${spoken} ...'.`);
}

/** The error of a name that no item may have: a bare relation, or a path with an unknown first word. */
export async function strayFault(family: Family, vocabulary: Vocabulary, typed: string): Promise<Error | undefined> {
  const [head = '', ...tail] = typed.split('.');
  if (isKnown(vocabulary, fieldPath(vocabulary, typed, 'path')) || fieldAt(vocabulary, head)) return undefined;
  const relations = await allRelations(family);
  const relation = tail.length === 0 ? relationCalled(relations, head) : undefined;
  if (relation) {
    const word = relation.word.replaceAll('_', '-');
    return usage(
      `"${typed}" is not a field of ${family.name.replaceAll('_', '-')}: it leads to ${relation.to.replaceAll('_', '-')}.`,
      relation.many
        ? `For items with any: --with ${word}; with none: --without ${word}.`
        : `For items with one: --with ${word}; with none: --without ${word}; for one of its fields: ${word}.id`,
    );
  }
  const itself = singularOf(family.name).replaceAll('_', '-');
  const own = tail.join('.');
  if (
    own !== '' &&
    `-${itself}`.endsWith(`-${head.replaceAll('_', '-')}`) &&
    isKnown(vocabulary, fieldPath(vocabulary, own, 'path'))
  )
    return usage(`No item has a field "${typed}".`, `Each row is a ${itself} itself: write ${own}.`);
  const elsewhere = await elsewhereFault(vocabulary, typed, relations);
  if (tail.length === 0 || elsewhere) return elsewhere;
  return usage(
    `No item has a field "${typed}", and nothing of ${family.name.replaceAll('_', '-')} is called "${head}".`,
    `A path begins with ${relationWords(relations)}. Use --with for relations to many rows.`,
  );
}

/** How many ways to related rows a hint shows: items differ in which of them has a value. */
const SHOWN_WAYS = 4;

/** The error of a name, or a path, that only related rows have; undefined if none does. */
async function elsewhereFault(
  vocabulary: Vocabulary,
  typed: string,
  relations: readonly FamilyRelation[],
): Promise<Error | undefined> {
  const never = neverShown(typed, knownNames(vocabulary), false);
  if (never !== undefined) return usage(`No item has a field "${typed}".`, never);
  const ways: { readonly path: string; readonly many: boolean; readonly has: boolean }[] = [];
  const [head = '', ...tail] = typed.split('.');
  for (const { to, word, many } of relations) {
    const family = await loadFamily(to);
    const far = vocabularyOfRows(family);
    const has = isKnown(far, fieldPath(far, typed, 'path'));
    const leads = tail.length > 0 && relationCalled(relationsOf(family), head)?.many === false;
    const name = many && isKnown(far, `${typed}.name`) ? '.name' : '';
    if (has || leads) ways.push({ path: `${word.replaceAll('_', '-')}.${typed}${name}`, many, has });
  }
  // Rows that have the field themselves come before those that lead on to it.
  ways.sort((a, b) => Number(b.has) - Number(a.has));
  const pathsOf = (many: boolean) => ways.flatMap((way) => (way.many === many ? way.path : [])).slice(0, SHOWN_WAYS);
  const [one, several] = [pathsOf(false), pathsOf(true)];
  const [first] = several;
  if (ways.length === 0) return undefined;
  const hint = [
    // One row is one value: such a path works everywhere.
    one.length > 0 && `Related rows have it: ${one.join(' or ')}.`,
    first !== undefined &&
      `${one.length > 0 ? 'Others' : 'Related rows'} have it, as columns that may hold several values: --columns ${several.join(',')}. To filter by it: --with '${first.replace('.', ' ')}=...'.`,
    fieldsNear(typed, knownNames(vocabulary)),
  ];
  return usage(`No item has a field "${typed}".`, hint.filter(Boolean).join(' '));
}

/** The paths to rows of that name over one related row: `customer.subscriptions`. Set-up is left out: many items share it. */
export async function wordsOver(relations: readonly FamilyRelation[], name: string): Promise<string[]> {
  const found: string[] = [];
  for (const { to, word, many } of relations) {
    const onward = many ? undefined : await loadFamily(to);
    const path = `${word.replaceAll('_', '-')}.${name}`;
    if (onward && onward.nature !== 'set-up' && relationCalled(await allRelations(onward), name)) found.push(path);
  }
  return found.slice(0, SHOWN_WAYS);
}

/** The way on a related row, which may be its end. */
async function roadWithin(family: Family, typed: string): Promise<Road> {
  const vocabulary = vocabularyOfRows(family);
  const further = await roadOf(family, vocabulary, typed);
  if (further) return further;
  const path = fieldPath(vocabulary, typed, 'path');
  const leaf = { path, field: fieldAt(vocabulary, path), type: typeAt(vocabulary, path) };
  return { path, own: [path], follow: undefined, leaf };
}

/** A reference that names one of several families leads back only to the item, never to one of its parts. */
export async function partsApart(family: Family, relation: FamilyRelation, far: Family): Promise<string | undefined> {
  if (relation.by.kind !== 'back') return undefined;
  const { relation: back } = relation.by;
  const [theirs, ofItem] = [await allRelations(far), await allRelations(family)];
  const own = theirs.find(({ word }) => word === back)?.by;
  if (own?.kind !== 'field' || !own.when) return undefined;
  const { path, when } = own;
  const parts = theirs.flatMap(({ word, to, by }) =>
    word !== back && by.kind === 'field' && by.path === path && ofItem.some((one) => one.many && one.to === to)
      ? [to.replaceAll('_', '-')]
      : [],
  );
  if (parts.length === 0) return undefined;
  const [word, name] = [relation.word, family.name].map((one) => one.replaceAll('_', '-'));
  return `Of ${name}, ${word} are those with ${when.path}=${when.values[0]} only: ${word} of their ${parts.join(', ')} are left out. Query those lists as well.`;
}

/** The families whose rows a way requests. */
export const roadFamilies = ({ follow }: Road): string[] =>
  follow ? [...familiesBy(follow.relation), ...roadFamilies(follow.then)] : [];

/** The families that a relation requests, including those that its rule relies on. */
export function familiesBy({ to, by }: FamilyRelation): string[] {
  const via = by.kind === 'rule' ? by.via.split('.') : [];
  return [to, ...via.filter((word) => FAMILY_INDEX.some(({ name }) => name === word))];
}

/** True for a value that the catalogue names on the row at the end of the way. */
export const endsKnown = ({ follow, leaf }: Road): boolean =>
  follow
    ? endsKnown(follow.then)
    : leaf.field !== undefined || leaf.type !== undefined || pathSteps(leaf.path).length > 1;

/** Relations as an error lists them. */
export const relationWords = (relations: readonly FamilyRelation[]): string =>
  relations.map(({ word }) => word.replaceAll('_', '-')).join(', ');

/** Names that lead away from their items, and what is made of them. */
export type RelatedNames = Awaited<ReturnType<typeof relatedFields>>;

/**
 * The names that leave their items, with what is known of where they lead.
 *
 * @param manyFault the error of a way with many ends; undefined where it may have them
 */
export async function relatedFields(
  family: Family,
  vocabulary: Vocabulary,
  names: readonly string[],
  reaches?: ReadonlySet<string>,
  manyFault: (typed: string, road: Road) => Promise<Error | undefined> | Error | undefined = manyError,
) {
  const many = new Map<string, Error>();
  const related = new Map<string, RelatedField>();
  const roads = new Map<string, Road>();
  for (const name of names) {
    const road = related.has(name) ? undefined : await roadOf(family, vocabulary, name);
    if (!road) {
      const fault = related.has(name) ? undefined : await strayFault(family, vocabulary, name);
      if (fault) many.set(name, fault);
      continue;
    }
    const fault = manyOn(road) && (await manyFault(name, road));
    if (fault) {
      if (!mayCarry(road)) throw fault;
      many.set(name, fault);
      continue;
    }
    const past = roadFamilies(road).find((one) => reaches?.has(one) === false);
    // Fields that the items contain themselves are theirs.
    if (past !== undefined && isKnown(vocabulary, name)) continue;
    if (past !== undefined)
      throw stopped(`"${name}" leads to ${past.replaceAll('_', '-')}, which may not be read here`);
    related.set(name, road.leaf);
    related.set(road.path, road.leaf);
    roads.set(road.path, road);
  }
  return { related, roads, many };
}
