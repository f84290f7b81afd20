import { usage } from '../../../base/errors/errors.js';
import { say, type Text } from '../../../base/text/command-line.js';
import { synonymOf } from '../../../catalogue/synonyms.js';
import type { FamilyOperation } from '../../../catalogue/types.js';
import { type FilterValues, filterOptions } from '../../../service/request/request-plan.js';
import { ownFilters } from '../../../session/operation/spec.js';

/**
 * `--campaign ID --campaign ID2 --metadata a=b`. @throws CopsError usage (2) for what is no filter of the list
 * @param instead the line of a list that does what no export does
 */
export function parseFilters(
  { family, operation }: FamilyOperation,
  words: readonly string[],
  instead: () => Text,
): FilterValues {
  const known = new Map(filterOptions(operation).map((filter) => [`--${filter.option}`, filter]));
  const values: Record<string, string[]> = {};
  for (let i = 0; i < words.length; i++) {
    const [flag = '', attached] = split(words[i] as string);
    const filter = known.get(flag);
    if (!filter && (CHOOSES.has(flag) || ownFilters(family, operation).some(({ option }) => `--${option}` === flag))) {
      throw usage(
        `An export takes every item that the service gives: ${flag} is for lists.`,
        say`Did you mean "${instead()}"?`,
      );
    }
    if (!filter) {
      const filters =
        known.size > 0 ? `Filters of this list: ${[...known.keys()].join(', ')}.` : 'This list has no filters.';
      throw usage(`Unknown option ${flag}.`, synonymOf('option', flag)?.says ?? filters);
    }
    const value = attached ?? (filter.field.type === 'boolean' ? 'true' : words[++i]);
    if (value === undefined) throw usage(`${flag} needs a value.`);
    values[filter.name] = [...(values[filter.name] ?? []), value];
  }
  return values;
}

/** What a list chooses among its items by. */
const CHOOSES = new Set(['--where', '--sort', '--group-by', '--sum', '--count', '--limit', '--next']);

function split(word: string): [string, string | undefined] {
  const at = word.indexOf('=');
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}
