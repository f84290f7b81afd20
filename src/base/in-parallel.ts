/** Processes elements in parallel. After the first failure no more are started; it ends once those under way are done. */
export async function inParallel<T>(
  things: readonly T[],
  most: number,
  work: (thing: T) => Promise<void>,
): Promise<void> {
  const queue = things.values();
  let failed = false;
  const worker = async () => {
    for (const thing of queue) {
      if (failed) return;
      await work(thing).catch((error: unknown) => {
        failed = true;
        throw error;
      });
    }
  };
  const settled = await Promise.allSettled(Array.from({ length: Math.min(most, things.length) }, worker));
  for (const one of settled) if (one.status === 'rejected') throw one.reason;
}
