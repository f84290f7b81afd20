import type { Family, Operation } from '../../catalogue/types.js';
import type { ReadingClock } from '../../items/select/condition.js';
import { conditionNames } from '../../items/select/condition.js';
import { type RelatedField, type Vocabulary, vocabularyOf } from '../../items/select/names.js';
import { splitNames } from '../../items/select/order.js';
import { type Road, relatedFields } from './roads.js';
import { parseSide, type SideAsked } from './sides.js';

/** Options of a line that may name related rows, as they were typed. */
export interface JoinOptions {
  readonly where?: readonly string[] | undefined;
  readonly sort?: readonly string[] | undefined;
  readonly groupBy?: readonly string[] | undefined;
  readonly sum?: readonly string[] | undefined;
  readonly with?: readonly string[] | undefined;
  readonly without?: readonly string[] | undefined;
  /** The families whose rows may be read; all of them without it. */
  readonly reaches?: ReadonlySet<string> | undefined;
}

/** What a line asks of related rows. */
export interface LineJoins {
  readonly family: Family;
  /** That of the listed items, with the paths of the line that leave them. */
  readonly vocabulary: Vocabulary;
  /** Ways by the paths that are meant. */
  readonly roads: ReadonlyMap<string, Road>;
  readonly sides: readonly SideAsked[];
}

/** What a line asks of related rows; nothing is read for it yet. @throws CopsError usage */
export async function lineJoins(
  family: Family,
  operation: Operation,
  options: JoinOptions,
  moment: ReadingClock,
): Promise<LineJoins> {
  const vocabulary = vocabularyOf(family, operation);
  const isOwnList = operation.columns === undefined;
  const typed = [
    ...(options.where ?? []).flatMap(conditionNames),
    ...splitNames(options.sort ?? [], '--sort').map((name) => name.replace(/^[-+]/, '')),
    ...splitNames(options.groupBy ?? [], '--group-by').map((name) => name.replace(/:\w+$/, '')),
    ...splitNames(options.sum ?? [], '--sum'),
  ];
  const { related, roads, many } = isOwnList
    ? await relatedFields(family, vocabulary, typed, options.reaches)
    : { related: new Map<string, RelatedField>(), roads: new Map<string, Road>(), many: new Map<string, Error>() };
  const sides: SideAsked[] = [];
  for (const option of ['with', 'without'] as const)
    for (const text of options[option] ?? [])
      sides.push(
        await parseSide(family, isOwnList, option, text, { moment, reaches: options.reaches, listed: vocabulary }),
      );
  return {
    family,
    vocabulary: { ...vocabulary, related, many },
    roads,
    sides,
  };
}

/** True where a line names anything that its items do not carry by themselves. */
export function asksRelated({ roads, sides, vocabulary }: LineJoins): boolean {
  return roads.size > 0 || sides.length > 0 || (vocabulary.many?.size ?? 0) > 0;
}
