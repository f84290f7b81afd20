import { FAMILY_INDEX, loadFamily } from '../../catalogue/index.js';
import type { Family, Operation } from '../../catalogue/types.js';
import { unescaped } from '../../service/http/base-url.js';
import { notFound, wrongMethod } from '../rules/refusals.js';

export interface Route {
  readonly family: Family;
  readonly operation: Operation;
  readonly ids: readonly string[];
}

/** Families whose paths do not begin with their name. */
const ELSEWHERE: ReadonlyMap<string, readonly string[]> = new Map([['customers', ['customers', 'customer_cards']]]);

const NAMES: ReadonlySet<string> = new Set(FAMILY_INDEX.map(({ name }) => name));

/** The paths, split into words once. */
const shapes = new WeakMap<Operation, readonly string[]>();

/**
 * The operation of a method and path.
 * @throws Refusal 404 for an unknown path, 405 for a known path without that method.
 */
export async function findRoute(method: string, path: string): Promise<Route> {
  const words = path.replace(/\/+$/, '').split('/').slice(1).map(unescaped);
  const name = words[0] ?? '';
  const named: Route[] = [];
  for (const familyName of ELSEWHERE.get(name) ?? [name]) {
    if (!NAMES.has(familyName)) continue;
    const family = await loadFamily(familyName);
    for (const operation of family.operations) {
      const ids = match(operation, words);
      if (ids) named.push({ family, operation, ids });
    }
  }
  // A literal word beats a placeholder: `/sales/search` is never a sale called `search`.
  const [best] = named
    .filter(({ operation }) => operation.method === method)
    .sort((one, other) => one.ids.length - other.ids.length);
  if (best) return best;
  throw named.length > 0 ? wrongMethod(method) : notFound(`There is no ${method} ${path}.`);
}

/** The values of an operation's placeholders, if the words match its path. */
function match(operation: Operation, words: readonly string[]): string[] | undefined {
  const shape = shapeOf(operation);
  if (shape.length !== words.length) return undefined;
  const isPlace = (index: number) => shape[index]?.startsWith('{') === true;
  const fits = words.every((word, index) => (isPlace(index) ? word !== '' : word === shape[index]));
  return fits ? words.filter((_, index) => isPlace(index)) : undefined;
}

function shapeOf(operation: Operation): readonly string[] {
  const known = shapes.get(operation);
  if (known) return known;
  const shape = operation.path.split('/').slice(1);
  shapes.set(operation, shape);
  return shape;
}
