import type { Family, Operation } from '../catalogue/types.js';
import type { World } from '../world.js';

/** An operation that only a description pulled from the service knows (`cops openapi pull`). */
export async function pulledOperation(
  _world: World,
  _words: readonly string[],
  _family: Family | undefined,
): Promise<{ family: Family; operation: Operation } | undefined> {
  return undefined;
}
