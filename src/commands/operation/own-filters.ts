import type { Family, Operation } from '../../catalogue/types.js';
import { filterOptions } from '../../request/query.js';
import { type MadeFilter, madeFilters } from '../../select/made-filters.js';

/** The filters that are made here for a list, beside those of the service. */
export function ownFilters(family: Family, operation: Operation): MadeFilter[] {
  return madeFilters(
    family,
    operation,
    filterOptions(operation).map(({ option }) => option),
  );
}
