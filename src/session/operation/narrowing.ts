import type { Family, Operation } from '../../catalogue/types.js';
import { type MadeFilter, madeFilters } from '../../items/select/made-filters.js';
import { pathParameters } from '../../service/request/request-plan.js';

/** An option that tells apart what is called alike: `--product "Weekly Tea Box"` beside a person. */
export interface Narrowing extends MadeFilter {
  readonly value: string;
}

/** The filters of a list that say whose an item is: the name beside them says that. */
const OF_WHOM: ReadonlySet<string> = new Set(['customer', 'email']);

/** The options of an action on one item of a person that say which one is meant: filters of the family's list. */
export function narrowingFilters(family: Family, operation: Operation): MadeFilter[] {
  const list = family.operations.find(({ action }) => action === 'list');
  const isPersons = family.name !== 'customers' && family.item?.customer?.fields?.email !== undefined;
  if (!list || !isPersons || operation.list || pathParameters(operation).length !== 1) return [];
  // An edit that is given a state is asked to set it, which no edit does: that has an answer of its own.
  const isEdit = operation.action === 'edit';
  return madeFilters(family, list, []).filter(
    ({ option }) =>
      !OF_WHOM.has(option) &&
      !(isEdit && option === 'status') &&
      !Object.hasOwn(operation.body?.fields ?? {}, option) &&
      !Object.hasOwn(operation.query ?? {}, option),
  );
}
