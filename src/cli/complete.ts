import type { World } from '../world.js';

/** Answers a shell that asks what may follow on its line. */
export async function complete(_world: World): Promise<number> {
  return 0;
}
