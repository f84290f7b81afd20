import { FAMILY_INDEX, loadFamily } from '../catalogue/index.js';
import type { Family, Operation } from '../catalogue/types.js';
import { notFound, wrongMethod } from './refusal.js';

export interface Route {
  readonly family: Family;
  readonly operation: Operation;
  readonly ids: readonly string[];
}

/** Families whose paths begin with another word than their name. */
const ELSEWHERE: ReadonlyMap<string, readonly string[]> = new Map([['customers', ['customers', 'customer_cards']]]);

/**
 * Finds the operation of a method and path.
 * @throws Refusal 404 for an unknown path, 405 for a known path that does not take the method.
 */
export async function findRoute(method: string, path: string): Promise<Route> {
  const words = path.replace(/\/+$/, '').split('/').slice(1).map(decode);
  const name = words[0] ?? '';
  let otherMethod = false;
  let best: Route | undefined;
  let bestFixed = -1;
  for (const familyName of ELSEWHERE.get(name) ?? [name]) {
    if (!FAMILY_INDEX.some((entry) => entry.name === familyName)) continue;
    const family = await loadFamily(familyName);
    for (const operation of family.operations) {
      const ids = match(operation, words);
      if (!ids) continue;
      if (operation.method !== method) {
        otherMethod = true;
        continue;
      }
      // A literal word beats a placeholder: `/sales/search` is never a sale called `search`.
      const fixed = words.length - ids.length;
      if (fixed > bestFixed) {
        bestFixed = fixed;
        best = { family, operation, ids };
      }
    }
  }
  if (best) return best;
  if (otherMethod) throw wrongMethod(method);
  throw notFound(`There is no ${method} ${path}.`);
}

function match(operation: Operation, words: readonly string[]): string[] | undefined {
  const shape = operation.path.split('/').slice(1);
  if (shape.length !== words.length) return undefined;
  const ids: string[] = [];
  for (const [index, part] of shape.entries()) {
    const word = words[index] as string;
    if (part.startsWith('{')) {
      if (word === '') return undefined;
      ids.push(word);
    } else if (part !== word) return undefined;
  }
  return ids;
}

function decode(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}
