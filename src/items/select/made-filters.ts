import type { Family, Operation } from '../../catalogue/types.js';
import { pathSteps } from '../json/pick-values.js';
import { fieldAt, isKnown, type Vocabulary, vocabularyOf } from './names.js';

/** A filter that the service does not have and that is made here, from what the items show. */
export interface MadeFilter {
  /** Without dashes in front: `customer`. */
  readonly option: string;
  /** Where the items hold it: one of them must fit. */
  readonly paths: readonly string[];
  readonly about: string;
  readonly enum?: readonly string[] | undefined;
  /**
   * The family whose item the value names. Items keep the name that it had when they were made: a name is looked up,
   * and its id is what they are held against.
   */
  readonly refers?: string;
}

const MADE: readonly Omit<MadeFilter, 'enum'>[] = [
  {
    option: 'customer',
    paths: ['customer', 'customer_id', 'customer.id', 'customer.email'],
    about: 'id, e-mail or name',
    refers: 'customers',
  },
  { option: 'status', paths: ['status'], about: 'the state' },
  {
    option: 'email',
    paths: ['email', 'customer.email', 'customer.id'],
    about: 'the whole address',
    refers: 'customers',
  },
  {
    option: 'campaign',
    paths: ['campaign', 'campaign_id', 'campaign_name'],
    about: 'id or name',
    refers: 'campaigns',
  },
  {
    option: 'product',
    paths: ['product', 'product_id', 'product.id', 'product.name'],
    about: 'id or name',
    refers: 'products',
  },
];

/** The filters made here for a list: those whose field its items carry and that the service does not have. */
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

/** Whether the items of a filtered list hold ids of what the filter names. */
export function holdsIds({ paths }: MadeFilter): boolean {
  return paths.some((path) => /^[a-z]+(?:_id|\.id)?$/.test(path) && path !== 'email' && path !== 'status');
}

function carries(vocabulary: Vocabulary, path: string): boolean {
  if (isKnown(vocabulary, path)) return true;
  // Of `customer.email` as a column the whole customer is there.
  return vocabulary.columns.some((column) => {
    const steps = pathSteps(column.path);
    return steps.length > 1 && steps[0] === path;
  });
}
