import { stopped, usage } from '../../base/errors/errors.js';
import { loadFamily } from '../../catalogue/index.js';
import type { Family } from '../../catalogue/types.js';
import { Digits, type Lossless } from '../../items/json/lossless.js';
import { isKnown, type Vocabulary } from '../../items/select/names.js';
import { putAt, UNKNOWN } from '../../items/select/values.js';
import type { Joiner } from './joiner.js';
import { familiesBy, vocabularyOfRows } from './roads.js';
import { countsOfRows, type SideAsked, wayTo } from './sides.js';

/** A name that counts rows: `subscriptions.count`. */
const COUNTED = /^(.+)\.count$/i;

/** The rows to count for `subscriptions.count`: those that a `--with` requires, or all that belong to an item. */
export async function tallyOf(
  family: Family,
  vocabulary: Vocabulary,
  typed: string,
  { sides, reaches }: { readonly sides: readonly SideAsked[]; readonly reaches?: ReadonlySet<string> | undefined },
): Promise<SideAsked | undefined> {
  const word = COUNTED.exec(typed)?.[1];
  if (word === undefined || isKnown(vocabulary, typed)) return undefined;
  const { via, family: from, relation } = await wayTo(family, true, word);
  if (!relation?.many) return undefined;
  if ([...via.map((step) => step.relation), relation].flatMap(familiesBy).some((one) => reaches?.has(one) === false))
    throw stopped(`"${typed}" leads to ${relation.to.replaceAll('_', '-')}, which may not be read here`);
  const words = (side: Pick<SideAsked, 'via' | 'relation'>) =>
    [...side.via.map((step) => step.relation.word), side.relation.word].join('.');
  const [named, other] = sides.filter((one) => one.option === 'with' && words(one) === words({ via, relation }));
  if (named && other)
    throw usage(`"${typed}": two --with name ${word}, and they count different rows.`, 'Leave one of them out.');
  if (named) return named;
  const far = vocabularyOfRows(await loadFamily(relation.to));
  const listed = { family: from, vocabulary, roads: new Map(), many: new Map() };
  return {
    ...{ option: 'with', text: word, via, family: from, relation, conditions: [], roads: new Map() },
    ...{ vocabulary: far, listed, counted: undefined, from: undefined },
  };
}

/** Puts into items how many rows belong to each; unknown counts stay unknown. */
export async function putTally(
  joiner: Joiner,
  items: readonly Lossless[],
  path: string,
  side: SideAsked,
): Promise<void> {
  if (side.conditions.length > 0) joiner.say(`${path} counts those of --with '${side.text}'.`);
  const counts = await countsOfRows(joiner, side, items);
  for (const [at, item] of items.entries()) {
    const { least, most } = counts[at] ?? { least: 0, most: Number.POSITIVE_INFINITY };
    putAt(item, path, [least === most ? new Digits(String(least)) : UNKNOWN]);
  }
}
