import { stopped, usage } from '../../base/errors/errors.js';
import { loadFamily } from '../../catalogue/index.js';
import type { Family } from '../../catalogue/types.js';
import { Digits, type Lossless } from '../../items/json/lossless.js';
import { isKnown, type Vocabulary } from '../../items/select/names.js';
import { putAt, UNKNOWN } from '../../items/select/values.js';
import type { Joiner } from './joiner.js';
import { familiesBy, manyIn, type Road, vocabularyOfRows } from './roads.js';
import { countsOfRows, rowsMeeting, type SideAsked, wayTo } from './sides.js';

/** Which related rows a name counts, or shows values of. */
export interface RelatedTally {
  readonly side: SideAsked;
  /** The way from the rows to the values to show; undefined if the rows are counted. */
  readonly values?: Road | undefined;
}

/** A name that counts rows: `subscriptions.count`. */
const COUNTED = /^(.+)\.count$/i;

/** The rows to count for `subscriptions.count`: those that a `--with` requires, or all that belong to an item. */
export async function tallyOf(
  family: Family,
  vocabulary: Vocabulary,
  typed: string,
  { sides, reaches }: { readonly sides: readonly SideAsked[]; readonly reaches?: ReadonlySet<string> | undefined },
): Promise<RelatedTally | undefined> {
  const word = COUNTED.exec(typed)?.[1];
  if (word === undefined || isKnown(vocabulary, typed)) return undefined;
  const { via, family: from, relation } = await wayTo(family, true, word);
  if (!relation?.many) return undefined;
  if ([...via.map((step) => step.relation), relation].flatMap(familiesBy).some((one) => reaches?.has(one) === false))
    throw stopped(`"${typed}" leads to ${relation.to.replaceAll('_', '-')}, which may not be read here`);
  const named = sideNaming([...via.map((step) => step.relation.word), relation.word], typed, sides);
  if (named) return { side: named };
  const far = vocabularyOfRows(await loadFamily(relation.to));
  const listed = { family: from, vocabulary, roads: new Map(), many: new Map() };
  const side: SideAsked = {
    ...{ option: 'with', text: word, via, family: from, relation, conditions: [], roads: new Map() },
    ...{ vocabulary: far, listed, counted: undefined, from: undefined },
  };
  return { side };
}

/** The rows whose values a way shows, if a `--with` chooses among the rows of its first relation to many. */
export function tallyOnWay(road: Road, typed: string, sides: readonly SideAsked[]): RelatedTally | undefined {
  const values = manyIn(road);
  const words: string[] = [];
  for (let at: Road | undefined = values && road; at?.follow; at = at === values ? undefined : at.follow.then)
    words.push(at.follow.relation.word);
  const side = sideNaming(words, typed, sides);
  return side && side.conditions.length > 0 ? { side, values } : undefined;
}

/** The `--with` for the rows that a name leads to. @throws CopsError usage if there are several */
function sideNaming(words: readonly string[], typed: string, sides: readonly SideAsked[]): SideAsked | undefined {
  const spoken = words.join('.');
  const [named, other] = sides.filter(
    ({ option, via, relation }) =>
      option === 'with' && [...via.map((step) => step.relation.word), relation.word].join('.') === spoken,
  );
  if (named && other)
    throw usage(`"${typed}": two --with name ${spoken}, and they mean different rows.`, 'Leave one of them out.');
  return named;
}

/** Adds to each item how many rows belong to it, or their values; unknown if there may be more. */
export async function putTally(
  joiner: Joiner,
  items: readonly Lossless[],
  path: string,
  { side, values: road }: RelatedTally,
): Promise<void> {
  if (side.conditions.length > 0)
    joiner.say(`Only the ${side.relation.word.replaceAll('_', '-')} of --with '${side.text}' are counted and shown.`);
  const values = road ? await valuesMeeting(joiner, items, side, road) : await numbersOf(joiner, items, side);
  for (const [at, item] of items.entries()) putAt(item, path, values[at] ?? [UNKNOWN]);
}

async function numbersOf(joiner: Joiner, items: readonly Lossless[], side: SideAsked): Promise<Lossless[][]> {
  const counts = await countsOfRows(joiner, side, items);
  return counts.map(({ least, most }) => [least === most ? new Digits(String(least)) : UNKNOWN]);
}

async function valuesMeeting(joiner: Joiner, items: readonly Lossless[], side: SideAsked, road: Road) {
  const met = await rowsMeeting(joiner, side, items);
  const many = met.map(({ rows, perhaps }) => ({ rows, isSure: perhaps === 0, adrift: [] }));
  return joiner.valuesOfMany(many, road);
}
