import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Works in a new temporary folder. It is removed if the work fails; otherwise the work or its result removes it. */
export async function inTemporaryFolder<T>(
  name: string,
  work: (folder: string, discard: () => Promise<void>) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), `cops-${name}-`));
  const discard = () => rm(folder, { recursive: true, force: true });
  try {
    return await work(folder, discard);
  } catch (error) {
    await discard();
    throw error;
  }
}
