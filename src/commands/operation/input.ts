import type { Family, Operation } from '../../catalogue/types.js';
import { type FilterValues, filterOptions } from '../../request/query.js';
import { typedOptions } from '../../request/typed-options.js';

/** What was typed for an operation, before anything is read or checked against the service. */
export interface OperationInput {
  readonly family: Family;
  readonly operation: Operation;
  /** Positional words: ids in path order, then the term or text where the operation takes one. */
  readonly words: readonly string[];
  /** Option values by the parser's camel-case name. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Filter values by query parameter. */
  readonly filters: FilterValues;
  /** Typed body options by field. */
  readonly typed: Readonly<Record<string, string | boolean>>;
}

/** Sorts what was typed for an operation into words, options, filters and fields. */
export function operationInput(
  family: Family,
  operation: Operation,
  { words, options }: Pick<OperationInput, 'words' | 'options'>,
): OperationInput {
  const fields = operation.method === 'POST' ? typedOptions(operation) : [];
  const typed = fields.map(({ flag, field }) => [field, options[camel(flag)]] as const);
  return {
    family,
    operation,
    words,
    options,
    filters: filterValues(operation, options),
    typed: Object.fromEntries(typed.filter((entry): entry is [string, string | boolean] => entry[1] !== undefined)),
  };
}

/** The filters among the options that were typed, by query parameter. */
export function filterValues(operation: Operation, options: Readonly<Record<string, unknown>>): FilterValues {
  const given = filterOptions(operation).map(({ option, name }) => [name, options[camel(option)]] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== undefined)) as FilterValues;
}

/** The name under which the parser keeps an option: `trialDays` of `trial-days`. */
function camel(flag: string): string {
  return flag.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
