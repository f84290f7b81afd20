import { type Condition, conditionOn, type Moment } from './condition.js';
import type { MadeFilter } from './made-filters.js';
import type { Vocabulary } from './names.js';

/** Alternatives of one made filter: an item must fulfil one of them. */
export function alternatives(
  filter: MadeFilter,
  values: readonly string[],
  vocabulary: Vocabulary,
  moment: Moment,
): Condition[] {
  const option = `--${filter.option}`;
  return values.flatMap((operand) =>
    filter.paths.map((path) =>
      conditionOn({ text: operand, path, operator: '=', operand }, vocabulary, moment, option),
    ),
  );
}
