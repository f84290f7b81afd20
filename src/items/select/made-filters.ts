import { rowsBy } from '../../base/text/rows.js';
import { pathSteps } from '../../catalogue/leaf-types.js';
import type { Family, Operation } from '../../catalogue/types.js';
import { fieldAt, isKnown, type Vocabulary, vocabularyOf } from './names.js';

/** A filter that the service lacks and that is applied here, to the items' own values. */
export interface MadeFilter {
  /** Without leading dashes: `customer`. */
  readonly option: string;
  /** Where the items hold the value: one of these must match. */
  readonly paths: readonly string[];
  readonly about: string;
  readonly enum?: readonly string[] | undefined;
  /**
   * The family of the item that the value refers to. Items keep the name from when they were made, so a name is looked
   * up and its id compared instead.
   */
  readonly refers?: string;
}

/** An option that distinguishes items of one name: `--product "Weekly Tea Box"` besides a person. */
export interface Narrowing extends MadeFilter {
  readonly value: string;
}

const MADE: readonly Omit<MadeFilter, 'enum'>[] = rowsBy<'option', Omit<MadeFilter, 'option' | 'enum'>>('option')({
  customer: {
    paths: ['customer', 'customer_id', 'customer.id', 'customer.email'],
    about: 'id, e-mail or name',
    refers: 'customers',
  },
  status: { paths: ['status'], about: 'the state' },
  email: { paths: ['email', 'customer.email', 'customer.id'], about: 'the whole address', refers: 'customers' },
  campaign: { paths: ['campaign', 'campaign_id', 'campaign_name'], about: 'id or name', refers: 'campaigns' },
  product: { paths: ['product', 'product_id', 'product.id', 'product.name'], about: 'id or name', refers: 'products' },
});

/** The filters applied here for a list: those whose field its items have and that the service lacks. */
export function madeFilters(family: Family, operation: Operation, served: readonly string[]): MadeFilter[] {
  if (!operation.list) return [];
  const vocabulary = vocabularyOf(family, operation);
  return MADE.filter(({ option }) => !served.includes(option)).flatMap((made): MadeFilter[] => {
    const paths = made.option === 'status' ? statusPaths(vocabulary) : made.paths.filter((p) => carries(vocabulary, p));
    const [first] = paths;
    if (first === undefined) return [];
    return [{ ...made, paths, enum: fieldAt(vocabulary, first)?.enum }];
  });
}

/** The state of an item, which some families call its result. */
function statusPaths(vocabulary: Vocabulary): string[] {
  if (isKnown(vocabulary, 'status')) return ['status'];
  return vocabulary.columns
    .filter((column) => column.as === 'status')
    .map(({ path, state, title }) => (state && title) ?? path);
}

/** Whether the items of a filtered list hold ids of what the filter refers to. */
export const holdsIds = ({ paths }: MadeFilter): boolean =>
  paths.some((path) => /^[a-z]+(?:_id|\.id)?$/.test(path) && path !== 'email' && path !== 'status');

function carries(vocabulary: Vocabulary, path: string): boolean {
  if (isKnown(vocabulary, path)) return true;
  // A column `customer.email` implies the whole customer.
  return vocabulary.columns.some((column) => {
    const steps = pathSteps(column.path);
    return steps.length > 1 && steps[0] === path;
  });
}
