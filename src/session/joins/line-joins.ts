import { usage } from '../../base/errors/errors.js';
import { loadFamily } from '../../catalogue/index.js';
import { type FamilyRelation, relationsOf } from '../../catalogue/relations.js';
import type { Family, Operation } from '../../catalogue/types.js';
import type { ReadingClock } from '../../items/select/condition.js';
import { leftNames, rightNames } from '../../items/select/condition.js';
import { fieldInFigure, IDS } from '../../items/select/group-figures.js';
import { asSaid, type RelatedField, type Vocabulary, vocabularyOf } from '../../items/select/names.js';
import { splitNames } from '../../items/select/order.js';
import type { SelectingOptions } from '../operation/spec.js';
import { manyFault, type NamePlace } from './many-fault.js';
import { allRelations, type RelatedNames, type Road, relatedFields, relationCalled } from './roads.js';
import { parseSide, type SideAsked } from './sides.js';
import { type RelatedTally, tallyOf, tallyOnWay } from './tallies.js';

/** A line's typed options that may name related rows. */
export interface JoinOptions extends Omit<SelectingOptions, 'count' | 'having'> {
  /** The families whose rows may be read; by default all. */
  readonly reaches?: ReadonlySet<string> | undefined;
  /** Columns of items. */
  readonly shown?: readonly string[] | undefined;
  /** Names in `--having`, `--sort` and `--columns` that groups' rows do not have themselves. */
  readonly ofRows?: readonly string[] | undefined;
}

/** What a line requests of related rows. */
export interface LineJoins {
  readonly family: Family;
  /** The vocabulary of the listed items, with the line's paths that lead away from them. */
  readonly vocabulary: Vocabulary;
  /** Ways by their paths. */
  readonly roads: ReadonlyMap<string, Road>;
  readonly sides: readonly SideAsked[];
  /** Rows to count, or to show if a `--with` chooses them, by the requesting name: `subscriptions.count`. */
  readonly tallies: ReadonlyMap<string, RelatedTally>;
  /** The field whose distinct values a group counts, by the requesting name: `customers`. */
  readonly different: ReadonlyMap<string, string>;
  /** By path: a condition on the only row of a list, and the same as a `--with` on each row. */
  readonly ofEach: ReadonlyMap<string, { readonly where: string; readonly along: string }>;
  /** Columns that lead to no related row. */
  readonly plain: readonly string[];
}

/** What a line requests of related rows; reads nothing yet. @throws CopsError usage */
export async function lineJoins(
  family: Family,
  operation: Operation,
  options: JoinOptions,
  moment: ReadingClock,
): Promise<LineJoins> {
  const vocabulary = vocabularyOf(family, operation);
  const isOwnList = operation.columns === undefined;
  const { reaches } = options;
  const sides: SideAsked[] = [];
  for (const option of ['with', 'without'] as const)
    for (const text of options[option] ?? [])
      sides.push(await parseSide(family, isOwnList, option, text, { moment, reaches, listed: vocabulary }));
  if (!isOwnList) {
    const none = {
      roads: new Map(),
      tallies: new Map(),
      different: new Map(),
      ofEach: new Map(),
      plain: options.shown ?? [],
    };
    return { family, vocabulary: { ...vocabulary, related: new Map(), many: new Map() }, sides, ...none };
  }
  const different = await differentIn(family, options.ofRows ?? []);
  const places = placesIn(options);
  const { tallies, names } = await talliesIn(family, vocabulary, [...places.keys()], { sides, reaches });
  const found = await relatedFields(family, vocabulary, [...names, ...different.values()], reaches, (typed, road) => {
    const place = places.get(typed);
    return place && manyFault(family, typed, road, place);
  });
  const shown = await shownNames(family, vocabulary, options.shown ?? [], { sides, reaches });
  const counted = [...tallies.keys()].map((path): [string, RelatedField] => [path, countOf(path)]);
  return {
    family,
    vocabulary: {
      ...vocabulary,
      related: new Map([...found.related, ...counted]),
      many: new Map([...found.many, ...shown.many]),
    },
    roads: found.roads,
    sides,
    tallies,
    different,
    ofEach: new Map([...found.roads].flatMap(([path, road]) => conditionOfEach(path, road, found.related, places))),
    plain: shown.plain,
  };
}

const countOf = (path: string): RelatedField => ({ path, field: { type: 'integer' }, type: 'count' });

/** The names of a line, each with its place. */
function placesIn(options: JoinOptions): Map<string, NamePlace> {
  const places = new Map<string, NamePlace>();
  for (const text of options.where ?? []) {
    for (const name of leftNames(text))
      places.set(name, { option: 'where', text: text.trim().startsWith(name) ? text.trim() : undefined });
    for (const name of rightNames(text)) places.set(name, { option: 'where' });
  }
  const by = options.groupBy && splitNames(options.groupBy, '--group-by');
  for (const name of splitNames(options.sort ?? [], '--sort'))
    places.set(name.replace(/^[-+]/, ''), { option: 'sort', by });
  for (const name of splitNames([...(options.groupBy ?? []), ...(options.latestPer ?? [])], '--group-by'))
    places.set(name.replace(/:\w+$/, ''), { option: 'group-by' });
  for (const name of splitNames(options.sum ?? [], '--sum')) places.set(name, { option: 'sum', by });
  return places;
}

/** A condition on the only row of a list, with the `--with` that judges each row instead. */
function conditionOfEach(path: string, road: Road, related: RelatedNames['related'], places: Map<string, NamePlace>) {
  const relations: FamilyRelation[] = [];
  for (let at = road.follow; at; at = at.then.follow) relations.push(at.relation);
  const last = relations.findLastIndex(({ oneOf }) => oneOf);
  return [...places].flatMap(([typed, { text: where }]) => {
    if (last < 0 || where === undefined || related.get(typed)?.path !== path || leftNames(where).length > 1) return [];
    const steps = typed.split('.').slice(0, last + 1);
    const along = [...steps.slice(0, -1), relations[last]?.oneOf?.word.replaceAll('_', '-')].join('.');
    return [[path, { where, along: `${along} ${where.slice(steps.join('.').length + 1)}` }] as const];
  });
}

interface TallyOptions {
  readonly sides: readonly SideAsked[];
  readonly reaches: ReadonlySet<string> | undefined;
}

/** The names that count related rows, and the others. */
async function talliesIn(family: Family, vocabulary: Vocabulary, all: readonly string[], options: TallyOptions) {
  const tallies = new Map<string, RelatedTally>();
  for (const name of all) {
    const tally = await tallyOf(family, vocabulary, name, options);
    if (tally) tallies.set(name, tally);
  }
  return { tallies, names: all.filter((name) => !tallies.has(name)) };
}

/** Splits columns into those that lead to related rows and the others; a column may have many values. */
export async function shownJoins(
  family: Family,
  vocabulary: Vocabulary,
  shown: readonly string[],
  options: TallyOptions,
): Promise<RelatedNames & { readonly tallies: ReadonlyMap<string, RelatedTally> }> {
  const { tallies, names } = await talliesIn(family, vocabulary, shown, options);
  const found = await relatedFields(family, vocabulary, names, options.reaches, () => undefined);
  for (const path of tallies.keys()) found.related.set(path, countOf(path));
  for (const [path, road] of found.roads) {
    const tally = tallyOnWay(road, path, options.sides);
    if (tally && found.roads.delete(path)) tallies.set(path, tally);
  }
  return { ...found, tallies };
}

async function shownNames(family: Family, vocabulary: Vocabulary, shown: readonly string[], options: TallyOptions) {
  const { related, many } = await shownJoins(family, vocabulary, shown, options);
  return { plain: shown.filter((name) => !related.has(name)), many };
}

/**
 * The field of each figure of groups: `customers`, if each item refers to one, and `<field>.count` count distinct
 * values; the others are `max(<field>)`, `min(<field>)`, `avg(<field>)` and `ids`.
 */
async function differentIn(family: Family, names: readonly string[]): Promise<Map<string, string>> {
  const relations = relationsOf(family).filter(({ many }) => !many);
  const found = new Map<string, string>();
  for (const name of names) {
    const figured = name === IDS ? family.idField : fieldInFigure(name);
    if (figured !== undefined) {
      found.set(name, figured);
      continue;
    }
    const counted = /^(.+)\.count$/i.exec(name)?.[1];
    const asked = asSaid(counted ?? name);
    const isMeant = ({ word, to }: FamilyRelation): boolean => [to, `${word}s`].map(asSaid).includes(asked);
    const relation = relations.find(isMeant) ?? (counted && relationCalled(relations, counted));
    if (!relation && counted && relationCalled(await allRelations(family), counted)?.many)
      throw usage(`"${name}": one item may have many ${counted}.`, `To count them in each group: --sum ${name}`);
    const path = relation ? `${relation.word}.${(await loadFamily(relation.to)).idField}` : counted;
    if (path !== undefined) found.set(name, path);
  }
  return found;
}

/** True if a line names anything that its items do not contain themselves. */
export function asksRelated({ roads, sides, vocabulary, tallies, different }: LineJoins): boolean {
  const named = roads.size + sides.length + tallies.size + different.size;
  return named > 0 || (vocabulary.many?.size ?? 0) > 0;
}
